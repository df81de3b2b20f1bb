/* SPDX-License-Identifier: MIT */
/* Membership: which rows are the points of a sweep, as runs of points whose rows follow each other.
 */
#include "store/sql/sql.h"
#include "store/write/rows.h"

#include <stdlib.h>

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
        qsort(links->list, links->count, sizeof *links->list, by_point);
}

size_t msw_links_first(const msw_links *links, uint64_t row)
{
    size_t low = 0, high = links->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (links->list[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
