/* SPDX-License-Identifier: MIT */
/* Turns ONNX's matrix products (with constant weights on either side, or of two activations),
 * convolutions and pools (windows that move over images) into rows of an operator table. */
#include "workload/npu/onnx.h"

static int refuse_shapes(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b)
{
    return msw_onnx_refuse(
        m, "matrices of %llu and %llu columns and rows do not go together",
        (unsigned long long)(a->rank ? a->dims[a->rank - 1] : 0),
        (unsigned long long)(b->rank ? b->dims[b->rank > 1 ? b->rank - 2 : 0] : 0));
}

int msw_onnx_add_product(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b,
                         msw_onnx_product_size p)
{
    bool both = !a->constant && !b->constant;
    if (a->constant && b->constant)
        return 0;
    if (!p.m || !p.n || !p.k || !p.count)
        return msw_onnx_refuse(m, "a matrix without elements");
    if (a->constant) {
        uint64_t rows = p.m;
        p.m = p.n;
        p.n = rows;
    }
    msw_npu_row *row = msw_onnx_row(m, both ? MSW_NPU_KIND_BMM : MSW_NPU_KIND_GEMM, m->out[0]);
    if (!row)
        return -1;
    row->m = row->oh = p.m;
    row->ow = 1;
    row->oc = p.n * p.count;
    row->n = p.n;
    row->k = p.k;
    row->count = p.count;
    const msw_onnx_value *first = a->constant ? b : a;
    row->inputs[0] = (uint32_t)first->row;
    row->makers[0] = (uint32_t)first->maker;
    row->inputs[1] = (uint32_t)b->row;
    row->makers[1] = (uint32_t)b->maker;
    row->input_count = both ? 2 : 1;
    return 0;
}

int msw_onnx_gemm(msw_onnx *m)
{
    const msw_onnx_value *a = m->in[0], *b = m->node.input_count > 1 ? m->in[1] : NULL;
    int left = msw_onnx_int(m, "transA", 0) != 0, right = msw_onnx_int(m, "transB", 0) != 0;
    if (!b || a->rank != 2 || b->rank != 2)
        return msw_onnx_refuse(m, "needs two matrices");
    msw_onnx_product_size p = {a->dims[left], b->dims[!right], a->dims[!left], 1};
    if (b->dims[right] != p.k)
        return refuse_shapes(m, a, b);
    MSW_TRY(msw_onnx_set(m, m->out[0], (uint64_t[]){p.m, p.n}, 2));
    MSW_TRY(msw_onnx_add_product(m, a, b, p));
    return 0;
}

/* A vector is a matrix of one row (left) or one column (right). */
static msw_onnx_value as_matrix(const msw_onnx_value *v, bool left)
{
    msw_onnx_value matrix = *v;
    if (v->rank != 1)
        return matrix;
    matrix.rank = 2;
    matrix.dims[!left] = 1;
    matrix.dims[left] = v->dims[0];
    return matrix;
}

/* The shape of a product: batch dimensions together, then rows and columns unless a vector. */
static int set_product(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b, bool row_gone,
                       bool col_gone, uint64_t *batch)
{
    msw_onnx_value left = *a, right = *b, both = {0};
    left.rank -= 2;
    right.rank -= 2;
    if (msw_onnx_broadcast(m, &left, &right, &both))
        return -1;
    uint64_t dims[MSW_ONNX_RANK + 2];
    int rank = both.rank;
    *batch = msw_onnx_elements(&both);
    for (int i = 0; i < rank; i++)
        dims[i] = both.dims[i];
    if (!row_gone)
        dims[rank++] = a->dims[a->rank - 2];
    if (!col_gone)
        dims[rank++] = b->dims[b->rank - 1];
    return msw_onnx_set(m, m->out[0], dims, rank);
}

/* Where one side is the same for a whole batch, the other one's matrices are rows of one. */
static msw_onnx_product_size shape_of(const msw_onnx_value *a, const msw_onnx_value *b,
                                      uint64_t batch)
{
    msw_onnx_product_size p = {a->dims[a->rank - 2], b->dims[b->rank - 1], a->dims[a->rank - 1],
                               batch};
    if (msw_onnx_product(b, 0, b->rank - 2) == 1) {
        p.m *= batch;
        p.count = 1;
    } else if (msw_onnx_product(a, 0, a->rank - 2) == 1) {
        p.n *= batch;
        p.count = 1;
    } else if (b->constant && msw_onnx_product(b, 0, b->rank - 2) < batch) {
        p.count = msw_onnx_product(b, 0, b->rank - 2);
        p.m *= batch / p.count;
    }
    return p;
}

