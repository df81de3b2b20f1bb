/* SPDX-License-Identifier: MIT */
/* The words of a workload file, and the settings in names of workloads: "axpy/n=16Mi,ctas=64",
 * "mine.simt/ptx=fast". */
#include "workload/simt/file/reader.h"

#include "memsweep/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lexer {
    msw_simt_tokens *tokens;
    const char *next, *end, *line_start;
    uint32_t line;
    int depth;     /* of brackets */
    bool in_array; /* a statement `array` */
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

static msw_simt_token *add_token(lexer *l, msw_simt_token_kind kind, size_t size)
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
    msw_simt_token *t = add_token(l, MSW_SIMT_TOKEN_INTEGER, size);
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
            add_token(l, MSW_SIMT_TOKEN_SYMBOL, 2);
            return 0;
        }
    msw_simt_token *t = add_token(l, MSW_SIMT_TOKEN_SYMBOL, 1);
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
    add_token(l, MSW_SIMT_TOKEN_TEXT, (size_t)(stop - l->next));
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
    msw_simt_token *t = add_token(l, MSW_SIMT_TOKEN_WORD, word_size(l->next, l->end));
    if (first)
        l->in_array = msw_simt_token_is(t, "array");
    if ((first && (msw_simt_token_is(t, "title") || msw_simt_token_is(t, "ptx"))) ||
        (l->in_array && l->depth == 0 && msw_simt_token_is(t, "from")))
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
        add_token(l, MSW_SIMT_TOKEN_LINE, 1);
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
        add_token(&l, MSW_SIMT_TOKEN_LINE, 0);
    add_token(&l, MSW_SIMT_TOKEN_END, 0);
    return 0;
}

static int add_setting(msw_simt_settings *s, const char *text, size_t size, msw_err *err)
{
    const char *equal = memchr(text, '=', size);
    if (s->count == MSW_SIMT_SETTINGS_MAX || !equal || equal == text || equal + 1 == text + size)
        return msw_fail(err,
                        "workload '%s': found '%.*s', allowed: sizes such as n=16Mi or ptx=NAME, "
                        "with commas between them",
                        s->workload, (int)size, text);
    if (msw_simt_settings_find(s, text, (size_t)(equal - text)))
        return msw_fail(err, "workload '%s': '%.*s' is set twice", s->workload, (int)(equal - text),
                        text);
    s->list[s->count++] = (msw_simt_setting){.name = text,
                                             .name_size = (uint32_t)(equal - text),
                                             .value = equal + 1,
                                             .value_size = (uint32_t)(text + size - equal - 1)};
    return 0;
}

/* A shipped workload's name ends with its preset, whose .ptx has the same name: "axpy/natural". */
static void add_preset(msw_simt_settings *s, const char *name, size_t head_size)
{
    static const char END[] = ".simt";
    size_t end = strlen(END);
    const char *slash = memchr(name, '/', head_size);
    if (!slash || (head_size > end && memcmp(name + head_size - end, END, end) == 0))
        return;
    s->list[s->count++] =
        (msw_simt_setting){.name = "ptx",
                           .name_size = 3,
                           .value = slash + 1,
                           .value_size = (uint32_t)(name + head_size - slash - 1)};
}

int msw_simt_settings_read(const char *name, msw_simt_settings *settings, size_t *head_size,
                           msw_err *err)
{
    const char *slash = strrchr(name, '/');
    *settings = (msw_simt_settings){.workload = name};
    bool more = slash && strchr(slash, '=');
    *head_size = more ? (size_t)(slash - name) : strlen(name);
    add_preset(settings, name, *head_size);
    if (!more)
        return 0;
    for (const char *from = slash + 1; from;) {
        const char *comma = strchr(from, ',');
        if (add_setting(settings, from, comma ? (size_t)(comma - from) : strlen(from), err))
            return -1;
        from = comma ? comma + 1 : NULL;
    }
    return 0;
}

const msw_simt_setting *msw_simt_settings_find(const msw_simt_settings *settings, const char *name,
                                               size_t size)
{
    for (size_t i = 0; i < settings->count; i++)
        if (settings->list[i].name_size == size && memcmp(settings->list[i].name, name, size) == 0)
            return &settings->list[i];
    return NULL;
}

/* Is "paper" the stem of "folder/paper.ptx"? */
static bool is_stem(const msw_simt_token *file, const char *stem, size_t size)
{
    const char *from = file->text, *end = file->text + file->size;
    for (const char *c = from; c < end; c++)
        from = *c == '/' ? c + 1 : from;
    if (end - from > 4 && memcmp(end - 4, ".ptx", 4) == 0)
        end -= 4;
    return (size_t)(end - from) == size && memcmp(from, stem, size) == 0;
}

static int fail_choice(const msw_simt_tokens *tokens, const msw_simt_setting *wanted, msw_err *err)
{
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; i + 1 < tokens->count; i++)
        if (msw_simt_token_is(&tokens->list[i], "ptx") &&
            tokens->list[i + 1].kind == MSW_SIMT_TOKEN_TEXT)
            msw_text_add(&known, "%s%.*s", known.size ? ", " : "", (int)tokens->list[i + 1].size,
                         tokens->list[i + 1].text);
    msw_fail(err, "found ptx=%.*s, allowed: one of %s, without its folder and end (%s)",
             (int)wanted->value_size, wanted->value, msw_text_str(&known), tokens->file);
    msw_text_free(&known);
    return -1;
}

int msw_simt_choose_ptx(const msw_simt_tokens *tokens, const msw_simt_settings *settings,
                        char *name, size_t name_size, msw_err *err)
{
    const msw_simt_setting *wanted = msw_simt_settings_find(settings, "ptx", 3);
    const msw_simt_token *first = NULL, *found = NULL;
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const msw_simt_token *file = &tokens->list[i + 1];
        if (file->kind != MSW_SIMT_TOKEN_TEXT || !msw_simt_token_is(&tokens->list[i], "ptx"))
            continue;
        if (file->size == 0 || file->size >= name_size)
            return msw_simt_token_fail(tokens, file, err, "the name of a .ptx file beside this");
        first = first ? first : file;
        if (wanted && !found && is_stem(file, wanted->value, wanted->value_size))
            found = file;
    }
    if (!first)
        return msw_fail(err,
                        "%s: found no PTX, allowed: a line 'ptx FILE.ptx' (what 'nvcc -ptx' made)",
                        tokens->file);
    if (wanted && !found)
        return fail_choice(tokens, wanted, err);
    found = found ? found : first;
    snprintf(name, name_size, "%.*s", (int)found->size, found->text);
    return 0;
}
