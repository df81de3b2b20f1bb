/* NPUs in the order of time; of those of one time, in their own. */
#include "mech/camdn/machine/system.h"

static bool is_earlier(const camdn_system *s, uint32_t a, uint32_t b)
{
    uint64_t x = s->npus[a].time, y = s->npus[b].time;
    return x != y ? x < y : a < b;
}

static void put(camdn_system *s, uint32_t at, uint32_t tenant)
{
    s->heap[at] = tenant;
    s->heap_at[tenant] = at;
}

void camdn_heap_later(camdn_system *s, uint32_t tenant)
{
    uint32_t at = s->heap_at[tenant];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->count)
            break;
        if (child + 1 < s->count && is_earlier(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!is_earlier(s, s->heap[child], tenant))
            break;
        put(s, at, s->heap[child]);
        at = child;
    }
    put(s, at, tenant);
}

void camdn_heap_earlier(camdn_system *s, uint32_t tenant)
{
    uint32_t at = s->heap_at[tenant];
    while (at > 0 && is_earlier(s, tenant, s->heap[(at - 1) / 2])) {
        put(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(s, at, tenant);
}

void camdn_heap_settle(camdn_system *s)
{
    for (uint32_t at = s->count; at-- > 0;)
        camdn_heap_later(s, s->heap[at]);
}
