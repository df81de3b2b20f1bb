/* SPDX-License-Identifier: MIT */
/* Operators that give elements another shape or order, and those that make constants. */
#include "workload/npu/onnx.h"

int msw_onnx_same_shape(msw_onnx *m)
{
    for (uint32_t i = 0; i < m->node.output_count; i++)
        if (m->out[i] && msw_onnx_set(m, m->out[i], m->in[0]->dims, m->in[0]->rank))
            return -1;
    return 0;
}

int msw_onnx_softmax(msw_onnx *m)
{
    if (msw_onnx_same_shape(m))
        return -1;
    msw_npu_row *row = m->in[0]->constant ? NULL : msw_onnx_row(m, MSW_NPU_KIND_SOFTMAX, m->out[0]);
    if (row)
        row->vec_ops *= 4; /* operations of a vector unit for an element, as in operator tables */
    return row || m->in[0]->constant ? 0 : -1;
}

int msw_onnx_all_together(msw_onnx *m)
{
    msw_onnx_value all = *m->in[0];
    for (uint32_t i = 1; i < m->node.input_count; i++)
        if (!m->in[i])
            return msw_onnx_refuse(m, "input %u is not there", i);
        else if (msw_onnx_broadcast(m, &all, m->in[i], &all))
            return -1;
    return msw_onnx_set(m, m->out[0], all.dims, all.rank);
}

/* ---- another shape ---- */

static int check_count(msw_onnx *m, size_t count)
{
    return count <= MSW_ONNX_RANK
               ? 0
               : msw_onnx_refuse(m, "a shape of %zu dimensions, allowed: up to 8", count);
}

/* One size of a new shape: 0 as before, -1 what is left. */
static int new_size(msw_onnx *m, double wanted, size_t axis, uint64_t *size, int *open)
{
    const msw_onnx_value *x = m->in[0];
    bool keep = wanted == 0 && !msw_onnx_int(m, "allowzero", 0);
    if (wanted == -1 && *open < 0) {
        *open = (int)axis;
        *size = 1;
        return 0;
    }
    if (!(wanted >= 0 && wanted <= MSW_NPU_DIMENSION_MAX) || (keep && axis >= (size_t)x->rank))
        return msw_onnx_refuse(m, "a shape with %.0f at place %zu", wanted, axis);
    *size = keep ? x->dims[axis] : (uint64_t)wanted;
    return 0;
}

int msw_onnx_reshape(msw_onnx *m)
{
    const double *list;
    size_t count;
    uint64_t dims[MSW_ONNX_RANK], elements = msw_onnx_elements(m->in[0]);
    double made = 1;
    int open = -1, rc = msw_onnx_list(m, "shape", 1, &list, &count);
    if (rc <= 0)
        return rc ? -1 : msw_onnx_refuse(m, "has no shape");
    if (check_count(m, count))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (new_size(m, list[i], i, &dims[i], &open))
            return -1;
        made *= (double)dims[i];
    }
    if (open >= 0 && made >= 1 && made <= (double)elements && elements % (uint64_t)made == 0) {
        dims[open] = elements / (uint64_t)made;
        made = (double)elements;
    }
    if (made != (double)elements)
        return msw_onnx_refuse(m, "%llu elements do not have the new shape, which is of %.0f",
                               (unsigned long long)elements, made);
    return msw_onnx_set(m, m->out[0], dims, (int)count);
}

int msw_onnx_flatten(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    int64_t axis = msw_onnx_int(m, "axis", 1);
    axis += axis < 0 ? x->rank : 0;
    if (axis < 0 || axis > x->rank)
        return msw_onnx_refuse(m, "axis %lld of %d dimensions", (long long)axis, x->rank);
    uint64_t dims[2] = {msw_onnx_product(x, 0, (int)axis), msw_onnx_product(x, (int)axis, x->rank)};
    return msw_onnx_set(m, m->out[0], dims, 2);
}

/* Marks the listed axes of a tensor with this many dimensions. Returns 1, 0 without a list, or -1.
 */
static int mark_axes(msw_onnx *m, int rank, bool marks[MSW_ONNX_RANK + 1])
{
    const double *list;
    size_t count;
    int axis, rc = msw_onnx_list(m, "axes", 1, &list, &count);
    for (size_t i = 0; rc > 0 && i < count; i++) {
        if (msw_onnx_axis(m, list[i], rank, &axis))
            return -1;
        marks[axis] = true;
    }
    return rc;
}

