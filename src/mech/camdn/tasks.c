/* What runs: the tables of the networks, and which of them comes next. */
#include "mech/camdn/model.h"

#include "memsweep/base/rng.h"

const char *const camdn_tables_depends[] = {
    "array_rows", "array_cols",    "dataflow",  "scratchpad", "accumulator",
    "sum_bytes",  "single_buffer", "depthwise", "lanes",      NULL};

camdn_array camdn_array_of(const camdn_config *c, int64_t element_bytes)
{
    return (camdn_array){.rows = c->array_rows,
                         .cols = c->array_cols,
                         .dataflow = c->dataflow,
                         .scratchpad = c->scratchpad,
                         .accumulator = c->accumulator,
                         .element_bytes = element_bytes,
                         .sum_bytes = c->sum_bytes,
                         .single = c->single,
                         .depthwise = c->depthwise,
                         .lanes = c->lanes};
}

int camdn_build_tables(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_array array = camdn_array_of(task->config, mix->element_bytes);
    camdn_tables *tables = msw_arena_zero(arena, 1, sizeof *tables);
    msw_arena scratch = {0};
    (void)extra;
    if (!tables)
        return msw_fail_memory(err);
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        tables->of[i] = camdn_map(&mix->networks[i], &array, arena, &scratch, err);
        rc = tables->of[i] ? 0 : -1;
        msw_arena_reset(&scratch);
    }
    msw_arena_free(&scratch);
    tables->count = mix->count;
    *root = tables;
    return rc;
}

camdn_draws camdn_draws_of(const msw_task *task)
{
    const camdn_config *c = task->config;
    camdn_draws d = {.mix = task->product->data, .stream = task->stream, .draw = c->draw};
    for (uint32_t i = 0; i < d.mix->count; i++)
        d.weights += d.mix->networks[i].weight;
    return d;
}

static uint32_t draw_random(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    msw_rng rng;
    msw_rng_init(&rng, d->stream, tenant);
    msw_rng_seek(&rng, number);
    double at = msw_rng_uniform(&rng) * d->weights;
    uint32_t i = 0;
    while (i + 1 < d->mix->count && at >= d->mix->networks[i].weight)
        at -= d->mix->networks[i++].weight;
    return i;
}

/* A deck holds every network once; which deck it is makes its order. */
static uint32_t draw_deck(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    uint64_t count = d->mix->count, deck = number / count;
    msw_rng rng;
    msw_rng_init(&rng, d->stream, tenant);
    msw_rng_seek(&rng, deck);
    return (uint32_t)msw_permute(number % count, count, msw_rng_u64(&rng));
}

uint32_t camdn_draw(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    return d->draw == CAMDN_DRAW_DECK ? draw_deck(d, tenant, number)
                                      : draw_random(d, tenant, number);
}

double camdn_memory_rate(const camdn_config *config)
{
    return config->bandwidth / config->frequency;
}

int64_t camdn_tagged_ways(const camdn_config *config)
{
    return config->tagged_ways ? config->npu_ways : config->ways;
}

int64_t camdn_running(const camdn_config *config)
{
    return config->npus < config->tenants ? config->npus : config->tenants;
}
