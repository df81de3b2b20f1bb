/* SPDX-License-Identifier: MIT */
/* Decoders and encoders as operators: layers of attention and of a feed-forward with or without a
 * gate, or of experts; element-wise operators are fused, or operators too.
 *
 * Each layer has a key and a value cache, token after token, all heads of a token side by side. The
 * new tokens' keys and values are written into it, attention then reads the whole context (prefill
 * without skipping what the causal mask hides). Where heads share keys and values, queries and what
 * comes of them lie by those they share, and a group of them is one product. Other activations
 * share buffers over layers. */
#include "workload/npu/decoder/parts.h"

#include <stdio.h>

enum { OPS_PER_LAYER = 40, WHAT_BYTES = 16 };

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

/* What products read in place of the stream, and write in place of adding to it. */
static uint32_t when_vectors(const decoder *d, uint32_t yes, uint32_t no)
{
    return msw_decoder_tensor(d, d->vectors ? yes : no);
}

/* The stream behind the present layer. */
static uint32_t next_stream(decoder *d)
{
    d->layer++;
    uint32_t stream = msw_decoder_tensor(d, STREAM);
    d->layer--;
    return stream;
}

/* The same into a cache, whose last rows are the new tokens. */
static void add_cached(decoder *d, const char *name, uint32_t cache)
{
    uint64_t outputs = d->shape.kv_heads * d->shape.head;
    msw_npu_op *op = msw_decoder_product(d, name, when_vectors(d, NORMED, STREAM), d->shape.hidden,
                                         cache, outputs);
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
    uint32_t between = msw_decoder_tensor(d, SCORES);
    const char *name = msw_decoder_name(d, layer, "qk");
    msw_npu_op *op = msw_decoder_product(d, name, queries, d->shape.head, between, d->attended);
    op->rows = d->tokens * sharing;
    op->groups = d->shape.kv_heads;
    op->second = MSW_NPU_KEYS;
    op->second_tensor = keys;
    group(&op->input, sharing, hidden);
    op->output.view = MSW_NPU_VIEW_GROUPED;
    op->output.rows = op->rows;
    msw_decoder_rows(d, (int)d->layer, "softmax", between, MSW_NPU_NO_TENSOR, between,
                     d->tokens * d->shape.heads, d->attended);
    name = msw_decoder_name(d, layer, "av");
    op = msw_decoder_product(d, name, between, d->attended, msw_decoder_tensor(d, CONTEXT), value);
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
    msw_npu_op *op = msw_decoder_product(d, name, from, each, to, outputs);
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
    uint32_t down = msw_decoder_tensor(d, GATE), wide = msw_decoder_tensor(d, UP),
             narrow = msw_decoder_tensor(d, QUERY);
    uint64_t inputs = whole.query_latent ? whole.query_latent : whole.hidden;
    if (whole.query_latent)
        msw_decoder_product(d, msw_decoder_name(d, layer, "qa"), from, whole.hidden, down, inputs);
    msw_decoder_product(d, msw_decoder_name(d, layer, "q"), whole.query_latent ? down : from,
                        inputs, narrow, whole.heads * query);
    d->shape.kv_heads = 1, d->shape.head = key;
    add_cached(d, msw_decoder_name(d, layer, "kv"), cache);
    add_heads(d, msw_decoder_name(d, layer, "qk_up"), narrow, whole.plain_query, query, wide,
              whole.latent);
    add_attention(d, layer, wide, cache, cache);
    d->shape = whole;
    add_heads(d, msw_decoder_name(d, layer, "v_up"), msw_decoder_tensor(d, CONTEXT), whole.latent,
              whole.latent, narrow, whole.value_head);
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
    uint32_t from = when_vectors(d, NORMED_MIDDLE, MIDDLE), gate = msw_decoder_tensor(d, GATE);
    uint32_t to = d->vectors ? msw_decoder_tensor(d, FORWARDED) : next_stream(d),
             up = msw_decoder_tensor(d, UP);
    char what[4][WHAT_BYTES];
    snprintf(what[0], WHAT_BYTES, "%sgate", whose);
    snprintf(what[1], WHAT_BYTES, "%sup", whose);
    snprintf(what[2], WHAT_BYTES, "%sdown", whose);
    snprintf(what[3], WHAT_BYTES, "%sgated", whose);
    if (!d->shape.plain)
        msw_decoder_product(d, msw_decoder_name(d, layer, what[0]), from, hidden, gate, inner);
    msw_decoder_product(d, msw_decoder_name(d, layer, what[1]), from, hidden,
                        d->shape.plain ? gate : up, inner);
    if (!d->shape.plain)
        msw_decoder_rows(d, layer, what[3], gate, up, gate, d->tokens, inner);
    msw_decoder_product(d, msw_decoder_name(d, layer, what[2]), gate, inner, to, hidden);
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
    msw_npu_op *op = msw_decoder_product(d, name, from, inputs, to, outputs);
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
    uint32_t sent = msw_decoder_tensor(d, SENT), inside = msw_decoder_tensor(d, INSIDE);
    if (!d->shape.plain)
        add_expert(d, set, msw_decoder_name(d, layer, "experts_gate"), sent, hidden, inside, inner);
    add_expert(d, set, msw_decoder_name(d, layer, "experts_up"), sent, hidden, inside, inner);
    add_expert(d, set, msw_decoder_name(d, layer, "experts_down"), inside, inner, sent, hidden);
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
    uint32_t from = when_vectors(d, NORMED_MIDDLE, MIDDLE), back = msw_decoder_tensor(d, SENT);
    msw_npu_side in = msw_decoder_side(from, d->tokens, s->hidden);
    msw_npu_side out = msw_decoder_side(back, d->tokens, s->active * s->hidden);
    msw_decoder_product(d, msw_decoder_name(d, layer, "router"), from, s->hidden,
                        msw_decoder_tensor(d, ROUTES), s->experts);
    msw_decoder_vector(d, d->vectors ? msw_decoder_name(d, layer, "send") : NULL, &in,
                       MSW_NPU_NO_TENSOR, &out);
    add_set(d, layer, &first);
    add_set(d, layer, &second);
    if (s->shared)
        add_feed_forward(d, layer, s->shared, "shared_");
    in = msw_decoder_side(next_stream(d), d->tokens, s->hidden);
    msw_decoder_vector(d, d->vectors ? msw_decoder_name(d, layer, "collect") : NULL, &out,
                       s->shared ? msw_decoder_tensor(d, FORWARDED) : MSW_NPU_NO_TENSOR, &in);
}

