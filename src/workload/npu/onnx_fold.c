/* SPDX-License-Identifier: MIT */
/* Values of small constants: what models compute to know shapes. */
#include "workload/npu/onnx.h"

#include <math.h>

static double cut(double number)
{
    return number < 0 ? ceil(number) : floor(number);
}

void msw_onnx_fold_same(msw_onnx *m, double *out)
{
    const msw_onnx_value *in = m->in[0];
    int64_t to = msw_onnx_is(m->node.op, "Cast") ? msw_onnx_int(m, "to", 0) : 0;
    bool real = to == 1 || to == 10 || to == 11 || to == 16;
    m->out[0]->whole = to ? !real : in->whole;
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++)
        out[i] = to && !real ? cut(in->data[i]) : in->data[i];
}

static double one(msw_onnx_part op, double x)
{
    if (msw_onnx_is(op, "Floor"))
        return floor(x);
    if (msw_onnx_is(op, "Ceil"))
        return ceil(x);
    if (msw_onnx_is(op, "Neg"))
        return -x;
    if (msw_onnx_is(op, "Abs"))
        return fabs(x);
    if (msw_onnx_is(op, "Sqrt"))
        return sqrt(x);
    return x == 0; /* Not */
}

void msw_onnx_fold_one(msw_onnx *m, double *out)
{
    m->out[0]->whole = m->in[0]->whole;
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++)
        out[i] = one(m->node.op, m->in[0]->data[i]);
}

static double two(msw_onnx_part op, double a, double b, bool whole)
{
    if (msw_onnx_is(op, "Add"))
        return a + b;
    if (msw_onnx_is(op, "Sub"))
        return a - b;
    if (msw_onnx_is(op, "Mul"))
        return a * b;
    if (msw_onnx_is(op, "Div"))
        return whole ? (b != 0 ? cut(a / b) : 0) : a / b;
    if (msw_onnx_is(op, "Mod"))
        return b != 0 ? a - b * floor(a / b) : 0;
    if (msw_onnx_is(op, "Min"))
        return msw_min_f64(a, b);
    if (msw_onnx_is(op, "Max"))
        return msw_max_f64(a, b);
    if (msw_onnx_is(op, "Less"))
        return a < b;
    if (msw_onnx_is(op, "Greater"))
        return a > b;
    return a == b; /* Equal */
}

/* Element `i` of a broadcast of rank 1 or of one element. */
static double at(const msw_onnx_value *v, uint64_t i)
{
    return v->data[msw_onnx_elements(v) == 1 ? 0 : i];
}

/* Whether elements of all inputs lie as those of the output, or are one. */
static bool is_flat(const msw_onnx *m)
{
    for (uint32_t i = 0; i < m->node.input_count; i++)
        if (msw_onnx_elements(m->in[i]) != 1 &&
            msw_onnx_elements(m->in[i]) != msw_onnx_elements(m->out[0]))
            return false;
    return true;
}

void msw_onnx_fold_two(msw_onnx *m, double *out)
{
    const msw_onnx_value *a = m->in[0], *b = m->in[m->node.input_count - 1];
    m->out[0]->whole = a->whole;
    if (!is_flat(m) || m->node.input_count > 2) {
        m->out[0]->data = NULL;
        return;
    }
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++)
        out[i] = two(m->node.op, at(a, i), at(b, i), a->whole);
}

void msw_onnx_fold_where(msw_onnx *m, double *out)
{
    m->out[0]->whole = m->in[1]->whole;
    if (!is_flat(m)) {
        m->out[0]->data = NULL;
        return;
    }
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++)
        out[i] = at(m->in[0], i) != 0 ? at(m->in[1], i) : at(m->in[2], i);
}

void msw_onnx_fold_reduce(msw_onnx *m, double *out)
{
    uint64_t count = msw_onnx_elements(m->in[0]);
    msw_onnx_part op = m->node.op;
    m->out[0]->whole = m->in[0]->whole;
    if (msw_onnx_elements(m->out[0]) != 1 || !count || msw_onnx_is(op, "ReduceMean")) {
        m->out[0]->data = NULL;
        return;
    }
    out[0] = m->in[0]->data[0];
    for (uint64_t i = 1; i < count; i++) {
        double next = m->in[0]->data[i];
        if (msw_onnx_is(op, "ReduceProd"))
            out[0] *= next;
        else if (msw_onnx_is(op, "ReduceSum"))
            out[0] += next;
        else if (msw_onnx_is(op, "ReduceMax"))
            out[0] = msw_max_f64(out[0], next);
        else
            out[0] = msw_min_f64(out[0], next);
    }
}
