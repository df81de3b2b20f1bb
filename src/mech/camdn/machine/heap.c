/* SPDX-License-Identifier: MIT */
/* Orders NPUs by time, and those of one time by number: keys are time and number. A tree
 * of matches: each key of a pair is the smaller one of the pair below, the first one wins. A key
 * that changes plays its way up again, which takes no branch that depends on times. */
#include "mech/camdn/machine/system.h"

enum { NUMBER_BITS = 6 }; /* CAMDN_TENANTS_MAX */

static uint64_t key_of(const camdn_system *s, uint32_t tenant)
{
    uint64_t last = UINT64_MAX >> NUMBER_BITS;
    return msw_min_u64(s->npus[tenant].time, last) << NUMBER_BITS | tenant;
}

size_t camdn_heap_keys(size_t npus)
{
    return 2 * (size_t)msw_bits_power(npus);
}

uint32_t camdn_heap_first(const camdn_system *s)
{
    return (uint32_t)(s->order.heap[1] & (CAMDN_TENANTS_MAX - 1));
}

void camdn_heap_settle(camdn_system *s)
{
    uint32_t leaves = s->order.leaves;
    for (uint32_t i = 0; i < leaves; i++)
        s->order.heap[leaves + i] = i < s->count ? key_of(s, i) : UINT64_MAX;
    for (uint32_t i = leaves; i-- > 1;)
        s->order.heap[i] = msw_min_u64(s->order.heap[2 * i], s->order.heap[2 * i + 1]);
}

void camdn_heap_update(camdn_system *s, uint32_t tenant)
{
    uint64_t *heap = s->order.heap, key = key_of(s, tenant);
    uint32_t at = s->order.leaves + tenant;
    for (heap[at] = key; at > 1; heap[at] = key) {
        key = msw_min_u64(key, heap[at ^ 1]);
        at /= 2;
    }
}
