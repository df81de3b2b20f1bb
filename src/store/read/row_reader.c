/* SPDX-License-Identifier: MIT */
/* Asks the same of ever other rows: the SELECT is prepared once. */
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/base/text.h"

#include <stdlib.h>

struct msw_row_reader {
    msw_store *store;
    msw_view view;
    sqlite3_stmt *stmt;
};

static int prepare(msw_row_reader *r, const msw_query *query, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    int result = msw_chosen_source(r->store, &r->view, err);
    if (result == 0)
        result = msw_query_select(query, &r->view, &sql, err);
    if (result == 0)
        result = msw_users_prepare(r->store, msw_text_str(&sql), &r->stmt, err);
    msw_text_free(&sql);
    return result;
}

int msw_row_reader_new(msw_store *store, const char *sweep, const char *columns,
                       msw_row_reader **reader, msw_err *err)
{
    const msw_query query = {.sweep = sweep, .columns = columns, .limit = -1};
    msw_row_reader *r = *reader = calloc(1, sizeof *r);
    if (!r)
        return msw_fail_memory(err);
    r->store = store;
    if (msw_view_load(store, sweep, false, &r->view, err) == 0 && prepare(r, &query, err) == 0)
        return 0;
    msw_row_reader_free(r);
    *reader = NULL;
    return -1;
}

int msw_row_reader_read(msw_row_reader *r, const msw_row_id *rows, size_t count, msw_table *table,
                        msw_err *err)
{
    MSW_TRY(msw_chosen_insert(r->store, r->view.sweep, rows, count, err));
    int result = msw_read_statement(r->store, r->stmt, &r->view, table, err);
    sqlite3_reset(r->stmt);
    return result;
}

void msw_row_reader_free(msw_row_reader *r)
{
    if (!r)
        return;
    sqlite3_finalize(r->stmt);
    msw_view_free(&r->view);
    free(r);
}
