/* SPDX-License-Identifier: MIT */
/* Eviction where memory is short (README.md, "Memory"). */
#include "mech/uvm/pages/channel.h"
#include "mech/uvm/pages/later.h"
#include "mech/uvm/pages/pager.h"

static int write_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count)
{
    if (!count)
        return 0;
    p->memory.leaving += count;
    p->counts.back += count;
    return uvm_channel_send(p, &p->out, now, (uvm_move){first, (uint32_t)count, UVM_EVICT_BACK});
}

static void forget(uvm_pager *p, uint64_t page, uint64_t now)
{
    p->where[page] = UVM_ON_HOST;
    p->flags[page] &= (uint8_t) ~(UVM_DIRTY | UVM_USED | UVM_PREFETCHED | UVM_REQUESTED_PAGE);
    p->counts.evicted++;
    uvm_memory_leave(p, page);
    if (p->config->thrash == UVM_THRASH_ALL)
        uvm_thrash_moved(p, page, now, true);
    if (p->gone)
        p->gone(p->self, page);
}

/* The pages of a row that are here leave; those that need not be written leave at once. */
static int evict_row(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count)
{
    uint64_t from = first, end = first + count;
    for (uint64_t page = first; page < end; page++) {
        bool here = p->where[page] == UVM_VALID;
        bool written =
            here && (p->config->write_back == UVM_WRITE_ALL || (p->flags[page] & UVM_DIRTY));
        if (here)
            forget(p, page, now);
        if (written)
            continue;
        p->memory.used -= here;
        if (write_back(p, now, from, page - from))
            return -1;
        from = page + 1;
    }
    return write_back(p, now, from, end - from);
}

/* A block of which no page is here or asked for is no longer counted by the tree. */
static void count_block(uvm_pager *p, uint32_t chunk, uint32_t leaf)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t block = p->layout->block_pages;
    for (uint32_t i = leaf * block; i < (leaf + 1) * block && i < c->pages; i++)
        if (p->where[c->first + i] != UVM_ON_HOST)
            return;
    p->leaves[chunk] &= ~((uint32_t)1 << leaf);
}

static int evict_block(uvm_pager *p, uint64_t now, uint32_t chunk, uint32_t leaf)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t block = p->layout->block_pages, first = leaf * block;
    if (first >= c->pages)
        return 0;
    if (evict_row(p, now, c->first + first, msw_min_u64(block, c->pages - first)))
        return -1;
    count_block(p, chunk, leaf);
    return 0;
}

static int evict_page(uvm_pager *p, uint64_t now, uint64_t page)
{
    uint32_t block = uvm_block_of(p, page);
    if (evict_row(p, now, page, 1))
        return -1;
    count_block(p, block / UVM_BLOCKS, block % UVM_BLOCKS);
    return 0;
}

static int evict_chunk(uvm_pager *p, uint64_t now, uint32_t chunk)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    if (evict_row(p, now, c->first, c->pages))
        return -1;
    for (uint32_t leaf = 0; leaf < c->leaves; leaf++)
        count_block(p, chunk, leaf);
    return 0;
}

/* Blocks of a chunk with pages here, as bits; *oldest is the one touched longest ago. */
static uint32_t blocks_here(const uvm_pager *p, uint32_t chunk, uint32_t *oldest)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t mask = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < c->pages; i++)
        if (p->where[c->first + i] == UVM_VALID)
            mask |= (uint32_t)1 << i / p->layout->block_pages;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t leaf = msw_bits_lowest(rest);
        if (p->memory.stamp[chunk * UVM_BLOCKS + leaf] < least) {
            least = p->memory.stamp[chunk * UVM_BLOCKS + leaf];
            *oldest = leaf;
        }
    }
    return mask;
}

/* The tree the other way round, what is asked for counted, too: from the smallest nodes up, one
 * that is neither empty nor at least half full is emptied. */
static int evict_tree(uvm_pager *p, uint64_t now, uint32_t chunk)
{
    uint32_t oldest = 0, here = blocks_here(p, chunk, &oldest);
    uint32_t left = (p->leaves[chunk] | here) & ~((uint32_t)1 << oldest);
    uint32_t leaves = p->layout->chunks[chunk].leaves;
    for (uint32_t size = 2; size <= leaves; size *= 2) {
        uint32_t node = (uint32_t)msw_bits_mask(size);
        for (uint32_t at = 0; at < leaves; at += size) {
            uint32_t count = msw_bits_count(left >> at & node);
            if (count && 2 * count < size)
                left &= ~(node << at);
        }
    }
    for (uint32_t rest = here & ~left; rest; rest &= rest - 1)
        if (evict_block(p, now, chunk, msw_bits_lowest(rest)))
            return -1;
    return 0;
}

static uint32_t least_used(const uvm_pager *p)
{
    const uvm_memory *m = &p->memory;
    uint64_t least = UINT64_MAX;
    uint32_t best = m->next[0];
    for (uint32_t unit = m->next[0]; unit; unit = m->next[unit]) {
        uint64_t sum = 0;
        for (uint32_t b = 0; b < UVM_BLOCKS; b++)
            sum += m->accesses[(unit - 1) * UVM_BLOCKS + b];
        if (sum < least) {
            least = sum;
            best = unit;
        }
    }
    return best;
}

/* A page that is here, the first from a drawn one on. */
static uint32_t drawn_page(uvm_pager *p)
{
    uint64_t page = msw_rng_below(&p->draws, p->layout->pages);
    while (!p->memory.here[page + 1])
        page = (page + 1) % p->layout->pages;
    return (uint32_t)page + 1;
}

static int evict_unit(uvm_pager *p, uint64_t now)
{
    uint32_t unit = p->memory.next[0];
    p->counts.evictions++;
    switch (p->config->eviction) {
    case UVM_LFU_CHUNK:
        unit = least_used(p);
        break;
    case UVM_RANDOM_PAGE:
        unit = drawn_page(p);
        break;
    default:
        break;
    }
    if (p->memory.unit == UVM_UNIT_PAGE)
        return evict_page(p, now, unit - 1);
    if (p->memory.unit == UVM_UNIT_BLOCK)
        return evict_block(p, now, (unit - 1) / UVM_BLOCKS, (unit - 1) % UVM_BLOCKS);
    p->memory.trips[unit - 1]++;
    return p->config->eviction == UVM_EVICT_TREE ? evict_tree(p, now, unit - 1)
                                                 : evict_chunk(p, now, unit - 1);
}

int uvm_memory_room(uvm_pager *p, uint64_t now, uint64_t more)
{
    uvm_memory *m = &p->memory;
    if (m->capacity == UINT64_MAX)
        return 0;
    while (m->used - m->leaving + more > m->capacity && m->next[0]) {
        m->short_once = true;
        if (evict_unit(p, now))
            return -1;
    }
    return 0;
}
