/* SPDX-License-Identifier: MIT */
#include "memsweep/results/reading.h"

#include "memsweep/results/distinct.h"

#include "memsweep/base/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int msw_open_database(const msw_context *context, const char *word, msw_store_mode mode,
                      msw_store **store, msw_err *err)
{
    char *path = msw_context_database(context, word);
    int rc = !path ? msw_fail_memory(err)
             : access(path, F_OK) && errno == ENOENT
                 ? msw_fail_database(context, word, err)
                 : msw_store_open(path, mode, false, &context->log, store, err);
    free(path);
    return rc;
}

int msw_read_rows(const msw_context *context, const char *word, const msw_query *query,
                  msw_table *table, msw_err *err)
{
    msw_store *store = NULL;
    int rc = -1;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, err) ||
        msw_store_read(store, query, table, err))
        goto done;
    rc = 0;
done:
    msw_store_close(store, NULL);
    return rc;
}

/* The limit is one of lines, so it comes last. */
int msw_read_distinct(const msw_context *context, const char *word, const msw_query *query,
                      msw_table *table, msw_err *err)
{
    msw_store *store = NULL;
    msw_query all = *query;
    all.limit = -1;
    int rc = -1;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, err) ||
        msw_store_read(store, &all, table, err) || msw_distinct(store, &all, table, NULL, err))
        goto done;
    rc = 0;
done:
    if (rc == 0 && query->limit > 0 && (uint64_t)query->limit < table->rows)
        table->rows = (size_t)query->limit;
    msw_store_close(store, NULL);
    return rc;
}

/* Half-widths that are 0 or nothing say no more than the fidelity does. */
static bool is_exact(const msw_table *table, size_t c)
{
    const msw_column *column = &table->columns[c];
    size_t size = strlen(column->name);
    if (size < 3 || strcmp(column->name + size - 3, "_hw") != 0)
        return false;
    for (size_t r = 0; r < table->rows; r++)
        if (fabs(column->values[r]) > 0)
            return false;
    return true;
}

const char *msw_drop_bookkeeping(msw_table *table)
{
    static const char *const NAMES[] = {"design_index", "seed",   "version", "run",
                                        "cost_us",      "row_id", "key",     NULL};
    for (const char *const *name = NAMES; *name; name++) {
        int c = msw_table_find(table, *name);
        if (c >= 0)
            msw_table_drop_column(table, (size_t)c);
    }
    for (size_t c = table->column_count; c-- > 0;)
        if (is_exact(table, c))
            msw_table_drop_column(table, c);
    return "left out: design_index, seed, version, run, cost_us, row_id, key, half-widths of 0 "
           "(--all)";
}

size_t msw_drop_empty(msw_table *table)
{
    size_t before = table->column_count;
    for (size_t c = table->column_count; c-- > 0 && table->rows;) {
        size_t r = 0;
        while (r < table->rows && isnan(table->columns[c].values[r]))
            r++;
        if (r == table->rows)
            msw_table_drop_column(table, c);
    }
    return before - table->column_count;
}
