/* SPDX-License-Identifier: MIT */
#include "memsweep/base/json.h"

#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NUMBER_MAX = 64, VALUES_MAX = 4000000 };

typedef struct reader {
    const char *file, *at, *end, *line_start;
    size_t line, values;
    int depth;
    msw_arena *arena;
    msw_err *err;
} reader;

static int fail_at(reader *r, size_t line, size_t column, const char *what)
{
    return msw_fail(r->err, "%s:%zu:%zu: %s", r->file, line, column, what);
}

static size_t column_of(const reader *r)
{
    return (size_t)(r->at - r->line_start) + 1;
}

static int fail(reader *r, const char *what)
{
    return fail_at(r, r->line, column_of(r), what);
}

static void skip_blanks(reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
            return;
        }
    }
}

/* Returns whether the next byte is `wanted`, and takes it. */
static bool take_character(reader *r, char wanted)
{
    if (r->at == r->end || *r->at != wanted)
        return false;
    r->at++;
    return true;
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits. Returns the number, or -1. */
static int32_t read_unit(reader *r)
{
    int32_t unit = 0;
    if (r->end - r->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(*r->at++);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static char *put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* Reads what follows \u. Returns the end of what was written, or NULL. */
static char *read_code(reader *r, char *out)
{
    int32_t code = read_unit(r);
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take_character(r, '\\') || !take_character(r, 'u'))
            return NULL;
        int32_t low = read_unit(r);
        if (low < 0xdc00 || low > 0xdfff)
            return NULL;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code <= 0 || (code >= 0xdc00 && code < 0xe000)) {
        return NULL;
    }
    return put_utf8(out, (uint32_t)code);
}

static char *read_escape(reader *r, char *out)
{
    static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return NULL;
    char c = *r->at++;
    if (c == 'u')
        return read_code(r, out);
    const char *found = c ? strchr(FROM, c) : NULL;
    if (!found)
        return NULL;
    *out++ = TO[found - FROM];
    return out;
}

/* Behind the opening quote. A string never grows by being decoded. */
static const char *read_string(reader *r)
{
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    char *text = msw_arena_take(r->arena, (size_t)(close - r->at) + 1), *out = text;
    if (!text) {
        msw_fail_memory(r->err);
        return NULL;
    }
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20) {
            fail(r, "a control character in a string");
            return NULL;
        }
        if (!take_character(r, '\\')) {
            *out++ = *r->at++;
        } else if (!(out = read_escape(r, out))) {
            fail(r, "an escape that is none in a string");
            return NULL;
        }
    }
    if (!take_character(r, '"')) {
        fail(r, "a string that does not end");
        return NULL;
    }
    *out = '\0';
    return text;
}

/* ---- numbers and words ---- */

static bool digits(const char **at, const char *end)
{
    const char *start = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        (*at)++;
    return *at > start;
}

/* The form of a number, from `at`. Returns its end, or NULL. */
static const char *number_end(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *first = at;
    if (!digits(&at, end) || (*first == '0' && at > first + 1))
        return NULL;
    if (at < end && *at == '.') {
        at++;
        if (!digits(&at, end))
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        if (!digits(&at, end))
            return NULL;
    }
    return at;
}

static int read_number(reader *r, msw_json *value)
{
    const char *end = number_end(r->at, r->end);
    if (!end)
        return fail(r, "a value that is none; allowed: a number, a string, true, false, null, a "
                       "list, an object");
    size_t size = (size_t)(end - r->at);
    if (size > NUMBER_MAX)
        return fail(r, "a number of more than 64 characters");
    char *text = msw_arena_take(r->arena, size + 1);
    if (!text)
        return msw_fail_memory(r->err);
    memcpy(text, r->at, size);
    text[size] = '\0';
    r->at = end;
    value->kind = MSW_JSON_NUMBER;
    value->text = text;
    return 0;
}

