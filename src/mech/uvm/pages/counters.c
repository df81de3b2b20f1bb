/* SPDX-License-Identifier: MIT */
/* What a driver counts to place pages: accesses from the device, granule by granule, and the
 * patterns of UVMSmart's runtime. */
#include "mech/uvm/pages/pager.h"

/* Access counters: a page stays on the host and is read there, line by line, until its granule has
 * been accessed often enough; then a handler that takes several granules at once fetches the blocks
 * of it that were accessed, and the granule counts from nothing. */

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

/* The smart runtime of UVMSmart: from the blocks that each launch brings it tells for each array
 * whether they come in order and whether they come again, and chooses how a memory that is short
 * evicts and migrates (README.md, "Memory"). */

/* Of blocks in their order of coming. */
enum { LINEAR = 1, RANDOM = 2, REUSE = 4 };

/* Of an array. */
typedef struct pattern {
    uint32_t launch, last; /* the launch under way, and its last block + 1; 0: none */
    uint8_t now, before;   /* of this launch, and of those before it */
} pattern;

struct uvm_smart {
    pattern *arrays;
    bool *seen; /* [block] */
};

int uvm_smart_init(uvm_pager *p)
{
    const uvm_layout *l = p->layout;
    if (!p->config->smart_runtime || p->memory.capacity == UINT64_MAX)
        return 0;
    p->smart = msw_arena_zero(p->arena, 1, sizeof *p->smart);
    if (!p->smart)
        return -1;
    p->smart->arrays = msw_arena_zero(p->arena, l->arrays + 1u, sizeof *p->smart->arrays);
    p->smart->seen =
        msw_arena_zero(p->arena, (l->chunk_count + 1u) * UVM_BLOCKS, sizeof *p->smart->seen);
    return p->smart->arrays && p->smart->seen ? 0 : -1;
}

void uvm_smart_brings(uvm_pager *p, uint32_t block)
{
    uvm_smart *s = p->smart;
    pattern *a = &s->arrays[p->layout->chunks[block / UVM_BLOCKS].array];
    if (a->launch != p->launch || !a->last)
        *a = (pattern){p->launch, 0, LINEAR, a->before | a->now};
    if (block + 1 < a->last)
        a->now = (uint8_t)((a->now & ~LINEAR) | RANDOM);
    if (s->seen[block])
        a->now |= REUSE;
    s->seen[block] = true;
    a->last = block + 1;
}

void uvm_smart_choose(uvm_pager *p)
{
    bool random = false, again = false;
    for (uint32_t i = 0; p->smart && i < p->layout->arrays; i++) {
        uint8_t all = p->smart->arrays[i].now | p->smart->arrays[i].before;
        random |= (all & RANDOM) != 0;
        again |= all == (LINEAR | REUSE);
    }
    if (random)
        p->memory.migration = UVM_DELAYED_WHEN_FULL;
    if (random || again)
        p->memory.eviction = UVM_EVICT_TREE;
}
