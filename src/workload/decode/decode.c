/* SPDX-License-Identifier: MIT */
/* Names and product of the front end `decode`. */
#include "workload/decode/parts.h"

#include "memsweep/base/err.h"

#include <string.h>

/* In the order of msw_decoder_names. */
static const char *const NAMES[] = {"decode/llm7b", "decode/llama3_8b", "decode/llama3_1b", NULL};
static const char *const DOCS[] = {
    "LLaMA-7B: 512 KiB of keys and values a token",
    "Llama 3 8B: 128 KiB of keys and values a token",
    "Llama 3.2 1B: 32 KiB of keys and values a token",
    NULL,
};

static int resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    msw_decode_config *c = config;
    (void)file_size, (void)err;
    file[0] = '\0';
    for (int n = 0; NAMES[n]; n++)
        if (strcmp(name, NAMES[n]) == 0) {
            c->model = n;
            return 1;
        }
    return 0;
}

static int shape_of(const msw_decode_config *c, msw_decoder *shape, msw_err *err)
{
    *shape = msw_decoders[c->model];
    if (c->layers)
        shape->layers = (uint64_t)c->layers;
    if (c->kv_heads)
        shape->kv_heads = (uint64_t)c->kv_heads;
    if (shape->heads % shape->kv_heads == 0)
        return 0;
    return msw_fail(err, "decode_kv_heads %llu: allowed: what divides the decoder's %llu heads",
                    (unsigned long long)shape->kv_heads, (unsigned long long)shape->heads);
}

static void summarise(const msw_page_trace *t, msw_summary *summary)
{
    uint64_t written = 0, pages = 0;
    for (uint64_t i = 0; i < t->count; i++)
        written += t->accesses[i].write;
    for (uint64_t i = 0; i < t->run_count; i++)
        pages += t->runs[i].pages;
    *summary = (msw_summary){.units = 1,
                             .accesses = t->count,
                             .footprint_bytes = pages * t->page_bytes,
                             .write_share = (double)written / (double)t->count};
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    msw_page_trace *t = msw_arena_zero(arena, 1, sizeof *t);
    msw_decoder shape;
    decode_table table;
    (void)content, (void)seed;
    if (!t)
        return msw_fail_memory(err);
    if (shape_of(config, &shape, err) || decode_make_table(config, &table, arena, err) ||
        decode_make_trace(config, &shape, &table, t, arena, err))
        return -1;
    *product = (msw_product){.kind = MSW_PRODUCT_PAGES, .data = t};
    summarise(t, &product->summary);
    return 0;
}

const msw_frontend msw_frontend_decode = {
    .name = "decode",
    .title = "Decoders that make tokens from a paged cache of keys and values",
    .version = 1,
    .params = decode_params,
    .config_size = sizeof(msw_decode_config),
    .product = MSW_PRODUCT_PAGES,
    .random = false,
    .names = NAMES,
    .docs = DOCS,
    .resolve = resolve,
    .build = build,
};
