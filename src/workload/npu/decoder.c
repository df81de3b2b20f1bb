/* SPDX-License-Identifier: MIT */
/* Decoders as operators: layers of attention and of a feed-forward with or without a gate, or of
 * experts; element-wise operators are fused, or operators too.
 *
 * Each layer has a key and a value cache, token after token, all heads of a token side by side. The
 * new tokens' keys and values are written into it, attention then reads the whole context (prefill
 * without skipping what the causal mask hides). Where heads share keys and values, queries and what
 * comes of them lie by those they share, and a group of them is one product. Other activations
 * share buffers over layers. */
#include "workload/npu/parts.h"

#include <stdio.h>

enum { OPS_PER_LAYER = 28, NAME_BYTES = 32, WHAT_BYTES = 16 };

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

/* And those that only operators without products or a training step distinguish. */
enum {
    MIDDLE = CACHES, /* the stream between attention and feed-forward */
    NORMED,          /* what attention reads */
    NORMED_MIDDLE,   /* what the feed-forward reads */
    ATTENDED,        /* what attention adds to the stream */
    FORWARDED,       /* what the feed-forward adds */
    SET_SIZE
};

typedef struct decoder {
    msw_decoder shape;
    msw_npu_op *next;
    msw_arena *arena;
    uint64_t tokens, context, batch; /* new; attended to; sequences */
    uint64_t attended;               /* by the present layer */
    bool vectors, training;
    uint32_t sets; /* of tensors beyond the caches: one, or one for each layer and the head */
    uint32_t layer;
    bool failed;
} decoder;

/* The number of a tensor of the present layer. */
static uint32_t tensor_of(const decoder *d, uint32_t which)
{
    if (d->training)
        return d->sets + d->layer * SET_SIZE + which;
    if (which < CACHES)
        return which;
    if (!d->vectors || which == MIDDLE)
        return STREAM;
    return d->sets + which;
}

/* What products read in place of the stream, and write in place of adding to it. */
static uint32_t when_vectors(const decoder *d, uint32_t yes, uint32_t no)
{
    return tensor_of(d, d->vectors ? yes : no);
}

/* The stream behind the present layer. */
static uint32_t next_stream(decoder *d)
{
    d->layer++;
    uint32_t stream = tensor_of(d, STREAM);
    d->layer--;
    return stream;
}

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

/* Reads rows of `from` and all of `other`, writes as many rows of `to`. */
static void add_vector(decoder *d, const char *name, const msw_npu_side *from, uint32_t other,
                       const msw_npu_side *to)
{
    if (!d->vectors)
        return;
    *d->next++ =
        (msw_npu_op){.name = name,
                     .rows = to->rows,
                     .cols = 1,
                     .groups = 1,
                     .filters = to->channels,
                     .channels = from->channels,
                     .kernel_rows = 1,
                     .kernel_cols = 1,
                     .stride_rows = 1,
                     .repeat = 1,
                     .input = *from,
                     .output = *to,
                     .vector = true,
                     .other = other,
                     .other_elements = other == MSW_NPU_NO_TENSOR ? 0 : to->rows * to->channels};
}

/* The same where all have as many channels for each of `rows`. */
static void add_rows(decoder *d, int layer, const char *what, uint32_t from, uint32_t other,
                     uint32_t to, uint64_t rows, uint64_t channels)
{
    msw_npu_side sides[2] = {side(from, rows, channels), side(to, rows, channels)};
    add_vector(d, d->vectors ? name_of(d, layer, what) : NULL, &sides[0], other, &sides[1]);
}

