/* SPDX-License-Identifier: MIT */
/* Prints an answer: for people (what was asked, metrics with intervals, where the cycles go, what
 * binds), or as tables (one row a point, as a query gives it; the detail tables). */
#include "cli/eval/eval.h"

#include "memsweep/base/table_builder.h"
#include "memsweep/mech/stated.h"
#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    for (size_t i = 0; i < p->plan->schema.count; i++)
        if (p->plan->decided[i]) {
            print_setting(p, i);
            any = true;
        }
    msw_text_add(p->out, any ? "\n" : "  all parameters at their defaults\n");
}

static char *config_of(const printer *p)
{
    const msw_mech *mech = p->plan->mech;
    char *config = calloc(1, mech->config_size);
    const double *values = msw_batch_values(p->batch, p->row);
    for (size_t i = 0; config && mech->params[i].name; i++)
        msw_param_set(&mech->params[i], config, values[i]);
    return config;
}

/* Prints of which metrics the mechanism states nothing for the row. Returns 0, or -1. */
static int print_stated(const printer *p, msw_err *err)
{
    const msw_mech *mech = p->plan->mech;
    const char *workload = p->plan->workloads[p->head->workload].name;
    msw_text inside = MSW_TEXT_EMPTY, outside = MSW_TEXT_EMPTY;
    char *config = config_of(p);
    int rc = config ? msw_stated_list(mech, config, workload, &inside, &outside, err)
                    : msw_fail_memory(err);
    free(config);
    if (rc == 0 && outside.size) {
        msw_text_add(p->out,
                     "\noutside the region in which %s states that its closed form agrees with its "
                     "cycle model",
                     mech->name);
        if (inside.size)
            msw_text_add(p->out, " in %s; stated here: %s", msw_text_str(&outside),
                         msw_text_str(&inside));
        msw_text_add(p->out, "; memsweep describe %s --all shows it\n", mech->name);
    }
    msw_text_free(&inside);
    msw_text_free(&outside);
    return rc;
}

/* Where the intervals are from, or why there is none. */
static void print_errors(const printer *p)
{
    const msw_errors *errors = p->plan->errors;
    int total = msw_errors_total(p->plan->mech);
    uint32_t stratum = p->head->stratum ? p->head->stratum - 1 : 0;
    const msw_error_range *range =
        errors && p->head->stratum ? msw_errors_range(errors, stratum, total) : NULL;
    const msw_own_error *own =
        total < 0 ? NULL : cli_answer_own(p->plan, p->batch, p->row, (size_t)total);
    if (own)
        msw_text_add(
            p->out,
            "\n.. spans what full says in %g %% of cases like this one: %llu own points of "
            "this workload\n",
            100 * MSW_ERRORS_CONFIDENCE, (unsigned long long)own->rows);
    else if (range)
        msw_text_add(p->out,
                     "\n.. spans what full says in %g %% of cases like this one: %llu points that "
                     "both models answered\n",
                     100 * errors->confidence, (unsigned long long)range->rows);
    else
        msw_text_add(p->out, "\nerrors unknown here (%s)\n",
                     msw_errors_why(errors, p->head->stratum));
}

/* Prints how far the answer is to be trusted. */
static void print_trust(const printer *p)
{
    msw_err err = {0};
    if (p->head->doubt)
        msw_text_add(p->out, "\nnot to be trusted: %s\n", msw_batch_doubt_text(p->batch, p->row));
    if (p->plan->fidelity == MSW_ANALYTIC && !p->head->doubt)
        print_errors(p);
    if (p->plan->fidelity == MSW_ANALYTIC && print_stated(p, &err))
        msw_text_add(p->out, "\nwhat is stated of the closed form cannot be told: %s\n", err.text);
}

