/* NPUs in the order of time; of those of one time, in their own: keys are time and number. */
#include "mech/camdn/machine/system.h"

enum { NUMBER_BITS = 6 }; /* CAMDN_TENANTS_MAX */

static uint64_t key_of(const camdn_system *s, uint32_t tenant)
{
    uint64_t last = UINT64_MAX >> NUMBER_BITS;
    return msw_min_u64(s->npus[tenant].time, last) << NUMBER_BITS | tenant;
}

uint32_t camdn_heap_first(const camdn_system *s)
{
    return (uint32_t)(s->heap[0] & (CAMDN_TENANTS_MAX - 1));
}

static void sift_down(camdn_system *s, uint32_t at, uint64_t key)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->count)
            break;
        child += child + 1 < s->count && s->heap[child + 1] < s->heap[child];
        if (s->heap[child] > key)
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = key;
}

static uint32_t find(const camdn_system *s, uint32_t tenant)
{
    uint32_t at = 0;
    while ((s->heap[at] & (CAMDN_TENANTS_MAX - 1)) != tenant)
        at++;
    return at;
}

void camdn_heap_later(camdn_system *s, uint32_t tenant)
{
    sift_down(s, find(s, tenant), key_of(s, tenant));
}

void camdn_heap_earlier(camdn_system *s, uint32_t tenant)
{
    uint32_t at = find(s, tenant);
    uint64_t key = key_of(s, tenant);
    for (; at > 0 && s->heap[(at - 1) / 2] > key; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = key;
}

void camdn_heap_settle(camdn_system *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->heap[i] = key_of(s, i);
    for (uint32_t at = s->count; at-- > 0;)
        sift_down(s, at, s->heap[at]);
}
