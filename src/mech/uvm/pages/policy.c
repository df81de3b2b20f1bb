/* SPDX-License-Identifier: MIT */
/* Requests pages: those of faults, chunk by chunk, and what their chunk's policy brings in
 * addition (README.md, "Prefetchers"), on their way to the device. */
#include "mech/uvm/pages/predict.h"

#include "mech/uvm/pages/pager.h"

static void put(uvm_set *set, uint32_t page)
{
    set->words[page / 64] |= (uint64_t)1 << page % 64;
}

static void put_row(uvm_set *set, uint32_t first, uint32_t count, uint32_t pages)
{
    for (uint32_t i = first; i < first + count && i < pages; i++)
        put(set, i);
}

static bool has(const uvm_set *set, uint32_t page)
{
    return set->words[page / 64] >> page % 64 & 1;
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

static void block(uvm_pager *p, uint32_t number, uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[number];
    put_leaves(p, c, leaves_of(wanted, p->layout->block_pages, c->leaves), wanted);
}

int uvm_inward_start(uvm_pager *p, uint64_t now, uint64_t earliest)
{
    uvm_channel *in = &p->in;
    if (in->until != UINT64_MAX || in->head == in->tail)
        return 0;
    uint64_t count = in->moves[in->head & in->mask].count;
    bool all = p->config->victims_leave == UVM_LEAVE_BEGIN;
    if (uvm_memory_room(p, now, all ? p->memory.queued : count))
        return -1;
    if (p->memory.used + count > p->memory.capacity)
        return 0;
    p->memory.used += count;
    p->memory.queued -= count;
    return uvm_channel_begin(p, in, earliest);
}

static int send_inward(uvm_pager *p, uint64_t now, uvm_move move)
{
    bool first = p->in.head == p->in.tail;
    p->memory.queued += move.count;
    if (uvm_channel_put(p, &p->in, move))
        return -1;
    return first ? uvm_inward_start(p, now, now << MSW_CURVE_TICK_BITS) : 0;
}

/* A page whose fault waits for a later batch is no prefetched one. */
static void ask(uvm_pager *p, uint64_t page, uint64_t now)
{
    uint8_t flags = p->flags[page];
    p->where[page] = UVM_QUEUED;
    p->counts.pages_in++;
    p->counts.again += (flags & UVM_BEFORE) != 0;
    p->counts.used += (flags & UVM_USED) != 0;
    if (!(flags & (UVM_FAULTED | UVM_REQUESTED_PAGE))) {
        p->counts.prefetched++;
        flags |= UVM_PREFETCHED;
    }
    p->flags[page] = (uint8_t)((flags & ~UVM_FAULTED) | UVM_BEFORE);
    if (p->thrash)
        uvm_thrash_moved(p, page, now, false);
}

static int send_in(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count, bool faulted)
{
    uvm_move move = {first, (uint32_t)count, faulted ? UVM_DEMAND : UVM_AHEAD};
    if (!count)
        return 0;
    if (faulted && p->config->fault_charge == UVM_SERIAL &&
        send_inward(p, now, (uvm_move){first, 0, UVM_FAULT_WORK}))
        return -1;
    for (uint64_t most = p->memory.capacity; move.count > most; move.first += most) {
        if (send_inward(p, now, (uvm_move){move.first, (uint32_t)most, move.cause}))
            return -1;
        move.count -= (uint32_t)most;
    }
    return send_inward(p, now, move);
}

/* A run of pages becomes transfers: each up to and with a page that faulted, and the rest. */
static int send_run(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end)
{
    uint64_t from = first;
    for (uint64_t page = first; page < end; page++) {
        bool faulted = p->flags[page] & UVM_FAULTED;
        ask(p, page, now);
        if (faulted) {
            if (send_in(p, now, from, page + 1 - from, true))
                return -1;
            from = page + 1;
        }
    }
    return send_in(p, now, from, end - from, false);
}

/* Notes which blocks the tree has to count. */
static void count_leaves(uvm_pager *p, uint32_t chunk, const uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    for (uint32_t i = 0; i < c->pages; i++)
        if (wanted->words[i / 64] >> i % 64 & 1)
            p->leaves[chunk] |= 1u << i / p->layout->block_pages;
}

/* A page that thrashes is not fetched ahead. */
static bool may_come(const uvm_pager *p, uint64_t page)
{
    return p->where[page] == UVM_ON_HOST &&
           !(p->thrash && !(p->flags[page] & UVM_FAULTED) && uvm_thrash_is(p, page));
}

int uvm_pager_ask(uvm_pager *p, uint64_t now, uint32_t chunk, const uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t first = 0;
    count_leaves(p, chunk, wanted);
    for (uint32_t i = 0; i <= c->pages; i++) {
        bool in = i < c->pages && wanted->words[i / 64] >> i % 64 & 1 && may_come(p, c->first + i);
        if (in)
            continue;
        if (i > first && send_run(p, now, c->first + first, c->first + i))
            return -1;
        first = i + 1;
    }
    return 0;
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

/* The prefetcher in force. */
static int64_t prefetcher(const uvm_pager *p)
{
    static const int64_t FULL[] = {
        [UVM_FULL_BLOCK] = UVM_BLOCK, [UVM_FULL_TREE] = UVM_TREE, [UVM_FULL_RANDOM] = UVM_RANDOM};
    int64_t full = p->config->full_prefetcher;
    return full != UVM_FULL_SAME && p->memory.short_once ? FULL[full] : p->config->prefetcher;
}

/* Fills `wanted` with what the prefetcher adds to the faults of a chunk, whose pages are in it. */
static void uvm_policy(uvm_pager *p, uint32_t chunk, uvm_set *wanted)
{
    int64_t now = prefetcher(p);
    if (GROW[now])
        GROW[now](p, chunk, wanted);
    else if (uvm_predictions[now].predict)
        unit(p, chunk, wanted);
}

/* Returns whether a full chunk brings the next one, too; then fills `wanted` with its pages. */
static bool uvm_policy_next(const uvm_pager *p, uint32_t chunk, uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[chunk], *next = c + 1;
    uint32_t full = (uint32_t)msw_bits_mask(c->leaves);
    if (prefetcher(p) != UVM_CROSS_BLOCK || p->leaves[chunk] != full ||
        chunk + 1 >= p->layout->chunk_count || next->first != c->first + c->real)
        return false;
    *wanted = (uvm_set){{0}};
    put_row(wanted, 0, next->real, next->pages);
    keep_existing(p, next, wanted);
    return p->leaves[chunk + 1] != (uint32_t)msw_bits_mask(next->leaves);
}

/* Notes faults that are not served now. */
static void refuse(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    for (size_t i = 0; i < count && p->thrash; i++)
        if (p->where[pages[i]] == UVM_ON_HOST)
            uvm_thrash_refuse(p, pages[i], now);
}

/* Whether a page is still to be asked for. */
static bool is_open(const uvm_pager *p, uint64_t page)
{
    return p->where[page] == UVM_ON_HOST && !(p->thrash && uvm_thrash_refused(p, page));
}

/* The smart runtime sees blocks that are brought whole. */
static void note_blocks(uvm_pager *p, uint32_t chunk, const uvm_set *wanted)
{
    const uvm_layout *l = p->layout;
    int64_t now = prefetcher(p);
    if (!p->smart || now == UVM_NONE || now == UVM_RANDOM ||
        (!p->config->prefetch_when_full && p->memory.short_once))
        return;
    uint32_t rest = leaves_of(wanted, l->block_pages, l->chunks[chunk].leaves);
    for (; rest; rest &= rest - 1)
        uvm_smart_brings(p, chunk * UVM_BLOCKS + msw_bits_lowest(rest));
}

int uvm_pager_serve(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    refuse(p, now, pages, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t chunk = p->layout->chunk_of[pages[i]];
        uvm_set wanted = {{0}};
        if (!is_open(p, pages[i]))
            continue;
        for (size_t k = i; k < count; k++) {
            uint64_t at = pages[k] - p->layout->chunks[chunk].first;
            if (p->layout->chunk_of[pages[k]] == chunk && is_open(p, pages[k])) {
                wanted.words[at / 64] |= (uint64_t)1 << at % 64;
                p->flags[pages[k]] |= UVM_FAULTED;
            }
        }
        if (p->config->prefetch_when_full || !p->memory.short_once)
            uvm_policy(p, chunk, &wanted);
        note_blocks(p, chunk, &wanted);
        if (uvm_pager_ask(p, now, chunk, &wanted))
            return -1;
        if (uvm_policy_next(p, chunk, &wanted) && uvm_pager_ask(p, now, chunk + 1, &wanted))
            return -1;
    }
    return uvm_memory_room(p, now, p->memory.queued);
}
