/* SPDX-License-Identifier: MIT */
/* The points of a round: run on all ranks, and read back. */
#include "explore/explorer.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/design/slots.h"
#include "memsweep/store/choice.h"

#include <stdlib.h>
#include <string.h>

int msw_rounds_reserve(msw_rounds *r, size_t points)
{
    MSW_TRY(msw_vec_reserve(&r->points, &r->point_room, points, sizeof *r->points, r->err));
    return msw_vec_reserve(&r->rows, &r->row_room, points, sizeof *r->rows, r->err);
}

void msw_rounds_free(msw_rounds *r)
{
    msw_row_reader_free(r->reader);
    msw_row_reader_free(r->single);
    free(r->points);
    free(r->rows);
}

/* ---- all ranks ---- */

/* What was chosen since the last round: the other ranks cannot work it out. */
static int share_slots(const msw_explore_job *job, const msw_plan *plan, int *told, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_slots *slots = msw_slots_of(&plan->design.state);
    uint64_t there = job->ranks->rank ? 0 : slots->shared;
    if (!job->ranks->rank && there < slots->count)
        msw_text_add_bytes(&text, (const char *)&slots->list[there],
                           (slots->count - there) * sizeof *slots->list);
    int rc = text.failed ? msw_fail_memory(err) : msw_ranks_share(job->ranks, told, &text, err);
    for (size_t i = 0; rc == 0 && job->ranks->rank && i < text.size / sizeof(msw_wide); i++) {
        msw_wide one;
        memcpy(&one, text.data + i * sizeof one, sizeof one);
        rc = msw_slots_add(slots, one, err);
    }
    slots->shared = slots->count;
    msw_text_free(&text);
    return rc;
}

static int share(const msw_explore_job *job, const msw_plan *plan, int *told, msw_todo *todo,
                 msw_err *err)
{
    if (plan->design.kind->searches && job->ranks->size > 1)
        MSW_TRY(share_slots(job, plan, told, err));
    return msw_ranks_share_todo(job->ranks, told, todo, err);
}

int msw_rounds_dismiss(const msw_explore_job *job, const msw_plan *plan, bool failed, msw_err *err)
{
    msw_todo none = {0};
    int told = failed ? (int)err->kind : 0;
    return share(job, plan, &told, &none, err);
}

int msw_rounds_other(const msw_explore_job *job, const msw_plan *plan,
                     const msw_run_options *options, msw_run_result *result, int *told,
                     msw_err *err)
{
    for (;;) {
        msw_todo todo = {0};
        msw_run_result one = {0};
        if (share(job, plan, told, &todo, err))
            return -1;
        if (!todo.points)
            return 0;
        int rc = msw_run(plan, NULL, 0, 0, &todo, options, &one, err);
        msw_run_result_add(result, &one);
        msw_todo_free(&todo);
        if (rc)
            return -1;
    }
}

/* ---- rank 0 ---- */

/* Rows of a shard go to a file of its own. */
static msw_store *store_of(const msw_explore_job *job)
{
    return job->shards ? job->target : job->store;
}

static int64_t sweep_of(const msw_explore_job *job)
{
    return job->shards ? job->target_full : job->full;
}

static int run_points(msw_rounds *r, msw_todo *todo)
{
    const msw_explore_job *job = r->job;
    msw_run_result result = {0};
    int told = 0;
    if (share(job, r->plan, &told, todo, r->err))
        return -1;
    int rc =
        msw_run(r->plan, store_of(job), sweep_of(job), r->run, todo, &r->options, &result, r->err);
    msw_run_result_add(r->result, &result);
    r->stopped = r->stopped || result.stopped;
    if (job->ended)
        job->ended(job->context, &result);
    return rc;
}

/* The points of a round are dealt out in turn. */
static void keep_shard(msw_rounds *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->point_count; i++)
        if (i % r->job->shards == r->job->shard)
            r->points[kept++] = r->points[i];
    r->point_count = kept;
}

int msw_rounds_compute(msw_rounds *r, uint64_t number,
                       void (*start)(void *context, uint64_t missing), void *context)
{
    const msw_explore_job *job = r->job;
    msw_todo todo;
    if (job->shards && number < job->until)
        return 0;
    if (job->shards && !r->dealt)
        keep_shard(r);
    if (msw_store_todo_chosen(store_of(job), r->plan, sweep_of(job), r->points, r->point_count,
                              job->retry, &todo, r->err))
        return -1;
    *r->reused += todo.reused;
    int rc = 0;
    if (todo.missing && job->hand) {
        r->stopped = true;
        rc = job->hand(job->context, r->plan, &todo, r->err);
    } else if (todo.missing) {
        start(context, todo.missing);
        if (!r->run && job->begin_run)
            rc = job->begin_run(job->context, &r->run, r->err);
        if (rc == 0)
            rc = run_points(r, &todo);
    }
    if (rc == 0)
        rc = msw_store_commit(store_of(job), r->err);
    msw_todo_free(&todo);
    return rc;
}

static int fail_missing(msw_rounds *r, uint64_t number, size_t missing)
{
    const char *why = r->job->shards ? "it is not complete: merge its shards first"
                                     : "another program keeps the file; run the same command to "
                                       "go on";
    return msw_fail_kind(r->err, r->job->shards ? MSW_ERR_USAGE : MSW_ERR_IO,
                         "%zu rows of round %u are not there: %s", missing, (unsigned)number, why);
}

/* The round of a shard is read where its rows go. */
static bool is_apart(const msw_rounds *r, uint64_t number)
{
    return r->job->shards && number == r->job->until;
}

static int find_rows(msw_rounds *r, uint64_t number)
{
    const msw_explore_job *job = r->job;
    bool apart = is_apart(r, number);
    int64_t sweep = apart ? job->target_full : job->full;
    size_t found = 0;
    if (sweep && msw_store_find_rows(apart ? job->target : job->store, sweep, r->points,
                                     r->point_count, r->rows, &found, r->err))
        return -1;
    return found < r->point_count ? fail_missing(r, number, r->point_count - found) : 0;
}

static int open_reader(msw_rounds *r, bool apart, const char *columns, bool alone,
                       msw_row_reader **reader)
{
    msw_store *store = apart ? r->job->target : r->job->store;
    char *name =
        alone ? msw_store_called(store, r->plan, r->err) : msw_explore_name(store, r->plan, r->err);
    int rc = name ? msw_row_reader_new(store, name, columns, reader, r->err) : -1;
    free(name);
    return rc;
}

int msw_rounds_read(msw_rounds *r, uint64_t number, const char *columns, bool alone,
                    int (*take)(void *context, const msw_table *table, size_t row), void *context)
{
    msw_row_reader **kept = alone ? &r->single : &r->reader, *own = NULL;
    bool apart = is_apart(r, number);
    msw_table table = {0};
    MSW_TRY(find_rows(r, number));
    if (apart || !*kept)
        MSW_TRY(open_reader(r, apart, columns, alone, apart ? &own : kept));
    int rc = msw_row_reader_read(apart ? own : *kept, r->rows, r->point_count, &table, r->err);
    for (size_t i = 0; rc == 0 && i < table.rows; i++)
        rc = take(context, &table, i);
    msw_table_free(&table);
    msw_row_reader_free(own);
    return rc;
}

int msw_rounds_all(const msw_rounds *r, int (*next)(void *self), void *self, bool *over)
{
    int got = 1;
    uint64_t done = 0;
    while (got > 0 && !(r->job->until && done == r->job->until)) {
        got = next(self);
        done += got > 0;
    }
    *over = got == 0 && !r->stopped && !r->job->shards;
    return got < 0 ? -1 : 0;
}