static int matmul(msw_onnx *m, uint32_t at)
{
    const msw_onnx_value *x = m->in[0], *y = m->node.input_count > at ? m->in[at] : NULL;
    uint64_t batch;
    if (!y || !x->rank || !y->rank)
        return msw_onnx_refuse(m, "needs two matrices");
    msw_onnx_value a = as_matrix(x, true), b = as_matrix(y, false);
    if (a.dims[a.rank - 1] != b.dims[b.rank - 2])
        return refuse_shapes(m, &a, &b);
    if (set_product(m, &a, &b, x->rank == 1, y->rank == 1, &batch))
        return -1;
    if (!msw_onnx_elements(m->out[0]))
        return msw_onnx_refuse(m, "a matrix without elements");
    return msw_onnx_add_product(m, &a, &b, shape_of(&a, &b, batch));
}

int msw_onnx_matmul(msw_onnx *m)
{
    return matmul(m, 1);
}

/* QLinearMatMul: matrix, scale, zero, matrix. */
int msw_onnx_quantized_matmul(msw_onnx *m)
{
    return matmul(m, 3);
}

enum { KERNEL_MAX = 4096 };

/* One dimension of a window, and what it makes of an input. */
typedef struct window {
    uint64_t in, kernel, stride, before, after, dilation, out;
} window;

static int read_list(msw_onnx *m, const char *name, size_t wanted, double least, double most,
                     const double **list)
{
    const msw_onnx_attribute *a = msw_onnx_attribute_of(m, name);
    *list = NULL;
    if (!a || a->count == 0)
        return 0;
    if (a->count != wanted)
        return msw_onnx_refuse(m, "%s has %zu numbers, allowed: %zu", name, a->count, wanted);
    for (size_t i = 0; i < wanted; i++)
        if (!(a->list[i] >= least && a->list[i] <= most))
            return msw_onnx_refuse(m, "%s: found %.0f, allowed: %.0f to %.0f", name, a->list[i],
                                   least, most);
    *list = a->list;
    return 0;
}

/* Padding that keeps ceil(in / stride) outputs, or none. */
static int pad_alone(msw_onnx *m, window *w)
{
    const msw_onnx_attribute *a = msw_onnx_attribute_of(m, "auto_pad");
    bool upper = a && msw_onnx_is(a->text, "SAME_UPPER");
    bool lower = a && msw_onnx_is(a->text, "SAME_LOWER");
    if (!a || msw_onnx_is(a->text, "NOTSET") || a->text.at == a->text.end)
        return 0;
    if (!upper && !lower && !msw_onnx_is(a->text, "VALID"))
        return msw_onnx_refuse(m,
                               "auto_pad: found '%.*s', allowed: NOTSET, SAME_UPPER, SAME_LOWER, "
                               "VALID",
                               MSW_ONNX_TEXT(a->text));
    w->before = w->after = 0;
    if (!upper && !lower)
        return 0;
    uint64_t reach =
        (msw_div_up(w->in, w->stride) - 1) * w->stride + (w->kernel - 1) * w->dilation + 1;
    uint64_t pad = reach > w->in ? reach - w->in : 0;
    w->before = upper ? pad / 2 : pad - pad / 2;
    w->after = pad - w->before;
    return 0;
}

static int count_out(msw_onnx *m, window *w, bool ceiling)
{
    uint64_t reach = (w->kernel - 1) * w->dilation + 1, room = w->in + w->before + w->after;
    if (w->in == 0 || room < reach || w->before >= reach || w->after >= reach)
        return msw_onnx_refuse(m, "a window of %llu does not fit %llu with paddings %llu and %llu",
                               (unsigned long long)reach, (unsigned long long)w->in,
                               (unsigned long long)w->before, (unsigned long long)w->after);
    w->out = (room - reach) / w->stride + 1;
    if (ceiling && (room - reach) % w->stride && w->out * w->stride < w->in + w->before)
        w->out++; /* a window that would start in the padding at the end does not count */
    return 0;
}

