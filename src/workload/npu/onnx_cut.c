/* SPDX-License-Identifier: MIT */
/* Operators that take a part of a tensor, add to it, put several together or reduce one. */
#include "workload/npu/onnx.h"

#include <math.h>
#include <string.h>

static int axis_of(msw_onnx *m, int64_t otherwise, int *axis)
{
    return msw_onnx_axis(m, (double)msw_onnx_int(m, "axis", otherwise), m->in[0]->rank, axis);
}

/* The first output has the first input's shape, but for one dimension. */
static int set_but(msw_onnx *m, msw_onnx_value *out, int axis, uint64_t size)
{
    uint64_t dims[MSW_ONNX_RANK];
    memcpy(dims, m->in[0]->dims, sizeof dims);
    dims[axis] = size;
    return msw_onnx_set(m, out, dims, m->in[0]->rank);
}

/* The producers of channels write them in place; anything else is a tensor of its own. */
static int wire_concat(msw_onnx *m, int axis)
{
    int rank = m->in[0]->rank;
    if (axis != (rank > 3 ? 1 : rank - 1))
        return 0;
    for (uint32_t i = 0; i < m->node.input_count; i++)
        if (m->in[i]->constant)
            return 0;
    return msw_onnx_row(m, MSW_NPU_KIND_CONCAT, m->out[0]) ? 0 : -1;
}

int msw_onnx_concat(msw_onnx *m)
{
    uint64_t size = 0;
    int axis;
    if (axis_of(m, 1, &axis))
        return -1;
    for (uint32_t i = 0; i < m->node.input_count; i++) {
        const msw_onnx_value *x = m->in[i];
        if (!x || x->rank != m->in[0]->rank)
            return msw_onnx_refuse(m, "input %u has other dimensions than the first", i);
        for (int d = 0; d < x->rank; d++)
            if (d != axis && x->dims[d] != m->in[0]->dims[d])
                return msw_onnx_refuse(m, "dimension %d of input %u is %llu, of the first %llu", d,
                                       i, (unsigned long long)x->dims[d],
                                       (unsigned long long)m->in[0]->dims[d]);
        size += x->dims[axis];
    }
    MSW_TRY(set_but(m, m->out[0], axis, size));
    return wire_concat(m, axis);
}

/* Rows of a table that activations choose. */
static int look_up(msw_onnx *m, const msw_onnx_value *table, const msw_onnx_value *which)
{
    uint64_t rows = msw_onnx_elements(which), each = msw_onnx_product(table, 1, table->rank);
    if (!rows || each < 2)
        return 0;
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_MAKES, m->out[0]);
    if (!row)
        return -1;
    row->op = "embed";
    row->view = true;
    row->m = rows, row->n = 1, row->k = each;
    row->w_elems = msw_onnx_elements(table);
    row->vec_ops = rows;
    return 0;
}

int msw_onnx_gather(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0], *which = m->in[1];
    uint64_t dims[2 * MSW_ONNX_RANK];
    int axis, rank = 0;
    if (m->node.input_count < 2 || !which)
        return msw_onnx_refuse(m, "has no indices");
    if (axis_of(m, 0, &axis))
        return -1;
    for (int i = 0; i < axis; i++)
        dims[rank++] = x->dims[i];
    for (int i = 0; i < which->rank; i++)
        dims[rank++] = which->dims[i];
    for (int i = axis + 1; i < x->rank; i++)
        dims[rank++] = x->dims[i];
    if (msw_onnx_set(m, m->out[0], dims, rank))
        return -1;
    return x->constant && !which->constant && !axis ? look_up(m, x, which) : 0;
}

int msw_onnx_gather_elements(msw_onnx *m)
{
    if (m->node.input_count < 2 || !m->in[1])
        return msw_onnx_refuse(m, "has no indices");
    return msw_onnx_set(m, m->out[0], m->in[1]->dims, m->in[1]->rank);
}

/* How many elements a slice takes of `size`. */
static uint64_t slice_size(double start, double end, double step, uint64_t size)
{
    double n = (double)size, least = step < 0 ? -1 : 0, most = step < 0 ? n - 1 : n;
    start += start < 0 ? n : 0;
    end += end < 0 ? n : 0;
    start = fmin(fmax(start, 0), most);
    end = fmin(fmax(end, least), most);
    double count = ceil((end - start) / step);
    return count > 0 ? (uint64_t)count : 0;
}