/* Whether a row of the table says something of its own: bounds and causes have theirs below. */
static bool is_plain(const printer *p, size_t m)
{
    const msw_metric *metric = &p->metrics[m];
    bool part = metric->energy && metric->goal == MSW_GOAL_NONE &&
                p->plan->fidelity != MSW_SAMPLED; /* where half-widths stand */
    return !metric->stack && !metric->least && !part && !isnan(value_of(p, m));
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

/* Lists the metrics of which something is the case. */
static void print_those(const printer *p, bool (*is_so)(const printer *, size_t), const char *first)
{
    bool any = false;
    for (size_t m = 0; p->plan->fidelity == MSW_ANALYTIC && p->metrics[m].name; m++) {
        if (!is_so(p, m))
            continue;
        msw_text_add(p->out, "%s%s", any ? ", " : first, p->metrics[m].name);
        any = true;
    }
    msw_text_add(p->out, any ? "\n" : "");
}

/* The closed form does not answer it at all. */
static bool is_unstated(const printer *p, size_t m)
{
    return p->metrics[m].unstated;
}

/* Whether an interval is known. */
static bool is_known(const printer *p, int metric)
{
    double low, high;
    return metric >= 0 &&
           cli_answer_interval(p->plan, p->batch, p->row, (size_t)metric, &low, &high);
}

/* The closed form answers it, the cycles of the row have an interval, and it has none. */
static bool is_unknown(const printer *p, size_t m)
{
    return is_plain(p, m) && !is_zero(p, m) && !p->metrics[m].unstated &&
           msw_errors_has(p->plan->mech, (int)m) && !is_known(p, (int)m) &&
           is_known(p, msw_errors_total(p->plan->mech));
}

/* Half-widths of predicted units count what stated errors leave unseen: they are no intervals of a
 * law of the errors. */
static void tell_bounds(const printer *p)
{
    const msw_mech *mech = p->plan->mech;
    if (p->plan->fidelity != MSW_SAMPLED || !mech->predict || p->head->measured >= p->head->units)
        return;
    char *config = config_of(p);
    if (config && (!mech->predictable || mech->predictable(config)))
        msw_text_add(p->out,
                     "\n  +- is a bound here, not a typical error: units are predicted, and "
                     "it counts what the stated\n  errors of predictions may hide in units "
                     "that were not measured\n");
    free(config);
}

static void print_metrics(const printer *p)
{
    bool sampled = p->plan->fidelity == MSW_SAMPLED;
    msw_text_add(p->out, "\n");
    for (size_t m = 0; p->metrics[m].name; m++) {
        if (!is_plain(p, m) || is_zero(p, m))
            continue;
        double low, high;
        double half = cli_answer_half_width(p->batch, p->row, m);
        msw_text_add(p->out, "  %-22s %14.6g", p->metrics[m].name, value_of(p, m));
        if (sampled && half > 0)
            msw_text_add(p->out, " +- %-10.3g", half);
        else if (sampled)
            msw_text_add(p->out, " %-13s", isnan(half) ? "no interval" : "");
        if (cli_answer_interval(p->plan, p->batch, p->row, m, &low, &high))
            msw_text_add(p->out, "  %.4g .. %.4g", low, high);
        msw_text_add(p->out, "  %s%s%s\n", p->metrics[m].unit, *p->metrics[m].unit ? ": " : "",
                     p->metrics[m].doc);
    }
    print_zeros(p);
    print_those(p, is_unstated, "\n  no answer of the closed form: ");
    print_those(p, is_unknown, "\n  errors unknown: ");
    tell_bounds(p);
}

static void print_cause(const printer *p, size_t m, double sum)
{
    double value = value_of(p, m), share = value / sum;
    msw_text_add(p->out, "  %-22s %14.6g %5.1f %%  %.*s\n", p->metrics[m].name, value, 100 * share,
                 (int)(BAR * share + 0.5), BARS);
}

static bool is_part(const printer *p, size_t m, bool energy)
{
    return (energy ? p->metrics[m].energy : p->metrics[m].stack) && value_of(p, m) > 0;
}

static void print_stack(const printer *p, bool energy)
{
    double sum = 0;
    for (size_t m = 0; p->metrics[m].name; m++)
        sum += is_part(p, m, energy) ? value_of(p, m) : 0;
    if (sum <= 0)
        return;
    msw_text_add(p->out, "\nwhere the %s\n", energy ? "energy goes (nJ)" : "cycles go");
    for (size_t m = 0; p->metrics[m].name; m++)
        if (is_part(p, m, energy))
            print_cause(p, m, sum);
    if (!energy && p->head->bound_by >= 0)
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
    const char *name = p->metrics[resource].name, *said = name + strlen(MSW_LEAST_PREFIX);
    if (p->plan->fidelity != MSW_ANALYTIC || p->metrics[resource].exact)
        msw_text_add(p->out,
                     "  no %s can do it in fewer than %.6g cycles, %.1f %% of what it takes (%s)\n",
                     said, values[resource], 100 * values[map->share], name);
    else /* of uses that are estimates themselves: no limit of the hardware */
        msw_text_add(p->out,
                     "  by the closed form's own counts %s: at least %.6g cycles, %.1f %% of what "
                     "it says (%s)\n",
                     said, values[resource], 100 * values[map->share], name);
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
    if (p.head->reason)
        msw_text_add(out, "\nnot all is defined: %s\n", msw_batch_reason_text(batch, row));
    print_trust(&p);
    print_metrics(&p);
    print_stack(&p, false);
    print_stack(&p, true);
    print_bound(&p, &map);
    print_references(&p);
    print_tables(&p);
    return 0;
}

static void add_value(msw_table_builder *b, const msw_param *param, double value)
{
    size_t choices = msw_param_choices(param);
    if (param->kind == MSW_CHOICE && value >= 0 && (size_t)value < choices)
        msw_builder_text(b, param->name, param->choices[(size_t)value].name);
    else
        msw_builder_number(b, param->name, value);
}

static void add_metrics(msw_table_builder *b, const msw_plan *plan, const msw_batch *batch,
                        size_t row)
{
    const msw_metric *metrics = plan->mech->metrics;
    for (size_t m = 0; metrics[m].name; m++)
        msw_builder_number(b, metrics[m].name, cli_answer_metric(batch, row, m));
    for (size_t m = 0; plan->fidelity == MSW_SAMPLED && metrics[m].name; m++) {
        char name[80];
        snprintf(name, sizeof name, "%s_hw", metrics[m].name);
        msw_builder_number(b, name, cli_answer_half_width(batch, row, m));
    }
}

static void add_interval(msw_table_builder *b, const msw_plan *plan, const msw_batch *batch,
                         size_t row, size_t metric)
{
    char name[80];
    double low = NAN, high = NAN;
    cli_answer_interval(plan, batch, row, metric, &low, &high);
    snprintf(name, sizeof name, "%s_low", plan->mech->metrics[metric].name);
    msw_builder_number(b, name, low);
    snprintf(name, sizeof name, "%s_high", plan->mech->metrics[metric].name);
    msw_builder_number(b, name, high);
}

static void add_row(msw_table_builder *b, const msw_plan *plan, const msw_batch *batch, size_t row)
{
    const msw_row *head = &batch->rows[row];
    const double *values = msw_batch_values(batch, row);
    const msw_metric *metrics = plan->mech->metrics;
    char errors[CLI_ERRORS_TEXT];
    msw_builder_row(b);
    msw_builder_text(b, "mechanism", plan->mech->name);
    msw_builder_text(b, "workload", plan->workloads[head->workload].name);
    msw_builder_text(b, "fidelity", msw_fidelity_name(plan->fidelity));
    msw_builder_text(b, "status", msw_status_name((msw_status)head->status));
    msw_builder_text(b, "reason", head->reason ? msw_batch_reason_text(batch, row) : NULL);
    msw_builder_text(b, MSW_DOUBT_NAME, head->doubt ? msw_batch_doubt_text(batch, row) : NULL);
    for (size_t i = 0; i < plan->schema.count; i++)
        add_value(b, plan->schema.params[i], values[i]);
    add_metrics(b, plan, batch, row);
    for (size_t m = 0; metrics[m].name; m++)
        if (cli_answer_has_interval(plan, m))
            add_interval(b, plan, batch, row, m);
    if (plan->fidelity == MSW_ANALYTIC)
        msw_builder_text(b, MSW_ERRORS_COLUMN, cli_answer_errors(plan, batch, row, errors));
    msw_builder_text(b, "bound_by",
                     head->bound_by < 0 ? NULL : plan->mech->metrics[head->bound_by].name);
}

int cli_answer_table(const msw_plan *plan, const msw_batch *batch, msw_table *table, msw_err *err)
{
    msw_table_builder b = {.err = err};
    for (size_t row = 0; row < batch->count; row++)
        add_row(&b, plan, batch, row);
    *table = b.table;
    return b.failed ? -1 : 0;
}

static int find_detail(const msw_mech *mech, const char *name, msw_err *err)
{
    msw_text names = MSW_TEXT_EMPTY;
    for (int d = 0; mech->details && mech->details[d].name; d++) {
        if (strcmp(mech->details[d].name, name) == 0) {
            msw_text_free(&names);
            return d;
        }
        msw_text_add(&names, "%s%s", d ? ", " : "", mech->details[d].name);
    }
    msw_fail(err, "--details: found '%s', allowed for %s: %s", name, mech->name,
             names.size ? msw_text_str(&names) : "none, it has no detail tables");
    msw_text_free(&names);
    return -1;
}

/* Which parameter has the table written is said in its doc. */
static int fail_empty(const msw_plan *plan, const char *name, msw_err *err)
{
    for (const msw_param *p = plan->mech->params; p->name; p++)
        if (strstr(p->doc, "detail table") && strstr(p->doc, name))
            return msw_fail(err, "--details: nothing was written to %s; see %s: %s", name, p->name,
                            p->doc);
    return msw_fail(err, "--details: nothing was written to %s", name);
}

enum { HEAD = 3 }; /* of a record: row, table, width */

/* A number that has a name is shown by it. */
static void add_detail(msw_table_builder *b, const msw_detail *detail, const char *column,
                       double value)
{
    bool named = detail->named && strcmp(column, detail->named) == 0;
    if (named)
        msw_builder_text(b, column, detail->names[(size_t)value]);
    else
        msw_builder_number(b, column, value);
}

/* The text of the line that a row is about. */
static void add_line_text(msw_table_builder *b, const msw_workload *workload,
                          const msw_detail *detail, const double *values)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t i = 0; detail->line && workload->frontend->line && detail->columns[i]; i++)
        if (strcmp(detail->columns[i], detail->line) == 0)
            workload->frontend->line(workload->content, (uint64_t)values[i], &text);
    if (text.size)
        msw_builder_text(b, "text", msw_text_str(&text));
    msw_text_free(&text);
}

int cli_answer_details(const msw_plan *plan, const msw_batch *batch, const char *name,
                       msw_table *table, msw_err *err)
{
    msw_table_builder b = {.err = err};
    int wanted = find_detail(plan->mech, name, err);
    if (wanted < 0)
        return -1;
    const msw_detail *detail = &plan->mech->details[wanted];
    for (size_t at = 0; at < batch->detail_size; at += HEAD + (size_t)batch->details[at + 2]) {
        const double *record = batch->details + at;
        if ((int)record[1] != wanted)
            continue;
        const msw_workload *workload = &plan->workloads[batch->rows[(size_t)record[0]].workload];
        msw_builder_row(&b);
        if (plan->workload_count > 1)
            msw_builder_text(&b, "workload", workload->name);
        for (size_t i = 0; detail->columns[i]; i++)
            add_detail(&b, detail, detail->columns[i], record[HEAD + i]);
        add_line_text(&b, workload, detail, record + HEAD);
    }
    *table = b.table;
    if (b.failed)
        return -1;
    return b.table.rows ? 0 : fail_empty(plan, name, err);
}
