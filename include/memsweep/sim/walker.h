/* SPDX-License-Identifier: MIT */
/* walker: a pool of page walkers with a scoreboard (one entry per walker, tagged by page) and merge
 * slots, over a radix page table and an optional walk cache.
 *
 * A miss for a page that is being walked takes a merge slot of that walk; otherwise it takes a free
 * walker, by `choice`; with all walkers busy it waits in a queue; with the queue full it is blocked
 * until a stated time. A queued walk is on the scoreboard at once. It books the walker that will be
 * free first and looks at the walk cache as it is then; or, with `queue_waits`, it waits in line:
 * when a walker is free the owner looks again for the page of the first in line and calls
 * msw_walker_start_first or msw_walker_drop_first. Nothing moves by itself: the owner calls
 * msw_walker_retire for every walk that has ended by the time of the next request (the TLB is
 * filled then), and repeats a blocked request when it chooses. Several requesters share a pool by
 * calling it in the order of their times; `note` distinguishes them. Times never go back. The first
 * request of a walk is answered when the walk ends, merged request number i (from 1) i x return_gap
 * cycles later. */
#ifndef MEMSWEEP_SIM_WALKER_H
#define MEMSWEEP_SIM_WALKER_H

#include "memsweep/sim/mshr.h"
#include "memsweep/sim/tlb.h"
#include "memsweep/sim/walkcache.h"

/* Which of several free walkers a walk takes. It matters where each keeps its last path. */
typedef enum msw_walker_choice {
    MSW_WALKER_LONGEST_IDLE,
    MSW_WALKER_WARMEST,   /* the one that was busy last */
    MSW_WALKER_SAME_PATH, /* the one whose path shares most levels; of equals the warmest */
} msw_walker_choice;

typedef struct msw_walker_config {
    uint32_t walkers;
    msw_walker_choice choice;
    uint32_t queue;         /* walks that can wait for a walker */
    uint32_t owners;        /* requesters that own walkers, of a queue that books; 0: none do */
    uint32_t first_owns;    /* walkers of requester 0 at first; 0: as many as the others */
    uint32_t least, most;   /* that nobody takes from an owner; that one holds at most */
    bool queue_waits;       /* they take one when they start; needed with timed_by_owner, choice */
    bool scoreboard;        /* false: every miss walks */
    uint32_t slots;         /* merge slots per walk; MSW_MSHR_UNLIMITED */
    bool walk_when_full;    /* slots full: walk again at the same time as the first; false: block */
    uint32_t return_gap;    /* cycles between merged answers; 0: all at once */
    uint32_t level_cycles;  /* one page-table access */
    uint32_t walk_cycles;   /* all accesses of a walk, however many; 0: level_cycles each */
    bool timed_by_owner;    /* the owner times the accesses and calls msw_walker_finish */
    uint32_t lookup_cycles; /* one look-up of the walk cache */
    msw_walkcache_config cache;
    msw_pagetable_config table;
} msw_walker_config;

typedef enum msw_walk_kind {
    MSW_WALK_STARTED,
    MSW_WALK_MERGED,
    MSW_WALK_BLOCKED,
    MSW_WALK_QUEUED
} msw_walk_kind;

typedef enum msw_block {
    MSW_BLOCK_WALKERS, /* all walkers busy, queue full */
    MSW_BLOCK_SLOTS,   /* the page's walk has no merge slot left */
    MSW_BLOCK_MSHRS,   /* no miss register left (mmu.h) */
    MSW_BLOCK_COUNT,
} msw_block;

typedef struct msw_walk_request {
    uint64_t time;
    msw_page page;
    uint64_t count; /* requests for this page, one per cycle from `time`; all before the next end */
    uint64_t note;  /* bits the owner wants back when the walk ends, or-ed over its requests */
    uint32_t requester; /* with owners */
} msw_walk_request;

typedef struct msw_walk {
    msw_walk_kind kind;
    msw_block cause; /* blocked */
    uint32_t entry;  /* started, merged, queued: number of the walk on the scoreboard */
    uint32_t walker; /* started */
    uint64_t taken;  /* requests accepted: 0 when blocked, 1 when started or queued */
    uint64_t before; /* merged: requests merged into the same walk earlier */
    uint64_t done;   /* end of the walk; blocked: when to try again. UINT64_MAX: not yet known */
    uint64_t start;  /* started: time of the first page-table access */
    uint32_t accesses;
    uint64_t access[MSW_PAGETABLE_LEVELS]; /* timed_by_owner: physical addresses, in series */
} msw_walk;

typedef struct msw_walk_end {
    msw_page page;
    uint64_t time, note;
    uint32_t entry, merged;
    bool dropped; /* there was no walk: its page was found */
} msw_walk_end;

