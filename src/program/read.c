/* SPDX-License-Identifier: MIT */
/* Finds a metric's number in what a program wrote, and reads numbers as programs print them. */
#include "memsweep/base/csv.h"
#include "memsweep/base/json.h"
#include "memsweep/base/units.h"
#include "memsweep/program/program.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One number as programs print them. Strict, because what is half a number, of another unit or no
 * number at all would be a wrong answer in silence. */

enum { NUMBER_MOST = 80 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Digits in groups of three behind the first: "1,234,567" and nothing like "1,23". */
static bool is_grouped(const char *text, size_t size, char separator)
{
    size_t digits = 0, first = true;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && isdigit((unsigned char)text[i])) {
            digits++;
            continue;
        }
        bool here = i < size && text[i] == separator;
        if (!first && digits != 3)
            return false;
        if (!here)
            return true;
        if (first && (digits == 0 || digits > 3))
            return false;
        first = false;
        digits = 0;
    }
    return true;
}

/* Copies the number at the start of a text without separators. Returns its size in the text. */
static size_t take_number(const char *text, char separator, char out[NUMBER_MOST])
{
    size_t i = 0, size = 0;
    bool sign = text[0] == '-' || text[0] == '+';
    bool grouped = separator && is_grouped(text + sign, strlen(text + sign), separator);
    for (; text[i] && size + 1 < NUMBER_MOST; i++) {
        if (grouped && text[i] == separator && isdigit((unsigned char)text[i + 1]))
            continue;
        bool exponent =
            (text[i] == 'e' || text[i] == 'E') && i > 0 &&
            (isdigit((unsigned char)text[i + 1]) ||
             (strchr("+-", text[i + 1]) && text[i + 1] && isdigit((unsigned char)text[i + 2])));
        bool after = i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E');
        bool is_sign = (text[i] == '-' || text[i] == '+') && (i == 0 || after);
        if (!isdigit((unsigned char)text[i]) && text[i] != '.' && !exponent && !is_sign)
            break;
        out[size++] = text[i];
    }
    out[size] = '\0';
    return i;
}

static bool is_nothing(const char *text)
{
    text += *text == '-' || *text == '+';
    return strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "inf", 3) == 0;
}

/* The word behind a number, glued to it or not. */
static int convert(const char *number, const char *rest, const char *unit, double *value,
                   msw_err *err)
{
    char with_unit[2 * NUMBER_MOST], word[NUMBER_MOST];
    while (is_blank(*rest))
        rest++;
    size_t size = 0;
    while (rest[size] && !is_blank(rest[size]) && !strchr(",;)]", rest[size]))
        size++;
    if (!size)
        return msw_fail(err, "'%s' has no unit behind it, expected %s", number, unit);
    snprintf(word, sizeof word, "%.*s", (int)size, rest);
    if (strcmp(word, unit) == 0)
        return 0;
    snprintf(with_unit, sizeof with_unit, "%s%s", number, word);
    return msw_units_parse(with_unit, unit, value, err);
}

int msw_reader_number(const msw_reader *r, const char *text, const char *unit, double *value,
                      msw_err *err)
{
    char number[NUMBER_MOST], *end;
    while (is_blank(*text))
        text++;
    *value = NAN;
    if (is_nothing(text))
        return r->optional ? 0 : msw_fail(err, "'%.20s' is no number", text);
    size_t used = take_number(text, r->thousands, number);
    *value = strtod(number, &end);
    if (!used || end == number || *end || !isfinite(*value)) {
        *value = NAN;
        return msw_fail(err, "'%.40s' is no %s", text, used ? "finite number" : "number");
    }
    const char *rest = text + used;
    if (r->with_unit)
        MSW_TRY(convert(number, rest, unit, value, err));
    else if (*rest && !is_blank(*rest)) {
        *value = NAN;
        return msw_fail(err,
                        "'%.40s': the number has something glued to it (thousands: ',' takes "
                        "groups, unit: text a unit)",
                        text);
    }
    *value *= r->scale;
    return isfinite(*value) ? 0 : msw_fail(err, "'%.40s' is no finite number", text);
}

/* What has been found so far: how often, and which. */
typedef struct found {
    const msw_reader *reader;
    const char *unit;
    size_t count;
    double value;
    bool cut, cuts; /* whether the present line was cut, and any */
    msw_err *err;
} found;

static int too_long(const found *f)
{
    return msw_fail(f->err, "a line has more than %d KiB, in which '%s' is not looked for",
                    MSW_PROGRAM_LINE_MOST >> 10, f->reader->at);
}

static int take(found *f, const char *text)
{
    if (f->cut)
        return too_long(f);
    double value;
    bool wanted = f->reader->take != MSW_TAKE_FIRST || f->count == 0;
    if (!wanted) {
        f->count++;
        return 0;
    }
    MSW_TRY(msw_reader_number(f->reader, text, f->unit, &value, f->err));
    f->value = f->reader->take == MSW_TAKE_SUM && f->count ? f->value + value : value;
    f->count++;
    return 0;
}

