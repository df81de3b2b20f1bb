/* SPDX-License-Identifier: MIT */
/* SCALE-Sim's two tables. The convolution table gives padded inputs, so nothing is padded here; a
 * layer with DP in its name is depthwise, unless a column DP says what it is. Layers form a chain.
 */
#include "workload/npu/parts.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { IH, IW, FH, FW, CHANNELS, FILTERS, STRIDE, CONV_COUNT };

static const msw_npu_column CONV[] = {
    {"IFMAP Height", 1, MSW_NPU_DIMENSION_MAX, true},
    {"IFMAP Width", 1, MSW_NPU_DIMENSION_MAX, true},
    {"Filter Height", 1, MSW_NPU_DIMENSION_MAX, true},
    {"Filter Width", 1, MSW_NPU_DIMENSION_MAX, true},
    {"Channels", 1, MSW_NPU_DIMENSION_MAX, true},
    {"Num Filter", 1, MSW_NPU_DIMENSION_MAX, true},
    {"Strides", 1, 4096, true},
    {0},
};

enum { M, N, K, GEMM_COUNT };

static const msw_npu_column GEMM[] = {
    {"M", 1, MSW_NPU_DIMENSION_MAX, true},
    {"N", 1, MSW_NPU_DIMENSION_MAX, true},
    {"K", 1, MSW_NPU_DIMENSION_MAX, true},
    {0},
};

static int read_numbers(const msw_npu_csv *csv, const msw_npu_column *columns, const int *index,
                        uint64_t *values)
{
    for (size_t i = 0; columns[i].name; i++)
        if (msw_npu_csv_number(csv, index[i], &columns[i], &values[i]))
            return -1;
    return 0;
}

/* Sparse layers are for tools that model them. */
static int check_dense(const msw_npu_csv *csv)
{
    static const char *const NAMES[] = {"Sparsity", "SparsitySupport", "Sparsity Ratio", NULL};
    for (size_t i = 0; NAMES[i]; i++) {
        int index = msw_npu_csv_find(csv, NAMES[i]);
        msw_npu_cell cell = msw_npu_csv_cell(csv, index);
        if (index >= 0 && cell.size && !msw_npu_cell_is(cell, "1:1"))
            return msw_npu_csv_fail(csv, cell, "%s: found '%.*s', allowed: 1:1 (dense)", NAMES[i],
                                    (int)(cell.size < 40 ? cell.size : 40), cell.text);
    }
    return 0;
}

/* A matrix product in disguise, M x K inputs under filters of 1 x K: K becomes the channels, which
 * can be cut. */
static bool unfold_matrix(uint64_t v[CONV_COUNT])
{
    if (v[FH] != 1 || v[FW] != v[IW] || v[CHANNELS] != 1)
        return false;
    v[CHANNELS] = v[IW];
    v[IW] = v[FW] = 1;
    return true;
}

/* A depthwise layer's filters are those of each channel, or of all channels together. */
typedef enum depthwise { ORDINARY, EACH, TOGETHER } depthwise;

/* The column DP says what a layer is; without it, or empty, its name does. */
static int read_depthwise(const msw_npu_csv *csv, const char *name, depthwise *kind)
{
    static const char *const WORDS[] = {[ORDINARY] = "no", [EACH] = "each", [TOGETHER] = "all"};
    int index = msw_npu_csv_find(csv, "DP");
    msw_npu_cell cell = msw_npu_csv_cell(csv, index);
    *kind = strstr(name, "DP") ? EACH : ORDINARY;
    if (index < 0 || !cell.size)
        return 0;
    for (int i = ORDINARY; i <= TOGETHER; i++)
        if (msw_npu_cell_is(cell, WORDS[i])) {
            *kind = (depthwise)i;
            return 0;
        }
    return msw_npu_csv_fail(csv, cell,
                            "DP: found '%.*s', allowed: no, each (filters of each channel), all "
                            "(filters of all channels together)",
                            (int)(cell.size < 40 ? cell.size : 40), cell.text);
}

static uint64_t windows(uint64_t size, uint64_t filter, uint64_t stride)
{
    return msw_div_up(size - filter, stride) + 1;
}

static int check_filter(const msw_npu_csv *csv, const int *index, const uint64_t *v)
{
    for (int d = 0; d < 2; d++)
        if (v[FH + d] > v[IH + d])
            return msw_npu_csv_fail(csv, msw_npu_csv_cell(csv, index[FH + d]),
                                    "%s: found %llu, allowed: up to the input's %llu",
                                    CONV[FH + d].name, (unsigned long long)v[FH + d],
                                    (unsigned long long)v[IH + d]);
    return 0;
}