/* The windows of the node over its first input; `kernel`: dimensions of the weights, or NULL. */
static int read_windows(msw_onnx *m, const uint64_t *kernel, window w[2])
{
    const msw_onnx_value *x = m->in[0];
    size_t dims = (size_t)(x->rank - 2);
    const double *shape, *strides, *pads, *dilations;
    if (x->rank < 3 || x->rank > 4)
        return msw_onnx_refuse(m, "an input of %d dimensions, allowed: 3 or 4", x->rank);
    if (read_list(m, "kernel_shape", dims, 1, KERNEL_MAX, &shape) ||
        read_list(m, "strides", dims, 1, KERNEL_MAX, &strides) ||
        read_list(m, "pads", 2 * dims, 0, KERNEL_MAX, &pads) ||
        read_list(m, "dilations", dims, 1, KERNEL_MAX, &dilations))
        return -1;
    if (!shape && !kernel)
        return msw_onnx_refuse(m, "there is no kernel_shape");
    w[1] = (window){1, 1, 1, 0, 0, 1, 1};
    for (size_t i = 0; i < dims; i++) {
        w[i] = (window){.in = x->dims[2 + i],
                        .kernel = kernel ? kernel[i] : (uint64_t)shape[i],
                        .stride = strides ? (uint64_t)strides[i] : 1,
                        .before = pads ? (uint64_t)pads[i] : 0,
                        .after = pads ? (uint64_t)pads[dims + i] : 0,
                        .dilation = dilations ? (uint64_t)dilations[i] : 1};
        if (kernel &&
            (kernel[i] < 1 || kernel[i] > KERNEL_MAX || (shape && (uint64_t)shape[i] != kernel[i])))
            return msw_onnx_refuse(m, "kernel_shape is not that of the weights, or above %d",
                                   KERNEL_MAX);
        if (w[i].in == 0 || pad_alone(m, &w[i]))
            return w[i].in ? -1 : msw_onnx_refuse(m, "an input without elements");
    }
    return 0;
}

static int set_image(msw_onnx *m, uint64_t channels, const window w[2])
{
    const msw_onnx_value *x = m->in[0];
    uint64_t dims[4] = {x->dims[0], channels, w[0].out, w[1].out};
    return msw_onnx_set(m, m->out[0], dims, x->rank);
}

/* Checks what both kinds of convolution need. */
static int check_weights(msw_onnx *m, const msw_onnx_value *weights)
{
    const msw_onnx_value *x = m->in[0];
    if (weights->rank != x->rank || x->rank < 3)
        return msw_onnx_refuse(m,
                               "an input of %d dimensions with weights of %d; allowed: both 3 "
                               "or both 4",
                               x->rank, weights->rank);
    if (!weights->constant)
        return msw_onnx_refuse(m, "weights that are computed, which is not modelled");
    if (x->dims[0] != 1)
        return msw_onnx_refuse(m,
                               "images of a batch of %llu, allowed: 1; export the model for one "
                               "image, the batch is said by /b%llu",
                               (unsigned long long)x->dims[0], (unsigned long long)x->dims[0]);
    if (!msw_onnx_elements(weights) || !msw_onnx_elements(x))
        return msw_onnx_refuse(m, "a tensor without elements");
    return 0;
}

/* Pixels from the first to the last of a window that leaves some out; 0: it does not. */
static uint64_t reach_of(const window *w)
{
    return w->dilation == 1 ? 0 : (w->kernel - 1) * w->dilation + 1;
}

static int fill_conv(msw_onnx *m, const msw_onnx_value *weights, uint64_t groups, const window w[2])
{
    uint64_t oc = weights->dims[0], ic = m->in[0]->dims[1];
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_CONV, m->out[0]);
    if (!row)
        return -1;
    row->m = w[0].out * w[1].out;
    row->n = oc / groups;
    row->k = ic / groups * w[0].kernel * w[1].kernel;
    row->count = row->groups = groups;
    row->ih = w[0].in, row->iw = w[1].in, row->ic = ic;
    row->oh = w[0].out, row->ow = w[1].out, row->oc = oc;
    row->kh = w[0].kernel, row->kw = w[1].kernel;
    row->sh = w[0].stride, row->sw = w[1].stride;
    row->reach_rows = reach_of(&w[0]), row->reach_cols = reach_of(&w[1]);
    row->padded = true;
    row->pad_rows = w[0].before;
    return 0;
}

static int conv(msw_onnx *m, uint32_t at)
{
    const msw_onnx_value *x = m->in[0], *weights = m->in[at];
    int64_t groups = msw_onnx_int(m, "group", 1);
    window w[2];
    if (!x || !weights || m->node.input_count <= at)
        return msw_onnx_refuse(m, "has no input or no weights");
    if (check_weights(m, weights) || read_windows(m, weights->dims + 2, w))
        return -1;
    if (groups < 1 || weights->dims[0] % (uint64_t)groups ||
        x->dims[1] != weights->dims[1] * (uint64_t)groups)
        return msw_onnx_refuse(m, "%llu channels in %lld groups, %llu filters of %llu channels",
                               (unsigned long long)x->dims[1], (long long)groups,
                               (unsigned long long)weights->dims[0],
                               (unsigned long long)weights->dims[1]);
    for (int i = 0; i < 2; i++)
        if (count_out(m, &w[i], false))
            return -1;
    if (set_image(m, weights->dims[0], w))
        return -1;
    return x->constant ? 0 : fill_conv(m, weights, (uint64_t)groups, w);
}