/* ---- all ---- */

/* What attention gives is multiplied, value by value, by a product of its own. */
static void add_gate(decoder *d, int layer, uint32_t from, uint64_t queries)
{
    uint32_t gate = msw_decoder_tensor(d, UP), context = msw_decoder_tensor(d, CONTEXT);
    if (!d->shape.gated_attention)
        return;
    msw_decoder_product(d, msw_decoder_name(d, layer, "q_gate"), from, d->shape.hidden, gate,
                        queries);
    msw_decoder_rows(d, layer, "gated", context, gate, context, d->tokens, queries);
}

static void add_layer(decoder *d, int layer)
{
    d->attended = attended_in(d, layer);
    d->layer = (uint32_t)layer;
    uint32_t stream = msw_decoder_tensor(d, STREAM), middle = msw_decoder_tensor(d, MIDDLE);
    uint32_t from = when_vectors(d, NORMED, STREAM);
    uint32_t keys = (uint32_t)CACHES + 2 * (uint32_t)layer, values = keys + 1;
    uint64_t hidden = d->shape.hidden, queries = d->shape.heads * d->shape.head;
    msw_decoder_rows(d, layer, "norm", stream, MSW_NPU_NO_TENSOR, from, d->tokens, hidden);
    if (kind_of(&d->shape, layer) & MSW_DECODER_STATE) {
        queries = msw_decoder_state(d, layer, from);
    } else if (d->shape.latent) {
        add_latent(d, layer, from, keys);
        queries = d->shape.heads * d->shape.value_head;
    } else {
        msw_decoder_product(d, msw_decoder_name(d, layer, "q"), from, hidden,
                            msw_decoder_tensor(d, QUERY), queries);
        add_cached(d, msw_decoder_name(d, layer, "k"), keys);
        add_cached(d, msw_decoder_name(d, layer, "v"), values);
        add_attention(d, layer, msw_decoder_tensor(d, QUERY), keys, values);
        add_gate(d, layer, from, queries);
    }
    msw_decoder_product(d, msw_decoder_name(d, layer, "o"),
                        msw_decoder_tensor(d, d->shape.latent ? QUERY : CONTEXT), queries,
                        when_vectors(d, ATTENDED, MIDDLE), hidden);
    msw_decoder_rows(d, layer, "add", stream, msw_decoder_tensor(d, ATTENDED), middle, d->tokens,
                     hidden);
    msw_decoder_rows(d, layer, "norm2", middle, MSW_NPU_NO_TENSOR,
                     msw_decoder_tensor(d, NORMED_MIDDLE), d->tokens, hidden);
    if (kind_of(&d->shape, layer) & MSW_DECODER_EXPERTS) {
        add_experts(d, layer);
        return;
    }
    if (!d->shape.inner)
        return;
    add_feed_forward(d, layer, d->shape.inner, "");
    msw_decoder_rows(d, layer, "add2", middle, msw_decoder_tensor(d, FORWARDED), next_stream(d),
                     d->tokens, hidden);
}

