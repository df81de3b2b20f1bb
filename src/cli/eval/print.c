/* SPDX-License-Identifier: MIT */
/* An answer for people: what was asked, metrics with intervals, where the cycles go, what binds. */
#include "cli/eval/eval.h"

#include <math.h>
#include <string.h>

enum { BAR = 40, LINE = 90 }; /* characters of a whole cycle stack; of a line of names */

static const char BARS[] = "########################################";

typedef struct printer {
    const msw_plan *plan;
    const msw_metric *metrics;
    const msw_batch *batch;
    size_t row;
    const msw_row *head;
    msw_text *out;
} printer;

static double value_of(const printer *p, size_t metric)
{
    return cli_answer_metric(p->batch, p->row, metric);
}

/* What was set, by the user, a preset or the workload's name. */
static void print_setting(const printer *p, size_t index)
{
    char text[MSW_PARAM_TEXT];
    const msw_param *param = p->plan->schema.params[index];
    msw_text_add(p->out, "  %s=%s", param->name,
                 msw_param_print(param, msw_batch_values(p->batch, p->row)[index], text));
}

static void print_head(const printer *p)
{
    bool any = false;
    msw_text_add(p->out, "%s, %s, %s", p->plan->mech->name,
                 p->plan->workloads[p->head->workload].name, msw_fidelity_name(p->plan->fidelity));
    if (p->head->units)
        msw_text_add(p->out, ": %llu of %llu units measured", (unsigned long long)p->head->measured,
                     (unsigned long long)p->head->units);
    msw_text_add(p->out, "\n");
    for (size_t i = 0; i < p->plan->schema.count; i++) {
        if (!p->plan->decided[i])
            continue;
        print_setting(p, i);
        any = true;
    }
    msw_text_add(p->out, any ? "\n" : "  all parameters at their defaults\n");
}

/* Whether a row of the table says something of its own: bounds and causes have theirs below. */
static bool is_plain(const printer *p, size_t m)
{
    return !p->metrics[m].stack && !p->metrics[m].least && !isnan(value_of(p, m));
}

/* What did not happen at all: one line lists the names. */
static bool is_zero(const printer *p, size_t m)
{
    return value_of(p, m) == 0 && !(cli_answer_half_width(p->batch, p->row, m) > 0);
}

static void print_zeros(const printer *p)
{
    size_t used = 0;
    for (size_t m = 0; p->metrics[m].name; m++) {
        if (!is_plain(p, m) || !is_zero(p, m))
            continue;
        size_t size = strlen(p->metrics[m].name) + 2;
        bool first = !used, breaks = used + size > LINE;
        msw_text_add(p->out,
                     first    ? "\n  0: %s"
                     : breaks ? ",\n     %s"
                              : ", %s",
                     p->metrics[m].name);
        used = first || breaks ? 5 + size : used + size;
    }
    msw_text_add(p->out, used ? "\n" : "");
}

static void print_metrics(const printer *p)
{
    bool sampled = p->plan->fidelity == MSW_SAMPLED;
    msw_text_add(p->out, "\n");
    for (size_t m = 0; p->metrics[m].name; m++) {
        if (!is_plain(p, m) || is_zero(p, m))
            continue;
        double half = cli_answer_half_width(p->batch, p->row, m);
        msw_text_add(p->out, "  %-22s %14.6g", p->metrics[m].name, value_of(p, m));
        if (sampled && half > 0)
            msw_text_add(p->out, " +- %-10.3g", half);
        else if (sampled)
            msw_text_add(p->out, " %-13s", isnan(half) ? "no interval" : "");
        msw_text_add(p->out, "  %s%s%s\n", p->metrics[m].unit, *p->metrics[m].unit ? ": " : "",
                     p->metrics[m].doc);
    }
    print_zeros(p);
}

static void print_cause(const printer *p, size_t m, double sum)
{
    double value = value_of(p, m);
    int length = (int)(BAR * value / sum + 0.5);
    msw_text_add(p->out, "  %-22s %14.6g %5.1f %%  %.*s\n", p->metrics[m].name, value,
                 100 * value / sum, length, BARS);
}

