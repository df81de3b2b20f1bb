/* SPDX-License-Identifier: MIT */
/* Memory that is short: what leaves, and what is read where it is (README.md, "Memory"). */
#include "mech/uvm/pages/later.h"

#include "mech/uvm/pages/pager.h"

enum { UVM_UNIT_PAGE, UVM_UNIT_BLOCK, UVM_UNIT_CHUNK };

/* From 1 on: 0 is the list's head. */
static uint32_t unit_of(const uvm_pager *p, uint64_t page)
{
    if (p->memory.unit == UVM_UNIT_PAGE)
        return (uint32_t)page + 1;
    return p->memory.unit == UVM_UNIT_BLOCK ? uvm_block_of(p, page) + 1
                                            : p->layout->chunk_of[page] + 1;
}

static unsigned unit_kind(int64_t eviction)
{
    if (eviction == UVM_LRU_PAGE || eviction == UVM_RANDOM_PAGE)
        return UVM_UNIT_PAGE;
    return eviction == UVM_LRU_BLOCK ? UVM_UNIT_BLOCK : UVM_UNIT_CHUNK;
}

int uvm_memory_init(uvm_pager *p)
{
    const uvm_config *c = p->config;
    const uvm_layout *l = p->layout;
    uvm_memory *m = &p->memory;
    size_t chunks = l->chunk_count + 1u, units[] = {l->pages, chunks * UVM_BLOCKS, chunks};
    *m = (uvm_memory){.capacity = UINT64_MAX, .unit = unit_kind(c->eviction)};
    if (c->oversubscription > 1)
        m->capacity = msw_max_u64(2, (uint64_t)((double)l->managed / c->oversubscription));
    m->watch = m->capacity != UINT64_MAX || c->migration >= UVM_DELAYED;
    if (!m->watch)
        return 0;
    size_t count = units[m->unit] + 1;
    m->next = msw_arena_zero(p->arena, count, sizeof *m->next);
    m->before = msw_arena_zero(p->arena, count, sizeof *m->before);
    m->here = msw_arena_zero(p->arena, count, sizeof *m->here);
    m->stamp = msw_arena_zero(p->arena, chunks * UVM_BLOCKS, sizeof *m->stamp);
    m->accesses = msw_arena_zero(p->arena, chunks * UVM_BLOCKS, sizeof *m->accesses);
    m->trips = msw_arena_zero(p->arena, chunks, sizeof *m->trips);
    return m->next && m->before && m->here && m->stamp && m->accesses && m->trips ? 0 : -1;
}

/* ---- the list ---- */

static void take_out(uvm_memory *m, uint32_t unit)
{
    m->next[m->before[unit]] = m->next[unit];
    m->before[m->next[unit]] = m->before[unit];
}

static void put_last(uvm_memory *m, uint32_t unit)
{
    m->before[unit] = m->before[0];
    m->next[unit] = 0;
    m->next[m->before[0]] = unit;
    m->before[0] = unit;
}

static void renew(uvm_pager *p, uint32_t unit)
{
    if (p->config->eviction == UVM_ROOT_CHUNK)
        return;
    take_out(&p->memory, unit);
    put_last(&p->memory, unit);
}

void uvm_memory_access(uvm_pager *p, uint64_t page)
{
    uvm_memory *m = &p->memory;
    uint32_t block = uvm_block_of(p, page), unit = unit_of(p, page);
    m->stamp[block] = ++m->clock;
    m->accesses[block] += m->accesses[block] < UINT32_MAX;
    if (m->here[unit] && m->before[0] != unit)
        renew(p, unit);
}

void uvm_memory_enter(uvm_pager *p, uint64_t page)
{
    uvm_memory *m = &p->memory;
    if (!m->watch)
        return;
    uint32_t unit = unit_of(p, page);
    m->stamp[uvm_block_of(p, page)] = ++m->clock;
    if (m->here[unit]++ == 0)
        put_last(m, unit);
    else
        renew(p, unit);
}

void uvm_memory_leave(uvm_pager *p, uint64_t page)
{
    uvm_memory *m = &p->memory;
    if (!m->watch)
        return;
    uint32_t unit = unit_of(p, page);
    if (--m->here[unit] == 0)
        take_out(m, unit);
}

void uvm_memory_written(uvm_pager *p, uvm_move move)
{
    if (move.cause != UVM_EVICT_BACK)
        return;
    p->memory.used -= move.count;
    p->memory.leaving -= move.count;
}

/* ---- what is read where it is ---- */

bool uvm_memory_fetches(const uvm_pager *p, uint64_t page, bool write, uint64_t now)
{
    const uvm_config *c = p->config;
    const uvm_memory *m = &p->memory;
    uint64_t threshold = (uint64_t)c->migrate_threshold;
    if (p->thrash && uvm_thrash_pinned(p, page, now))
        return false;
    if (c->migration == UVM_FIRST_TOUCH)
        return true;
    if (c->migration == UVM_ZERO_COPY || c->migration == UVM_COUNTERS)
        return false;
    if (write || (c->migration == UVM_DELAYED_WHEN_FULL && !m->short_once))
        return true;
    if (c->migration == UVM_ADAPTIVE && m->short_once)
        threshold *= (uint64_t)c->migrate_penalty * (m->trips[p->layout->chunk_of[page]] + 1u);
    else if (c->migration == UVM_ADAPTIVE)
        threshold =
            m->capacity == UINT64_MAX ? 1 : 1 + threshold * (m->used + m->queued) / m->capacity;
    return m->accesses[uvm_block_of(p, page)] >= threshold;
}

static uint64_t line_ticks(const uvm_pager *p)
{
    enum { LINE = 128 };
    double cycles = LINE * p->config->clock_ghz / p->config->remote_bandwidth;
    return (uint64_t)(cycles * (1 << MSW_CURVE_TICK_BITS) + 0.5);
}

/* Remote lines go before transfers that wait, one after the other. */
uint64_t uvm_memory_remote(uvm_pager *p, uint64_t page, uint64_t now)
{
    uint64_t alone = (uint64_t)p->config->remote_cycles << MSW_CURVE_TICK_BITS;
    bool late = p->config->remote_bandwidth > 0;
    uint64_t start = msw_max_u64(now << MSW_CURVE_TICK_BITS, p->memory.remote_free);
    if (p->in.until != UINT64_MAX)
        start = msw_max_u64(start, p->in.free);
    p->memory.remote_free = start + (late ? line_ticks(p) : alone);
    p->counts.remote++;
    p->counts.touched += !(p->flags[page] & UVM_SEEN);
    p->flags[page] |= UVM_SEEN;
    if (p->counters)
        uvm_counters_access(p, page, now);
    return (p->memory.remote_free + (late ? alone : 0)) >> MSW_CURVE_TICK_BITS;
}

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