static bool take_word(reader *r, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

static bool read_word(reader *r, msw_json *value)
{
    if (take_word(r, "null"))
        value->kind = MSW_JSON_NULL;
    else if (take_word(r, "true"))
        value->kind = MSW_JSON_TRUE;
    else if (take_word(r, "false"))
        value->kind = MSW_JSON_FALSE;
    else
        return false;
    return true;
}

/* ---- lists and objects ---- */

static int read_value(reader *r, msw_json *value);

static int read_key(reader *r, msw_json *member)
{
    if (!take_character(r, '"'))
        return fail(r, "a member of an object starts with its name in double quotes");
    member->key = read_string(r);
    if (!member->key)
        return -1;
    skip_blanks(r);
    return take_character(r, ':') ? 0 : fail(r, "a name of a member is followed by a colon");
}

static int read_members(reader *r, msw_json *all, char close)
{
    const msw_json **last = &all->first;
    skip_blanks(r);
    if (take_character(r, close))
        return 0;
    for (;;) {
        msw_json *member = msw_arena_zero(r->arena, 1, sizeof *member);
        if (!member)
            return msw_fail_memory(r->err);
        skip_blanks(r);
        if ((close == '}' && read_key(r, member)) || read_value(r, member))
            return -1;
        *last = member;
        last = &member->next;
        all->count++;
        skip_blanks(r);
        if (take_character(r, close))
            return 0;
        if (!take_character(r, ','))
            return fail(r, close == '}' ? "members of an object are followed by ',' or '}'"
                                        : "values of a list are followed by ',' or ']'");
    }
}

static int by_key(const void *a, const void *b)
{
    return strcmp((*(const msw_json *const *)a)->key, (*(const msw_json *const *)b)->key);
}

static int check_twice(reader *r, const msw_json *object)
{
    msw_arena_mark mark = msw_arena_now(r->arena);
    const msw_json **all = msw_arena_take(r->arena, (object->count + 1) * sizeof(const msw_json *));
    size_t n = 0;
    int rc = -1;
    if (!all)
        return msw_fail_memory(r->err);
    for (const msw_json *m = object->first; m; m = m->next)
        all[n++] = m;
    msw_sort(all, n, sizeof(const msw_json *), by_key);
    for (size_t i = 1; i < n; i++)
        if (strcmp(all[i - 1]->key, all[i]->key) == 0) {
            fail_at(r, all[i]->line, all[i]->column, "a name that the object has already");
            goto done;
        }
    rc = 0;
done:
    msw_arena_release(r->arena, mark);
    return rc;
}

static int read_value(reader *r, msw_json *value)
{
    skip_blanks(r);
    value->line = r->line;
    value->column = column_of(r);
    if (r->at == r->end)
        return fail(r, "the text ends where a value is expected");
    if (++r->values > VALUES_MAX)
        return fail(r, "more than 4,000,000 values");
    if (take_character(r, '"')) {
        value->kind = MSW_JSON_STRING;
        value->text = read_string(r);
        return value->text ? 0 : -1;
    }
    bool object = *r->at == '{';
    if (!object && *r->at != '[')
        return read_word(r, value) ? 0 : read_number(r, value);
    if (++r->depth > DEPTH_MAX)
        return fail(r, "more than 64 levels");
    r->at++;
    value->kind = object ? MSW_JSON_OBJECT : MSW_JSON_LIST;
    if (read_members(r, value, object ? '}' : ']') || (object && check_twice(r, value)))
        return -1;
    r->depth--;
    return 0;
}

const msw_json *msw_json_read(const char *file, const char *bytes, size_t size, msw_arena *arena,
                              msw_err *err)
{
    reader r = {file, bytes, bytes + size, bytes, 1, 0, 0, arena, err};
    msw_json *value = msw_arena_zero(arena, 1, sizeof *value);
    if (!value) {
        msw_fail_memory(err);
        return NULL;
    }
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        r.at = r.line_start = bytes + 3;
    if (read_value(&r, value))
        return NULL;
    skip_blanks(&r);
    if (r.at == r.end)
        return value;
    fail(&r, "something behind the end of the value");
    return NULL;
}

const msw_json *msw_json_find(const msw_json *object, const char *key)
{
    if (!object || object->kind != MSW_JSON_OBJECT)
        return NULL;
    const msw_json *m = object->first;
    while (m && strcmp(m->key, key) != 0)
        m = m->next;
    return m;
}

bool msw_json_whole(const msw_json *value, uint64_t *number)
{
    if (!value || value->kind != MSW_JSON_NUMBER)
        return false;
    double read = strtod(value->text, NULL);
    if (!(read >= 0 && read <= 0x1p53) || read != floor(read))
        return false;
    *number = (uint64_t)read;
    return true;
}
