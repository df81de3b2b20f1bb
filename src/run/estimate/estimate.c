/* SPDX-License-Identifier: MIT */
/* Estimates how long a run takes on many ranks and what it asks of rank 0
 * (docs/internals/scaling.md has the rates), and says in words what a plan will compute. */
#include "memsweep/run/estimate.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/units.h"
#include "memsweep/design/discrepancy.h"
#include "memsweep/design/slots.h"
#include "memsweep/run/builds.h"
#include "memsweep/run/run.h"
#include "memsweep/run/slurm.h"
#include "memsweep/store/summary.h"
#include "memsweep/sweep/preview.h"
#include "run/estimate/tried.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* A slot is @, capital letters, @. Returns the length of its key, 0 when there is none. */
static size_t key_length(const char *at)
{
    size_t size = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return size && at[1 + size] == '@' ? size : 0;
}

static const msw_slot *find(const msw_slot *slots, const char *key, size_t size)
{
    for (; slots->key; slots++)
        if (strlen(slots->key) == size && strncmp(slots->key, key, size) == 0)
            return slots;
    return NULL;
}

int msw_template_fill(const char *text, const msw_slot *slots, msw_text *out, msw_err *err)
{
    for (const char *at = text; *at;) {
        size_t size = *at == '@' ? key_length(at) : 0;
        if (!size) {
            msw_text_add_bytes(out, at++, 1);
            continue;
        }
        const msw_slot *slot = find(slots, at + 1, size);
        if (!slot)
            return msw_fail(err, "a template has the slot %.*s, which nothing fills", (int)size + 2,
                            at);
        msw_text_add(out, "%s", slot->value);
        bool starts_line = at == text || at[-1] == '\n';
        at += size + 2;
        if (starts_line && !*slot->value && *at == '\n')
            at++;
    }
    return out->failed ? msw_fail_memory(err) : 0;
}

enum {
    BYTES_PER_POINT = 32,   /* what is kept per point while a sweep runs */
    BYTES_PER_ROW = 64,     /* of the store: key, status, counts, B-tree */
    BYTES_PER_VALUE = 9,    /* a real in SQLite's record format */
    BATCH_BYTES = 16 << 20, /* rows on their way */
    BYTES_PER_CELL = 1024,  /* of a summary: sums, and some tens of bins */
    BYTES_PER_PAIR = 24,
    SUMMARIES_HELD = 16,           /* of each size that was not put together yet */
    WRITTEN_PER_SECOND = 60000000, /* bytes one writer stores */
};

/* Nothing is started to find out how long it takes: its definition says so, or nobody knows. */
static void ask_program(const msw_plan *plan, msw_run_estimate *e)
{
    if (!plan->program)
        return;
    double cost = plan->program->fidelities[plan->fidelity].cost_us;
    e->point_seconds = cost > 0 ? 1e-6 * cost : 0;
}

/* What is read off a plan of which not every point gets a row; those near the front come on top. */
static double kept_rows(const msw_plan *plan)
{
    double points = (double)plan->points;
    return msw_keep_chooses(&plan->keep) ? fmin((double)plan->keep.sample, points) : points;
}

/* Of the whole summary of a workload, in memory or in the file: cells, their bins, pairs. */
static double summary_bytes(const msw_plan *plan)
{
    msw_census_shape shape;
    if (!msw_keep_scans(&plan->keep) || msw_census_shape_of(plan, &shape, NULL))
        return 0;
    return (double)(shape.metrics * (shape.cells * BYTES_PER_CELL + shape.pairs * BYTES_PER_PAIR));
}

static double file_bytes(const msw_plan *plan, size_t metrics)
{
    double half_widths = plan->fidelity == MSW_SAMPLED ? BYTES_PER_VALUE : 1;
    double row = BYTES_PER_ROW + (double)plan->schema.count * BYTES_PER_VALUE +
                 (double)metrics * (BYTES_PER_VALUE + half_widths);
    return row * kept_rows(plan) + 2 * summary_bytes(plan) * (double)plan->workload_count;
}

static double memory_bytes(const msw_plan *plan)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    /* A bit for each point that is kept, and one for what is left. */
    double chosen = msw_keep_chooses(&plan->keep) ? (double)plan->points / 4 : 0;
    return 1024.0 * (double)usage.ru_maxrss + BATCH_BYTES + chosen +
           SUMMARIES_HELD * summary_bytes(plan) + (double)BYTES_PER_POINT * kept_rows(plan);
}

