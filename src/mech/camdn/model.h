/* SPDX-License-Identifier: MIT */
/* Private to camdn: what closed form and machine share, and the functions of the record. */
#ifndef MSW_MECH_CAMDN_MODEL_H
#define MSW_MECH_CAMDN_MODEL_H

#include "mech/camdn/config.h"
#include "mech/camdn/mapper/mapper.h"
#include "mech/camdn/mapper/shape.h"

#include "memsweep/sim/dram.h"

/* In the order of the record. */
enum { CAMDN_ARTIFACT_TABLES, CAMDN_ARTIFACT_LEVELS, CAMDN_ARTIFACT_PLANS, CAMDN_ARTIFACTS };

/* Artifact: the table of each network of the mix, and its shape. */
typedef struct camdn_tables {
    uint32_t count;
    const camdn_table *of[MSW_GRAPH_NETWORKS_MAX];
    camdn_shape shapes[MSW_GRAPH_NETWORKS_MAX];
} camdn_tables;

extern const char *const camdn_tables_depends[];
int camdn_build_tables(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);

/* Its parts: the table of one network, shared by all mixes with a network of its shape. */
size_t camdn_table_count(const msw_task *task);
msw_digest camdn_table_key(const msw_task *task, size_t part);
int camdn_build_table(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int camdn_flatten_table(const void *root, msw_text *bytes, msw_err *err);
int camdn_unflatten_table(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                          const void **root, msw_err *err);

enum {
    CAMDN_DETAIL_NETWORKS,
    CAMDN_DETAIL_LAYERS,
    CAMDN_DETAIL_SPANS,
    CAMDN_DETAIL_TASKS,
    CAMDN_DETAIL_BATCHES,
    CAMDN_DETAIL_SERVED,
    CAMDN_DETAIL_SERVICE,
    CAMDN_DETAIL_BANKS
};

/* The NPU of a config. */
camdn_array camdn_array_of(const camdn_config *config, int64_t element_bytes);

/* Which networks run: draws depend on seed, tenant and number alone. */
typedef struct camdn_draws {
    const msw_graph_product *mix;
    uint64_t stream;
    int64_t draw;
    double weights; /* of all networks together */
    double drawn;   /* of those that are drawn */
    uint32_t count; /* networks that are drawn: the last one may have tenants of its own, */
    uint32_t own;   /* from this one on */
} camdn_draws;

camdn_draws camdn_draws_of(const msw_task *task);

/* Returns the network of a tenant's n-th task. */
uint32_t camdn_draw(const camdn_draws *draws, uint32_t tenant, uint64_t number);

/* A task that comes at a time of its own. */
typedef struct camdn_job {
    uint64_t time, target; /* target: cycles; 0: none */
    uint32_t network;
    double priority, expected; /* cycles expected alone, as MoCA predicts them; of a gang */
    bool taken;
} camdn_job;

/* All of them, in the order of time. */
typedef struct camdn_jobs {
    camdn_job *list;
    uint64_t count, first; /* none before `first` waits */
    bool scored, urgent;
} camdn_jobs;

/* How many tasks come; which of them are counted; how many are counted in any case. */
uint64_t camdn_job_count(const msw_task *task);
uint64_t camdn_first_counted(const msw_task *task);
uint64_t camdn_counted(const msw_task *task);

/* Fills `list`, which has room for camdn_job_count. Returns 0, or -1. */
int camdn_jobs_fill(const msw_task *task, camdn_job *list, camdn_jobs *jobs, msw_err *err);

/* Takes the task that is next at a time. Returns its number, or UINT64_MAX where none waits. */
uint64_t camdn_jobs_take(camdn_jobs *jobs, uint64_t now);

/* When the first task comes that nobody has taken: UINT64_MAX: never. */
uint64_t camdn_jobs_time(const camdn_jobs *jobs);

/* Cycles of a target of so many ms; 0: none. */
uint64_t camdn_target_cycles(const camdn_config *config, double target_ms);

/* Cycles of an operator as MoCA predicts them, where it moves so many bytes to and from memory;
 * bytes that it moves without pages. */
double camdn_predicted(const camdn_config *config, const camdn_table *table, uint32_t op,
                       double memory);
double camdn_moca_bytes(const camdn_config *config, const msw_graph_network *net, uint32_t op);

/* The memory with banks, in cycles of NPUs. Bursts that follow one another lie in all channels in
 * turn; `map` has room for the map that says so. */
enum { CAMDN_MAP_BYTES = 96 };
msw_dram_config camdn_banks_of(const camdn_config *config, char *map);

/* Bits of the banks that an address has just below its row, and where they begin: so many colours
 * there may be. */
unsigned camdn_colour_bits(const msw_dram_map *map, unsigned *shift);

/* Bytes of all channels per cycle; cycles there and back. */
double camdn_memory_rate(const camdn_config *config);
double camdn_memory_cycles(const camdn_config *config);

/* The mesh between NPUs and slices: its nodes, of which NPU n is at number n; where a slice lies;
 * the way from a node towards another one, and the node that it leads to. */
enum { CAMDN_WAYS = 4 };
size_t camdn_mesh_nodes(const camdn_config *config);
uint32_t camdn_mesh_slice(const camdn_config *config, uint32_t slice);
uint32_t camdn_mesh_way(const camdn_config *config, uint32_t at, uint32_t to);
uint32_t camdn_mesh_next(const camdn_config *config, uint32_t at, uint32_t way);

/* Lines that NPUs read from all slices alike: how far they come, and how many of them, for one of
 * each NPU, the busiest link carries. Without a mesh none. */
typedef struct camdn_mesh_load {
    double hops, most;
} camdn_mesh_load;
camdn_mesh_load camdn_mesh_load_of(const camdn_config *config);

/* Tenants that run at one time. */
int64_t camdn_running(const camdn_config *config);

/* Ways of a cache with tags that NPUs fill. */
int64_t camdn_tagged_ways(const camdn_config *config);

/* See msw_mech.mapping: staircases and levels of all operators. */
int camdn_mapping(const msw_task *task, msw_text *out, msw_err *err);

int camdn_check(const void *config, msw_err *err);
int camdn_analytic(const msw_task *task, double *metrics, msw_err *err);
int camdn_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
uint64_t camdn_once(const msw_task *task, size_t stratum);
size_t camdn_state_bytes(const msw_task *task);
int camdn_begin(const msw_task *task, void *state, msw_err *err);
int camdn_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int camdn_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err);
int camdn_finish(const msw_task *task, void *state, msw_err *err);
void camdn_derive(const msw_task *task, double *metrics);
double camdn_sram_bits(const void *config);
void camdn_bounds(const msw_task *task, double *metrics);
double camdn_cost(const msw_task *task);

#endif
