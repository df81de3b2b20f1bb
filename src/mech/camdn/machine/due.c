/* NPUs in the order of time; of those of one time, in their own: keys are time and number. The
 * least of some tens of keys is found in a few cycles, without a branch that could be guessed
 * wrong: a heap of them took longer. */
#include "mech/camdn/machine/system.h"

enum { NUMBER_BITS = 6 }; /* CAMDN_TENANTS_MAX */

void camdn_due_set(camdn_system *s, uint32_t tenant)
{
    uint64_t last = UINT64_MAX >> NUMBER_BITS;
    s->due[tenant] = msw_min_u64(s->npus[tenant].time, last) << NUMBER_BITS | tenant;
}

uint32_t camdn_due_first(const camdn_system *s)
{
    uint64_t least[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint32_t i = 0;
    for (; i + 4 <= s->count; i += 4)
        for (uint32_t k = 0; k < 4; k++)
            least[k] = msw_min_u64(least[k], s->due[i + k]);
    for (; i < s->count; i++)
        least[0] = msw_min_u64(least[0], s->due[i]);
    uint64_t first = msw_min_u64(msw_min_u64(least[0], least[1]), msw_min_u64(least[2], least[3]));
    return (uint32_t)(first & (CAMDN_TENANTS_MAX - 1));
}