static int keep_nearest(const msw_tried *limits, msw_run_estimate *e, msw_err *err)
{
    msw_text note = MSW_TEXT_EMPTY;
    int rc = msw_tried_note(limits, &note, err);
    msw_text_fit(e->nearest, sizeof e->nearest, msw_text_str(&note));
    msw_text_free(&note);
    return rc;
}

int msw_run_estimate_plan(const msw_plan *plan, double seconds, msw_run_estimate *estimate,
                          msw_err *err)
{
    size_t metrics = msw_metrics_count(plan->mech->metrics);
    msw_worker *worker = NULL;
    msw_pointer *pointer = NULL;
    msw_tried *limits = NULL;
    msw_artifacts *artifacts = msw_artifacts_new(0);
    msw_batch *batch = msw_batch_new(1, plan->schema.count, metrics);
    int rc = artifacts && batch ? msw_worker_new(plan, artifacts, false, &worker, err)
                                : msw_fail_memory(err);
    bool foreign = plan->program || msw_plan_is_told(plan);
    *estimate = (msw_run_estimate){0};
    if (foreign)
        ask_program(plan, estimate);
    if (rc == 0 && plan->points && !foreign)
        rc = msw_pointer_new(plan, &pointer, err);
    if (rc == 0 && !foreign)
        rc = msw_tried_new(plan, &limits, err);
    if (rc == 0)
        msw_worker_repeat(worker);
    if (rc == 0 && plan->points && !foreign)
        rc = msw_trial_points(plan, worker, pointer, batch, seconds, limits, estimate, err);
    if (rc == 0 && limits)
        rc = keep_nearest(limits, estimate, err);
    estimate->memory_bytes = memory_bytes(plan);
    estimate->file_bytes = file_bytes(plan, metrics);
    estimate->write_seconds = estimate->file_bytes / WRITTEN_PER_SECOND;
    msw_tried_free(limits);
    msw_worker_free(worker);
    msw_pointer_free(pointer);
    msw_batch_free(batch);
    msw_artifacts_free(artifacts);
    return rc;
}

enum { MEMORY_LEAST_MIB = 256 };

int msw_run_node_memory(const msw_plan *plan, int64_t ranks, int64_t *mib, msw_err *err)
{
    msw_run_estimate estimate;
    if (msw_run_estimate_plan(plan, 0.2, &estimate, err))
        return -1;
    double program = plan->program ? plan->program->limits.memory : 0;
    *mib = MEMORY_LEAST_MIB +
           (int64_t)((1.25 * estimate.memory_bytes + program) * (double)ranks / (1 << 20));
    return 0;
}

/* Messages rank 0 answers over a network, and how many each rank sends per second: a request, rows
 * five times, half an acknowledgement. */
#define ANSWERED_PER_SECOND 50000.0
#define SENT_PER_RANK       6.5
/* Below this many seconds nobody minds. */
#define WORTH_SHARDS 60.0

msw_run_forecast msw_run_forecast_make(const msw_plan *plan, const msw_run_estimate *e,
                                       const msw_run_size *size)
{
    msw_run_forecast f = {.shards = 1};
    double turns = ceil((double)plan->points / size->ranks / size->threads);
    double compute = e->point_seconds * turns;
    /* A rank whose points take longer than its turn sends less often. */
    double per_rank = size->threads / (e->point_seconds > 0 ? e->point_seconds : 1e-9);
    f.messages_per_second = (size->ranks - 1) * fmin(SENT_PER_RANK, 2.5 * per_rank);
    f.answering = f.messages_per_second / ANSWERED_PER_SECOND;
    double busy = e->write_seconds / fmax(1 - f.answering, 0.05);
    f.seconds = fmax(compute, busy);
    f.writing = f.seconds > 0 ? e->write_seconds / f.seconds : 0;
    if (size->ranks > 1 && busy > fmax(compute, WORTH_SHARDS) && compute > 0)
        f.shards = (int)fmin(ceil(busy / compute), size->ranks);
    return f;
}

