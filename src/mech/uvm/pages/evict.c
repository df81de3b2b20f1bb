/* SPDX-License-Identifier: MIT */
/* Units that leave a memory that is short (README.md, "Memory"): which one, and when its pages are
 * gone and its room is free. */
#include "mech/uvm/pages/pager.h"

/* Pages are here until their write-back begins. */
static bool leave_late(const uvm_pager *p)
{
    return p->config->victims_leave == UVM_LEAVE_BEGIN;
}

static bool is_here(const uvm_pager *p, uint64_t page)
{
    return p->where[page] == UVM_VALID && !p->memory.staged[page];
}

/* ---- leaving ---- */

static void forget(uvm_pager *p, uint64_t page, uint64_t now)
{
    p->where[page] = UVM_ON_HOST;
    p->flags[page] &= (uint8_t) ~(UVM_DIRTY | UVM_USED | UVM_PREFETCHED | UVM_REQUESTED_PAGE);
    p->counts.evicted++;
    if (p->config->thrash == UVM_THRASH_ALL)
        uvm_thrash_moved(p, page, now, true);
    if (p->gone)
        p->gone(p->self, page, p->memory.lines && !p->memory.forced ? now : UINT64_MAX);
}

/* A write-back begins: its pages leave, and their room is free. */
static void depart(uvm_pager *p, uvm_move move, uint64_t now)
{
    uvm_memory *m = &p->memory;
    for (uint32_t i = 0; i < move.count; i++) {
        m->staged[move.first + i] = false;
        forget(p, move.first + i, now);
    }
    m->used -= move.count;
    m->leaving -= move.count;
    m->writing += move.count;
    m->trips[p->layout->chunk_of[move.first]]++;
    p->counts.evictions++;
}

int uvm_start_out(uvm_pager *p, uint64_t now, uint64_t earliest)
{
    uvm_channel *out = &p->out;
    if (out->until != UINT64_MAX || out->head == out->tail)
        return 0;
    uvm_move move = out->moves[out->head & out->mask];
    if (move.cause == UVM_EVICT_BACK && leave_late(p))
        depart(p, move, now);
    return uvm_channel_begin(p, out, earliest);
}

void uvm_memory_written(uvm_pager *p, uvm_move move)
{
    uvm_memory *m = &p->memory;
    if (move.cause != UVM_EVICT_BACK)
        return;
    if (leave_late(p)) {
        m->writing -= move.count;
        return;
    }
    m->used -= move.count;
    m->leaving -= move.count;
}

static int write_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count)
{
    if (!count)
        return 0;
    p->memory.leaving += count;
    p->counts.back += count;
    for (uint64_t i = 0; i < count && leave_late(p); i++)
        p->memory.staged[first + i] = true;
    if (uvm_channel_put(p, &p->out, (uvm_move){first, (uint32_t)count, UVM_EVICT_BACK}))
        return -1;
    return uvm_start_out(p, now, now << MSW_CURVE_TICK_BITS);
}

void uvm_rescue(uvm_pager *p, uint64_t page, uint64_t now)
{
    uvm_channel *out = &p->out;
    uint64_t at = out->head;
    while (page - out->moves[at & out->mask].first >= out->moves[at & out->mask].count)
        at++;
    uvm_move move = out->moves[at & out->mask];
    for (; at + 1 < out->tail; at++)
        out->moves[at & out->mask] = out->moves[(at + 1) & out->mask];
    out->tail--;
    for (uint64_t i = move.first; i < move.first + move.count; i++) {
        uint32_t block = uvm_block_of(p, i);
        p->memory.staged[i] = false;
        p->flags[i] |= UVM_DIRTY;
        p->leaves[block / UVM_BLOCKS] |= (uint32_t)1 << block % UVM_BLOCKS;
        uvm_memory_enter(p, i);
    }
    p->memory.leaving -= move.count;
    p->counts.back -= move.count;
    uvm_later_at(p, now + 1);
}

void uvm_memory_use(uvm_pager *p, uint64_t page, uint64_t now)
{
    if (p->memory.staged[page])
        uvm_rescue(p, page, now);
    if (p->memory.lines)
        uvm_memory_renew(p, page);
}