static int make_conv(const msw_npu_csv *csv, const int *index, const char *name, msw_npu_op *op)
{
    uint64_t v[CONV_COUNT];
    if (read_numbers(csv, CONV, index, v) || check_dense(csv) || check_filter(csv, index, v))
        return -1;
    depthwise kind;
    MSW_TRY(read_depthwise(csv, name, &kind));
    if (kind == TOGETHER && v[FILTERS] % v[CHANNELS])
        return msw_npu_csv_fail(csv, msw_npu_csv_cell(csv, index[FILTERS]),
                                "Num Filter: found %llu, allowed: multiples of the %llu channels, "
                                "which DP shares them out to",
                                (unsigned long long)v[FILTERS], (unsigned long long)v[CHANNELS]);
    if (kind == TOGETHER)
        v[FILTERS] /= v[CHANNELS];
    bool matrix = kind == ORDINARY && unfold_matrix(v);
    msw_npu_view view = matrix ? MSW_NPU_VIEW_ROWS : MSW_NPU_VIEW_IMAGE;
    uint64_t groups = kind == ORDINARY ? 1 : v[CHANNELS];
    *op = (msw_npu_op){
        .name = name,
        .rows = windows(v[IH], v[FH], v[STRIDE]),
        .cols = windows(v[IW], v[FW], v[STRIDE]),
        .groups = groups,
        .filters = v[FILTERS],
        .channels = v[CHANNELS] / groups,
        .kernel_rows = v[FH],
        .kernel_cols = v[FW],
        .stride_rows = v[STRIDE],
        .repeat = 1,
        .input = {.view = view, .rows = v[IH], .cols = v[IW], .channels = v[CHANNELS]},
    };
    op->output = (msw_npu_side){
        .view = view, .rows = op->rows, .cols = op->cols, .channels = groups * v[FILTERS]};
    return 0;
}

static int make_gemm(const msw_npu_csv *csv, const int *index, const char *name, msw_npu_op *op)
{
    uint64_t v[GEMM_COUNT];
    if (read_numbers(csv, GEMM, index, v) || check_dense(csv))
        return -1;
    *op = (msw_npu_op){
        .name = name,
        .rows = v[M],
        .cols = 1,
        .groups = 1,
        .filters = v[N],
        .channels = v[K],
        .kernel_rows = 1,
        .kernel_cols = 1,
        .stride_rows = 1,
        .repeat = 1,
        .input = {.view = MSW_NPU_VIEW_ROWS, .rows = v[M], .cols = 1, .channels = v[K]},
        .output = {.view = MSW_NPU_VIEW_ROWS, .rows = v[M], .cols = 1, .channels = v[N]},
    };
    return 0;
}

/* Tensors this large are slips of the pen, and would overflow. */
static int check_size(const msw_npu_csv *csv, const msw_npu_op *op)
{
    const double most = 0x1p50;
    double input = (double)op->input.rows * (double)op->input.cols * (double)op->input.channels;
    double output = (double)op->rows * (double)op->cols * (double)op->output.channels;
    if (input <= most && output <= most)
        return 0;
    return msw_npu_csv_fail(csv, csv->cells[0],
                            "layer '%s': found tensors of %.3g and %.3g elements, allowed: up to "
                            "%.3g",
                            op->name, input, output, most);
}

typedef int (*make_fn)(const msw_npu_csv *csv, const int *index, const char *name, msw_npu_op *op);

static int read_table(msw_npu_csv *csv, const msw_npu_column *columns, make_fn make,
                      msw_arena *arena, msw_npu_network *network)
{
    int index[CONV_COUNT], rc;
    size_t count = 0;
    msw_npu_op *ops = msw_arena_zero(arena, msw_npu_csv_rows(csv) + 1, sizeof *ops);
    if (!ops)
        return msw_fail_memory(csv->err);
    if (msw_npu_csv_columns(csv, columns, index))
        return -1;
    while ((rc = msw_npu_csv_next(csv)) > 0) {
        const char *name = msw_npu_cell_copy(csv->cells[0], arena);
        if (!name)
            return msw_fail_memory(csv->err);
        if (make(csv, index, name, &ops[count]) || check_size(csv, &ops[count]))
            return -1;
        count++;
    }
    return rc ? -1 : msw_npu_chain(ops, count, arena, network, csv->err);
}

int msw_npu_read_conv(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    return read_table(csv, CONV, make_conv, arena, network);
}

int msw_npu_read_gemm(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    return read_table(csv, GEMM, make_gemm, arena, network);
}
