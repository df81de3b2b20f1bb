/* SPDX-License-Identifier: MIT */
/* operators: rows of an operator table, before they are wired to each other. */
#ifndef MSW_WORKLOAD_NPU_OPERATORS_H
#define MSW_WORKLOAD_NPU_OPERATORS_H

#include "workload/npu/formats.h"

typedef enum msw_npu_kind {
    MSW_NPU_KIND_MAKES,   /* its output is a tensor of its own; no multiplications */
    MSW_NPU_KIND_INPLACE, /* works on its first input where it lies */
    MSW_NPU_KIND_SOFTMAX, /* the same; what comes after it is the second attention product */
    MSW_NPU_KIND_POOL,    /* in place when fused */
    MSW_NPU_KIND_CONCAT,  /* its producers write into it */
    MSW_NPU_KIND_VECTOR,  /* works where its first input lies; nobody names it */
    MSW_NPU_KIND_CONV,
    MSW_NPU_KIND_DECONV,
    MSW_NPU_KIND_GEMM,
    MSW_NPU_KIND_BMM
} msw_npu_kind;

enum { MSW_NPU_INPUTS = 64 };

typedef struct msw_npu_row {
    const char *name, *op, *block; /* block: "" where the table has no such column */
    msw_npu_kind kind;
    uint64_t w_elems, vec_ops, sw; /* 0 where the table has no such column */
    uint64_t out_elems, m, n, k, count, seq, macs;
    uint64_t ih, iw, ic, oh, ow, oc, kh, kw, sh, groups, fuse;
    bool view;   /* moves no data, whatever it makes */
    bool padded; /* pad_rows is known; else the same above and below */
    uint64_t pad_rows;
    uint32_t inputs[MSW_NPU_INPUTS];
    uint32_t input_count;
    /* Where its output lies: the row that owns the tensor, and for owners the tensor with the
     * channels it has of each pixel. */
    uint32_t owner, tensor;
    bool placed; /* in the channels of a concatenation */
    uint64_t first_channel, channels;
} msw_npu_row;

/* Reads all rows of an operator table. Returns 0, or -1. */
int msw_npu_read_rows(msw_npu_csv *csv, msw_arena *arena, msw_npu_row **rows, size_t *count);

/* Turns rows into operators and tensors. Returns 0, or -1. */
int msw_npu_wire(msw_npu_row *rows, size_t count, msw_arena *arena, msw_npu_network *network,
                 msw_err *err);

#endif
