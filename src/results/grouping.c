/* SPDX-License-Identifier: MIT */
#include "memsweep/results/grouping.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/format/format.h"

#include "memsweep/base/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* End of the part that starts here. */
static const char *part_end(const char *at)
{
    int depth = 0;
    char quote = '\0';
    for (; *at && (quote || depth > 0 || *at != ','); at++) {
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else
            depth += (*at == '(') - (*at == ')');
    }
    return at;
}

int msw_list_each(const char *list, int (*each)(void *context, const char *part, size_t size),
                  void *context)
{
    int rc = 0;
    while (*list && rc == 0) {
        const char *end = part_end(list), *last = end;
        list += strspn(list, " \t");
        while (last > list && strchr(" \t", last[-1]))
            last--;
        if (last > list)
            rc = each(context, list, (size_t)(last - list));
        list = *end ? end + 1 : end;
    }
    return rc;
}

static int count_part(void *context, const char *part, size_t size)
{
    (void)part;
    (void)size;
    ++*(size_t *)context;
    return 0;
}

size_t msw_list_count(const char *list)
{
    size_t count = 0;
    msw_list_each(list, count_part, &count);
    return count;
}

/* ---- columns ---- */

typedef struct reader {
    msw_grouping *grouping;
    msw_err *err;
} reader;

static int add_name(void *context, const char *part, size_t size)
{
    reader *r = context;
    msw_grouping *g = r->grouping;
    if (g->count == MSW_GROUP_COLUMNS)
        return msw_fail(r->err, "--group-by: more than %d columns", MSW_GROUP_COLUMNS);
    for (size_t i = 0; i < g->count; i++)
        if (strlen(g->names[i]) == size && strncmp(g->names[i], part, size) == 0)
            return msw_fail(r->err, "--group-by names '%s' twice", g->names[i]);
    char *name = msw_strfmt("%.*s", (int)size, part);
    if (!name)
        return msw_fail_memory(r->err);
    g->names[g->count++] = name;
    return 0;
}

int msw_grouping_read(const char *list, msw_grouping *g, msw_err *err)
{
    *g = (msw_grouping){.groups = 1};
    if (!list || strcmp(list, "none") == 0)
        return 0;
    return msw_list_each(list, add_name, &(reader){g, err});
}

void msw_grouping_free(msw_grouping *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->names[i]);
    *g = (msw_grouping){0};
}

void msw_grouping_add(const msw_grouping *g, msw_text *columns)
{
    for (size_t i = 0; i < g->count; i++)
        msw_text_add(columns, ", %s AS group_%zu", g->names[i], i + 1);
}

static const msw_column *column_of(const msw_grouping *g, const msw_table *table, size_t i)
{
    return &table->columns[table->column_count - g->count + i];
}

/* ---- groups ---- */

/* Total order with "not there" at the end. */
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

int msw_group_rows(const msw_column *column, size_t rows, uint32_t *group, uint32_t *count,
                   msw_err *err)
{
    double *distinct = malloc((rows + 1) * sizeof *distinct);
    if (!distinct)
        return msw_fail_memory(err);
    memcpy(distinct, column->values, rows * sizeof *distinct);
    msw_sort(distinct, rows, sizeof *distinct, compare);
    size_t kept = 0;
    for (size_t r = 0; r < rows; r++)
        if (!kept || compare(&distinct[kept - 1], &distinct[r]) != 0)
            distinct[kept++] = distinct[r];
    for (size_t r = 0; r < rows; r++) {
        size_t at;
        MSW_SEARCH(at, 0, kept, compare(&distinct[at], &column->values[r]) < 0);
        group[r] = (uint32_t)at;
    }
    *count = (uint32_t)kept;
    free(distinct);
    return 0;
}

/* Divides each group by the values of one more column. */
static int divide(msw_grouping *g, const msw_column *column, size_t rows, uint32_t *group,
                  msw_err *err)
{
    uint32_t count, *own = malloc((rows + 1) * sizeof *own);
    double *both = malloc((rows + 1) * sizeof *both);
    int rc = own && both ? msw_group_rows(column, rows, own, &count, err) : msw_fail_memory(err);
    if (rc == 0) {
        for (size_t r = 0; r < rows; r++)
            both[r] = (double)group[r] * count + own[r];
        msw_column joined = {.values = both};
        rc = msw_group_rows(&joined, rows, group, &g->groups, err);
    }
    free(own);
    free(both);
    return rc;
}

int msw_grouping_number(msw_grouping *g, const msw_table *table, uint32_t *group, msw_err *err)
{
    g->groups = 1;
    memset(group, 0, table->rows * sizeof *group);
    for (size_t i = 0; i < g->count; i++)
        if (divide(g, column_of(g, table, i), table->rows, group, err))
            return -1;
    return 0;
}

void msw_grouping_show(const msw_grouping *g, const msw_table *table, size_t row,
                       msw_table_builder *builder)
{
    for (size_t i = 0; i < g->count; i++) {
        msw_text name = MSW_TEXT_EMPTY;
        msw_format_cell(column_of(g, table, i), row, true, &name);
        msw_builder_made(builder, g->names[i], &name);
        msw_text_free(&name);
    }
}

static void join_row(const msw_grouping *g, size_t row, msw_table *table, msw_text *out)
{
    msw_text_clear(out);
    for (size_t i = 0; i < g->count; i++) {
        int c = msw_table_find(table, g->names[i]);
        msw_text_add(out, i ? ", " : "");
        if (c >= 0)
            msw_format_cell(&table->columns[c], row, true, out);
    }
}

int msw_grouping_join(const msw_grouping *g, const char *name, msw_table_builder *builder)
{
    msw_table *table = &builder->table;
    msw_text text = MSW_TEXT_EMPTY;
    if (g->count < 2)
        return 0;
    int rc = msw_table_text_column(table, name, builder->err);
    msw_column *column = &table->columns[table->column_count - 1];
    for (size_t row = 0; row < table->rows && rc == 0; row++) {
        join_row(g, row, table, &text);
        int label = msw_text_check(&text, builder->err)
                        ? -1
                        : msw_column_label(column, msw_text_str(&text), builder->err);
        column->values[row] = label;
        rc = label < 0 ? -1 : 0;
    }
    msw_text_free(&text);
    return rc;
}
