/* The artifact: tiles as page runs, the order of steps with their page reuse, and the strata. */
#include "neummu.h"

static uint64_t copies_of(const msw_npu_layer *layer)
{
    return layer->repeat > 1 ? 2 : 1;
}

static void add_steps(const msw_npu_product *product, uint32_t layer, neummu_stream *stream,
                      neummu_step *steps)
{
    const msw_npu_layer *l = &product->layers[layer];
    for (uint64_t copy = 0; copy < copies_of(l); copy++)
        for (uint32_t t = 0; t < l->tile_count; t++)
            steps[stream->step_count++] = (neummu_step){
                .tile = l->first_tile + t,
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
    for (uint64_t l = 0; l < product->layer_count; l++)
        add_steps(product, (uint32_t)l, stream, *steps);
    stream->steps = *steps;
    return 0;
}

/* The tiles of one class, gathered in `tiles`. Returns how many there are. */
static uint64_t gather(const msw_npu_product *product, const msw_npu_layer *layer,
                       unsigned tile_class, uint32_t *tiles)
{
    uint64_t count = 0;
    for (uint32_t t = 0; t < layer->tile_count; t++)
        if (product->tiles[layer->first_tile + t].tile_class == tile_class)
            tiles[count++] = t;
    return count;
}

static int make_strata(const msw_npu_product *product, msw_arena *arena, neummu_stream *stream,
                       msw_err *err)
{
    uint64_t step = 0, most = product->layer_count * MSW_NPU_CLASSES;
    neummu_stratum *strata = msw_arena_take(arena, most * sizeof *strata);
    uint32_t *tiles = msw_arena_take(arena, product->tile_count * sizeof *tiles);
    if (!strata || !tiles)
        return msw_fail_memory(err);
    for (uint64_t l = 0; l < product->layer_count; l++) {
        const msw_npu_layer *layer = &product->layers[l];
        for (unsigned c = 0; c < MSW_NPU_CLASSES; c++) {
            uint64_t count = gather(product, layer, c, tiles);
            if (count)
                strata[stream->stratum_count++] =
                    (neummu_stratum){tiles, count, layer->repeat, step, layer->tile_count};
            tiles += count;
        }
        step += copies_of(layer) * layer->tile_count;
    }
    stream->strata = strata;
    return 0;
}

int neummu_build_stream(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err)
{
    (void)extra;
    const neummu_config *config = task->config;
    const msw_npu_product *product = task->product->data;
    neummu_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    neummu_tile *tiles = msw_arena_zero(arena, product->tile_count, sizeof *tiles);
    neummu_step *steps = NULL;
    if (!stream || !tiles)
        return msw_fail_memory(err);
    stream->tiles = tiles;
    stream->tile_count = product->tile_count;
    while ((int64_t)1 << stream->page_shift < config->page_size)
        stream->page_shift++;
    if (neummu_cut(product, (uint64_t)config->page_size, (uint64_t)config->dma_bytes, arena, tiles,
                   err) ||
        order_steps(product, arena, stream, &steps, err) ||
        make_strata(product, arena, stream, err) ||
        neummu_profile(product, stream, tiles, steps, arena, err))
        return -1;
    *root = stream;
    return 0;
}

uint64_t neummu_step_of(const neummu_stratum *stratum, uint64_t unit)
{
    uint64_t tile = unit / stratum->repeat, repetition = unit % stratum->repeat;
    return stratum->step + (repetition ? stratum->layer_tiles : 0) + stratum->tiles[tile];
}
