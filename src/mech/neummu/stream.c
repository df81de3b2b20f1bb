/* SPDX-License-Identifier: MIT */
/* The artifact: tiles as page visits, the order of steps with their page reuse, and the strata. */
#include "mech/neummu/stream_parts.h"

static uint64_t copies_of(const msw_npu_layer *layer)
{
    return layer->repeat > 1 ? 2 : 1;
}

/* `again` is the tile of the stream that the first one is in further repetitions. */
static void add_steps(const msw_npu_product *product, uint32_t layer, uint32_t again,
                      neummu_stream *stream, neummu_step *steps)
{
    const msw_npu_layer *l = &product->layers[layer];
    for (uint64_t copy = 0; copy < copies_of(l); copy++)
        for (uint32_t t = 0; t < l->tile_count; t++)
            steps[stream->step_count++] = (neummu_step){
                .tile = copy && t == 0 ? again : l->first_tile + t,
                .source = l->first_tile + t,
                .layer = layer,
                .first = product->tiles[l->first_tile + t].tile_class == MSW_NPU_FIRST,
                .executions = copy ? l->repeat - 1 : 1,
            };
}

static int order_steps(const msw_npu_product *product, msw_arena *arena, neummu_stream *stream,
                       neummu_step **steps, msw_err *err)
{
    uint64_t count = 0;
    for (uint64_t l = 0; l < product->layer_count; l++)
        count += copies_of(&product->layers[l]) * product->layers[l].tile_count;
    if (count >= NEUMMU_NO_STEP)
        return msw_fail(err, "%llu tiles: too many", (unsigned long long)count);
    *steps = msw_arena_zero(arena, count, sizeof **steps);
    if (!*steps)
        return msw_fail_memory(err);
    uint64_t extra = product->tile_count;
    for (uint64_t l = 0; l < product->layer_count; l++) {
        bool own = stream->tile_count > product->tile_count && product->layers[l].repeat > 1;
        uint64_t again = own ? extra++ : product->layers[l].first_tile;
        add_steps(product, (uint32_t)l, (uint32_t)again, stream, *steps);
    }
    stream->steps = *steps;
    return 0;
}

int neummu_build_stream(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err)
{
    (void)extra;
    const neummu_config *config = task->config;
    const msw_npu_product *product = task->product->data;
    neummu_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    uint64_t tile_count = neummu_tile_count(product, config);
    neummu_tile *tiles = msw_arena_zero(arena, tile_count, sizeof *tiles);
    neummu_step *steps = NULL;
    if (!stream || !tiles)
        return msw_fail_memory(err);
    stream->tiles = tiles;
    stream->tile_count = tile_count;
    stream->shifts = neummu_shifts_of(config);
    if (neummu_cut(product, config, arena, tiles, err) ||
        order_steps(product, arena, stream, &steps, err) ||
        neummu_profile(product, stream, tiles, steps, arena, err) ||
        neummu_make_strata(product, arena, stream, err))
        return -1;
    *root = stream;
    return 0;
}
