/* SPDX-License-Identifier: MIT */
#include "workload/simt/file/tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lexer {
    msw_simt_tokens *tokens;
    const char *next, *end, *line_start;
    uint32_t line;
    int depth; /* of brackets */
    msw_err *err;
} lexer;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static msw_simt_token *add(lexer *l, msw_simt_token_kind kind, size_t size)
{
    msw_simt_token *t = &l->tokens->list[l->tokens->count++];
    *t = (msw_simt_token){.kind = kind,
                          .size = (uint32_t)size,
                          .line = l->line,
                          .column = (uint32_t)(l->next - l->line_start) + 1,
                          .text = l->next};
    l->next += size;
    return t;
}

static size_t word_size(const char *from, const char *end)
{
    const char *c = from;
    while (c < end && (is_letter(*c) || is_digit(*c)))
        c++;
    return (size_t)(c - from);
}

static int shift_of(const char *suffix, size_t size)
{
    static const char UNITS[] = "KMGT";
    const char *unit = size == 2 && suffix[1] == 'i' ? strchr(UNITS, suffix[0]) : NULL;
    return unit && *unit ? 10 * (int)(unit - UNITS + 1) : size ? -1 : 0;
}

static int digit_value(char c, int base)
{
    int letter = (c | 0x20) - 'a';
    if (is_digit(c))
        return c - '0';
    return base == 16 && letter >= 0 && letter < 6 ? letter + 10 : -1;
}

bool msw_simt_read_integer(const char *text, size_t size, int64_t *value)
{
    bool hex = size > 2 && text[0] == '0' && text[1] == 'x';
    const char *c = hex ? text + 2 : text, *start = c, *end = text + size;
    int base = hex ? 16 : 10, digit;
    *value = 0;
    for (; c < end && (digit = digit_value(*c, base)) >= 0; c++) {
        if (*value >= INT64_C(1) << 57)
            return false;
        *value = *value * base + digit;
    }
    int shift = shift_of(c, (size_t)(end - c));
    if (c == start || shift < 0 || *value >= (INT64_C(1) << 62) >> shift)
        return false;
    *value <<= shift;
    return true;
}

bool msw_simt_token_is(const msw_simt_token *token, const char *text)
{
    return (token->kind == MSW_SIMT_TOKEN_WORD || token->kind == MSW_SIMT_TOKEN_SYMBOL) &&
           strlen(text) == token->size && memcmp(token->text, text, token->size) == 0;
}

int msw_simt_token_fail(const msw_simt_tokens *tokens, const msw_simt_token *at, msw_err *err,
                        const char *allowed, ...)
{
    char text[400];
    va_list args;
    va_start(args, allowed);
    vsnprintf(text, sizeof text, allowed, args);
    va_end(args);
    if (at->kind == MSW_SIMT_TOKEN_LINE || at->kind == MSW_SIMT_TOKEN_END)
        return msw_fail(err, "%s:%u:%u: found the end of the %s, allowed: %s", tokens->file,
                        at->line, at->column, at->kind == MSW_SIMT_TOKEN_LINE ? "line" : "file",
                        text);
    return msw_fail(err, "%s:%u:%u: found '%.*s', allowed: %s", tokens->file, at->line, at->column,
                    at->size < 32 ? (int)at->size : 32, at->text, text);
}

/* The number's characters that are not in a word: a point with a digit behind it and the sign of
 * an exponent. */
static size_t number_size(const char *from, const char *end)
{
    const char *c = from + word_size(from, end);
    if (end - c > 1 && *c == '.' && is_digit(c[1]))
        c += 1 + word_size(c + 1, end);
    bool hex = end - from > 1 && from[1] == 'x';
    if (!hex && c > from && (c[-1] | 0x20) == 'e' && end - c > 1 && (*c == '-' || *c == '+') &&
        is_digit(c[1]))
        c += 1 + word_size(c + 1, end);
    return (size_t)(c - from);
}

static int add_number(lexer *l)
{
    size_t size = number_size(l->next, l->end);
    msw_simt_token *t = add(l, MSW_SIMT_TOKEN_INTEGER, size);
    char text[64] = "", *end;
    if (msw_simt_read_integer(t->text, size, &t->integer))
        return 0;
    t->kind = MSW_SIMT_TOKEN_REAL;
    if (size < sizeof text)
        memcpy(text, t->text, size);
    t->real = strtod(text, &end);
    if (end != text && !*end && strpbrk(text, ".eE") && text[1] != 'x')
        return 0;
    return msw_simt_token_fail(l->tokens, t, l->err, "numbers like 4096, 16Mi, 0x10, 0.5 or 1e-3");
}

