/* SPDX-License-Identifier: MIT */
/* walkread: the page-table accesses of walks, one after the other, as reads of a memory that the
 * owner has, behind a small cache of table lines.
 *
 * The pool of walkers (walker.h, timed_by_owner) says which entries a walk reads;
 * msw_walkread_begin takes them. The owner calls msw_walkread_take for everything that happens by
 * its time, brings each read from its memory (the channels that carry the data, or cycles of its
 * own) and says with msw_walkread_answer when it is there; the walk goes on with its next access
 * then, or its end is known to the pool. Requesters of one pool share one walkread, as they share
 * its walkers.
 *
 * With `lines`, an access looks for its line first, `line_cycles` long, hit or miss. A miss takes a
 * line at once and reads it; another access to a line on its way waits for it. A read takes
 * `there` cycles to the memory; what the owner says of its answer includes the way back.
 *
 * Laws: accesses = reads + line_hits + line_waits. For one order of accesses and LRU, more lines
 * never mean more reads. */
#ifndef MEMSWEEP_SIM_WALKREAD_H
#define MEMSWEEP_SIM_WALKREAD_H

#include "memsweep/sim/walker.h"

typedef struct msw_walkread_config {
    uint32_t walks;       /* under way at once: walkers and queue */
    uint32_t lines, ways; /* of the cache; 0 lines: there is none; 0 ways: fully associative */
    msw_policy policy;
    uint32_t line_bytes;  /* a power of two */
    uint32_t line_cycles; /* a look-up */
    uint32_t there;       /* from the walkers to the memory */
    uint64_t seed;
} msw_walkread_config;

typedef struct msw_walkread_stats {
    uint64_t reads, line_hits, line_waits;
} msw_walkread_stats;

/* What a walk has yet to read, and who waits for the line it reads. */
typedef struct msw_walkread_walk {
    uint64_t address[MSW_PAGETABLE_LEVELS];
    uint64_t line;
    uint32_t next, count;
    uint32_t waiter, last; /* those that wait for the line, in the order in which they came */
    uint32_t behind;       /* next of those that wait with it */
} msw_walkread_walk;

typedef struct msw_walkread {
    msw_walkread_config config;
    msw_event_queue events;
    msw_walkread_walk *walks;
    msw_assoc lines;
    uint32_t *reader; /* by line: the walk that reads it, or UINT32_MAX */
    msw_walkread_stats stats;
} msw_walkread;

/* A read that reaches the memory. */
typedef struct msw_walkread_read {
    uint64_t time, address;
    uint32_t bytes;
    uint32_t walk;
} msw_walkread_read;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_walkread_bytes(const msw_walkread_config *config);

/* Starts with no line. Returns 0, or -1 with what is wrong with the configuration. */
int msw_walkread_init(msw_walkread *reads, const msw_walkread_config *config, void *memory,
                      msw_err *err);

/* A walk has started: its accesses begin at walk->start. One without accesses ends then. */
void msw_walkread_begin(msw_walkread *reads, msw_walker *pool, const msw_walk *walk);

/* Enters the lines that a walk of a page reads, without time. */
void msw_walkread_warm(msw_walkread *reads, const msw_pagetable *table, msw_page page);

/* Time of the next thing that happens. Returns UINT64_MAX when there is none. */
static inline uint64_t msw_walkread_next(const msw_walkread *reads)
{
    return msw_event_next(&reads->events);
}

/* Lets happen, in order, what happens by `now`, up to the first read that reaches the memory.
 * Returns whether there is one. */
bool msw_walkread_take(msw_walkread *reads, msw_walker *pool, uint64_t now,
                       msw_walkread_read *read);

/* A read of a walk is back with the walkers at `time`, not before the last one taken. */
void msw_walkread_answer(msw_walkread *reads, msw_walker *pool, uint32_t walk, uint64_t time);

#endif
