/* SPDX-License-Identifier: MIT */
/* Blocks of units that a reference measures together: those of a stratum whose sizes, as predicted
 * of the reference, lie within a factor of the root of two, and whose permanent random numbers lie
 * in [2^-(b+1), 2^-b), in units of the largest. What candidates draw of such units they draw at
 * about one rate, so of most blocks they need most units. An index per reference and choice of
 * units knows the units of each block, so that a block costs what it measures. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 32, EXPONENTS = 1100 };

/* Two for every power of two. */
static unsigned size_class(double size)
{
    int exponent;
    double part = frexp(size, &exponent);
    return size > 0 ? 2 * (unsigned)(exponent + EXPONENTS) + (part * part >= 0.5) : 0;
}

static unsigned size_of(const msw_task *task, const msw_predictions *from, size_t h, uint64_t unit)
{
    size_t mark = msw_size_mark(task->map);
    return size_class(fabs(from->units[h][unit * task->map->mark_count + mark]));
}

/* The level is the number of leading zeros: each level holds half as many units as the one before.
 * */
static unsigned level_of(const msw_task *task, size_t h, uint64_t unit)
{
    uint64_t number = msw_permanent_number(msw_units_key(task), h, unit);
    unsigned level = number ? 63 - msw_bits_highest(number) : LEVELS - 1;
    return (unsigned)msw_min_u64(level, LEVELS - 1);
}

unsigned msw_block_of(const msw_task *task, const msw_predictions *from, size_t h, uint64_t unit)
{
    return size_of(task, from, h, unit) * LEVELS + level_of(task, h, unit);
}

/* ---- which units a block has ---- */

static int compare_entries(const void *a, const void *b)
{
    const msw_block_entry *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

int msw_block_index_make(const msw_task *task, const msw_predictions *from, msw_arena *arena,
                         msw_block_index *out, msw_err *err)
{
    msw_unit_set set;
    if (msw_units_init(task, &set, err))
        return -1;
    out->counts = msw_arena_take(arena, (set.stratum_count + 1) * sizeof *out->counts);
    out->entries = msw_arena_take(arena, (set.stratum_count + 1) * sizeof *out->entries);
    if (!out->counts || !out->entries)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set.stratum_count; h++) {
        uint64_t units = out->counts[h] = set.strata[h].units;
        msw_block_entry *entries = msw_arena_take(arena, units * sizeof *entries + 1);
        if (!entries)
            return msw_fail_memory(err);
        for (uint64_t u = 0; u < units; u++)
            entries[u] = (msw_block_entry){u, msw_block_of(task, from, h, u)};
        qsort(entries, units, sizeof *entries, compare_entries);
        out->entries[h] = entries;
    }
    return 0;
}

/* The first entry of a block, or of the next. */
static uint64_t find_block(const msw_block_entry *entries, uint64_t count, unsigned block)
{
    uint64_t low = 0;
    while (low < count) {
        uint64_t middle = low + (count - low) / 2;
        if (entries[middle].block < block)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Lists the units of a block in order. Returns them, or NULL without memory. */
static uint64_t *list_units(const msw_block_index *index, size_t h, unsigned block,
                            msw_arena *arena, uint64_t *count)
{
    const msw_block_entry *entries = index->entries[h];
    uint64_t first = find_block(entries, index->counts[h], block), end = first;
    while (end < index->counts[h] && entries[end].block == block)
        end++;
    *count = end - first;
    uint64_t *units = msw_arena_take(arena, *count * sizeof *units + 1);
    for (uint64_t i = 0; units && i < *count; i++)
        units[i] = entries[first + i].unit;
    return units;
}

/* ---- what it gives ---- */

int msw_block_measure(const msw_task *task, const msw_block_index *index, size_t h, unsigned block,
                      msw_arena *arena, msw_reference_block *out, msw_err *err)
{
    msw_unit_set set;
    uint64_t count;
    if (msw_units_init(task, &set, err))
        return -1;
    msw_stratum_set one = set.strata[h];
    one.members = list_units(index, h, block, arena, &count);
    if (!one.members)
        return msw_fail_memory(err);
    one.units = count;
    set.stratum_count = 1;
    set.strata = &one;
    if (msw_units_measure(task, &set, &count, err))
        return -1;
    size_t bytes = count * set.map->metric_count * sizeof(double);
    *out = (msw_reference_block){.count = count, .units = one.members};
    out->values = msw_arena_take(arena, bytes + 1);
    if (!out->values)
        return msw_fail_memory(err);
    if (count)
        memcpy(out->values, one.values, bytes);
    return 0;
}
