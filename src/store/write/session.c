/* What the writer remembers of the sweep it writes: which points have rows, and which of those rows
 * are no answer yet. */
#include "store/state.h"

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

static int load_unanswered(msw_store *store, msw_session *session, const char *mechanism,
                           msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt("SELECT s.first_point + (p.id - s.first_row), p.id FROM msw_span AS s "
                           "CROSS JOIN points_%s AS p ON p.id BETWEEN s.first_row AND s.first_row "
                           "+ s.point_count - 1 WHERE s.sweep = %" PRId64
                           " AND p.status NOT IN ('ok', 'infeasible')",
                           mechanism, session->sweep);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        uint32_t *row;
        uint64_t point = (uint64_t)sqlite3_column_int64(stmt, 0);
        if (point >= session->points)
            got = msw_fail_kind(err, MSW_ERR_IO, "%s: a span outside of its sweep: damaged",
                                store->path);
        else if (msw_keyset_add(&session->unanswered, msw_keyset_number(point), &row, err))
            got = -1;
        else
            *row = (uint32_t)sqlite3_column_int64(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return got;
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
    if (load_spans(store, session, err) == 0 &&
        load_unanswered(store, session, plan->mech->name, err) == 0)
        return 0;
    msw_session_free(session);
    return -1;
}

void msw_session_free(msw_session *session)
{
    free(session->done);
    free(session->aliases.list);
    msw_keyset_free(&session->unanswered);
    *session = (msw_session){0};
}

void msw_merged_free(msw_merged *merged)
{
    free(merged->mechanism);
    msw_keyset_free(&merged->keys);
    *merged = (msw_merged){0};
}
