/* SPDX-License-Identifier: MIT */
/* The parts of the front end `sparse`. */
#ifndef MSW_WORKLOAD_SPARSE_PARTS_H
#define MSW_WORKLOAD_SPARSE_PARTS_H

#include "memsweep/workload/sparse.h"

#include <stdint.h>

/* Ranks with probabilities proportional to 1 / rank^s, drawn in constant time and memory.
 *
 * Ranks are grouped in bins: the first ones alone, the others in bins that grow by a constant
 * factor. A bin is drawn by Walker's alias method (1977), a rank in it by rejection from a uniform
 * one; almost all draws are accepted without computing a power. */

enum { MSW_ZIPF_BIN_BITS = 9, MSW_ZIPF_BINS = 1 << MSW_ZIPF_BIN_BITS };

typedef struct msw_zipf_bin {
    uint32_t first, width; /* ranks from 0 */
    uint32_t threshold;    /* below: this bin; else: */
    uint32_t alias;
} msw_zipf_bin;

typedef struct msw_zipf {
    double exponent;
    uint32_t keep; /* accepted whatever the rank, of 2^32 */
    msw_zipf_bin bins[MSW_ZIPF_BINS];
} msw_zipf;

/* Prepares `count` ranks (1 to 2^31); the exponent is not negative, 0 is uniform. */
void msw_zipf_init(msw_zipf *zipf, uint32_t count, double exponent);

/* Which number to draw: each is drawn on its own. */
typedef struct msw_zipf_draw {
    uint64_t seed, index;
    uint32_t stream;
} msw_zipf_draw;

/* Returns a rank from 0. */
uint32_t msw_zipf_at(const msw_zipf *zipf, msw_zipf_draw draw);

extern const msw_param msw_sparse_params[];
extern const char *const msw_sparse_names[];
extern const char *const msw_sparse_docs[];

/* An undirected graph: targets[offsets[n] ..] are the neighbours of node n. */
typedef struct msw_sparse_graph {
    uint32_t nodes;
    uint64_t *offsets; /* nodes + 1 */
    uint32_t *targets;
} msw_sparse_graph;

/* Requests being made. */
typedef struct msw_sparse_sink {
    const msw_sparse_config *config;
    const msw_sparse_graph *graph; /* a user's, or NULL */
    uint64_t seed;
    msw_arena *arena;
    uint64_t *addresses;
    uint32_t *bytes; /* NULL: all requests have the same size */
    uint64_t count;
    uint64_t mask; /* request_bytes - 1 */
    uint64_t row_bytes;
    uint64_t batch; /* number of the batch being made */
    const msw_region *regions;
} msw_sparse_sink;

/* Streams of random numbers. */
enum {
    MSW_SPARSE_DRAW_ROW,
    MSW_SPARSE_DRAW_EDGE,
    MSW_SPARSE_DRAW_NEIGHBOUR,
    MSW_SPARSE_DRAW_COLUMN,
    MSW_SPARSE_DRAW_RUN,
    MSW_SPARSE_DRAW_WRITE,
    MSW_SPARSE_DRAW_TABLES /* and one per table from here */
};

/* One kind of stream. */
typedef struct msw_sparse_kind {
    /* Names and sizes of the regions. Returns how many; addresses are set by the caller. */
    uint64_t (*regions)(const msw_sparse_config *config, const msw_sparse_graph *graph,
                        msw_region *regions);
    /* Most requests that one batch makes. */
    double (*most)(const msw_sparse_sink *sink);
    /* Memory for all batches; NULL: needs none. Returns it in `state`. Returns 0, or -1. */
    int (*begin)(msw_sparse_sink *sink, void **state, msw_err *err);
    /* Makes the requests of one batch. */
    void (*make)(msw_sparse_sink *sink, void *state);
} msw_sparse_kind;

extern const msw_sparse_kind msw_sparse_embedding, msw_sparse_neighbours, msw_sparse_matrix,
    msw_sparse_mix;

/* Adds the requests for a linear run: it is cut at multiples of request_bytes. */
static inline void msw_sparse_emit(msw_sparse_sink *sink, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    while (address < end) {
        uint64_t next = (address | sink->mask) + 1;
        next = next < end ? next : end;
        if (sink->bytes)
            sink->bytes[sink->count] = (uint32_t)(next - address);
        sink->addresses[sink->count++] = address;
        address = next;
    }
}

/* Most requests that a run of this size is cut into, wherever it starts. */
double msw_sparse_pieces(const msw_sparse_sink *sink, double bytes);

/* A shuffle of the numbers below n: the place of number `index`. */
uint32_t msw_sparse_scatter(uint32_t index, uint32_t n, uint64_t key);

/* 32 random bits for (stream, index). */
uint32_t msw_sparse_random(const msw_sparse_sink *sink, uint32_t stream, uint64_t index);

/* See msw_frontend. */
int msw_sparse_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err);
int msw_sparse_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                     const void **content, msw_err *err);

#endif
