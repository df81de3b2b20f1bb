/* SPDX-License-Identifier: MIT */
/* Keeps where pages are, serves faults, fetches what access counters ask for (of a granule the
 * blocks that were accessed), and fills in the metrics. Rules: README.md, "Counting". */
#include "mech/uvm/pages/pager.h"

#include "mech/uvm/model.h"
#include "mech/uvm/pages/predict.h"

#include <string.h>

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

/* Fetches what the batch that is over by now asks for. */
static int uvm_counters_step(uvm_pager *p, uint64_t now)
{
    uint64_t granule;
    while (uvm_counters_take(p, now, &granule))
        if (fetch_granule(p, now, granule))
            return -1;
    return uvm_memory_room(p, now, p->memory.queued);
}

int uvm_pager_init(uvm_pager *p, const uvm_config *config, const uvm_layout *layout,
                   const msw_link_curve *curve, msw_arena *arena, msw_err *err)
{
    *p =
        (uvm_pager){.config = config, .layout = layout, .curve = curve, .arena = arena, .err = err};
    p->where = msw_arena_zero(arena, layout->pages, 1);
    p->flags = msw_arena_zero(arena, layout->pages, 1);
    p->leaves = msw_arena_zero(arena, layout->chunk_count + 1u, sizeof *p->leaves);
    p->batch.list = msw_arena_take(arena, (size_t)config->batch_faults * sizeof *p->batch.list);
    p->batch.until = p->predicted_until = p->later_until = UINT64_MAX;
    p->fault_cycles = (uint64_t)(config->fault_ns * config->clock_ghz + 0.5);
    msw_rng_init(&p->draws, 1, 0);
    if (!p->where || uvm_memory_init(p) || !p->flags || !p->leaves || !p->batch.list ||
        uvm_channel_init(&p->in, 2 * layout->pages + 1, arena) ||
        uvm_channel_init(&p->out, layout->pages + 1, arena) || uvm_counters_init(p) ||
        uvm_thrash_init(p) || uvm_smart_init(p))
        return msw_fail_memory(err);
    return 0;
}

/* ---- touches ---- */

void uvm_pager_request(uvm_pager *p, uint64_t page, bool write)
{
    uint8_t flags = p->flags[page];
    if (write)
        flags |= UVM_DIRTY;
    if (!(flags & UVM_REQUESTED_PAGE)) {
        p->counts.first++;
        p->counts.first_met += p->where[page] != UVM_ON_HOST;
        p->counts.late += p->where[page] == UVM_QUEUED && (flags & UVM_PREFETCHED);
    }
    p->flags[page] = flags | UVM_REQUESTED_PAGE;
}

/* A page that is still on the host is counted as used when it is asked for. */
void uvm_pager_touch(uvm_pager *p, uint64_t page)
{
    uint8_t flags = p->flags[page];
    if (!(flags & UVM_USED)) {
        p->counts.used += p->where[page] != UVM_ON_HOST;
        p->counts.prefetched_used += (flags & UVM_PREFETCHED) != 0;
    }
    p->counts.touched += !(flags & UVM_SEEN);
    p->flags[page] = flags | UVM_USED | UVM_SEEN;
}

/* ---- faults ---- */

/* Faults are served at once, or when the predictions that they asked for are made. */
static int serve_or_hold(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    if (!p->predictor || p->config->predict_holds != UVM_HOLDS_FAULT)
        return uvm_pager_serve(p, now, pages, count);
    for (size_t i = 0; i < count; i++)
        if (!uvm_ahead_holds(p, now, pages[i]) && uvm_pager_serve(p, now, &pages[i], 1))
            return -1;
    return 0;
}

/* ---- batches ---- */

static int keep_waiting(uvm_pager *p, const uint64_t *pages, size_t count)
{
    if (p->batch.waiting_count + count > p->batch.waiting_room) {
        uint64_t room = 2 * (p->batch.waiting_count + count) + 256;
        uint64_t *grown = msw_arena_take(p->arena, room * sizeof *grown);
        if (!grown)
            return msw_fail_memory(p->err);
        if (p->batch.waiting_count)
            memcpy(grown, p->batch.waiting, p->batch.waiting_count * sizeof *grown);
        p->batch.waiting = grown;
        p->batch.waiting_room = room;
    }
    memcpy(p->batch.waiting + p->batch.waiting_count, pages, count * sizeof *pages);
    p->batch.waiting_count += count;
    return 0;
}

