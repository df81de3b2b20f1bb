/* Decoders as operators: layers of attention and of a feed-forward with or without a gate, or of
 * experts; element-wise operators are fused.
 *
 * Each layer has a key and a value cache, token after token, all heads of a token side by side. The
 * new tokens' keys and values are written into it, attention then reads the whole context (prefill
 * without skipping what the causal mask hides). Where heads share keys and values, queries and what
 * comes of them lie by those they share, and a group of them is one product. Other activations
 * share buffers over layers. */
#include "workload/npu/parts.h"

#include <stdio.h>

enum { OPS_PER_LAYER = 16, NAME_BYTES = 32, WHAT_BYTES = 16 };

const msw_choice msw_decoder_names[MSW_DECODERS + 1] = {
    [MSW_DECODER_LLM7B] = {.name = "llm7b", .doc = "LLaMA-7B (arXiv:2302.13971)"},
    [MSW_DECODER_LLAMA3_8B] = {.name = "llama3_8b",
                               .doc = "Llama 3 8B, 8 heads of keys and values (arXiv:2407.21783)"},
    [MSW_DECODER_LLAMA3_1B] = {.name = "llama3_1b",
                               .doc = "Llama 3.2 1B, 8 heads of keys and values (its published "
                                      "configuration)"},
    {0},
};

const msw_decoder msw_decoders[MSW_DECODERS] = {
    [MSW_DECODER_LLM7B] = {.layers = 32,
                           .hidden = 4096,
                           .heads = 32,
                           .kv_heads = 32,
                           .head = 128,
                           .inner = 11008,
                           .words = 32000},
    [MSW_DECODER_LLAMA3_8B] = {.layers = 32,
                               .hidden = 4096,
                               .heads = 32,
                               .kv_heads = 8,
                               .head = 128,
                               .inner = 14336,
                               .words = 128256},
    [MSW_DECODER_LLAMA3_1B] = {.layers = 16,
                               .hidden = 2048,
                               .heads = 32,
                               .kv_heads = 8,
                               .head = 64,
                               .inner = 8192,
                               .words = 128256},
};

/* Tensors by number; the caches of all layers follow. */
enum {
    STREAM,
    QUERY,
    SCORES,
    CONTEXT,
    GATE,
    UP,
    LOGITS,
    ROUTES,
    SENT,   /* tokens by the experts they go to; what comes back */
    INSIDE, /* of the experts */
    CACHES = MSW_NPU_DECODER_CACHES
};

typedef struct decoder {
    msw_decoder shape;
    msw_npu_op *next;
    msw_arena *arena;
    uint64_t tokens, context, batch; /* new; attended to; sequences */
    uint64_t attended;               /* by the present layer */
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
    op->output.rows = d->attended;
    op->output.first_row = d->attended - d->tokens;
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
    msw_npu_op *op = add_product(d, scores, QUERY, d->shape.head, SCORES, d->attended);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_KEYS;
    op->second_tensor = keys;
    group(&op->input, sharing, hidden);
    op->output.view = MSW_NPU_VIEW_GROUPED;
    op->output.rows = op->rows;
    op = add_product(d, mix, SCORES, d->attended, CONTEXT, d->shape.head);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_VALUES;
    op->second_tensor = values;
    op->input.view = MSW_NPU_VIEW_GROUPED;
    op->input.rows = op->rows;
    group(&op->output, sharing, hidden);
}

static unsigned kind_of(const msw_decoder *shape, int layer)
{
    return shape->kinds ? shape->kinds[layer] : 0;
}

/* What a new token attends to in a layer. A prefill computes all, as with the causal mask. */
static uint64_t attended_in(const decoder *d, int layer)
{
    bool window = kind_of(&d->shape, layer) & MSW_DECODER_WINDOW && d->tokens == 1;
    return window ? msw_min_u64(d->context, d->shape.window) : d->context;
}

static void add_feed_forward(decoder *d, int layer, uint64_t inner, const char *whose)
{
    uint64_t hidden = d->shape.hidden;
    char what[3][WHAT_BYTES];
    snprintf(what[0], WHAT_BYTES, "%sgate", whose);
    snprintf(what[1], WHAT_BYTES, "%sup", whose);
    snprintf(what[2], WHAT_BYTES, "%sdown", whose);
    if (!d->shape.plain)
        add_product(d, name_of(d, layer, what[0]), STREAM, hidden, GATE, inner);
    add_product(d, name_of(d, layer, what[1]), STREAM, hidden, d->shape.plain ? GATE : UP, inner);
    add_product(d, name_of(d, layer, what[2]), GATE, inner, STREAM, hidden);
}

/* ---- experts ---- */

/* Experts that all have as many tokens of the batch. */
typedef struct expert_set {
    uint64_t experts, rows, before; /* rows each; rows of the sets before */
    uint64_t idle;                  /* further experts, without tokens */
} expert_set;

static void add_expert(decoder *d, const expert_set *set, const char *name, uint32_t from,
                       uint64_t inputs, uint32_t to, uint64_t outputs)
{
    uint64_t all = d->batch * d->tokens * d->shape.active;
    msw_npu_op *op = add_product(d, name, from, inputs, to, outputs);
    op->rows = set->rows;
    op->groups = set->experts;
    op->whole_batch = true;
    op->more_groups = set->idle;
    op->input.view = op->output.view = MSW_NPU_VIEW_GROUPED;
    /* a group's rows follow those of the group before; the sets before have theirs in front */
    op->input.rows = op->output.rows = set->rows;
    op->input.first_row = op->output.first_row = set->before;
    d->failed |= set->before + set->experts * set->rows > all;
}

