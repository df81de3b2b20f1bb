/* SPDX-License-Identifier: MIT */
/* mshr: misses in flight, each for one key, to which later requests for the same key can be merged.
 *
 * Caches and TLBs use it as their miss registers, a pool of page walkers as its scoreboard and
 * merge buffer. Whether to merge or to open a
 * second entry for a key is the owner's rule. Times only move forward. An entry is free again when
 * it is closed; the entry that has been free longest is opened first. */
#ifndef MEMSWEEP_SIM_MSHR_H
#define MEMSWEEP_SIM_MSHR_H

#include "memsweep/base/err.h"
#include "memsweep/sim/event.h"

#define MSW_MSHR_NONE      UINT32_MAX
#define MSW_MSHR_UNLIMITED UINT32_MAX

typedef struct msw_mshr_config {
    uint32_t entries;
    uint32_t slots; /* requests that can be merged into one entry; MSW_MSHR_UNLIMITED */
} msw_mshr_config;

typedef struct msw_mshr_entry {
    uint64_t key;
    uint64_t ready;  /* UINT64_MAX until scheduled */
    uint64_t order;  /* number of its scheduling */
    uint32_t *named; /* where its hash chain names it: in its head, or in the entry before */
    uint32_t next;   /* in its hash chain, newest first */
    uint32_t merged; /* requests waiting in addition to the first */
    uint32_t behind; /* next in its lane */
} msw_mshr_entry;

enum { MSW_MSHR_LANES = 8 };

typedef struct msw_mshr_lane {
    uint64_t head_ready; /* UINT64_MAX: empty */
    uint64_t tail_ready; /* 0: empty */
    uint32_t head, tail;
} msw_mshr_lane;

typedef struct msw_mshr {
    msw_mshr_entry *entries;
    uint32_t *chains;
    uint32_t *free; /* ring of free entries */
    msw_mshr_lane lanes[MSW_MSHR_LANES];
    int lanes_used; /* those from here on have never held anything */
    msw_event_queue rest;
    uint64_t next, scheduled;
    uint32_t capacity, chain_mask, slots;
    uint32_t free_first, free_count;
} msw_mshr;

typedef struct msw_mshr_closed {
    uint64_t key, time;
    uint32_t entry, merged;
} msw_mshr_closed;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_mshr_bytes(const msw_mshr_config *config);

/* Starts with all entries free, entry 0 first in line. Returns 0, or -1 with what is wrong. */
int msw_mshr_init(msw_mshr *mshr, const msw_mshr_config *config, void *memory, msw_err *err);

/* Looks for the newest open entry with this key. Returns it, or MSW_MSHR_NONE. */
uint32_t msw_mshr_find(const msw_mshr *mshr, uint64_t key);

/* Requests that can still be merged into an entry. Returns their number. */
static inline uint32_t msw_mshr_room(const msw_mshr *mshr, uint32_t entry)
{
    return mshr->slots - mshr->entries[entry].merged;
}

/* Merges `count` requests, at most the room. Returns how many were merged before. */
uint32_t msw_mshr_merge(msw_mshr *mshr, uint32_t entry, uint32_t count);

/* Opens an entry for a key. Returns it, or MSW_MSHR_NONE when all are in use. */
uint32_t msw_mshr_open(msw_mshr *mshr, uint64_t key);

/* Says when an open entry's answer comes back; once per entry. */
void msw_mshr_schedule(msw_mshr *mshr, uint32_t entry, uint64_t ready);

/* Time of the next answer. Returns UINT64_MAX when none is scheduled. */
static inline uint64_t msw_mshr_next(const msw_mshr *mshr)
{
    return mshr->next;
}

/* Closes the entry whose answer comes first, if that is by `now`. Returns whether it did. */
bool msw_mshr_close(msw_mshr *mshr, uint64_t now, msw_mshr_closed *closed);

#endif
