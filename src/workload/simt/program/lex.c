/* SPDX-License-Identifier: MIT */
/* PTX text as tokens. */
#include "workload/simt/program/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct scanner {
    const char *text;
    size_t size, at;
    uint32_t line;
} scanner;

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static char peek(const scanner *s, size_t ahead)
{
    return s->at + ahead < s->size ? s->text[s->at + ahead] : '\0';
}

static bool skip_comment(scanner *s, bool *open)
{
    if (peek(s, 0) != '/' || (peek(s, 1) != '/' && peek(s, 1) != '*'))
        return false;
    bool block = peek(s, 1) == '*';
    s->at += 2;
    while (s->at < s->size) {
        if (!block && s->text[s->at] == '\n')
            return true;
        if (block && s->text[s->at] == '*' && peek(s, 1) == '/') {
            s->at += 2;
            return true;
        }
        s->line += s->text[s->at++] == '\n';
    }
    *open = block;
    return true;
}

static void skip_blanks(scanner *s, bool *open)
{
    while (s->at < s->size) {
        char c = s->text[s->at];
        if (c == '\n')
            s->line++;
        if (isspace((unsigned char)c))
            s->at++;
        else if (!skip_comment(s, open))
            return;
    }
}

static void scan_dot(scanner *s)
{
    for (s->at++; s->at < s->size; s->at++) {
        if (peek(s, 0) == ':' && peek(s, 1) == ':' && name_part(peek(s, 2)))
            s->at += 2;
        if (!name_part(peek(s, 0)))
            return;
    }
}

/* 1, 0x1F, 07U, 1.5e-3, 0f3F800000. */
static void scan_number(scanner *s)
{
    bool hex = peek(s, 0) == '0' && strchr("xXfFdD", peek(s, 1)) && peek(s, 1);
    for (; s->at < s->size; s->at++) {
        char c = peek(s, 0), before = s->text[s->at ? s->at - 1 : 0];
        bool exponent = !hex && (c == '+' || c == '-') && (before == 'e' || before == 'E');
        if (!isalnum((unsigned char)c) && !exponent && (c != '.' || hex || name_start(peek(s, 1))))
            return;
    }
}

static int scan_string(scanner *s)
{
    for (s->at++; s->at < s->size && s->text[s->at] != '\n'; s->at++) {
        if (s->text[s->at] == '"') {
            s->at++;
            return 0;
        }
    }
    return -1;
}

static bool dot_word(const scanner *s)
{
    return peek(s, 0) == '.' && name_part(peek(s, 1)) && !isdigit((unsigned char)peek(s, 1));
}

/* Returns the kind of the next token and moves behind it, or -1. */
static int scan_token(scanner *s)
{
    char c = peek(s, 0);
    if (name_start(c)) {
        for (s->at++; name_part(peek(s, 0));)
            s->at++;
        return LEX_NAME;
    }
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(s, 1)))) {
        scan_number(s);
        return LEX_NUMBER;
    }
    if (dot_word(s)) {
        scan_dot(s);
        return LEX_DOT;
    }
    if (c == '"')
        return scan_string(s) ? -1 : LEX_STRING;
    s->at++;
    return c && strchr("{}()[],;:|@!+-<>=*/~&^?", c) ? LEX_MARK : -1;
}

/* Fills `tokens` (NULL: only counts). Returns the count with LEX_END, or 0 with `err`. */
static size_t scan_all(const char *file, scanner s, lex_token *tokens, msw_err *err)
{
    size_t count = 0;
    for (;; count++) {
        bool open = false;
        skip_blanks(&s, &open);
        if (open)
            return (size_t)(msw_fail(err, "%s:%u: a comment that does not end", file, s.line) + 1);
        lex_token token = {.line = s.line, .start = (uint32_t)s.at, .kind = LEX_END};
        if (s.at < s.size) {
            int kind = scan_token(&s);
            unsigned char c = (unsigned char)s.text[token.start];
            if (kind < 0 && c == '"')
                return (size_t)(msw_fail(err, "%s:%u: text that does not end", file, s.line) + 1);
            if (kind < 0)
                return (size_t)(msw_fail(err, "%s:%u: character 0x%02x has no meaning in PTX", file,
                                         s.line, c) +
                                1);
            token.kind = (uint8_t)kind;
            token.mark = kind == LEX_MARK ? (char)c : '\0';
            token.length = (uint32_t)(s.at - token.start);
        }
        if (tokens)
            tokens[count] = token;
        if (token.kind == LEX_END)
            return count + 1;
    }
}

/* Two passes: the first counts and checks, so the tokens fit exactly and the second cannot fail. */
int lex_file(const char *file, const char *text, size_t size, msw_arena *arena, lex_list *list,
             msw_err *err)
{
    if (size > (size_t)256 << 20)
        return msw_fail(err, "%s: %zu bytes; a PTX file of at most 256 MiB is read", file, size);
    scanner s = {.text = text, .size = size, .line = 1};
    size_t count = scan_all(file, s, NULL, err);
    if (!count)
        return -1;
    lex_token *tokens = msw_arena_take(arena, count * sizeof *tokens);
    if (!tokens)
        return msw_fail_memory(err);
    scan_all(file, s, tokens, err);
    *list = (lex_list){file, text, tokens, (uint32_t)count};
    return 0;
}

bool lex_is(const lex_list *list, const lex_token *token, const char *text)
{
    size_t length = strlen(text);
    return token->length == length && memcmp(list->text + token->start, text, length) == 0;
}

static int digit_of(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

static int read_digits(const char *text, size_t length, unsigned base, uint64_t *bits)
{
    *bits = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_of(text[i]);
        if (digit >= base || *bits > (UINT64_MAX - digit) / base)
            return -1;
        *bits = *bits * base + digit;
    }
    return length ? 0 : -1;
}

static int read_decimal(const char *text, size_t length, lex_value *value)
{
    char buffer[64], *end;
    if (length >= sizeof buffer)
        return -1;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    double number = strtod(buffer, &end);
    value->is_float = true;
    memcpy(&value->bits, &number, sizeof number);
    return *end ? -1 : 0;
}

int lex_number(const lex_list *list, const lex_token *token, lex_value *value)
{
    const char *text = list->text + token->start;
    size_t length = token->length;
    *value = (lex_value){0};
    char form = length > 1 && text[0] == '0' ? (char)tolower((unsigned char)text[1]) : '\0';
    if (form == 'f' || form == 'd') {
        value->is_single = form == 'f';
        value->is_float = form == 'd';
        return length == (form == 'f' ? 10 : 18)
                   ? read_digits(text + 2, length - 2, 16, &value->bits)
                   : -1;
    }
    if (form != 'x' &&
        (memchr(text, '.', length) || memchr(text, 'e', length) || memchr(text, 'E', length)))
        return read_decimal(text, length, value);
    if (length > 1 && text[length - 1] == 'U')
        length--;
    if (form == 'x' || form == 'b')
        return read_digits(text + 2, length - 2, form == 'x' ? 16 : 2, &value->bits);
    return read_digits(text, length, text[0] == '0' ? 8 : 10, &value->bits);
}
