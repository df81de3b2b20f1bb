/* SPDX-License-Identifier: MIT */
/* machine: runs launches of kernels, 32 lanes at a time.
 *
 * A launch is decoded once (msw_simt_code); a CTA lives in a block of memory of the caller. Whoever
 * models time asks each warp for its next run of instructions (msw_simt_run) in the order of his
 * choice; who wants the accesses only lets msw_simt_execute do that. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_MACHINE_H
#define MEMSWEEP_WORKLOAD_SIMT_MACHINE_H

#include "memsweep/workload/simt/memory.h"
#include "memsweep/workload/simt/program.h"

typedef enum msw_simt_mode {
    MSW_SIMT_VALUES, /* every instruction */
    MSW_SIMT_SLICE,  /* only what addresses, predicates and barriers depend on: same accesses and
                        masks; stores whose values nobody needs leave the memory as it is */
} msw_simt_mode;

/* The loops over lanes; all give the same bits. */
typedef enum msw_simt_loops {
    MSW_SIMT_LOOPS_BEST, /* what this CPU can do */
    MSW_SIMT_LOOPS_BASE,
    MSW_SIMT_LOOPS_AVX2, /* with FMA; refused where the CPU lacks it */
} msw_simt_loops;

typedef struct msw_simt_launch {
    const msw_simt_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    const unsigned char *params; /* kernel->param_bytes, laid out as kernel->params say */
    const msw_simt_memory *memory;
    const uint64_t *variable_addresses; /* [variables of the program] where global ones lie; the
                                           caller writes their initial values. NULL: none is used */
    msw_simt_mode mode;
    const uint8_t *needed; /* [instruction] of a slice that looks at the whole program; NULL: the
                              kernel is all there is */
    msw_simt_loops loops;
    uint64_t most_instructions; /* of one warp, against endless loops; 0: 2^32 */
} msw_simt_launch;

typedef struct msw_simt_code msw_simt_code;
typedef struct msw_simt_cta msw_simt_cta;

/* Checks and decodes a launch into the arena. Returns it, or NULL with `err`. */
const msw_simt_code *msw_simt_decode(const msw_simt_launch *launch, msw_arena *arena, msw_err *err);

/* Return the bytes of one CTA's state, the warps of a CTA, the CTAs of the launch, and the bytes of
 * shared memory of a CTA. */
size_t msw_simt_cta_bytes(const msw_simt_code *code);
uint32_t msw_simt_cta_warps(const msw_simt_code *code);
uint64_t msw_simt_cta_count(const msw_simt_code *code);
uint64_t msw_simt_cta_shared(const msw_simt_code *code);

/* Asks whether msw_simt_run failed because a warp waits for what no other warp does: a flag of a
 * CTA that was not started, or has no turn. */
bool msw_simt_waits(const msw_simt_code *code);

/* Returns, for each instruction, how many warps and lanes executed it, if `counts` was given to
 * msw_simt_cta_start. */
typedef struct msw_simt_counts {
    uint64_t *warps; /* [instructions + 1], zeroed by the caller; see msw_simt_counts_finish */
    uint64_t *lanes; /* [instructions] active lanes of guards' accesses; may be NULL */
} msw_simt_counts;

/* Turns what was collected into counts of each instruction. Call once, at the end. */
void msw_simt_counts_finish(const msw_simt_kernel *kernel, msw_simt_counts *counts);

/* Starts CTA `number` (x fastest) in `block` (msw_simt_cta_bytes, aligned to 64). Blocks are used
 * again for other CTAs. Returns the CTA: the block itself. */
msw_simt_cta *msw_simt_cta_start(const msw_simt_code *code, uint64_t number, void *block);

/* Lets a CTA add to counts from now on. */
void msw_simt_cta_count_into(msw_simt_cta *cta, msw_simt_counts *counts);

typedef enum msw_simt_warp_state {
    MSW_SIMT_READY,
    MSW_SIMT_WAITING, /* at a barrier */
    MSW_SIMT_DONE,
} msw_simt_warp_state;

