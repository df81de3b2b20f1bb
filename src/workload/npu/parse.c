/* SPDX-License-Identifier: MIT */
#include "workload/npu/pt2.h"

#include "workload/text/name.h"

#include <string.h>

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

static bool ends_with(const char *file, const char *end)
{
    size_t size = strlen(file), tail = strlen(end);
    return size > tail && strcmp(file + size - tail, end) == 0;
}

int msw_npu_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                  const void **content, msw_err *err)
{
    msw_npu_csv csv;
    msw_npu_network *network = msw_arena_zero(arena, 1, sizeof *network);
    if (!network)
        return msw_fail_memory(err);
    *content = network;
    if (ends_with(file, ".yaml") || ends_with(file, ".yml"))
        return msw_npu_read_timeloop(file, bytes, size, arena, network, err);
    if (ends_with(file, ".json")) {
        network->decoder = msw_npu_read_decoder(file, bytes, size, arena, err);
        return network->decoder ? 0 : -1;
    }
    if (msw_npu_csv_open(&csv, file, bytes, size, err) || read_known(&csv, arena, network))
        return -1;
    if (network->op_count == 0 && !network->listed)
        return msw_fail(err, "%s:%zu:1: found no layer below the header", file, csv.lines);
    return 0;
}

int msw_npu_assemble(const char *name, const msw_workload_file *files, size_t count,
                     msw_arena *arena, const void **content, msw_digest *settings, msw_err *err)
{
    char head[MSW_NAME_MAX];
    const char *path = files[0].path;
    (void)count;
    if (msw_onnx_file_size(path) != strlen(path))
        return msw_npu_parse(path, files[0].bytes, files[0].size, arena, content, err);
    msw_npu_network *network = msw_arena_zero(arena, 1, sizeof *network);
    if (!network)
        return msw_fail_memory(err);
    msw_name_split(name, msw_params_find(msw_npu_params, "npu_batch"), head);
    const char *said = head + msw_onnx_file_size(head);
    *settings = *said ? msw_hash_string(said) : (msw_digest){0};
    *content = network;
    return (ends_with(path, ".pt2") ? msw_pt2_read : msw_onnx_read)(head, &files[0], arena, network,
                                                                    err);
}
