/* SPDX-License-Identifier: MIT */
#include "workload/sparse/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

#define MSW_SPARSE_BASE_ADDRESS UINT64_C(0x100000000)

#define MSW_SPARSE_REQUESTS_MAX ((uint64_t)1 << 30)

enum { MSW_SPARSE_REGIONS_MAX = 1025 };

static const msw_sparse_kind *kind_of(const msw_sparse_config *c)
{
    static const msw_sparse_kind *const KINDS[] = {&msw_sparse_embedding, &msw_sparse_neighbours,
                                                   &msw_sparse_matrix, &msw_sparse_mix};
    return KINDS[c->kind];
}

/* Regions follow each other, each from a multiple of the alignment. Returns the end. */
static uint64_t lay_out_regions(const msw_sparse_config *c, msw_region *regions, uint64_t count)
{
    uint64_t align = (uint64_t)(c->alignment > c->request_bytes ? c->alignment : c->request_bytes);
    uint64_t end = MSW_SPARSE_BASE_ADDRESS;
    for (uint64_t i = 0; i < count; i++) {
        regions[i].address = msw_align_up(end, align);
        end = regions[i].address + regions[i].bytes;
    }
    return end;
}

static int start(const msw_sparse_config *c, const void *content, uint64_t seed, msw_arena *arena,
                 msw_sparse_sink *sink, msw_accesses *a, msw_err *err)
{
    msw_region *regions = msw_arena_zero(arena, MSW_SPARSE_REGIONS_MAX, sizeof *regions);
    if (!regions)
        return msw_fail_memory(err);
    *sink = (msw_sparse_sink){.config = c,
                              .graph = content,
                              .seed = seed,
                              .arena = arena,
                              .mask = (uint64_t)c->request_bytes - 1,
                              .row_bytes = (uint64_t)(c->dimension * c->element_bytes),
                              .regions = regions};
    a->regions = regions;
    a->region_count = kind_of(c)->regions(c, content, regions);
    a->base_address = MSW_SPARSE_BASE_ADDRESS;
    a->footprint_bytes = lay_out_regions(c, regions, a->region_count) - a->base_address;
    return 0;
}

/* The size that all requests have, or 0. */
static uint32_t common_size(const msw_sparse_sink *sink)
{
    uint64_t row = sink->regions[0].row_bytes, request = sink->mask + 1;
    if (!row || (row % request == 0 && !sink->config->indices))
        return (uint32_t)request;
    return request % row == 0 && !sink->config->indices ? (uint32_t)row : 0;
}

static int allocate_requests(msw_sparse_sink *sink, uint64_t most, msw_err *err)
{
    sink->addresses = msw_arena_take(sink->arena, most * sizeof *sink->addresses);
    if (!common_size(sink))
        sink->bytes = msw_arena_take(sink->arena, most * sizeof *sink->bytes);
    return sink->addresses && (sink->bytes || common_size(sink)) ? 0 : msw_fail_memory(err);
}

static int make_batches(msw_sparse_sink *sink, msw_accesses *a, msw_err *err)
{
    const msw_sparse_kind *kind = kind_of(sink->config);
    uint64_t batches = (uint64_t)sink->config->batches;
    uint64_t *first = msw_arena_take(sink->arena, batches * sizeof *first);
    void *state = NULL;
    if (!first)
        return msw_fail_memory(err);
    if (kind->begin && kind->begin(sink, &state, err))
        return -1;
    for (sink->batch = 0; sink->batch < batches; sink->batch++) {
        first[sink->batch] = sink->count;
        kind->make(sink, state);
    }
    a->batches = first;
    a->batch_count = batches;
    a->count = sink->count;
    a->addresses = sink->addresses;
    a->bytes = sink->bytes;
    a->request_bytes = common_size(sink);
    a->stream_count = 1;
    return 0;
}