/* A block of which no page is here or asked for is no longer counted by the tree. */
static void count_block(uvm_pager *p, uint32_t chunk, uint32_t leaf)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t block = p->layout->block_pages;
    for (uint32_t i = leaf * block; i < (leaf + 1) * block && i < c->pages; i++)
        if (p->where[c->first + i] == UVM_QUEUED || is_here(p, c->first + i))
            return;
    p->leaves[chunk] &= ~((uint32_t)1 << leaf);
}

/* The pages of a row of a chunk that are here leave; those that need not be written at once. */
static int evict_row(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count)
{
    uint64_t from = first, end = first + count, evicted = p->counts.evicted;
    uint64_t written_back = p->counts.back;
    bool late = leave_late(p);
    for (uint64_t page = first; page < end; page++) {
        bool here = is_here(p, page);
        bool written =
            here && (p->config->write_back == UVM_WRITE_ALL || (p->flags[page] & UVM_DIRTY));
        if (here)
            uvm_memory_leave(p, page);
        if (here && !(written && late))
            forget(p, page, now);
        if (written)
            continue;
        p->memory.used -= here;
        if (write_back(p, now, from, page - from))
            return -1;
        from = page + 1;
    }
    if (write_back(p, now, from, end - from))
        return -1;
    p->counts.evictions += late && p->counts.back == written_back && p->counts.evicted > evicted;
    uint32_t last = uvm_block_of(p, end - 1);
    for (uint32_t block = uvm_block_of(p, first); block <= last; block++)
        count_block(p, block / UVM_BLOCKS, block % UVM_BLOCKS);
    return 0;
}

/* ---- which unit ---- */

/* A unit: `count` pages from `first` on. */
typedef struct unit {
    uint64_t first, count;
} unit;

typedef struct search {
    uvm_pager *p;
    uint64_t now, reserved; /* units that are passed over still */
    uint64_t retry;         /* when one that is in use may no longer be; UINT64_MAX: none is */
    bool ends;              /* one will be out of use then */
    bool any;               /* whatever has a page here */
    unit found;
} search;

static unit block_unit(const uvm_pager *p, uint32_t chunk, uint32_t leaf)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t block = p->layout->block_pages, at = leaf * block;
    if (at >= c->pages)
        return (unit){0, 0};
    return (unit){c->first + at, msw_min_u64(block, c->pages - at)};
}

/* Of the list. */
static unit list_unit(const uvm_pager *p, uint32_t number)
{
    uint32_t at = number - 1;
    if (p->memory.unit == UVM_UNIT_PAGE)
        return (unit){at, 1};
    if (p->memory.unit == UVM_UNIT_BLOCK)
        return block_unit(p, at / UVM_BLOCKS, at % UVM_BLOCKS);
    return (unit){p->layout->chunks[at].first, p->layout->chunks[at].pages};
}

/* Whether all pages of a unit are here and none is in use. */
static bool is_idle(search *s, unit u)
{
    const uvm_memory *m = &s->p->memory;
    for (uint64_t page = u.first; page < u.first + u.count; page++) {
        if (!is_here(s->p, page))
            return false;
        uint64_t until = m->lines[page] ? s->now + (uint64_t)s->p->config->walk_cycles
                                        : msw_max_u64(m->busy[page], s->now);
        if (until > s->now) {
            s->retry = msw_min_u64(s->retry, until);
            s->ends = s->ends || !m->lines[page];
            return false;
        }
    }
    return true;
}

static bool has_pages(const uvm_pager *p, unit u)
{
    for (uint64_t page = u.first; page < u.first + u.count; page++)
        if (is_here(p, page))
            return true;
    return false;
}

/* Whether a unit is the one that leaves. */
static bool takes(search *s, unit u)
{
    if (s->reserved) {
        s->reserved--;
        return false;
    }
    if (s->p->memory.lines && !s->any ? !is_idle(s, u) : !has_pages(s->p, u))
        return false;
    s->found = u;
    return true;
}

