/* SPDX-License-Identifier: MIT */
/* Finds which rows of an imported table are one design: a complete grid, or blocks.
 *
 * Designs whose rows are in blocks: saltelli's base rows (A, AB_1 .. AB_d, with second order BA_1
 * .. BA_d, then B: the order of SALib, too) and morris' trajectories (each row moves one input).
 * Indices of rows in another order would be numbers without a meaning, so blocks are checked. */
#include "results/import/import.h"

#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const msw_import_designs[] = {"grid",   "list",     "random", "lhs", "sobol",
                                          "halton", "saltelli", "morris", NULL};

/* A table has a row for at least one of this many points: else its workloads are no workloads. */
enum { POINTS_PER_ROW = 100 };

bool import_in_order(const msw_import *m)
{
    return strcmp(m->design, "saltelli") == 0 || strcmp(m->design, "morris") == 0;
}

static int allocate(msw_import *m)
{
    m->design_of = calloc(m->rows + 1, sizeof *m->design_of);
    m->replicate_of = calloc(m->rows + 1, sizeof *m->replicate_of);
    m->workload_of = calloc(m->rows + 1, sizeof *m->workload_of);
    if (!m->design_of || !m->replicate_of || !m->workload_of)
        return msw_fail_memory(m->err);
    for (size_t r = 0; r < m->rows && m->workload.cells; r++)
        m->workload_of[r] = (uint32_t)m->workload.cells[r];
    return 0;
}

static uint64_t workloads(const msw_import *m)
{
    return m->workload.cells ? m->workload.labels.count : 1;
}

static bool same_inputs(const msw_import *m, size_t a, size_t b)
{
    for (size_t i = 0; i < m->input_count; i++)
        if (m->inputs[i].cells[a] != m->inputs[i].cells[b])
            return false;
    return true;
}

/* ---- rows with the same inputs ---- */

typedef struct mark {
    msw_digest digest;
    uint32_t row, first; /* the first row with these inputs */
} mark;

