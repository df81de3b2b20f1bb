/* SPDX-License-Identifier: MIT */
/* What the faults of a chunk bring in addition to their own pages (README.md, "Prefetchers"). */
#include "mech/uvm/pages/predict.h"

static bool has(const uvm_set *set, uint32_t page)
{
    return set->words[page / 64] >> page % 64 & 1;
}

static void put(uvm_set *set, uint32_t page)
{
    set->words[page / 64] |= (uint64_t)1 << page % 64;
}

static void put_row(uvm_set *set, uint32_t first, uint32_t count, uint32_t pages)
{
    for (uint32_t i = first; i < first + count && i < pages; i++)
        put(set, i);
}

static uint32_t leaves_of(const uvm_set *set, uint32_t block_pages, uint32_t leaves)
{
    uint32_t mask = 0;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t i = 0; i < block_pages; i++)
            if (has(set, leaf * block_pages + i)) {
                mask |= 1u << leaf;
                break;
            }
    return mask;
}

static void put_leaves(uvm_pager *p, const uvm_chunk *chunk, uint32_t mask, uvm_set *wanted)
{
    uint32_t block = p->layout->block_pages;
    for (; mask; mask &= mask - 1)
        put_row(wanted, msw_bits_lowest(mask) * block, block, chunk->pages);
}

/* From the smallest nodes up: one that is fuller than the share and not full is filled. */
static uint32_t fill_nodes(uint32_t valid, uint32_t leaves, double share)
{
    for (uint32_t size = 2; size <= leaves; size *= 2) {
        uint32_t node = (uint32_t)msw_bits_mask(size);
        for (uint32_t at = 0; at < leaves; at += size) {
            uint32_t count = msw_bits_count(valid >> at & node);
            if (count < size && count > share * size)
                valid |= node << at;
        }
    }
    return valid;
}

static void tree(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    const uvm_chunk *chunk = &p->layout->chunks[number];
    uint32_t faulted = leaves_of(wanted, p->layout->block_pages, chunk->leaves);
    uint32_t valid = p->leaves[number] | faulted;
    uint32_t filled = fill_nodes(valid, chunk->leaves, p->config->tree_share);
    put_leaves(p, chunk, faulted | (filled & ~p->leaves[number]), wanted);
}

/* Forgets the pages that only the rounding has. */
static void keep_existing(const uvm_pager *p, const uvm_chunk *chunk, uvm_set *wanted)
{
    for (uint32_t i = 0; i < chunk->pages; i++)
        if (!uvm_exists(p->layout, chunk->first + i))
            wanted->words[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* ---- the rule of the driver ---- */

static uint32_t count_row(const uvm_set *set, uint32_t first, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = first; i < first + count; i++)
        sum += has(set, i);
    return sum;
}

/* The largest node around a page that is fuller than the share: nothing is counted twice. */
static void largest_node(const uvm_set *here, uint32_t page, uint32_t pages, double share,
                         uvm_set *wanted)
{
    uint32_t best_first = page, best_count = 1;
    for (uint32_t size = 2; size / 2 < pages; size *= 2) {
        uint32_t first = page / size * size;
        uint32_t count = first + size < pages ? size : pages - first;
        if (count_row(here, first, count) > share * count) {
            best_first = first;
            best_count = count;
        }
    }
    put_row(wanted, best_first, best_count, pages);
}

/* Faulted pages grow to their blocks first; all that is here or asked for counts. */
static void driver_tree(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    const uvm_chunk *chunk = &p->layout->chunks[number];
    uvm_set faults = *wanted, here;
    put_leaves(p, chunk, leaves_of(wanted, p->layout->block_pages, chunk->leaves), wanted);
    keep_existing(p, chunk, wanted);
    here = *wanted;
    for (uint32_t i = 0; i < chunk->real; i++)
        if (p->where[chunk->first + i] != UVM_ON_HOST)
            put(&here, i);
    for (uint32_t i = 0; i < chunk->real; i++)
        if (has(&faults, i))
            largest_node(&here, i, chunk->real, p->config->tree_share, wanted);
    keep_existing(p, chunk, wanted);
}

/* ---- the rest ---- */

/* For every fault one more page of the chunk that is not here yet, if the draw meets one. */
static void random_page(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    const uvm_chunk *chunk = &p->layout->chunks[number];
    uvm_set faults = *wanted;
    for (uint32_t i = 0; i < chunk->pages; i++)
        if (has(&faults, i))
            put(wanted, (uint32_t)msw_rng_below(&p->draws, chunk->real));
    keep_existing(p, chunk, wanted);
}

/* ---- the list ---- */

static void block(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[number];
    put_leaves(p, c, leaves_of(wanted, p->layout->block_pages, c->leaves), wanted);
}

/* Under a prefetcher that predicts. */
static void unit(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    if (p->config->fault_brings == UVM_PER_BLOCK)
        block(p, number, wanted);
}

/* By prefetcher: what it adds to the faults of a chunk; NULL: nothing, or what all that predict
 * add. Another one is one more entry. */
static void (*const GROW[UVM_PREFETCHERS])(uvm_pager *, uint32_t, uvm_set *) = {
    [UVM_BLOCK] = block,        [UVM_TREE] = tree,        [UVM_TREE_DRIVER] = driver_tree,
    [UVM_RANDOM] = random_page, [UVM_CROSS_BLOCK] = tree,
};

void uvm_policy(uvm_pager *p, uint32_t chunk, uvm_set *wanted)
{
    if (GROW[p->config->prefetcher])
        GROW[p->config->prefetcher](p, chunk, wanted);
    else if (uvm_predictions[p->config->prefetcher].predict)
        unit(p, chunk, wanted);
}

bool uvm_policy_next(const uvm_pager *p, uint32_t chunk, uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[chunk], *next = c + 1;
    uint32_t full = (uint32_t)msw_bits_mask(c->leaves);
    if (p->config->prefetcher != UVM_CROSS_BLOCK || p->leaves[chunk] != full ||
        chunk + 1 >= p->layout->chunk_count || next->first != c->first + c->real)
        return false;
    *wanted = (uvm_set){{0}};
    put_row(wanted, 0, next->real, next->pages);
    keep_existing(p, next, wanted);
    return p->leaves[chunk + 1] != (uint32_t)msw_bits_mask(next->leaves);
}
