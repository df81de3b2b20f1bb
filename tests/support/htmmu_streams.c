/* SPDX-License-Identifier: MIT */
#include "htmmu_streams.h"

#include "memsweep/base/rng.h"

static uint64_t stream_address(const stream_config *c, uint64_t i, msw_rng *rng, uint64_t before)
{
    uint64_t base = (uint64_t)1 << 32;
    if (c->kind == STREAM_GIVEN)
        return c->given[i];
    if (c->kind == STREAM_SEQUENTIAL)
        return base + i * 64;
    if (c->kind == STREAM_CYCLE)
        return base + (i / c->run % c->pages << 21) + i % c->run * 64;
    if (i % c->run)
        return before + 64;
    double u = msw_rng_uniform(rng);
    u = c->kind == STREAM_SKEWED ? u * u * u * u : u;
    return base + (uint64_t)(u * (double)c->footprint) / 64 * 64;
}

static int stream_build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                        msw_product *product, msw_err *err)
{
    const stream_config *c = config;
    uint64_t *addresses = msw_arena_take(arena, c->requests * sizeof *addresses);
    msw_accesses *accesses = msw_arena_zero(arena, 1, sizeof *accesses);
    msw_rng rng;
    (void)content;
    (void)seed;
    if (!addresses || !accesses)
        return msw_fail_memory(err);
    msw_rng_init(&rng, c->seed, 1);
    for (uint64_t i = 0; i < c->requests; i++)
        addresses[i] = stream_address(c, i, &rng, i ? addresses[i - 1] : 0);
    accesses->count = c->requests;
    accesses->addresses = addresses;
    accesses->request_bytes = 64;
    accesses->cycles = c->times;
    accesses->streams = c->requesters;
    accesses->base_address = 0;
    accesses->footprint_bytes = (uint64_t)1 << 47;
    *product = (msw_product){
        .kind = MSW_PRODUCT_ACCESSES, .data = accesses, .summary = {.accesses = c->requests}};
    return 0;
}

static const msw_param stream_params[] = {{0}};

static const msw_frontend stream_front = {.name = "stream",
                                          .title = "test streams",
                                          .version = 1,
                                          .params = stream_params,
                                          .config_size = sizeof(stream_config),
                                          .product = MSW_PRODUCT_ACCESSES,
                                          .build = stream_build};
void stream_preset(direct *d, const char *name)
{
    const msw_preset *preset = d->mech->presets;
    msw_err err = {0};
    while (strcmp(preset->name, name) != 0)
        preset++;
    for (const msw_preset_value *v = preset->values; v->param; v++) {
        const msw_param *p = msw_params_find(d->mech->params, v->param);
        double value = 0;
        if (msw_param_parse(p, v->value, &value, &err))
            fprintf(stderr, "%s\n", err.text);
        msw_param_set(p, d->config, value);
    }
}

void stream_open(direct *d, stream_config stream)
{
    *d = (direct){.mech = &msw_mech_htmmu};
    stream.run = stream.run ? stream.run : 1;
    d->workload.config = calloc(1, MSW_FRONTEND_CONFIG_MAX);
    memcpy(d->workload.config, &stream, sizeof stream);
    d->workload.name = strdup("stream");
    d->workload.frontend = &stream_front;
    d->workload.digest = msw_hash_bytes(&stream, sizeof stream);
    d->config = calloc(1, d->mech->config_size);
    msw_params_defaults(d->mech->params, d->config);
    d->source = (msw_artifact_source){.context = d, .get = direct_get, .put = direct_put};
    d->answer.metrics = d->metrics;
    d->answer.half_widths = d->half_widths;
    d->task = (msw_task){.mech = d->mech,
                         .config = d->config,
                         .workload = &d->workload,
                         .workload_config = d->workload.config,
                         .sampling = {.confidence = 0.95, .target = 0.02, .pilot = 400},
                         .stream = 12345,
                         .arena = &d->arena,
                         .source = &d->source};
}

double stream_metric(const direct *d, const char *name)
{
    int i = msw_metrics_find(d->mech->metrics, name);
    return i < 0 ? NAN : d->metrics[i];
}