static int by_inputs(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    int order = memcmp(&x->digest, &y->digest, sizeof x->digest);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static int mark_rows(const msw_import *m, mark *marks)
{
    double *values = malloc((m->input_count + 1) * sizeof *values);
    if (!values)
        return msw_fail_memory(m->err);
    for (size_t r = 0; r < m->rows; r++) {
        for (size_t i = 0; i < m->input_count; i++)
            values[i] = m->inputs[i].cells[r];
        marks[r] = (mark){msw_hash_bytes(values, m->input_count * sizeof *values), (uint32_t)r, 0};
    }
    free(values);
    return 0;
}

/* Designs are numbered as they come. */
static void number_designs(msw_import *m, mark *marks)
{
    msw_sort(marks, m->rows, sizeof *marks, by_inputs);
    for (size_t i = 0; i < m->rows; i++) {
        bool same = i && memcmp(&marks[i].digest, &marks[i - 1].digest, sizeof(msw_digest)) == 0;
        marks[i].first = same ? marks[i - 1].first : marks[i].row;
    }
    msw_sort(marks, m->rows, sizeof *marks, by_row);
    m->designs = 0;
    for (size_t r = 0; r < m->rows; r++)
        m->design_of[r] =
            marks[r].first == r ? (uint32_t)m->designs++ : m->design_of[marks[r].first];
}

static int find_designs(msw_import *m)
{
    mark *marks = malloc((m->rows + 1) * sizeof *marks);
    int rc = marks ? mark_rows(m, marks) : msw_fail_memory(m->err);
    if (rc == 0)
        number_designs(m, marks);
    free(marks);
    return rc;
}

/* ---- a complete grid ---- */

/* Combinations of all levels; UINT64_MAX when they are more than there are rows. */
static uint64_t combinations(const msw_import *m)
{
    uint64_t count = 1;
    for (size_t i = 0; i < m->input_count; i++) {
        count *= m->inputs[i].level_count;
        if (count > m->rows)
            return UINT64_MAX;
    }
    return count;
}

static size_t level_of(const import_column *c, double value)
{
    return msw_lower_bound_f64(c->levels, c->level_count, value);
}

/* The last input runs fastest. */
static void number_cells(msw_import *m)
{
    for (size_t r = 0; r < m->rows; r++) {
        uint64_t at = 0;
        for (size_t i = 0; i < m->input_count; i++)
            at = at * m->inputs[i].level_count + level_of(&m->inputs[i], m->inputs[i].cells[r]);
        m->design_of[r] = (uint32_t)at;
    }
}

static int find_kind(msw_import *m)
{
    m->complete_grid = combinations(m) == m->designs;
    if (!m->ask.design)
        m->design = m->complete_grid ? "grid" : "list";
    if (strcmp(m->design, "grid") != 0)
        return 0;
    if (!m->complete_grid)
        return msw_fail(m->err,
                        "--design grid: %s has %" PRIu64 " designs, which are not all combinations "
                        "of the inputs' values: leave --design out",
                        m->ask.file, m->designs);
    number_cells(m);
    return 0;
}

/* ---- rows in an order ---- */

/* The n-th row of each workload is point n of the design. */
static int count_in_order(msw_import *m)
{
    size_t *first = calloc(workloads(m) + 1, sizeof *first), count = 0;
    size_t *order = calloc(m->rows + 1, sizeof *order);
    int rc = first && order ? 0 : msw_fail_memory(m->err);
    for (size_t r = 0; r < m->rows && rc == 0; r++) {
        size_t n = first[m->workload_of[r]]++;
        m->design_of[r] = (uint32_t)n;
        if (m->workload_of[r] == 0)
            order[count++] = r;
        else if (n < count && !same_inputs(m, order[n], r))
            rc = msw_fail(m->err,
                          "%s:%zu: design %s: row %zu of this workload has other inputs than that "
                          "of the first one, line %zu",
                          IMPORT_AT(m, r), m->design, n + 1, m->line[order[n]]);
    }
    m->designs = count;
    for (size_t w = 1; w < workloads(m) && rc == 0; w++)
        if (first[w] != count)
            rc = msw_fail(m->err, "%s: design %s: workload '%s' has %zu rows and the first one %zu",
                          m->ask.file, m->design, m->workload.labels.entries[w].text, first[w],
                          count);
    free(first);
    free(order);
    return rc;
}

/* ---- points ---- */

static int check_points(const msw_import *m)
{
    uint64_t most = POINTS_PER_ROW * (uint64_t)m->rows;
    if (m->designs <= most / workloads(m))
        return 0;
    return msw_fail(m->err,
                    "%s: %" PRIu64 " designs and %" PRIu64 " workloads meet in %zu rows only: does "
                    "column '%s' hold workloads? If it is a setting, it belongs among --inputs",
                    m->ask.file, m->designs, workloads(m), m->rows, m->workload.title);
}

static int fail_uneven(const msw_import *m, const uint32_t *counts)
{
    size_t again = 0, before = 0, once = 0;
    while (!m->replicate_of[again])
        again++;
    while (m->design_of[before] != m->design_of[again] ||
           m->workload_of[before] != m->workload_of[again])
        before++;
    while (counts[m->workload_of[once] * m->designs + m->design_of[once]] == m->replicates)
        once++;
    return msw_fail(
        m->err,
        "%s:%zu: the inputs of line %zu appear once more, while those of line %zu appear "
        "less often: each design needs as many repetitions; a column that tells "
        "these rows apart belongs among --inputs",
        IMPORT_AT(m, again), m->line[before], m->line[once]);
}

static int count_replicates(msw_import *m)
{
    uint64_t places = workloads(m) * m->designs;
    uint32_t *counts = calloc(places + 1, sizeof *counts);
    if (!counts)
        return msw_fail_memory(m->err);
    m->replicates = 1;
    for (size_t r = 0; r < m->rows; r++) {
        uint32_t *count = &counts[m->workload_of[r] * m->designs + m->design_of[r]];
        m->replicate_of[r] = (*count)++;
        m->replicates = *count > m->replicates ? *count : m->replicates;
    }
    bool even = true;
    for (uint64_t i = 0; i < places; i++)
        even = even && (!counts[i] || counts[i] == m->replicates);
    int rc = even ? 0 : fail_uneven(m, counts);
    free(counts);
    return rc;
}

static int place_rows(msw_import *m)
{
    uint64_t points = workloads(m) * m->designs * m->replicates;
    m->row_of = malloc((points + 1) * sizeof *m->row_of);
    if (!m->row_of)
        return msw_fail_memory(m->err);
    memset(m->row_of, 0xff, (points + 1) * sizeof *m->row_of);
    for (size_t r = 0; r < m->rows; r++)
        m->row_of[(m->workload_of[r] * m->designs + m->design_of[r]) * m->replicates +
                  m->replicate_of[r]] = r;
    return 0;
}

int import_design(msw_import *m)
{
    m->design = m->ask.design ? m->ask.design : "list";
    if (m->rows > MSW_STORE_POINTS_MAX)
        return msw_fail(m->err, "%s: more than %" PRIu32 " rows", m->ask.file,
                        MSW_STORE_POINTS_MAX);
    if (allocate(m))
        return -1;
    int rc = import_in_order(m) ? count_in_order(m) || import_blocks(m)
                                : find_designs(m) || find_kind(m);
    MSW_TRY(rc);
    MSW_TRY(check_points(m));
    MSW_TRY(count_replicates(m));
    return place_rows(m);
}

static double cell(const msw_import *m, size_t input, size_t row)
{
    return m->inputs[input].cells[row];
}

/* Whether `row` is `base` with input `i` of `from`. */
static bool crossed(const msw_import *m, size_t row, size_t base, size_t from, size_t i)
{
    for (size_t j = 0; j < m->input_count; j++)
        if (cell(m, j, row) != cell(m, j, j == i ? from : base))
            return false;
    return true;
}

/* The first row of a block that does not fit, or SIZE_MAX. */
static size_t check_saltelli(const msw_import *m, const size_t *block, bool second)
{
    size_t d = m->input_count, last = second ? 2 * d + 1 : d + 1;
    for (size_t i = 0; i < d; i++) {
        if (!crossed(m, block[1 + i], block[0], block[last], i))
            return block[1 + i];
        if (second && !crossed(m, block[1 + d + i], block[last], block[0], i))
            return block[1 + d + i];
    }
    return SIZE_MAX;
}

static size_t check_morris(const msw_import *m, const size_t *block)
{
    bool moved[IMPORT_COLUMNS] = {false};
    for (size_t s = 1; s <= m->input_count; s++) {
        size_t count = 0, which = 0;
        for (size_t i = 0; i < m->input_count; i++)
            if (cell(m, i, block[s]) != cell(m, i, block[s - 1])) {
                count++;
                which = i;
            }
        if (count != 1 || moved[which])
            return block[s];
        moved[which] = true;
    }
    return SIZE_MAX;
}

/* Returns SIZE_MAX when all blocks of `size` rows are sound, else the row that is not. */
static size_t check_all(const msw_import *m, const size_t *rows, size_t size, bool second)
{
    size_t bad = SIZE_MAX;
    for (size_t at = 0; at + size <= m->designs && bad == SIZE_MAX; at += size)
        bad = strcmp(m->design, "morris") == 0 ? check_morris(m, rows + at)
                                               : check_saltelli(m, rows + at, second);
    return bad;
}

static int fail_size(const msw_import *m, size_t size, size_t other)
{
    return other ? msw_fail(m->err,
                            "--design saltelli: %zu rows in a workload; a base row of %zu inputs "
                            "has %zu, or %zu with second order",
                            (size_t)m->designs, m->input_count, size, other)
                 : msw_fail(m->err,
                            "--design morris: %zu rows in a workload; a trajectory of %zu inputs "
                            "has %zu",
                            (size_t)m->designs, m->input_count, size);
}

static int fail_block(const msw_import *m, size_t row)
{
    return msw_fail(m->err, "%s:%zu: design %s: %s", IMPORT_AT(m, row), m->design,
                    strcmp(m->design, "morris") == 0
                        ? "this row does not move exactly one input that its trajectory has not "
                          "moved yet"
                        : "this row is not the first of its block with one input of the last one "
                          "(order A, AB.., BA.., B; inputs in the order of --inputs)");
}

/* An effect is per whole range of its input, which a few trajectories need not reach the ends of.
 */
static int need_ranges(const msw_import *m)
{
    for (size_t i = 0; i < m->input_count; i++) {
        const import_column *c = &m->inputs[i];
        if (!c->text && !c->ranged)
            return msw_fail(m->err,
                            "--design morris: effects are per whole range, and that of '%s' is not "
                            "said (the rows have %g to %g): --inputs '%s FROM..TO, ...'",
                            c->title, c->from, c->to, c->title);
    }
    return 0;
}

/* Both sizes of saltelli's blocks may divide the rows: the one that fits is taken. */
static int check_rows(msw_import *m, const size_t *rows)
{
    size_t d = m->input_count, sizes[] = {d + 2, 2 * d + 2}, bad = SIZE_MAX;
    if (strcmp(m->design, "morris") == 0) {
        MSW_TRY(need_ranges(m));
        bad = m->designs % (d + 1) ? SIZE_MAX : check_all(m, rows, d + 1, false);
        return m->designs % (d + 1) ? fail_size(m, d + 1, 0)
               : bad != SIZE_MAX    ? fail_block(m, bad)
                                    : 0;
    }
    bool fits = false;
    for (int second = 0; second < 2; second++) {
        if (m->designs % sizes[second])
            continue;
        size_t found = check_all(m, rows, sizes[second], second);
        m->second_order = second;
        if (found == SIZE_MAX)
            return 0;
        bad = fits ? bad : found;
        fits = true;
    }
    return fits ? fail_block(m, bad) : fail_size(m, sizes[0], sizes[1]);
}

int import_blocks(msw_import *m)
{
    size_t *rows = malloc((m->designs + 1) * sizeof *rows);
    if (!rows)
        return msw_fail_memory(m->err);
    for (size_t r = 0; r < m->rows; r++)
        if (m->workload_of[r] == 0)
            rows[m->design_of[r]] = r;
    int rc = check_rows(m, rows);
    free(rows);
    return rc;
}
