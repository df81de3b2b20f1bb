/* system: tenants, each on an NPU of its own, over a shared cache and memory. */
#ifndef MSW_MECH_CAMDN_MACHINE_SYSTEM_H
#define MSW_MECH_CAMDN_MACHINE_SYSTEM_H

#include "mech/camdn/machine/walk.h"
#include "mech/camdn/model.h"

#include "memsweep/sim/cache.h"
#include "memsweep/sim/dram.h"

/* What a task took. Lines but for the cycles. */
typedef struct camdn_result {
    uint64_t cycles, compute;
    uint64_t requests, hits, reads, writes;
    bool done;
} camdn_result;

/* What the DMA is at. */
typedef enum camdn_phase { CAMDN_LOADS, CAMDN_STORES, CAMDN_STORES_LAST } camdn_phase;

typedef struct camdn_npu {
    uint64_t time;   /* when it goes on */
    uint64_t *slots; /* by group under way: when its last line is there */
    uint32_t slot;
    msw_dram_server port;
    /* the task */
    uint64_t number, started;
    const msw_graph_network *net;
    const camdn_table *table;
    camdn_memory memory;
    uint32_t op;
    camdn_result now;
    /* the operator */
    camdn_walk walk;
    camdn_phase phase;
    camdn_run run, store, store_next;
    uint64_t row, line, lines; /* of the run: row; next line and lines left of it */
    uint32_t part;
    uint64_t arrived;                   /* the last line of this phase */
    uint64_t computed, computed_before; /* end of computing of this tile, of the one before */
    uint64_t stored;                    /* the last line of all stores */
} camdn_npu;

typedef struct camdn_system {
    const camdn_config *config;
    const camdn_tables *tables;
    camdn_draws draws;
    camdn_array array;
    msw_cache cache;
    msw_dram_server *slices, *channels;
    camdn_npu *npus;
    uint32_t *heap; /* NPUs by time */
    uint32_t count; /* NPUs */
    uint32_t groups;
    unsigned line_shift;
    uint64_t *bases;       /* by tenant and network: where activations lie; then weights */
    camdn_result *results; /* by number of the task, then by tenant */
    uint64_t events;
} camdn_system;

/* Bytes of all parts; the pointers of `system` are set where `memory` is given. */
size_t camdn_system_layout(const msw_task *task, camdn_system *system, void *memory);

/* Starts all tenants. Returns 0, or -1. */
int camdn_system_start(const msw_task *task, camdn_system *system, msw_err *err);

/* Runs until a tenant has finished its n-th counted task. Returns what it took. */
const camdn_result *camdn_system_run(camdn_system *system, uint32_t tenant, uint64_t number);

/* Starts an NPU with its first task. */
void camdn_npu_start(camdn_system *system, uint32_t tenant);

/* Goes on with an NPU until time goes on. */
void camdn_npu_go(camdn_system *system, uint32_t tenant);

/* Asks for the lines of the present phase, as many as leave together. Returns how many. */
uint32_t camdn_npu_issue(camdn_system *system, uint32_t tenant);

#endif
