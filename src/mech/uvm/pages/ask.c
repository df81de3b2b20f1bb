/* SPDX-License-Identifier: MIT */
/* Pages that are asked for, and their way to the device. */
#include "mech/uvm/pages/channel.h"
#include "mech/uvm/pages/later.h"
#include "mech/uvm/pages/pager.h"

int uvm_inward_start(uvm_pager *p, uint64_t now, uint64_t earliest)
{
    uvm_channel *in = &p->in;
    if (in->until != UINT64_MAX || in->head == in->tail)
        return 0;
    uint64_t count = in->moves[in->head & in->mask].count;
    if (uvm_memory_room(p, now, count))
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
