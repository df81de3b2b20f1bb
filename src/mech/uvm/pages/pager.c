/* Where pages are, and what happens to faults. Rules: README.md, "Counting". */
#include "mech/uvm/pages/pager.h"

#include "mech/uvm/pages/channel.h"
#include "mech/uvm/pages/predicted.h"

#include <string.h>

int uvm_pager_init(uvm_pager *p, const uvm_config *config, const uvm_layout *layout,
                   const msw_link_curve *curve, msw_arena *arena, msw_err *err)
{
    *p =
        (uvm_pager){.config = config, .layout = layout, .curve = curve, .arena = arena, .err = err};
    p->where = msw_arena_zero(arena, layout->pages, 1);
    p->flags = msw_arena_zero(arena, layout->pages, 1);
    p->leaves = msw_arena_zero(arena, layout->chunk_count + 1u, sizeof *p->leaves);
    p->batch = msw_arena_take(arena, (size_t)config->batch_faults * sizeof *p->batch);
    p->batch_until = UINT64_MAX;
    p->predicted_until = UINT64_MAX;
    p->fault_cycles = (uint64_t)(config->fault_ns * config->clock_ghz + 0.5);
    msw_rng_init(&p->draws, 1, 0);
    if (!p->where || !p->flags || !p->leaves || !p->batch ||
        uvm_channel_init(&p->in, 2 * layout->pages + 1, arena) ||
        uvm_channel_init(&p->out, layout->pages + 1, arena))
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

/* ---- what is asked for ---- */

/* A page whose fault waits for a later batch is no prefetched one. */
static void ask(uvm_pager *p, uint64_t page)
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
}

static int send_in(uvm_pager *p, uint64_t now, uint64_t first, uint64_t count, bool faulted)
{
    uvm_move move = {first, (uint32_t)count, faulted ? UVM_DEMAND : UVM_AHEAD};
    if (!count)
        return 0;
    if (faulted && p->config->fault_charge == UVM_SERIAL &&
        uvm_channel_send(p, &p->in, now, (uvm_move){first, 0, UVM_FAULT_WORK}))
        return -1;
    return uvm_channel_send(p, &p->in, now, move);
}

