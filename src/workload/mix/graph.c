/* SPDX-License-Identifier: MIT */
/* An operator table as a graph of one image, in elements. Which rows become operators, and which
 * tensors they move: docs/models/mix.md. */
#include "workload/mix/parts.h"

#include <string.h>

/* Tensors that rows may stand for, beyond a few of each row. */
enum { STORED_MORE = 1 << 16, STORED_EACH = 4 };

/* What a row's output stands for: tensors `first` .. of `stored`. */
typedef struct span {
    uint32_t first, count;
} span;

typedef struct maker {
    const msw_npu_row *rows;
    size_t count;
    const msw_npu_row **made_as; /* by row: whose size the stored output has */
    uint32_t *users;             /* by row: edges that lead from it */
    uint32_t *tensor;            /* by row: its own, or MSW_GRAPH_NONE */
    span *spans;                 /* by row */
    uint32_t *stored;
    size_t stored_count, stored_most;
    msw_graph_op *ops;
    msw_graph_tensor *tensors;
    uint32_t *reads;
    msw_graph_network *graph;
    const char *block;
} maker;

static bool makes_products(const msw_npu_row *row)
{
    return row->kind >= MSW_NPU_KIND_CONV;
}

/* Whether a row runs while its only producer stores. */
static bool is_fused(const maker *m, const msw_npu_row *row)
{
    return row->kind == MSW_NPU_KIND_POOL && row->fuse && row->input_count == 1 &&
           m->users[row->inputs[0]] == 1;
}

static msw_graph_kind kind_of(const msw_npu_row *row)
{
    if (strcmp(row->op, "embed") == 0)
        return MSW_GRAPH_GATHER;
    if (!makes_products(row))
        return MSW_GRAPH_VECTOR;
    if (row->kind == MSW_NPU_KIND_BMM)
        return MSW_GRAPH_PAIR;
    bool each = row->kind == MSW_NPU_KIND_CONV && row->n == 1 && row->count == row->ic;
    return each ? MSW_GRAPH_DEPTHWISE : MSW_GRAPH_MATRIX;
}

static uint32_t add_tensor(maker *m, uint64_t elements, msw_graph_role role, uint32_t producer)
{
    m->tensors[m->graph->tensor_count] = (msw_graph_tensor){.bytes = elements,
                                                            .role = role,
                                                            .producer = producer,
                                                            .first = MSW_GRAPH_NONE,
                                                            .last = MSW_GRAPH_NONE};
    return m->graph->tensor_count++;
}

/* Operators read a tensor once, however often it appears among their inputs; bytes count each. */
static void use_tensor(maker *m, uint32_t tensor, uint32_t op)
{
    msw_graph_tensor *t = &m->tensors[tensor];
    if (t->last != op)
        t->uses++;
    if (t->first == MSW_GRAPH_NONE)
        t->first = op;
    t->last = op;
    if (t->role == MSW_GRAPH_RESULT)
        t->role = MSW_GRAPH_INTERMEDIATE;
}

static int store_span(maker *m, size_t number)
{
    const msw_npu_row *row = &m->rows[number];
    span *s = &m->spans[number];
    *s = (span){(uint32_t)m->stored_count, 0};
    for (uint32_t i = 0; i < row->input_count; i++) {
        span in = m->spans[row->inputs[i]];
        if (m->stored_count + in.count > m->stored_most)
            return -1;
        memcpy(m->stored + m->stored_count, m->stored + in.first, in.count * sizeof *m->stored);
        m->stored_count += in.count;
    }
    s->count = (uint32_t)m->stored_count - s->first;
    return 0;
}

static void fill_image(const msw_npu_row *row, msw_graph_op *op)
{
    if (row->kind != MSW_NPU_KIND_CONV)
        return;
    op->in_rows = row->ih, op->in_cols = row->iw;
    op->out_rows = row->oh, op->out_cols = row->ow;
    op->kernel_rows = row->kh, op->kernel_cols = row->kw;
    op->stride_rows = row->sh, op->stride_cols = row->sw ? row->sw : row->sh;
}

