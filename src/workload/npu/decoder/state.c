/* SPDX-License-Identifier: MIT */
/* Layers with a state in place of keys and values: linear attention (Gated DeltaNet) and state
 * spaces (Mamba, Mamba-2). docs/models/npu.md, 'Layers with a state':
 *
 * G groups each have a state of K x V values (V of all its heads of values together). A token reads
 * it with its query, q S, and adds k^T v to it; the delta rule reads k S before it adds. n tokens
 * are worked on in pieces of c: what they have of each other is a product of c x c for each head
 * (c > 1), what they have of the state n x K x V. The state is read and written once: between the
 * pieces it stays on the chip.
 *
 * Multiplications of n tokens: n G K V (2, with the delta rule 3), and for c > 1 n c (G K + H v),
 * with the delta rule n c (3 G K + 2 H v), n rounded up to whole pieces. Known value: a token of
 * Mamba-2 130M multiplies 2 x 128 x 1536 times with its state. */
#include "workload/npu/decoder/parts.h"

static uint64_t piece_of(const decoder *d)
{
    return msw_min_u64(d->tokens, d->shape.mixer.chunk);
}

static uint64_t padded_tokens(const decoder *d)
{
    return msw_div_up(d->tokens, piece_of(d)) * piece_of(d);
}

/* rows x channels times channels x filters of each group, all of them activations. */
static msw_npu_op *add_inner(decoder *d, int layer, const char *what, const uint32_t tensors[3],
                             msw_npu_second second, const uint64_t size[4])
{
    uint64_t rows = size[0], channels = size[1], filters = size[2], groups = size[3];
    msw_npu_op *op = msw_decoder_product(d, msw_decoder_name(d, layer, what), tensors[0], channels,
                                         tensors[2], filters);
    op->rows = rows;
    op->groups = groups;
    op->second = second;
    op->second_tensor = tensors[1];
    op->input.rows = op->output.rows = rows;
    op->input.channels = groups * channels;
    op->output.channels = groups * filters;
    return op;
}

/* The same where each group's rows follow those of the group before. */
static void add_piece(decoder *d, int layer, const char *what, const uint32_t tensors[3],
                      msw_npu_second second, const uint64_t size[4])
{
    msw_npu_op *op = add_inner(d, layer, what, tensors, second, size);
    op->input.view = op->output.view = MSW_NPU_VIEW_GROUPED;
    op->input.channels = size[1];
    op->output.channels = size[2];
}

/* What the tokens of a piece have of each other. */
static void add_pieces(decoder *d, int layer)
{
    const msw_mixer *m = &d->shape.mixer;
    uint64_t piece = piece_of(d), pieces = padded_tokens(d) / piece;
    uint32_t query = msw_decoder_tensor(d, QUERY), keys = msw_decoder_tensor(d, SENT);
    uint32_t values = msw_decoder_tensor(d, INSIDE), scores = msw_decoder_tensor(d, SCORES);
    uint32_t context = msw_decoder_tensor(d, CONTEXT);
    uint64_t wide[4] = {piece, m->key, piece, m->groups * pieces};
    uint64_t narrow[4] = {piece, piece, m->value, m->heads * pieces};
    uint64_t key[4] = {piece, piece, m->key, m->groups * pieces};
    if (piece == 1)
        return;
    if (m->corrects) {
        add_piece(d, layer, "kk", (uint32_t[]){keys, keys, scores}, MSW_NPU_KEYS, wide);
        add_piece(d, layer, "tk", (uint32_t[]){scores, keys, keys}, MSW_NPU_VALUES, key);
        add_piece(d, layer, "tv", (uint32_t[]){scores, values, values}, MSW_NPU_VALUES, narrow);
    }
    add_piece(d, layer, "qk", (uint32_t[]){query, keys, scores}, MSW_NPU_KEYS, wide);
    add_piece(d, layer, "av", (uint32_t[]){scores, values, context}, MSW_NPU_VALUES, narrow);
}