static void print_stack(const printer *p)
{
    double sum = 0;
    for (size_t m = 0; p->metrics[m].name; m++)
        if (p->metrics[m].stack && value_of(p, m) > 0)
            sum += value_of(p, m);
    if (sum <= 0)
        return;
    msw_text_add(p->out, "\nwhere the cycles go\n");
    for (size_t m = 0; p->metrics[m].name; m++)
        if (p->metrics[m].stack && value_of(p, m) > 0)
            print_cause(p, m, sum);
    if (p->head->bound_by >= 0)
        msw_text_add(p->out, "  most of them: %s\n", p->metrics[p->head->bound_by].doc);
}

/* What the same took at a reference, from the ratio to it. */
static void print_references(const printer *p)
{
    bool any = false;
    for (size_t m = 0; p->metrics[m].name; m++) {
        const msw_metric *ratio = &p->metrics[m];
        int num = ratio->kind == MSW_PAIRED ? msw_metrics_find(p->metrics, ratio->num) : -1;
        if (num < 0 || !(value_of(p, m) > 0))
            continue;
        msw_text_add(p->out, any ? "" : "\nbeside the references\n");
        msw_text_add(p->out, "  %-22s %14.6g  %s; this takes %.6g times as much (%s)\n",
                     ratio->reference, value_of(p, (size_t)num) / value_of(p, m),
                     p->metrics[msw_metrics_find(p->metrics, ratio->den)].name, value_of(p, m),
                     ratio->name);
        any = true;
    }
}

/* What each resource needs at least, were all else without end. */
static void print_resources(const printer *p, const msw_metric_map *map)
{
    const double *values = msw_batch_values(p->batch, p->row) + p->batch->params;
    double cycles = values[map->entries[map->share].num];
    msw_text_add(p->out, "\nwhat resources need at least\n");
    for (int i = map->least_first; i < map->least_end; i++) {
        double share = values[i] / cycles;
        if (share >= 0.0005)
            msw_text_add(p->out, "  %-22s %14.6g %5.1f %%  %.*s\n",
                         p->metrics[i].name + strlen(MSW_LEAST_PREFIX), values[i], 100 * share,
                         (int)(BAR * fmin(share, 1) + 0.5), BARS);
    }
}

/* How near the cycles are to the least that any resource allows. */
static void print_bound(const printer *p, const msw_metric_map *map)
{
    const double *values = msw_batch_values(p->batch, p->row) + p->batch->params;
    int resource = msw_mech_bound_resource(map, values);
    if (resource < 0 || map->share < 0 || isnan(values[map->share]))
        return;
    print_resources(p, map);
    msw_text_add(p->out,
                 "  no %s can do it in fewer than %.6g cycles, %.1f %% of what it takes (%s)\n",
                 p->metrics[resource].name + strlen(MSW_LEAST_PREFIX), values[resource],
                 100 * values[map->share], p->metrics[resource].name);
}

/* The tables below the answer that there are. */
static void print_tables(const printer *p)
{
    const msw_detail *details = p->plan->mech->details;
    for (size_t d = 0; details && details[d].name; d++)
        msw_text_add(p->out, "%s%s",
                     d ? ", " : "\nfurther tables (--details NAME): ", details[d].name);
    msw_text_add(p->out, details && details[0].name ? "\n" : "");
}

int cli_answer_text(const msw_plan *plan, const msw_batch *batch, size_t row, msw_text *out,
                    msw_err *err)
{
    msw_metric_map map;
    printer p = {plan, plan->mech->metrics, batch, row, &batch->rows[row], out};
    print_head(&p);
    if (p.head->status != MSW_OK) {
        msw_text_add(out, "\n%s: %s\n", msw_status_name((msw_status)p.head->status),
                     msw_batch_reason_text(batch, row));
        return 0;
    }
    if (msw_metric_map_init(&map, plan->mech, err))
        return -1;
    print_metrics(&p);
    print_stack(&p);
    print_bound(&p, &map);
    print_references(&p);
    print_tables(&p);
    return 0;
}