/* Blocks of a chunk with pages here, as bits. */
static uint32_t blocks_here(const uvm_pager *p, uint32_t chunk)
{
    uint32_t mask = 0;
    for (uint32_t leaf = 0; leaf < p->layout->chunks[chunk].leaves; leaf++)
        mask |= (uint32_t)has_pages(p, block_unit(p, chunk, leaf)) << leaf;
    return mask;
}

/* Finds the block of some of a chunk that was used longest ago. */
static uint32_t oldest(const uvm_pager *p, uint32_t chunk, uint32_t blocks)
{
    const uint64_t *stamp = p->memory.stamp + chunk * UVM_BLOCKS;
    uint32_t best = msw_bits_lowest(blocks);
    for (uint32_t rest = blocks; rest; rest &= rest - 1)
        if (stamp[msw_bits_lowest(rest)] < stamp[best])
            best = msw_bits_lowest(rest);
    return best;
}

static bool find_block(search *s, uint32_t chunk)
{
    uint32_t rest = blocks_here(s->p, chunk);
    while (rest) {
        uint32_t leaf = oldest(s->p, chunk, rest);
        if (takes(s, block_unit(s->p, chunk, leaf)))
            return true;
        rest &= ~((uint32_t)1 << leaf);
    }
    return false;
}

/* Whether blocks leave, of the tree used longest ago. */
static bool by_trees(const uvm_pager *p)
{
    return p->memory.eviction == UVM_EVICT_TREE ||
           (p->memory.eviction == UVM_LRU_BLOCK && p->memory.unit == UVM_UNIT_CHUNK);
}

static bool find_oldest(search *s)
{
    const uvm_memory *m = &s->p->memory;
    for (uint32_t at = m->next[0]; at; at = m->next[at])
        if (by_trees(s->p) ? find_block(s, at - 1) : takes(s, list_unit(s->p, at)))
            return true;
    return false;
}

static bool find_least_used(search *s)
{
    const uvm_memory *m = &s->p->memory;
    uint64_t least = UINT64_MAX;
    unit best = {0, 0};
    for (uint32_t at = m->next[0]; at; at = m->next[at]) {
        uint64_t sum = 0;
        for (uint32_t b = 0; b < UVM_BLOCKS; b++)
            sum += m->accesses[(at - 1) * UVM_BLOCKS + b];
        if (sum < least && takes(s, list_unit(s->p, at))) {
            least = sum;
            best = s->found;
        }
    }
    s->found = best;
    return best.count;
}

/* The first from a drawn page on. */
static bool find_drawn(search *s)
{
    uvm_pager *p = s->p;
    uint64_t pages = p->layout->pages, drawn = msw_rng_below(&p->draws, pages);
    for (uint64_t i = 0; i < pages; i++) {
        uint64_t page = drawn + i < pages ? drawn + i : drawn + i - pages;
        if (p->memory.here[page + 1] && takes(s, (unit){page, 1}))
            return true;
    }
    return false;
}

static bool find(search *s)
{
    if (s->p->memory.eviction == UVM_LFU_CHUNK)
        return find_least_used(s);
    return s->p->memory.eviction == UVM_RANDOM_PAGE ? find_drawn(s) : find_oldest(s);
}

/* ---- evicting ---- */

/* The tree the other way round, what is asked for counted, too: from the smallest nodes up, one
 * that is neither empty nor at least half full is emptied of what may leave. Returns the blocks
 * that leave with `leaf`, and it. */
static uint32_t emptied(search *s, uint32_t chunk, uint32_t leaf)
{
    const uvm_pager *p = s->p;
    uint32_t bit = (uint32_t)1 << leaf, gone = bit, here = blocks_here(p, chunk) & ~bit;
    uint32_t left = (p->leaves[chunk] | here) & ~bit, leaves = p->layout->chunks[chunk].leaves;
    for (uint32_t rest = here; rest && p->memory.lines && !s->any; rest &= rest - 1)
        if (!is_idle(s, block_unit(p, chunk, msw_bits_lowest(rest))))
            here &= ~(rest & -rest);
    for (uint32_t size = 2; size <= leaves; size *= 2) {
        uint32_t node = (uint32_t)msw_bits_mask(size);
        for (uint32_t at = 0; at < leaves; at += size) {
            uint32_t count = msw_bits_count(left >> at & node), all = node << at & here & left;
            if (count && 2 * count < size) {
                gone |= all;
                left &= ~all;
            }
        }
    }
    return gone;
}

