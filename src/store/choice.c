/* SPDX-License-Identifier: MIT */
/* Choices of sweeps at fidelity auto, what is left to do of them, and the rows of the whole. */
#include "memsweep/store/choice.h"

#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static void bind(sqlite3_stmt *stmt, int64_t sweep, const msw_chosen *c)
{
    sqlite3_bind_int64(stmt, 1, sweep);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)c->point);
    sqlite3_bind_int64(stmt, 3, c->round);
    sqlite3_bind_text(stmt, 4, c->role, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 5, c->state, -1, SQLITE_STATIC);
    if (isnan(c->margin))
        sqlite3_bind_null(stmt, 6);
    else
        sqlite3_bind_double(stmt, 6, c->margin);
}

/* How many of some choices are there as they are, and how many there are in all. */
static int count_there(msw_store *store, int64_t sweep, const msw_chosen *choices, size_t count,
                       uint64_t *same, int64_t *all, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt("SELECT count(*) FROM main.msw_choice WHERE sweep = %" PRId64, sweep);
    int rc = sql ? msw_sql_integer(store, sql, NULL, all, err) : msw_fail_memory(err);
    free(sql);
    if (rc == 0)
        rc = msw_sql_prepare(store,
                             "SELECT 1 FROM main.msw_choice WHERE sweep = ?1 AND chosen = ?2 AND "
                             "round = ?3 AND role = ?4 AND state IS ?5 AND margin IS ?6",
                             &stmt, err);
    *same = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        bind(stmt, sweep, &choices[i]);
        int got = msw_sql_step(store, stmt, err);
        *same += got > 0;
        rc = got < 0 ? -1 : 0;
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    return rc;
}

static int rewrite(msw_store *store, int64_t sweep, const msw_chosen *choices, size_t count,
                   msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt("DELETE FROM main.msw_choice WHERE sweep = %" PRId64, sweep);
    int rc = sql ? msw_sql_exec(store, sql, err) : msw_fail_memory(err);
    free(sql);
    if (rc == 0)
        rc = msw_sql_prepare(store, "INSERT INTO main.msw_choice VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                             &stmt, err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        bind(stmt, sweep, &choices[i]);
        rc = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return rc;
}

static int put(msw_store *store, int64_t sweep, const msw_chosen *choices, size_t count,
               msw_err *err)
{
    uint64_t same;
    int64_t all = 0;
    if (msw_choices_make(store, err) || count_there(store, sweep, choices, count, &same, &all, err))
        return -1;
    if (same == count && all == (int64_t)count)
        return 0;
    return rewrite(store, sweep, choices, count, err);
}

int msw_store_choose(msw_store *store, int64_t sweep, const msw_chosen *choices, size_t count,
                     msw_err *err)
{
    if (msw_store_commit(store, err) || msw_sql_begin(store, err))
        return -1;
    return msw_sql_end(store, put(store, sweep, choices, count, err), err);
}

/* ---- what there is to do ---- */

/* Rows in full that the file had when choosing began, by key: they answer a chosen point, too. */
static int load_warm(msw_store *store, const char *mechanism, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt("SELECT id, key FROM main.points_%s WHERE status IN ('ok', "
                           "'infeasible') AND fidelity = 'full'",
                           mechanism);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        uint32_t *row;
        if (sqlite3_column_bytes(stmt, 1) != 16)
            continue;
        if (msw_keyset_add(&store->warm, msw_digest_load(sqlite3_column_blob(stmt, 1)), &row, err))
            got = -1;
        else
            *row = (uint32_t)sqlite3_column_int64(stmt, 0);
    }
    sqlite3_finalize(stmt);
    store->warmed = got >= 0;
    return got;
}

/* One question: which of some points have no row. */
typedef struct asking {
    msw_store *store;
    const msw_plan *plan;
    msw_pointer *pointer;
    msw_todo *todo;
    msw_links found;
    msw_checker checker;
    bool retry;
} asking;

