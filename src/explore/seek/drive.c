/* SPDX-License-Identifier: MIT */
/* A search on its way: propose, run, read back. */
#include "memsweep/base/clock.h"
#include "memsweep/explore/seek_drive.h"

#include "explore/explorer.h"
#include "explore/seek/space.h"
#include "explore/seek/stages.h"

#include "memsweep/base/math.h"
#include "memsweep/base/text.h"
#include "memsweep/base/text_check.h"
#include "memsweep/base/vec.h"
#include "memsweep/design/slots.h"
#include "memsweep/sweep/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A search on rank 0. */
typedef struct drive {
    const msw_explore_job *job;
    msw_seek_report *report;
    const msw_plan *plan;
    msw_rounds rounds;
    seek_plan_space space;
    msw_seeker *seeker;
    msw_seek_round round;
    msw_limits limits;
    seek_stages stages;
    msw_text columns;
    size_t each; /* points of a design */
    double said; /* when what could be said so far was last said */
    msw_err *err;
} drive;

/* ---- opening ---- */

/* Both sides of every limit, behind what every exploration reads. */
static int make_columns(drive *d)
{
    const msw_plan *plan = d->plan;
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (strcmp(plan->view.derived[i].name, MSW_LIMITS_NAME) == 0)
            MSW_TRY(msw_limits_read(plan->view.derived[i].text, &d->limits, d->err));
    msw_explore_columns(plan, &d->columns);
    for (size_t i = 0; i < d->limits.count; i++)
        msw_text_add(&d->columns, ", 1.0 * (%s) AS l%zu, 1.0 * (%s) AS r%zu",
                     d->limits.list[i].left, i, d->limits.list[i].right, i);
    return msw_text_check(&d->columns, d->err);
}

static int open_drive(drive *d)
{
    d->each = d->plan->workload_count;
    MSW_TRY(make_columns(d));
    MSW_TRY(seek_stages_new(d->plan, &d->stages, d->err));
    MSW_TRY(seek_space_open(d->plan, &d->space, d->err));
    return seek_space_seeker(d->plan, &d->space, &d->seeker, d->err);
}

static void close_drive(drive *d)
{
    msw_seeker_free(d->seeker);
    seek_space_close(&d->space);
    msw_rounds_free(&d->rounds);
    seek_stages_free(&d->stages);
    msw_limits_free(&d->limits);
    msw_text_free(&d->columns);
}

/* ---- a round's points ---- */

static int fill_slots(drive *d)
{
    msw_slots *slots = msw_slots_of(&d->plan->design.state);
    while (slots->count < d->round.first + d->round.count) {
        const uint32_t *levels = msw_seeker_levels(d->seeker, slots->count);
        MSW_TRY(msw_slots_add(slots, msw_wide_of(slots, levels), d->err));
    }
    return 0;
}

static bool is_apart(const drive *d)
{
    return d->job->shards && d->round.number + 1 == d->job->until;
}

/* Points of the designs that are open, at the workloads `first` to before `last` in their order. */
static int take_points(drive *d, size_t first, size_t last)
{
    msw_rounds *r = &d->rounds;
    uint64_t designs = d->plan->design.state.count;
    r->point_count = 0;
    MSW_TRY(msw_rounds_reserve(r, d->round.count * (last - first)));
    for (size_t w = first; w < last; w++)
        for (uint64_t i = 0; i < d->round.count; i++)
            if (!d->stages.on || seek_stages_want(&d->stages, i))
                r->points[r->point_count++] =
                    (d->stages.on ? d->stages.order[w] : w) * designs + d->round.first + i;
    return 0;
}

static void tell_start(void *context, uint64_t missing)
{
    drive *d = context;
    uint64_t most = (uint64_t)((const msw_search_config *)d->plan->design.config)->evaluations;
    uint64_t done = d->round.first + d->round.count;
    msw_explore_progress p = {.round = d->round.number + 1,
                              .role = d->round.audit ? MSW_EXPLORE_AUDIT : MSW_EXPLORE_SEARCH,
                              .points = d->rounds.point_count,
                              .missing = missing,
                              .left = (most > done ? most - done : 0) * d->each};
    if (d->job->started)
        d->job->started(d->job->context, &p);
}

