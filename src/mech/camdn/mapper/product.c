/* SPDX-License-Identifier: MIT */
/* From operators to products, and what the array computes. */
#include "mech/camdn/mapper/mapper.h"

const uint8_t camdn_orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

bool camdn_has_tiles(const msw_graph_op *op)
{
    return op->kind == MSW_GRAPH_MATRIX || op->kind == MSW_GRAPH_PAIR;
}

/* Operand by operand, bytes of all instances. A pair's second read is what it multiplies with. */
static void fill_bytes(const msw_graph_network *net, const msw_graph_op *op, double *bytes)
{
    const uint32_t *reads = net->reads + op->first_read;
    bool pair = op->kind == MSW_GRAPH_PAIR;
    bytes[CAMDN_C] = (double)net->tensors[op->output].bytes;
    bytes[CAMDN_W] = pair ? (double)net->tensors[reads[1]].bytes : (double)op->touched_bytes;
    for (uint32_t i = 0; i < op->read_count && (!pair || i == 0); i++)
        bytes[CAMDN_A] += (double)net->tensors[reads[i]].bytes;
}

camdn_product camdn_product_of(const msw_graph_network *net, uint32_t number,
                               const camdn_array *array)
{
    const msw_graph_op *op = &net->ops[number];
    uint64_t instances = op->count * op->seq;
    uint64_t rows = (uint64_t)array->rows, cols = (uint64_t)array->cols;
    camdn_product p = {
        .size = {op->m, op->n, op->k},
        .block = {msw_min_u64(rows, op->m), msw_min_u64(cols, op->n), msw_min_u64(rows, op->k)},
        .sums_share = (double)array->sum_bytes / (double)array->element_bytes,
        .instances = instances,
        .steps = op->kind == MSW_GRAPH_MATRIX ? op->seq : 1};
    fill_bytes(net, op, p.bytes);
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        p.bytes[i] /= (double)instances;
    if (op->out_cols && op->m > 0) {
        uint64_t images = op->m / (op->out_rows * op->out_cols);
        p.in_rows = op->in_rows * images, p.in_cols = op->in_cols;
        p.out_rows = op->out_rows * images, p.out_cols = op->out_cols;
        p.kernel_rows = op->kernel_rows, p.kernel_cols = op->kernel_cols;
        p.stride_rows = op->stride_rows, p.stride_cols = op->stride_cols;
    }
    return p;
}

static uint64_t depthwise_cycles(const msw_graph_op *op, const camdn_array *array)
{
    uint64_t rows = (uint64_t)array->rows, cols = (uint64_t)array->cols;
    uint64_t packed = msw_max_u64(1, msw_min_u64(rows / op->k, cols));
    if (array->depthwise == CAMDN_DEPTHWISE_VECTOR)
        return msw_div_up(op->count, cols) * op->m * op->k * op->seq;
    if (array->depthwise == CAMDN_DEPTHWISE_ONE)
        packed = 1;
    return msw_div_up(op->count, packed) * msw_div_up(op->k, rows) * msw_max_u64(op->m, rows) *
           op->seq;
}

uint64_t camdn_cycles_of(const msw_graph_op *op, const camdn_array *array)
{
    if (op->kind == MSW_GRAPH_DEPTHWISE)
        return depthwise_cycles(op, array);
    if (!camdn_has_tiles(op))
        return msw_div_up(op->vector_ops, (uint64_t)array->lanes);
    msw_npu_config config = {.array = MSW_NPU_SYSTOLIC,
                             .rows = array->rows,
                             .cols = array->cols,
                             .dataflow = array->dataflow,
                             .preload = MSW_NPU_PRELOAD_HIDDEN,
                             .lanes = 1};
    msw_npu_gemm gemm = {op->count * op->seq, op->m, op->n, op->k, true};
    return msw_npu_compute_cycles(&config, &gemm);
}
