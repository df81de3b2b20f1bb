/* SPDX-License-Identifier: MIT */
/* Walks over the words of expressions, and rewrites them. */
#include "expr/language.h"
#include "memsweep/base/quote.h"
#include "memsweep/expr/expr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Walks over the words of expressions without compiling them. */

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

msw_expr_word msw_expr_next(const char *text)
{
    msw_expr_word w = {.size = *text != '\0', .name = text};
    if (*text == '\'' || *text == '"') {
        const char *end = strchr(text + 1, *text);
        w.size = end ? (size_t)(end - text) + 1 : strlen(text);
        w.name_size = *text == '"' && end ? w.size - 2 : 0;
        w.name++;
    } else if (is_part(*text)) {
        while (is_part(text[w.size]))
            w.size++;
        w.name_size = isdigit((unsigned char)*text) ? 0 : w.size;
    }
    return w;
}

bool msw_expr_mentions(const char *text, const char *name)
{
    for (msw_expr_word w = {0}; *(text += w.size);) {
        w = msw_expr_next(text);
        if (w.name_size == strlen(name) && strncasecmp(w.name, name, w.name_size) == 0)
            return true;
    }
    return false;
}

enum { DEPTH_MAX = 64, WORD_MAX = 80, LISTED_MAX = 12 };

/* The owner of an open parenthesis. */
typedef struct frame {
    const msw_function *function; /* NULL: grouping, or a list after IN, LIKE, GLOB */
    bool list;                    /* commas are fine */
    bool filled;
    int commas;
} frame;

typedef struct rewriter {
    const msw_expr_name *names;
    bool *used;
    msw_text *out;
    msw_token last;
    const msw_keyword *last_keyword;
    const msw_function *call; /* function whose parenthesis comes next */
    frame frames[DEPTH_MAX];
    int depth;
} rewriter;

static bool is_keyword(const msw_keyword *found, const char *name)
{
    return found && strcmp(found->name, name) == 0;
}

bool msw_expr_is_word(const char *word)
{
    return msw_keyword_find(word) || msw_constant_nearest(word);
}

static bool is_value(msw_token_kind kind)
{
    return kind == MSW_TOKEN_NUMBER || kind == MSW_TOKEN_STRING || kind == MSW_TOKEN_WORD ||
           kind == MSW_TOKEN_QUOTED;
}

/* Spaces stay as written, except that two words never touch: x'00' would become a blob. */
static void add_gap(rewriter *r, const msw_token *token)
{
    if (r->last.kind == MSW_TOKEN_END)
        return;
    bool apart = r->last.start + r->last.size != token->start;
    if (apart || (is_value(r->last.kind) && is_value(token->kind)))
        msw_text_add_bytes(r->out, " ", 1);
}

static int add_token(rewriter *r, const msw_token *token)
{
    msw_text_add_bytes(r->out, token->start, token->size);
    return 0;
}

/* The name or constant that was probably meant; names are lower case. */
static const char *nearest_word(const rewriter *r, const char *word)
{
    char lower[WORD_MAX];
    snprintf(lower, sizeof lower, "%s", word);
    for (char *c = lower; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    const char *constant = msw_constant_nearest(word);
    if (constant)
        return constant;
    return msw_nearest(lower, &r->names->name, sizeof *r->names);
}

/* How long the text is that starts here, if the word with its slashes was meant as text. */
static size_t text_size(const char *start)
{
    size_t size = 0;
    while (isalnum((unsigned char)start[size]) || (start[size] && strchr("_./", start[size])))
        size++;
    return size;
}

static int fail_name(const rewriter *r, const char *word, const char *start, msw_err *err)
{
    const char *nearest = nearest_word(r, word);
    if (nearest)
        return msw_fail(err, "no parameter or metric '%s', did you mean '%s'?", word, nearest);
    if (msw_expr_is_keyword(word))
        return msw_fail(err,
                        "'%s' is not allowed: an expression is made of names, numbers, 'texts', "
                        "operators and functions",
                        word);
    size_t size = text_size(start);
    if (size > strlen(word))
        return msw_fail(err, "no parameter or metric '%s'; text goes in quotes: '%.*s'", word,
                        (int)size, start);
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < LISTED_MAX && r->names[i].name; i++)
        msw_text_add(&known, "%s%s", i ? ", " : "; known: ", r->names[i].name);
    msw_fail(err, "no parameter or metric '%s'%s; text goes in quotes: '%s'", word,
             msw_text_str(&known), word);
    msw_text_free(&known);
    return -1;
}

/* Appends a name so that SQL takes it as a column. */
static void add_name(const char *name, msw_text *out)
{
    bool plain = name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
    if (plain && !msw_expr_is_keyword(name))
        msw_text_add(out, "%s", name);
    else
        msw_text_add_sql_name(out, name);
}

static bool use_name(rewriter *r, const char *word)
{
    for (size_t i = 0; r->names[i].name; i++)
        if (strcmp(r->names[i].name, word) == 0) {
            if (r->used)
                r->used[i] = true;
            add_name(word, r->out);
            return true;
        }
    return false;
}

static int rewrite_type(rewriter *r, const msw_token *token, const char *word, msw_err *err)
{
    if (msw_cast_type_is(word))
        return add_token(r, token);
    return msw_fail(err, "'%s' is no type, allowed after AS: INTEGER, REAL, TEXT, NUMERIC", word);
}

static int rewrite_call(rewriter *r, const msw_token *token, const char *word, msw_err *err)
{
    r->call = msw_function_find(token->start, token->size);
    return r->call ? add_token(r, token) : msw_function_refuse(word, err);
}

