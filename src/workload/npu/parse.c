#include "workload/npu/formats.h"

size_t msw_npu_csv_rows(const msw_npu_csv *csv)
{
    size_t rows = 1;
    for (const char *c = csv->next; c < csv->end; c++)
        rows += *c == '\n';
    return rows;
}

uint64_t msw_npu_input_elements(const msw_npu_op *op)
{
    return op->input.rows * op->input.cols * op->groups * op->channels;
}

uint64_t msw_npu_output_elements(const msw_npu_op *op)
{
    return op->rows * op->cols * op->groups * op->filters;
}

int msw_npu_chain(msw_npu_op *ops, size_t count, msw_arena *arena, msw_npu_network *network,
                  msw_err *err)
{
    uint64_t *tensors = msw_arena_zero(arena, count + 1, sizeof *tensors);
    if (!tensors)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        ops[i].input.tensor = (uint32_t)i;
        ops[i].output.tensor = (uint32_t)i + 1;
        tensors[i] = msw_npu_max(tensors[i], msw_npu_input_elements(&ops[i]));
        tensors[i + 1] = msw_npu_output_elements(&ops[i]);
    }
    *network = (msw_npu_network){ops, tensors, count, count + 1, NULL};
    return 0;
}

typedef struct format {
    const char *marks[3]; /* columns no other format has */
    int (*read)(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
} format;

static const format FORMATS[] = {
    {{"operand", "row_bytes", NULL}, msw_npu_read_tiles},
    {{"op", "macs", NULL}, msw_npu_read_operators},
    {{"IFMAP Height", NULL}, msw_npu_read_conv},
    {{"M", "K", NULL}, msw_npu_read_gemm},
};

static bool matches(const msw_npu_csv *csv, const format *f)
{
    for (size_t i = 0; f->marks[i]; i++)
        if (msw_npu_csv_find(csv, f->marks[i]) < 0)
            return false;
    return true;
}

static int read_known(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (matches(csv, &FORMATS[i]))
            return FORMATS[i].read(csv, arena, network);
    return msw_npu_csv_fail(csv, csv->header[0],
                            "found a header that starts with '%.*s', allowed: SCALE-Sim layers "
                            "(Layer name, IFMAP Height, ... or Layer, M, N, K), operators (idx, "
                            "name, op, ...) or tiles (layer, tile, operand, base, rows, row_bytes, "
                            "stride, compute_cycles, overlap)",
                            (int)(csv->header[0].size < 40 ? csv->header[0].size : 40),
                            csv->header[0].text);
}

int msw_npu_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                  const void **content, msw_err *err)
{
    msw_npu_csv csv;
    msw_npu_network *network = msw_arena_zero(arena, 1, sizeof *network);
    if (!network)
        return msw_fail_memory(err);
    if (msw_npu_csv_open(&csv, file, bytes, size, err) || read_known(&csv, arena, network))
        return -1;
    if (network->op_count == 0 && !network->listed)
        return msw_fail(err, "%s:%zu:1: found no layer below the header", file, csv.lines);
    *content = network;
    return 0;
}
