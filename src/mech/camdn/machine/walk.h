/* SPDX-License-Identifier: MIT */
/* walk: the tiles of an operator in order, with the runs of memory that each reads and writes. */
#ifndef MSW_MECH_CAMDN_MACHINE_WALK_H
#define MSW_MECH_CAMDN_MACHINE_WALK_H

#include "mech/camdn/mapper/mapper.h"

/* Where an instance of a network lies. */
typedef struct camdn_memory {
    uint64_t weights, activations; /* to be added to offsets of tensors */
    uint64_t sums;                 /* partial sums that leave the accumulators */
    uint64_t line;
} camdn_memory;

/* A tile: positions along M, N, K of one instance. */
typedef struct camdn_tile_at {
    uint64_t instance, at[3];
} camdn_tile_at;

/* An operator under way. */
typedef struct camdn_walk {
    const msw_graph_network *net;
    const msw_graph_op *op;
    camdn_product product;
    camdn_memory memory;
    uint64_t turns[3], tile[3], tiles, number; /* tiles: of all instances; number: of the present */
    uint64_t cycles;                           /* of all tiles */
    uint8_t order;
    bool streams; /* without tiles: everything once, piece by piece */
    camdn_tile_at now, before, next;
} camdn_walk;

/* Where a tensor, or a part of it, lies in the virtual pages of an NPU: line l in line
 * first + (l - base) mod lines. */
typedef struct camdn_view {
    const uint16_t *pages; /* virtual ones; NULL: it lies in memory alone */
    uint64_t base;
    uint32_t first, lines;
} camdn_view;

/* Lines [first, first + count), `rows` times, `stride` bytes apart, of one operand. */
typedef struct camdn_run {
    uint64_t address, bytes, stride, rows;
    bool once; /* nobody asks for it again soon: weights that are read once, results */
    /* with pages */
    camdn_view view;
    uint64_t old; /* of what is read, what lies there before: bytes, or rows where there are more */
} camdn_run;

/* Starts an operator in one of its ways; `buffer` bytes at a time where it has no tiles. */
void camdn_walk_start(camdn_walk *walk, const msw_graph_network *net, uint32_t op,
                      const camdn_step *step, const camdn_array *array, const camdn_memory *memory);

/* The runs that the present tile loads or stores, one after the other: `part` counts from 0.
 * Returns false when there are no more. A run may be empty. */
bool camdn_walk_load(const camdn_walk *walk, uint32_t part, camdn_run *run);
bool camdn_walk_store(const camdn_walk *walk, uint32_t part, camdn_run *run);

/* Positions [first, end) of output pixels, or of rows, that the present tile covers. */
void camdn_walk_span(const camdn_walk *walk, int dimension, uint64_t *first, uint64_t *end);

/* Input positions of output positions [first, end) along one side of an image. */
void camdn_walk_input(uint64_t in, uint64_t out, uint64_t kernel, uint64_t stride, uint64_t *first,
                      uint64_t *end);

/* Where a tensor starts. */
uint64_t camdn_walk_address(const camdn_walk *walk, uint32_t tensor);

/* Which read, and which row of the image, part `part` of a tile's loads is; part 0 are weights, 1
 * sums, none of which this is asked for. */
void camdn_walk_part(const camdn_walk *walk, uint32_t part, uint32_t *read, uint32_t *row);

/* Cycles that the present tile computes. */
uint64_t camdn_walk_cycles(const camdn_walk *walk);

/* Goes to the next tile. Returns false behind the last one. */
bool camdn_walk_next(camdn_walk *walk);

#endif
