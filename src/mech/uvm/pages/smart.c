/* SPDX-License-Identifier: MIT */
/* The smart runtime of UVMSmart: from the blocks that each launch brings it tells for each array
 * whether they come in order and whether they come again, and chooses how a memory that is short
 * evicts and migrates (README.md, "Memory"). */
#include "mech/uvm/pages/smart.h"

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
