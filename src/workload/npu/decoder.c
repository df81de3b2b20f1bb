/* Decoders as operators: layers of attention and of a feed-forward with a gate; element-wise
 * operators are fused.
 *
 * Each layer has a key and a value cache, token after token, all heads of a token side by side. The
 * new tokens' keys and values are written into it, attention then reads the whole context (prefill
 * without skipping what the causal mask hides). Where heads share keys and values, queries and what
 * comes of them lie by those they share, and a group of them is one product. Other activations
 * share buffers over layers. */
#include "workload/npu/parts.h"

#include <stdio.h>

enum { OPS_PER_LAYER = 9, NAME_BYTES = 16 };

const msw_choice msw_decoder_names[MSW_DECODERS + 1] = {
    [MSW_DECODER_LLM7B] = {.name = "llm7b", .doc = "LLaMA-7B (arXiv:2302.13971)"},
    [MSW_DECODER_LLAMA3_8B] = {.name = "llama3_8b",
                               .doc = "Llama 3 8B, 8 heads of keys and values (arXiv:2407.21783)"},
    [MSW_DECODER_LLAMA3_1B] = {.name = "llama3_1b",
                               .doc = "Llama 3.2 1B, 8 heads of keys and values (its published "
                                      "configuration)"},
    {0},
};

/* Layers, hidden, heads, heads of keys and values, values of a head, feed-forward, vocabulary. */
const msw_decoder msw_decoders[MSW_DECODERS] = {
    [MSW_DECODER_LLM7B] = {32, 4096, 32, 32, 128, 11008, 32000},
    [MSW_DECODER_LLAMA3_8B] = {32, 4096, 32, 8, 128, 14336, 128256},
    [MSW_DECODER_LLAMA3_1B] = {16, 2048, 32, 8, 64, 8192, 128256},
};

/* Tensors by number; the caches of all layers follow. */
enum { STREAM, QUERY, SCORES, CONTEXT, GATE, UP, LOGITS, CACHES = MSW_NPU_DECODER_CACHES };

typedef struct decoder {
    msw_decoder shape;
    msw_npu_op *next;
    msw_arena *arena;
    uint64_t tokens, context; /* new; attended to */
    bool failed;
} decoder;

static msw_npu_side side(uint32_t tensor, uint64_t rows, uint64_t channels)
{
    return (msw_npu_side){tensor, MSW_NPU_VIEW_ROWS, rows, 0, 1, channels, 0};
}

static const char *name_of(decoder *d, int layer, const char *what)
{
    char *name = msw_arena_take(d->arena, NAME_BYTES);
    if (name)
        snprintf(name, NAME_BYTES, "l%d_%s", layer, what);
    d->failed |= !name;
    return name;
}

/* tokens x inputs times inputs x outputs. */
static msw_npu_op *add_product(decoder *d, const char *name, uint32_t from, uint64_t inputs,
                               uint32_t to, uint64_t outputs)
{
    msw_npu_op *op = d->next++;
    *op = (msw_npu_op){.name = name,
                       .rows = d->tokens,
                       .cols = 1,
                       .groups = 1,
                       .filters = outputs,
                       .channels = inputs,
                       .kernel_rows = 1,
                       .kernel_cols = 1,
                       .stride_rows = 1,
                       .repeat = 1,
                       .input = side(from, d->tokens, inputs),
                       .output = side(to, d->tokens, outputs)};
    return op;
}

/* The same into a cache, whose last rows are the new tokens. */
static void add_cached(decoder *d, const char *name, uint32_t cache)
{
    uint64_t outputs = d->shape.kv_heads * d->shape.head;
    msw_npu_op *op = add_product(d, name, STREAM, d->shape.hidden, cache, outputs);
    op->output.rows = d->context;
    op->output.first_row = d->context - d->tokens;
}

