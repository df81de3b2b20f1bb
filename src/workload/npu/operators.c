/* SPDX-License-Identifier: MIT */
/* Operator tables: one row per operator, with the rows it reads. Columns: workloads/README.md. */
#include "workload/npu/parts.h"

#include <string.h>

#define NUMBER_MAX (UINT64_C(1) << 50)
#define SIZE(name, min)                                                                            \
    {                                                                                              \
        name, min, MSW_NPU_DIMENSION_MAX, true                                                     \
    }

static const msw_npu_column COLUMNS[] = {
    {"idx", 0, MSW_NPU_DIMENSION_MAX, true},
    {"out_elems", 0, NUMBER_MAX, true},
    SIZE("M", 0),
    SIZE("N", 0),
    SIZE("K", 0),
    SIZE("count", 1),
    {"seq", 1, 1 << 20, true},
    {"macs", 0, NUMBER_MAX, true},
    SIZE("IH", 0),
    SIZE("IW", 0),
    SIZE("IC", 0),
    SIZE("OH", 1),
    SIZE("OW", 1),
    SIZE("OC", 1),
    {"KH", 1, 4096, true},
    {"KW", 1, 4096, true},
    {"SH", 1, 4096, true},
    SIZE("groups", 1),
    {"fuse", 0, 1, true},
    {"w_elems", 0, NUMBER_MAX, false},
    {"vec_ops", 0, NUMBER_MAX, false},
    {"SW", 0, 4096, false},
    {0},
};
static const msw_npu_column WORDS[] = {
    {"name", 0, 0, true}, {"op", 0, 0, true}, {"in", 0, 0, true}, {"block", 0, 0, false}, {0}};

enum { NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - 1 };
enum {
    IDX,
    OUT_ELEMS,
    M,
    N,
    K,
    COUNT,
    SEQ,
    MACS,
    IH,
    IW,
    IC,
    OH,
    OW,
    OC,
    KH,
    KW,
    SH,
    GROUPS,
    FUSE,
    W_ELEMS,
    VEC_OPS,
    SW
};
enum { NAME, OP, IN, BLOCK, WORD_COUNT };

static const struct {
    const char *name;
    msw_npu_kind kind;
} KINDS[] = {
    {"input", MSW_NPU_KIND_MAKES},       {"embed", MSW_NPU_KIND_MAKES},
    {"gap", MSW_NPU_KIND_MAKES},         {"lstmcell", MSW_NPU_KIND_MAKES},
    {"att_score", MSW_NPU_KIND_MAKES},   {"scatter", MSW_NPU_KIND_MAKES},
    {"add", MSW_NPU_KIND_INPLACE},       {"mul", MSW_NPU_KIND_INPLACE},
    {"layernorm", MSW_NPU_KIND_INPLACE}, {"groupnorm", MSW_NPU_KIND_INPLACE},
    {"lrn", MSW_NPU_KIND_INPLACE},       {"softmax", MSW_NPU_KIND_SOFTMAX},
    {"maxpool", MSW_NPU_KIND_POOL},      {"concat", MSW_NPU_KIND_CONCAT},
    {"conv", MSW_NPU_KIND_CONV},         {"dwconv", MSW_NPU_KIND_CONV},
    {"gconv", MSW_NPU_KIND_CONV},        {"deconv", MSW_NPU_KIND_DECONV},
    {"gemm", MSW_NPU_KIND_GEMM},         {"bmm", MSW_NPU_KIND_BMM},
};

typedef struct reader {
    msw_npu_csv *csv;
    int number[NUMBERS], word[WORD_COUNT];
    uint64_t value[NUMBERS];
} reader;

static int read_kind(const reader *r, msw_npu_row *row)
{
    msw_npu_cell cell = msw_npu_csv_cell(r->csv, r->word[OP]);
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (msw_npu_cell_is(cell, KINDS[i].name)) {
            row->kind = KINDS[i].kind;
            row->op = KINDS[i].name;
            row->view = strcmp(row->op, "embed") == 0;
            return 0;
        }
    return msw_npu_csv_fail(r->csv, cell,
                            "op: found '%.*s', allowed: input, conv, dwconv, gconv, deconv, gemm, "
                            "bmm, add, mul, concat, maxpool, gap, softmax, layernorm, groupnorm, "
                            "lrn, lstmcell, att_score, embed, scatter",
                            (int)(cell.size < 40 ? cell.size : 40), cell.text);
}

/* Row numbers separated by ';', each of an earlier row. */
static int read_inputs(const reader *r, size_t number, msw_npu_row *row)
{
    msw_npu_cell cell = msw_npu_csv_cell(r->csv, r->word[IN]);
    uint64_t value = 0;
    size_t digits = 0;
    for (size_t i = 0; i <= cell.size && cell.size; i++) {
        char c = i < cell.size ? cell.text[i] : ';';
        if (c >= '0' && c <= '9' && value < number) {
            value = value * 10 + (uint64_t)(c - '0');
            digits++;
        } else if (c == ';' && digits && value < number && row->input_count < MSW_NPU_INPUTS) {
            row->makers[row->input_count] = (uint32_t)value;
            row->inputs[row->input_count++] = (uint32_t)value;
            value = digits = 0;
        } else {
            return msw_npu_csv_fail(r->csv, cell,
                                    "in: found '%.*s', allowed: up to %d numbers of earlier rows, "
                                    "separated by ';'",
                                    (int)(cell.size < 40 ? cell.size : 40), cell.text,
                                    MSW_NPU_INPUTS);
        }
    }
    return 0;
}

