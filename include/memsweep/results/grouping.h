/* SPDX-License-Identifier: MIT */
/* grouping: rows fall into groups by the values of columns. */
#ifndef MSW_CLI_GROUPING_H
#define MSW_CLI_GROUPING_H

#include "memsweep/base/table_builder.h"
#include "memsweep/base/text.h"

enum { MSW_GROUP_COLUMNS = 8 };

typedef struct msw_grouping {
    size_t count; /* columns; 0: all rows are one group */
    char *names[MSW_GROUP_COLUMNS];
    uint32_t groups; /* once numbered */
} msw_grouping;

/* Reads "workload, page_size": columns or expressions; NULL and "none" are none. Returns 0, or -1.
 */
int msw_grouping_read(const char *list, msw_grouping *grouping, msw_err *err);
void msw_grouping_free(msw_grouping *grouping);

/* Adds the columns to a list of those to read; they must come last. */
void msw_grouping_add(const msw_grouping *grouping, msw_text *columns);

/* Numbers the distinct values of a column 0, 1, ... in `group` (one per row; rows without a value
 * share a group). Returns 0 and their count, or -1. */
int msw_group_rows(const msw_column *column, size_t rows, uint32_t *group, uint32_t *count,
                   msw_err *err);

/* Numbers the groups of the rows read, by their first column, then by the second, and so on.
 * Returns 0, or -1. */
int msw_grouping_number(msw_grouping *grouping, const msw_table *table, uint32_t *group,
                        msw_err *err);

/* Names the group of a row: one cell per column. */
void msw_grouping_show(const msw_grouping *grouping, const msw_table *table, size_t row,
                       msw_table_builder *builder);

/* Figures look for one column of the name that was asked for: of several it is made. Returns 0, or
 * -1. */
int msw_grouping_join(const msw_grouping *grouping, const char *name, msw_table_builder *builder);

/* Calls `each` for every part of a list; a comma in brackets or quotes divides nothing. Returns 0,
 * or what `each` returned. */
int msw_list_each(const char *list, int (*each)(void *context, const char *part, size_t size),
                  void *context);

/* Counts the parts of a list. Returns how many there are. */
size_t msw_list_count(const char *list);

#endif
