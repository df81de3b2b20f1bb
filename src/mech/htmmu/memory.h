/* SPDX-License-Identifier: MIT */
/* Private to htmmu: main memory as the walkers see it with memory_model: banks. An access goes
 * half of memory_path to memory, waits there for its bank, and half of it back; a walk makes its
 * accesses one after the other. */
#ifndef MSW_MECH_HTMMU_MEMORY_H
#define MSW_MECH_HTMMU_MEMORY_H

#include "mech/htmmu/model.h"

#include "memsweep/base/text.h"
#include "memsweep/sim/dram.h"
#include "memsweep/sim/walkread.h"

/* Of accesses that were answered. */
typedef struct htmmu_memory_stats {
    uint64_t reads, row_hits;
    uint64_t cycles; /* from the walker and back */
    uint64_t saved;  /* accesses that table lines answered, at once or when they came */
} htmmu_memory_stats;

typedef struct htmmu_memory {
    msw_dram *dram; /* NULL with memory_model: fixed */
    bool timed;     /* accesses are timed one by one */
    uint64_t fixed; /* cycles of one with memory_model: fixed */
    msw_walkread reads;
    void *parts[2];       /* memory of `dram` and of `reads` */
    uint64_t there, back; /* cycles of the way */
    uint64_t latest;      /* completion taken */
    uint64_t idle;        /* cycles of an access that opens a row and waits for nobody */
    htmmu_memory_stats stats;
} htmmu_memory;

/* The channels that a config asks for. Returns 0, or -1. */
int htmmu_memory_config(const htmmu_config *config, msw_dram_config *dram, msw_err *err);

/* What makes little sense in the memory that a config asks for (struct msw_mech). */
void htmmu_lint(const void *config, msw_text *lines);
extern const char *const htmmu_lint_depends[];

/* Starts with no line and closed rows, in the memory of its parts. Returns 0, or -1. */
int htmmu_memory_init(htmmu_memory *memory, const htmmu_config *config, msw_err *err);

/* How the accesses of walks are made. */
msw_walkread_config htmmu_read_config(const htmmu_config *config);

/* The pool of walkers that a config asks for. */
msw_walker_config htmmu_walker_config(const htmmu_config *config);

/* Lets the accesses that reach memory now enter its queues. */
void htmmu_memory_take(htmmu_memory *memory, msw_walker *walker, uint64_t now);

/* Returns the cycles of an access, mean so far. */
uint64_t htmmu_memory_mean(const htmmu_memory *memory);

/* Takes the next answer at or before `limit`: the walk goes on, or its end is known. Returns
 * whether there was one. Nothing may be asked for earlier than `limit` afterwards. */
bool htmmu_memory_answer(htmmu_memory *memory, msw_walker *walker, uint64_t limit);

#endif
