/* SPDX-License-Identifier: MIT */
/* flow: what can be known from a kernel's registers: which are live where, who reads what, and the
 * slice of instructions that addresses, predicates and barriers depend on. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_FLOW_H
#define MEMSWEEP_WORKLOAD_SIMT_FLOW_H

#include "memsweep/workload/simt/program.h"

/* Sets of registers as words of 64 bits. */
typedef struct msw_simt_liveness {
    uint32_t words;           /* of one set */
    const uint64_t *live_in;  /* [block * words] before its first instruction */
    const uint64_t *live_out; /* [block * words] after its last */
    uint32_t most_bytes;      /* of registers live at once, predicates without */
    uint32_t most_at;         /* after this instruction */
    uint32_t most_predicates; /* live at once */
} msw_simt_liveness;

/* Computes which registers are live at the bounds of blocks. A guarded instruction does not end the
 * life of what it writes. Returns it, or NULL when memory runs out. */
const msw_simt_liveness *msw_simt_liveness_of(const msw_simt_kernel *kernel, msw_arena *arena);

/* The dependence graph: for use u of instruction i (in the order of insn.uses) the instructions
 * whose value may arrive there are producers[first[use_base[i] + u] ... first[use_base[i] + u +
 * 1]). A register that no instruction wrote before has no producers. */
typedef struct msw_simt_dependences {
    const uint32_t *use_base; /* [instruction] */
    const uint32_t *first;    /* [use], one more at the end */
    const uint32_t *producers;
    uint32_t use_count;
} msw_simt_dependences;

/* Computes the graph. Returns it, or NULL with `err`. */
const msw_simt_dependences *msw_simt_dependences_of(const msw_simt_kernel *kernel, msw_arena *arena,
                                                    msw_err *err);

/* Marks what must run so that every access has its address and every branch and guard its
 * predicate: [instruction], 1 or 0. Loads whose values reach addresses or predicates are in it, and
 * with them the stores and atomics of spaces they may read. With `stores` [instruction] it is known
 * which stores and atomics of global memory somebody wants: those, and no others. Returns it, or
 * NULL with `err`. */
const uint8_t *msw_simt_slice_of(const msw_simt_kernel *kernel, const uint8_t *stores,
                                 msw_arena *arena, msw_err *err);

#endif
