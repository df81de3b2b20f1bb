/* SPDX-License-Identifier: MIT */
/* The artifact: tiles as page visits, the order of steps with their page reuse, and the strata.
 *
 * Strata: what is alike. Layers of the same shape (those of a network's repeated blocks) are one;
 * in them the classes of tiles are distinguished, the first repetition of a layer from the
 * others, and what the pages of a step were used for before: the few steps that meet new areas or
 * find pages gone lose more than all others, and a sample without them would not know. */
#include "mech/neummu/stream.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/map.h"

#include <string.h>

/* Beyond this many strata what pages were used for does not count. */
enum { STRATA_MOST = 8192 };

typedef struct maker {
    const msw_npu_product *product;
    neummu_stratum *strata;
    msw_digest *kinds; /* by stratum */
    uint32_t *of;      /* stratum of each step */
    uint64_t count;
    msw_index index; /* of the kinds */
    bool patterns;
} maker;

/* Where a layer's tensors lie does not count. */
static msw_digest shape_of(const msw_npu_product *product, const msw_npu_layer *layer)
{
    msw_digest shape = msw_hash_bytes(&layer->repeat, sizeof layer->repeat);
    for (uint32_t t = 0; t < layer->tile_count; t++) {
        const msw_npu_tile *tile = &product->tiles[layer->first_tile + t];
        uint64_t words[] = {shape.hi,         shape.lo,          tile->compute_cycles,
                            tile->load_bytes, tile->store_bytes, tile->tile_class,
                            tile->overlap};
        shape = msw_hash_bytes(words, sizeof words);
    }
    return shape;
}

static uint32_t find_or_add(maker *m, msw_digest kind)
{
    uint32_t hash = msw_map_hash(kind.lo);
    size_t at;
    for (uint32_t i = msw_index_first(&m->index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(&m->index, hash, &at))
        if (msw_digest_equal(m->kinds[i], kind))
            return i;
    m->kinds[m->count] = kind;
    m->strata[m->count] = (neummu_stratum){0};
    msw_index_add(&m->index, hash, (uint32_t)m->count, NULL); /* there is room */
    return (uint32_t)m->count++;
}

/* How many pages of a step's loads are new, and how long ago the others were used. */
static msw_digest pattern_of(const neummu_stream *stream, const neummu_step *step)
{
    uint64_t cold = 0, deepest = 0;
    for (int flow = 0; flow < NEUMMU_STORE; flow++) {
        for (uint32_t s = 0; s < step->flows[flow].count; s++) {
            const neummu_traffic *traffic = &stream->traffic[step->flows[flow].traffic[s]];
            cold += traffic->cold;
            for (uint64_t bin = 0; bin < NEUMMU_DEPTHS; bin++)
                deepest = traffic->reused[bin] && bin > deepest ? bin : deepest;
        }
    }
    uint64_t words[] = {msw_bits_width(cold), deepest};
    return msw_hash_bytes(words, sizeof words);
}

/* Assigns the steps of one pass through a layer, from step `first`. */
static void assign_layer(maker *m, const neummu_stream *stream, uint64_t first, bool again)
{
    const neummu_step *steps = &stream->steps[first];
    const msw_npu_layer *layer = &m->product->layers[steps->layer];
    msw_digest shape = shape_of(m->product, layer);
    for (uint32_t t = 0; t < layer->tile_count; t++) {
        msw_digest pattern = m->patterns ? pattern_of(stream, &steps[t]) : (msw_digest){0};
        uint64_t words[] = {
            shape.hi,   shape.lo,          pattern.hi,
            pattern.lo, steps->executions, m->product->tiles[steps[t].source].tile_class,
            again};
        uint32_t h = find_or_add(m, msw_hash_bytes(words, sizeof words));
        m->of[first + t] = h;
        m->strata[h].count++;
    }
}

static void assign_all(maker *m, const neummu_stream *stream, bool patterns)
{
    memset(m->index.slots, 0, m->index.slot_count * sizeof *m->index.slots);
    m->index.count = m->count = 0;
    m->patterns = patterns;
    for (uint64_t step = 0; step < stream->step_count;) {
        uint32_t layer = stream->steps[step].layer;
        bool again = step > 0 && stream->steps[step - 1].layer == layer;
        assign_layer(m, stream, step, again);
        step += m->product->layers[layer].tile_count;
    }
}

/* Lists the steps of each stratum in `lists`, one after the other. */
static void list_steps(maker *m, uint64_t step_count, uint32_t *lists)
{
    for (uint64_t h = 0; h < m->count; h++) {
        m->strata[h].steps = lists;
        lists += m->strata[h].count;
        m->strata[h].count = 0;
    }
    for (uint64_t i = 0; i < step_count; i++) {
        neummu_stratum *s = &m->strata[m->of[i]];
        s->steps[s->count++] = (uint32_t)i;
    }
}

static bool take_room(maker *m, uint64_t steps, msw_arena *arena, msw_arena *scratch)
{
    m->strata = msw_arena_take(arena, steps * sizeof *m->strata);
    m->kinds = msw_arena_take(scratch, steps * sizeof *m->kinds);
    m->of = msw_arena_take(scratch, steps * sizeof *m->of);
    m->index.arena = scratch;
    return m->strata && m->kinds && m->of && !msw_index_reserve(&m->index, steps, NULL);
}

/* Sorts the steps into strata. */
static int neummu_make_strata(const msw_npu_product *product, msw_arena *arena,
                              neummu_stream *stream, msw_err *err)
{
    msw_arena scratch = {0};
    maker m = {.product = product};
    uint32_t *lists = msw_arena_take(arena, stream->step_count * sizeof *lists);
    bool room = lists && take_room(&m, stream->step_count, arena, &scratch);
    if (room) {
        assign_all(&m, stream, true);
        if (m.count > STRATA_MOST)
            assign_all(&m, stream, false);
        list_steps(&m, stream->step_count, lists);
        stream->strata = m.strata;
        stream->stratum_count = m.count;
    }
    msw_arena_free(&scratch);
    return room ? 0 : msw_fail_memory(err);
}

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
