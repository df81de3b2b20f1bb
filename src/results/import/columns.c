/* SPDX-License-Identifier: MIT */
/* Sorts the columns of an imported table into inputs and outputs, and names them. */
#include "results/import/import.h"

#include "memsweep/base/quote.h"
#include "memsweep/results/grouping.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* "L2 Miss Rate [%]" -> l2_miss_rate: the unit goes, everything but letters and digits is _. */
static void make_name(const char *title, char name[IMPORT_NAME])
{
    size_t n = 0;
    for (; *title && *title != '[' && n + 1 < IMPORT_NAME; title++) {
        unsigned char c = (unsigned char)*title;
        if (c < 128 && isalnum(c))
            name[n++] = (char)tolower(c);
        else if (n && name[n - 1] != '_')
            name[n++] = '_';
    }
    while (n && name[n - 1] == '_')
        n--;
    name[n] = '\0';
}

/* The unit behind a title, "latency [ns]". */
static void find_unit(const char *title, char unit[IMPORT_NAME])
{
    const char *open = strchr(title, '['), *close = open ? strchr(open, ']') : NULL;
    unit[0] = '\0';
    if (close && close[1] == '\0' && close - open - 1 < IMPORT_NAME)
        snprintf(unit, IMPORT_NAME, "%.*s", (int)(close - open - 1), open + 1);
}

/* ---- which column ---- */

static bool same_as_title(const char *title, const char *word)
{
    return strcmp(title, word) == 0;
}

static bool same_without_unit(const char *title, const char *word)
{
    const char *open = strchr(title, '[');
    size_t size = open ? (size_t)(open - title) : 0;
    while (size && title[size - 1] == ' ')
        size--;
    return size && strlen(word) == size && strncmp(title, word, size) == 0;
}

static bool same_name(const char *title, const char *word)
{
    char name[IMPORT_NAME];
    make_name(title, name);
    return *name && strcmp(name, word) == 0;
}

static int fail_unknown(const msw_import *m, const char *option, const char *word)
{
    msw_text list = MSW_TEXT_EMPTY;
    const char *best = msw_nearest(word, (const char *const *)m->title, sizeof *m->title);
    for (size_t f = 0; f < m->titles && f < 20; f++) {
        msw_text_add(&list, f ? ", " : "");
        msw_text_add_csv(&list, m->title[f]);
    }
    const char *more = m->titles > 20 ? ", ..." : "";
    int rc = *word ? msw_fail(m->err, "%s: no column '%.80s' in %s%s%s%s; it has %s%s", option,
                              word, m->ask.file, best ? ", did you mean '" : "", best ? best : "",
                              best ? "'?" : "", msw_text_str(&list), more)
                   : msw_fail(m->err, "%s: names no column; %s has %s%s", option, m->ask.file,
                              msw_text_str(&list), more);
    msw_text_free(&list);
    return rc;
}

/* Finds a column by its title, its title without the unit, or the name that would be made of it.
 * Returns 0, or -1. */
static int find_field(const msw_import *m, const char *option, const char *word, size_t *field)
{
    static bool (*const SAME[])(const char *, const char *) = {same_as_title, same_without_unit,
                                                               same_name};
    for (size_t way = 0; way < sizeof SAME / sizeof *SAME; way++) {
        size_t found = 0;
        for (size_t f = 0; f < m->titles; f++)
            if (SAME[way](m->title[f], word)) {
                *field = f;
                found++;
            }
        if (found > 1)
            return msw_fail(m->err, "%s:1: %zu columns are called '%.80s': rename one of them",
                            m->ask.file, found, word);
        if (found)
            return 0;
    }
    return fail_unknown(m, option, word);
}

/* ---- one entry: COLUMN [UNIT] min|max A..B log text as NAME ---- */

typedef struct entry {
    msw_import *m;
    const char *option;
    bool output;
    size_t *count;
    import_column *list;
} entry;

/* Takes the next word of [*at, end), in quotes or not. Returns false at the end. */
static bool next_word(const char **at, const char *end, char *word, size_t size, char *quote)
{
    while (*at < end && isspace((unsigned char)**at))
        ++*at;
    if (*at == end)
        return false;
    *quote = strchr("'\"[", **at) ? **at : '\0';
    char last = *quote == '[' ? ']' : *quote;
    *at += *quote != '\0';
    const char *from = *at;
    while (*at < end && (last ? **at != last : !isspace((unsigned char)**at) && **at != '['))
        ++*at;
    snprintf(word, size, "%.*s", (int)(*at - from), from);
    *at += last && *at < end;
    return true;
}

static bool read_end(const char *word, size_t size, double *value)
{
    char text[IMPORT_NAME], *end;
    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), word);
    *value = strtod(text, &end);
    return size && !*end && isfinite(*value);
}

static bool read_range(const char *word, import_column *c)
{
    const char *dots = strstr(word, "..");
    c->ranged = dots && read_end(word, (size_t)(dots - word), &c->from) &&
                read_end(dots + 2, strlen(dots + 2), &c->to) && c->from < c->to;
    return c->ranged;
}

