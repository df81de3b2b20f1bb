/* Blocks of units that a reference measures together: those of a stratum whose sizes, as predicted
 * of the reference, lie within a factor of the root of two, and whose permanent random numbers lie
 * in [2^-(b+1), 2^-b), in units of the largest. What candidates draw of such units they draw at
 * about one rate, so of most blocks they need most units. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <math.h>
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

int msw_block_measure(const msw_task *task, const msw_predictions *from, size_t h, unsigned block,
                      msw_arena *arena, msw_reference_block *out, msw_err *err)
{
    msw_unit_set set;
    uint64_t count = 0;
    if (msw_units_init(task, &set, err))
        return -1;
    msw_stratum_set one = set.strata[h];
    one.members = msw_arena_take(arena, one.units * sizeof *one.members + 1);
    if (!one.members)
        return msw_fail_memory(err);
    for (uint64_t u = 0; u < one.units; u++)
        if (size_of(task, from, h, u) == block / LEVELS && level_of(task, h, u) == block % LEVELS)
            one.members[count++] = u;
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
