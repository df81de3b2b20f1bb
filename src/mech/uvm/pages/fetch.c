/* SPDX-License-Identifier: MIT */
/* What the handler of access counters fetches: of a granule the blocks that were accessed. */
#include "mech/uvm/pages/later.h"

/* The part of a chunk that lies in a granule. */
static int fetch_chunk(uvm_pager *p, uint64_t now, uint32_t chunk, uint64_t first, uint64_t end)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t block = p->layout->block_pages;
    uvm_set wanted = {{0}};
    for (uint64_t at = first - c->first; at < end - c->first; at++)
        if (uvm_exists(p->layout, c->first + at) &&
            uvm_counters_met(p, chunk, (uint32_t)(at / block)))
            wanted.words[at / 64] |= (uint64_t)1 << at % 64;
    for (uint64_t at = first - c->first; at < end - c->first; at++)
        uvm_counters_forget(p, chunk, (uint32_t)(at / block));
    return uvm_pager_ask(p, now, chunk, &wanted);
}

static int fetch_granule(uvm_pager *p, uint64_t now, uint64_t granule)
{
    const uint32_t *chunk_of = p->layout->chunk_of;
    uint64_t page, end;
    uvm_counters_range(p, granule, &page, &end);
    while (page < end) {
        uint64_t next = page + 1;
        while (next < end && chunk_of[next] == chunk_of[page])
            next++;
        if (chunk_of[page] != UVM_NO_CHUNK && fetch_chunk(p, now, chunk_of[page], page, next))
            return -1;
        page = next;
    }
    return 0;
}

int uvm_counters_step(uvm_pager *p, uint64_t now)
{
    uint64_t granule;
    while (uvm_counters_take(p, now, &granule))
        if (fetch_granule(p, now, granule))
            return -1;
    return uvm_memory_room(p, now, p->memory.queued);
}