static int find_warm(asking *a, uint64_t point, msw_err *err)
{
    msw_point at;
    msw_soundness verdict;
    if (msw_pointer_at(a->pointer, point, true, &at, NULL))
        return 0; /* evaluating it will say why */
    const uint32_t *row = msw_keyset_find(&a->store->warm, at.key);
    if (!row)
        return 0;
    int got = msw_checker_id(&a->checker, *row, &verdict, err);
    if (got <= 0 || verdict == MSW_ROW_DAMAGED)
        return got < 0 ? -1 : 0;
    return msw_links_add(&a->found, point, *row, err) ? -1 : 1;
}

/* Whether a point that has a row needs another. */
static bool is_unanswered(const asking *a, uint64_t point)
{
    const msw_session *session = &a->store->session;
    for (size_t i = 0; i < session->damaged.count; i++)
        if (session->damaged.list[i].point == point)
            return true;
    const uint32_t *row = msw_keyset_find(&session->unanswered, msw_keyset_number(point));
    bool failed = row && *row != MSW_ANSWERED;
    a->todo->failed += failed;
    return failed && a->retry;
}

static int ask(asking *a, uint64_t point, msw_err *err)
{
    bool done = msw_bit(a->store->session.done, point);
    int warm = done ? 0 : find_warm(a, point, err);
    if (warm < 0)
        return -1;
    if (warm || (done && !is_unanswered(a, point))) {
        a->todo->answered += !warm;
        a->todo->reused += (uint64_t)warm;
        return 0;
    }
    a->todo->missing++;
    msw_bit_set(a->todo->bitmap, point);
    return 0;
}

static int link_found(asking *a, msw_err *err)
{
    msw_store *store = a->store;
    msw_span_writer spans;
    if (!a->found.count)
        return 0;
    if (msw_span_open(store, store->session.sweep, &spans, err) || msw_sql_begin(store, err))
        return -1;
    int rc = msw_sql_end(store, msw_span_write(store, &spans, &a->found, err), err);
    msw_span_close(&spans);
    for (size_t i = 0; rc == 0 && i < a->found.count; i++)
        msw_bit_set(store->session.done, a->found.list[i].point);
    return rc;
}

static int ask_all(asking *a, const uint64_t *points, size_t count, msw_err *err)
{
    a->todo->bitmap = calloc(a->plan->points / 64 + 1, sizeof *a->todo->bitmap);
    if (!a->todo->bitmap)
        return msw_session_fail_memory(a->plan->points, err);
    for (size_t i = 0; i < count; i++)
        if (ask(a, points[i], err))
            return -1;
    return link_found(a, err);
}

int msw_store_todo_chosen(msw_store *store, const msw_plan *plan, int64_t sweep,
                          const uint64_t *points, size_t count, bool retry, msw_todo *todo,
                          msw_err *err)
{
    asking a = {.store = store, .plan = plan, .todo = todo, .retry = retry};
    *todo = (msw_todo){.points = plan->points};
    if (msw_store_commit(store, err) || msw_session_load(store, plan, sweep, err) ||
        (!store->warmed && load_warm(store, plan->mech->name, err)) ||
        msw_pointer_new(plan, &a.pointer, err))
        return -1;
    int rc = msw_checker_open(store, "main", plan->mech->name, &a.checker, err);
    if (rc == 0) {
        rc = ask_all(&a, points, count, err);
        msw_checker_close(&a.checker);
    }
    msw_pointer_free(a.pointer);
    free(a.found.list);
    if (rc)
        msw_todo_free(todo);
    return rc;
}

/* ---- rows ---- */

int msw_store_find_rows(msw_store *store, int64_t sweep, const uint64_t *points, size_t count,
                        msw_row_id *rows, size_t *found, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int rc = msw_sql_prepare(store,
                             "SELECT first_row + ?2 - first_point, first_point + point_count > ?2 "
                             "FROM main.msw_span WHERE sweep = ?1 AND first_point <= ?2 ORDER BY "
                             "first_point DESC LIMIT 1",
                             &stmt, err);
    *found = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        sqlite3_bind_int64(stmt, 1, sweep);
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)points[i]);
        int got = msw_sql_step(store, stmt, err);
        if (got > 0 && sqlite3_column_int(stmt, 1))
            rows[(*found)++] = (msw_row_id){points[i], (uint64_t)sqlite3_column_int64(stmt, 0)};
        rc = got < 0 ? -1 : 0;
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    return rc;
}