/* ---- counts ---- */

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
    const msw_design_state *state = &plan->design.state;
    msw_text_add(out, "sweep      %s: %s at %s\n", plan->name, plan->mech->name,
                 msw_plan_fidelity(plan));
    msw_text_add(out, "points     %s = %zu workload%s x %s of %s x %" PRIu64 " replicate%s\n",
                 msw_count_text(plan->points, points), plan->workload_count,
                 plan->workload_count == 1 ? "" : "s", msw_count_text(state->count, design),
                 plan->design.kind->name, plan->replicates, plan->replicates == 1 ? "" : "s");
    if (plan->design.kind->searches)
        msw_text_add(out,
                     "space      about %.3g designs: those below are the first of the search\n",
                     msw_slots_of(state)->designs);
    if (plan->points > MSW_STORE_POINTS_MAX)
        msw_text_add(out, "           too many to run: a file holds at most %s\n",
                     msw_count_text(MSW_STORE_POINTS_MAX, points));
    if (plan->space.where && state->drawn)
        msw_text_add(out, "accepted   %.3g %% of %s points drawn (where: %s)\n",
                     100.0 * (double)state->count / (double)state->drawn,
                     msw_count_text(state->drawn, design), plan->space.where);
    msw_text_add(out, "factors    %zu", plan->space.factor_count);
    if (plan->design.group_names)
        msw_text_add(out, " in %zu groups", plan->design.input.group_count);
    msw_text_add(out, "\n");
    add_factors(plan, out);
}

/* ---- how evenly the points lie ---- */

enum { DISCREPANCY_POINTS = 4096 };

/* Of designs that draw from the unit cube; of very many points the first. */
static int add_discrepancy(const msw_plan *plan, msw_text *out, msw_err *err)
{
    const msw_design_state *state = &plan->design.state;
    size_t d = plan->space.factor_count, n = DISCREPANCY_POINTS;
    if (plan->design.kind->coords != MSW_COORDS_UNIT || plan->design.kind->group_size ||
        plan->design.kind->searches || !state->count)
        return 0;
    n = state->count < n ? (size_t)state->count : n;
    double *x = malloc((n * d + 1) * sizeof *x);
    if (!x)
        return msw_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        msw_design_point(plan->design.kind, &plan->design.input, state, i, x + i * d);
    msw_text_add(out, "evenness   centred discrepancy %.3g%s; of random points %.3g\n",
                 sqrt(msw_discrepancy(x, n, d)), n < state->count ? " (first 4,096 points)" : "",
                 sqrt(msw_discrepancy_random(n, d)));
    free(x);
    return 0;
}

/* ---- what the mechanism states about its closed form ---- */

static int add_outside(const msw_plan *plan, msw_text *out, msw_err *err)
{
    msw_text note = MSW_TEXT_EMPTY;
    int rc = msw_plan_outside_note(plan, &note, err);
    if (note.size)
        msw_text_add(out, "warning    %s", msw_text_str(&note));
    msw_text_free(&note);
    return rc;
}

/* ---- what a run will take ---- */

static void add_size(const msw_run_size *size, msw_text *out)
{
    if (size->ranks > 1)
        msw_text_add(out, "%d ranks x ", size->ranks);
    msw_text_add(out, "%d thread%s", size->threads, size->threads == 1 ? "" : "s");
}

const char *msw_point_time_text(double seconds, char buffer[32])
{
    if (seconds >= 1)
        return msw_duration_text(seconds, buffer);
    bool small = seconds < 1e-3;
    snprintf(buffer, 32, "%.3g %s", seconds * (small ? 1e6 : 1e3), small ? "us" : "ms");
    return buffer;
}

static void add_time(const msw_run_estimate *e, const msw_run_size *size, const msw_run_forecast *f,
                     msw_text *out)
{
    char text[32];
    if (!e->tried && !(e->point_seconds > 0)) {
        msw_text_add(out, "time       unknown: no point was tried\n");
        return;
    }
    msw_text_add(out, "time       %s%s on ", e->timeout ? "more than " : "about ",
                 msw_duration_text(f->seconds, text));
    add_size(size, out);
    msw_text_add(out, ": %s per point, %" PRIu64 " tried",
                 msw_point_time_text(e->point_seconds, text), e->tried);
    if (e->failed + e->timeout)
        msw_text_add(out, ", %" PRIu64 " failed, %" PRIu64 " took longer than the trial", e->failed,
                     e->timeout);
    if (e->left_out)
        msw_text_add(out, ", %" PRIu64 " not: what they need would take longer to build",
                     e->left_out);
    msw_text_add(out, "\n");
}