static void fill_weights(maker *m, const msw_npu_row *row, msw_graph_op *op)
{
    if (op->kind == MSW_GRAPH_GATHER) {
        op->touched_bytes = row->m * row->n * row->k;
        op->index_bytes = row->input_count ? m->rows[row->inputs[0]].out_elems : 0;
        op->weight = add_tensor(m, row->w_elems ? row->w_elems : op->touched_bytes,
                                MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
    } else if (op->kind == MSW_GRAPH_MATRIX || op->kind == MSW_GRAPH_DEPTHWISE) {
        uint64_t weights = row->n * row->k * row->count;
        op->touched_bytes = weights * row->seq;
        op->weight = add_tensor(m, weights, MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
    }
}

static void fill_reads(maker *m, const msw_npu_row *row, uint32_t number, msw_graph_op *op)
{
    op->first_read = m->graph->read_count;
    for (uint32_t i = 0; i < row->input_count; i++) {
        span s = m->spans[row->inputs[i]];
        for (uint32_t j = 0; j < s.count; j++) {
            uint32_t tensor = m->tensor[m->stored[s.first + j]];
            m->reads[m->graph->read_count++] = tensor;
            use_tensor(m, tensor, number);
        }
    }
    op->read_count = m->graph->read_count - op->first_read;
}

static void add_op(maker *m, size_t number)
{
    const msw_npu_row *row = &m->rows[number];
    uint32_t index = m->graph->op_count++;
    msw_graph_op *op = &m->ops[index];
    *op = (msw_graph_op){.name = row->name,
                         .word = row->op,
                         .block_name = row->block,
                         .kind = kind_of(row),
                         .count = row->count,
                         .seq = row->seq,
                         .macs = row->macs,
                         .vector_ops = row->vec_ops,
                         .weight = MSW_GRAPH_NONE};
    if (makes_products(row))
        op->m = row->m, op->n = row->n, op->k = row->k;
    if (!m->block || strcmp(m->block, row->block) != 0)
        m->graph->block_count++;
    m->block = row->block;
    op->block = m->graph->block_count - 1;
    fill_image(row, op);
    fill_weights(m, row, op);
    fill_reads(m, row, index, op);
    op->output = add_tensor(m, m->made_as[number]->out_elems, MSW_GRAPH_RESULT, index);
    m->tensor[number] = op->output;
}

static int add_row(maker *m, size_t number)
{
    const msw_npu_row *row = &m->rows[number];
    if (row->kind == MSW_NPU_KIND_CONCAT || is_fused(m, row))
        return store_span(m, number);
    if (m->stored_count == m->stored_most)
        return -1;
    m->spans[number] = (span){(uint32_t)m->stored_count, 1};
    m->stored[m->stored_count++] = (uint32_t)number;
    if (row->input_count)
        add_op(m, number);
    else
        m->tensor[number] = add_tensor(m, row->out_elems, MSW_GRAPH_INPUT, MSW_GRAPH_NONE);
    return 0;
}

/* Room for all, however much of it is concatenations. */
static int allocate_arrays(maker *m, msw_arena *arena)
{
    size_t n = m->count + 1;
    m->made_as = msw_arena_zero(arena, n, sizeof *m->made_as);
    m->users = msw_arena_zero(arena, n, sizeof *m->users);
    m->tensor = msw_arena_zero(arena, n, sizeof *m->tensor);
    m->spans = msw_arena_zero(arena, n, sizeof *m->spans);
    m->stored_most = STORED_MORE + STORED_EACH * m->count;
    m->stored = msw_arena_take(arena, m->stored_most * sizeof *m->stored);
    m->ops = msw_arena_zero(arena, n, sizeof *m->ops);
    m->tensors = msw_arena_zero(arena, 2 * n, sizeof *m->tensors);
    return m->made_as && m->users && m->tensor && m->spans && m->stored && m->ops && m->tensors
               ? 0
               : -1;
}

static void look_at_edges(maker *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (uint32_t e = 0; e < m->rows[i].input_count; e++)
            m->users[m->rows[i].inputs[e]]++;
    for (size_t i = 0; i < m->count; i++)
        m->made_as[i] = &m->rows[i];
    for (size_t i = 0; i < m->count; i++)
        if (is_fused(m, &m->rows[i]))
            m->made_as[m->rows[i].inputs[0]] = &m->rows[i];
}

/* Most tensors that operators can read: each edge, with what a concatenation is made of. */
static int fill(maker *m, const char *file, msw_arena *arena, msw_err *err)
{
    m->reads = msw_arena_take(arena, m->stored_most * sizeof *m->reads);
    if (!m->reads)
        return msw_fail_memory(err);
    for (size_t i = 0; i < m->count; i++) {
        size_t more = 0;
        for (uint32_t e = 0; e < m->rows[i].input_count; e++)
            more += m->spans[m->rows[i].inputs[e]].count;
        if (m->graph->read_count + more > m->stored_most || add_row(m, i))
            return msw_fail(err, "%s: row %zu: concatenations consist of more than %zu tensors",
                            file, i, m->stored_most);
    }
    m->graph->ops = m->ops;
    m->graph->tensors = m->tensors;
    m->graph->reads = m->reads;
    return 0;
}

/* Products are checked by the table's reader; gathers have none. */
static int check_gathers(const maker *m, const char *file, msw_err *err)
{
    for (size_t i = 0; i < m->count; i++) {
        double touched = (double)m->rows[i].m * (double)m->rows[i].n * (double)m->rows[i].k;
        if (kind_of(&m->rows[i]) == MSW_GRAPH_GATHER && touched > 0x1p50)
            return msw_fail(err, "%s: row %zu: a gather of %.3g elements, allowed: up to %.3g",
                            file, i, touched, 0x1p50);
    }
    return 0;
}

/* Elements of the rows that a row reads. */
static double read_elements(const maker *m, const msw_npu_row *row)
{
    double elements = 0;
    for (uint32_t i = 0; i < row->input_count; i++)
        elements += (double)m->rows[row->inputs[i]].out_elems;
    return elements;
}

/* A product reads no more than there is. Serial steps read what they have made themselves as well,
 * and so may a product with one row; published lists resize images between convolutions. */
static int check_inputs(const maker *m, const char *file, msw_err *err)
{
    for (size_t i = 0; i < m->count; i++) {
        const msw_npu_row *row = &m->rows[i];
        msw_graph_kind kind = kind_of(row);
        if (row->input_count == 0 || row->seq > 1 || row->kind == MSW_NPU_KIND_CONV ||
            (kind != MSW_GRAPH_MATRIX && kind != MSW_GRAPH_PAIR))
            continue;
        double all = read_elements(m, row) + (row->m == 1 ? (double)row->out_elems : 0);
        double needs = (double)row->m * (double)row->k * (double)row->count;
        if (needs > all)
            return msw_fail(err,
                            "%s: row %zu (%s): M x K x count is %.0f elements, and it reads %.0f; "
                            "allowed: no more than it reads",
                            file, i, row->name, needs, all);
    }
    return 0;
}

static int read_table(const msw_workload_file *file, msw_arena *arena, maker *m, msw_err *err)
{
    msw_npu_csv csv;
    msw_npu_row *rows;
    if (msw_npu_csv_open(&csv, file->path, file->bytes, file->size, err))
        return -1;
    if (msw_npu_csv_find(&csv, "op") < 0)
        return msw_npu_csv_fail(&csv, csv.header[0],
                                "found a table without operators, allowed in a mix: operators "
                                "(idx, name, op, ...)");
    if (msw_npu_read_rows(&csv, arena, &rows, &m->count))
        return -1;
    m->rows = rows;
    MSW_TRY(check_inputs(m, file->path, err));
    return check_gathers(m, file->path, err);
}

int msw_mix_graph(const msw_workload_file *file, msw_arena *arena, msw_graph_network *graph,
                  msw_err *err)
{
    *graph = (msw_graph_network){0};
    maker m = {.graph = graph};
    if (read_table(file, arena, &m, err))
        return -1;
    if (allocate_arrays(&m, arena))
        return msw_fail_memory(err);
    look_at_edges(&m);
    if (fill(&m, file->path, arena, err))
        return -1;
    if (graph->op_count == 0)
        return msw_fail(err, "%s: found no operator that reads another row", file->path);
    return 0;
}
