/* SPDX-License-Identifier: MIT */
/* Rounds: decide, run, read back. */
#include "memsweep/explore/drive.h"
#include "memsweep/base/clock.h"

#include "explore/explorer.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/store/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An exploration on rank 0. */
typedef struct drive {
    const msw_explore_job *job;
    msw_explore_report *report;
    const msw_plan *full;
    msw_rounds rounds;
    msw_explore_data data;
    msw_explorer *explorer;
    msw_chosen *choices;
    uint32_t *unit_of; /* of each choice */
    size_t choice_count, choice_capacity;
    const msw_explore_round *round;
    msw_err *err;
} drive;

/* ---- opening ---- */

static uint64_t units_of(const msw_plan *plan, uint64_t points)
{
    return points / (plan->automatic.over ? plan->workload_count : 1);
}

static msw_explore_rules rules_of(const msw_plan *plan)
{
    const msw_auto *a = &plan->automatic;
    uint64_t batch = units_of(plan, a->batch);
    return (msw_explore_rules){.budget = units_of(plan, msw_auto_budget(plan)),
                               .audit = units_of(plan, msw_auto_audit(plan)),
                               .batch = batch ? batch : 1,
                               .confidence = a->confidence,
                               .tolerance = a->tolerance,
                               .seed = plan->seed};
}

static int open_drive(drive *d)
{
    const msw_plan *plan = d->job->plan;
    msw_explore_rules rules = rules_of(plan);
    MSW_TRY(msw_explore_load(d->job->store, msw_plan_analytic(plan), &d->data, d->err));
    return msw_explorer_new(&d->data.space, &rules, &d->explorer, d->err);
}

static void close_drive(drive *d)
{
    msw_explorer_free(d->explorer);
    msw_explore_unload(&d->data);
    msw_rounds_free(&d->rounds);
    free(d->choices);
    free(d->unit_of);
}

/* ---- a round's points ---- */

static int allocate_round(drive *d, size_t points)
{
    size_t room = d->choice_capacity, most = d->choice_count + points;
    MSW_TRY(msw_rounds_reserve(&d->rounds, points));
    MSW_TRY(msw_vec_reserve(&d->choices, &room, most, sizeof *d->choices, d->err));
    return msw_vec_reserve(&d->unit_of, &d->choice_capacity, most, sizeof *d->unit_of, d->err);
}

static int take_round(drive *d, const msw_explore_round *round)
{
    static const char *const ROLES[] = {"search", "audit"};
    size_t each = d->data.points_per_unit;
    msw_rounds *r = &d->rounds;
    r->point_count = round->count * each;
    if (allocate_round(d, r->point_count))
        return -1;
    for (size_t i = 0; i < round->count; i++)
        msw_explore_points(&d->data, round->units[i], &r->points[i * each]);
    for (size_t i = 0; i < r->point_count; i++) {
        d->unit_of[d->choice_count] = round->units[i / each];
        d->choices[d->choice_count++] =
            (msw_chosen){r->points[i], round->number + 1, ROLES[round->role], NULL, NAN};
    }
    return 0;
}

/* ---- running them ---- */

static void tell_start(void *context, uint64_t missing)
{
    drive *d = context;
    msw_explore_statement s;
    msw_explorer_statement(d->explorer, &s);
    uint64_t budget = units_of(d->job->plan, msw_auto_budget(d->job->plan));
    uint64_t spent = s.searched + s.audited;
    msw_explore_progress p = {.round = d->round->number + 1,
                              .role = d->round->role,
                              .points = d->rounds.point_count,
                              .missing = missing,
                              .left =
                                  (budget > spent ? budget - spent : 0) * d->data.points_per_unit};
    if (d->job->started)
        d->job->started(d->job->context, &p);
}

/* ---- what came out ---- */

static int read_answer(drive *d, const msw_table *t, size_t row, msw_explore_answer *a)
{
    const msw_plan *plan = d->full;
    const msw_column *status = &t->columns[1];
    const char *word = status->labels[(size_t)status->values[row]];
    size_t limits = 2 + plan->view.objective_count;
    unsigned exact = 0, open = 0;
    *a = (msw_explore_answer){.state = MSW_EXPLORE_OK};
    if (strcmp(word, "infeasible") == 0)
        a->state = MSW_EXPLORE_INFEASIBLE;
    else if (strcmp(word, "ok") != 0 || msw_explore_is_doubtful(plan, t, row))
        a->state = MSW_EXPLORE_FAILED;
    else if (msw_explore_has_limits(plan) && t->columns[limits].values[row] == 0)
        a->state = MSW_EXPLORE_INFEASIBLE;
    for (size_t i = 0; a->state == MSW_EXPLORE_OK && i < plan->view.objective_count; i++) {
        bool same = msw_objective_is_exact(plan, i);
        double *cost = same ? &a->exact[exact++] : &a->open[open++];
        if (msw_explore_cost(plan, i, t->columns[2 + i].values[row], cost, d->err))
            return -1;
        if (isnan(*cost))
            a->state = MSW_EXPLORE_INFEASIBLE; /* no value: it cannot be on a front */
    }
    return 0;
}