typedef struct msw_walker_stats {
    uint64_t walks, redundant, merged; /* redundant: another walk for the page was under way */
    uint64_t blocked[MSW_BLOCK_COUNT]; /* refusals */
    uint64_t accesses;                 /* page-table accesses to memory */
    uint64_t steps;                    /* page-table entries needed, saved or not */
    uint64_t lookups;                  /* of the walk cache */
    uint64_t level_hits[MSW_PAGETABLE_LEVELS + 1];  /* by level: accesses the walk cache saved */
    uint64_t level_reads[MSW_PAGETABLE_LEVELS + 1]; /* by level: accesses made */
} msw_walker_stats;

/* What is known of a walk on the scoreboard. */
typedef struct msw_walker_entry {
    msw_page page;
    uint64_t path; /* register and path kinds of walk cache */
    uint64_t note;
    uint32_t walker, requester;
    bool again;   /* another walk for the page was under way when it was asked for */
    bool dropped; /* its page was found: it takes no walker */
} msw_walker_entry;

/* Free walkers in the order in which they became free. A walker that a walk ended in the future of
 * a request is free from then on. */
typedef struct msw_walker_idle {
    uint32_t *newer, *older; /* by walker: its neighbours */
    uint64_t *since;         /* by walker */
    uint32_t newest, oldest, count;
} msw_walker_idle;

/* Walkers that requesters own. A requester takes one of its own or, while it holds fewer than
 * `most`, one whose owner holds more than `least`; of these the one free first; it owns it then. */
typedef struct msw_walker_owned {
    uint32_t *owner; /* by walker */
    uint64_t *free;  /* by walker: when it is */
    uint32_t *held;  /* by requester */
} msw_walker_owned;

/* Walks that wait in line: a ring of entries. */
typedef struct msw_walker_line {
    uint32_t *entries;
    uint32_t first, count, capacity;
} msw_walker_line;

typedef struct msw_walker {
    msw_walker_config config;
    msw_mshr board;
    msw_pagetable table;
    msw_walkcache cache;
    msw_event_queue free; /* a queue that books: walkers by when they are, or will be, free */
    msw_walker_idle idle; /* where walkers are no entries: kept_apart */
    msw_walker_line line; /* queue_waits */
    msw_walker_owned owned;
    bool kept_apart;
    msw_walker_entry *entries;
    msw_walker_stats stats;
} msw_walker;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_walker_bytes(const msw_walker_config *config);

/* Starts with all walkers free. Returns 0, or -1 with what is wrong with the configuration. */
int msw_walker_init(msw_walker *pool, const msw_walker_config *config, void *memory, msw_err *err);

/* Offers missed requests to the pool. Returns what became of them, with the details in `walk`. */
msw_walk_kind msw_walker_request(msw_walker *pool, const msw_walk_request *request, msw_walk *walk);

/* Returns whether a walk waits in line and a walker is free (queue_waits). */
static inline bool msw_walker_can_start(const msw_walker *pool)
{
    return pool->line.count && pool->idle.count;
}

/* The page and note of the first in line. Returns its entry. */
static inline const msw_walker_entry *msw_walker_first(const msw_walker *pool)
{
    return &pool->entries[pool->line.entries[pool->line.first]];
}

/* Starts the first in line, with the walk cache as it is now; msw_walker_can_start. */
void msw_walker_start_first(msw_walker *pool, uint64_t now, msw_walk *walk);

/* Answers the first in line without a walk: its page has come meanwhile. It retires at `now`. */
void msw_walker_drop_first(msw_walker *pool, uint64_t now);

/* Whether an entry's walk has a merge slot left. */
static inline bool msw_walker_has_room(const msw_walker *pool, uint32_t entry)
{
    return msw_mshr_room(&pool->board, entry) > 0;
}

/* Merges one request to the newest walk of its page, which has room: msw_walker_request for an
 * owner that knows the walk. */
static inline void msw_walker_join(msw_walker *pool, uint32_t entry, uint64_t note)
{
    pool->stats.merged++;
    pool->entries[entry].note |= note;
    pool->board.entries[entry].merged++;
}

/* Says when a walk ends (timed_by_owner only; once per walk, at the latest before its end). */
void msw_walker_finish(msw_walker *pool, uint32_t entry, uint64_t time);

/* Ends the earliest walk that is over by `now` and frees its walker. Returns whether there was. */
bool msw_walker_retire(msw_walker *pool, uint64_t now, msw_walk_end *end);

/* Enters what a walk of a page leaves in the walk cache, without time; `walker` made it. */
void msw_walker_warm(msw_walker *pool, msw_page page, uint32_t walker);

/* Returns when the next walk ends, UINT64_MAX when none is known. */
static inline uint64_t msw_walker_next(const msw_walker *pool)
{
    return msw_mshr_next(&pool->board);
}

#endif
