/* A decoder of the size of LLaMA-7B (arXiv:2302.13971): 32 layers, hidden 4096, 32 heads of 128,
 * feed-forward 11008 with a gate, vocabulary 32000; element-wise operators are fused.
 *
 * Each layer has a key and a value cache, token after token, all heads of a token side by side. The
 * new tokens' keys and values are written into it, attention then reads the whole context (prefill
 * without skipping what the causal mask hides). Other activations share buffers over layers. */
#include "workload/npu/parts.h"

#include <stdio.h>

enum {
    LAYERS = 32,
    HIDDEN = 4096,
    HEADS = 32,
    HEAD = HIDDEN / HEADS,
    INNER = 11008,
    WORDS = 32000
};
enum { OPS_PER_LAYER = 9, NAME_BYTES = 16 };

/* Tensors by number; the caches of all layers follow. */
enum { STREAM, QUERY, SCORES, CONTEXT, GATE, UP, LOGITS, CACHES };

typedef struct decoder {
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
    msw_npu_op *op = add_product(d, name, STREAM, HIDDEN, cache, HIDDEN);
    op->output.rows = d->context;
    op->output.first_row = d->context - d->tokens;
}

static void add_attention(decoder *d, const char *scores, const char *mix, uint32_t keys,
                          uint32_t values)
{
    msw_npu_op *op = add_product(d, scores, QUERY, HEAD, SCORES, d->context);
    op->groups = HEADS;
    op->second = MSW_NPU_KEYS;
    op->second_tensor = keys;
    op->input.channels = HIDDEN;
    op->output.view = MSW_NPU_VIEW_GROUPED;
    op = add_product(d, mix, SCORES, d->context, CONTEXT, HEAD);
    op->groups = HEADS;
    op->second = MSW_NPU_VALUES;
    op->second_tensor = values;
    op->input.view = MSW_NPU_VIEW_GROUPED;
    op->output.channels = HIDDEN;
}

static void add_layer(decoder *d, int layer)
{
    uint32_t keys = CACHES + 2 * (uint32_t)layer, values = keys + 1;
    add_product(d, name_of(d, layer, "q"), STREAM, HIDDEN, QUERY, HIDDEN);
    add_cached(d, name_of(d, layer, "k"), keys);
    add_cached(d, name_of(d, layer, "v"), values);
    add_attention(d, name_of(d, layer, "qk"), name_of(d, layer, "av"), keys, values);
    add_product(d, name_of(d, layer, "o"), CONTEXT, HIDDEN, STREAM, HIDDEN);
    add_product(d, name_of(d, layer, "gate"), STREAM, HIDDEN, GATE, INNER);
    add_product(d, name_of(d, layer, "up"), STREAM, HIDDEN, UP, INNER);
    add_product(d, name_of(d, layer, "down"), GATE, INNER, STREAM, HIDDEN);
}

/* Only the last token's next word is wanted. */
static void add_head(decoder *d)
{
    msw_npu_op *op = add_product(d, "head", STREAM, HIDDEN, LOGITS, WORDS);
    op->rows = 1;
    op->input.first_row = d->tokens - 1;
    op->output.rows = 1;
}

static void size_tensors(const decoder *d, uint64_t *tensors)
{
    tensors[STREAM] = tensors[QUERY] = tensors[CONTEXT] = d->tokens * HIDDEN;
    tensors[SCORES] = HEADS * d->tokens * d->context;
    tensors[GATE] = tensors[UP] = d->tokens * INNER;
    tensors[LOGITS] = WORDS;
    for (int i = 0; i < 2 * LAYERS; i++)
        tensors[CACHES + i] = d->context * HIDDEN;
}

int msw_npu_decoder(const msw_npu_config *config, msw_arena *arena, msw_npu_network *network,
                    msw_err *err)
{
    size_t op_count = LAYERS * OPS_PER_LAYER + 1, tensor_count = CACHES + 2 * LAYERS;
    uint64_t context = (uint64_t)config->context;
    msw_npu_op *ops = msw_arena_zero(arena, op_count, sizeof *ops);
    uint64_t *tensors = msw_arena_zero(arena, tensor_count, sizeof *tensors);
    decoder d = {ops, arena, config->phase == MSW_NPU_DECODE ? 1 : context, context,
                 !ops || !tensors};
    if (d.failed)
        return msw_fail_memory(err);
    for (int layer = 0; layer < LAYERS; layer++)
        add_layer(&d, layer);
    add_head(&d);
    size_tensors(&d, tensors);
    *network = (msw_npu_network){ops, tensors, op_count, tensor_count, NULL};
    return d.failed ? msw_fail_memory(err) : 0;
}
