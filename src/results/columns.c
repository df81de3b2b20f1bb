/* SPDX-License-Identifier: MIT */
/* Finds which columns say something: a few rows decide about most, the others are read again. */
#include "memsweep/results/columns.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"
#include "memsweep/results/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int begin(msw_columns *columns, const msw_table *block, msw_err *err)
{
    columns->list = calloc(block->column_count + 1, sizeof *columns->list);
    if (!columns->list)
        return msw_fail_memory(err);
    for (; columns->count < block->column_count; columns->count++) {
        columns->list[columns->count].name = msw_strdup(block->columns[columns->count].name);
        if (!columns->list[columns->count].name)
            return msw_fail_memory(err);
    }
    return 0;
}

/* Labels have other numbers from one query to the next, and whole numbers that are one as doubles
 * differ as texts. */
static bool is_first(const msw_column_facts *facts, const msw_column *column, size_t row)
{
    int64_t whole;
    if (column->labels && !isnan(column->values[row]))
        return !isnan(facts->first) && strcmp(column->labels[(size_t)column->values[row]],
                                              msw_text_str(&facts->value)) == 0;
    if (memcmp(&column->values[row], &facts->first, sizeof facts->first) != 0)
        return false;
    if (column->labels || !msw_column_whole(column, row, &whole))
        return true;
    msw_text text = MSW_TEXT_EMPTY;
    msw_format_cell(column, row, false, &text);
    bool same = strcmp(msw_text_str(&text), msw_text_str(&facts->value)) == 0;
    msw_text_free(&text);
    return same;
}

/* The first value as an expression. */
static void add_literal(const msw_column *column, msw_text *out)
{
    msw_text exact = MSW_TEXT_EMPTY;
    msw_format_cell(column, 0, true, &exact);
    if (column->labels)
        msw_text_add_sql_string(out, msw_text_str(&exact));
    else
        msw_text_add(out, "%s", msw_text_str(&exact));
    msw_text_free(&exact);
}

static void note_column(msw_column_facts *facts, const msw_column *column, size_t rows)
{
    if (!facts->known && rows) {
        facts->first = column->values[0];
        msw_format_cell(column, 0, false, &facts->value);
        add_literal(column, &facts->literal);
        facts->known = true;
    }
    for (size_t r = 0; r < rows; r++) {
        facts->any = facts->any || !isnan(column->values[r]);
        facts->nonzero = facts->nonzero || fabs(column->values[r]) > 0;
        if (facts->differs && facts->nonzero)
            return;
        facts->differs = facts->differs || !is_first(facts, column, r);
    }
}

/* The columns of a block are all or some of them, in their order. */
int msw_columns_note(void *context, const msw_table *block, msw_err *err)
{
    msw_columns *columns = context;
    size_t at = 0;
    if (!columns->list && begin(columns, block, err))
        return -1;
    for (size_t c = 0; c < block->column_count; c++, at++) {
        while (at < columns->count && strcmp(columns->list[at].name, block->columns[c].name) != 0)
            at++;
        if (at == columns->count)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "columns are in another order");
        note_column(&columns->list[at], &block->columns[c], block->rows);
    }
    columns->rows += block->rows;
    return 0;
}

/* ---- what a column says ---- */

static bool is_decided(const msw_columns *columns, const msw_column_facts *facts)
{
    if (!columns->varying)
        return facts->any;
    return msw_is_bookkeeping(facts->name) ||
           (facts->differs && (facts->nonzero || !msw_is_half_width(facts->name)));
}

static bool is_own(const msw_column_facts *facts)
{
    return msw_is_bookkeeping(facts->name) || (msw_is_half_width(facts->name) && !facts->nonzero);
}

bool msw_columns_tells(const msw_columns *columns, size_t c)
{
    const msw_column_facts *facts = &columns->list[c];
    if (!facts->any)
        return columns->rows == 0;
    return !columns->varying || (!is_own(facts) && (facts->differs || columns->rows < 2));
}

static void add_name(const char *name, msw_text *list)
{
    msw_text_add(list, "%s%s", list->size ? ", " : "", name);
}

void msw_columns_list(const msw_columns *columns, msw_text *list)
{
    for (size_t c = 0; c < columns->count; c++)
        if (msw_columns_tells(columns, c))
            add_name(columns->list[c].name, list);
}

