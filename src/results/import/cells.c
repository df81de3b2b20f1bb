/* SPDX-License-Identifier: MIT */
/* From records to columns of numbers and labels. */
#include "results/import/import.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/units.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- records ---- */

static int add_words(const msw_import *m, import_column *c)
{
    MSW_TRY(msw_vec_extend(&c->words, m->rows, sizeof *c->words, m->err));
    c->words[m->rows] = m->csv.fields[c->field];
    if (c->half == MSW_CSV_ABSENT)
        return 0;
    MSW_TRY(msw_vec_extend(&c->half_words, m->rows, sizeof *c->half_words, m->err));
    c->half_words[m->rows] = m->csv.fields[c->half];
    return 0;
}

static int add_record(msw_import *m)
{
    MSW_TRY(msw_vec_extend(&m->line, m->rows, sizeof *m->line, m->err));
    m->line[m->rows] = m->csv.line;
    if (m->ask.workload)
        MSW_TRY(add_words(m, &m->workload));
    for (size_t i = 0; i < m->input_count; i++)
        MSW_TRY(add_words(m, &m->inputs[i]));
    for (size_t i = 0; i < m->output_count; i++)
        MSW_TRY(add_words(m, &m->outputs[i]));
    m->rows++;
    return 0;
}

int import_records(msw_import *m)
{
    int got;
    while ((got = msw_csv_next(&m->csv, m->err)) > 0) {
        MSW_TRY(msw_csv_check(&m->csv, m->titles, m->err));
        MSW_TRY(add_record(m));
    }
    if (got < 0)
        return -1;
    return m->rows ? 0 : msw_fail(m->err, "%s: a header and no rows", m->ask.file);
}

/* ---- words ---- */

static long label_of(msw_strings *labels, const char *word)
{
    size_t size = strlen(word);
    uint32_t number = msw_strings_find(labels, word, size);
    if (number != MSW_NOWHERE)
        return (long)number;
    if (labels->count == IMPORT_LABELS || msw_strings_add(labels, word, size, &number, NULL))
        return -1;
    return (long)number;
}

static const char *trouble_of(const char *word)
{
    size_t size = strlen(word);
    if (!size)
        return "is empty";
    if (size > IMPORT_LABEL)
        return "is longer than 200 bytes";
    for (size_t i = 0, step; i < size; i += step) {
        step = msw_utf8_length(word + i, size - i);
        if (!step)
            return "is not UTF-8 text";
        if ((unsigned char)word[i] < 0x20 || word[i] == 0x7f)
            return "holds a control character";
    }
    return NULL;
}

static int read_labels(msw_import *m, import_column *c)
{
    for (size_t r = 0; r < m->rows; r++) {
        const char *trouble = trouble_of(c->words[r]);
        if (trouble)
            return msw_fail(m->err, "%s:%zu: column '%s': '%.40s' %s: every row needs a word here",
                            IMPORT_AT(m, r), c->title, c->words[r], trouble);
        long label = label_of(&c->labels, c->words[r]);
        if (label < 0)
            return msw_fail(m->err,
                            "%s:%zu: column '%s' has more than %d different words: it is neither a "
                            "setting nor a workload",
                            IMPORT_AT(m, r), c->title, IMPORT_LABELS);
        c->cells[r] = (double)label;
    }
    return 0;
}

/* ---- numbers ---- */

typedef enum cell_kind { CELL_NUMBER, CELL_MISSING, CELL_INFINITE, CELL_WORD } cell_kind;

static bool is_missing(const char *word)
{
    static const char *const WORDS[] = {"", "na", "n/a", "nan", "-nan", "null", "-", "#n/a"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcasecmp(word, WORDS[i]) == 0)
            return true;
    return false;
}

static bool is_infinite(const char *word)
{
    word += *word == '-' || *word == '+';
    return strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0;
}

/* Decimal numbers; with a unit behind them where the column has one that takes multiples. */
static cell_kind read_number(const char *word, const char *unit, double *value)
{
    char *end;
    *value = NAN;
    if (is_missing(word))
        return CELL_MISSING;
    if (is_infinite(word))
        return CELL_INFINITE;
    *value = strtod(word, &end);
    bool decimal = word[strspn(word, "0123456789+-.eE")] == '\0';
    if (!decimal || end == word || *end) {
        bool suffixed = *unit && strchr("0123456789+-.", *word);
        if (!suffixed || msw_units_parse(word, unit, value, NULL))
            return CELL_WORD;
    }
    *value += 0.0; /* -0.0 is 0.0 */
    return isfinite(*value) ? CELL_NUMBER : CELL_INFINITE;
}

static int fail_cell(msw_import *m, const import_column *c, size_t row, const char *what)
{
    return msw_fail(m->err, "%s:%zu: column '%s': '%.40s' %s", IMPORT_AT(m, row), c->title,
                    c->words[row], what);
}