static int settle(const found *f, double *value)
{
    const msw_reader *r = f->reader;
    *value = f->count ? f->value : NAN;
    if (f->cuts && !(f->count && r->take == MSW_TAKE_FIRST))
        return too_long(f);
    if (!f->count)
        return r->optional ? 0 : msw_fail(f->err, "no '%s' in it", r->at);
    if (f->count > 1 && r->take == MSW_TAKE_ONLY)
        return msw_fail(f->err, "'%s' comes %zu times: 'take: first, last or sum' says which",
                        r->at, f->count);
    return 0;
}

char *msw_program_line(char **at, char *end, bool *cut)
{
    char *line = *at, *stop = line;
    if (line >= end)
        return NULL;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *at = stop + 1 + (end - stop > 1 && stop[0] == '\r' && stop[1] == '\n');
    *stop = '\0';
    *cut = stop - line > MSW_PROGRAM_LINE_MOST;
    if (*cut)
        line[MSW_PROGRAM_LINE_MOST] = '\0';
    return line;
}

static char *next_line(found *f, char **at, char *end)
{
    char *line = msw_program_line(at, end, &f->cut);
    f->cuts = f->cuts || (line && f->cut);
    return line;
}

/* ---- lines ---- */

static int read_lines(found *f, char *bytes, char *end)
{
    regmatch_t group[2];
    char *line;
    while ((line = next_line(f, &bytes, end))) {
        if (regexec(&f->reader->line[0], line, 2, group, 0) || group[1].rm_so < 0)
            continue;
        /* The unit may stand behind the group. */
        if (!f->reader->with_unit)
            line[group[1].rm_eo] = '\0';
        MSW_TRY(take(f, line + group[1].rm_so));
    }
    return 0;
}

/* `key = 12`, `key: 12`, `key 12`; the key as a whole word at the start of a line. */
static int read_keys(found *f, char *bytes, char *end)
{
    size_t size = strlen(f->reader->at);
    char *line;
    while ((line = next_line(f, &bytes, end))) {
        while (*line == ' ' || *line == '\t')
            line++;
        if (strncmp(line, f->reader->at, size) != 0)
            continue;
        char *rest = line + size;
        size_t blanks = strspn(rest, " \t");
        bool sign = rest[blanks] == '=' || rest[blanks] == ':';
        if (!sign && !blanks)
            continue;
        MSW_TRY(take(f, rest + blanks + sign));
    }
    return 0;
}

/* ---- a line of names and a line of values ---- */

static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    if (!*word)
        return NULL;
    char *stop = word + strcspn(word, " \t");
    *at = *stop ? stop + 1 : stop;
    *stop = '\0';
    return word;
}

static int sum_values(found *f, char *names, char *values)
{
    const msw_reader *r = f->reader;
    double sum = 0, value;
    size_t seen = 0;
    char *name, *word;
    if (f->cut)
        return too_long(f);
    while ((name = next_word(&names)) && (word = next_word(&values)))
        for (size_t i = 0; i < r->sum_count; i++)
            if (strcmp(name, r->sum[i]) == 0) {
                MSW_TRY(msw_reader_number(r, word, f->unit, &value, f->err));
                sum += value;
                seen++;
            }
    if (seen != r->sum_count)
        return msw_fail(f->err, "%zu of %zu names of 'sum' have a value", seen, r->sum_count);
    f->value = r->take == MSW_TAKE_SUM && f->count ? f->value + sum : sum;
    f->count++;
    return 0;
}

static int read_named(found *f, char *bytes, char *end)
{
    regmatch_t group[1];
    char *line, *names = NULL;
    while ((line = next_line(f, &bytes, end))) {
        if (regexec(&f->reader->line[0], line, 1, group, 0) == 0) {
            names = line + group[0].rm_eo;
        } else if (names && regexec(&f->reader->line[1], line, 1, group, 0) == 0) {
            char *copy = msw_strdup(names); /* the words of a line are cut as they are read */
            if (!copy)
                return msw_fail_memory(f->err);
            int rc = f->reader->take == MSW_TAKE_FIRST && f->count
                         ? 0
                         : sum_values(f, copy, line + group[0].rm_eo);
            free(copy);
            MSW_TRY(rc);
        }
    }
    return 0;
}

