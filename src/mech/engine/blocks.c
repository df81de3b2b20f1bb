/* Blocks of units that a reference measures together: those of a stratum whose permanent random
 * numbers lie in [2^-(b+1), 2^-b), in units of the largest number. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { BLOCK_LAST = 24 };

unsigned msw_block_of(uint64_t number)
{
    return number ? (unsigned)msw_min_u64(63 - msw_bits_highest(number), BLOCK_LAST) : BLOCK_LAST;
}

int msw_block_measure(const msw_task *task, size_t h, unsigned block, msw_arena *arena,
                      msw_reference_block *out, msw_err *err)
{
    msw_unit_set set;
    uint64_t key = msw_units_key(task), count = 0;
    if (msw_units_init(task, &set, err))
        return -1;
    msw_stratum_set one = set.strata[h];
    one.members = msw_arena_take(arena, one.units * sizeof *one.members + 1);
    if (!one.members)
        return msw_fail_memory(err);
    for (uint64_t u = 0; u < one.units; u++)
        if (msw_block_of(msw_permanent_number(key, h, u)) == block)
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
