#include "cli/shared_options.h"
#include "memsweep/run/estimate.h"

#include "memsweep/base/units.h"
#include "memsweep/mech/stated.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"

#include <inttypes.h>
#include <math.h>

typedef struct settings {
    const char *sweep, *fidelity, *format;
    int64_t seed, first, threads, ranks;
    double trial;
    bool canonical;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "first", .letter = 'n', .kind = CLI_INTEGER, .arg = "N", .def = "5",
            .help = "how many points to show", .offset = offsetof(settings, first), .max = 1000000),
    MSW_ROW(.name = "trial", .kind = CLI_SECONDS, .arg = "TIME", .def = "0.5s",
            .help = "time to spend on trying points for the estimate; 0: no estimate",
            .offset = offsetof(settings, trial)),
    MSW_ROW(.name = "threads", .letter = 't', .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "threads of the run to estimate; 0: as many as CPUs",
            .offset = offsetof(settings, threads), .max = 4096),
    MSW_ROW(.name = "ranks", .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "ranks of the run to estimate, each with that many threads",
            .offset = offsetof(settings, ranks), .min = 1, .max = 1000000),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    MSW_ROW(.name = "canonical", .kind = CLI_FLAG,
            .help = "prints the sweep, resolved, in its one fixed form",
            .offset = offsetof(settings, canonical)),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep plan sweeps/quickstart.yaml",
                                       "memsweep plan quickstart --first 20 --format tsv", NULL};

/* ---- first points ---- */

static int add_factor_columns(const msw_plan *plan, msw_table *table, msw_err *err)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            if (msw_table_text_column(
                    table, plan->schema.params[plan->space.factors[f].targets[t]]->name, err))
                return -1;
    return 0;
}

static int add_columns(const msw_plan *plan, msw_table *table, msw_err *err)
{
    return msw_table_text_column(table, "point", err) ||
                   msw_table_text_column(table, "workload", err) ||
                   msw_table_text_column(table, "replicate", err)
               ? -1
               : add_factor_columns(plan, table, err);
}

static int set_cell(msw_table *table, size_t column, const char *text, msw_err *err)
{
    int label = msw_column_label(&table->columns[column], text, err);
    if (label < 0)
        return -1;
    table->columns[column].values[table->rows - 1] = label;
    return 0;
}

static int set_number(msw_table *table, size_t column, uint64_t number, msw_err *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return set_cell(table, column, text, err);
}

static int add_point(const msw_plan *plan, const msw_point *point, msw_table *table, msw_err *err)
{
    size_t column = 3;
    if (msw_table_resize(table, table->rows + 1, err) || set_number(table, 0, point->index, err) ||
        set_cell(table, 1, plan->workloads[point->workload].name, err) ||
        set_number(table, 2, point->replicate, err))
        return -1;
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++) {
            char text[MSW_PARAM_TEXT];
            size_t p = plan->space.factors[f].targets[t];
            msw_param_print(plan->schema.params[p], msw_schema_get(&plan->schema, p, point->block),
                            text);
            if (set_cell(table, column++, text, err))
                return -1;
        }
    return 0;
}

static int first_points(const msw_plan *plan, int64_t first, msw_table *table, msw_err *err)
{
    msw_pointer *pointer = NULL;
    msw_point point;
    int rc = msw_pointer_new(plan, &pointer, err) || add_columns(plan, table, err) ? -1 : 0;
    for (uint64_t i = 0; rc == 0 && i < plan->points && i < (uint64_t)first; i++) {
        rc = msw_pointer_at(pointer, i, false, &point, err);
        if (rc == 0)
            rc = add_point(plan, &point, table, err);
    }
    msw_pointer_free(pointer);
    return rc;
}

/* ---- counts and estimate ---- */

static void add_factors(const msw_plan *plan, msw_text *out)
{
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        const msw_factor *factor = &plan->space.factors[f];
        if (factor->levels)
            msw_text_add(out, "  %-20s %" PRIu64 " levels", factor->name, factor->levels);
        else
            msw_text_add(out, "  %-20s %g .. %g", factor->name, factor->from, factor->to);
        msw_text_add(out, "%s%s\n", factor->when ? ", when " : "",
                     factor->when ? factor->when : "");
    }
}