/* Bursts of `burst` requests, one per cycle; `interval` cycles per request on average. */
static int add_cycles(msw_sparse_sink *sink, msw_accesses *a, msw_err *err)
{
    const msw_sparse_config *c = sink->config;
    uint64_t *cycles, burst = (uint64_t)c->burst, start = 0, in_burst = 0;
    if (c->interval == 0)
        return 0;
    if (!(cycles = msw_arena_take(sink->arena, a->count * sizeof *cycles)))
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < a->count; i++) {
        if (in_burst == burst) {
            uint64_t due = (uint64_t)((double)i * c->interval);
            start = due > start + burst ? due : start + burst;
            in_burst = 0;
        }
        cycles[i] = start + in_burst++;
    }
    a->cycles = cycles;
    return 0;
}

static int add_writes(msw_sparse_sink *sink, msw_accesses *a, msw_err *err)
{
    double share = sink->config->write_share;
    uint8_t *writes;
    if (share == 0)
        return 0;
    if (!(writes = msw_arena_take(sink->arena, a->count)))
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < a->count; i++)
        writes[i] = msw_sparse_random(sink, MSW_SPARSE_DRAW_WRITE, i) < share * 0x1p32;
    a->writes = writes;
    return 0;
}

static void summarise(const msw_accesses *a, msw_summary *summary)
{
    uint64_t written = 0;
    for (uint64_t i = 0; a->bytes && i < a->count; i++)
        summary->bytes += a->bytes[i];
    if (!a->bytes)
        summary->bytes = a->count * a->request_bytes;
    for (uint64_t i = 0; a->writes && i < a->count; i++)
        written += a->writes[i] ? a->bytes ? a->bytes[i] : a->request_bytes : 0;
    summary->units = a->batch_count;
    summary->accesses = a->count;
    summary->footprint_bytes = a->footprint_bytes;
    summary->write_share = (double)written / (double)summary->bytes;
}

/* Returns the most requests that this makes, or -1. */
static double count_most(const msw_sparse_sink *sink, msw_err *err)
{
    const msw_sparse_config *c = sink->config;
    double most = (double)c->batches * kind_of(c)->most(sink);
    if (most <= (double)MSW_SPARSE_REQUESTS_MAX && sink->regions[0].rows <= INT32_MAX)
        return most;
    return msw_fail(err,
                    "sparse_batches %lld of sparse_batch %lld make up to %.3g requests, "
                    "allowed: 2^30",
                    (long long)c->batches, (long long)c->batch, most);
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    msw_sparse_sink sink;
    msw_accesses *a = msw_arena_zero(arena, 1, sizeof *a);
    if (!a)
        return msw_fail_memory(err);
    if (start(config, content, seed, arena, &sink, a, err))
        return -1;
    double most = count_most(&sink, err);
    if (most < 0 || allocate_requests(&sink, (uint64_t)most, err) || make_batches(&sink, a, err) ||
        add_cycles(&sink, a, err) || add_writes(&sink, a, err))
        return -1;
    *product = (msw_product){.kind = MSW_PRODUCT_ACCESSES, .data = a};
    summarise(a, &product->summary);
    return 0;
}

static const char *const OWN[] = {
    "workloads: [mine.edges, mine.edges/b64]: the path of a list of edges, beside the sweep file "
    "or",
    "from here, with a batch or without: the features of neighbourhoods in that graph are "
    "gathered.",
    "  .edges, .el, .txt, .tsv    an edge per line, 'from to', nodes counted from 0; .gz may "
    "follow",
    "Look-ups with other tables, rows or popularity need no file: the parameters above say them.",
    "More: docs/models/sparse.md.",
    NULL,
};

const msw_frontend msw_frontend_sparse = {
    .name = "sparse",
    .title = "Irregular requests: embeddings, graphs, pruned matrices, strides and jumps",
    .version = 1,
    .params = msw_sparse_params,
    .config_size = sizeof(msw_sparse_config),
    .product = MSW_PRODUCT_ACCESSES,
    .random = true,
    .names = msw_sparse_names,
    .docs = msw_sparse_docs,
    .own = OWN,
    .resolve = msw_sparse_resolve,
    .parse = msw_sparse_parse,
    .build = build,
};