/* ---- the whole ---- */

static int take_spans(msw_store *store, const char *sql, int64_t sweep, uint64_t points,
                      uint32_t *rows, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = msw_sql_prepare(store, sql, &stmt, err);
    if (got == 0)
        sqlite3_bind_int64(stmt, 1, sweep);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        uint64_t point = (uint64_t)sqlite3_column_int64(stmt, 0);
        uint64_t row = (uint64_t)sqlite3_column_int64(stmt, 1);
        uint64_t count = (uint64_t)sqlite3_column_int64(stmt, 2);
        for (uint64_t i = 0; i < count && point + i < points; i++)
            rows[point + i] = (uint32_t)(row + i);
    }
    sqlite3_finalize(stmt);
    return got;
}

#define SPANS "SELECT first_point, first_row, point_count FROM main.msw_span WHERE sweep = ?1"

/* Of the rows in full only those of points that were chosen: a sweep may have more. */
static int take_chosen(msw_store *store, int64_t whole, int64_t full, uint64_t points,
                       uint32_t *rows, msw_err *err)
{
    char *sql = msw_strfmt(
        "SELECT c.chosen, s.first_row + c.chosen - s.first_point, 1 FROM main.msw_choice AS c JOIN "
        "main.msw_span AS s ON s.sweep = %" PRId64 " AND s.first_point = (SELECT max(first_point) "
        "FROM main.msw_span WHERE sweep = %" PRId64 " AND first_point <= c.chosen) WHERE c.sweep = "
        "?1 AND c.chosen < s.first_point + s.point_count",
        full, full);
    int rc = sql ? take_spans(store, sql, whole, points, rows, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

static int write_spans(msw_store *store, int64_t whole, uint64_t points, const uint32_t *rows,
                       msw_err *err)
{
    msw_links links = {0};
    msw_span_writer spans;
    char *sql = msw_strfmt("DELETE FROM main.msw_span WHERE sweep = %" PRId64, whole);
    int rc = sql ? msw_sql_exec(store, sql, err) : msw_fail_memory(err);
    free(sql);
    for (uint64_t i = 0; rc == 0 && i < points; i++)
        if (rows[i])
            rc = msw_links_add(&links, i, rows[i], err);
    if (rc == 0 && (rc = msw_span_open(store, whole, &spans, err)) == 0) {
        rc = msw_span_write(store, &spans, &links, err);
        msw_span_close(&spans);
    }
    free(links.list);
    return rc;
}

static int join(msw_store *store, uint64_t points, const int64_t sweeps[3], uint32_t *rows,
                uint32_t *before, msw_err *err)
{
    int64_t there = 0;
    if (take_spans(store, SPANS, sweeps[0], points, before, err) ||
        take_spans(store, SPANS, sweeps[1], points, rows, err) ||
        msw_sql_integer(store, MSW_CHOICES_THERE("main"), NULL, &there, err) ||
        (there && take_chosen(store, sweeps[0], sweeps[2], points, rows, err)))
        return -1;
    if (memcmp(rows, before, points * sizeof *rows) == 0)
        return 0;
    return write_spans(store, sweeps[0], points, rows, err);
}

int msw_store_join_auto(msw_store *store, const msw_plan *plan, int64_t whole, int64_t analytic,
                        int64_t full, msw_err *err)
{
    uint32_t *rows = calloc(plan->points + 1, sizeof *rows);
    uint32_t *before = calloc(plan->points + 1, sizeof *before);
    int rc = rows && before ? msw_store_commit(store, err) : msw_fail_memory(err);
    if (rc == 0 && (rc = msw_sql_begin(store, err)) == 0) {
        const int64_t sweeps[3] = {whole, analytic, full};
        rc = msw_sql_end(store, join(store, plan->points, sweeps, rows, before, err), err);
    }
    free(rows);
    free(before);
    return rc;
}
