/* SPDX-License-Identifier: MIT */
/* Private to neummu: the order of loads, computing and stores around one tile. */
#ifndef MSW_MECH_NEUMMU_MACHINE_TIMELINE_H
#define MSW_MECH_NEUMMU_MACHINE_TIMELINE_H

#include "mech/neummu/machine/machine.h"

/* How far the execution has come: the tile before has all its operands. */
typedef struct neummu_timeline {
    uint64_t start, end;   /* of its computing */
    uint64_t ready;        /* the end of computing of the step whose store waits behind it */
    uint32_t last, behind; /* steps; their stores have not been issued */
} neummu_timeline;

/* Ticks by cause from the start of computing of the tile before to that of this one. */
typedef struct neummu_period {
    uint64_t compute, write_back, store_translation, memory, translation;
} neummu_period;

/* Executes a step. Returns where its time went. */
neummu_period neummu_execute_step(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step);

/* Executes a step of which only `tile` is left to load. Returns where its time went. */
neummu_period neummu_execute_tile(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step, const neummu_tile *tile);

/* Computes and stores what is left after the last step. Returns where the time went. */
neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line);

#endif