static int copy_word(const msw_token *token, size_t quotes, char word[WORD_MAX], msw_err *err)
{
    size_t size = token->size - 2 * quotes;
    if (size >= WORD_MAX)
        return msw_fail(err, "'%.40s...' is too long for a name", token->start + quotes);
    memcpy(word, token->start + quotes, size);
    word[size] = '\0';
    return 0;
}

static int rewrite_word(rewriter *r, const msw_token *token, msw_err *err)
{
    char word[WORD_MAX];
    if (copy_word(token, 0, word, err) != 0)
        return -1;
    bool after_as = is_keyword(r->last_keyword, "AS");
    r->last_keyword = NULL;
    if (after_as)
        return rewrite_type(r, token, word, err);
    const msw_keyword *found = msw_keyword_find(word);
    const char *behind = token->start + token->size;
    if (!found && behind[strspn(behind, " \t\n\r\f")] == '(')
        return rewrite_call(r, token, word, err);
    if (use_name(r, word))
        return 0;
    const char *number = msw_constant_find(word);
    if (number)
        msw_text_add(r->out, "%s", number);
    r->last_keyword = found;
    if (!number && !found)
        return fail_name(r, word, token->start, err);
    return number ? 0 : add_token(r, token);
}

static int rewrite_quoted(rewriter *r, const msw_token *token, msw_err *err)
{
    char word[WORD_MAX];
    if (copy_word(token, 1, word, err) != 0)
        return -1;
    return use_name(r, word) ? 0 : fail_name(r, word, token->start, err);
}

static int open_frame(rewriter *r, const msw_token *token, msw_err *err)
{
    if (r->depth == DEPTH_MAX)
        return msw_fail(err, "'(' is nested deeper than %d", DEPTH_MAX);
    bool list = r->call || (r->last_keyword && r->last_keyword->list);
    r->frames[r->depth++] = (frame){r->call, list, false, 0};
    r->call = NULL;
    return add_token(r, token);
}

static int fail_count(const frame *f, int count, msw_err *err)
{
    const msw_function *function = f->function;
    if (function->min > 1 && count == 1 && function->max > function->min)
        return msw_fail(err,
                        "%s() needs %d arguments or more (there are no rows to aggregate over)",
                        function->name, function->min);
    if (function->min == function->max)
        return msw_fail(err, "%s() takes %d argument%s, not %d", function->name, function->min,
                        function->min == 1 ? "" : "s", count);
    return msw_fail(err, "%s() takes %d to %d arguments, not %d", function->name, function->min,
                    function->max, count);
}

static int close_frame(rewriter *r, const msw_token *token, msw_err *err)
{
    if (r->depth == 0)
        return msw_fail(err, "')' has no '(' before it");
    const frame *f = &r->frames[--r->depth];
    int count = f->filled ? f->commas + 1 : 0;
    if (f->function && (count < f->function->min || count > f->function->max))
        return fail_count(f, count, err);
    return add_token(r, token);
}

static int rewrite_comma(rewriter *r, const msw_token *token, msw_err *err)
{
    if (r->depth == 0 || !r->frames[r->depth - 1].list)
        return msw_fail(err,
                        "',' belongs between the arguments of a function or in a list after IN");
    r->frames[r->depth - 1].commas++;
    return add_token(r, token);
}

static int rewrite_token(rewriter *r, const msw_token *token, msw_err *err)
{
    if (is_keyword(r->last_keyword, "IN") && token->kind != MSW_TOKEN_OPEN)
        return msw_fail(err, "IN needs a list in parentheses, not '%.*s'", (int)token->size,
                        token->start);
    if (r->depth > 0 && token->kind != MSW_TOKEN_CLOSE)
        r->frames[r->depth - 1].filled = true;
    if (token->kind == MSW_TOKEN_WORD)
        return rewrite_word(r, token, err);
    int rc;
    if (token->kind == MSW_TOKEN_OPEN)
        rc = open_frame(r, token, err);
    else if (token->kind == MSW_TOKEN_CLOSE)
        rc = close_frame(r, token, err);
    else if (token->kind == MSW_TOKEN_COMMA)
        rc = rewrite_comma(r, token, err);
    else if (token->kind == MSW_TOKEN_QUOTED)
        rc = rewrite_quoted(r, token, err);
    else
        rc = add_token(r, token);
    r->last_keyword = NULL;
    return rc;
}

static int check_end(const rewriter *r, msw_err *err)
{
    const msw_token *last = &r->last;
    if (last->kind == MSW_TOKEN_END)
        return msw_fail(err, "the expression is empty");
    bool open = last->kind == MSW_TOKEN_OPERATOR || (r->last_keyword && !r->last_keyword->ends);
    if (open)
        return msw_fail(err, "the expression stops after '%.*s'", (int)last->size, last->start);
    if (r->depth > 0)
        return msw_fail(err, "%d '(' without ')'", r->depth);
    return 0;
}

int msw_expr_rewrite(const msw_expr_name *names, const char *text, bool *used, msw_text *out,
                     msw_err *err)
{
    rewriter r = {.names = names, .used = used, .out = out, .last = {MSW_TOKEN_END, text, 0}};
    msw_token token;
    for (;; r.last = token) {
        if (msw_token_read(r.last.start + r.last.size, &token, err) != 0)
            return -1;
        if (token.kind == MSW_TOKEN_END)
            break;
        add_gap(&r, &token);
        if (rewrite_token(&r, &token, err) != 0)
            return -1;
    }
    if (check_end(&r, err) != 0)
        return -1;
    return out->failed ? msw_fail_memory(err) : 0;
}
