/* SPDX-License-Identifier: MIT */
/* Counts the rows that a query leaves out: beyond the limits of the sweep, doubtful, outside what
 * is stated, of unknown errors. */
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/mech/stated.h"
#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_REASONS = 16 }; /* more than a view can give */

/* Rows that pass a filter and a condition of ours. */
static int count_where(msw_store *store, const msw_query *query, bool within, const char *and,
                       uint64_t *count, msw_err *err)
{
    msw_table table = {0};
    bool own = query->filter && *query->filter;
    char *filter = msw_strfmt("(%s) AND %s", own ? query->filter : "1 = 1", and);
    msw_query left = {.sweep = query->sweep,
                      .columns = "point",
                      .filter = filter,
                      .limit = -1,
                      .within_limits = within};
    int result = filter ? msw_store_read(store, &left, &table, err) : msw_fail_memory(err);
    *count = result ? 0 : table.rows;
    msw_table_free(&table);
    free(filter);
    return result;
}

/* Rows without an interval, and the reason that most of them give. */
static void count_unknown(const msw_column *from, size_t rows, msw_left_out *count)
{
    static const char HEAD[] = MSW_ERRORS_UNKNOWN;
    uint64_t each[ERRORS_REASONS] = {0}, most = 0;
    for (size_t r = 0; from->labels && r < rows; r++) {
        if (isnan(from->values[r]))
            continue;
        size_t label = (size_t)from->values[r];
        count->judged++;
        if (strncmp(from->labels[label], HEAD, strlen(HEAD)) != 0 || label >= ERRORS_REASONS)
            continue;
        count->unknown++;
        if (++each[label] > most) {
            most = each[label];
            msw_text_fit(count->why, sizeof count->why, from->labels[label] + strlen(HEAD));
        }
    }
}

int msw_store_errors_unknown(msw_store *store, const msw_query *query, msw_left_out *count,
                             msw_err *err)
{
    msw_view view;
    msw_table table = {0};
    msw_query ask = *query;
    if (query->sql)
        return 0;
    MSW_TRY(msw_view_load(store, query->sweep, false, &view, err));
    bool there = false;
    for (size_t i = 0; i < view.count; i++)
        there = there || strcmp(view.columns[i].name, MSW_ERRORS_COLUMN) == 0;
    msw_view_free(&view);
    if (!there)
        return 0;
    ask.columns = MSW_ERRORS_COLUMN;
    ask.order = query->limit > 0 ? query->order : NULL;
    ask.limit = query->limit > 0 ? query->limit : -1;
    ask.no_rows = false;
    int rc = msw_store_read(store, &ask, &table, err);
    if (rc == 0)
        count_unknown(&table.columns[0], table.rows, count);
    msw_table_free(&table);
    return rc;
}

int msw_store_left_out(msw_store *store, const msw_query *query, msw_left_out *count, msw_err *err)
{
    msw_view view;
    *count = (msw_left_out){0};
    MSW_TRY(msw_store_errors_unknown(store, query, count, err));
    if (!query->within_limits && !query->trusted)
        return 0;
    if (msw_view_load(store, query->sweep, false, &view, err))
        return -1;
    msw_shown shown = msw_query_shown(query, &view);
    msw_view_free(&view);
    MSW_TRY(shown.limits &&
            count_where(store, query, false, MSW_LIMITS_NAME " = 0", &count->beyond, err));
    MSW_TRY(shown.doubts && count_where(store, query, query->within_limits,
                                        MSW_DOUBT_NAME " IS NOT NULL", &count->doubtful, err));
    MSW_TRY(shown.stated &&
            count_where(store, query, query->within_limits,
                        shown.doubts ? MSW_STATED_COLUMN " = 0 AND " MSW_DOUBT_NAME " IS NULL"
                                     : MSW_STATED_COLUMN " = 0",
                        &count->outside, err));
    return 0;
}
