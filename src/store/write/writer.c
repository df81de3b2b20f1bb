/* SPDX-License-Identifier: MIT */
/* The prepared statements rows go through, and the binding of one row. */
#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <stdlib.h>

static void insert_text(const msw_store_columns *layout, const char *verb, msw_text *sql)
{
    msw_text_add(sql, "%s INTO %s(id", verb, layout->table);
    for (size_t i = 0; i < layout->count; i++)
        msw_text_add(sql, ", %s", layout->columns[i].name);
    msw_text_add(sql, ", " MSW_SUM_COLUMN ") VALUES(?1");
    for (size_t i = 0; i <= layout->count; i++)
        msw_text_add(sql, ", ?%zu", i + 2);
    msw_text_add(sql, ")");
}

static int prepare_insert(msw_store *store, const char *verb, sqlite3_stmt **stmt, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    insert_text(&store->writer.layout, verb, &sql);
    int result =
        sql.failed ? msw_fail_memory(err) : msw_sql_prepare(store, msw_text_str(&sql), stmt, err);
    msw_text_free(&sql);
    return result;
}

static int prepare_detail(msw_store *store, const msw_mech *mech, const msw_detail *detail,
                          sqlite3_stmt **stmt, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "REPLACE INTO detail_%s_%s(row_id, item", mech->name, detail->name);
    int width = 0;
    for (; detail->columns[width]; width++)
        msw_text_add(&sql, ", %s", detail->columns[width]);
    msw_text_add(&sql, ", " MSW_SUM_COLUMN ") VALUES(?1, ?2");
    for (int i = 0; i <= width; i++)
        msw_text_add(&sql, ", ?%d", i + 3);
    msw_text_add(&sql, ")");
    int result =
        sql.failed ? msw_fail_memory(err) : msw_sql_prepare(store, msw_text_str(&sql), stmt, err);
    msw_text_free(&sql);
    return result;
}

static int prepare_details(msw_store *store, const msw_mech *mech, msw_err *err)
{
    msw_writer *writer = &store->writer;
    size_t count = msw_detail_count(mech->details);
    writer->details = calloc(count + 1, sizeof(sqlite3_stmt *));
    if (!writer->details)
        return msw_fail_memory(err);
    for (writer->detail_count = 0; writer->detail_count < count; writer->detail_count++)
        if (prepare_detail(store, mech, &mech->details[writer->detail_count],
                           &writer->details[writer->detail_count], err))
            return -1;
    return 0;
}

/* Numbers continue after the largest in the file, but not below first_row, where the numbers of a
 * shard begin. */
static int find_next_row(msw_store *store, msw_err *err)
{
    int64_t last = 0;
    char *sql = msw_strfmt("SELECT max(id) FROM %s", store->writer.layout.table);
    int result = sql ? msw_sql_integer(store, sql, NULL, &last, err) : msw_fail_memory(err);
    free(sql);
    store->writer.next_row =
        (uint64_t)last < store->first_row ? store->first_row : (uint64_t)last + 1;
    return result;
}

static int prepare_all(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    msw_writer *writer = &store->writer;
    MSW_TRY(msw_store_columns_init(&writer->layout, plan, err));
    MSW_TRY(msw_cover_layout(store, writer, err));
    MSW_TRY(prepare_insert(store, "INSERT", &writer->insert, err));
    MSW_TRY(prepare_insert(store, "REPLACE", &writer->replace, err));
    MSW_TRY(msw_sql_prepare(store,
                            "UPDATE msw_run SET row_count = row_count + ?2, checksum = "
                            "msw_sum_swap(checksum, 'row_count', row_count, row_count + "
                            "?2) WHERE id = ?1",
                            &writer->run_count, err));
    MSW_TRY(prepare_details(store, plan->mech, err));
    MSW_TRY(find_next_row(store, err));
    MSW_TRY(msw_span_open(store, sweep, &writer->spans, err));
    return msw_span_resume(store, &writer->spans, writer->next_row, err);
}

int msw_writer_open(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    if (store->writer.spans.sweep == sweep)
        return 0;
    msw_writer_close(&store->writer);
    if (prepare_all(store, plan, sweep, err) == 0)
        return 0;
    msw_writer_close(&store->writer);
    return -1;
}

void msw_writer_close(msw_writer *writer)
{
    sqlite3_finalize(writer->insert);
    sqlite3_finalize(writer->replace);
    msw_span_close(&writer->spans);
    sqlite3_finalize(writer->run_count);
    for (size_t i = 0; i < writer->detail_count; i++)
        sqlite3_finalize(writer->details[i]);
    free(writer->details);
    msw_cover_free(writer);
    msw_store_columns_free(&writer->layout);
    *writer = (msw_writer){0};
}