static void add_counts(const msw_plan *plan, msw_text *out)
{
    char points[32], design[32];
    const msw_design_state *state = &plan->design_state;
    msw_text_add(out, "sweep      %s: %s at %s\n", plan->name, plan->mech->name,
                 msw_fidelity_name(plan->fidelity));
    msw_text_add(out, "points     %s = %zu workload%s x %s of %s x %" PRIu64 " replicate%s\n",
                 msw_count_text(plan->points, points), plan->workload_count,
                 plan->workload_count == 1 ? "" : "s", msw_count_text(state->count, design),
                 plan->design->name, plan->replicates, plan->replicates == 1 ? "" : "s");
    if (plan->points > MSW_STORE_POINTS_MAX)
        msw_text_add(out, "           too many to run: a file holds at most %s\n",
                     msw_count_text(MSW_STORE_POINTS_MAX, points));
    if (plan->space.where && state->drawn)
        msw_text_add(out, "accepted   %.3g %% of %s points drawn (where: %s)\n",
                     100.0 * (double)state->count / (double)state->drawn,
                     msw_count_text(state->drawn, design), plan->space.where);
    msw_text_add(out, "factors    %zu", plan->space.factor_count);
    if (plan->group_names)
        msw_text_add(out, " in %zu groups", plan->design_input.group_count);
    msw_text_add(out, "\n");
    add_factors(plan, out);
}

/* ---- what the mechanism states about its closed form ---- */

enum { STATED_SAMPLE = 1000 };

/* Counts the points outside among up to STATED_SAMPLE spread over the plan. Returns 0, or -1. */
static int count_outside(const msw_plan *plan, uint64_t *outside, uint64_t *tried, msw_err *err)
{
    msw_stated_region *region = NULL;
    msw_pointer *pointer = NULL;
    msw_point point;
    msw_task task;
    uint64_t count = plan->points < STATED_SAMPLE ? plan->points : STATED_SAMPLE;
    int rc = msw_stated_open(plan->mech, NULL, &region, err) || msw_pointer_new(plan, &pointer, err)
                 ? -1
                 : 0;
    for (*tried = *outside = 0; rc == 0 && *tried < count; ++*tried) {
        rc = msw_pointer_at(pointer, plan->points / count * *tried, false, &point, err);
        if (rc)
            break;
        msw_point_task(plan, &point, &task);
        int holds = msw_stated_holds(region, task.config, task.workload->name, err);
        *outside += holds == 0;
        rc = holds < 0 ? -1 : 0;
    }
    msw_pointer_free(pointer);
    msw_stated_close(region);
    return rc;
}

/* Only a closed form is stated to agree with something. */
static int add_outside(const msw_plan *plan, msw_text *out, msw_err *err)
{
    uint64_t outside, tried;
    if (plan->fidelity != MSW_ANALYTIC || !plan->mech->agreement)
        return 0;
    if (count_outside(plan, &outside, &tried, err))
        return -1;
    if (outside)
        msw_text_add(out,
                     "warning    %" PRIu64 " of %" PRIu64 " points tried lie outside the region in "
                     "which %s states that its closed form agrees with its cycle model\n"
                     "           (column " MSW_STATED_COLUMN "; 'memsweep describe %s' tells the "
                     "region)\n",
                     outside, tried, plan->mech->name, plan->mech->name);
    return 0;
}

static void add_crowd(const msw_run_size *crowd, msw_text *out)
{
    if (crowd->ranks > 1)
        msw_text_add(out, "%d ranks x ", crowd->ranks);
    msw_text_add(out, "%d thread%s", crowd->threads, crowd->threads == 1 ? "" : "s");
}

static void add_time(const msw_run_estimate *e, const msw_run_size *crowd,
                     const msw_run_forecast *f, msw_text *out)
{
    char text[32];
    msw_text_add(out, "time       %s%s on ", e->timeout ? "more than " : "about ",
                 msw_duration_text(f->seconds, text));
    add_crowd(crowd, out);
    msw_text_add(out, ": %.3g us per point, %" PRIu64 " tried", 1e6 * e->point_seconds, e->tried);
    if (e->failed + e->timeout)
        msw_text_add(out, ", %" PRIu64 " failed, %" PRIu64 " took longer than the trial", e->failed,
                     e->timeout);
    msw_text_add(out, "\n");
}

