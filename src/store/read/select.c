/* SPDX-License-Identifier: MIT */
/* A query in a user's words becomes one SELECT over a sweep's view. Every expression is checked
 * before it is spliced in. */
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/stated.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Length of the piece of a comma-separated list that starts at `s`. */
static size_t piece_length(const char *s)
{
    int depth = 0;
    char quote = 0;
    size_t i = 0;
    for (; s[i]; i++) {
        if (quote)
            quote = s[i] == quote ? 0 : quote;
        else if (s[i] == '\'' || s[i] == '"')
            quote = s[i];
        else if (s[i] == '(')
            depth++;
        else if (s[i] == ')')
            depth--;
        else if (s[i] == ',' && depth == 0)
            break;
    }
    return i;
}

static char *trimmed(const char *s, size_t size)
{
    while (size && strchr(" \t\n", *s)) {
        s++;
        size--;
    }
    while (size && strchr(" \t\n", s[size - 1]))
        size--;
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, s, size);
        copy[size] = '\0';
    }
    return copy;
}

/* Cuts " AS name" off the end of a column's text. Returns the name, or NULL when there is none. */
static char *cut_alias(char *text)
{
    size_t size = strlen(text), start = size;
    while (start && is_word(text[start - 1]))
        start--;
    size_t gap = start;
    while (gap && text[gap - 1] == ' ')
        gap--;
    if (start == size || gap == start || gap < 3 || strncasecmp(text + gap - 2, "AS", 2) != 0 ||
        text[gap - 3] != ' ')
        return NULL;
    text[gap - 3] = '\0';
    return text + start;
}

/* Cuts a final ASC or DESC off. Returns " DESC" or "". */
static const char *cut_direction(char *text)
{
    size_t size = strlen(text);
    if (size > 5 && strcasecmp(text + size - 5, " DESC") == 0) {
        text[size - 5] = '\0';
        return " DESC";
    }
    if (size > 4 && strcasecmp(text + size - 4, " ASC") == 0)
        text[size - 4] = '\0';
    return "";
}

/* Where the pieces of a query go, and against what they are checked. */
typedef struct composer {
    const msw_expr_name *names;
    size_t count;
    msw_text *sql;
} composer;

static int add_expression(composer *c, const char *text, msw_err *err)
{
    msw_text_add(c->sql, "(");
    if (msw_expr_splice(c->names, c->count, text, c->sql, err))
        return -1;
    msw_text_add(c->sql, ")");
    return 0;
}

static int add_output(composer *c, char *piece, msw_err *err)
{
    const char *alias = cut_alias(piece);
    if (add_expression(c, piece, err))
        return -1;
    msw_text_add(c->sql, " AS ");
    msw_text_add_sql_name(c->sql, alias ? alias : piece);
    return 0;
}

static int add_ordering(composer *c, char *piece, msw_err *err)
{
    const char *direction = cut_direction(piece);
    if (add_expression(c, piece, err))
        return -1;
    msw_text_add(c->sql, "%s", direction);
    return 0;
}

/* Puts the expression before a message about it; a name alone stands in the message. */
static int fail_piece(const char *from, size_t size, msw_err *err)
{
    while (size && *from == ' ')
        from++, size--;
    for (size_t i = 0; i < size && from[i] != ' '; i++)
        if (!isalnum((unsigned char)from[i]) && from[i] != '_')
            return msw_fail_prefix(err, "in '%.*s': ", (int)size, from);
    return -1;
}

static int add_list(composer *c, const char *list, int (*add)(composer *, char *, msw_err *),
                    msw_err *err)
{
    const char *separator = "";
    for (const char *s = list;; s++) {
        size_t size = piece_length(s);
        char *piece = trimmed(s, size);
        msw_text_add(c->sql, "%s", separator);
        int result = piece ? add(c, piece, err) : msw_fail_memory(err);
        free(piece);
        if (result)
            return fail_piece(s, size, err);
        separator = ", ";
        s += size;
        if (!*s)
            return 0;
    }
}

bool msw_view_is_doubt(const msw_view_column *column)
{
    return strcmp(column->name, MSW_DOUBT_NAME) == 0 && strcmp(column->role, "engine") == 0;
}

msw_shown msw_query_shown(const msw_query *query, const msw_view *view)
{
    msw_shown shown = {0};
    for (size_t i = 0; i < view->count; i++) {
        const msw_view_column *column = &view->columns[i];
        shown.limits |= query->within_limits && strcmp(column->name, MSW_LIMITS_NAME) == 0;
        shown.doubts |= query->trusted && msw_view_is_doubt(column);
        shown.stated |= strcmp(column->name, MSW_STATED_COLUMN) == 0;
    }
    return shown;
}

static int add_filter(composer *c, const msw_query *query, const msw_view *view, msw_err *err)
{
    bool filter = query->filter && *query->filter;
    msw_shown shown = msw_query_shown(query, view);
    const char *before = " WHERE ";
    if (filter) {
        msw_text_add(c->sql, "%s", before);
        MSW_TRY(add_expression(c, query->filter, err));
        before = " AND ";
    }
    if (shown.limits) {
        msw_text_add(c->sql, "%s" MSW_LIMITS_NAME " IS NOT 0", before);
        before = " AND ";
    }
    if (shown.doubts)
        msw_text_add(c->sql, "%s" MSW_DOUBT_NAME " IS NULL", before);
    return 0;
}

static int compose(composer *c, const msw_query *query, const msw_view *view, msw_err *err)
{
    msw_text_add(c->sql, "SELECT ");
    if (!query->columns || !*query->columns)
        msw_text_add(c->sql, "*");
    else if (add_list(c, query->columns, add_output, err))
        return -1;
    msw_text_add(c->sql, " FROM ");
    if (view->source)
        msw_text_add(c->sql, "(%s)", view->source);
    else
        msw_text_add(c->sql, "temp."), msw_text_add_sql_name(c->sql, view->name);
    if (add_filter(c, query, view, err))
        return -1;
    if (query->order && *query->order) {
        msw_text_add(c->sql, " ORDER BY ");
        if (add_list(c, query->order, add_ordering, err))
            return -1;
    }
    if (query->no_rows)
        msw_text_add(c->sql, " LIMIT 0");
    else if (query->limit > 0)
        msw_text_add(c->sql, " LIMIT %" PRId64, query->limit);
    return 0;
}

int msw_query_select(const msw_query *query, const msw_view *view, msw_text *sql, msw_err *err)
{
    msw_expr_name *names = calloc(view->count + 1, sizeof *names);
    if (!names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < view->count; i++)
        names[i] = (msw_expr_name){view->columns[i].name, view->columns[i].type};
    composer c = {names, view->count, sql};
    int result = compose(&c, query, view, err);
    free(names);
    return result == 0 && sql->failed ? msw_fail_memory(err) : result;
}