static int add_symbol(lexer *l)
{
    static const char *const LONG[] = {"..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||"};
    static const char ONES[] = "()[]{}=,+-*/%&|^~!<>?:";
    for (size_t i = 0; i < sizeof LONG / sizeof *LONG; i++)
        if (l->end - l->next > 1 && memcmp(l->next, LONG[i], 2) == 0) {
            add(l, MSW_SIMT_TOKEN_SYMBOL, 2);
            return 0;
        }
    msw_simt_token *t = add(l, MSW_SIMT_TOKEN_SYMBOL, 1);
    const char *known = *t->text ? strchr(ONES, *t->text) : NULL;
    if (!known)
        return msw_fail(l->err,
                        "%s:%u:%u: found a character of code %d, allowed: words, numbers, "
                        "%s and # before a comment",
                        l->tokens->file, t->line, t->column, (unsigned char)*t->text, ONES);
    l->depth += strchr("([{", *known) ? 1 : strchr(")]}", *known) ? -1 : 0;
    return 0;
}

/* The rest of the line up to a comment, without blanks around it. */
static void add_text(lexer *l)
{
    while (l->next < l->end && (*l->next == ' ' || *l->next == '\t'))
        l->next++;
    const char *stop = l->next;
    while (stop < l->end && *stop != '\n' && *stop != '#')
        stop++;
    const char *after = stop;
    while (stop > l->next && strchr(" \t\r", stop[-1]))
        stop--;
    add(l, MSW_SIMT_TOKEN_TEXT, (size_t)(stop - l->next));
    l->next = after;
}

static bool starts_statement(const lexer *l)
{
    size_t count = l->tokens->count;
    return count == 0 || l->tokens->list[count - 1].kind == MSW_SIMT_TOKEN_LINE;
}

static void add_word(lexer *l)
{
    bool first = starts_statement(l);
    msw_simt_token *t = add(l, MSW_SIMT_TOKEN_WORD, word_size(l->next, l->end));
    if (first && (msw_simt_token_is(t, "title") || msw_simt_token_is(t, "ptx")))
        add_text(l);
}

/* Does the statement go on behind this line? */
static bool goes_on(const lexer *l)
{
    if (l->depth > 0 || starts_statement(l))
        return true;
    const msw_simt_token *last = &l->tokens->list[l->tokens->count - 1];
    return last->kind == MSW_SIMT_TOKEN_SYMBOL && !strchr(")]}", *last->text);
}

static void end_line(lexer *l)
{
    if (goes_on(l))
        l->next++;
    else
        add(l, MSW_SIMT_TOKEN_LINE, 1);
    l->line++;
    l->line_start = l->next;
}

static int read_all(lexer *l)
{
    while (l->next < l->end) {
        char c = *l->next;
        int rc = 0;
        if (c == '\n')
            end_line(l);
        else if (c == ' ' || c == '\t' || c == '\r')
            l->next++;
        else if (c == '#')
            while (l->next < l->end && *l->next != '\n')
                l->next++;
        else if (is_letter(c))
            add_word(l);
        else
            rc = is_digit(c) ? add_number(l) : add_symbol(l);
        if (rc)
            return -1;
    }
    return 0;
}

int msw_simt_tokens_read(const char *file, const char *bytes, size_t size, msw_arena *arena,
                         msw_simt_tokens *tokens, msw_err *err)
{
    if (size > MSW_SIMT_FILE_MAX)
        return msw_fail(err, "%s: found %zu bytes, allowed: up to %d", file, size,
                        MSW_SIMT_FILE_MAX);
    *tokens = (msw_simt_tokens){.file = file,
                                .list = msw_arena_take(arena, (size + 3) * sizeof *tokens->list)};
    if (!tokens->list)
        return msw_fail_memory(err);
    lexer l = {.tokens = tokens,
               .next = bytes,
               .end = bytes + size,
               .line_start = bytes,
               .line = 1,
               .err = err};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        l.next = l.line_start = bytes + 3;
    if (read_all(&l))
        return -1;
    if (!starts_statement(&l))
        add(&l, MSW_SIMT_TOKEN_LINE, 0);
    add(&l, MSW_SIMT_TOKEN_END, 0);
    return 0;
}
