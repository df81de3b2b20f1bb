/* SPDX-License-Identifier: MIT */
/* Designs whose rows are in blocks: saltelli's base rows (A, AB_1 .. AB_d, with second order BA_1
 * .. BA_d, then B: the order of SALib, too) and morris' trajectories (each row moves one input).
 * Indices of rows in another order would be numbers without a meaning, so blocks are checked. */
#include "results/import/import.h"

#include <stdlib.h>
#include <string.h>

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

/* Both sizes of saltelli's blocks may divide the rows: the one that fits is taken. */
static int check_rows(msw_import *m, const size_t *rows)
{
    size_t d = m->input_count, sizes[] = {d + 2, 2 * d + 2}, bad = SIZE_MAX;
    if (strcmp(m->design, "morris") == 0) {
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
