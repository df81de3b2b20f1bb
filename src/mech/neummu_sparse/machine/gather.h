/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: one pass of the gathering device over a batch. */
#ifndef MSW_MECH_NEUMMU_SPARSE_MACHINE_GATHER_H
#define MSW_MECH_NEUMMU_SPARSE_MACHINE_GATHER_H

#include "mech/neummu_sparse/batch.h"

#include "memsweep/sim/event.h"
#include "memsweep/sim/link.h"

/* The gathering device: its MMU, its memory, the link that rows of other devices come over. */
typedef struct neummu_sparse_machine {
    const neummu_sparse_config *config;
    const neummu_sparse_stream *stream;
    neummu_config mmu_config;
    msw_mmu mmu;
    void *mmu_memory;
    msw_link near, far;
    msw_event_queue answers;  /* requests whose data can be asked for */
    msw_event_queue handlers; /* of faults, by when they are free */
    uint64_t *arrival;        /* by page: when it is here, if `serial` says so */
    uint32_t *serial;         /* by page: the pass in which it came */
    uint32_t pass;
    uint64_t now, events;
} neummu_sparse_machine;

/* What counts in a pass over a batch. */
typedef struct neummu_sparse_rules {
    bool translate, remote, handle, local_only;
} neummu_sparse_rules;

/* Empties the MMU and goes back to time 0. Returns 0, or -1. */
int neummu_sparse_reset(neummu_sparse_machine *machine, msw_err *err);

/* Gathers a batch, from now on where translations take time, else from 0. Returns 0, or -1, and in
 * `cycles` how long it takes. */
int neummu_sparse_gather(neummu_sparse_machine *machine, uint32_t batch,
                         const neummu_sparse_rules *rules, uint64_t *cycles, msw_err *err);

#endif
