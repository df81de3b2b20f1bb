/* SPDX-License-Identifier: MIT */
/* Private to neummu: the machine, made of DMA engine, MMU and memory. A tick is 1 / issue_width of
 * a cycle. */
#ifndef MSW_MECH_NEUMMU_MACHINE_MACHINE_H
#define MSW_MECH_NEUMMU_MACHINE_MACHINE_H

#include "mech/neummu/machine/prefetch.h"
#include "mech/neummu/machine/walklog.h"
#include "mech/neummu/memory.h"
#include "mech/neummu/stream.h"

enum { NEUMMU_LANES = 4 };

typedef struct neummu_lane {
    neummu_batch *ring;
    uint32_t head, tail;
} neummu_lane;

typedef struct neummu_answers {
    neummu_lane lanes[NEUMMU_LANES];
    uint32_t mask;
} neummu_answers;

typedef struct neummu_counts {
    uint64_t lookups, prefetches; /* ahead */
    double useful, late;
    msw_mmu_stats mmu;
    msw_walker_stats walker;
    uint64_t blocked[MSW_BLOCK_COUNT]; /* ticks */
    uint64_t visits;
} neummu_counts;

/* The window of the detail table `bursts` that is being filled. */
typedef struct neummu_bursts {
    const msw_task *task;
    uint64_t origin, length; /* ticks */
    uint32_t step, layer;
    uint64_t window, requests, low, high; /* addresses */
    bool failed;
    msw_err err;
} neummu_bursts;

/* Requests of a walk whose end is not known yet. */
typedef struct neummu_waiting {
    uint64_t count, bytes;
    uint64_t asked; /* when its first request was issued */
} neummu_waiting;

typedef struct neummu_machine {
    const neummu_config *config;
    msw_translate stage;
    void *stage_memory;
    neummu_waiting *waiting; /* by walk, where ends are unknown; or NULL */
    uint64_t access_ticks;   /* of an access of known length; 0: a read of the memory */
    neummu_answers answers;
    neummu_memory memory;
    uint64_t issue; /* when the DMA engine can issue again */
    uint64_t blocked[MSW_BLOCK_COUNT], visits, requests, walk_accesses;
    neummu_shifts shifts;
    neummu_prefetch prefetch;
    neummu_bursts *bursts;  /* or NULL */
    neummu_walk_log *walks; /* or NULL */
} neummu_machine;

/* Ticks of an access at least. */
static inline uint64_t neummu_access_least(const neummu_machine *machine)
{
    return machine->access_ticks ? machine->access_ticks : machine->memory.latency;
}

/* Returns the bytes of memory that a machine needs. */
size_t neummu_machine_bytes(const neummu_config *config);

/* Starts empty and idle, at time 0. Returns 0, or -1. */
int neummu_machine_init(neummu_machine *machine, const neummu_config *config, void *memory,
                        msw_err *err);

/* Empties the TLBs and walkers and goes back to time 0. Returns 0, or -1. */
int neummu_machine_reset(neummu_machine *machine, msw_err *err);

/* Moves a flow that may start at `start`. Returns when its last byte has arrived; `start` when it
 * is empty. */
uint64_t neummu_transfer(neummu_machine *machine, const neummu_flow *flow, uint64_t start);

/* The same with every translation known at once, on a memory and an engine of its own. */
uint64_t neummu_transfer_oracle(neummu_memory *memory, uint64_t *issue, const neummu_flow *flow,
                                uint64_t start);

/* Returns the counts so far. */
neummu_counts neummu_count(const neummu_machine *machine);

/* ---- answers, in order of time ---- */

size_t neummu_answers_bytes(size_t capacity);
void neummu_answers_init(neummu_answers *answers, size_t capacity, void *memory);

/* Returns the bytes that a visit counts for in memory. */
uint64_t neummu_visit_weight(const neummu_memory *memory, const neummu_visit *visit);

/* Bytes of `part` of the requests left, such that all parts add up. */
static inline uint64_t neummu_share(uint64_t bytes, uint64_t part, uint64_t left)
{
    return part == left ? bytes : bytes / left * part;
}

/* Keeps a batch until its time comes. Returns `done`, or when the data of one that had to go first
 * has arrived. */
uint64_t neummu_put(neummu_machine *machine, const neummu_batch *batch, uint64_t done);

/* Asks for everything translated by `now`. Returns when the last of it arrives, or `done`. */
uint64_t neummu_ask_until(neummu_machine *machine, uint64_t now, uint64_t done);

/* ---- translations asked for ahead ---- */

/* The engine comes to part `part` of step `during`, which may begin at `start`; until then the
 * generator goes on from where it was. */
void neummu_prefetch_part(neummu_machine *machine, uint64_t during, int part, uint64_t start);

/* Counts what became of the first request for a page, which was just offered. */
void neummu_prefetch_met(neummu_machine *machine, uint64_t page, msw_mmu_kind kind);

/* Looks ahead until `until`, which is not before anything that was issued. Returns when data that
 * had to go meanwhile is there, or `done`. */
uint64_t neummu_prefetch_run(neummu_machine *machine, uint64_t until, uint64_t done);

/* ---- walks of unknown end ---- */

/* Lets everything happen up to `now`. Returns when its data is there, or `done`. */
uint64_t neummu_go_until(neummu_machine *machine, uint64_t now, uint64_t done);

/* One walk ends or starts, or one access is made, by `now`. Returns as neummu_go_until. */
uint64_t neummu_happen(neummu_machine *machine, uint64_t now, uint64_t done);

/* Asks for all data translated by `now`. Returns as neummu_go_until. */
uint64_t neummu_ask_before(neummu_machine *machine, uint64_t now, uint64_t done);

/* Returns when something happens next. */
static inline uint64_t neummu_next_event(const neummu_machine *machine)
{
    return msw_translate_next(&machine->stage);
}

/* Lets everything happen that is under way. Returns when the last data arrives, or `done`. */
uint64_t neummu_finish_waiting(neummu_machine *machine, uint64_t done);

/* Page-table accesses to memory so far. Returns their number. */
uint64_t neummu_walk_accesses(const neummu_machine *machine);

/* ---- the detail table of bursts ---- */

/* Begins the bursts of a step whose loads may begin at `origin`. */
void neummu_bursts_start(neummu_bursts *bursts, const msw_task *task, uint64_t origin,
                         uint32_t step);

/* Writes the last window. Returns 0, or -1. */
int neummu_bursts_flush(neummu_bursts *bursts, msw_err *err);

#endif
