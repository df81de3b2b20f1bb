/* SPDX-License-Identifier: MIT */
/* Matrix products: with constant weights on either side, or of two activations. */
#include "workload/npu/onnx.h"

/* count products of M x K by K x N. */
typedef struct product {
    uint64_t m, n, k, count;
} product;

static int refuse_shapes(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b)
{
    return msw_onnx_refuse(
        m, "matrices of %llu and %llu columns and rows do not go together",
        (unsigned long long)(a->rank ? a->dims[a->rank - 1] : 0),
        (unsigned long long)(b->rank ? b->dims[b->rank > 1 ? b->rank - 2 : 0] : 0));
}

/* The row of a product whose output has its shape. Weights that stand left are those of the
 * transposed product. */
static int fill(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b, product p)
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
    row->inputs[0] = (uint32_t)(a->constant ? b->row : a->row);
    row->input_count = 1;
    if (both)
        row->inputs[row->input_count++] = (uint32_t)b->row;
    return 0;
}

int msw_onnx_gemm(msw_onnx *m)
{
    const msw_onnx_value *a = m->in[0], *b = m->node.input_count > 1 ? m->in[1] : NULL;
    int left = msw_onnx_int(m, "transA", 0) != 0, right = msw_onnx_int(m, "transB", 0) != 0;
    if (!b || a->rank != 2 || b->rank != 2)
        return msw_onnx_refuse(m, "needs two matrices");
    product p = {a->dims[left], b->dims[!right], a->dims[!left], 1};
    if (b->dims[right] != p.k)
        return refuse_shapes(m, a, b);
    MSW_TRY(msw_onnx_set(m, m->out[0], (uint64_t[]){p.m, p.n}, 2));
    MSW_TRY(fill(m, a, b, p));
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
static product shape_of(const msw_onnx_value *a, const msw_onnx_value *b, uint64_t batch)
{
    product p = {a->dims[a->rank - 2], b->dims[b->rank - 1], a->dims[a->rank - 1], batch};
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
    return fill(m, &a, &b, shape_of(&a, &b, batch));
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
