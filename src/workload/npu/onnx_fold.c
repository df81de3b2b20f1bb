/* SPDX-License-Identifier: MIT */
/* Folds small constants, of one dimension and of several: the values that models compute to know
 * shapes, and to rearrange the paddings of a Pad. */
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

/* Steps from one element to the next along each dimension, and where the first one is. */
typedef struct steps {
    int64_t step[MSW_ONNX_RANK], first;
} steps;

static void row_major(const msw_onnx_value *v, steps *s)
{
    int64_t step = 1;
    *s = (steps){{0}, 0};
    for (int d = v->rank - 1; d >= 0; d--) {
        s->step[d] = step;
        step *= (int64_t)v->dims[d];
    }
}

/* Where element `i` of `shape` is, in elements. */
static int64_t place_of(const msw_onnx_value *shape, const steps *s, uint64_t i)
{
    int64_t at = s->first;
    for (int d = shape->rank - 1; d >= 0; d--) {
        at += (int64_t)(i % shape->dims[d]) * s->step[d];
        i /= shape->dims[d];
    }
    return at;
}

/* Fills the output from an input's elements; what lies outside is no value. */
static void take(msw_onnx *m, const steps *s, double *out)
{
    const msw_onnx_value *x = m->in[0];
    int64_t most = (int64_t)msw_onnx_elements(x);
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++) {
        int64_t at = place_of(m->out[0], s, i);
        if (at < 0 || at >= most) {
            m->out[0]->data = NULL;
            return;
        }
        out[i] = x->data[at];
    }
}

void msw_onnx_fold_transpose(msw_onnx *m, double *out)
{
    const msw_onnx_value *x = m->in[0];
    const msw_onnx_attribute *perm = msw_onnx_attribute_of(m, "perm");
    steps from, to = {{0}, 0};
    row_major(x, &from);
    m->out[0]->whole = x->whole;
    for (int d = 0; d < x->rank; d++) {
        double axis = perm ? perm->list[d] : x->rank - 1 - d;
        to.step[d] = from.step[(int)axis + (axis < 0 ? x->rank : 0)];
    }
    take(m, &to, out);
}

void msw_onnx_fold_expand(msw_onnx *m, double *out)
{
    const msw_onnx_value *x = m->in[0];
    int more = m->out[0]->rank - x->rank;
    steps from, to = {{0}, 0};
    row_major(x, &from);
    m->out[0]->whole = x->whole;
    for (int d = 0; d < x->rank; d++)
        to.step[d + more] = x->dims[d] == 1 ? 0 : from.step[d];
    take(m, &to, out);
}

/* The first element that a slice takes of `size`, as the shape's reader counts them. */
static double first_of(double start, double step, double size)
{
    double most = step < 0 ? size - 1 : size;
    start += start < 0 ? size : 0;
    return start < 0 ? 0 : start > most ? most : start;
}

void msw_onnx_fold_slice(msw_onnx *m, double *out)
{
    const msw_onnx_value *x = m->in[0];
    const double *starts, *axes = NULL, *by = NULL;
    size_t count, ignored;
    steps s;
    m->out[0]->whole = x->whole;
    row_major(x, &s);
    if (msw_onnx_list(m, "starts", 1, &starts, &count) <= 0 ||
        msw_onnx_list(m, "axes", 3, &axes, &ignored) < 0 ||
        msw_onnx_list(m, "steps", 4, &by, &ignored) < 0) {
        m->out[0]->data = NULL;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double axis = axes ? axes[i] : (double)i, step = by ? by[i] : 1;
        int d = (int)axis + (axis < 0 ? x->rank : 0);
        double first = first_of(starts[i], step, (double)x->dims[d]);
        step = msw_min_f64(msw_max_f64(step, -1e9), 1e9); /* beyond: one element */
        s.first += (int64_t)first * s.step[d];
        s.step[d] *= (int64_t)step;
    }
    if (msw_onnx_elements(m->out[0]))
        take(m, &s, out);
}

void msw_onnx_fold_gather(msw_onnx *m, double *out)
{
    const msw_onnx_value *from = m->in[0], *which = m->in[1];
    int axis;
    m->out[0]->whole = from->whole;
    if (msw_onnx_axis(m, (double)msw_onnx_int(m, "axis", 0), from->rank, &axis))
        return;
    uint64_t inner = msw_onnx_product(from, axis + 1, from->rank);
    uint64_t count = msw_onnx_elements(which), size = from->dims[axis];
    for (uint64_t i = 0; i < msw_onnx_elements(m->out[0]); i++) {
        double index = which->data[i / inner % count];
        index += index < 0 ? (double)size : 0;
        if (!(index >= 0 && index < (double)size)) {
            m->out[0]->data = NULL;
            return;
        }
        out[i] = from->data[(i / inner / count * size + (uint64_t)index) * inner + i % inner];
    }
}

void msw_onnx_fold_concat(msw_onnx *m, double *out)
{
    const msw_onnx_value *made = m->out[0];
    uint64_t before = 0;
    int axis;
    m->out[0]->whole = m->in[0]->whole;
    if (msw_onnx_axis(m, (double)msw_onnx_int(m, "axis", 1), made->rank, &axis))
        return;
    uint64_t inner = msw_onnx_product(made, axis + 1, made->rank);
    uint64_t row = made->dims[axis] * inner;
    for (uint32_t n = 0; n < m->node.input_count; n++) {
        uint64_t part = m->in[n]->dims[axis] * inner;
        for (uint64_t e = 0; e < msw_onnx_elements(m->in[n]); e++)
            out[e / part * row + before + e % part] = m->in[n]->data[e];
        before += part;
    }
}