static int read_word(const entry *e, const char *word, char quote, import_column *c)
{
    if (quote == '[')
        return snprintf(c->unit, IMPORT_NAME, "%s", word) < IMPORT_NAME ? 0 : -1;
    if (e->output && (strcmp(word, "min") == 0 || strcmp(word, "max") == 0)) {
        c->goal = strcmp(word, "min") == 0 ? MSW_GOAL_LOWER : MSW_GOAL_HIGHER;
        return 0;
    }
    if (!e->output && strcmp(word, "text") == 0)
        return (c->text = true, 0);
    if (!e->output && strcmp(word, "log") == 0)
        return (c->log = true, 0);
    if (!e->output && read_range(word, c))
        return 0;
    return msw_fail(e->m->err,
                    "%s: '%.60s' behind '%s'; allowed: [unit], %s, as NAME (a column "
                    "with blanks is quoted)",
                    e->option, word, c->title, e->output ? "min, max" : "A..B, log, text");
}

static int read_words(const entry *e, const char *at, const char *end, import_column *c)
{
    char word[256], quote;
    while (next_word(&at, end, word, sizeof word, &quote)) {
        if (!quote && strcmp(word, "as") == 0) {
            if (!next_word(&at, end, word, sizeof word, &quote))
                return msw_fail(e->m->err, "%s: no name behind 'as'", e->option);
            snprintf(c->name, sizeof c->name, "%.*s", IMPORT_NAME - 1, word);
        } else if (read_word(e, word, quote, c)) {
            return -1;
        }
    }
    return 0;
}

static int check_name(const entry *e, const import_column *c)
{
    msw_err why = {0};
    if (msw_name_check(c->name, &why))
        return msw_fail(e->m->err, "%s: column '%s': %s; say '%s as NAME'", e->option, c->title,
                        why.text, c->title);
    return 0;
}

static int check_apart(const msw_import *m, const import_column *c, const import_column *list,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (&list[i] == c)
            continue;
        if (list[i].field == c->field)
            return msw_fail(m->err, "column '%s' is named twice among --inputs and --outputs",
                            c->title);
        if (strcmp(list[i].name, c->name) == 0)
            return msw_fail(m->err,
                            "'%s' and '%s' are both called '%s': say '%s as NAME' for one of them",
                            list[i].title, c->title, c->name, c->title);
    }
    return 0;
}

static int add_entry(void *context, const char *part, size_t size)
{
    entry *e = context;
    msw_import *m = e->m;
    char word[1024], quote;
    const char *at = part, *end = part + size;
    if (m->input_count + m->output_count == IMPORT_COLUMNS)
        return msw_fail(m->err, "%s: more than %d columns", e->option, IMPORT_COLUMNS);
    import_column *c = &e->list[*e->count];
    *c = (import_column){.output = e->output, .half = MSW_CSV_ABSENT};
    if (!next_word(&at, end, word, sizeof word, &quote) ||
        find_field(m, e->option, word, &c->field))
        return -1;
    msw_text_fit(c->title, sizeof c->title, m->title[c->field]);
    find_unit(c->title, c->unit);
    make_name(c->title, c->name);
    if (read_words(e, at, end, c) || check_name(e, c))
        return -1;
    ++*e->count;
    MSW_TRY(check_apart(m, c, m->inputs, m->input_count));
    return check_apart(m, c, m->outputs, m->output_count);
}

/* ---- all of them ---- */

/* A column called NAME_hw that nobody asks for holds the half-widths of NAME. */
static void find_halves(msw_import *m)
{
    for (size_t i = 0; i < m->output_count; i++) {
        char wanted[IMPORT_NAME + 4];
        snprintf(wanted, sizeof wanted, "%s_hw", m->outputs[i].name);
        for (size_t f = 0; f < m->titles; f++)
            if (same_name(m->title[f], wanted))
                m->outputs[i].half = f;
    }
}

static int read_list(msw_import *m, const char *option, const char *list, bool output)
{
    entry e = {m, option, output, output ? &m->output_count : &m->input_count,
               output ? m->outputs : m->inputs};
    if (!list || !*list)
        return fail_unknown(m, option, "");
    return msw_list_each(list, add_entry, &e) ? -1 : 0;
}

static int find_workload(msw_import *m)
{
    import_column *c = &m->workload;
    c->text = true;
    if (!m->ask.workload)
        return 0;
    if (find_field(m, "--workload", m->ask.workload, &c->field))
        return -1;
    msw_text_fit(c->title, sizeof c->title, m->title[c->field]);
    snprintf(c->name, sizeof c->name, "workload");
    MSW_TRY(check_apart(m, c, m->inputs, m->input_count));
    return check_apart(m, c, m->outputs, m->output_count);
}

int import_columns(msw_import *m)
{
    m->inputs = calloc(IMPORT_COLUMNS, sizeof *m->inputs);
    m->outputs = calloc(IMPORT_COLUMNS, sizeof *m->outputs);
    m->workload.half = MSW_CSV_ABSENT;
    if (!m->inputs || !m->outputs)
        return msw_fail_memory(m->err);
    if (read_list(m, "--inputs", m->ask.inputs, false) ||
        read_list(m, "--outputs", m->ask.outputs, true) || find_workload(m))
        return -1;
    find_halves(m);
    return 0;
}
