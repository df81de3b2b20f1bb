/* SPDX-License-Identifier: MIT */
/* Private to uvm: one direction of the link, and what a driver does of its own: counters of
 * remote accesses, and pages that host and device take from each other (README.md, "Today's
 * systems"). */
#ifndef MSW_MECH_UVM_LATER_H
#define MSW_MECH_UVM_LATER_H

#include "mech/uvm/pages/pager.h"

/* Makes a channel, idle, with room for `most` transfers at once. Returns 0, or -1. */
int uvm_channel_init(uvm_channel *channel, uint64_t most, msw_arena *arena);

/* Queues a transfer. Returns 0, or -1. */
int uvm_channel_put(uvm_pager *p, uvm_channel *channel, uvm_move move);

/* Begins the first that waits, at `earliest` ticks or when the last is over. Returns 0, or -1. */
int uvm_channel_begin(uvm_pager *p, uvm_channel *channel, uint64_t earliest);

/* Queues a transfer; it begins now when the channel is idle. Returns 0, or -1. */
int uvm_channel_send(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move move);

/* Takes the transfer that is over off an idle channel. Returns it. */
uvm_move uvm_channel_take(uvm_channel *channel);

/* ---- access counters: counters.c ---- */

/* Makes them where pages migrate by them. Returns 0, or -1 when there is no memory. */
int uvm_counters_init(uvm_pager *p);

/* Notes an access to a page that stays on the host. */
void uvm_counters_access(uvm_pager *p, uint64_t page, uint64_t now, uint32_t lines);

/* When the handler is done with its batch; UINT64_MAX: it has none. */
uint64_t uvm_counters_next(const uvm_pager *p);

/* Takes the next granule of the batch that is over by now; after the last the next batch begins.
 * Returns whether there was one. */
bool uvm_counters_take(uvm_pager *p, uint64_t now, uint64_t *granule);

/* The pages of a granule. */
void uvm_counters_range(const uvm_pager *p, uint64_t granule, uint64_t *first, uint64_t *end);

/* Whether a block has been accessed since it was last forgotten. */
bool uvm_counters_met(const uvm_pager *p, uint32_t chunk, uint32_t block);
void uvm_counters_forget(uvm_pager *p, uint32_t chunk, uint32_t block);

/* ---- pages that thrash: thrash.c ---- */

/* Makes what is kept of pages, where something is done for them. Returns 0, or -1 when there is no
 * memory. */
int uvm_thrash_init(uvm_pager *p);

/* Notes a page that goes to the device, or to the host. */
void uvm_thrash_moved(uvm_pager *p, uint64_t page, uint64_t now, bool to_host);

/* Whether a page is pinned to the host. */
bool uvm_thrash_pinned(const uvm_pager *p, uint64_t page, uint64_t now);

/* Whether a page thrashes: it is not fetched ahead. */
bool uvm_thrash_is(const uvm_pager *p, uint64_t page);

/* A fault is about to be served: it may be put off, or its page be pinned instead. */
void uvm_thrash_refuse(uvm_pager *p, uint64_t page, uint64_t now);

/* Whether that is so. */
bool uvm_thrash_refused(const uvm_pager *p, uint64_t page);

/* When the next fault that was put off is raised again, or a page was pinned; UINT64_MAX: none. */
uint64_t uvm_thrash_next(const uvm_pager *p);

/* Takes a page that was pinned and has not been reported. Returns whether there is one. */
bool uvm_thrash_take_pin(uvm_pager *p, uint64_t *page);

/* Takes a fault whose nap is over. Returns whether there is one. */
bool uvm_thrash_take_nap(uvm_pager *p, uint64_t now, uint64_t *page);

/* Something is due then. */
static inline void uvm_later_at(uvm_pager *p, uint64_t time)
{
    p->later_until = msw_min_u64(p->later_until, time);
}

#endif