/* ---- what came out ---- */

/* How far the side of a limit is beyond it: as a logarithm where it has one. */
static double slack_of(const msw_limit *limit, double left, double right)
{
    double low = limit->below ? left : right, high = limit->below ? right : left;
    if (isnan(low) || isnan(high))
        return 1;
    if (low > 0 && high > 0)
        return msw_math_log(low / high);
    double scale = fabs(low) + fabs(high);
    return scale > 0 ? (low - high) / scale : 0;
}

static double most_slack(const drive *d, const msw_table *t, size_t row, size_t first)
{
    double most = -HUGE_VAL;
    for (size_t i = 0; i < d->limits.count; i++)
        most = fmax(most, slack_of(&d->limits.list[i], t->columns[first + 2 * i].values[row],
                                   t->columns[first + 2 * i + 1].values[row]));
    bool kept = t->columns[first - 2].values[row] == 1;
    return kept ? fmin(most, 0) : fmax(most, 1e-9);
}

static int read_answer(const drive *d, const msw_table *t, size_t row, msw_seek_answer *a)
{
    const msw_plan *plan = d->plan;
    const msw_column *status = &t->columns[1];
    const char *word = status->labels[(size_t)status->values[row]];
    *a = (msw_seek_answer){.state = MSW_SEEK_OK};
    if (strcmp(word, "infeasible") == 0)
        a->state = MSW_SEEK_INFEASIBLE;
    else if (strcmp(word, "ok") != 0 || msw_explore_is_doubtful(plan, t, row))
        a->state = MSW_SEEK_FAILED;
    for (size_t k = 0; a->state == MSW_SEEK_OK && k < plan->view.objective_count; k++) {
        if (t->columns[2 + k].labels)
            return msw_fail(d->err, "'%s' is a text: only numbers can be objectives",
                            plan->view.objectives[k].name);
        a->value[k] = t->columns[2 + k].values[row];
        if (!isfinite(a->value[k]))
            a->state = MSW_SEEK_INFEASIBLE; /* no value: it cannot be on a front */
    }
    if (a->state == MSW_SEEK_OK && msw_explore_has_limits(plan))
        a->slack = most_slack(d, t, row, 2 + plan->view.objective_count + 2);
    a->slack = a->state == MSW_SEEK_INFEASIBLE ? 1 : a->slack;
    return 0;
}

static int tell_row(void *context, const msw_table *t, size_t row)
{
    drive *d = context;
    msw_seek_answer a;
    MSW_TRY(read_answer(d, t, row, &a));
    msw_seeker_tell(d->seeker, (uint64_t)t->columns[0].values[row], &a);
    return 0;
}

/* The row of one workload. */
static int take_part(void *context, const msw_table *t, size_t row)
{
    drive *d = context;
    msw_seek_answer a;
    uint64_t designs = d->plan->design.state.count, point = (uint64_t)t->columns[0].values[row];
    MSW_TRY(read_answer(d, t, row, &a));
    seek_stages_take(&d->stages, point % designs - d->round.first, (size_t)(point / designs), &a);
    return 0;
}

/* ---- rounds ---- */

static int read_rows(drive *d, bool alone, int (*take)(void *, const msw_table *, size_t))
{
    double start = msw_thread_seconds();
    int rc =
        msw_rounds_read(&d->rounds, d->round.number + 1, msw_text_str(&d->columns), alone, take, d);
    d->report->reading_seconds += msw_thread_seconds() - start;
    return rc;
}

