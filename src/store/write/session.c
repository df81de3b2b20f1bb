/* SPDX-License-Identifier: MIT */
/* What the writer remembers of the sweep it writes: which points have rows, and which of those rows
 * are no answer yet. */
#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int msw_links_add(msw_links *links, uint64_t point, uint64_t row, msw_err *err)
{
    if (point > UINT32_MAX || row > UINT32_MAX)
        return msw_fail(err, "a file holds at most %" PRIu32 " points and rows", UINT32_MAX);
    if (links->count == links->capacity) {
        size_t capacity = links->capacity + links->capacity / 2 + 64;
        msw_link *list = realloc(links->list, capacity * sizeof *list);
        if (!list)
            return msw_fail_memory(err);
        links->list = list;
        links->capacity = capacity;
    }
    links->list[links->count++] = (msw_link){(uint32_t)point, (uint32_t)row};
    return 0;
}

/* Spans are long: whole words of the bitmap are set at once. */
static void mark(msw_session *session, uint64_t first, uint64_t count)
{
    uint64_t last = first + count;
    if (last > session->points)
        last = session->points;
    for (uint64_t i = first; i < last; i++)
        if (i % 64 == 0 && last - i >= 64) {
            session->done[i / 64] = UINT64_MAX;
            i += 63;
        } else {
            msw_bit_set(session->done, i);
        }
}

/* A span that is damaged says nothing: its points are linked again to the rows with their keys. */
static int drop_damaged_spans(msw_store *store, const msw_session *session, msw_err *err)
{
    int64_t count = 0;
    msw_text where = MSW_TEXT_EMPTY;
    msw_text_add(&where, "FROM main.msw_span WHERE sweep = %" PRId64 " AND ", session->sweep);
    if (msw_sum_damaged(store, "main", "msw_span", &where, err)) {
        msw_text_free(&where);
        return -1;
    }
    char *ask = msw_strfmt("SELECT count(*) %s", msw_text_str(&where));
    char *drop = msw_strfmt("DELETE %s", msw_text_str(&where));
    int rc = ask && drop ? msw_sql_integer(store, ask, NULL, &count, err) : msw_fail_memory(err);
    if (rc == 0 && count) {
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s: %" PRId64 " records of which rows are the sweep's are damaged: they are "
                     "made again",
                     store->path, count);
        rc = msw_sql_exec(store, drop, err);
    }
    msw_text_free(&where);
    free(ask);
    free(drop);
    return rc;
}

static int load_spans(msw_store *store, msw_session *session, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store, "SELECT first_point, point_count FROM msw_span WHERE sweep = ?1",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, session->sweep);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        mark(session, (uint64_t)sqlite3_column_int64(stmt, 0),
             (uint64_t)sqlite3_column_int64(stmt, 1));
    sqlite3_finalize(stmt);
    return got;
}

/* The rows of a sweep while they are looked at. */
typedef struct checking {
    msw_store *store;
    msw_session *session;
    msw_checker checker;
    uint64_t point, row; /* the first of the span */
} checking;

static bool is_answer(const char *status)
{
    return strcmp(status, "ok") == 0 || strcmp(status, "infeasible") == 0;
}

/* A row that is no answer, is damaged or is not there will be replaced. */
static int check_row(void *context, uint64_t id, const char *status, msw_soundness verdict,
                     msw_err *err)
{
    checking *c = context;
    uint64_t point = c->point + (id - c->row);
    uint32_t *replaced;
    bool damaged = verdict == MSW_ROW_DAMAGED;
    if (!damaged && is_answer(status))
        return 0;
    if (point >= c->session->points)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: a span outside of its sweep: damaged",
                             c->store->path);
    if (msw_keyset_add(&c->session->unanswered, msw_keyset_number(point), &replaced, err))
        return -1;
    *replaced = (uint32_t)id;
    return damaged ? msw_links_add(&c->session->damaged, point, id, err) : 0;
}

static int check_rows(checking *c, msw_err *err)
{
    sqlite3_stmt *spans = NULL;
    int got = msw_sql_prepare(c->store,
                              "SELECT first_point, first_row, point_count FROM msw_span WHERE "
                              "sweep = ?1 ORDER BY first_row",
                              &spans, err);
    if (got == 0)
        sqlite3_bind_int64(spans, 1, c->session->sweep);
    while (got >= 0 && (got = msw_sql_step(c->store, spans, err)) > 0) {
        uint64_t count = (uint64_t)sqlite3_column_int64(spans, 2);
        c->point = (uint64_t)sqlite3_column_int64(spans, 0);
        c->row = (uint64_t)sqlite3_column_int64(spans, 1);
        if (c->point >= c->session->points || count > c->session->points - c->point)
            got = msw_fail_kind(err, MSW_ERR_IO, "%s: a span outside of its sweep: damaged",
                                c->store->path);
        else if (msw_checker_span(&c->checker, c->row, count, check_row, c, err))
            got = -1;
    }
    sqlite3_finalize(spans);
    return got;
}

static int load_unanswered(msw_store *store, msw_session *session, const char *mechanism,
                           msw_err *err)
{
    checking c = {.store = store, .session = session};
    if (msw_checker_open(store, "main", mechanism, &c.checker, err))
        return -1;
    int rc = check_rows(&c, err);
    msw_checker_close(&c.checker);
    if (rc == 0 && session->damaged.count)
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s: %zu points have rows that are damaged or lost: they are computed again, "
                     "and the new rows take their place",
                     store->path, session->damaged.count);
    return rc;
}

int msw_session_fail_memory(uint64_t points, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "out of memory: a run of %" PRIu64 " points needs %" PRIu64
                         " MiB to mark them",
                         points, (points / 8 >> 20) + 1);
}

int msw_session_load(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    msw_session *session = &store->session;
    if (session->sweep == sweep)
        return 0;
    msw_session_free(session);
    session->points = plan->points;
    session->done = calloc(plan->points / 64 + 1, sizeof *session->done);
    if (!session->done)
        return msw_session_fail_memory(plan->points, err);
    session->sweep = sweep;
    if (drop_damaged_spans(store, session, err) == 0 && load_spans(store, session, err) == 0 &&
        load_unanswered(store, session, plan->mech->name, err) == 0)
        return 0;
    msw_session_free(session);
    return -1;
}

void msw_session_free(msw_session *session)
{
    free(session->done);
    free(session->aliases.list);
    free(session->damaged.list);
    msw_keyset_free(&session->unanswered);
    *session = (msw_session){0};
}

void msw_merged_free(msw_merged *merged)
{
    free(merged->mechanism);
    msw_keyset_free(&merged->keys);
    *merged = (msw_merged){0};
}
