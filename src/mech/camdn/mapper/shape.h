/* SPDX-License-Identifier: MIT */
/* shape: what closed form and plans ask of a network on an NPU for every point: its products, what
 * operands keep in each step, how far apart the uses of a tensor lie. It depends on what a table
 * depends on and is made of it once, beside it. */
#ifndef MSW_MECH_CAMDN_MAPPER_SHAPE_H
#define MSW_MECH_CAMDN_MAPPER_SHAPE_H

#include "mech/camdn/mapper/mapper.h"

/* The step of an NPU that knows of no cache. */
typedef struct camdn_plain {
    double npu[CAMDN_OPERANDS]; /* bytes asked for, of products */
    double inside[3];           /* bytes moved in one turn of the loop over M, N, K */
} camdn_plain;

typedef struct camdn_shape {
    const camdn_product *products; /* by operator; of those with tiles */
    const camdn_plain *plain;      /* the same */
    const double *kept;            /* by step and operand: bytes of the cache that stay */
    const double *touched;         /* by operator: bytes, each once */
    const double *distances; /* by read: bytes touched since the use before; INFINITY: none in this
                                task */
    double touched_all;
    double uncached, layerwise, fused;       /* of the limits, those that know of no pages */
    double unused, beyond_1mib, beyond_2mib; /* shares of intermediate data */
} camdn_shape;

/* Makes the shape of a network with its table. Returns 0, or -1 where memory is short. */
int camdn_shape_of(const msw_graph_network *net, const camdn_table *table, const camdn_array *array,
                   msw_arena *arena, camdn_shape *shape);

#endif
