/* SPDX-License-Identifier: MIT */
/* pt2: what the files that read archives of torch.export share. */
#ifndef MSW_WORKLOAD_NPU_PT2_H
#define MSW_WORKLOAD_NPU_PT2_H

#include "memsweep/base/json.h"
#include "workload/npu/onnx.h"

typedef struct msw_pt2 {
    msw_onnx m;        /* values, rows and the node at hand, as of an ONNX model */
    const char *inner; /* the file in the archive */
    const msw_json *node;
} msw_pt2;

/* A text as part of a file. */
msw_onnx_part msw_pt2_part(const char *text);

/* The tensor that an argument names, or NULL. */
msw_onnx_value *msw_pt2_tensor(msw_pt2 *p, const msw_json *argument);

/* Operators of the node at hand, whose first output is to be made. Each returns 0, or -1. */
int msw_pt2_conv(msw_pt2 *p);
int msw_pt2_pool(msw_pt2 *p);
int msw_pt2_linear(msw_pt2 *p);
int msw_pt2_product(msw_pt2 *p);
int msw_pt2_softmax(msw_pt2 *p);
int msw_pt2_attention(msw_pt2 *p);

/* Does what a node says. Returns 0, or -1. */
int msw_pt2_run(msw_pt2 *p, const msw_json *node);

/* Reads an archive. Returns 0, or -1. */
int msw_pt2_read(const char *name, const msw_workload_file *file, msw_arena *arena,
                 msw_npu_network *network, msw_err *err);

#endif
