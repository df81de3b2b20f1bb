/* SPDX-License-Identifier: MIT */
/* Private to camdn: how an NPU may cut the operators of a network into tiles, and what each way
 * moves with so many bytes of shared cache in its own hands. Equations: README.md, "Mapper".
 *
 * A table holds plain numbers and positions, no pointers: it can be stored as bytes. It depends on
 * a network's shape and on camdn_array alone. A shape, made once beside it, is what closed form and
 * plans need of a network for every point: its products, what operands hold in each step, how far
 * apart the uses of a tensor lie. */
#ifndef MSW_MECH_CAMDN_MAPPER_MAPPER_H
#define MSW_MECH_CAMDN_MAPPER_MAPPER_H

#include "memsweep/base/bits.h"
#include "memsweep/workload/graph.h"
#include "memsweep/workload/npu.h"

typedef enum camdn_depthwise {
    CAMDN_DEPTHWISE_ONE,    /* one channel per fold of the array */
    CAMDN_DEPTHWISE_PACKED, /* as many as their kernels fit below each other */
    CAMDN_DEPTHWISE_VECTOR, /* a column each, one product per cycle */
} camdn_depthwise;

/* All of an NPU that a table depends on. */
typedef struct camdn_array {
    int64_t rows, cols, dataflow; /* dataflow: as npu_dataflow */
    int64_t arrays;               /* of an NPU, which share scratchpad and accumulators */
    int64_t scratchpad, accumulator;
    int64_t element_bytes, sum_bytes; /* of an operand; of a partial sum */
    int64_t single;                   /* one buffer: a tile may fill all, nothing overlaps */
    int64_t depthwise;                /* camdn_depthwise */
    int64_t lanes;                    /* vector operations per cycle */
    int64_t tiling;                   /* camdn_tiling: of an NPU that knows of no cache */
} camdn_array;

typedef enum camdn_tiling {
    CAMDN_TILING_BEST,    /* the least traffic without a cache */
    CAMDN_TILING_GEMMINI, /* the rule of Gemmini's library */
    CAMDN_TILING_ODD,     /* as best, of any size that costs the array no cycle */
} camdn_tiling;

enum { CAMDN_A, CAMDN_W, CAMDN_C, CAMDN_OPERANDS }; /* activations, weights, output */

/* The part of an operand that stays in the cache. */
typedef enum camdn_stay {
    CAMDN_STAY_NONE,
    CAMDN_STAY_PART,  /* what is used again before the loops outside of its reuse go on */
    CAMDN_STAY_WHOLE, /* all, over all serial steps */
    CAMDN_STAYS
} camdn_stay;

/* Operands that lie in the cache before and after the operator, bit by operand: their bytes and
 * their room are not this operator's. */
enum { CAMDN_HELD_A = 1, CAMDN_HELD_W = 2, CAMDN_HELD_C = 4, CAMDN_HELD = 8 };

/* Behind those: the one step of Gemmini's rule, where tiling is gemmini. */
enum { CAMDN_PLAIN = CAMDN_HELD, CAMDN_STAIRS };

/* One way to run an operator. */
typedef struct camdn_step {
    uint64_t cache_bytes;           /* of cache that it holds */
    uint64_t dram_bytes, npu_bytes; /* that memory moves; that the NPU reads and writes */
    uint32_t m, n, k;               /* of a tile */
    uint8_t order;                  /* of the loops: camdn_orders */
    uint8_t stay[CAMDN_OPERANDS];   /* camdn_stay */
} camdn_step;

/* Steps of rising cache_bytes and falling dram_bytes; the first holds no cache. */
typedef struct camdn_stairs {
    uint32_t first, count;
} camdn_stairs;

typedef struct camdn_layer {
    uint64_t cycles;                   /* of the array, or of the vector unit */
    camdn_stairs stairs[CAMDN_STAIRS]; /* by bits of operands held; count 0: makes no sense */
} camdn_layer;

typedef struct camdn_table {
    uint32_t op_count, step_count;
    uint64_t points; /* ways that were tried */
} camdn_table;       /* followed by camdn_layer[op_count], then by camdn_step[step_count] */

/* Loops from the outermost to the innermost: 0 M, 1 N, 2 K. */
extern const uint8_t camdn_orders[6][3];

/* An operator as the mapper sees it; `instances` such products one after the other. */
typedef struct camdn_product {
    double bytes[CAMDN_OPERANDS]; /* of one instance */
    double sums_share;            /* bytes of a partial sum over those of an operand */
    uint64_t size[3], block[3];   /* M, N, K; of the array's blocks */
    uint64_t instances, steps;    /* steps: instances that use the same weights */
    uint64_t in_rows, in_cols, out_rows, kernel_rows, kernel_cols, stride_rows, stride_cols;
    uint64_t out_cols; /* 0: no image */
} camdn_product;

