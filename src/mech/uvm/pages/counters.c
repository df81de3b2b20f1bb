/* SPDX-License-Identifier: MIT */
/* Access counters: a page stays on the host and is read there, line by line, until its granule has
 * been accessed often enough; then a handler that takes several granules at once fetches the blocks
 * of it that were accessed, and the granule counts from nothing. */
#include "mech/uvm/pages/later.h"

struct uvm_counters {
    unsigned shift;    /* from a page to its granule */
    uint32_t *count;   /* [granule] */
    bool *told;        /* [granule] it waits for the handler */
    uint32_t *touched; /* [chunk] blocks accessed since their granule was last fetched, as bits */
    uint64_t *ring, head, tail, mask; /* granules that wait */
    uint64_t until, batch;            /* the handler is done with this many then */
};

int uvm_counters_init(uvm_pager *p)
{
    const uvm_config *c = p->config;
    const uvm_layout *l = p->layout;
    unsigned granule = msw_bits_log2((uint64_t)c->counter_granularity);
    if (c->migration != UVM_COUNTERS)
        return 0;
    uvm_counters *n = msw_arena_zero(p->arena, 1, sizeof *n);
    if (!n)
        return -1;
    n->shift = granule > l->shift ? granule - l->shift : 0;
    n->until = UINT64_MAX;
    uint64_t granules = (l->pages >> n->shift) + 1, room = msw_bits_power(granules);
    n->mask = room - 1;
    n->count = msw_arena_zero(p->arena, granules, sizeof *n->count);
    n->told = msw_arena_zero(p->arena, granules, sizeof *n->told);
    n->touched = msw_arena_zero(p->arena, l->chunk_count + 1u, sizeof *n->touched);
    n->ring = msw_arena_take(p->arena, room * sizeof *n->ring);
    p->counters = n;
    return n->count && n->told && n->touched && n->ring ? 0 : -1;
}

uint64_t uvm_counters_next(const uvm_pager *p)
{
    return p->counters ? p->counters->until : UINT64_MAX;
}

static void start_handler(uvm_pager *p, uint64_t now)
{
    uvm_counters *n = p->counters;
    if (n->until != UINT64_MAX || n->head == n->tail)
        return;
    n->batch = msw_min_u64(n->tail - n->head, (uint64_t)p->config->counter_batch);
    n->until = now + p->fault_cycles;
    uvm_later_at(p, n->until);
}

void uvm_counters_access(uvm_pager *p, uint64_t page, uint64_t now, uint32_t lines)
{
    uvm_counters *n = p->counters;
    uint64_t granule = page >> n->shift;
    uint32_t block = uvm_block_of(p, page);
    n->touched[block / UVM_BLOCKS] |= (uint32_t)1 << block % UVM_BLOCKS;
    n->count[granule] += lines;
    if (n->count[granule] < (uint64_t)p->config->counter_threshold || n->told[granule])
        return;
    n->told[granule] = true;
    n->ring[n->tail++ & n->mask] = granule;
    p->counts.notices++;
    start_handler(p, now);
}

bool uvm_counters_take(uvm_pager *p, uint64_t now, uint64_t *granule)
{
    uvm_counters *n = p->counters;
    if (n->until > now)
        return false;
    if (n->batch) {
        n->batch--;
        *granule = n->ring[n->head++ & n->mask];
        n->count[*granule] = 0;
        n->told[*granule] = false;
        return true;
    }
    n->until = UINT64_MAX;
    start_handler(p, now);
    return false;
}

void uvm_counters_range(const uvm_pager *p, uint64_t granule, uint64_t *first, uint64_t *end)
{
    *first = granule << p->counters->shift;
    *end = msw_min_u64((granule + 1) << p->counters->shift, p->layout->pages);
}

bool uvm_counters_met(const uvm_pager *p, uint32_t chunk, uint32_t block)
{
    return p->counters->touched[chunk] >> block & 1;
}

void uvm_counters_forget(uvm_pager *p, uint32_t chunk, uint32_t block)
{
    p->counters->touched[chunk] &= ~((uint32_t)1 << block);
}
