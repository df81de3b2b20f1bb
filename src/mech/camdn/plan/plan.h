/* SPDX-License-Identifier: MIT */
/* Private to camdn: plans, what operators and blocks of a network may do with pages: the mapping
 * candidates that CaMDN's compiler writes down, for a cache, a page size and a number of tenants.
 * Equations: README.md, "Pages" and "Blocks". */
#ifndef MSW_MECH_CAMDN_PLAN_PLAN_H
#define MSW_MECH_CAMDN_PLAN_PLAN_H

#include "mech/camdn/mapper/mapper.h"
#include "mech/camdn/model.h"

enum { CAMDN_HELD_TENSORS = 30 }; /* that lie in the cache at one time */

/* A way to run an operator, with its lines and pages. Tensors that the block holds are not its. */
typedef struct camdn_level {
    camdn_step step;
    double dram_bytes; /* of the step, less reads of held tensors beside others */
    uint32_t pages, lines[CAMDN_OPERANDS];
} camdn_level;

/* The candidates of an operator. */
typedef struct camdn_op_levels {
    const camdn_level *levels; /* rising pages, falling traffic; the first has none */
    uint32_t count;
    uint32_t like; /* the first operator that has the same staircase, and so the same levels */
} camdn_op_levels;

typedef struct camdn_op_plan {
    const camdn_level *levels;
    uint32_t count, block;
    camdn_level inside; /* as part of its block */
} camdn_op_plan;

/* Operators [first, end). One of a single operator holds nothing: it is never offered. */
typedef struct camdn_block_plan {
    uint32_t first, end, pages;
} camdn_block_plan;

typedef struct camdn_plan {
    uint32_t op_count, block_count;
    const camdn_op_plan *ops;
    const camdn_block_plan *blocks;
} camdn_plan;

/* Bytes that a task of a network moves to and from memory at least or at most. */
typedef struct camdn_limits {
    double uncached;    /* every request of the tiles */
    double layerwise;   /* every operator its own data once */
    double fused;       /* nothing that passes between operators */
    double fused_pages; /* the best blocks, with all pages */
    double fixed;       /* the best that tenants with fixed numbers of pages do, on average */
} camdn_limits;

/* Artifact: the candidates of each network's operators, for a cache and its pages. Nothing else of
 * the plans takes long to find, and tenants and blocks do not change it. */
typedef struct camdn_levels {
    const camdn_op_levels *of[MSW_GRAPH_NETWORKS_MAX];
    double fused_pages[MSW_GRAPH_NETWORKS_MAX];
} camdn_levels;

/* Artifact: the plan of each network, and what it may reach. */
typedef struct camdn_plans {
    uint32_t pages, share, page_lines; /* pages of all NPUs, of one */
    camdn_plan of[MSW_GRAPH_NETWORKS_MAX];
    camdn_limits limits[MSW_GRAPH_NETWORKS_MAX];
    double used_once, beyond_1mib, beyond_2mib; /* means over the networks, each alike */
} camdn_plans;

/* Expectations, which depend on bandwidth and latencies as well and are made for every point:
 * cycles that are expected of operators outside of their block, and of blocks. */
typedef struct camdn_expected {
    const double *ops[MSW_GRAPH_NETWORKS_MAX], *blocks[MSW_GRAPH_NETWORKS_MAX];
    /* by operator, CAMDN_LEVELS_MAX each: the last candidate up to this one that is expected to
     * take no longer than those before; by block: whether it is no slower than its operators */
    const uint8_t *worth[MSW_GRAPH_NETWORKS_MAX];
    const bool *block_worth[MSW_GRAPH_NETWORKS_MAX];
} camdn_expected;

/* Returns what is expected with the plans of a task, in its arena, or NULL: no memory. */
const camdn_expected *camdn_expect(const msw_task *task);

/* Adds the limits of a task of a network to its totals, but for the clairvoyant. */
void camdn_limits_add(const camdn_plans *plans, uint32_t network, double *totals);

/* Bytes of so many tasks of each network that took so many cycles side by side, if pages went where
 * they are worth most; NaN: no memory. */
double camdn_clairvoyant(const msw_task *task, const double *tasks, double cycles);

/* The inputs of a plan. */
typedef struct camdn_planner {
    const msw_task *task;
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_shape *shape;
    const camdn_config *config;
    uint32_t *step_pages; /* by step; UINT32_MAX: not yet counted */
    uint32_t pages, share, page_lines;
    msw_arena *arena, *scratch;
} camdn_planner;

/* Returns the planner of a task without a network, and turns it to one. Returns 0, or -1: no
 * memory. */
camdn_planner camdn_planner_of(const msw_task *task, msw_arena *arena, msw_arena *scratch);
int camdn_planner_turn(camdn_planner *planner, uint32_t network);

extern const char *const camdn_levels_depends[], *const camdn_plans_depends[];
int camdn_build_levels(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);
int camdn_build_plans(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

/* Pages of bytes that start with a page. */
uint32_t camdn_pages_of(const camdn_planner *planner, uint64_t bytes);

/* The largest step of an operator, with these operands held, within so many pages. */
camdn_level camdn_level_within(const camdn_planner *planner, uint32_t op, unsigned held,
                               uint32_t pages);

/* The candidates of an operator. Returns 0, or -1: no memory. */
int camdn_levels_choose(const camdn_planner *planner, uint32_t op, camdn_op_levels *levels);

/* Cuts a network into blocks and fills `inside`. Returns 0, or -1: no memory. */
int camdn_cut(const camdn_planner *planner, camdn_op_plan *ops, camdn_plan *plan);

/* The least traffic of a network that has all pages. Returns 0, or -1: no memory. */
int camdn_least_traffic(const camdn_planner *planner, double *bytes);

/* Cycles that an operator is expected to take. */
double camdn_estimate(const camdn_config *config, const camdn_layer *layer,
                      const camdn_level *level);

/* The last candidate of an operator with at most so many pages; of those that are worth them. */
uint32_t camdn_candidate(const camdn_op_plan *op, int64_t pages);
uint32_t camdn_choice(const camdn_expected *expected, uint32_t network, const camdn_plan *plan,
                      uint32_t op, int64_t pages);

#endif