/* Computes the round, stage by stage where designs may be spared. */
static int compute(drive *d)
{
    size_t last = 0;
    for (size_t first = 0; first < d->each; first = last) {
        last = d->stages.on ? seek_stages_end(&d->stages, first) : d->each;
        MSW_TRY(take_points(d, first, last));
        if (!d->rounds.point_count)
            break;
        MSW_TRY(msw_rounds_compute(&d->rounds, d->round.number + 1, tell_start, d));
        if (d->rounds.stopped)
            break;
        if (d->stages.on)
            MSW_TRY(read_rows(d, true, take_part));
        if (d->stages.on)
            seek_stages_close(&d->stages, d->seeker);
    }
    return 0;
}

/* What was spared is told as it is known; the others as the plan takes their workloads together. */
static int tell_all(drive *d)
{
    if (d->stages.on)
        seek_stages_tell(&d->stages, d->seeker, d->round.first);
    MSW_TRY(take_points(d, 0, d->each));
    return d->rounds.point_count ? read_rows(d, false, tell_row) : 0;
}

static int fill_report(drive *d)
{
    msw_seek_report *r = d->report;
    msw_seeker_statement(d->seeker, &r->statement);
    r->spared = d->stages.spared;
    r->designs = msw_slots_of(&d->plan->design.state)->designs;
    int count = msw_seeker_growth(d->seeker, r->growth, MSW_SEEK_GROWTH, d->err);
    r->growth_count = count > 0 ? (size_t)count : 0;
    return count < 0 ? -1 : 0;
}

/* For who watches. */
static int say_so_far(drive *d)
{
    double now = msw_now();
    if (!d->job->grown || now < d->said + MSW_SEEK_SAID_SECONDS)
        return 0;
    MSW_TRY(fill_report(d));
    d->said = now;
    return d->job->grown(d->job->context, d->report, d->err);
}

/* Returns 1 when a round is over, 0 when there is none, or -1. */
static int do_round(void *self)
{
    drive *d = self;
    double start = msw_thread_seconds();
    int got = msw_seeker_next(d->seeker, &d->round, d->err);
    int rc = got > 0 ? fill_slots(d) : 0;
    d->report->decision_seconds += msw_thread_seconds() - start;
    if (got <= 0 || rc)
        return rc ? -1 : got;
    d->rounds.dealt = d->stages.on;
    if (d->stages.on)
        MSW_TRY(seek_stages_begin(&d->stages, d->round.count, is_apart(d) ? d->job->shards : 1,
                                  d->job->shard, d->err));
    MSW_TRY(compute(d));
    if (d->rounds.stopped || is_apart(d))
        return 0;
    return tell_all(d) || say_so_far(d) ? -1 : 1;
}

/* The seeker drops designs that equal another: slots are filled by what it says. */
static void clear_slots(const msw_plan *plan)
{
    msw_slots *slots = msw_slots_of(&plan->design.state);
    slots->count = slots->shared = 0;
}

static int drive_first(drive *d)
{
    int rc = open_drive(d);
    clear_slots(d->plan);
    d->said = msw_now();
    if (rc == 0)
        rc = msw_rounds_all(&d->rounds, do_round, d, &d->report->over);
    if (rc == 0)
        rc = fill_report(d);
    if (!d->report->result.lost && msw_rounds_dismiss(d->job, d->plan, rc != 0, d->err))
        rc = -1;
    return rc;
}

int msw_seek_drive(const msw_explore_job *job, msw_seek_report *report, msw_err *err)
{
    drive d = {.job = job,
               .report = report,
               .plan = job->plan,
               .rounds = {.job = job,
                          .plan = job->plan,
                          .options = job->options,
                          .result = &report->result,
                          .reused = &report->reused,
                          .err = err},
               .err = err};
    *report = (msw_seek_report){0};
    msw_run_options *options = &d.rounds.options;
    options->shared = msw_artifacts_new(job->options.artifact_bytes);
    if (!options->shared)
        return msw_fail_memory(err);
    if (job->ranks->rank)
        clear_slots(job->plan);
    int rc = job->ranks->rank
                 ? msw_rounds_other(job, job->plan, options, &report->result, &report->told, err)
                 : drive_first(&d);
    close_drive(&d);
    msw_artifacts_free(options->shared);
    return rc;
}
