/* SPDX-License-Identifier: MIT */
/* The front end `decode`: what can be set of decoding, its names and product. */
#include "workload/decode/parts.h"

#include "memsweep/base/err.h"

#include <string.h>

#define FIELD(name) offsetof(msw_decode_config, name)
#define VLLM        "arXiv:2309.06180 (paged attention)"

static const msw_choice WEIGHTS[] = {
    [MSW_DECODE_PINNED] = {.name = "pinned", .doc = "on the device: they take time, no pages"},
    [MSW_DECODE_PAGED] = {.name = "paged", .doc = "in managed arrays, as the caches are"},
    {0},
};
static const msw_choice TABLES[] = {
    [MSW_DECODE_FRESH] = {.name = "fresh",
                          .doc = "blocks of a prompt lie together, later ones by turns"},
    [MSW_DECODE_WORN] = {.name = "worn", .doc = "a block is any of those that are free"},
    {0},
};

const msw_param decode_params[] = {
    MSW_ROW(.name = "decode_model", .kind = MSW_CHOICE, .unit = "", .def = MSW_DECODER_LLAMA3_1B,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(msw_decoder_names),
            .doc = "which decoder; the workload's name decides", .source = MSW_PUBLIC,
            .reference = "definition", .offset = FIELD(model)),
    MSW_ROW(.name = "decode_layers", .kind = MSW_INTEGER, .unit = "layers", .min = 0, .max = 128,
            .def = 0, .neutral = MSW_NO_NEUTRAL, .doc = "of the decoder; 0: as many as it has",
            .source = MSW_INFERRED, .reference = "definition", .offset = FIELD(layers)),
    MSW_ROW(.name = "decode_kv_heads", .kind = MSW_INTEGER, .unit = "heads", .min = 0, .max = 128,
            .def = 0, .neutral = MSW_NO_NEUTRAL,
            .doc = "of keys and values; 0: as many as the decoder has", .source = MSW_INFERRED,
            .reference = "definition", .offset = FIELD(kv_heads)),
    MSW_ROW(.name = "decode_element_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 8,
            .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of a weight, a key, a value", .source = MSW_PUBLIC,
            .reference = "arXiv:2407.21783: bfloat16", .offset = FIELD(element_bytes)),
    MSW_ROW(.name = "decode_batch", .kind = MSW_INTEGER, .unit = "sequences", .min = 1, .max = 4096,
            .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "decoded together",
            .source = MSW_UNKNOWN, .reference = "what a server has", .plausible_min = 1,
            .plausible_max = 256, .offset = FIELD(batch)),
    MSW_ROW(.name = "decode_context", .kind = MSW_INTEGER, .unit = "tokens", .min = 1,
            .max = 131072, .def = 512, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of a sequence before the first step, in the mean", .source = MSW_UNKNOWN,
            .reference = "what users ask", .plausible_min = 128, .plausible_max = 131072,
            .offset = FIELD(context)),
    MSW_ROW(.name = "decode_spread", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1, .def = 0.5,
            .neutral = MSW_NO_NEUTRAL,
            .doc = "lengths go evenly from context x (1 - spread) to context x (1 + spread)",
            .source = MSW_UNKNOWN, .reference = "what users ask", .plausible_min = 0,
            .plausible_max = 1, .offset = FIELD(spread), .acts = "decode_batch > 1"),
    MSW_ROW(.name = "decode_steps", .kind = MSW_INTEGER, .unit = "tokens", .min = 1, .max = 4096,
            .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "made of each sequence",
            .source = MSW_INFERRED, .reference = "definition", .offset = FIELD(steps)),
    MSW_ROW(.name = "decode_block", .kind = MSW_INTEGER, .unit = "tokens", .min = 1, .max = 1024,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "of a block of a cache",
            .source = MSW_PUBLIC, .reference = VLLM, .offset = FIELD(block)),
    MSW_ROW(.name = "decode_weights", .kind = MSW_CHOICE, .unit = "", .def = MSW_DECODE_PINNED,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(WEIGHTS), .doc = "where weights are",
            .source = MSW_INFERRED, .reference = "definition", .offset = FIELD(weights)),
    MSW_ROW(.name = "decode_table", .kind = MSW_CHOICE, .unit = "", .def = MSW_DECODE_WORN,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(TABLES), .doc = "which blocks sequences get",
            .source = MSW_UNKNOWN, .reference = "how long the server has run",
            .offset = FIELD(table)),
    MSW_ROW(.name = "decode_group", .kind = MSW_INTEGER, .unit = "sequences", .min = 0, .max = 4096,
            .def = 0, .neutral = MSW_NO_NEUTRAL,
            .doc = "decoded side by side, groups by turns; 0: all", .source = MSW_INFERRED,
            .reference = "definition", .offset = FIELD(group), .acts = "decode_batch > 1"),
    MSW_ROW(.name = "decode_quantum", .kind = MSW_INTEGER, .unit = "tokens", .min = 1, .max = 4096,
            .def = 1, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "that a group makes before the next one's turn", .source = MSW_INFERRED,
            .reference = "definition", .offset = FIELD(quantum),
            .acts = "decode_group > 0 AND decode_group < decode_batch AND decode_steps > 1"),
    MSW_ROW(.name = "decode_sms", .kind = MSW_INTEGER, .unit = "SMs", .min = 1, .max = 256,
            .def = 28, .neutral = MSW_NO_NEUTRAL, .doc = "that a kernel's work is cut for",
            .source = MSW_INFERRED, .reference = "as uvm has by default", .offset = FIELD(sms)),
    MSW_ROW(.name = "decode_warps", .kind = MSW_INTEGER, .unit = "warps", .min = 1, .max = 64,
            .def = 8, .neutral = MSW_NO_NEUTRAL, .doc = "of an SM", .source = MSW_UNKNOWN,
            .reference = "what a kernel is compiled for", .plausible_min = 4, .plausible_max = 64,
            .offset = FIELD(warps)),
    MSW_ROW(.name = "decode_split", .kind = MSW_INTEGER, .unit = "warps", .min = 1, .max = 64,
            .def = 4, .neutral = MSW_NO_NEUTRAL,
            .doc = "that share the attention of a sequence and a head", .source = MSW_PUBLIC,
            .reference = "vLLM's kernel: 128 threads", .offset = FIELD(split)),
    MSW_ROW(.name = "decode_line_instructions", .kind = MSW_INTEGER, .unit = "instructions",
            .min = 1, .max = 100, .def = 7, .neutral = MSW_NO_NEUTRAL,
            .doc = "of a warp for each 128 B it reads", .source = MSW_INFERRED,
            .reference = "224 warps that issue every 6 cycles at 5.5 lines a cycle, the memory of "
                         "uvm",
            .offset = FIELD(line_instructions)),
    MSW_ROW(.name = "decode_open", .kind = MSW_INTEGER, .unit = "accesses", .min = 1, .max = 31,
            .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "pages of a warp under way at once",
            .source = MSW_UNKNOWN, .reference = "how far a kernel loads ahead", .plausible_min = 1,
            .plausible_max = 16, .offset = FIELD(open)),
    {0},
};

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
