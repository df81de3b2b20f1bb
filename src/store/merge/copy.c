/* SPDX-License-Identifier: MIT */
/* Copying the rows that are new here: all at once where they keep their numbers, else in runs of
 * neighbours. */
#include "store/merge/merge.h"

#include <inttypes.h>

#define DETAIL_TABLES                                                                              \
    "SELECT m.name, (SELECT group_concat('\"' || name || '\"', ', ') FROM "                        \
    "pragma_table_info(m.name, 'other') WHERE name <> 'row_id') FROM other.sqlite_master AS m "    \
    "WHERE " MSW_DETAIL_OF("other")

/* Rows to be replaced had details too: these are deleted first. */
static int copy_detail(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    const msw_span *run = &merge->run;
    const char *table = msw_sql_text(row, 0);
    const char *columns = msw_sql_text(row, 1);
    uint64_t last = run->point + run->count - 1;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "DELETE FROM main.%s WHERE row_id BETWEEN %" PRIu64 " AND %" PRIu64
                 "; INSERT INTO main.%s(row_id, %s) SELECT %" PRIu64 " + (row_id - %" PRIu64
                 "), %s FROM other.%s WHERE row_id BETWEEN %" PRIu64 " AND %" PRIu64,
                 table, run->row, run->row + run->count - 1, table, columns, run->row, run->point,
                 columns, table, run->point, last);
    return msw_sql_exec_text(merge->store, &sql, err);
}

static int copy_details(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge, DETAIL_TABLES, merge->mechanism, copy_detail, err);
}

/* The run here that a row there belongs to; looking it up for each row costs a tenth. */
static void add_run_here(const msw_merge *merge, msw_text *sql)
{
    if (merge->runs_shift)
        msw_text_add(sql, "run + %" PRId64, merge->run_shift);
    else
        msw_text_add(sql, "(SELECT here FROM temp.merge_run WHERE there = run)");
}

/* Copies the run of rows from `point` there to `row` here, by INSERT or REPLACE. */
static int copy_run(msw_merge *merge, const char *how, msw_err *err)
{
    const msw_span *run = &merge->run;
    msw_text sql = MSW_TEXT_EMPTY;
    if (!run->count)
        return 0;
    msw_text_add(&sql,
                 "%s INTO main.points_%s(id, run%s) SELECT %" PRIu64 " + (id - %" PRIu64 "), ", how,
                 merge->mechanism, merge->columns, run->row, run->point);
    add_run_here(merge, &sql);
    msw_text_add(&sql, "%s FROM other.points_%s WHERE id BETWEEN %" PRIu64 " AND %" PRIu64,
                 merge->values, merge->mechanism, run->point, run->point + run->count - 1);
    MSW_TRY(msw_sql_exec_text(merge->store, &sql, err));
    return copy_details(merge, err);
}

/* New ids were given in the order of the rows there, so the next one due marks the row it was given
 * to; others with that id are repetitions. */
static int copy_new(msw_merge *merge, msw_err *err)
{
    uint64_t due = merge->first_new;
    merge->run = (msw_span){0};
    for (uint64_t there = 1; there <= merge->row_count; there++) {
        due = merge->keeps ? there : due;
        if (merge->rows[there] != due)
            continue;
        if (merge->run.point + merge->run.count == there) {
            merge->run.count++;
        } else {
            if (copy_run(merge, "INSERT", err))
                return -1;
            merge->run = (msw_span){there, due, 1};
        }
        due++;
    }
    return copy_run(merge, "INSERT", err);
}

/* Between tables declared alike SQLite copies such records without taking them apart. */
static int copy_whole(msw_merge *merge, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    uint64_t first = merge->first_there;
    msw_text_add(&sql, "INSERT INTO main.points_%s SELECT * FROM other.points_%s", merge->mechanism,
                 merge->mechanism);
    merge->run = (msw_span){first, first, merge->row_count - first + 1};
    MSW_TRY(msw_sql_exec_text(merge->store, &sql, err));
    return copy_details(merge, err);
}

static int copy_replaced(msw_merge *merge, msw_err *err)
{
    for (size_t i = 0; i < merge->replaced.count; i++) {
        merge->run = (msw_span){merge->replaced.list[i].point, merge->replaced.list[i].row, 1};
        if (copy_run(merge, "REPLACE", err))
            return -1;
    }
    return 0;
}

int msw_merge_copy(msw_merge *merge, msw_err *err)
{
    if (merge->whole)
        return copy_whole(merge, err);
    MSW_TRY(copy_new(merge, err));
    return copy_replaced(merge, err);
}
