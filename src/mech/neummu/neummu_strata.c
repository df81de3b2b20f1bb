/* Strata: what is alike. Layers of the same shape (those of a network's repeated blocks) are one;
 * in them the classes of tiles are told apart, and the first repetition of a layer from the others.
 */
#include "neummu.h"

typedef struct kind {
    msw_digest shape; /* of the layer */
    uint64_t executions;
    unsigned tile_class;
    bool again; /* not the first repetition */
} kind;

typedef struct maker {
    const msw_npu_product *product;
    neummu_stratum *strata;
    kind *kinds;  /* by stratum */
    uint32_t *of; /* stratum of each step */
    uint64_t count;
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

static bool same(const kind *a, const kind *b)
{
    return msw_digest_equal(a->shape, b->shape) && a->executions == b->executions &&
           a->tile_class == b->tile_class && a->again == b->again;
}

static uint32_t find_or_add(maker *m, const kind *wanted)
{
    uint64_t h = 0;
    while (h < m->count && !same(&m->kinds[h], wanted))
        h++;
    if (h == m->count) {
        m->kinds[m->count++] = *wanted;
        m->strata[h] = (neummu_stratum){0};
    }
    return (uint32_t)h;
}

/* Assigns the steps of one run through a layer, from step `first`. */
static void assign_layer(maker *m, const neummu_stream *stream, uint64_t first, bool again)
{
    const neummu_step *steps = &stream->steps[first];
    const msw_npu_layer *layer = &m->product->layers[steps->layer];
    uint32_t place[MSW_NPU_CLASSES];
    kind wanted = {shape_of(m->product, layer), steps->executions, 0, again};
    for (int c = 0; c < MSW_NPU_CLASSES; c++)
        place[c] = UINT32_MAX;
    for (uint32_t t = 0; t < layer->tile_count; t++) {
        unsigned c = m->product->tiles[steps[t].tile].tile_class;
        wanted.tile_class = c;
        if (place[c] == UINT32_MAX)
            place[c] = find_or_add(m, &wanted);
        m->of[first + t] = place[c];
        m->strata[place[c]].count++;
    }
}

static void assign_all(maker *m, const neummu_stream *stream)
{
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

int neummu_make_strata(const msw_npu_product *product, msw_arena *arena, neummu_stream *stream,
                       msw_err *err)
{
    uint64_t most = 2 * product->layer_count * MSW_NPU_CLASSES;
    msw_arena scratch = {0};
    maker m = {.product = product};
    m.strata = msw_arena_take(arena, most * sizeof *m.strata);
    m.kinds = msw_arena_take(&scratch, most * sizeof *m.kinds);
    m.of = msw_arena_take(&scratch, stream->step_count * sizeof *m.of);
    uint32_t *lists = msw_arena_take(arena, stream->step_count * sizeof *lists);
    bool room = m.strata && m.kinds && m.of && lists;
    if (room) {
        assign_all(&m, stream);
        list_steps(&m, stream->step_count, lists);
        stream->strata = m.strata;
        stream->stratum_count = m.count;
    }
    msw_arena_free(&scratch);
    return room ? 0 : msw_fail_memory(err);
}
