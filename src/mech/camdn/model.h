/* SPDX-License-Identifier: MIT */
/* Private to camdn: the parts that closed form and machine share, and the functions of the record.
 */
#ifndef MSW_MECH_CAMDN_MODEL_H
#define MSW_MECH_CAMDN_MODEL_H

#include "mech/camdn/config.h"
#include "mech/camdn/mapper/mapper.h"
#include "mech/shared/rows.h"

#include "memsweep/sim/dram.h"

/* In the order of the record. */
enum {
    CAMDN_ARTIFACT_TABLES,
    CAMDN_ARTIFACT_LEVELS,
    CAMDN_ARTIFACT_PLANS,
    CAMDN_ARTIFACT_VISITS,
    CAMDN_ARTIFACTS
};

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
    CAMDN_DETAIL_BANKS,
    CAMDN_DETAIL_TRANSLATED
};

/* The NPU of a config. */
camdn_array camdn_array_of(const camdn_config *config, int64_t element_bytes);

/* The networks that run: draws depend on seed, tenant and number alone. */
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

/* Tasks that come; the first that is counted; tasks that are counted in any case. Return them. */
uint64_t camdn_job_count(const msw_task *task);
uint64_t camdn_first_counted(const msw_task *task);
uint64_t camdn_counted(const msw_task *task);

/* Fills `list`, which has room for camdn_job_count. Returns 0, or -1. */
int camdn_jobs_fill(const msw_task *task, camdn_job *list, camdn_jobs *jobs, msw_err *err);

/* Takes the task that is next at a time. Returns its number, or UINT64_MAX where none waits. */
uint64_t camdn_jobs_take(camdn_jobs *jobs, uint64_t now);

/* When the first task comes that no NPU has taken; UINT64_MAX: never. */
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

/* Channels of the memory. */
msw_memory_size camdn_memory_size(const camdn_config *config);
int64_t camdn_channels(const camdn_config *config);

/* Bytes of all channels per cycle; cycles there and back. */
double camdn_memory_rate(const camdn_config *config);
double camdn_memory_cycles(const camdn_config *config);

/* Cycles that a read takes at least behind its slice: with banks, those of an open row, or none
 * where the queue of writes answers. */
double camdn_nearest(const camdn_config *config);

/* Groups of lines that an NPU has under way at most. */
int64_t camdn_groups(const camdn_config *config);

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

/* The stage that translates: of all that use it (../translation.c). `banks`: first TLBs. */
struct msw_translate_config;
void camdn_stage_of(const camdn_config *config, struct msw_translate_config *stage);
int camdn_check_translation(const camdn_config *config, msw_err *err);

/* Whether a config can run the tile lists of a mix. Returns 0, or -1. */
int camdn_check_lists(const msw_task *task, msw_err *err);

/* 1 where walks are one more requester of the cache. */
static inline uint32_t camdn_walks_cached(const camdn_config *c)
{
    return c->translation.kind > CAMDN_TRANSLATE_IDEAL &&
           c->translation.memory == CAMDN_WALKS_CACHE;
}

/* Ways of a cache with tags that NPUs fill. */
int64_t camdn_tagged_ways(const camdn_config *config);

/* ---- gangs: NPUs that run the operators of one task together (gang.c) ---- */

enum { CAMDN_GANG_MOST = 4, CAMDN_GANG_SIZES = 3 }; /* 1, 2, 4 */

/* The operand that all NPUs of a gang load. */
typedef enum camdn_common { CAMDN_COMMON_NONE, CAMDN_COMMON_W, CAMDN_COMMON_A } camdn_common;

typedef struct camdn_gang {
    uint32_t width, slots; /* NPUs; groups of lines that they have under way at most */
    camdn_common common;   /* of the present operator */
} camdn_gang;

/* The split of an operator: its step and its array as one NPU of so many buffers would have them,
 * and the cycles of the NPU that has most to do. */
typedef struct camdn_split {
    camdn_step step;
    camdn_array array;
    uint64_t cycles;
    camdn_common common;
} camdn_split;