/* The same into a cache, whose last rows are the new tokens. */
static void add_cached(decoder *d, const char *name, uint32_t cache)
{
    uint64_t outputs = d->shape.kv_heads * d->shape.head;
    msw_npu_op *op =
        add_product(d, name, when_vectors(d, NORMED, STREAM), d->shape.hidden, cache, outputs);
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

static void add_attention(decoder *d, int layer, uint32_t queries, uint32_t keys, uint32_t values)
{
    uint64_t sharing = d->shape.heads / d->shape.kv_heads, hidden = d->shape.heads * d->shape.head;
    uint64_t value = d->shape.latent ? d->shape.latent : d->shape.head;
    uint32_t between = tensor_of(d, SCORES);
    const char *name = name_of(d, layer, "qk");
    msw_npu_op *op = add_product(d, name, queries, d->shape.head, between, d->attended);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_KEYS;
    op->second_tensor = keys;
    group(&op->input, sharing, hidden);
    op->output.view = MSW_NPU_VIEW_GROUPED;
    op->output.rows = op->rows;
    add_rows(d, (int)d->layer, "softmax", between, MSW_NPU_NO_TENSOR, between,
             d->tokens * d->shape.heads, d->attended);
    name = name_of(d, layer, "av");
    op = add_product(d, name, between, d->attended, tensor_of(d, CONTEXT), value);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_VALUES;
    op->second_tensor = values;
    op->input.view = MSW_NPU_VIEW_GROUPED;
    op->input.rows = op->rows;
    group(&op->output, sharing, d->shape.heads * value);
}

/* One head's weights for each of `groups`: what a matrix of all heads is that keys or values would
 * be made with, applied to queries or to what comes of them instead. */
static void add_heads(decoder *d, const char *name, uint32_t from, uint64_t each, uint64_t of,
                      uint32_t to, uint64_t outputs)
{
    uint64_t heads = d->shape.heads;
    msw_npu_op *op = add_product(d, name, from, each, to, outputs);
    op->groups = heads;
    op->input.channels = heads * of;
    op->output.channels = heads * outputs;
}

/* Latent attention (arXiv:2405.04434, section 2.1), weights of keys and values absorbed: all heads
 * share one key, of which the first part is the value, too. */
static void add_latent(decoder *d, int layer, uint32_t from, uint32_t cache)
{
    const msw_decoder whole = d->shape;
    uint64_t query = whole.plain_query + whole.turned, key = whole.latent + whole.turned;
    uint32_t down = tensor_of(d, GATE), wide = tensor_of(d, UP), narrow = tensor_of(d, QUERY);
    uint64_t inputs = whole.query_latent ? whole.query_latent : whole.hidden;
    if (whole.query_latent)
        add_product(d, name_of(d, layer, "qa"), from, whole.hidden, down, inputs);
    add_product(d, name_of(d, layer, "q"), whole.query_latent ? down : from, inputs, narrow,
                whole.heads * query);
    d->shape.kv_heads = 1, d->shape.head = key;
    add_cached(d, name_of(d, layer, "kv"), cache);
    add_heads(d, name_of(d, layer, "qk_up"), narrow, whole.plain_query, query, wide, whole.latent);
    add_attention(d, layer, wide, cache, cache);
    d->shape = whole;
    add_heads(d, name_of(d, layer, "v_up"), tensor_of(d, CONTEXT), whole.latent, whole.latent,
              narrow, whole.value_head);
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
    uint32_t from = when_vectors(d, NORMED_MIDDLE, MIDDLE), gate = tensor_of(d, GATE);
    uint32_t to = d->vectors ? tensor_of(d, FORWARDED) : next_stream(d), up = tensor_of(d, UP);
    char what[4][WHAT_BYTES];
    snprintf(what[0], WHAT_BYTES, "%sgate", whose);
    snprintf(what[1], WHAT_BYTES, "%sup", whose);
    snprintf(what[2], WHAT_BYTES, "%sdown", whose);
    snprintf(what[3], WHAT_BYTES, "%sgated", whose);
    if (!d->shape.plain)
        add_product(d, name_of(d, layer, what[0]), from, hidden, gate, inner);
    add_product(d, name_of(d, layer, what[1]), from, hidden, d->shape.plain ? gate : up, inner);
    if (!d->shape.plain)
        add_rows(d, layer, what[3], gate, up, gate, d->tokens, inner);
    add_product(d, name_of(d, layer, what[2]), gate, inner, to, hidden);
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
    uint32_t sent = tensor_of(d, SENT), inside = tensor_of(d, INSIDE);
    if (!d->shape.plain)
        add_expert(d, set, name_of(d, layer, "experts_gate"), sent, hidden, inside, inner);
    add_expert(d, set, name_of(d, layer, "experts_up"), sent, hidden, inside, inner);
    add_expert(d, set, name_of(d, layer, "experts_down"), inside, inner, sent, hidden);
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
    uint32_t from = when_vectors(d, NORMED_MIDDLE, MIDDLE), back = tensor_of(d, SENT);
    msw_npu_side in = side(from, d->tokens, s->hidden);
    msw_npu_side out = side(back, d->tokens, s->active * s->hidden);
    add_product(d, name_of(d, layer, "router"), from, s->hidden, tensor_of(d, ROUTES), s->experts);
    add_vector(d, d->vectors ? name_of(d, layer, "send") : NULL, &in, MSW_NPU_NO_TENSOR, &out);
    add_set(d, layer, &first);
    add_set(d, layer, &second);
    if (s->shared)
        add_feed_forward(d, layer, s->shared, "shared_");
    in = side(next_stream(d), d->tokens, s->hidden);
    add_vector(d, d->vectors ? name_of(d, layer, "collect") : NULL, &out,
               s->shared ? tensor_of(d, FORWARDED) : MSW_NPU_NO_TENSOR, &in);
}

/* ---- all ---- */

static void add_layer(decoder *d, int layer)
{
    d->attended = attended_in(d, layer);
    d->layer = (uint32_t)layer;
    uint32_t stream = tensor_of(d, STREAM), middle = tensor_of(d, MIDDLE);
    uint32_t from = when_vectors(d, NORMED, STREAM);
    uint32_t keys = CACHES + 2 * (uint32_t)layer, values = keys + 1;
    uint64_t hidden = d->shape.hidden, queries = d->shape.heads * d->shape.head;
    add_rows(d, layer, "norm", stream, MSW_NPU_NO_TENSOR, from, d->tokens, hidden);
    if (d->shape.latent) {
        add_latent(d, layer, from, keys);
        queries = d->shape.heads * d->shape.value_head;
    } else {
        add_product(d, name_of(d, layer, "q"), from, hidden, tensor_of(d, QUERY), queries);
        add_cached(d, name_of(d, layer, "k"), keys);
        add_cached(d, name_of(d, layer, "v"), values);
        add_attention(d, layer, tensor_of(d, QUERY), keys, values);
    }
    add_product(d, name_of(d, layer, "o"), tensor_of(d, d->shape.latent ? QUERY : CONTEXT), queries,
                when_vectors(d, ATTENDED, MIDDLE), hidden);
    add_rows(d, layer, "add", stream, tensor_of(d, ATTENDED), middle, d->tokens, hidden);
    add_rows(d, layer, "norm2", middle, MSW_NPU_NO_TENSOR, tensor_of(d, NORMED_MIDDLE), d->tokens,
             hidden);
    if (kind_of(&d->shape, layer) & MSW_DECODER_EXPERTS) {
        add_experts(d, layer);
        return;
    }
    add_feed_forward(d, layer, d->shape.inner, "");
    add_rows(d, layer, "add2", middle, tensor_of(d, FORWARDED), next_stream(d), d->tokens, hidden);
}

/* Only the last token's next word is wanted; of a training step, that of each. */
static void add_head(decoder *d)
{
    uint64_t rows = d->training ? d->tokens : 1, hidden = d->shape.hidden;
    d->layer = (uint32_t)d->shape.layers;
    uint32_t from = when_vectors(d, NORMED, STREAM);
    add_rows(d, (int)d->layer, "norm", tensor_of(d, STREAM), MSW_NPU_NO_TENSOR, from, d->tokens,
             hidden);
    msw_npu_op *op = add_product(d, "head", from, hidden, tensor_of(d, LOGITS), d->shape.words);
    op->rows = rows;
    op->input.first_row = d->tokens - rows;
    op->output.rows = rows;
}

static void size_set(const decoder *d, uint64_t *set)
{
    const msw_decoder *s = &d->shape;
    set[STREAM] = d->tokens * s->hidden;
    set[QUERY] = set[CONTEXT] = d->tokens * s->heads * s->head;
    set[SCORES] = s->heads * d->tokens * d->context;
    set[GATE] = set[UP] = d->tokens * msw_max_u64(s->inner, s->shared);
    if (s->latent) {
        set[QUERY] = d->tokens * s->heads * msw_max_u64(s->plain_query + s->turned, s->value_head);
        set[CONTEXT] = d->tokens * s->heads * s->latent;
        set[GATE] = msw_max_u64(set[GATE], d->tokens * s->query_latent);
        set[UP] = msw_max_u64(set[UP], d->tokens * s->heads * (s->latent + s->turned));
    }
    set[LOGITS] = (d->training ? d->tokens : 1) * s->words;
    set[ROUTES] = d->tokens * s->experts;
    set[SENT] = d->tokens * s->active * s->hidden;
    set[INSIDE] = d->tokens * s->active * s->expert_inner;
}

/* Beyond the set that all layers share. */
static void size_more(const decoder *d, uint64_t *set)
{
    for (int i = MIDDLE; i < SET_SIZE; i++)
        set[i] = d->tokens * d->shape.hidden;
}

/* Parts that a layer or the head of a training step does not have take no memory. */
static void size_own(const decoder *d, uint64_t *set, uint64_t layer)
{
    bool head = layer == d->shape.layers;
    bool experts = !head && kind_of(&d->shape, (int)layer) & MSW_DECODER_EXPERTS;
    size_set(d, set);
    size_more(d, set);
    for (int i = QUERY; i < SET_SIZE; i++)
        if (head ? i != LOGITS && i != NORMED : i == LOGITS)
            set[i] = 0;
    if (!experts)
        set[ROUTES] = set[SENT] = set[INSIDE] = 0;
    if (experts && !d->shape.shared)
        set[GATE] = set[UP] = 0;
    if (d->shape.plain)
        set[UP] = 0;
    if (!d->vectors)
        set[NORMED] = set[NORMED_MIDDLE] = set[ATTENDED] = set[FORWARDED] = 0;
}

static void size_tensors(const decoder *d, uint64_t *tensors)
{
    const msw_decoder *s = &d->shape;
    for (uint64_t i = 0; i < 2 * s->layers; i++)
        tensors[CACHES + i] =
            attended_in(d, (int)i / 2) *
            (s->latent ? (i % 2 ? 0 : s->latent + s->turned) : s->kv_heads * s->head);
    for (uint64_t l = 0; l <= s->layers && d->training; l++)
        size_own(d, tensors + d->sets + l * SET_SIZE, l);
    if (d->training)
        return;
    size_set(d, tensors);
    if (d->vectors)
        size_more(d, tensors + d->sets);
}

int msw_npu_decoder(const msw_decoder *shape, const msw_npu_decoding *decoding, msw_arena *arena,
                    msw_npu_network *network, msw_err *err)
{
    size_t op_count = shape->layers * OPS_PER_LAYER + 2, sets = CACHES + 2 * shape->layers;
    size_t tensor_count = sets + (decoding->training  ? (shape->layers + 1) * SET_SIZE
                                  : decoding->vectors ? SET_SIZE
                                                      : 0);
    msw_npu_op *ops = msw_arena_zero(arena, op_count, sizeof *ops);
    uint64_t *tensors = msw_arena_zero(arena, tensor_count, sizeof *tensors);
    decoder d = {.shape = *shape,
                 .next = ops,
                 .arena = arena,
                 .tokens = decoding->tokens,
                 .context = decoding->context,
                 .batch = decoding->batch,
                 .vectors = decoding->vectors,
                 .training = decoding->training,
                 .sets = (uint32_t)sets,
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