/* Metrics that are not predicted and that no one asked n to serve: fewer units widen them. */
static bool is_widened(const msw_plan *plan, size_t m)
{
    bool named = plan->sampling.metrics[m / 64] >> m % 64 & 1;
    return plan->mech->metrics[m].kind == MSW_QUANTILE && !named;
}

static void add_predicted(const msw_plan *plan, const msw_run_estimate *e, msw_text *out)
{
    const msw_metric *metrics = plan->mech->metrics;
    const char *before = "";
    msw_text_add(out, "sampling   predicts ");
    for (size_t m = 0; metrics[m].name; m++)
        if (metrics[m].predicted.largest > 0) {
            msw_text_add(out, "%s%s", before, metrics[m].name);
            before = ", ";
        }
    msw_text_add(
        out, " at %" PRIu64 " of %" PRIu64 " points tried, and measures %.3g %% of their units\n",
        e->predicted, e->tried, 100 * e->measured / e->units);
    before = "           fewer units widen the intervals of ";
    for (size_t m = 0; metrics[m].name; m++)
        if (is_widened(plan, m)) {
            msw_text_add(out, "%s%s", before, metrics[m].name);
            before = ", ";
        }
    if (*before != ',')
        return;
    msw_text_add(out, ": 'sampling: {metrics: [...]}' names those that must meet the target\n");
}

static void add_sampling(const msw_plan *plan, const msw_run_estimate *e, msw_text *out)
{
    if (plan->fidelity == MSW_SAMPLED && e->whole)
        msw_text_add(out,
                     "sampling   saves nothing at %" PRIu64 " of %" PRIu64
                     " points tried: every unit is measured there, in order, as at full\n",
                     e->whole, e->tried);
    if (e->predicted)
        add_predicted(plan, e, out);
}

/* The work of rank 0 for the others: it deals out points and writes all rows. */
static void add_first_rank(const msw_run_size *size, const msw_run_forecast *f, msw_text *out)
{
    if (size->ranks < 2)
        return;
    msw_text_add(out, "rank 0     writes %.3g %% of the time, answers %.3g messages/s: %.3g %%\n",
                 100 * f->writing, f->messages_per_second, 100 * f->answering);
    if (f->shards > 1)
        msw_text_add(out, "           it is the limit: 'memsweep submit --array %d' has %d of it\n",
                     f->shards, f->shards);
}

static void add_estimate(const msw_plan *plan, const msw_run_estimate *e, const msw_run_size *size,
                         msw_text *out)
{
    char text[48];
    msw_run_forecast forecast = msw_run_forecast_make(plan, e, size);
    add_time(e, size, &forecast, out);
    add_sampling(plan, e, out);
    add_first_rank(size, &forecast, out);
    if (*e->nearest)
        msw_text_add(out, "tried      %s\n", e->nearest);
    msw_text_add(out, "memory     about %s\n", msw_units_print(e->memory_bytes, "B", text));
    msw_text_add(out, "file       about %s", msw_units_print(e->file_bytes, "B", text));
    msw_text_add(out, "%s\n", plan->keep.front ? ", and rows near the front" : "");
}

static double readable(double bytes)
{
    double step = 1;
    for (; bytes / step >= 1000; step *= 1024)
        ;
    return step > 1 ? ceil(bytes / step) * step : bytes;
}

static int estimate_run(const msw_plan *plan, const msw_run_size *size, double trial, msw_text *out,
                        msw_err *err)
{
    msw_run_estimate estimate;
    if (msw_run_estimate_plan(plan, trial, &estimate, err))
        return -1;
    estimate.memory_bytes = readable(estimate.memory_bytes);
    estimate.file_bytes = readable(estimate.file_bytes);
    add_estimate(plan, &estimate, size, out);
    return 0;
}

static int add_builds(const msw_plan *plan, msw_text *out, msw_err *err)
{
    msw_builds builds;
    int rc = msw_builds_find(plan, NULL, &builds, err);
    msw_builds_describe(&builds, out);
    msw_builds_free(&builds);
    return rc;
}

int msw_run_summary(const msw_plan *plan, const msw_run_size *size, double trial, msw_text *out,
                    msw_err *err)
{
    add_counts(plan, out);
    MSW_TRY(add_discrepancy(plan, out, err));
    MSW_TRY(add_outside(plan, out, err));
    MSW_TRY(add_builds(plan, out, err));
    MSW_TRY(trial > 0 && estimate_run(plan, size, trial, out, err));
    return 0;
}
