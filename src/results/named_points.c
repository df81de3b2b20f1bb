/* SPDX-License-Identifier: MIT */
#include "memsweep/results/named_points.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64 };

/* ---- one value ---- */

static int fail_label(const msw_cases *s, const msw_case_factor *f, const char *text)
{
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t l = 0; l < f->levels; l++)
        msw_text_add(&known, "%s%s", l ? ", " : "", f->labels[(size_t)f->values[l]]);
    msw_fail(s->err, "%s '%s': the rows have %s", f->name, text, msw_text_str(&known));
    msw_text_free(&known);
    return -1;
}

static int parse_label(const msw_cases *s, const msw_case_factor *f, const char *text,
                       double *value)
{
    for (size_t l = 0; l < f->levels; l++)
        if (strcmp(f->labels[(size_t)f->values[l]], text) == 0) {
            *value = f->values[l];
            return 0;
        }
    return fail_label(s, f, text);
}

static int parse_number(const msw_cases *s, const msw_case_factor *f, const char *text,
                        double *value)
{
    const msw_param *param = msw_cases_param(s, f->name);
    char *end;
    if (param && msw_param_parse(param, text, value, s->err))
        return -1;
    if (!param) {
        *value = strtod(text, &end);
        if (end == text || *end)
            return msw_fail(s->err, "%s '%s': not a number", f->name, text);
    }
    if (*value >= f->low && *value <= f->high)
        return 0;
    return msw_fail(s->err,
                    "%s = %s lies outside the rows, which go from %g to %g: a polynomial says "
                    "nothing there",
                    f->name, text, f->low, f->high);
}

static int parse(const msw_cases *s, size_t factor, const char *text, size_t row,
                 msw_named_points *p)
{
    const msw_case_factor *f = &s->factors[factor];
    double *value = &p->value[row * s->factor_count + factor];
    if (f->column_count > 1)
        return msw_fail(s->err, "'%s' is dealt to several parameters: no value names a deal",
                        f->name);
    if (f->unordered)
        return parse_label(s, f, text, value);
    return parse_number(s, f, text, value);
}

/* ---- points ---- */

static int find_factor(const msw_cases *s, const char *name)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (strcmp(s->factors[f].name, name) == 0)
            return (int)f;
    const char *best =
        msw_nearest(name, (const char *const *)&s->factors[0].name, sizeof *s->factors);
    return msw_fail(s->err, "'%s' is no factor of sweep '%s'%s%s%s", name, s->sweep.name,
                    best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
}

static int add_row(const msw_cases *s, msw_named_points *p)
{
    size_t size = (s->factor_count + !s->factor_count) * sizeof *p->value;
    MSW_TRY(msw_vec_extend(&p->value, p->n, size, s->err));
    for (size_t f = 0; f < s->factor_count; f++)
        p->value[p->n * s->factor_count + f] = NAN;
    p->n++;
    return 0;
}

static int check_row(const msw_cases *s, const msw_named_points *p)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (isnan(p->value[(p->n - 1) * s->factor_count + f]) && !s->factors[f].constant)
            return msw_fail(s->err, "a point needs a value for every factor: '%s' has none",
                            s->factors[f].name);
    return 0;
}

/* Leaves out the blanks around a word. Returns it. */
static char *trim(char *word)
{
    word += strspn(word, " \t\r");
    for (size_t size = strlen(word); size && strchr(" \t\r", word[size - 1]);)
        word[--size] = '\0';
    return word;
}

/* Cuts the next word off, up to a comma, blanks around it left out. Returns it, or NULL. */
static char *next_word(char **rest)
{
    char *word = *rest;
    if (!word)
        return NULL;
    *rest = strchr(word, ',');
    if (*rest)
        *(*rest)++ = '\0';
    return trim(word);
}

static int read_pair(const msw_cases *s, char *word, msw_named_points *p)
{
    char *equals = strchr(word, '=');
    if (!equals)
        return msw_fail(s->err, "'%s': write a point as name=value,name=value", word);
    *equals = '\0';
    int factor = find_factor(s, trim(word));
    return factor < 0 ? -1 : parse(s, (size_t)factor, trim(equals + 1), p->n - 1, p);
}

static int read_at(const msw_cases *s, const char *at, msw_named_points *p)
{
    char *text = msw_strdup(at), *rest = text;
    int rc = text ? add_row(s, p) : msw_fail_memory(s->err);
    for (char *word; rc == 0 && (word = next_word(&rest)) != NULL;)
        rc = read_pair(s, word, p);
    free(text);
    return rc ? rc : check_row(s, p);
}

/* ---- a file of points ---- */

typedef struct header {
    size_t count;
    int factor[COLUMNS];
} header;

static int read_header(const msw_cases *s, char *line, header *h)
{
    for (char *word; (word = next_word(&line)) != NULL;) {
        if (h->count == COLUMNS)
            return msw_fail(s->err, "more than %d columns", COLUMNS);
        h->factor[h->count] = find_factor(s, word);
        if (h->factor[h->count++] < 0)
            return -1;
    }
    return 0;
}

static int read_line(const msw_cases *s, char *line, const header *h, msw_named_points *p)
{
    size_t c = 0;
    if (add_row(s, p))
        return -1;
    for (char *word; (word = next_word(&line)) != NULL; c++)
        if (c >= h->count || parse(s, (size_t)h->factor[c], word, p->n - 1, p))
            return c < h->count ? -1 : msw_fail(s->err, "more values than names");
    return check_row(s, p);
}

static int read_lines(const msw_cases *s, char *text, msw_named_points *p, size_t *number)
{
    header h = {0};
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        ++*number;
        if (!line[strspn(line, " \t\r")] || *line == '#')
            continue;
        if (h.count ? read_line(s, line, &h, p) : read_header(s, line, &h))
            return -1;
    }
    return 0;
}

static int read_file(const msw_cases *s, const char *file, msw_named_points *p)
{
    char *text = NULL;
    size_t size, number = 0;
    if (msw_read_file(file, &text, &size, s->err))
        return -1;
    int rc = read_lines(s, text, p, &number);
    free(text);
    return rc ? msw_fail_prefix(s->err, "%s:%zu: ", file, number) : 0;
}

int msw_named_points_read(const msw_cases *s, const char *at, const char *file, msw_named_points *p)
{
    if (!at == !file)
        return msw_fail(s->err, "name points by --at 'a=1,b=2' or by --points FILE, not by both");
    return at ? read_at(s, at, p) : read_file(s, file, p);
}

void msw_named_points_free(msw_named_points *p)
{
    free(p->value);
}