int msw_onnx_conv(msw_onnx *m)
{
    return conv(m, 1);
}

/* QLinearConv: input, scale, zero, weights. */
int msw_onnx_quantized_conv(msw_onnx *m)
{
    return conv(m, 3);
}

/* Windows that overlap evenly: an output pixel lies in kernel / stride windows each way, and each
 * pixel of the input makes stride x stride of them: a convolution of as many filters for each. */
static int overlap(msw_onnx *m, const msw_onnx_value *weights, const window w[2])
{
    const msw_onnx_value *x = m->in[0];
    uint64_t oc = weights->dims[1] * w[0].stride * w[1].stride, ic = weights->dims[0];
    uint64_t rows = w[0].kernel / w[0].stride, cols = w[1].kernel / w[1].stride;
    if (set_image(m, weights->dims[1], w) || x->constant)
        return x->constant ? 0 : -1;
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_CONV, m->out[0]);
    if (!row)
        return -1;
    row->m = w[0].in * w[1].in;
    row->n = row->oc = oc;
    row->k = ic * rows * cols;
    row->count = row->groups = 1;
    row->ih = row->oh = w[0].in, row->iw = row->ow = w[1].in, row->ic = ic;
    row->kh = rows, row->kw = cols;
    row->sh = row->sw = 1;
    row->padded = true;
    row->pad_rows = (rows - 1) / 2;
    return 0;
}

/* Whether windows overlap as `overlap` wants them, and the output is the input times the stride. */
static bool overlaps_evenly(const window *w)
{
    return w->dilation == 1 && w->kernel % w->stride == 0 &&
           w->before + w->after == w->kernel - w->stride;
}

int msw_onnx_deconv(msw_onnx *m)
{
    const msw_onnx_value *x = m->in[0], *weights = m->in[1];
    window w[2];
    if (!x || !weights || m->node.input_count < 2)
        return msw_onnx_refuse(m, "has no input or no weights");
    if (check_weights(m, weights) || read_windows(m, weights->dims + 2, w))
        return -1;
    for (int i = 0; i < 2; i++) {
        if (!overlaps_evenly(&w[i]))
            return msw_onnx_refuse(m,
                                   "windows of %llu at strides of %llu with %llu padded, which "
                                   "are not modelled; allowed: kernels of whole strides, and "
                                   "kernel - stride padded",
                                   (unsigned long long)w[i].kernel, (unsigned long long)w[i].stride,
                                   (unsigned long long)(w[i].before + w[i].after));
        w[i].out = w[i].in * w[i].stride;
    }
    if (msw_onnx_int(m, "group", 1) != 1 || x->dims[1] != weights->dims[0] ||
        msw_onnx_attribute_of(m, "output_padding") || msw_onnx_attribute_of(m, "output_shape"))
        return msw_onnx_refuse(m, "groups, output_padding or output_shape, or channels that are "
                                  "not those of the weights: not modelled");
    if (w[0].kernel != w[0].stride || w[1].kernel != w[1].stride)
        return overlap(m, weights, w);
    if (set_image(m, weights->dims[1], w) || x->constant)
        return x->constant ? 0 : -1;
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_DECONV, m->out[0]);
    if (!row)
        return -1;
    row->ih = w[0].in, row->iw = w[1].in, row->ic = x->dims[1];
    row->oh = w[0].out, row->ow = w[1].out, row->oc = weights->dims[1];
    row->m = w[0].in * w[1].in;
    row->n = weights->dims[1] * w[0].kernel * w[1].kernel;
    row->k = x->dims[1];
    return 0;
}

int msw_onnx_pool(msw_onnx *m)
{
    window w[2];
    if (read_windows(m, NULL, w))
        return -1;
    for (int i = 0; i < m->in[0]->rank - 2; i++)
        if (count_out(m, &w[i], msw_onnx_int(m, "ceil_mode", 0) != 0))
            return -1;
    if (set_image(m, m->in[0]->dims[1], w) || m->in[0]->constant)
        return m->in[0]->constant ? 0 : -1;
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_POOL, m->out[0]);
    if (!row)
        return -1;
    row->fuse = m->in[0]->readers == 1;
    row->vec_ops = row->out_elems * w[0].kernel * w[1].kernel;
    return 0;
}

int msw_onnx_global_pool(msw_onnx *m)
{
    uint64_t dims[MSW_ONNX_RANK];
    if (m->in[0]->rank < 3)
        return msw_onnx_refuse(m, "an input of %d dimensions, allowed: 3 or more", m->in[0]->rank);
    for (int i = 0; i < m->in[0]->rank; i++)
        dims[i] = i < 2 ? m->in[0]->dims[i] : 1;
    return msw_onnx_set(m, m->out[0], dims, m->in[0]->rank);
}
