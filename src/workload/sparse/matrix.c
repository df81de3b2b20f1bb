/* SPDX-License-Identifier: MIT */
/* A pruned matrix times a dense one: each row of the first reads the rows of the second that its
 * non-zeros name, in order, one from each equal share of the columns (balanced pruning). */
#include "workload/sparse/parts.h"

enum { INDEX_BYTES = 4 };

static uint64_t make_regions(const msw_sparse_config *c, const msw_sparse_graph *graph,
                             msw_region *regions)
{
    uint64_t row_bytes = (uint64_t)(c->dimension * c->element_bytes);
    (void)graph;
    regions[0] = (msw_region){.name = "dense",
                              .bytes = (uint64_t)c->rows * row_bytes,
                              .rows = (uint64_t)c->rows,
                              .row_bytes = row_bytes};
    if (!c->indices)
        return 1;
    regions[1] = (msw_region){.name = "indices",
                              .bytes = (uint64_t)c->batches * (uint64_t)c->batch *
                                       (uint64_t)c->nonzeros * INDEX_BYTES};
    return 2;
}

static double most(const msw_sparse_sink *sink)
{
    const msw_sparse_config *c = sink->config;
    double list = c->indices ? msw_sparse_pieces(sink, (double)c->nonzeros * INDEX_BYTES) : 0;
    double gathers = (double)c->nonzeros * msw_sparse_pieces(sink, (double)sink->row_bytes);
    return (double)c->batch * (gathers + list);
}

static void make_row(msw_sparse_sink *sink, uint64_t row)
{
    const msw_sparse_config *c = sink->config;
    uint64_t nonzeros = (uint64_t)c->nonzeros, columns = (uint64_t)c->rows;
    const msw_region *dense = sink->regions;
    if (c->indices)
        msw_sparse_emit(sink, sink->regions[1].address + row * nonzeros * INDEX_BYTES,
                        nonzeros * INDEX_BYTES);
    for (uint64_t j = 0; j < nonzeros; j++) {
        uint64_t from = j * columns / nonzeros, to = (j + 1) * columns / nonzeros;
        uint64_t random = msw_sparse_random(sink, MSW_SPARSE_DRAW_COLUMN, row * nonzeros + j);
        uint64_t column = from + (random * (to - from) >> 32);
        column = column < columns ? column : columns - 1;
        msw_sparse_emit(sink, dense->address + column * dense->row_bytes, dense->row_bytes);
    }
}

static void make(msw_sparse_sink *sink, void *state)
{
    uint64_t batch = (uint64_t)sink->config->batch;
    (void)state;
    for (uint64_t row = 0; row < batch; row++)
        make_row(sink, sink->batch * batch + row);
}

const msw_sparse_kind msw_sparse_matrix = {make_regions, most, NULL, make};