static void add_sampling(const msw_plan *plan, const msw_run_estimate *e, msw_text *out)
{
    if (plan->fidelity == MSW_SAMPLED && e->whole)
        msw_text_add(out,
                     "sampling   saves nothing at %" PRIu64 " of %" PRIu64
                     " points tried: every unit is measured there, in order, as at full\n",
                     e->whole, e->tried);
}

/* What the one rank that deals out work and writes has to do for the others. */
static void add_first_rank(const msw_run_size *crowd, const msw_run_forecast *f, msw_text *out)
{
    if (crowd->ranks < 2)
        return;
    msw_text_add(out, "rank 0     writes %.3g %% of the time, answers %.3g messages/s: %.3g %%\n",
                 100 * f->writing, f->messages_per_second, 100 * f->answering);
    if (f->shards > 1)
        msw_text_add(out, "           it is the limit: 'memsweep submit --array %d' has %d of it\n",
                     f->shards, f->shards);
}

static void add_estimate(const msw_plan *plan, const msw_run_estimate *e, const msw_run_size *crowd,
                         msw_text *out)
{
    char text[48];
    msw_run_forecast forecast = msw_run_forecast_make(plan, e, crowd);
    add_time(e, crowd, &forecast, out);
    add_sampling(plan, e, out);
    add_first_rank(crowd, &forecast, out);
    msw_text_add(out, "memory     about %s\n", msw_units_print(e->memory_bytes, "B", text));
    msw_text_add(out, "file       about %s\n", msw_units_print(e->file_bytes, "B", text));
}

static double readable(double bytes)
{
    double step = 1;
    for (; bytes / step >= 1000; step *= 1024)
        ;
    return step > 1 ? ceil(bytes / step) * step : bytes;
}

static int print_summary(const msw_plan *plan, const settings *s, msw_err *err)
{
    msw_run_estimate estimate;
    msw_text text = MSW_TEXT_EMPTY;
    msw_run_size crowd = {(int)s->ranks, s->threads ? (int)s->threads : cli_default_threads()};
    add_counts(plan, &text);
    if (add_outside(plan, &text, err)) {
        msw_text_free(&text);
        return cli_fail(err);
    }
    if (s->trial > 0) {
        if (msw_run_estimate_plan(plan, s->trial, &estimate, err)) {
            msw_text_free(&text);
            return cli_fail(err);
        }
        estimate.memory_bytes = readable(estimate.memory_bytes);
        estimate.file_bytes = readable(estimate.file_bytes);
        add_estimate(plan, &estimate, &crowd, &text);
    }
    if (s->first)
        msw_text_add(&text, "\n");
    return cli_print(&text);
}

static int print_points(const msw_plan *plan, const settings *s, bool text, msw_err *err)
{
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .hide_same = true, .no_footer = true};
    int code = first_points(plan, s->first, &table, err)
                   ? cli_fail(err)
                   : cli_print_table(&table, s->format, text ? &style : NULL);
    msw_table_free(&table);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_plan *plan = NULL;
    bool text = msw_format_find(s->format) == MSW_FORMAT_TEXT;
    int code = cli_load_plan(c, s->sweep, s->fidelity, s->seed, &plan);
    if (code)
        return code;
    if (s->canonical) {
        fputs(plan->canonical, stdout);
    } else {
        code = text ? print_summary(plan, s, &err) : EXIT_OK;
        if (code == EXIT_OK && (s->first || !text))
            code = print_points(plan, s, text, &err);
    }
    msw_plan_free(plan);
    return code;
}

const cli_command cli_command_plan = {
    .name = "plan",
    .doc = "tells what a sweep will compute, and what that will take",
    .about = "Counts the points, shows the first ones and estimates time, memory and file size by "
             "evaluating a few points spread over the plan. Nothing is stored. With --format tsv, "
             "csv or json only the points are printed.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
