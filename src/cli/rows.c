#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

/* A column without labels would be one of numbers: the list exists from the start. */
int msw_table_text_column(msw_table *table, const char *name, msw_err *err)
{
    int c = msw_table_add_column(table, name, "", MSW_GOAL_NONE, err);
    if (c < 0)
        return -1;
    table->columns[c].labels = calloc(1, sizeof *table->columns[c].labels);
    return table->columns[c].labels ? 0 : msw_fail_memory(err);
}

int msw_table_text_row(msw_table *table, const char *const *cells, msw_err *err)
{
    size_t row = table->rows;
    if (msw_table_resize(table, row + 1, err))
        return -1;
    for (size_t c = 0; c < table->column_count; c++) {
        if (!cells[c])
            continue;
        int label = msw_column_label(&table->columns[c], cells[c], err);
        if (label < 0)
            return -1;
        table->columns[c].values[row] = label;
    }
    return 0;
}