/* Returns what a warp may do, and whether all warps of a CTA are done. */
msw_simt_warp_state msw_simt_warp_now(const msw_simt_cta *cta, uint32_t warp);
bool msw_simt_cta_done(const msw_simt_cta *cta);

typedef enum msw_simt_event {
    MSW_SIMT_EVENT_NONE,    /* the limit was reached, or the flow of control changed */
    MSW_SIMT_EVENT_ACCESS,  /* the last instruction is a load, store or atomic */
    MSW_SIMT_EVENT_BARRIER, /* the warp has arrived; WAITING unless it was the last */
    MSW_SIMT_EVENT_EXIT,    /* all lanes of the warp are done */
} msw_simt_event;

/* 128 bytes that lanes of one access touch. */
typedef struct msw_simt_line {
    uint64_t address; /* of the line: a multiple of 128 */
    uint32_t lanes;   /* which lanes touch it */
    uint32_t sectors; /* which of its four 32-byte sectors, bit 0 the lowest */
} msw_simt_line;

/* Instructions [first, first + count), issued in a row by one warp. Only the last one can be an
 * access (of global, shared, local or generic space), a barrier or a branch. */
typedef struct msw_simt_step {
    uint32_t first, count;
    uint32_t mask;  /* lanes that were active at the start */
    uint32_t lanes; /* lanes that executed the last instruction (its guard held) */
    msw_simt_event event;
    msw_simt_space space; /* of an access; a generic one is resolved: if its lanes mean
                             several spaces it is global, with the lanes of the others
                             left out of `lines` */
    uint8_t bytes;        /* of one lane: all elements of a vector */
    uint32_t line_count;  /* global and local: coalesced, in order of the first lane */
    msw_simt_line lines[2 * MSW_SIMT_LANES];
    uint64_t addresses[MSW_SIMT_LANES]; /* of the lanes in `lanes`, in that space. Local lines are
                                           those of the interleaved layout: word w of all 32 lanes
                                           lies in line w, from (cta, warp)'s own base 0 */
} msw_simt_step;

/* Lets a ready warp issue at most `limit` instructions. Returns 0, or -1 with `err` that names the
 * kernel, the line, CTA, warp and lane. After an error the CTA must not be run. */
int msw_simt_run(msw_simt_cta *cta, uint32_t warp, uint32_t limit, msw_simt_step *step,
                 msw_err *err);

typedef enum msw_simt_scheduler {
    MSW_SIMT_ROUND_ROBIN,        /* one run of a warp, then the next ready one */
    MSW_SIMT_GREEDY_THEN_OLDEST, /* the same warp until it waits, then the oldest ready one */
} msw_simt_scheduler;

/* Where CTAs go: CTA after CTA to the next SM with room. */
typedef struct msw_simt_sms {
    uint32_t sms;          /* at least 1 */
    uint32_t ctas;         /* of one SM at once, at least 1 */
    uint32_t warps;        /* of one SM at once; 0: no limit */
    uint64_t shared_bytes; /* of one SM; 0: no limit */
    msw_simt_scheduler scheduler;
    uint32_t run_limit; /* instructions of one turn of round robin; 0: until an event */
} msw_simt_sms;

/* Where a step happened. */
typedef struct msw_simt_origin {
    uint32_t sm, slot; /* slot: which of the SM's CTAs at once */
    uint64_t cta;
    uint32_t warp;
} msw_simt_origin;

/* Who listens; a callback may be NULL, and stops everything by returning non-zero. */
typedef struct msw_simt_listener {
    void *self;
    int (*step)(void *self, const msw_simt_origin *origin, const msw_simt_step *step, msw_err *err);
    int (*cta)(void *self, const msw_simt_origin *origin, bool starts, msw_err *err);
    msw_simt_counts *counts;
} msw_simt_listener;

/* Runs CTAs [first, first + count) of a launch to their end; count 0 means all. `issued` gets the
 * warp-instructions. Returns 0, or -1 with `err`. */
int msw_simt_execute(const msw_simt_code *code, const msw_simt_sms *sms, uint64_t first,
                     uint64_t count, const msw_simt_listener *listener, msw_arena *arena,
                     uint64_t *issued, msw_err *err);

#endif