int msw_onnx_slice(msw_onnx *m)
{
    const double *starts, *ends, *axes = NULL, *steps = NULL;
    size_t count, others[3];
    uint64_t dims[MSW_ONNX_RANK];
    if (msw_onnx_list(m, "starts", 1, &starts, &count) <= 0 ||
        msw_onnx_list(m, "ends", 2, &ends, &others[0]) <= 0)
        return m->err->kind ? -1 : msw_onnx_refuse(m, "has no starts or ends");
    int has_axes = msw_onnx_list(m, "axes", 3, &axes, &others[1]);
    int has_steps = msw_onnx_list(m, "steps", 4, &steps, &others[2]);
    if (has_axes < 0 || has_steps < 0)
        return -1;
    if (others[0] != count || (has_axes && others[1] != count) ||
        (has_steps && others[2] != count) || (!has_axes && count > (size_t)m->in[0]->rank))
        return msw_onnx_refuse(m, "starts, ends, axes and steps differ in length");
    memcpy(dims, m->in[0]->dims, sizeof dims);
    for (size_t i = 0; i < count; i++) {
        int axis = (int)i;
        if (has_axes && msw_onnx_axis(m, axes[i], m->in[0]->rank, &axis))
            return -1;
        if (has_steps && (steps[i] == 0 || !(fabs(steps[i]) <= 0x1p62)))
            return msw_onnx_refuse(m, "a step of %.0f", steps[i]);
        dims[axis] = slice_size(starts[i], ends[i], has_steps ? steps[i] : 1, m->in[0]->dims[axis]);
    }
    return msw_onnx_set(m, m->out[0], dims, m->in[0]->rank);
}

int msw_onnx_split(msw_onnx *m)
{
    const double *list = NULL;
    size_t count;
    int axis, rc = msw_onnx_list(m, "split", 1, &list, &count);
    if (rc < 0 || axis_of(m, 0, &axis))
        return -1;
    uint64_t left = m->in[0]->dims[axis], outputs = m->node.output_count;
    uint64_t each = msw_div_up(left, outputs);
    if (rc && count != outputs)
        return msw_onnx_refuse(m, "%zu parts, but %llu outputs", count,
                               (unsigned long long)outputs);
    for (uint32_t i = 0; i < outputs; i++) {
        uint64_t size = msw_min_u64(each, left);
        if (rc && !(list[i] >= 0 && list[i] <= (double)left))
            return msw_onnx_refuse(m, "a part of %.0f, of which %llu are left", list[i],
                                   (unsigned long long)left);
        size = rc ? (uint64_t)list[i] : size;
        left -= size;
        if (m->out[i] && set_but(m, m->out[i], axis, size))
            return -1;
    }
    return left ? msw_onnx_refuse(m, "parts that are not all") : 0;
}

int msw_onnx_pad(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    const double *pads;
    size_t count;
    uint64_t dims[MSW_ONNX_RANK];
    int rc = msw_onnx_list(m, "pads", 1, &pads, &count);
    if (rc <= 0)
        return rc ? -1 : msw_onnx_refuse(m, "has no pads");
    if (count != 2 * (size_t)x->rank || (m->node.input_count > 3 && m->in[3]))
        return msw_onnx_refuse(m,
                               "pads of %zu numbers for %d dimensions, or axes for them; "
                               "allowed: two for each dimension",
                               count, x->rank);
    for (int i = 0; i < x->rank; i++) {
        double size = (double)x->dims[i] + pads[i] + pads[x->rank + i];
        if (!(size >= 0 && size <= MSW_NPU_DIMENSION_MAX))
            return msw_onnx_refuse(m, "a padded dimension of %.0f, allowed: 0 to 2^26", size);
        dims[i] = (uint64_t)size;
    }
    return msw_onnx_set(m, m->out[0], dims, x->rank);
}

static int drop(msw_onnx *m, const bool *gone, bool keep)
{
    const msw_onnx_value *x = m->in[0];
    uint64_t dims[MSW_ONNX_RANK];
    int rank = 0;
    for (int i = 0; i < x->rank; i++)
        if (!gone[i] || keep)
            dims[rank++] = gone[i] ? 1 : x->dims[i];
    return msw_onnx_set(m, m->out[0], dims, rank);
}