/* ---- gem5's stats.txt ---- */

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Of one dump only the first line of the name: gem5 prints each once. */
static int read_gem5(found *f, char *bytes, char *end)
{
    const msw_reader *r = f->reader;
    size_t dumps = 0, size = strlen(r->at);
    char *line;
    while ((line = next_line(f, &bytes, end))) {
        dumps += starts(line, "---------- Begin");
        if (strncmp(line, r->at, size) != 0 || (line[size] != ' ' && line[size] != '\t'))
            continue;
        if (!dumps)
            return msw_fail(f->err, "'%s' stands before the first dump", r->at);
        if (!r->dump || r->dump == dumps)
            MSW_TRY(take(f, line + size));
    }
    if (dumps > 1 && !r->dump_said)
        return msw_fail(f->err, "%zu dumps in it: 'dump: first, last, sum or a number' says which",
                        dumps);
    return 0;
}

/* ---- trees and tables ---- */

/* A path of keys and numbers with points between them; a key may hold points itself. */
static const msw_json *walk(const msw_json *at, const char *path)
{
    char key[256];
    if (!*path)
        return at;
    for (size_t size = strlen(path); size > 0; size--) {
        const msw_json *next = NULL;
        if ((path[size] && path[size] != '.') || size >= sizeof key)
            continue;
        memcpy(key, path, size);
        key[size] = '\0';
        if (at->kind == MSW_JSON_OBJECT)
            next = msw_json_find(at, key);
        else if (at->kind == MSW_JSON_LIST && strspn(key, "0123456789") == size) {
            size_t i = strtoul(key, NULL, 10);
            for (next = at->first; next && i; i--)
                next = next->next;
        }
        const msw_json *end = next ? walk(next, path + size + (path[size] == '.')) : NULL;
        if (end)
            return end;
    }
    return NULL;
}

static int read_json(found *f, const char *bytes, size_t size)
{
    msw_arena arena = {0};
    const msw_json *root = msw_json_read(f->reader->file, bytes, size, &arena, f->err);
    const msw_json *at = root ? walk(root, f->reader->at) : NULL;
    bool number = at && (at->kind == MSW_JSON_NUMBER || at->kind == MSW_JSON_STRING);
    int rc = root ? 0 : -1;
    if (number)
        rc = take(f, at->text);
    else if (at && at->kind != MSW_JSON_NULL)
        rc = msw_fail(f->err, "'%s' is no number", f->reader->at);
    msw_arena_free(&arena);
    return rc;
}

static size_t column_of(const msw_csv *csv, const char *name)
{
    for (size_t i = 0; name && i < csv->count; i++)
        if (strcmp(csv->fields[i], name) == 0)
            return i;
    return MSW_CSV_ABSENT;
}

static int read_rows(found *f, msw_csv *csv)
{
    const msw_reader *r = f->reader;
    if (msw_csv_next(csv, f->err) <= 0)
        return msw_fail(f->err, "no line that names columns");
    size_t columns = csv->count, at = column_of(csv, r->at), where = column_of(csv, r->where_name);
    if (at == MSW_CSV_ABSENT || (r->where_name && where == MSW_CSV_ABSENT))
        return msw_fail(f->err, "no column '%s'", at == MSW_CSV_ABSENT ? r->at : r->where_name);
    int more;
    while ((more = msw_csv_next(csv, f->err)) > 0) {
        /* A comma at the end of each line is common. */
        if (csv->count != columns && csv->count + 1 != columns && csv->count != columns + 1)
            return msw_fail(f->err, "line %zu has %zu fields, the first %zu", csv->line, csv->count,
                            columns);
        if (at < csv->count &&
            (!r->where_name ||
             (where < csv->count && strcmp(csv->fields[where], r->where_value) == 0)))
            MSW_TRY(take(f, csv->fields[at]));
    }
    return more;
}

static int read_csv(found *f, char *bytes)
{
    msw_csv *csv = malloc(sizeof *csv);
    if (!csv)
        return msw_fail_memory(f->err);
    msw_csv_start(csv, f->reader->file, bytes);
    int rc = read_rows(f, csv);
    free(csv);
    return rc;
}

int msw_reader_read(const msw_reader *r, const char *unit, char *bytes, size_t size, double *value,
                    msw_err *err)
{
    found f = {.reader = r, .unit = unit, .err = err, .value = NAN};
    char *end = bytes + size;
    int rc = -1;
    if (memchr(bytes, '\0', size)) /* what is behind one would be cut off in silence */
        return msw_fail(err, "holds zero bytes");
    switch (r->kind) {
    case MSW_READ_JSON:
        rc = read_json(&f, bytes, size);
        break;
    case MSW_READ_CSV:
        rc = read_csv(&f, bytes);
        break;
    case MSW_READ_KEY:
        rc = read_keys(&f, bytes, end);
        break;
    case MSW_READ_LINE:
        rc = read_lines(&f, bytes, end);
        break;
    case MSW_READ_NAMES:
        rc = read_named(&f, bytes, end);
        break;
    case MSW_READ_GEM5:
        rc = read_gem5(&f, bytes, end);
        break;
    }
    return rc ? -1 : settle(&f, value);
}
