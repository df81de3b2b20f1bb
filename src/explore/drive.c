/* SPDX-License-Identifier: MIT */
/* Rounds: decide, run, read back. */
#include "memsweep/explore/drive.h"

#include "explore/data.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/store/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An exploration on rank 0. */
typedef struct drive {
    const msw_explore_job *job;
    msw_explore_report *report;
    const msw_plan *full;
    msw_run_options options;
    msw_explore_data data;
    msw_explorer *explorer;
    char *name; /* of the rows in full */
    msw_chosen *choices;
    uint32_t *unit_of; /* of each choice */
    size_t choice_count, choice_capacity;
    uint64_t *points; /* of the round */
    msw_row_id *rows;
    size_t point_count, point_capacity;
    int64_t run;
    bool stopped;
    msw_err *err;
} drive;

/* Processor time of the thread that decides: what else the machine does is none of it. */
static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    free(d->name);
    free(d->choices);
    free(d->unit_of);
    free(d->points);
    free(d->rows);
}

/* ---- a round's points ---- */

static int allocate_round(drive *d, size_t points)
{
    size_t room = d->point_capacity, most = d->choice_count + points;
    MSW_TRY(msw_vec_reserve(&d->points, &room, points, sizeof *d->points, d->err));
    MSW_TRY(msw_vec_reserve(&d->rows, &d->point_capacity, points, sizeof *d->rows, d->err));
    room = d->choice_capacity;
    MSW_TRY(msw_vec_reserve(&d->choices, &room, most, sizeof *d->choices, d->err));
    return msw_vec_reserve(&d->unit_of, &d->choice_capacity, most, sizeof *d->unit_of, d->err);
}

static int take_round(drive *d, const msw_explore_round *round)
{
    static const char *const ROLES[] = {"search", "audit"};
    size_t each = d->data.points_per_unit;
    d->point_count = round->count * each;
    if (allocate_round(d, d->point_count))
        return -1;
    for (size_t i = 0; i < round->count; i++)
        msw_explore_points(&d->data, round->units[i], &d->points[i * each]);
    for (size_t i = 0; i < d->point_count; i++) {
        d->unit_of[d->choice_count] = round->units[i / each];
        d->choices[d->choice_count++] =
            (msw_chosen){d->points[i], round->number + 1, ROLES[round->role], NULL, NAN};
    }
    return 0;
}

/* ---- running them ---- */

/* Rows of a shard go to a file of its own. */
static msw_store *store_of(const msw_explore_job *job)
{
    return job->shards ? job->target : job->store;
}

static int64_t sweep_of(const msw_explore_job *job)
{
    return job->shards ? job->target_full : job->full;
}

static int run_points(drive *d, msw_todo *todo)
{
    const msw_explore_job *job = d->job;
    msw_run_result result = {0};
    int told = 0;
    if (msw_ranks_share_todo(job->ranks, &told, todo, d->err))
        return -1;
    int rc =
        msw_run(d->full, store_of(job), sweep_of(job), d->run, todo, &d->options, &result, d->err);
    msw_run_result_add(&d->report->result, &result);
    d->stopped = d->stopped || result.stopped;
    if (job->ended)
        job->ended(job->context, &result);
    return rc;
}

static void tell_start(drive *d, const msw_explore_round *round, const msw_todo *todo)
{
    msw_explore_statement s;
    msw_explorer_statement(d->explorer, &s);
    uint64_t budget = units_of(d->job->plan, msw_auto_budget(d->job->plan));
    uint64_t spent = s.searched + s.audited;
    msw_explore_progress p = {.round = round->number + 1,
                              .role = round->role,
                              .points = d->point_count,
                              .missing = todo->missing,
                              .left =
                                  (budget > spent ? budget - spent : 0) * d->data.points_per_unit};
    if (d->job->started)
        d->job->started(d->job->context, &p);
}

/* The points of a round are dealt out in turn. */
static void keep_shard(drive *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->point_count; i++)
        if (i % d->job->shards == d->job->shard)
            d->points[kept++] = d->points[i];
    d->point_count = kept;
}