/* The handler takes the oldest faults when it is idle and the transfers of its last batch are over.
 */
static void start_batch(uvm_pager *p, uint64_t now)
{
    if (p->batch.until != UINT64_MAX || p->in.head < p->batch.end || !p->batch.waiting_count)
        return;
    p->batch.count = msw_min_u64(p->batch.waiting_count, (uint64_t)p->config->batch_faults);
    memcpy(p->batch.list, p->batch.waiting, p->batch.count * sizeof *p->batch.list);
    p->batch.waiting_count -= p->batch.count;
    memmove(p->batch.waiting, p->batch.waiting + p->batch.count,
            p->batch.waiting_count * sizeof *p->batch.waiting);
    p->batch.until = now + p->fault_cycles;
}

static int end_batch(uvm_pager *p, uint64_t now)
{
    p->batch.until = UINT64_MAX;
    if (serve_or_hold(p, now, p->batch.list, p->batch.count))
        return -1;
    p->batch.end = p->in.tail;
    return 0;
}

/* The same for faults that are known already. */
static int uvm_pager_fault_again(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    if (p->config->fault_charge != UVM_BATCHED)
        return serve_or_hold(p, now, pages, count);
    if (keep_waiting(p, pages, count))
        return -1;
    start_batch(p, now);
    return 0;
}

int uvm_pager_fault(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    p->counts.faults += count;
    return uvm_pager_fault_again(p, now, pages, count);
}

/* Faults that have been put off until now are raised again; `come` gets a page that was pinned,
 * where it is empty. */
static int step_thrash(uvm_pager *p, uint64_t now, uvm_move *come)
{
    uint64_t page;
    if (!come->count && uvm_thrash_take_pin(p, &page))
        *come = (uvm_move){.first = page, .count = 1};
    while (uvm_thrash_take_nap(p, now, &page))
        if (uvm_pager_fault_again(p, now, &page, 1))
            return -1;
    return 0;
}

static int step_later(uvm_pager *p, uint64_t now, uvm_move *come)
{
    if ((p->counters && uvm_counters_step(p, now)) || (p->thrash && step_thrash(p, now, come)))
        return -1;
    p->later_until = msw_min_u64(uvm_counters_next(p), uvm_thrash_next(p));
    p->later_until = msw_min_u64(p->later_until, p->memory.retry);
    return 0;
}

int uvm_pager_step(uvm_pager *p, uint64_t now, uvm_move *come)
{
    come->count = 0;
    if (p->batch.until <= now && end_batch(p, now))
        return -1;
    if (p->out.until <= now) {
        uvm_memory_written(p, uvm_channel_take(&p->out));
        if (uvm_start_out(p, now, 0))
            return -1;
    }
    if (p->in.until <= now) {
        *come = uvm_channel_take(&p->in);
        if (uvm_inward_start(p, now, 0))
            return -1;
        for (uint32_t i = 0; i < come->count; i++) {
            p->where[come->first + i] = UVM_VALID;
            uvm_memory_enter(p, come->first + i);
        }
    }
    if (p->predicted_until <= now && uvm_ahead_step(p, now))
        return -1;
    bool begins = p->config->victims_leave == UVM_LEAVE_BEGIN && p->memory.staged;
    if ((begins || p->memory.retry <= now) && uvm_memory_room(p, now, p->memory.queued))
        return -1;
    if (uvm_inward_start(p, now, now << MSW_CURVE_TICK_BITS))
        return -1;
    if (p->later_until <= now && step_later(p, now, come))
        return -1;
    p->batch.replays = p->in.head >= p->batch.end && p->batch.until == UINT64_MAX;
    if (p->config->fault_charge == UVM_BATCHED)
        start_batch(p, now);
    return 0;
}

/* ---- without faults ---- */

