#include "reading.h"

#include "memsweep/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_open_database(const cli *c, const char *word, msw_store_mode mode, msw_store **store,
                      msw_err *err)
{
    char *path = cli_database_path(word);
    int rc = !path ? msw_fail_memory(err)
             : access(path, F_OK) && errno == ENOENT
                 ? cli_fail_database(word, err)
                 : msw_store_open(path, mode, false, &c->log, store, err);
    free(path);
    return rc;
}

int cli_read_rows(const cli *c, const char *word, const msw_query *query, msw_table *table,
                  msw_err *err)
{
    msw_store *store = NULL;
    int rc = cli_open_database(c, word, MSW_STORE_READ, &store, err) ||
                     msw_store_read(store, query, table, err)
                 ? -1
                 : 0;
    msw_store_close(store, NULL);
    return rc;
}

int cli_share(const char *name, const char *text, double *share, msw_err *err)
{
    msw_err inner = {0};
    if (msw_units_parse(text, "", share, &inner) || !(*share > 0 && *share < 1))
        return msw_fail(err, "--%s '%s': a share between 0 and 1, such as 95%%", name, text);
    return 0;
}

static void drop_column(msw_table *table, size_t c)
{
    msw_table one = {.column_count = 1, .columns = malloc(sizeof *one.columns)};
    if (!one.columns)
        return;
    one.columns[0] = table->columns[c];
    memmove(table->columns + c, table->columns + c + 1,
            (--table->column_count - c) * sizeof *table->columns);
    msw_table_free(&one);
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

const char *cli_drop_bookkeeping(msw_table *table)
{
    static const char *const NAMES[] = {"design_index", "seed",   "version", "run",
                                        "cost_us",      "row_id", "key",     NULL};
    for (const char *const *name = NAMES; *name; name++) {
        int c = msw_table_find(table, *name);
        if (c >= 0)
            drop_column(table, (size_t)c);
    }
    for (size_t c = table->column_count; c-- > 0;)
        if (is_exact(table, c))
            drop_column(table, c);
    return "left out: design_index, seed, version, run, cost_us, row_id, key, half-widths of 0 "
           "(--all)";
}

size_t cli_drop_empty(msw_table *table)
{
    size_t before = table->column_count;
    for (size_t c = table->column_count; c-- > 0 && table->rows;) {
        size_t r = 0;
        while (r < table->rows && isnan(table->columns[c].values[r]))
            r++;
        if (r == table->rows)
            drop_column(table, c);
    }
    return before - table->column_count;
}

static void gather(msw_column *column, const size_t *rows, size_t count, double *kept,
                   int64_t *wholes)
{
    for (size_t i = 0; i < count; i++) {
        kept[i] = column->values[rows[i]];
        if (wholes)
            wholes[i] = column->wholes[rows[i]];
    }
    free(column->values);
    free(column->wholes);
    column->values = kept;
    column->wholes = wholes;
}

int cli_keep_rows(msw_table *table, const size_t *rows, size_t count, msw_err *err)
{
    for (size_t c = 0; c < table->column_count; c++) {
        double *kept = malloc((count + 1) * sizeof *kept);
        int64_t *wholes = table->columns[c].wholes ? malloc((count + 1) * sizeof *wholes) : NULL;
        if (!kept || (table->columns[c].wholes && !wholes)) {
            free(kept);
            return msw_fail_memory(err);
        }
        gather(&table->columns[c], rows, count, kept, wholes);
    }
    table->rows = table->capacity = count;
    return 0;
}

void cli_move_column(msw_table *table, size_t from, size_t to)
{
    msw_column column = table->columns[from];
    memmove(table->columns + from, table->columns + from + 1,
            (table->column_count - 1 - from) * sizeof column);
    memmove(table->columns + to + 1, table->columns + to,
            (table->column_count - 1 - to) * sizeof column);
    table->columns[to] = column;
}
