/* plan: what operators and blocks of a network may do with pages: the mapping candidates that
 * CaMDN's compiler writes down, for a cache, a page size and a number of tenants. Equations:
 * ../README.md, "Pages". */
#ifndef MSW_MECH_CAMDN_PLAN_PLAN_H
#define MSW_MECH_CAMDN_PLAN_PLAN_H

#include "mech/camdn/model.h"

enum { CAMDN_HELD_TENSORS = 30 }; /* that lie in the cache at one time */

/* A way to run an operator, with its lines and pages. Tensors that the block holds are not its. */
typedef struct camdn_level {
    camdn_step step;
    double dram_bytes; /* of the step, less reads of held tensors beside others */
    uint32_t pages, lines[CAMDN_OPERANDS];
} camdn_level;

typedef struct camdn_op_plan {
    camdn_level levels[CAMDN_LEVELS_MAX]; /* rising pages, falling traffic; the first has none */
    uint32_t count, block;
    camdn_level inside; /* as part of its block */
    double estimate;    /* cycles that are expected outside of the block */
} camdn_op_plan;

/* Operators [first, end). One of a single operator holds nothing: it is never offered. */
typedef struct camdn_block_plan {
    uint32_t first, end, pages;
    double estimate;
} camdn_block_plan;

typedef struct camdn_plan {
    uint32_t op_count, block_count;
    const camdn_op_plan *ops;
    const camdn_block_plan *blocks;
} camdn_plan;

/* What a task of a network moves to and from memory at least or at most, in bytes. */
typedef struct camdn_limits {
    double uncached;    /* every request of the tiles */
    double layerwise;   /* every operator its own data once */
    double fused;       /* nothing that passes between operators */
    double fused_pages; /* the best blocks, with all pages */
    double fixed;       /* the best that tenants with fixed numbers of pages do, on average */
    double clairvoyant; /* the best that pages do that are taken as they are worth most */
} camdn_limits;

/* Artifact: the plan of each network, and what it may reach. */
typedef struct camdn_plans {
    uint32_t pages, share, page_lines; /* pages of all NPUs, of one */
    camdn_plan of[MSW_GRAPH_NETWORKS_MAX];
    camdn_limits limits[MSW_GRAPH_NETWORKS_MAX];
    double used_once, beyond_1mib, beyond_2mib; /* means over the networks, each alike */
} camdn_plans;

/* Adds the limits of a task to its totals. */
void camdn_limits_add(const camdn_limits *limits, double *totals);

/* What a plan is made from. */
typedef struct camdn_planner {
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_config *config;
    camdn_array array;
    uint32_t pages, share, page_lines;
    msw_arena *arena, *scratch;
} camdn_planner;

extern const char *const camdn_plans_depends[];
int camdn_build_plans(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

/* Pages of bytes that start with a page. */
uint32_t camdn_pages_of(const camdn_planner *planner, uint64_t bytes);

/* The largest step of an operator, with these operands held, within so many pages. */
camdn_level camdn_level_within(const camdn_planner *planner, uint32_t op, unsigned held,
                               uint32_t pages);

/* The candidates of an operator. Returns 0, or -1: no memory. */
int camdn_levels_choose(const camdn_planner *planner, uint32_t op, camdn_op_plan *plan);

/* Cuts a network into blocks and fills `inside`. Returns 0, or -1: no memory. */
int camdn_cut(const camdn_planner *planner, camdn_op_plan *ops, camdn_plan *plan);

/* The least traffic of a network that has all pages. Returns 0, or -1: no memory. */
int camdn_least_traffic(const camdn_planner *planner, double *bytes);

/* Fills the limits of all networks. Returns 0, or -1: no memory. */
int camdn_limits_find(const msw_task *task, camdn_plans *plans, msw_arena *scratch);

/* Cycles that an operator is expected to take. */
double camdn_estimate(const camdn_planner *planner, uint32_t op, const camdn_level *level);

/* The last candidate of an operator with at most so many pages. */
uint32_t camdn_candidate(const camdn_op_plan *op, int64_t pages);

#endif
