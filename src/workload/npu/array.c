/* SPDX-License-Identifier: MIT */
/* Cycles of an R x C array for a matrix product M x N x K; derivations in docs/models/npu.md.
 *
 *   stationary weights  T = M, folds F = ceil(K/R) ceil(N/C)
 *   stationary inputs   T = N, folds F = ceil(K/R) ceil(M/C)
 *     serial preload    F (2R + C + T - 2) - 1
 *     hidden preload    (2R + C + T - 2) + (F - 1) max(T, R) - 1
 *   stationary outputs  ceil(M/R) ceil(N/C) K + (m - 1) + (n - 1) + R, m x n the last fold
 *   spatial, V lanes    ceil(M/R) ceil(N/C) ceil(K/V) + ceil(log2 V)
 *
 * The -1 (cycles are counted between the first and the last) is taken once per layer. */
#include "workload/npu/parts.h"

static uint64_t last_part(uint64_t total, uint64_t part)
{
    return (total - 1) % part + 1;
}

static uint64_t output_stationary(const msw_npu_gemm *g, uint64_t rows, uint64_t cols)
{
    uint64_t folds = msw_div_up(g->m, rows) * msw_div_up(g->n, cols);
    uint64_t drain = last_part(g->m, rows) - 1 + last_part(g->n, cols) - 1 + rows;
    return g->instances * (folds * g->k + drain);
}

/* `across` is the dimension along the columns, `stream` the one that flows through. */
static uint64_t operand_stationary(const msw_npu_gemm *g, const msw_npu_config *c, uint64_t across,
                                   uint64_t stream)
{
    uint64_t rows = (uint64_t)c->rows, cols = (uint64_t)c->cols;
    uint64_t folds = msw_div_up(g->k, rows) * msw_div_up(across, cols);
    uint64_t alone = 2 * rows + cols + stream - 2;
    if (c->preload == MSW_NPU_PRELOAD_SERIAL)
        return g->instances * (folds * alone - g->last);
    return alone + (g->instances * folds - 1) * msw_max_u64(stream, rows) - g->last;
}

static uint64_t spatial(const msw_npu_gemm *g, const msw_npu_config *c)
{
    uint64_t lanes = (uint64_t)c->lanes, tree = msw_bits_log2_up(lanes);
    return g->instances * msw_div_up(g->m, (uint64_t)c->rows) *
               msw_div_up(g->n, (uint64_t)c->cols) * msw_div_up(g->k, lanes) +
           tree;
}

uint64_t msw_npu_compute_cycles(const msw_npu_config *c, const msw_npu_gemm *gemm)
{
    if (c->array == MSW_NPU_SPATIAL)
        return spatial(gemm, c);
    if (c->dataflow == MSW_NPU_OUTPUT_STATIONARY)
        return output_stationary(gemm, (uint64_t)c->rows, (uint64_t)c->cols);
    if (c->dataflow == MSW_NPU_INPUT_STATIONARY)
        return operand_stationary(gemm, c, gemm->m, gemm->n);
    return operand_stationary(gemm, c, gemm->n, gemm->m);
}
