/* SPDX-License-Identifier: MIT */
/* The columns of the sweep that figures show. */
#include "memsweep/figure/figure.h"
#include "memsweep/mech/mechanism.h"

#include <stdlib.h>
#include <string.h>

int msw_plot_select(msw_plot *p, msw_text *sql, msw_table *table)
{
    msw_query query = {.sweep = p->sweep.name, .sql = msw_text_str(sql)};
    int rc =
        sql->failed ? msw_fail_memory(p->err) : msw_store_read(p->store, &query, table, p->err);
    msw_text_free(sql);
    return rc;
}

const msw_column *msw_plot_column(const msw_plot *p, const char *name, msw_err *err)
{
    int c = msw_table_find(&p->columns, name);
    if (c >= 0)
        return &p->columns.columns[c];
    const char *best = NULL;
    const char **names = calloc(p->columns.column_count + 1, sizeof *names);
    for (size_t i = 0; names && i < p->columns.column_count; i++)
        names[i] = p->columns.columns[i].name;
    if (names)
        best = msw_nearest(name, names, sizeof *names);
    msw_fail(err, "sweep '%s' has no column '%s'%s%s%s", p->sweep.name, name,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    free(names);
    return NULL;
}

void msw_plot_label(const msw_column *column, msw_text *out)
{
    bool unit = column->unit && *column->unit && strcmp(column->unit, column->name) != 0;
    msw_text_add(out, "%s", column->name);
    if (unit)
        msw_text_add(out, " (%s)", column->unit);
}
