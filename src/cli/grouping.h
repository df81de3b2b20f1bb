/* Private to the commands with --group-by: rows fall into groups by the values of columns. */
#ifndef MEMSWEEP_CLI_GROUPING_H
#define MEMSWEEP_CLI_GROUPING_H

#include "sheet.h"

enum { CLI_GROUP_COLUMNS = 8 };

typedef struct cli_grouping {
    size_t count; /* columns; 0: all rows are one group */
    char *names[CLI_GROUP_COLUMNS];
    uint32_t groups; /* once numbered */
} cli_grouping;

/* Reads "workload, page_size": columns or expressions; NULL and "none" are none. Returns 0, or -1.
 */
int cli_grouping_read(const char *list, cli_grouping *grouping, msw_err *err);
void cli_grouping_free(cli_grouping *grouping);

/* Adds the columns to a list of those to read; they must come last. */
void cli_grouping_add(const cli_grouping *grouping, msw_text *columns);

/* Numbers the groups of the rows read, by their first column, then by the second, and so on.
 * Returns 0, or -1. */
int cli_grouping_number(cli_grouping *grouping, const msw_table *table, uint32_t *group,
                        msw_err *err);

/* Names the group of a row: one cell per column. */
void cli_grouping_show(const cli_grouping *grouping, const msw_table *table, size_t row,
                       cli_sheet *sheet);

/* Figures look for one column of the name that was asked for: of several it is made. Returns 0, or
 * -1. */
int cli_grouping_join(const cli_grouping *grouping, const char *name, cli_sheet *sheet);

/* Calls `each` for every part of a list; a comma in brackets or quotes divides nothing. Returns 0,
 * or what `each` returned. */
int cli_list_each(const char *list, int (*each)(void *context, const char *part, size_t size),
                  void *context);

/* Counts the parts of a list. Returns how many there are. */
size_t cli_list_count(const char *list);

#endif