/* The products that queries, keys, values and steps come from. */
static void add_front(decoder *d, int layer, uint32_t from)
{
    const msw_mixer *m = &d->shape.mixer;
    uint64_t hidden = d->shape.hidden, inner = m->heads * m->value, key = m->groups * m->key;
    uint32_t query = msw_decoder_tensor(d, QUERY), keys = msw_decoder_tensor(d, SENT);
    uint32_t values = msw_decoder_tensor(d, INSIDE), gate = msw_decoder_tensor(d, UP);
    uint32_t steps = msw_decoder_tensor(d, GATE);
    if (!m->low) {
        msw_decoder_product(d, msw_decoder_name(d, layer, "q"), from, hidden, query, key);
        msw_decoder_product(d, msw_decoder_name(d, layer, "k"), from, hidden, keys, key);
    }
    msw_decoder_product(d, msw_decoder_name(d, layer, "v"), from, hidden, values, inner);
    msw_decoder_product(d, msw_decoder_name(d, layer, "z"), from, hidden, gate, inner);
    if (m->extra)
        msw_decoder_product(d, msw_decoder_name(d, layer, "steps"), from, hidden, steps, m->extra);
    msw_decoder_rows(d, layer, "conv", values, MSW_NPU_NO_TENSOR, values, d->tokens, inner);
    if (!m->low)
        return;
    msw_decoder_product(d, msw_decoder_name(d, layer, "low"), values, inner, query, m->low);
    msw_npu_op *op =
        msw_decoder_product(d, msw_decoder_name(d, layer, "steps"), query, m->narrow, steps, inner);
    op->input.channels = m->low;
}

uint64_t msw_decoder_state(decoder *d, int layer, uint32_t from)
{
    const msw_mixer *m = &d->shape.mixer;
    uint64_t inner = m->heads * m->value, wide = inner / m->groups;
    uint32_t state = (uint32_t)CACHES + 2 * (uint32_t)layer;
    uint32_t query = msw_decoder_tensor(d, QUERY), context = msw_decoder_tensor(d, CONTEXT);
    uint32_t values = msw_decoder_tensor(d, INSIDE), gate = msw_decoder_tensor(d, UP);
    uint32_t keys = m->low ? query : msw_decoder_tensor(d, SENT);
    uint64_t read[4] = {d->tokens, m->key, wide, m->groups};
    uint64_t add[4] = {m->key, d->tokens, wide, m->groups};
    add_front(d, layer, from);
    add_pieces(d, layer);
    if (m->corrects)
        add_inner(d, layer, "recall", (uint32_t[]){keys, state, values}, MSW_NPU_VALUES, read);
    add_inner(d, layer, "read", (uint32_t[]){query, state, context}, MSW_NPU_VALUES, read);
    add_inner(d, layer, "add", (uint32_t[]){keys, values, state}, MSW_NPU_VALUES, add);
    msw_decoder_rows(d, layer, "gated", context, gate, context, d->tokens, inner);
    return inner;
}

static void at_least(uint64_t *size, uint64_t least)
{
    *size = msw_max_u64(*size, least);
}

void msw_decoder_size_state(const decoder *d, uint64_t *set)
{
    const msw_mixer *m = &d->shape.mixer;
    if (!m->heads)
        return;
    uint64_t tokens = padded_tokens(d), inner = m->heads * m->value;
    at_least(&set[QUERY], tokens * msw_max_u64(m->groups * m->key, m->low));
    at_least(&set[SENT], tokens * m->groups * m->key);
    at_least(&set[INSIDE], tokens * inner);
    at_least(&set[UP], tokens * inner);
    at_least(&set[GATE], tokens * (m->low ? inner : m->extra));
    at_least(&set[CONTEXT], tokens * inner);
    at_least(&set[SCORES], tokens * m->heads * piece_of(d));
}