size_t msw_columns_silent(const msw_columns *columns, msw_text *same)
{
    size_t empty = 0;
    for (size_t c = 0; c < columns->count; c++) {
        const msw_column_facts *facts = &columns->list[c];
        if (msw_columns_tells(columns, c))
            continue;
        empty += !facts->any;
        if (facts->any && !is_own(facts))
            msw_text_add(same, "%s%s %s", same->size ? ", " : "", facts->name,
                         msw_text_str(&facts->value));
    }
    return empty;
}

void msw_columns_free(msw_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++) {
        free(columns->list[c].name);
        msw_text_free(&columns->list[c].value);
        msw_text_free(&columns->list[c].literal);
    }
    free(columns->list);
    *columns = (msw_columns){0};
}

/* ---- reading ---- */

/* How many rows are looked at in one go. */
enum { FEW = 4096 };

static int note_rows(const msw_context *context, const char *word, msw_query query,
                     msw_columns *columns, msw_err *err)
{
    msw_table table = {0};
    query.limit = FEW;
    int rc =
        msw_read_rows(context, word, &query, &table, err) || msw_columns_note(columns, &table, err);
    msw_table_free(&table);
    return rc ? -1 : 0;
}

/* What holds of a column as long as nothing new is known of it. */
static void add_condition(const msw_columns *columns, const msw_column_facts *facts, msw_text *out)
{
    if (msw_is_half_width(facts->name) && !facts->nonzero && columns->varying)
        msw_text_add(out, "ifnull(%s, 0) = 0", facts->name);
    else if (!facts->any)
        msw_text_add(out, "%s IS NULL", facts->name);
    else
        msw_text_add(out, "%s IS %s", facts->name, msw_text_str(&facts->literal));
}

/* Lists the columns that are not decided, and the condition of rows that would decide one of the
 * first `most`. */
static size_t list_undecided(const msw_columns *columns, const char *filter, size_t most,
                             msw_text *names, msw_text *condition)
{
    size_t count = 0;
    msw_text_clear(names);
    msw_text_clear(condition);
    if (filter && *filter)
        msw_text_add(condition, "(%s) AND ", filter);
    for (size_t c = 0; c < columns->count; c++) {
        const msw_column_facts *facts = &columns->list[c];
        if (is_decided(columns, facts))
            continue;
        add_name(facts->name, names);
        if (count++ >= most)
            continue;
        msw_text_add(condition, count > 1 ? " AND " : "NOT (");
        add_condition(columns, facts, condition);
    }
    msw_text_add(condition, ")");
    return count;
}

/* SQLite passes over rows that say nothing new; each round decides a column or is the last. The
 * first asks for the first column alone: the workload, in whose rows others differ, too. A number
 * that SQLite does not read back as it was, or more columns than an expression may join, would be
 * in the way: then the rows are read. */
static int decide(const msw_context *context, const char *word, const msw_query *query,
                  msw_columns *columns, msw_err *err)
{
    enum { JOINED_MOST = 200 };
    msw_text names = MSW_TEXT_EMPTY, condition = MSW_TEXT_EMPTY;
    msw_query next = *query;
    size_t before = SIZE_MAX, most = 1, left, rows;
    int rc = 0;
    while (rc == 0 &&
           (left = list_undecided(columns, query->filter, most, &names, &condition)) > 0) {
        next.columns = msw_text_str(&names);
        rows = columns->rows;
        if (names.failed || condition.failed) {
            rc = msw_fail_memory(err);
        } else if (left >= before || left > JOINED_MOST) {
            rc = msw_read_blocks(context, word, &next, msw_columns_note, columns, err);
            break;
        } else {
            next.filter = msw_text_str(&condition);
            rc = note_rows(context, word, next, columns, err);
            next.filter = query->filter;
        }
        if (columns->rows == rows && most > 1)
            break;
        before = most > 1 ? left : SIZE_MAX;
        most = SIZE_MAX;
    }
    msw_text_free(&names);
    msw_text_free(&condition);
    return rc;
}

int msw_columns_read(const msw_context *context, const char *word, const msw_query *query,
                     msw_columns *columns, msw_err *err)
{
    msw_query all = *query;
    all.order = NULL;
    MSW_TRY(note_rows(context, word, all, columns, err));
    return columns->rows == FEW ? decide(context, word, &all, columns, err) : 0;
}