static uint64_t outputs_of(const msw_decoder *shape)
{
    return shape->encoder ? shape->pooled : shape->words;
}

/* Only the last token's next word is wanted; of a training step, that of each. */
static void add_head(decoder *d)
{
    uint64_t rows = d->training ? d->tokens : 1, hidden = d->shape.hidden;
    d->layer = (uint32_t)d->shape.layers;
    uint32_t from = when_vectors(d, NORMED, STREAM);
    msw_decoder_rows(d, (int)d->layer, "norm", msw_decoder_tensor(d, STREAM), MSW_NPU_NO_TENSOR,
                     from, d->tokens, hidden);
    if (d->shape.encoder && !d->shape.pooled)
        return;
    msw_npu_op *op = msw_decoder_product(d, d->shape.encoder ? "pooled" : "head", from, hidden,
                                         msw_decoder_tensor(d, LOGITS), outputs_of(&d->shape));
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
    set[LOGITS] = (d->training ? d->tokens : 1) * outputs_of(s);
    set[ROUTES] = d->tokens * s->experts;
    set[SENT] = d->tokens * s->active * s->hidden;
    set[INSIDE] = d->tokens * s->active * s->expert_inner;
    if (s->gated_attention)
        set[UP] = msw_max_u64(set[UP], set[QUERY]);
    msw_decoder_size_state(d, set);
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

/* Keys (`second` false) or values that a layer keeps, or its state. */
static uint64_t kept_of(const decoder *d, int layer, bool second)
{
    const msw_decoder *s = &d->shape;
    if (kind_of(s, layer) & MSW_DECODER_STATE)
        return second ? 0 : s->mixer.heads * s->mixer.key * s->mixer.value;
    uint64_t each = s->latent ? (second ? 0 : s->latent + s->turned) : s->kv_heads * s->head;
    return attended_in(d, layer) * each;
}

static void size_tensors(const decoder *d, uint64_t *tensors)
{
    const msw_decoder *s = &d->shape;
    for (uint64_t i = 0; i < 2 * s->layers; i++)
        tensors[CACHES + i] = kept_of(d, (int)i / 2, i % 2);
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
