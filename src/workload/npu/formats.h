/* SPDX-License-Identifier: MIT */
/* formats: the kinds of file that the NPU front end reads, distinguished by their header. */
#ifndef MSW_WORKLOAD_NPU_FORMATS_H
#define MSW_WORKLOAD_NPU_FORMATS_H

#include "workload/npu/csv.h"
#include "workload/npu/parts.h"

/* Largest size of one dimension in a table. */
enum { MSW_NPU_DIMENSION_MAX = 1 << 26 };

/* Each reads all rows of its format into `network`, inside `arena`. Returns 0, or -1. */
int msw_npu_read_conv(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_gemm(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_operators(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_tiles(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);

/* Reads a Timeloop problem, whose layers are the documents of the file. Returns 0, or -1. */
int msw_npu_read_timeloop(const char *file, const char *bytes, size_t size, msw_arena *arena,
                          msw_npu_network *network, msw_err *err);

/* Upper bound of the rows still to come. */
size_t msw_npu_csv_rows(const msw_npu_csv *csv);

/* Wires a chain: the output of each operator is the next one's input. Returns 0, or -1. */
int msw_npu_chain(msw_npu_op *ops, size_t count, msw_arena *arena, msw_npu_network *network,
                  msw_err *err);

/* Elements per image of an operator's input and output. */
uint64_t msw_npu_input_elements(const msw_npu_op *op);
uint64_t msw_npu_output_elements(const msw_npu_op *op);

#endif