static void add_set(decoder *d, int layer, const expert_set *set)
{
    uint64_t hidden = d->shape.hidden, inner = d->shape.expert_inner;
    if (!set->experts)
        return;
    if (!d->shape.plain)
        add_expert(d, set, name_of(d, layer, "experts_gate"), SENT, hidden, INSIDE, inner);
    add_expert(d, set, name_of(d, layer, "experts_up"), SENT, hidden, INSIDE, inner);
    add_expert(d, set, name_of(d, layer, "experts_down"), INSIDE, inner, SENT, hidden);
}

/* Tokens go to experts evenly: as many as there are take part, and none has more than one token
 * more than another. */
static void add_experts(decoder *d, int layer)
{
    const msw_decoder *s = &d->shape;
    uint64_t sent = d->batch * d->tokens * s->active, busy = msw_min_u64(sent, s->experts);
    uint64_t rows = sent / busy, longer = sent % busy;
    expert_set first = {longer, rows + 1, 0, 0};
    expert_set second = {busy - longer, rows, longer * (rows + 1), s->experts - busy};
    add_product(d, name_of(d, layer, "router"), STREAM, s->hidden, ROUTES, s->experts);
    add_set(d, layer, &first);
    add_set(d, layer, &second);
    if (s->shared)
        add_feed_forward(d, layer, s->shared, "shared_");
}

/* ---- all ---- */

static void add_layer(decoder *d, int layer)
{
    d->attended = attended_in(d, layer);
    uint32_t keys = CACHES + 2 * (uint32_t)layer, values = keys + 1;
    uint64_t hidden = d->shape.hidden, queries = d->shape.heads * d->shape.head;
    add_product(d, name_of(d, layer, "q"), STREAM, hidden, QUERY, queries);
    add_cached(d, name_of(d, layer, "k"), keys);
    add_cached(d, name_of(d, layer, "v"), values);
    add_attention(d, name_of(d, layer, "qk"), name_of(d, layer, "av"), keys, values);
    add_product(d, name_of(d, layer, "o"), CONTEXT, queries, STREAM, hidden);
    if (kind_of(&d->shape, layer) & MSW_DECODER_EXPERTS)
        add_experts(d, layer);
    else
        add_feed_forward(d, layer, d->shape.inner, "");
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
    tensors[GATE] = tensors[UP] = d->tokens * msw_max_u64(s->inner, s->shared);
    tensors[LOGITS] = s->words;
    tensors[ROUTES] = d->tokens * s->experts;
    tensors[SENT] = d->tokens * s->active * s->hidden;
    tensors[INSIDE] = d->tokens * s->active * s->expert_inner;
    for (uint64_t i = 0; i < 2 * s->layers; i++)
        tensors[CACHES + i] = attended_in(d, (int)i / 2) * s->kv_heads * s->head;
}

int msw_npu_decoder(const msw_decoder *shape, const msw_npu_decoding *decoding, msw_arena *arena,
                    msw_npu_network *network, msw_err *err)
{
    size_t op_count = shape->layers * OPS_PER_LAYER + 1, tensor_count = CACHES + 2 * shape->layers;
    msw_npu_op *ops = msw_arena_zero(arena, op_count, sizeof *ops);
    uint64_t *tensors = msw_arena_zero(arena, tensor_count, sizeof *tensors);
    decoder d = {.shape = *shape,
                 .next = ops,
                 .arena = arena,
                 .tokens = decoding->tokens,
                 .context = decoding->context,
                 .batch = decoding->batch,
                 .failed = !ops || !tensors};
    if (d.failed)
        return msw_fail_memory(err);
    for (uint64_t layer = 0; layer < shape->layers; layer++)
        add_layer(&d, (int)layer);
    add_head(&d);
    size_tensors(&d, tensors);
    *network = (msw_npu_network){.ops = ops,
                                 .tensors = tensors,
                                 .op_count = (size_t)(d.next - ops),
                                 .tensor_count = tensor_count};
    return d.failed ? msw_fail_memory(err) : 0;
}

/* ---- several devices ---- */

int msw_npu_share(const msw_decoder *whole, uint64_t shards, msw_decoder *part, msw_err *err)
{
    *part = *whole;
    if (shards == 1)
        return 0;
    if (whole->heads % shards || (whole->kv_heads % shards && shards % whole->kv_heads))
        return msw_fail(err,
                        "npu_shards %llu: %llu heads and %llu of keys and values cannot be shared "
                        "out evenly; allowed: divisors of the heads, and of the heads of keys and "
                        "values or multiples of them",
                        (unsigned long long)shards, (unsigned long long)whole->heads,
                        (unsigned long long)whole->kv_heads);
    part->heads = whole->heads / shards;
    part->kv_heads = msw_max_u64(whole->kv_heads / shards, 1);
    part->inner = msw_div_up(whole->inner, shards);
    part->expert_inner = msw_div_up(whole->expert_inner, shards);
    part->shared = msw_div_up(whole->shared, shards);
    part->words = msw_div_up(whole->words, shards);
    return 0;
}
