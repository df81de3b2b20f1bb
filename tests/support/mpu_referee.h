/* SPDX-License-Identifier: MIT */
/* mpu_referee: what a near-bank processor does to counts, worked out plainly and apart from the
 * mechanism: from the text of the PTX, warp after warp, in program order.
 *
 * The rules are those of the simulator that the authors of MPU released (preset mpusim2023), as
 * its public source shows them: places of registers and instructions, register moves, beats of 8
 * bytes on a core's TSVs, whole accesses, DRAM transactions. No time passes: a register that two
 * instructions in flight both miss counts as one move. The read-only caches on the way to remote
 * banks are taken as switched off. */
#ifndef MEMSWEEP_TESTS_MPU_REFEREE_H
#define MEMSWEEP_TESTS_MPU_REFEREE_H

#include "programs.h"

typedef struct referee_rules {
    bool near_shared;   /* shared memory on the DRAM die */
    bool hints;         /* the compiler's places; else the hardware decides by the track table */
    uint32_t cores;     /* CTA c runs on core c mod cores */
    uint32_t nbus;      /* of a core */
    uint32_t bank_io;   /* bytes of a transaction */
    uint32_t nbu_bytes; /* bytes in a row that lie with one NBU */
    uint32_t resident;  /* CTAs that a core holds at once: warps are numbered over them */
} referee_rules;

typedef struct referee_counts {
    uint64_t insns, near_insns; /* near: run by the ALU of an NBU, or by its access units */
    uint64_t loads, stores, whole_loads, whole_stores;
    uint64_t shared;                /* accesses of shared memory */
    uint64_t moves_near, moves_far; /* registers moved to a side before an instruction */
    uint64_t store_values;          /* registers read for stores that are not offloaded */
    uint64_t beats_offload; /* near instructions of the ALU and of shared memory, going up */
    uint64_t beats_access;  /* whole loads and stores, going up */
    uint64_t beats_data;    /* of transactions */
    uint64_t beats_result;  /* gathered loads, going up */
    uint64_t beats_move, beats_store_value;
    uint64_t beats_commit;
    uint64_t reads, writes, remote_reads, remote_writes; /* transactions */
} referee_counts;

/* Counts all launches of a loaded and built workload. `ptx` is the text of its PTX. Returns 0, or
 * -1 with p->err. */
int mpu_referee(program *p, const char *ptx, const referee_rules *rules, referee_counts *counts);

/* Places after annotation: registers near, far, on both sides and unknown, over all kernels. */
void mpu_referee_registers(const program *p, const char *ptx, bool near_shared, uint64_t places[4]);

#endif