int msw_onnx_squeeze(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    bool gone[MSW_ONNX_RANK + 1] = {false};
    uint64_t dims[MSW_ONNX_RANK];
    int rank = 0, rc = mark_axes(m, x->rank, gone);
    if (rc < 0)
        return -1;
    for (int i = 0; i < x->rank; i++) {
        if (gone[i] && x->dims[i] != 1)
            return msw_onnx_refuse(m, "dimension %d is %llu, not 1", i,
                                   (unsigned long long)x->dims[i]);
        if (!(rc ? gone[i] : x->dims[i] == 1))
            dims[rank++] = x->dims[i];
    }
    return msw_onnx_set(m, m->out[0], dims, rank);
}

int msw_onnx_unsqueeze(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    bool added[MSW_ONNX_RANK + 1] = {false};
    uint64_t dims[MSW_ONNX_RANK];
    const double *list;
    size_t count;
    int from = 0, rc = msw_onnx_list(m, "axes", 1, &list, &count);
    if (rc <= 0)
        return rc ? -1 : msw_onnx_refuse(m, "has no axes");
    if (check_count(m, (size_t)x->rank + count) || mark_axes(m, x->rank + (int)count, added) < 0)
        return -1;
    for (int i = 0; i < x->rank + (int)count; i++) {
        if (!added[i] && from == x->rank)
            return msw_onnx_refuse(m, "axes that are named twice");
        dims[i] = added[i] ? 1 : x->dims[from++];
    }
    return msw_onnx_set(m, m->out[0], dims, x->rank + (int)count);
}

int msw_onnx_transpose(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    const msw_onnx_attribute *perm = msw_onnx_attribute_of(m, "perm");
    uint64_t dims[MSW_ONNX_RANK];
    unsigned seen = 0;
    if (perm && perm->count != (size_t)x->rank)
        return msw_onnx_refuse(m, "perm has %zu numbers for %d dimensions", perm->count, x->rank);
    for (int i = 0; i < x->rank; i++) {
        int axis = x->rank - 1 - i;
        if (perm && msw_onnx_axis(m, perm->list[i], x->rank, &axis))
            return -1;
        if (seen & 1u << axis)
            return msw_onnx_refuse(m, "perm names dimension %d twice", axis);
        seen |= 1u << axis;
        dims[i] = x->dims[axis];
    }
    return msw_onnx_set(m, m->out[0], dims, x->rank);
}

/* A list of sizes as the shape of a value. */
static int read_shape(msw_onnx *m, const char *name, uint32_t input, msw_onnx_value *shape)
{
    const double *list;
    size_t count;
    uint64_t dims[MSW_ONNX_RANK];
    int rc = msw_onnx_list(m, name, input, &list, &count);
    if (rc <= 0)
        return rc ? -1 : msw_onnx_refuse(m, "has no %s", name);
    if (check_count(m, count))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!(list[i] >= 0 && list[i] <= MSW_NPU_DIMENSION_MAX))
            return msw_onnx_refuse(m, "%s: found %.0f, allowed: 0 to 2^26", name, list[i]);
        dims[i] = (uint64_t)list[i];
    }
    return msw_onnx_set(m, shape, dims, (int)count);
}

int msw_onnx_expand(msw_onnx *m)
{
    msw_onnx_value shape = {0};
    MSW_TRY(read_shape(m, "shape", 1, &shape));
    MSW_TRY(msw_onnx_broadcast(m, m->in[0], &shape, m->out[0]));
    return 0;
}

int msw_onnx_tile(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    msw_onnx_value times = {0};
    if (read_shape(m, "repeats", 1, &times))
        return -1;
    if (times.rank != x->rank)
        return msw_onnx_refuse(m, "%d repeats for %d dimensions", times.rank, x->rank);
    for (int i = 0; i < x->rank; i++)
        times.dims[i] *= x->dims[i];
    return msw_onnx_set(m, m->out[0], times.dims, x->rank);
}

/* ---- constants ---- */

