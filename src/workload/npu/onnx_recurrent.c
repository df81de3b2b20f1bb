/* SPDX-License-Identifier: MIT */
/* Turns ONNX's recurrent layers into rows of an operator table, and sums that are said by the names
 * of their dimensions (Einsum): products where they are matrix products. */
#include "workload/npu/onnx.h"

#include <string.h>

/* A product of one direction with its weights, in `steps` of `rows` each. */
static msw_npu_row *add_gates(msw_onnx *m, const msw_onnx_value *from, const uint64_t size[3],
                              uint64_t steps)
{
    msw_onnx_value made = {.name = m->node.op, .rank = 2, .dims = {size[0] * steps, size[1]}};
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_GEMM, &made);
    if (!row)
        return NULL;
    row->m = size[0], row->n = size[1], row->k = size[2];
    row->seq = steps;
    row->inputs[0] = (uint32_t)from->row, row->makers[0] = (uint32_t)from->maker;
    row->input_count = 1;
    return row;
}

/* Input weights for all steps at once, then the states' weights step by step, in each direction;
 * cells make the outputs of both. */
static int recurrent(msw_onnx *m, uint64_t gates)
{
    const msw_onnx_value *x = m->in[0], *w = m->in[1], *r = m->in[2];
    if (x->rank != 3 || w->rank != 3 || r->rank != 3 || !w->constant || !r->constant ||
        x->constant || msw_onnx_int(m, "layout", 0) || x->dims[1] != 1)
        return msw_onnx_refuse(m,
                               "allowed: an activation of steps x 1 x values (layout 0, the batch "
                               "is said by /b2), constant weights of three dimensions");
    uint64_t steps = x->dims[0], ways = w->dims[0], hidden = r->dims[2];
    if (!steps || !ways || ways > 2 || !hidden ||
        (uint64_t)msw_onnx_int(m, "hidden_size", (int64_t)hidden) != hidden ||
        w->dims[1] != gates * hidden || r->dims[1] != w->dims[1] || r->dims[0] != ways ||
        w->dims[2] != x->dims[2])
        return msw_onnx_refuse(m, "weights that do not fit each other or the input");
    const uint64_t shapes[3][4] = {{steps, ways, 1, hidden}, {ways, 1, hidden}, {ways, 1, hidden}};
    for (uint32_t i = 0; i < m->node.output_count && i < 3; i++)
        if (m->out[i] && msw_onnx_set(m, m->out[i], shapes[i], i ? 3 : 4))
            return -1;
    uint32_t last[2], count = 0;
    for (uint64_t way = 0; way < ways; way++) {
        if (!add_gates(m, x, (uint64_t[]){steps, gates * hidden, x->dims[2]}, 1))
            return -1;
        msw_onnx_value before = {.row = (int64_t)m->row_count - 1};
        before.maker = before.row;
        if (!add_gates(m, &before, (uint64_t[]){1, gates * hidden, hidden}, steps))
            return -1;
        last[count++] = (uint32_t)m->row_count - 1;
    }
    msw_onnx_value made = {.name = m->node.op, .rank = 2, .dims = {steps, ways * hidden}};
    msw_npu_row *cells = msw_onnx_row(m, MSW_NPU_KIND_MAKES, &made);
    if (!cells)
        return -1;
    cells->input_count = 0;
    for (uint32_t i = 0; i < count; i++)
        cells->inputs[i] = cells->makers[i] = last[i], cells->input_count++;
    cells->vec_ops = 10 * cells->out_elems; /* as in operator tables */
    for (uint32_t i = 0; i < m->node.output_count && i < 3; i++)
        if (m->out[i])
            m->out[i]->row = m->out[i]->maker = made.row;
    return 0;
}

int msw_onnx_lstm(msw_onnx *m)
{
    return recurrent(m, 4);
}

int msw_onnx_gru(msw_onnx *m)
{
    return recurrent(m, 3);
}

int msw_onnx_rnn(msw_onnx *m)
{
    return recurrent(m, 1);
}

/* ---- Einsum ---- */

enum { LETTERS = 26, PARTS = 3 };

/* The sizes of a sum's letters, and in which of two inputs and the output they are: bits 1, 2, 4.
 */
typedef struct letters {
    uint64_t size[LETTERS];
    uint8_t where[LETTERS];
    uint64_t dims[MSW_ONNX_RANK]; /* of the output */
    int rank;
} letters;

static int read_letter(msw_onnx *m, letters *l, char c, int part, int *at)
{
    if (c < 'a' || c > 'z')
        return msw_onnx_refuse(m,
                               "equation: found '%c', allowed: two terms of small letters, -> "
                               "and those of the output",
                               c);
    int i = c - 'a', bit = 1 << part;
    if (l->where[i] & bit)
        return msw_onnx_refuse(m, "equation: '%c' twice in a term, which is not modelled", c);
    if (part < 2 && *at >= m->in[part]->rank)
        return msw_onnx_refuse(m, "equation: more letters than dimensions");
    uint64_t size = part < 2 ? m->in[part]->dims[*at] : l->size[i];
    if (l->where[i] && part < 2 && l->size[i] != size)
        return msw_onnx_refuse(m, "equation: '%c' is %llu and %llu", c,
                               (unsigned long long)l->size[i], (unsigned long long)size);
    if (part == 2 && (!l->where[i] || l->rank == MSW_ONNX_RANK))
        return msw_onnx_refuse(m, "equation: '%c' is in no term", c);
    l->size[i] = size;
    l->where[i] |= (uint8_t)bit;
    if (part == 2)
        l->dims[l->rank++] = size;
    ++*at;
    return 0;
}

static int read_equation(msw_onnx *m, const msw_onnx_attribute *equation, letters *l)
{
    int part = 0, at = 0;
    size_t size = (size_t)(equation->text.end - equation->text.at);
    for (size_t i = 0; i < size; i++) {
        char c = (char)equation->text.at[i];
        bool arrow = c == '-' && i + 1 < size && equation->text.at[i + 1] == '>';
        if (c == ' ')
            continue;
        if ((c == ',' && part == 0) || (arrow && part == 1)) {
            if (at != m->in[part]->rank)
                return msw_onnx_refuse(m, "equation: fewer letters than dimensions");
            part++;
            at = 0;
            i += arrow;
            continue;
        }
        MSW_TRY(read_letter(m, l, c, part, &at));
    }
    return part == PARTS - 1 ? 0 : msw_onnx_refuse(m, "equation: allowed: two terms and an output");
}

int msw_onnx_einsum(msw_onnx *m)
{
    const msw_onnx_attribute *equation = msw_onnx_attribute_of(m, "equation");
    letters l = {.rank = 0};
    msw_onnx_product_size p = {1, 1, 1, 1};
    if (!equation || m->node.input_count != 2)
        return msw_onnx_refuse(m, "allowed: an equation of two terms");
    MSW_TRY(read_equation(m, equation, &l));
    for (int i = 0; i < LETTERS; i++) {
        uint64_t *size[8] = {[3] = &p.k, [5] = &p.m, [6] = &p.n, [7] = &p.count};
        if (l.where[i] && !size[l.where[i]])
            return msw_onnx_refuse(m,
                                   "equation: '%c' is summed in one term alone, which is not "
                                   "modelled",
                                   'a' + i);
        if (l.where[i])
            *size[l.where[i]] *= l.size[i];
    }
    MSW_TRY(msw_onnx_set(m, m->out[0], l.dims, l.rank));
    return msw_onnx_add_product(m, m->in[0], m->in[1], p);
}