static int compute(drive *d, const msw_explore_round *round)
{
    const msw_explore_job *job = d->job;
    msw_todo todo;
    if (job->shards && round->number + 1 < job->until)
        return 0;
    if (job->shards)
        keep_shard(d);
    if (msw_store_todo_chosen(store_of(job), d->full, sweep_of(job), d->points, d->point_count,
                              job->retry, &todo, d->err))
        return -1;
    d->report->reused += todo.reused;
    int rc = 0;
    if (todo.missing && job->hand) {
        d->stopped = true;
        rc = job->hand(job->context, d->full, &todo, d->err);
    } else if (todo.missing) {
        tell_start(d, round, &todo);
        if (!d->run && job->begin_run)
            rc = job->begin_run(job->context, &d->run, d->err);
        if (rc == 0)
            rc = run_points(d, &todo);
    }
    if (rc == 0)
        rc = msw_store_commit(store_of(job), d->err);
    msw_todo_free(&todo);
    return rc;
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

static int tell_row(drive *d, const msw_table *t, size_t row)
{
    msw_explore_answer answer;
    uint32_t unit = (uint32_t)t->columns[0].values[row];
    if (read_answer(d, t, row, &answer) || compare_exact(d, unit, &answer))
        return -1;
    msw_explorer_tell(d->explorer, unit, &answer);
    return 0;
}

static int fail_missing(drive *d, size_t missing)
{
    const char *why = d->job->shards ? "it is not complete: merge its shards first"
                                     : "another program keeps the file; run the same command to "
                                       "go on";
    return msw_fail_kind(d->err, d->job->shards ? MSW_ERR_USAGE : MSW_ERR_IO,
                         "%zu rows of round %u are not there: %s", missing,
                         d->choices[d->choice_count - 1].round, why);
}

static int find_rows(drive *d)
{
    size_t found = 0;
    if (d->job->full && msw_store_find_rows(d->job->store, d->job->full, d->points, d->point_count,
                                            d->rows, &found, d->err))
        return -1;
    if (found < d->point_count)
        return fail_missing(d, d->point_count - found);
    if (!d->name)
        d->name = msw_explore_name(d->job->store, d->full, d->err);
    return d->name ? 0 : -1;
}

static int read_back(drive *d)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_table table = {0};
    if (find_rows(d))
        return -1;
    msw_explore_columns(d->full, &columns);
    msw_query query = {.sweep = d->name,
                       .columns = msw_text_str(&columns),
                       .limit = -1,
                       .row_ids = d->rows,
                       .row_id_count = d->point_count};
    int rc = columns.failed ? msw_fail_memory(d->err)
                            : msw_store_read(d->job->store, &query, &table, d->err);
    for (size_t r = 0; rc == 0 && r < table.rows; r++)
        rc = tell_row(d, &table, r);
    msw_table_free(&table);
    msw_text_free(&columns);
    return rc;
}

/* ---- rounds ---- */

/* Returns 1 when a round is over, 0 when there is none, or -1. */
static int do_round(drive *d)
{
    msw_explore_round round;
    double start = seconds_now();
    int got = msw_explorer_next(d->explorer, &round, d->err);
    if (got <= 0)
        return got;
    int rc = take_round(d, &round);
    d->report->decision_seconds += seconds_now() - start;
    if (rc || compute(d, &round))
        return -1;
    if (d->stopped || (d->job->shards && round.number + 1 == d->job->until))
        return 0;
    start = seconds_now();
    rc = read_back(d);
    d->report->reading_seconds += seconds_now() - start;
    return rc ? -1 : 1;
}

static int do_rounds(drive *d)
{
    int got = 1;
    uint64_t done = 0;
    while (got > 0 && !(d->job->until && done == d->job->until)) {
        got = do_round(d);
        done += got > 0;
    }
    d->report->over = got == 0 && !d->stopped && !d->job->shards;
    return got < 0 ? -1 : 0;
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
    size_t count = d->stopped ? d->choice_count - d->point_count : d->choice_count;
    d->choice_count = count;
    settle_choices(d);
    msw_explorer_statement(d->explorer, &d->report->statement);
    uint32_t worst = d->report->statement.stratum;
    if (worst != UINT32_MAX)
        msw_text_fit(d->report->stratum, sizeof d->report->stratum, d->data.strata[worst]);
    MSW_TRY(msw_store_choose(job->store, job->whole, d->choices, count, d->err));
    return join(d);
}

/* A todo without points says that it is over; where rank 0 failed the others are told of what kind.
 */
static int dismiss(const msw_explore_job *job, bool failed, msw_err *err)
{
    msw_todo none = {0};
    int told = failed ? (int)err->kind : 0;
    return msw_ranks_share_todo(job->ranks, &told, &none, err);
}

void msw_explore_dismiss(const msw_explore_job *job, msw_err *err)
{
    msw_err told = *err;
    dismiss(job, true, &told);
}

static int drive_first(drive *d)
{
    double start = seconds_now();
    int rc = open_drive(d);
    d->report->reading_seconds = seconds_now() - start;
    if (rc == 0)
        rc = join(d);
    if (rc == 0)
        rc = do_rounds(d);
    if (rc == 0)
        rc = finish(d);
    if (!d->report->result.lost && dismiss(d->job, rc != 0, d->err))
        rc = -1;
    return rc;
}

static int drive_other(drive *d)
{
    for (;;) {
        msw_todo todo = {0};
        msw_run_result result = {0};
        if (msw_ranks_share_todo(d->job->ranks, &d->report->told, &todo, d->err))
            return -1;
        if (!todo.points)
            return 0;
        int rc = msw_run(d->full, NULL, 0, 0, &todo, &d->options, &result, d->err);
        msw_run_result_add(&d->report->result, &result);
        msw_todo_free(&todo);
        if (rc)
            return -1;
    }
}

int msw_explore_drive(const msw_explore_job *job, msw_explore_report *report, msw_err *err)
{
    drive d = {.job = job,
               .report = report,
               .full = msw_plan_full(job->plan),
               .options = job->options,
               .err = err};
    *report = (msw_explore_report){0};
    d.options.shared = msw_artifacts_new(job->options.artifact_bytes);
    if (!d.options.shared)
        return msw_fail_memory(err);
    int rc = job->ranks->rank ? drive_other(&d) : drive_first(&d);
    close_drive(&d);
    msw_artifacts_free(d.options.shared);
    return rc;
}