/* Blocks that are neighbours go in one transfer. */
static int evict_tree(search *s)
{
    uvm_pager *p = s->p;
    uint32_t block = uvm_block_of(p, s->found.first), chunk = block / UVM_BLOCKS;
    uint32_t gone = emptied(s, chunk, block % UVM_BLOCKS);
    while (gone) {
        uint32_t first = msw_bits_lowest(gone), end = first;
        while (end < UVM_BLOCKS && gone >> end & 1)
            gone &= ~((uint32_t)1 << end++);
        unit head = block_unit(p, chunk, first), last = block_unit(p, chunk, end - 1);
        if (evict_row(p, s->now, head.first, last.first + last.count - head.first))
            return -1;
    }
    return 0;
}

static int evict(search *s)
{
    uvm_pager *p = s->p;
    uint64_t before = p->counts.evicted;
    if (!leave_late(p) && p->memory.unit == UVM_UNIT_CHUNK)
        p->memory.trips[p->layout->chunk_of[s->found.first]]++;
    if (p->memory.eviction == UVM_EVICT_TREE ? evict_tree(s)
                                             : evict_row(p, s->now, s->found.first, s->found.count))
        return -1;
    p->counts.evictions += !leave_late(p) && p->counts.evicted > before;
    return 0;
}

/* Units at the head of the list that do not leave. */
static uint64_t reserved(const uvm_pager *p)
{
    const uvm_memory *m = &p->memory;
    uint64_t units = 0;
    if (p->config->reserve_share <= 0)
        return 0;
    for (uint32_t at = m->next[0]; at; at = m->next[at])
        units += by_trees(p) ? msw_bits_count(blocks_here(p, at - 1)) : 1;
    return (uint64_t)(p->config->reserve_share * (double)units);
}

static bool is_short(const uvm_pager *p, uint64_t more)
{
    const uvm_memory *m = &p->memory;
    return m->used + more + m->buffer > m->capacity + m->leaving + m->writing && m->next[0];
}

/* Nothing may leave. Where something is in use it is tried again, unless all that use it wait for
 * room themselves; where nothing else is under way that could bring or free a page, what is oldest
 * leaves, whole or not. */
static int wait_or_force(search *s)
{
    uvm_pager *p = s->p;
    bool stuck = p->memory.stuck && !s->ends;
    p->memory.retry = stuck ? UINT64_MAX : s->retry;
    if (p->memory.retry != UINT64_MAX) {
        uvm_later_at(p, s->retry);
        return 0;
    }
    if (p->in.until != UINT64_MAX || p->out.until != UINT64_MAX)
        return 0;
    s->any = p->memory.forced = true;
    s->reserved = 0;
    int rc = find(s) ? evict(s) : 0;
    p->memory.forced = false;
    return rc;
}

bool uvm_memory_only_looks(const uvm_pager *p)
{
    uint64_t next = msw_min_u64(p->in.until, p->out.until);
    next = msw_min_u64(next, msw_min_u64(p->batch.until, p->predicted_until));
    next = msw_min_u64(next, msw_min_u64(uvm_counters_next(p), uvm_thrash_next(p)));
    return next == UINT64_MAX && p->memory.retry != UINT64_MAX;
}

int uvm_memory_room(uvm_pager *p, uint64_t now, uint64_t more)
{
    p->memory.retry = UINT64_MAX;
    while (p->memory.capacity != UINT64_MAX && is_short(p, more)) {
        p->memory.short_once = true;
        uvm_smart_choose(p);
        search s = {.p = p, .now = now, .reserved = reserved(p), .retry = UINT64_MAX};
        if (!find(&s))
            return wait_or_force(&s);
        if (evict(&s))
            return -1;
    }
    return 0;
}