static int fail_mixed(msw_import *m, const import_column *c, size_t word, size_t number)
{
    return msw_fail(m->err,
                    "%s:%zu: column '%s': '%.40s' is no number, and line %zu has '%.40s'; say '%s "
                    "text' where both are words",
                    IMPORT_AT(m, word), c->title, c->words[word], m->line[number], c->words[number],
                    c->title);
}

/* Reads an input as numbers. Returns 0, 1 when none of its cells is one, or -1. */
static int read_input(msw_import *m, import_column *c)
{
    size_t numbers = 0, words = 0, number = 0, word = 0;
    c->whole = true;
    for (size_t r = 0; r < m->rows; r++) {
        cell_kind kind = read_number(c->words[r], c->unit, &c->cells[r]);
        if (kind == CELL_INFINITE)
            return fail_cell(m, c, r, "is infinite: an input is a finite number");
        bool is_number = kind == CELL_NUMBER;
        number = is_number && !numbers ? r : number;
        word = !is_number && !words ? r : word;
        numbers += is_number;
        words += !is_number;
        c->whole = c->whole && floor(c->cells[r]) == c->cells[r] && fabs(c->cells[r]) < 0x1p53;
        if (numbers && words)
            return is_missing(c->words[word])
                       ? fail_cell(m, c, word, "is no value: an input has one in every row")
                       : fail_mixed(m, c, word, number);
    }
    return numbers ? 0 : 1;
}

static int read_output(msw_import *m, import_column *c)
{
    for (size_t r = 0; r < m->rows; r++) {
        cell_kind kind = read_number(c->words[r], c->unit, &c->cells[r]);
        if (kind == CELL_WORD)
            return fail_cell(m, c, r, "is no number: an output is one, or empty");
        m->undefined += kind == CELL_MISSING;
        m->infinite += kind == CELL_INFINITE;
        if (kind != CELL_NUMBER)
            c->cells[r] = NAN;
        if (c->half_words && (read_number(c->half_words[r], c->unit, &c->halves[r]) == CELL_WORD ||
                              c->halves[r] < 0))
            return msw_fail(m->err, "%s:%zu: column '%s_hw': '%.40s' is no half-width",
                            IMPORT_AT(m, r), c->name, c->half_words[r]);
    }
    return 0;
}

/* ---- columns ---- */

/* Distinct values, rising; of labels their numbers, which rise as they come. */
static int find_levels(msw_import *m, import_column *c)
{
    c->levels = malloc((m->rows + 1) * sizeof *c->levels);
    if (!c->levels)
        return msw_fail_memory(m->err);
    memcpy(c->levels, c->cells, m->rows * sizeof *c->levels);
    msw_sort_f64(c->levels, m->rows);
    for (size_t r = 0; r < m->rows; r++)
        if (!c->level_count || c->levels[c->level_count - 1] != c->levels[r])
            c->levels[c->level_count++] = c->levels[r];
    double low = c->levels[0], high = c->levels[c->level_count - 1];
    if (c->ranged && (low < c->from || high > c->to))
        return msw_fail(m->err, "--inputs: '%s' is said to go from %g to %g and has %g", c->title,
                        c->from, c->to, low < c->from ? low : high);
    c->from = c->ranged ? c->from : low;
    c->to = c->ranged ? c->to : high;
    return c->log && c->from <= 0
               ? msw_fail(m->err, "--inputs: '%s' is said to be log and has %g", c->title, low)
               : 0;
}

static int read_column(msw_import *m, import_column *c)
{
    c->cells = malloc((m->rows + 1) * sizeof *c->cells);
    c->halves = c->half_words ? malloc((m->rows + 1) * sizeof *c->halves) : NULL;
    if (!c->cells || (c->half_words && !c->halves))
        return msw_fail_memory(m->err);
    int rc = c->output ? read_output(m, c) : c->text ? 1 : read_input(m, c);
    if (rc > 0) {
        c->text = true;
        rc = read_labels(m, c);
    }
    free(c->words);
    free(c->half_words);
    c->words = c->half_words = NULL;
    return rc || c->output || c == &m->workload ? rc : find_levels(m, c);
}

static void count_empty(msw_import *m)
{
    for (size_t r = 0; r < m->rows; r++) {
        bool any = false;
        for (size_t i = 0; i < m->output_count; i++)
            any = any || !isnan(m->outputs[i].cells[r]);
        m->empty += !any;
    }
}

int import_cells(msw_import *m)
{
    if (m->ask.workload && read_column(m, &m->workload))
        return -1;
    for (size_t i = 0; i < m->input_count; i++)
        if (read_column(m, &m->inputs[i]))
            return -1;
    for (size_t i = 0; i < m->output_count; i++)
        if (read_column(m, &m->outputs[i]))
            return -1;
    count_empty(m);
    return 0;
}
