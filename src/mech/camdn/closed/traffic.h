/* SPDX-License-Identifier: MIT */
/* Private to closed/: bytes and cycles of an operator of a network when tenants share a cache.
 * Equations: README.md, "Closed form". */
#ifndef MSW_MECH_CAMDN_CLOSED_TRAFFIC_H
#define MSW_MECH_CAMDN_CLOSED_TRAFFIC_H

#include "mech/camdn/closed/visits.h"
#include "mech/camdn/plan/plan.h"

#include "memsweep/sim/dram_analytic.h"

/* Bytes of one operator. */
typedef struct camdn_moved {
    double requests, hits, read, written, compute; /* compute: cycles */
    double last; /* share of the tiles whose last line comes from memory */
} camdn_moved;

/* A network among others. */
typedef struct camdn_closed {
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_config *config;
    double reach; /* bytes of its own that a tenant may move between two uses of a line that hits */
    double way;   /* the same for lines that others replace within one way (DRRIP) */
    double kept;  /* with DRRIP, the share of lines that stay whatever passes; 0: as LRU */
    bool found;   /* what the last task of the network left is there */
    double sharers;    /* tenants that run */
    double abreast;    /* of them those that run this network side by side, from the start on */
    double mean_since; /* bytes that one moves from one task of the network to the next */
    const camdn_plan *plan;   /* with pages, or NULL */
    const camdn_level *level; /* with pages, in which the operator runs */
    const camdn_shape *shape;
    const camdn_filled *filled; /* of the shape */
    camdn_mesh_load mesh;
    int64_t element_bytes;
    uint32_t width;                   /* NPUs that run a task together; 0: one */
    const camdn_visits_op *visits;    /* by operator, where addresses are translated; or NULL */
    camdn_reaches *reaches;           /* of the first TLB, and with the second */
    double changed;                   /* share of the tasks that follow one of another network */
    double accesses, foreign, turned; /* as of a camdn_toll */
} camdn_closed;

/* Returns what the closed form of a network of the mix starts from; reach, since, plan and pages
 * are the caller's. */
camdn_closed camdn_closed_of(const msw_task *task, const camdn_config *config, uint32_t network);

/* Returns what an operator moves. */
camdn_moved camdn_moved_by(const camdn_closed *closed, uint32_t op);

/* The time of an operator (cycles.c), but for what tenants take from each other. */
typedef struct camdn_op_time {
    double compute, traffic; /* traffic: bytes */
    double tiles, answer, wait, port, last;
    double far;      /* of the lines, those that come from memory */
    double wait_far; /* waits that a cycle more of each of them adds */
    double stores;   /* cycles of those behind all loads */
    double start;    /* cycles before the first load */
    bool single;
    camdn_moved moved;
    camdn_toll toll;
    const camdn_config *config;
} camdn_op_time;

camdn_op_time camdn_time_of(const camdn_closed *closed, uint32_t op, const camdn_moved *moved);

/* What a gang makes of an operator that one NPU would run so (gang.c). */
typedef struct camdn_ganged {
    camdn_step step;
    camdn_moved moved;
    double common; /* bytes that all of its NPUs load: each takes every port */
} camdn_ganged;
camdn_ganged camdn_ganged_of(const camdn_closed *closed, uint32_t op, const camdn_step *step,
                             const camdn_moved *moved);

/* Turns of the loop over M, N or K. */
double camdn_step_turns(const camdn_product *product, const camdn_step *step, int loop);

/* The tiles of a stream in the buffers of so many NPUs; what share of a read of the network lies in
 * the cache. */
typedef double (*camdn_near_fn)(const camdn_closed *closed, uint32_t op, uint32_t read);
double camdn_stream_tiles(const camdn_config *config, const camdn_step *step, uint32_t width);

/* Cycles that a line from memory takes longer than one from the cache. */
double camdn_far_cycles(const camdn_config *config);

/* What tenants leave each other of the memory. */
typedef struct camdn_pace {
    double rate;    /* bytes per cycle for each */
    double queue;   /* cycles that a line waits for others' lines */
    double walkers; /* 0: every translation is known */
} camdn_pace;

/* Returns its cycles at a pace. */
double camdn_cycles_with(const camdn_op_time *time, const camdn_pace *pace);

/* What the translations of an operator take; the cycles of one that takes any (toll.c). */
camdn_toll camdn_toll_of(const camdn_closed *closed, uint32_t op, const camdn_moved *moved,
                         double tiles);
double camdn_toll_cycles(const camdn_op_time *time, const camdn_pace *pace);

/* The memory: what of it does not change with the traffic. It has pointers into itself. */
typedef struct camdn_memory_form {
    const camdn_config *config;
    char map[CAMDN_MAP_BYTES];
    msw_dram_config dram;
    msw_dram_form form;
} camdn_memory_form;

typedef struct camdn_memory_rates {
    double rate;     /* bytes per cycle that it carries */
    double hit_rate; /* of rows; without banks 0 */
} camdn_memory_rates;

void camdn_memory_open(const camdn_config *config, camdn_memory_form *memory);

/* Returns what it carries where so many bytes are read and written. */
camdn_memory_rates camdn_memory_with(const camdn_memory_form *memory, double read, double written);

/* Detail rows of its channels, for so many bytes in all. Returns 0, or -1. */
int camdn_memory_tell(const msw_task *task, const camdn_memory_form *memory, double read,
                      double written, msw_err *err);

/* With pages: the level of an operator that is candidate `way`, or behind the last one that of its
 * block; the pages that it or its block holds then; whether the block does. */
const camdn_level *camdn_paged_level(const camdn_plan *plan, uint32_t op, uint32_t way);
uint32_t camdn_paged_held(const camdn_plan *plan, uint32_t op, uint32_t way);
bool camdn_paged_inside(const camdn_plan *plan, uint32_t op, uint32_t way);

#endif
