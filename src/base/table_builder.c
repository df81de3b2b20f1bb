/* SPDX-License-Identifier: MIT */
#include "memsweep/base/table_builder.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/text_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void msw_builder_row(msw_table_builder *builder)
{
    if (msw_table_resize(&builder->table, builder->table.rows + 1, builder->err))
        builder->failed = true;
}

static msw_column *find_column(msw_table_builder *builder, const char *name, bool text)
{
    if (builder->failed)
        return NULL;
    int c = msw_table_find(&builder->table, name);
    if (c < 0 && text && msw_table_text_column(&builder->table, name, builder->err) == 0)
        c = (int)builder->table.column_count - 1;
    else if (c < 0 && !text)
        c = msw_table_add_column(&builder->table, name, "", MSW_GOAL_NONE, builder->err);
    builder->failed = c < 0;
    return c < 0 ? NULL : &builder->table.columns[c];
}

void msw_builder_number(msw_table_builder *builder, const char *name, double value)
{
    msw_column *column = find_column(builder, name, false);
    if (column)
        column->values[builder->table.rows - 1] = value;
}

void msw_builder_count(msw_table_builder *builder, const char *name, uint64_t count)
{
    msw_column *column = find_column(builder, name, false);
    if (!column)
        return;
    column->integer = true;
    column->values[builder->table.rows - 1] = (double)count;
}

void msw_builder_text(msw_table_builder *builder, const char *name, const char *text)
{
    msw_column *column = find_column(builder, name, true);
    int label = column && text ? msw_column_label(column, text, builder->err) : 0;
    if (label < 0)
        builder->failed = true;
    else if (column && text)
        column->values[builder->table.rows - 1] = label;
}

void msw_builder_made(msw_table_builder *builder, const char *name, const msw_text *text)
{
    if (msw_text_check(text, builder->err))
        builder->failed = true;
    else
        msw_builder_text(builder, name, msw_text_str(text));
}
