/* SPDX-License-Identifier: MIT */
#include "cli/rows.h"

int cli_read_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                  msw_table *table, msw_err *err)
{
    cli_sweep found;
    if (cli_sweep_word(which, &found, err))
        return -1;
    query.sweep = found.word;
    return (which->distinct ? msw_read_distinct : msw_read_rows)(&c->context, file, &query, table,
                                                                 err);
}