/* What heads that share keys and values have in common lies by them. */
static void group(msw_npu_side *side, uint64_t sharing, uint64_t hidden)
{
    side->channels = hidden;
    if (sharing == 1)
        return;
    side->view = MSW_NPU_VIEW_GROUPED;
    side->rows *= sharing;
}

static void add_attention(decoder *d, const char *scores, const char *mix, uint32_t keys,
                          uint32_t values)
{
    uint64_t sharing = d->shape.heads / d->shape.kv_heads, hidden = d->shape.heads * d->shape.head;
    msw_npu_op *op = add_product(d, scores, QUERY, d->shape.head, SCORES, d->context);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_KEYS;
    op->second_tensor = keys;
    group(&op->input, sharing, hidden);
    op->output.view = MSW_NPU_VIEW_GROUPED;
    op->output.rows = op->rows;
    op = add_product(d, mix, SCORES, d->context, CONTEXT, d->shape.head);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_VALUES;
    op->second_tensor = values;
    op->input.view = MSW_NPU_VIEW_GROUPED;
    op->input.rows = op->rows;
    group(&op->output, sharing, hidden);
}

static void add_layer(decoder *d, int layer)
{
    uint32_t keys = CACHES + 2 * (uint32_t)layer, values = keys + 1;
    uint64_t hidden = d->shape.hidden, queries = d->shape.heads * d->shape.head;
    add_product(d, name_of(d, layer, "q"), STREAM, hidden, QUERY, queries);
    add_cached(d, name_of(d, layer, "k"), keys);
    add_cached(d, name_of(d, layer, "v"), values);
    add_attention(d, name_of(d, layer, "qk"), name_of(d, layer, "av"), keys, values);
    add_product(d, name_of(d, layer, "o"), CONTEXT, queries, STREAM, hidden);
    add_product(d, name_of(d, layer, "gate"), STREAM, hidden, GATE, d->shape.inner);
    add_product(d, name_of(d, layer, "up"), STREAM, hidden, UP, d->shape.inner);
    add_product(d, name_of(d, layer, "down"), GATE, d->shape.inner, STREAM, hidden);
}

/* Only the last token's next word is wanted. */
static void add_head(decoder *d)
{
    msw_npu_op *op = add_product(d, "head", STREAM, d->shape.hidden, LOGITS, d->shape.words);
    op->rows = 1;
    op->input.first_row = d->tokens - 1;
    op->output.rows = 1;
}

static void size_tensors(const decoder *d, uint64_t *tensors)
{
    const msw_decoder *s = &d->shape;
    tensors[STREAM] = d->tokens * s->hidden;
    tensors[QUERY] = tensors[CONTEXT] = d->tokens * s->heads * s->head;
    tensors[SCORES] = s->heads * d->tokens * d->context;
    tensors[GATE] = tensors[UP] = d->tokens * s->inner;
    tensors[LOGITS] = s->words;
    for (uint64_t i = 0; i < 2 * s->layers; i++)
        tensors[CACHES + i] = d->context * s->kv_heads * s->head;
}

int msw_npu_decoder(const msw_decoder *shape, uint64_t tokens, uint64_t context, msw_arena *arena,
                    msw_npu_network *network, msw_err *err)
{
    size_t op_count = shape->layers * OPS_PER_LAYER + 1, tensor_count = CACHES + 2 * shape->layers;
    msw_npu_op *ops = msw_arena_zero(arena, op_count, sizeof *ops);
    uint64_t *tensors = msw_arena_zero(arena, tensor_count, sizeof *tensors);
    decoder d = {*shape, ops, arena, tokens, context, !ops || !tensors};
    if (d.failed)
        return msw_fail_memory(err);
    for (uint64_t layer = 0; layer < shape->layers; layer++)
        add_layer(&d, (int)layer);
    add_head(&d);
    size_tensors(&d, tensors);
    *network = (msw_npu_network){ops, tensors, op_count, tensor_count, NULL};
    return d.failed ? msw_fail_memory(err) : 0;
}
