/* SPDX-License-Identifier: MIT */
/* Runs of equal strides with jumps between them: far ones to anywhere, near ones to the
 * neighbourhood of where the run before began. */
#include "workload/sparse/parts.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <math.h>

static uint64_t make_regions(const msw_sparse_config *c, const msw_sparse_graph *graph,
                             msw_region *regions)
{
    (void)graph;
    regions[0] = (msw_region){.name = "span", .bytes = (uint64_t)c->span};
    return 1;
}

static double most(const msw_sparse_sink *sink)
{
    return (double)sink->config->batch;
}

typedef struct walk {
    uint64_t slots, near_slots; /* of request_bytes */
    uint64_t position;          /* of the present run's beginning, in slots */
    uint64_t left, done;        /* requests of the present run */
    uint64_t runs;
} walk;

static int begin(msw_sparse_sink *sink, void **state, msw_err *err)
{
    const msw_sparse_config *c = sink->config;
    walk *w = msw_arena_zero(sink->arena, 1, sizeof *w);
    if (!w)
        return msw_fail_memory(err);
    w->slots = (uint64_t)c->span / (sink->mask + 1);
    w->near_slots = (uint64_t)c->near_span / (sink->mask + 1);
    w->slots += w->slots == 0;
    w->near_slots += w->near_slots == 0;
    *state = w;
    return 0;
}

/* Geometric lengths have the same mean, and a run of at least one request. */
static uint64_t length(const msw_sparse_config *c, uint32_t random)
{
    double mean = (double)c->run;
    if (c->run_shape == MSW_SPARSE_FIXED || mean <= 1)
        return (uint64_t)c->run;
    return 1 + (uint64_t)(msw_math_log((random + 0.5) * 0x1p-32) / msw_math_log1p(-1 / mean));
}

static void jump(msw_sparse_sink *sink, walk *w)
{
    const msw_sparse_config *c = sink->config;
    uint32_t key[2] = {(uint32_t)sink->seed, (uint32_t)(sink->seed >> 32)}, r[4];
    uint32_t counter[4] = {(uint32_t)w->runs, (uint32_t)(w->runs >> 32), MSW_SPARSE_DRAW_RUN, 0};
    msw_philox(counter, key, r);
    bool far = r[0] < c->far * 0x1p32 || w->runs == 0;
    uint64_t range = far || w->near_slots > w->slots ? w->slots : w->near_slots;
    uint64_t step = ((uint64_t)r[1] << 32 | r[2]) % range;
    w->position = far ? step : (w->position + w->slots - range / 2 + step) % w->slots;
    w->left = length(c, r[3]);
    w->done = 0;
    w->runs++;
}

static void make(msw_sparse_sink *sink, void *state)
{
    const msw_sparse_config *c = sink->config;
    walk *w = state;
    uint64_t request = sink->mask + 1, span = w->slots * request;
    for (int64_t i = 0; i < c->batch; i++) {
        if (w->left == 0)
            jump(sink, w);
        uint64_t offset = w->position * request + w->done * (uint64_t)c->stride;
        offset = (offset < span ? offset : offset % span) & ~sink->mask;
        sink->addresses[sink->count++] = sink->regions[0].address + offset;
        w->done++;
        w->left--;
    }
}

const msw_sparse_kind msw_sparse_mix = {make_regions, most, begin, make};