int msw_onnx_constant(msw_onnx *m)
{
    const msw_onnx_attribute *a = m->node.attribute_count ? &m->node.attributes[0] : NULL;
    msw_onnx_value *out = m->out[0];
    msw_onnx_part name = out->name;
    if (!a || msw_onnx_is(a->name, "sparse_value"))
        return msw_onnx_refuse(m, "a constant without a value, or a sparse one");
    out->constant = true;
    if (a->tensor.at) {
        int rc = msw_onnx_read_tensor(m, a->tensor, out);
        out->name = name;
        return rc;
    }
    bool list = msw_onnx_is(a->name, "value_ints") || msw_onnx_is(a->name, "value_floats");
    uint64_t count = a->count;
    out->whole = msw_onnx_is(a->name, "value_ints") || msw_onnx_is(a->name, "value_int");
    if (msw_onnx_set(m, out, &count, list ? 1 : 0))
        return -1;
    if (a->text.at || count > MSW_ONNX_VALUES)
        return 0;
    double *data = msw_onnx_fill(m, out);
    for (uint64_t i = 0; data && i < (list ? count : 1); i++)
        data[i] = list ? a->list[i] : a->number;
    return data ? 0 : msw_fail_memory(m->err);
}

int msw_onnx_constant_of_shape(msw_onnx *m)
{
    const msw_onnx_attribute *a = msw_onnx_attribute_of(m, "value");
    msw_onnx_value one = {0}, *out = m->out[0];
    if (read_shape(m, "shape", 0, out) || (a && msw_onnx_read_tensor(m, a->tensor, &one)))
        return -1;
    out->constant = true;
    out->whole = one.whole;
    if (msw_onnx_elements(out) > MSW_ONNX_VALUES || (a && (!one.data || !msw_onnx_elements(&one))))
        return 0;
    double *data = msw_onnx_fill(m, out);
    for (uint64_t i = 0; data && i < msw_onnx_elements(out); i++)
        data[i] = a ? one.data[0] : 0;
    return data ? 0 : msw_fail_memory(m->err);
}

/* A constant list of the first output. */
static double *make_list(msw_onnx *m, uint64_t count, bool is_list)
{
    m->out[0]->constant = m->out[0]->whole = true;
    return msw_onnx_set(m, m->out[0], &count, is_list) ? NULL : msw_onnx_fill(m, m->out[0]);
}

int msw_onnx_shape(msw_onnx *m)
{
    int rank = m->in[0]->rank;
    int64_t first = msw_onnx_int(m, "start", 0), end = msw_onnx_int(m, "end", rank);
    first = msw_min_i64(msw_max_i64(first < 0 ? first + rank : first, 0), rank);
    end = msw_min_i64(msw_max_i64(end < 0 ? end + rank : end, first), rank);
    double *data = make_list(m, (uint64_t)(end - first), true);
    for (int64_t i = first; data && i < end; i++)
        data[i - first] = (double)m->in[0]->dims[i];
    return data ? 0 : -1;
}

int msw_onnx_size(msw_onnx *m)
{
    double *data = make_list(m, 1, false);
    if (data)
        data[0] = (double)msw_onnx_elements(m->in[0]);
    return data ? 0 : -1;
}

int msw_onnx_range(msw_onnx *m)
{
    for (uint32_t i = 0; i < 3; i++)
        if (i >= m->node.input_count || !m->in[i] || !m->in[i]->data)
            return msw_onnx_refuse(m, "a range whose ends do not follow from the file alone");
    double from = m->in[0]->data[0], step = m->in[2]->data[0];
    double length = step != 0 ? (m->in[1]->data[0] - from) / step : -1;
    if (!(length <= MSW_NPU_DIMENSION_MAX) || step == 0)
        return msw_onnx_refuse(m, "a range of %.3g numbers, allowed: up to 2^26", length);
    uint64_t count = length > 0 ? (uint64_t)length + ((double)(uint64_t)length < length) : 0;
    m->out[0]->constant = true;
    m->out[0]->whole = m->in[0]->whole;
    if (msw_onnx_set(m, m->out[0], &count, 1) || count > MSW_ONNX_VALUES)
        return count > MSW_ONNX_VALUES ? 0 : -1;
    double *data = msw_onnx_fill(m, m->out[0]);
    for (uint64_t i = 0; data && i < count; i++)
        data[i] = from + step * (double)i;
    return data ? 0 : msw_fail_memory(m->err);
}
