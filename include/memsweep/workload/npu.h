/* SPDX-License-Identifier: MIT */
/* npu: the front end that turns a network into what a scratchpad accelerator does: layers, cut into
 * tiles that fill (half of) the scratchpads, each with the strided runs of virtual memory its DMA
 * engine reads and writes and the cycles its array computes. Equations: docs/models/npu.md.
 *
 * The order of execution is: layers in order; each layer's tiles in order, `repeat` times over (the
 * serial steps of a recurrent layer are identical, addresses included). Operands that are still in
 * their scratchpad from the tile before are not loaded again, so their segments are absent. */
#ifndef MEMSWEEP_WORKLOAD_NPU_H
#define MEMSWEEP_WORKLOAD_NPU_H

#include "memsweep/workload/workload.h"

typedef enum msw_npu_operand {
    MSW_NPU_ACTIVATION, /* the layer's input (of an attention product: its first operand) */
    MSW_NPU_WEIGHT,     /* the layer's weights (of an attention product: its second operand) */
    MSW_NPU_OUTPUT      /* the layer's output, written back */
} msw_npu_operand;

/* `rows` runs of `row_bytes` bytes, `stride` bytes from the start of one to the start of the next.
 * A single linear run has rows == 1 and stride == row_bytes. Never empty; runs never overlap. */
typedef struct msw_npu_segment {
    uint64_t address; /* virtual, of the first byte */
    uint64_t row_bytes;
    uint64_t stride;
    uint32_t rows;
    uint32_t operand; /* msw_npu_operand */
} msw_npu_segment;

/* Strata of a layer's tiles. */
typedef enum msw_npu_class {
    MSW_NPU_FIRST,    /* the first tile of a layer, in each repetition */
    MSW_NPU_INTERIOR, /* full-sized, the outer loop's operand already there */
    MSW_NPU_EDGE,     /* partial, or the outer loop's operand changes too */
    MSW_NPU_CLASSES
} msw_npu_class;

/* Which loads of a tile may be done while the tile before it computes. Never earlier: its part of
 * the scratchpads is in use until the tile before that one is done. */
typedef enum msw_npu_overlap {
    MSW_NPU_NONE,    /* nothing: loads start when the tile before has been computed and stored */
    MSW_NPU_WEIGHTS, /* its weights, loaded first; activations wait as with MSW_NPU_NONE */
    MSW_NPU_ALL      /* everything */
} msw_npu_overlap;

/* Loads are segments[load_first ..+ load_count]: activations, then weights (the other way round
 * with MSW_NPU_WEIGHTS; an explicit tile list keeps its own order). Computing starts when all are
 * there. Stores are segments[store_first ..+ store_count], when the tile has been computed. */
typedef struct msw_npu_tile {
    uint64_t compute_cycles;
    uint64_t load_bytes, store_bytes;
    uint32_t load_first, load_count;
    uint32_t store_first, store_count;
    uint32_t layer;
    uint16_t tile_class; /* msw_npu_class */
    uint16_t overlap;    /* msw_npu_overlap */
} msw_npu_tile;

/* Where an operand of a layer lives: every segment lies inside. */
typedef struct msw_npu_tensor {
    uint64_t address, bytes; /* bytes 0: the layer has no such operand (explicit lists: the hull) */
} msw_npu_tensor;

/* A layer whose weights stay on chip over its serial steps is listed twice: the first step, which
 * loads them, and the others, which do not. */
typedef struct msw_npu_layer {
    const char *name;
    uint64_t macs;             /* of one repetition; 0 in explicit lists */
    uint64_t repeat;           /* the tiles run this often, one repetition after the other */
    msw_npu_tensor tensors[3]; /* by msw_npu_operand */
    uint32_t first_tile, tile_count;
} msw_npu_layer;

/* Product (MSW_PRODUCT_TILES). Totals count repetitions. */
typedef struct msw_npu_product {
    const msw_npu_layer *layers;
    const msw_npu_tile *tiles;
    const msw_npu_segment *segments;
    uint64_t layer_count, tile_count, segment_count; /* entries of the arrays */
    uint64_t tiles_run;                              /* with repetitions */
    uint64_t macs, compute_cycles, load_bytes, store_bytes;
    uint64_t base_address, footprint_bytes; /* all tensors lie in this range */
    bool overlaps;       /* tiles are loaded while others compute; lists say so themselves: false */
    uint64_t kept_bytes; /* of a tile's output that can stay on chip for the next one */
} msw_npu_product;

enum { MSW_NPU_SYSTOLIC, MSW_NPU_SPATIAL };
enum {
    MSW_NPU_WEIGHT_STATIONARY,
    MSW_NPU_OUTPUT_STATIONARY,
    MSW_NPU_INPUT_STATIONARY,
    MSW_NPU_DATAFLOWS
};
extern const msw_choice msw_npu_dataflows[MSW_NPU_DATAFLOWS + 1]; /* their names */

enum { MSW_NPU_PRELOAD_HIDDEN, MSW_NPU_PRELOAD_SERIAL };
enum { MSW_NPU_BUFFERS_DOUBLE, MSW_NPU_BUFFERS_SINGLE };
enum { MSW_NPU_CHANNELS_LAST, MSW_NPU_CHANNELS_FIRST };
enum { MSW_NPU_OUTPUT_MAJOR, MSW_NPU_INPUT_MAJOR };
enum { MSW_NPU_PREFILL, MSW_NPU_DECODE };
enum { MSW_NPU_BITS_SAME, MSW_NPU_BITS_4, MSW_NPU_BITS_8, MSW_NPU_BITS_16, MSW_NPU_BITS_32 };

enum { MSW_NPU_FUSED, MSW_NPU_STORED };
enum { MSW_NPU_INFERENCE, MSW_NPU_STEP };
enum { MSW_NPU_SGD, MSW_NPU_MOMENTUM, MSW_NPU_ADAM };

typedef struct msw_npu_config {
    int64_t batch, context, phase, steps;
    int64_t array, rows, cols, dataflow, preload, lanes;
    int64_t spm_activation, spm_weight, buffers, overlap, prefetch;
    int64_t element_bytes, layout, weight_layout, alignment;
    int64_t weight_bits, shards;
    int64_t elementwise, vector_lanes;
    int64_t training, optimizer, state_bytes;
} msw_npu_config;

extern const msw_frontend msw_frontend_npu;

/* A matrix product as the array sees it: `instances` times M x N x K. */
typedef struct msw_npu_gemm {
    uint64_t instances, m, n, k;
    bool last; /* nothing of the same layer follows */
} msw_npu_gemm;

/* Folds of a systolic array that a product takes in all, and the cycles between the starts of two
 * that follow each other with their operands loaded ahead. */
typedef struct msw_npu_folds {
    uint64_t count, each;
} msw_npu_folds;
msw_npu_folds msw_npu_folds_of(const msw_npu_config *config, const msw_npu_gemm *gemm);

/* Cycles the array of a config needs. */
uint64_t msw_npu_compute_cycles(const msw_npu_config *config, const msw_npu_gemm *gemm);

#endif