/* Returns an operator of products as the mapper sees it. */
camdn_product camdn_product_of(const msw_graph_network *net, uint32_t op, const camdn_array *array);

/* Returns whether an operator has tiles to choose. */
bool camdn_has_tiles(const msw_graph_op *op);

/* Returns the cycles that an operator computes. */
uint64_t camdn_cycles_of(const msw_graph_op *op, const camdn_array *array);

/* Tile, order of the loops and what stays. */
typedef struct camdn_way {
    uint64_t tile[3]; /* M, N, K */
    uint8_t order, stay[CAMDN_OPERANDS];
} camdn_way;

/* Returns whether a tile fits into the scratchpad and the accumulators. */
bool camdn_fits(const camdn_product *product, const camdn_array *array, const uint64_t *tile);

/* Bytes of an operand that one way moves and holds. */
typedef struct camdn_use {
    double npu, dram, cache;
} camdn_use;

/* Returns what an operand takes, for all instances. */
camdn_use camdn_use_of(const camdn_product *product, const camdn_way *way, int operand);

/* Tile sizes along a dimension, in elements: the smallest of each number of tiles. `sizes` NULL
 * counts. Returns how many. */
size_t camdn_tile_sizes(uint64_t size, uint64_t block, uint64_t *sizes);

/* The same of any number of elements with which the array takes no longer than with all at once: a
 * dimension that streams through it in tiles of a block at least, another one in as many blocks. */
size_t camdn_odd_sizes(uint64_t size, uint64_t block, bool streams, uint64_t *sizes);

/* Steps under construction. */
typedef struct camdn_stair_list {
    camdn_step *steps;
    size_t count, room;
    msw_arena *arena;
    bool failed; /* no memory */
} camdn_stair_list;

/* Puts a way in if no other one moves as little with as little cache; takes out those that are now
 * no better. */
void camdn_stairs_add(camdn_stair_list *list, const camdn_step *step);

/* All ways of a product; lists[held] takes those with these operands held, for the sets of operands
 * that are bits of `helds`. Returns 0, or -1: no memory; `points` is how many there were. */
int camdn_enumerate(const camdn_product *product, const camdn_array *array, unsigned helds,
                    camdn_stair_list *lists, msw_arena *scratch, uint64_t *points);

/* The step of Gemmini's rule. Returns false where not even a block of the array fits. */
bool camdn_gemmini(const camdn_product *product, const camdn_array *array, camdn_step *step);

/* Makes the table of a network; `arena` keeps it, `scratch` is for the moment. Returns it, or NULL:
 * an operator has no tile that fits, or no memory. */
const camdn_table *camdn_map(const msw_graph_network *net, const camdn_array *array,
                             msw_arena *arena, msw_arena *scratch, msw_err *err);

/* Bytes of a table. */
size_t camdn_table_bytes(const camdn_table *table);

/* The layers and the steps of a table. */
const camdn_layer *camdn_layers(const camdn_table *table);
const camdn_step *camdn_steps(const camdn_table *table);

/* The step of an NPU that knows of no cache. */
const camdn_step *camdn_plain_step(const camdn_table *table, uint32_t op);

/* The last step of an operator that holds at most so many bytes, or NULL: none does. */
const camdn_step *camdn_step_within(const camdn_table *table, uint32_t op, unsigned held,
                                    uint64_t cache_bytes);

/* The step of an NPU that knows of no cache. */
typedef struct camdn_plain {
    double npu[CAMDN_OPERANDS]; /* bytes requested, of products */
    double inside[3];           /* bytes moved in one turn of the loop over M, N, K */
} camdn_plain;

/* Bytes that are touched between two uses of a tensor's lines: of the nearest and of the farthest.
 */
typedef struct camdn_distance {
    double least, most;
} camdn_distance;

/* What fills the cache with tags: all lines, or all but those that are asked for once. */
typedef struct camdn_filled {
    const camdn_distance *distances; /* by read; INFINITY: not used before in this task */
    double touched;                  /* bytes of all operators together, of each once */
    double footprint, weights;       /* bytes of the network, each once; of them weights */
} camdn_filled;

typedef struct camdn_shape {
    const camdn_product *products;           /* by operator; of those with tiles */
    const camdn_plain *plain;                /* the same */
    const double *staying;                   /* by step and operand: bytes of the cache that stay */
    camdn_filled filled[2];                  /* by whether lines bypass */
    double uncached, layerwise, fused;       /* of the limits, those that know of no pages */
    double unused, beyond_1mib, beyond_2mib; /* shares of intermediate data */
} camdn_shape;

/* Makes the shape of a network with its table. Returns 0, or -1 where memory is short. */
int camdn_shape_of(const msw_graph_network *net, const camdn_table *table, const camdn_array *array,
                   msw_arena *arena, camdn_shape *shape);

#endif