int uvm_pager_bulk(uvm_pager *p, uint64_t now)
{
    for (uint32_t c = 0; c < p->layout->chunk_count; c++) {
        const uvm_chunk *chunk = &p->layout->chunks[c];
        uvm_set wanted = {{0}};
        for (uint32_t i = 0; i < chunk->real; i++)
            if (uvm_exists(p->layout, chunk->first + i))
                wanted.words[i / 64] |= (uint64_t)1 << i % 64;
        if (uvm_pager_ask(p, now, c, &wanted))
            return -1;
    }
    return 0;
}

static int send_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count)
{
    p->counts.back += count;
    return count ? uvm_channel_send(p, &p->out, now,
                                    (uvm_move){first, (uint32_t)count, UVM_SYNC_BACK})
                 : 0;
}

int uvm_pager_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end, bool clean)
{
    uint64_t from = first;
    uint32_t most = UVM_CHUNK_BYTES >> p->layout->shift;
    for (uint64_t page = first; page < end; page++) {
        if (p->memory.staged && p->memory.staged[page])
            uvm_rescue(p, page, now);
        bool dirty = p->flags[page] & UVM_DIRTY;
        bool leaves = p->where[page] == UVM_VALID && p->layout->chunk_of[page] != UVM_NO_CHUNK &&
                      (dirty || clean);
        if ((!leaves || !dirty || page - from >= most) && send_back(p, now, from, page - from))
            return -1;
        if (!leaves || !dirty || page - from >= most)
            from = page + (leaves && dirty ? 0 : 1);
        if (!leaves)
            continue;
        p->where[page] = UVM_ON_HOST;
        p->flags[page] &= (uint8_t) ~(UVM_DIRTY | UVM_USED | UVM_PREFETCHED | UVM_REQUESTED_PAGE);
        uvm_memory_leave(p, page);
        if (p->thrash)
            uvm_thrash_moved(p, page, now, true);
        p->memory.used--;
        if (p->gone)
            p->gone(p->self, page, UINT64_MAX);
    }
    return send_back(p, now, from, end - from);
}

static double cycles_of(uint64_t ticks)
{
    return (double)ticks / (1 << MSW_CURVE_TICK_BITS);
}

void uvm_fill_pages(const uvm_pager *p, double *t)
{
    const uvm_counts *n = &p->counts;
    bool excluded = p->config->fault_charge == UVM_EXCLUDED;
    t[UVM_FAULTS] = (double)n->faults;
    t[UVM_CHARGED] = t[UVM_CYCLES] + (excluded ? (double)n->faults * (double)p->fault_cycles : 0);
    t[UVM_TOUCHED] = (double)n->touched;
    t[UVM_FIRST] = (double)n->first;
    t[UVM_FIRST_MET] = (double)n->first_met;
    t[UVM_LATE] = (double)n->late;
    t[UVM_PAGES_IN] = (double)n->pages_in;
    t[UVM_PAGES_USED] = (double)n->used;
    t[UVM_PAGES_AHEAD] = (double)n->prefetched;
    t[UVM_AHEAD_USED] = (double)n->prefetched_used;
    t[UVM_AGAIN] = (double)n->again;
    t[UVM_PAGES_BACK] = (double)n->back;
    if (p->predictor) {
        t[UVM_PREDICTED] = (double)p->predictor->predictions;
        t[UVM_DROPPED] = (double)p->predictor->dropped;
        t[UVM_STATE] = (double)p->predictor->bytes;
    }
    t[UVM_EVICTIONS] = (double)n->evictions;
    t[UVM_EVICTED] = (double)n->evicted;
    t[UVM_REMOTE] = (double)n->remote;
    t[UVM_NOTICES] = (double)n->notices;
    t[UVM_NAPS] = (double)n->naps;
    t[UVM_PINS] = (double)n->pins;
    t[UVM_BYTES_IN] = (double)p->in.bytes;
    t[UVM_BYTES_OUT] = (double)p->out.bytes;
    t[UVM_TRANSFERS] = (double)(p->in.transfers + p->out.transfers);
    t[UVM_LINK_IN] = cycles_of(p->in.busy);
    t[UVM_LINK_OUT] = cycles_of(p->out.busy);
    t[UVM_ENERGY] = 1e-3 * p->config->link_pj_per_bit * 8 * (t[UVM_BYTES_IN] + t[UVM_BYTES_OUT]);
}
