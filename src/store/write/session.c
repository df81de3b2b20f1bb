/* SPDX-License-Identifier: MIT */
/* Remembers the sweep that is written: which points have rows, which of those rows are no answer
 * yet, and which rows are the points of the sweep, as runs of points whose rows follow each other
 * (spans). */
#include "store/state.h"

#include "store/sql/sql.h"
#include "store/sum/sum.h"
#include "store/write/rows.h"

#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the checksum of a span covers. */
#define MSW_SPAN_SUM(sweep, point, row, count)                                                     \
    "'sweep', " sweep ", 'first_point', " point ", 'first_row', " row ", 'point_count', " count

static int by_point(const void *a, const void *b)
{
    const msw_link *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool is_sorted(const msw_links *links)
{
    for (size_t i = 1; i < links->count; i++)
        if (links->list[i - 1].point > links->list[i].point)
            return false;
    return true;
}

void msw_links_sort(msw_links *links)
{
    if (!is_sorted(links))
        msw_sort(links->list, links->count, sizeof *links->list, by_point);
}

size_t msw_links_first(const msw_links *links, uint64_t row)
{
    size_t at;
    MSW_SEARCH(at, 0, links->count, links->list[at].row < row);
    return at;
}

int msw_span_open(msw_store *store, int64_t sweep, msw_span_writer *writer, msw_err *err)
{
    *writer = (msw_span_writer){.sweep = sweep};
    if (msw_sql_prepare(store,
                        "INSERT INTO msw_span(sweep, first_point, point_count, first_row, "
                        "checksum) VALUES(?1, ?2, ?3, ?4, msw_sum_of(" MSW_SPAN_SUM(
                            "?1", "?2", "?4", "?3") "))",
                        &writer->insert, err) == 0 &&
        msw_sql_prepare(store,
                        "UPDATE msw_span SET point_count = ?3, checksum = msw_sum_swap(checksum, "
                        "'point_count', point_count, ?3) WHERE sweep = ?1 AND first_point = ?2",
                        &writer->grow, err) == 0)
        return 0;
    msw_span_close(writer);
    return -1;
}

void msw_span_close(msw_span_writer *writer)
{
    sqlite3_finalize(writer->insert);
    sqlite3_finalize(writer->grow);
    *writer = (msw_span_writer){0};
}

/* A span that ends where the next row begins can go on growing, also over several runs. A damaged
 * one is left alone. */
int msw_span_resume(msw_store *store, msw_span_writer *writer, uint64_t next_row, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT first_point, first_row, point_count FROM msw_span WHERE sweep = ?1 "
                        "AND first_row + point_count = ?2 AND checksum = msw_sum_of(" MSW_SPAN_SUM(
                            "sweep", "first_point", "first_row", "point_count") ") LIMIT 1",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, writer->sweep);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)next_row);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0)
        writer->tail = (msw_span){(uint64_t)sqlite3_column_int64(stmt, 0),
                                  (uint64_t)sqlite3_column_int64(stmt, 1),
                                  (uint64_t)sqlite3_column_int64(stmt, 2)};
    sqlite3_finalize(stmt);
    return got < 0 ? -1 : 0;
}

static bool continues(const msw_span *span, uint64_t point, uint64_t row)
{
    return span->count && point == span->point + span->count && row == span->row + span->count;
}

/* Writes one run; the tail grows when the run continues it. */
static int put(msw_store *store, msw_span_writer *writer, const msw_span *span, msw_err *err)
{
    bool grows = continues(&writer->tail, span->point, span->row);
    sqlite3_stmt *stmt = grows ? writer->grow : writer->insert;
    if (grows)
        writer->tail.count += span->count;
    else
        writer->tail = *span;
    sqlite3_bind_int64(stmt, 1, writer->sweep);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)writer->tail.point);
    sqlite3_bind_int64(stmt, 3, (sqlite3_int64)writer->tail.count);
    if (!grows)
        sqlite3_bind_int64(stmt, 4, (sqlite3_int64)writer->tail.row);
    return msw_sql_run(store, stmt, err);
}

int msw_span_write(msw_store *store, msw_span_writer *writer, msw_links *links, msw_err *err)
{
    msw_links_sort(links);
    for (size_t i = 0; i < links->count;) {
        msw_span span = {links->list[i].point, links->list[i].row, 1};
        while (++i < links->count && continues(&span, links->list[i].point, links->list[i].row))
            span.count++;
        if (put(store, writer, &span, err))
            return -1;
    }
    return 0;
}

int msw_links_add(msw_links *links, uint64_t point, uint64_t row, msw_err *err)
{
    if (point > UINT32_MAX || row > UINT32_MAX)
        return msw_fail(err, "a file holds at most %" PRIu32 " points and rows", UINT32_MAX);
    MSW_TRY(msw_vec_reserve(&links->list, &links->capacity, links->count + 1, sizeof *links->list,
                            err));
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
