/* SPDX-License-Identifier: MIT */
/* Memory that is short: which units are here, in order of their use, which pages are in use, and
 * what is read where it is (README.md, "Memory"). What leaves: evict.c. */
#include "mech/uvm/pages/pager.h"

/* From 1 on: 0 is the list's head. */
static uint32_t unit_of(const uvm_pager *p, uint64_t page)
{
    if (p->memory.unit == UVM_UNIT_PAGE)
        return (uint32_t)page + 1;
    return p->memory.unit == UVM_UNIT_BLOCK ? uvm_block_of(p, page) + 1
                                            : p->layout->chunk_of[page] + 1;
}

/* Blocks of trees are in the list of the trees. */
static unsigned unit_kind(const uvm_config *c)
{
    if (c->eviction == UVM_LRU_PAGE || c->eviction == UVM_RANDOM_PAGE)
        return UVM_UNIT_PAGE;
    return c->eviction == UVM_LRU_BLOCK && c->block_order == UVM_ORDER_LIST ? UVM_UNIT_BLOCK
                                                                            : UVM_UNIT_CHUNK;
}

/* Notes on pages that are in use, or wait to be written back. */
static int init_uses(uvm_pager *p)
{
    uvm_memory *m = &p->memory;
    size_t pages = p->layout->pages;
    if (m->capacity == UINT64_MAX)
        return 0;
    if (p->config->victims == UVM_VICTIMS_IDLE) {
        m->lines = msw_arena_zero(p->arena, pages, sizeof *m->lines);
        m->busy = msw_arena_zero(p->arena, pages, sizeof *m->busy);
        if (!m->lines || !m->busy)
            return -1;
    }
    m->staged = msw_arena_zero(p->arena, pages, sizeof *m->staged);
    return m->staged ? 0 : -1;
}

int uvm_memory_init(uvm_pager *p)
{
    const uvm_config *c = p->config;
    const uvm_layout *l = p->layout;
    uvm_memory *m = &p->memory;
    size_t chunks = l->chunk_count + 1u, units[] = {l->pages, chunks * UVM_BLOCKS, chunks};
    *m = (uvm_memory){.capacity = UINT64_MAX,
                      .unit = unit_kind(c),
                      .retry = UINT64_MAX,
                      .eviction = c->eviction,
                      .migration = c->migration};
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
    if (!m->next || !m->before || !m->here || !m->stamp || !m->accesses || !m->trips)
        return -1;
    m->buffer = (uint64_t)(c->free_share * (double)m->capacity);
    return init_uses(p);
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

void uvm_memory_renew(uvm_pager *p, uint64_t page)
{
    uvm_memory *m = &p->memory;
    uint32_t unit = unit_of(p, page);
    m->stamp[uvm_block_of(p, page)] = ++m->clock;
    if (m->here[unit] && m->before[0] != unit)
        renew(p, unit);
}

void uvm_memory_access(uvm_pager *p, uint64_t page, uint32_t lines)
{
    uint32_t *accesses = &p->memory.accesses[uvm_block_of(p, page)];
    *accesses += (uint32_t)msw_min_u64(lines, UINT32_MAX - *accesses);
    if (!p->memory.lines)
        uvm_memory_renew(p, page);
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

/* ---- what is read where it is ---- */

bool uvm_memory_fetches(const uvm_pager *p, uint64_t page, bool write, uint64_t now)
{
    const uvm_config *c = p->config;
    const uvm_memory *m = &p->memory;
    uint64_t threshold = (uint64_t)c->migrate_threshold;
    if (p->thrash && uvm_thrash_pinned(p, page, now))
        return false;
    if (m->migration == UVM_FIRST_TOUCH)
        return true;
    if (m->migration == UVM_ZERO_COPY || m->migration == UVM_COUNTERS)
        return false;
    if (write || (m->migration == UVM_DELAYED_WHEN_FULL && !m->short_once))
        return true;
    if (m->migration == UVM_ADAPTIVE && m->short_once)
        threshold *= (uint64_t)c->migrate_penalty * (m->trips[p->layout->chunk_of[page]] + 1u);
    else if (m->migration == UVM_ADAPTIVE)
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
uint64_t uvm_memory_remote(uvm_pager *p, uint64_t page, uint64_t now, uint32_t lines)
{
    uint64_t alone = (uint64_t)p->config->remote_cycles << MSW_CURVE_TICK_BITS;
    bool late = p->config->remote_bandwidth > 0;
    uint64_t start = msw_max_u64(now << MSW_CURVE_TICK_BITS, p->memory.remote_free);
    if (p->in.until != UINT64_MAX)
        start = msw_max_u64(start, p->in.free);
    p->memory.remote_free = start + lines * (late ? line_ticks(p) : alone);
    p->counts.remote += lines;
    p->counts.touched += !(p->flags[page] & UVM_SEEN);
    p->flags[page] |= UVM_SEEN;
    if (p->counters)
        uvm_counters_access(p, page, now, lines);
    return (p->memory.remote_free + (late ? alone : 0)) >> MSW_CURVE_TICK_BITS;
}