static void take_numbers(const reader *r, msw_npu_row *row)
{
    const uint64_t *v = r->value;
    row->out_elems = v[OUT_ELEMS];
    row->m = v[M], row->n = v[N], row->k = v[K];
    row->count = v[COUNT], row->seq = v[SEQ], row->macs = v[MACS];
    row->ih = v[IH], row->iw = v[IW], row->ic = v[IC];
    row->oh = v[OH], row->ow = v[OW], row->oc = v[OC];
    row->kh = v[KH], row->kw = v[KW], row->sh = v[SH];
    row->groups = v[GROUPS], row->fuse = v[FUSE];
    row->w_elems = v[W_ELEMS], row->vec_ops = v[VEC_OPS], row->sw = v[SW];
}

static int expect(const reader *r, int column, uint64_t wanted, const char *why)
{
    if (r->value[column] == wanted)
        return 0;
    return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[column]),
                            "%s: found %llu, allowed: %llu (%s)", COLUMNS[column].name,
                            (unsigned long long)r->value[column], (unsigned long long)wanted, why);
}

static double product(const reader *r, const int *columns, size_t count)
{
    double all = 1;
    for (size_t i = 0; i < count; i++)
        all *= (double)r->value[columns[i]];
    return all;
}

static int check_product(const reader *r, int column, double wanted, const char *why)
{
    if (wanted <= (double)NUMBER_MAX && r->value[column] == (uint64_t)wanted)
        return 0;
    return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[column]),
                            "%s: found %llu, allowed: %.0f (%s), up to 2^50", COLUMNS[column].name,
                            (unsigned long long)r->value[column], wanted, why);
}

/* The matrix view of a convolution follows from its shape. */
static int check_conv(const reader *r)
{
    const uint64_t *v = r->value;
    double input = product(r, (int[]){IH, IW, IC}, 3);
    if (input < 1 || input > (double)NUMBER_MAX || v[IC] < v[GROUPS])
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[IH]),
                                "a convolution needs IH, IW, IC above 0, their product up to 2^50 "
                                "and IC of at least groups");
    MSW_TRY(expect(r, M, v[OH] * v[OW], "OH x OW"));
    MSW_TRY(expect(r, COUNT, v[GROUPS], "groups"));
    MSW_TRY(expect(r, K, v[IC] / v[GROUPS] * v[KH] * v[KW], "IC / groups x KH x KW"));
    MSW_TRY(expect(r, OC, v[N] * v[GROUPS], "N x groups"));
    return 0;
}

static int check_shape(const reader *r, const msw_npu_row *row)
{
    const uint64_t *v = r->value;
    if (row->kind < MSW_NPU_KIND_CONV)
        return 0;
    for (int i = M; i <= K; i++)
        if (v[i] == 0)
            return expect(r, i, 1, "at least 1 for an operator with multiplications");
    if (check_product(r, MACS, product(r, (int[]){M, N, K, COUNT, SEQ}, 5),
                      "M x N x K x count x seq") ||
        check_product(r, OUT_ELEMS, product(r, (int[]){M, N, COUNT, SEQ}, 4),
                      "M x N x count x seq"))
        return -1;
    if (row->input_count < (row->kind == MSW_NPU_KIND_BMM ? 2 : 1))
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->word[IN]),
                                "in: found too few rows, allowed: two for bmm, one for others");
    if (row->kind == MSW_NPU_KIND_DECONV) {
        MSW_TRY(expect(r, M, v[IH] * v[IW], "IH x IW"));
        MSW_TRY(expect(r, K, v[IC], "IC"));
        return 0;
    }
    return row->kind == MSW_NPU_KIND_CONV ? check_conv(r) : 0;
}

static int read_row(reader *r, size_t number, msw_arena *arena, msw_npu_row *row)
{
    *row = (msw_npu_row){
        .name = msw_npu_cell_copy(msw_npu_csv_cell(r->csv, r->word[NAME]), arena),
        .block = msw_npu_cell_copy(msw_npu_csv_cell(r->csv, r->word[BLOCK]), arena),
    };
    if (!row->name || !row->block)
        return msw_fail_memory(r->csv->err);
    for (int i = 0; i < NUMBERS; i++)
        if (r->number[i] >= 0 &&
            msw_npu_csv_number(r->csv, r->number[i], &COLUMNS[i], &r->value[i]))
            return -1;
    if (expect(r, IDX, number, "rows are numbered from 0"))
        return -1;
    if (check_product(r, OUT_ELEMS, product(r, (int[]){OH, OW, OC}, 3), "OH x OW x OC"))
        return -1;
    if (read_kind(r, row) || read_inputs(r, number, row) || check_shape(r, row))
        return -1;
    take_numbers(r, row);
    return 0;
}

int msw_npu_read_rows(msw_npu_csv *csv, msw_arena *arena, msw_npu_row **rows, size_t *count)
{
    reader r = {.csv = csv};
    int rc;
    *count = 0;
    *rows = msw_arena_take(arena, (msw_npu_csv_rows(csv) + 1) * sizeof **rows);
    if (!*rows)
        return msw_fail_memory(csv->err);
    if (msw_npu_csv_columns(csv, COLUMNS, r.number) || msw_npu_csv_columns(csv, WORDS, r.word))
        return -1;
    while ((rc = msw_npu_csv_next(csv)) > 0) {
        if (read_row(&r, *count, arena, &(*rows)[*count]))
            return -1;
        (*count)++;
    }
    return rc ? -1 : 0;
}

int msw_npu_read_operators(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    msw_npu_row *rows;
    size_t count;
    if (msw_npu_read_rows(csv, arena, &rows, &count))
        return -1;
    return msw_npu_wire(rows, count, arena, network, csv->err);
}