/* What a mechanism declares to be the same at every fidelity is compared at every row. */
static int compare_exact(drive *d, uint32_t unit, const msw_explore_answer *a)
{
    const msw_explore_space *s = &d->data.space;
    for (unsigned k = 0; k < s->exact_count && a->state == MSW_EXPLORE_OK; k++)
        if (!isnan(s->exact[k][unit]) && s->exact[k][unit] != a->exact[k])
            return msw_fail_kind(d->err, MSW_ERR_INTERNAL,
                                 "point %u: an objective that mechanism %s declares to be the same "
                                 "at every fidelity is %.17g by the closed form and %.17g in full",
                                 unit, d->full->mech->name, s->exact[k][unit], a->exact[k]);
    return 0;
}

static int tell_row(void *context, const msw_table *t, size_t row)
{
    drive *d = context;
    msw_explore_answer answer;
    uint32_t unit = (uint32_t)t->columns[0].values[row];
    if (read_answer(d, t, row, &answer) || compare_exact(d, unit, &answer))
        return -1;
    msw_explorer_tell(d->explorer, unit, &answer);
    return 0;
}

static int read_back(drive *d)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_explore_columns(d->full, &columns);
    int rc = columns.failed ? msw_fail_memory(d->err)
                            : msw_rounds_read(&d->rounds, d->round->number + 1,
                                              msw_text_str(&columns), false, tell_row, d);
    msw_text_free(&columns);
    return rc;
}

/* ---- rounds ---- */

/* Returns 1 when a round is over, 0 when there is none, or -1. */
static int do_round(void *self)
{
    drive *d = self;
    msw_explore_round round;
    double start = msw_thread_seconds();
    int got = msw_explorer_next(d->explorer, &round, d->err);
    if (got <= 0)
        return got;
    d->round = &round;
    int rc = take_round(d, &round);
    d->report->decision_seconds += msw_thread_seconds() - start;
    if (rc || msw_rounds_compute(&d->rounds, round.number + 1, tell_start, d))
        return -1;
    if (d->rounds.stopped || (d->job->shards && round.number + 1 == d->job->until))
        return 0;
    start = msw_thread_seconds();
    rc = read_back(d);
    d->report->reading_seconds += msw_thread_seconds() - start;
    return rc ? -1 : 1;
}

/* ---- the end ---- */

static void settle_choices(drive *d)
{
    static const char *const STATES[] = {[MSW_EXPLORE_OPEN] = NULL,
                                         [MSW_EXPLORE_PROVEN] = NULL,
                                         [MSW_EXPLORE_FRONT] = "front",
                                         [MSW_EXPLORE_COVERED] = "covered",
                                         [MSW_EXPLORE_NOTHING] = "infeasible",
                                         [MSW_EXPLORE_LOST] = "failed"};
    for (size_t i = 0; i < d->choice_count; i++) {
        d->choices[i].state = STATES[msw_explorer_standing(d->explorer, d->unit_of[i])];
        d->choices[i].margin = msw_explorer_margin(d->explorer, d->unit_of[i]);
    }
}

/* The whole has a row for every point as soon as round 0 is over. */
static int join(drive *d)
{
    const msw_explore_job *job = d->job;
    return job->shards ? 0
                       : msw_store_join_auto(job->store, job->plan, job->whole, job->analytic,
                                             job->full, d->err);
}

/* A round that was stopped has no standing yet. */
static int finish(drive *d)
{
    const msw_explore_job *job = d->job;
    if (job->shards) {
        msw_explorer_statement(d->explorer, &d->report->statement);
        return 0;
    }
    size_t count = d->rounds.stopped ? d->choice_count - d->rounds.point_count : d->choice_count;
    d->choice_count = count;
    settle_choices(d);
    msw_explorer_statement(d->explorer, &d->report->statement);
    uint32_t worst = d->report->statement.stratum;
    if (worst != UINT32_MAX)
        msw_text_fit(d->report->stratum, sizeof d->report->stratum, d->data.strata[worst]);
    MSW_TRY(msw_store_choose(job->store, job->whole, d->choices, count, d->err));
    return join(d);
}

void msw_explore_dismiss(const msw_explore_job *job, msw_err *err)
{
    msw_err told = *err;
    const msw_plan *full = msw_plan_full(job->plan);
    msw_rounds_dismiss(job, full ? full : job->plan, true, &told);
}

static int drive_first(drive *d)
{
    double start = msw_thread_seconds();
    int rc = open_drive(d);
    d->report->reading_seconds = msw_thread_seconds() - start;
    if (rc == 0)
        rc = join(d);
    if (rc == 0)
        rc = msw_rounds_all(&d->rounds, do_round, d, &d->report->over);
    if (rc == 0)
        rc = finish(d);
    if (!d->report->result.lost && msw_rounds_dismiss(d->job, d->full, rc != 0, d->err))
        rc = -1;
    return rc;
}

int msw_explore_drive(const msw_explore_job *job, msw_explore_report *report, msw_err *err)
{
    drive d = {.job = job,
               .report = report,
               .full = msw_plan_full(job->plan),
               .rounds = {.job = job,
                          .plan = msw_plan_full(job->plan),
                          .options = job->options,
                          .result = &report->result,
                          .reused = &report->reused,
                          .err = err},
               .err = err};
    msw_rounds *r = &d.rounds;
    *report = (msw_explore_report){0};
    r->options.shared = msw_artifacts_new(job->options.artifact_bytes);
    if (!r->options.shared)
        return msw_fail_memory(err);
    int rc = job->ranks->rank
                 ? msw_rounds_other(job, d.full, &r->options, &report->result, &report->told, err)
                 : drive_first(&d);
    close_drive(&d);
    msw_artifacts_free(r->options.shared);
    return rc;
}
