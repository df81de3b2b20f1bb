/* SPDX-License-Identifier: MIT */
/* inject: which call of the system fails. Every function that stands in for one of the system asks
 * here; what is decided lies in memory that the parent of a trial sees, too. */
#ifndef MEMSWEEP_FAULTS_INJECT_H
#define MEMSWEEP_FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call is for. NAME: removing, renaming, making a folder or a link. */
typedef enum fault_call {
    FAULT_WRITE,
    FAULT_SYNC,
    FAULT_OPEN,
    FAULT_READ,
    FAULT_LOCK,
    FAULT_NAME,
    FAULT_MEMORY,
    FAULT_CALLS
} fault_call;

typedef enum fault_kind {
    FAULT_FULL,
    FAULT_IO,
    FAULT_SHORT,
    FAULT_NO_MEMORY,
    FAULT_KINDS
} fault_kind;

/* The k-th call fails, from 1; sticky: it and all after it. With a rate, each call fails with that
 * probability instead. */
typedef struct fault_plan {
    fault_call call;
    fault_kind kind;
    uint64_t k;
    bool sticky;
    double rate;
    uint64_t seed;
} fault_plan;

enum { FAULT_STACKS = 1 << 18, FAULT_FRAMES = 14 };

typedef struct fault_record {
    uint64_t calls[FAULT_CALLS];   /* made so far */
    uint64_t hits;                 /* that failed */
    uint64_t live, live_bytes;     /* memory not freed at the end */
    uint64_t leaked_at;            /* which allocation the first of it was, by number */
    long sqlite_live;              /* the same of SQLite */
    int descriptors;               /* open at the end */
    uint64_t stacks[FAULT_STACKS]; /* of each allocation, when asked for: a digest of the call
                                      stack, twice, and 1 where the store writes rows */
} fault_record;

/* Begins a trial in this process: calls count and may fail from now on. `trace`: says on standard
 * error where the failing call, or the allocation of the number `trace`, was made. */
void fault_begin(const fault_plan *plan, fault_record *record, bool stacks, uint64_t trace);

/* Ends it: calls are those of the system again, and what is left over is counted. */
void fault_end(void);

bool fault_is_on(void);

/* Whether the store takes or commits rows (memory.c). */
bool fault_is_writing(void);

/* Counts a call. Returns whether it is to fail. */
bool fault_now(fault_call call);

fault_kind fault_kind_now(void);

/* The errno that goes with the failing call. */
int fault_errno(fault_call call);

/* The number of the last allocation. */
uint64_t fault_memory_number(void);

/* ---- memory.c ---- */

/* Gives SQLite an allocator that may fail. To be called before anything of SQLite's. */
void fault_memory_install(void);
void fault_memory_begin(void);
void fault_memory_end(fault_record *record);

/* ---- vfs.c: the file system that SQLite uses ---- */
void fault_vfs_install(void);

/* ---- clock.c: a clock that goes by calls, so that equal trials are equal ---- */
void fault_clock_begin(void);
void fault_clock_sleep(double seconds);
int64_t fault_clock_now_ns(void);

/* ---- threads.c: threads that take turns at fixed places ---- */
void fault_threads_take_turns(bool on);
bool fault_threads_by_turns(void);

#endif