/* A run of pages becomes transfers: each up to and with a page that faulted, and the rest. */
static int send_run(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end)
{
    uint64_t from = first;
    for (uint64_t page = first; page < end; page++) {
        bool faulted = p->flags[page] & UVM_FAULTED;
        ask(p, page);
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

/* Asks for all pages of a set that are on the host. */
static int ask_for(uvm_pager *p, uint64_t now, uint32_t chunk, const uvm_set *wanted)
{
    const uvm_chunk *c = &p->layout->chunks[chunk];
    uint32_t first = 0;
    count_leaves(p, chunk, wanted);
    for (uint32_t i = 0; i <= c->pages; i++) {
        bool in = i < c->pages && wanted->words[i / 64] >> i % 64 & 1 &&
                  p->where[c->first + i] == UVM_ON_HOST;
        if (in)
            continue;
        if (i > first && send_run(p, now, c->first + first, c->first + i))
            return -1;
        first = i + 1;
    }
    return 0;
}

/* All faults of one chunk together, in the order in which chunks fault first. */
static int serve(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t chunk = p->layout->chunk_of[pages[i]];
        uvm_set wanted = {{0}};
        if (p->where[pages[i]] != UVM_ON_HOST)
            continue;
        for (size_t k = i; k < count; k++) {
            uint64_t at = pages[k] - p->layout->chunks[chunk].first;
            if (p->layout->chunk_of[pages[k]] == chunk && p->where[pages[k]] == UVM_ON_HOST) {
                wanted.words[at / 64] |= (uint64_t)1 << at % 64;
                p->flags[pages[k]] |= UVM_FAULTED;
            }
        }
        uvm_policy(p, chunk, &wanted);
        if (ask_for(p, now, chunk, &wanted))
            return -1;
    }
    return 0;
}

/* ---- predictions ---- */

/* Faults are served at once, or when their predictions are made. */
static int serve_or_ask(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    bool learned = p->config->prefetcher == UVM_LEARNED;
    if (!(learned && p->config->prediction_holds == UVM_HOLDS_FAULT) && serve(p, now, pages, count))
        return -1;
    for (size_t i = 0; learned && i < count; i++)
        if (uvm_pager_ask(p, now, pages[i]))
            return -1;
    return 0;
}

/* What a prediction brings; with it the fault that waited for it. */
static int end_prediction(uvm_pager *p, uint64_t now, uint64_t page)
{
    uint32_t chunk;
    uvm_set wanted;
    if (p->config->prediction_holds == UVM_HOLDS_FAULT && serve(p, now, &page, 1))
        return -1;
    return uvm_pager_predicted(p, page, &chunk, &wanted) ? ask_for(p, now, chunk, &wanted) : 0;
}

/* ---- batches ---- */

static int keep_waiting(uvm_pager *p, const uint64_t *pages, size_t count)
{
    if (p->waiting_count + count > p->waiting_room) {
        uint64_t room = 2 * (p->waiting_count + count) + 256;
        uint64_t *grown = msw_arena_take(p->arena, room * sizeof *grown);
        if (!grown)
            return msw_fail_memory(p->err);
        if (p->waiting_count)
            memcpy(grown, p->waiting, p->waiting_count * sizeof *grown);
        p->waiting = grown;
        p->waiting_room = room;
    }
    memcpy(p->waiting + p->waiting_count, pages, count * sizeof *pages);
    p->waiting_count += count;
    return 0;
}

/* The handler takes the oldest faults when it is idle and the transfers of its last batch are over.
 */
static void start_batch(uvm_pager *p, uint64_t now)
{
    if (p->batch_until != UINT64_MAX || p->in.head < p->batch_end || !p->waiting_count)
        return;
    p->batch_count = msw_min_u64(p->waiting_count, (uint64_t)p->config->batch_faults);
    memcpy(p->batch, p->waiting, p->batch_count * sizeof *p->batch);
    p->waiting_count -= p->batch_count;
    memmove(p->waiting, p->waiting + p->batch_count, p->waiting_count * sizeof *p->waiting);
    p->batch_until = now + p->fault_cycles;
}

static int end_batch(uvm_pager *p, uint64_t now)
{
    p->batch_until = UINT64_MAX;
    if (serve_or_ask(p, now, p->batch, p->batch_count))
        return -1;
    p->batch_end = p->in.tail;
    return 0;
}

int uvm_pager_fault(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    p->counts.faults += count;
    if (p->config->fault_charge != UVM_BATCHED)
        return serve_or_ask(p, now, pages, count);
    if (keep_waiting(p, pages, count))
        return -1;
    start_batch(p, now);
    return 0;
}

int uvm_pager_step(uvm_pager *p, uint64_t now, uvm_move *come)
{
    uint64_t page;
    come->count = 0;
    while (uvm_pager_answered(p, now, &page))
        if (end_prediction(p, now, page))
            return -1;
    if (p->batch_until <= now && end_batch(p, now))
        return -1;
    if (p->out.until <= now) {
        uvm_move gone;
        if (uvm_channel_take(p, &p->out, &gone))
            return -1;
    }
    if (p->in.until <= now) {
        if (uvm_channel_take(p, &p->in, come))
            return -1;
        for (uint32_t i = 0; i < come->count; i++)
            p->where[come->first + i] = UVM_VALID;
    }
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
            wanted.words[i / 64] |= (uint64_t)1 << i % 64;
        if (ask_for(p, now, c, &wanted))
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

int uvm_pager_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end, bool clean,
                   void (*gone)(void *self, uint64_t page), void *self)
{
    uint64_t from = first;
    uint32_t most = UVM_CHUNK_BYTES >> p->layout->shift;
    for (uint64_t page = first; page < end; page++) {
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
        gone(self, page);
    }
    return send_back(p, now, from, end - from);
}