int msw_onnx_reduce(msw_onnx *m)
{
    bool gone[MSW_ONNX_RANK] = {false};
    const double *list;
    size_t count = 0;
    int axis, rc = msw_onnx_list(m, "axes", 1, &list, &count);
    if (rc < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (msw_onnx_axis(m, list[i], m->in[0]->rank, &axis))
            return -1;
        gone[axis] = true;
    }
    if (count == 0 && !msw_onnx_int(m, "noop_with_empty_axes", 0))
        memset(gone, true, sizeof gone);
    return drop(m, gone, msw_onnx_int(m, "keepdims", 1) != 0);
}

int msw_onnx_arg(msw_onnx *m)
{
    bool gone[MSW_ONNX_RANK] = {false};
    int axis;
    if (axis_of(m, 0, &axis))
        return -1;
    gone[axis] = true;
    return drop(m, gone, msw_onnx_int(m, "keepdims", 1) != 0);
}

int msw_onnx_topk(msw_onnx *m)
{
    const double *list;
    size_t count;
    int axis, rc = m->node.input_count > 1 ? msw_onnx_list(m, "K", 1, &list, &count) : 0;
    double k = rc > 0 && count ? list[0] : (double)msw_onnx_int(m, "k", -1);
    if (rc < 0 || axis_of(m, -1, &axis))
        return -1;
    if (!(k >= 0 && k <= (double)m->in[0]->dims[axis]))
        return msw_onnx_refuse(m, "the first %.0f of %llu", k,
                               (unsigned long long)m->in[0]->dims[axis]);
    for (uint32_t i = 0; i < m->node.output_count; i++)
        if (m->out[i] && set_but(m, m->out[i], axis, (uint64_t)k))
            return -1;
    return 0;
}

/* Sizes, or scales: Upsample and the first Resize have them as the second input. */
int msw_onnx_resize(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0];
    const double *list;
    size_t count = 0;
    uint64_t dims[MSW_ONNX_RANK];
    bool sizes = m->node.input_count > 3 && m->in[3];
    int rc = sizes ? msw_onnx_list(m, "sizes", 3, &list, &count)
                   : msw_onnx_list(m, "scales", m->node.input_count == 2 ? 1 : 2, &list, &count);
    if (rc < 0)
        return -1;
    if (!rc || count != (size_t)x->rank || msw_onnx_attribute_of(m, "axes"))
        return msw_onnx_refuse(m, "%zu scales or sizes for %d dimensions, or axes for them", count,
                               x->rank);
    for (int i = 0; i < x->rank; i++) {
        double size = sizes ? list[i] : floor((double)x->dims[i] * list[i]);
        if (!(size >= 0 && size <= MSW_NPU_DIMENSION_MAX))
            return msw_onnx_refuse(m, "a dimension of %.3g, allowed: 0 to 2^26", size);
        dims[i] = (uint64_t)size;
    }
    return msw_onnx_set(m, m->out[0], dims, x->rank);
}

/* Blocks of b x b pixels from channels, or the other way round. */
static int move_blocks(msw_onnx *m, bool to_space)
{
    const msw_onnx_value *x = m->in[0];
    uint64_t b = (uint64_t)msw_max_i64(msw_onnx_int(m, "blocksize", 0), 0);
    if (x->rank != 4 || b < 1 || b > 4096 ||
        (to_space ? x->dims[1] % (b * b) : x->dims[2] % b + x->dims[3] % b))
        return msw_onnx_refuse(m, "blocks of %llu do not divide the input", (unsigned long long)b);
    uint64_t c = x->dims[1], h = x->dims[2], w = x->dims[3];
    uint64_t space[4] = {x->dims[0], c / (b * b), h * b, w * b};
    uint64_t depth[4] = {x->dims[0], c * b * b, h / b, w / b};
    return msw_onnx_set(m, m->out[0], to_space ? space : depth, 4);
}

int msw_onnx_depth_to_space(msw_onnx *m)
{
    return move_blocks(m, true);
}

int msw_onnx_space_to_depth(msw_onnx *m)
{
    return move_blocks(m, false);
}