/* Bytes that a tile's step requests, operand by operand. */
double camdn_requested(const camdn_product *product, const camdn_step *step,
                       double bytes[CAMDN_OPERANDS]);

/* Splits an operator that runs in one of its ways among so many NPUs. */
camdn_split camdn_split_of(const msw_graph_network *net, uint32_t op, const camdn_step *step,
                           const camdn_array *array, uint64_t compute, uint32_t width);

/* NPUs that a task may have at most. */
uint32_t camdn_gang_most(const camdn_config *config);

/* The work that a network has left, in cycles as MoCA predicts them: by operator from which on (one
 * more than there are), for 1, 2 and 4 NPUs. `left` has room for all. */
void camdn_left_fill(const camdn_config *config, const camdn_table *table,
                     const msw_graph_network *net, const camdn_array *array,
                     double (*left)[CAMDN_GANG_SIZES]);

/* Cycles of a task with the most NPUs that it may have. */
double camdn_fastest(const camdn_config *config, const camdn_table *table,
                     const msw_graph_network *net, const camdn_array *array);

/* Tasks that run at one time at most. */
int64_t camdn_tasks_most(const camdn_config *config);

/* The number of a width among the sizes. */
static inline uint32_t camdn_size_of(uint32_t width)
{
    return width >= 4 ? 2 : width >= 2 ? 1 : 0;
}

/* A task of which a policy decides. */
typedef struct camdn_claim {
    double slack; /* cycles until it is to be done; a large number: it has no target */
    const double *left;
    uint32_t width;
    bool keeps; /* the rules for hopeless tasks do not hold */
} camdn_claim;

/* NPUs that AuRORA gives a task that starts, whatever is idle; `alone`: no other runs. */
uint32_t camdn_aurora_size(const camdn_claim *claim, bool alone);

/* 100 slack / left; 0: it cannot be in time with the most NPUs. */
double camdn_aurora_score(const camdn_claim *claim);

/* NPUs that AuRORA leaves or gives a task at the end of an operator, beside the claims of others
 * that run. */
uint32_t camdn_aurora_change(const camdn_claim *claim, const camdn_claim *others, uint32_t count,
                             uint32_t idle);

/* NPUs of each of so many tasks where all have as many as one another, as far as they are a power
 * of two. */
uint32_t camdn_equal_size(uint32_t npus, uint32_t tasks, uint32_t most);

/* ---- service and energy ---- */

/* Cycles that each network of the mix takes on one NPU that has cache and memory for itself, by the
 * closed form: the same for all policies. */
void camdn_alone(const msw_task *task, double *cycles);

/* Tasks of a network. */
typedef struct camdn_served {
    double tasks, targeted, in_time, cycles, p99;
    double alone; /* cycles of one NPU without others */
} camdn_served;

/* All networks together. */
typedef struct camdn_service {
    double sla, sla_geomean; /* of tasks; of networks: NaN where none has a target */
    double stp, fairness;    /* NaN: no task */
    double networks, targeted, in_time;
    double unmet; /* networks with targets none of which was met */
} camdn_service;

camdn_service camdn_service_of(const camdn_served *networks, uint32_t count);

/* A counted task: cycles from its arrival on; 0: it has no target. */
typedef struct camdn_ended {
    uint32_t network;
    double cycles, target;
} camdn_ended;

/* Detail rows of networks and of all, of these tasks. Returns 0, or -1. */
int camdn_service_tell(const msw_task *task, const camdn_ended *ended, uint64_t count,
                       msw_err *err);

/* Multiplications of a task; sets the energies of totals that hold requests, reads and traffic. */
double camdn_macs(const msw_graph_network *net);
void camdn_energy_fill(const camdn_config *config, uint32_t element_bytes, double macs,
                       double *totals);

/* Fills in the energy of the whole chip, from the other metrics. */
void camdn_energy_chip(const camdn_config *config, double *metrics);

/* ---- functions of the record ---- */

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

#endif
