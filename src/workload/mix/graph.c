/* SPDX-License-Identifier: MIT */
/* Rows of an operator table, or of an ONNX model, as a graph of one image, in elements. Which rows
 * become operators, and which tensors they move: docs/models/mix.md. */
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
    bool *apart;                 /* by row: a product whose output is only taken apart */
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
           m->users[row->makers[0]] == 1;
}

static bool is_gather(const msw_npu_row *row)
{
    return strcmp(row->op, "embed") == 0;
}

/* Whether a row finds data where it is: its readers read what it is taken from. */
static bool is_view(const msw_npu_row *row)
{
    return row->view && row->input_count && !is_gather(row);
}

/* Whether a row is columns of a product: that of so many filters alone. */
static bool is_part(const maker *m, const msw_npu_row *row)
{
    const msw_npu_row *of = row->input_count == 1 ? &m->rows[row->makers[0]] : row;
    return is_view(row) && of->kind == MSW_NPU_KIND_GEMM && of->count == 1 && row->out_elems &&
           row->out_elems < of->out_elems && of->n * row->out_elems % of->out_elems == 0;
}

static msw_graph_kind kind_of(const msw_npu_row *row)
{
    if (is_gather(row))
        return MSW_GRAPH_GATHER;
    if (!makes_products(row))
        return MSW_GRAPH_VECTOR;
    if (row->kind == MSW_NPU_KIND_BMM)
        return MSW_GRAPH_PAIR;
    bool each = row->kind == MSW_NPU_KIND_CONV && row->n == 1 && row->count == row->ic;
    return each ? MSW_GRAPH_DEPTHWISE : MSW_GRAPH_MATRIX;
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
        span in = m->spans[row->makers[i]];
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
    op->kernel_rows = row->reach_rows ? row->reach_rows : row->kh;
    op->kernel_cols = row->reach_cols ? row->reach_cols : row->kw;
    op->stride_rows = row->sh, op->stride_cols = row->sw ? row->sw : row->sh;
}

static void fill_weights(maker *m, const msw_npu_row *row, msw_graph_op *op)
{
    if (op->kind == MSW_GRAPH_GATHER) {
        op->touched_bytes = row->m * row->n * row->k;
        op->index_bytes = row->input_count ? m->rows[row->makers[0]].out_elems : 0;
        op->weight = msw_mix_add_tensor(m->graph, m->tensors,
                                        row->w_elems ? row->w_elems : op->touched_bytes,
                                        MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
    } else if (op->kind == MSW_GRAPH_MATRIX || op->kind == MSW_GRAPH_DEPTHWISE) {
        uint64_t weights = row->n * row->k * row->count;
        op->touched_bytes = weights * row->seq;
        op->weight =
            msw_mix_add_tensor(m->graph, m->tensors, weights, MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
    }
}

static void fill_reads(maker *m, const msw_npu_row *row, uint32_t number, msw_graph_op *op)
{
    op->first_read = m->graph->read_count;
    for (uint32_t i = 0; i < row->input_count; i++) {
        span s = m->spans[row->makers[i]];
        for (uint32_t j = 0; j < s.count; j++) {
            uint32_t tensor = m->tensor[m->stored[s.first + j]];
            m->reads[m->graph->read_count++] = tensor;
            use_tensor(m, tensor, number);
        }
    }
    op->read_count = m->graph->read_count - op->first_read;
}

/* Words for rows of models, which have none of a table. */
static const char *word_of(const msw_npu_row *row)
{
    static const char *const WORDS[] = {
        [MSW_NPU_KIND_MAKES] = "make",      [MSW_NPU_KIND_INPLACE] = "add",
        [MSW_NPU_KIND_SOFTMAX] = "softmax", [MSW_NPU_KIND_POOL] = "pool",
        [MSW_NPU_KIND_CONCAT] = "concat",   [MSW_NPU_KIND_VECTOR] = "vector",
        [MSW_NPU_KIND_CONV] = "conv",       [MSW_NPU_KIND_DECONV] = "deconv",
        [MSW_NPU_KIND_GEMM] = "gemm",       [MSW_NPU_KIND_BMM] = "bmm"};
    return *row->op ? row->op : WORDS[row->kind];
}

static void add_op(maker *m, const msw_npu_row *row, size_t number, uint64_t elements)
{
    uint32_t index = m->graph->op_count++;
    msw_graph_op *op = &m->ops[index];
    *op = (msw_graph_op){.name = row->name,
                         .word = word_of(row),
                         .block_name = row->block,
                         .kind = kind_of(row),
                         .count = row->count,
                         .seq = row->seq,
                         .vector_ops = row->vec_ops,
                         .weight = MSW_GRAPH_NONE};
    if (makes_products(row)) {
        op->m = row->m, op->n = row->n, op->k = row->k;
        op->macs = op->m * op->n * op->k * op->count * op->seq;
    }
    if (!m->block || strcmp(m->block, row->block) != 0)
        m->graph->block_count++;
    m->block = row->block;
    op->block = m->graph->block_count - 1;
    fill_image(row, op);
    fill_weights(m, row, op);
    fill_reads(m, row, index, op);
    op->output = msw_mix_add_tensor(m->graph, m->tensors, elements, MSW_GRAPH_RESULT, index);
    m->tensor[number] = op->output;
}

static void add_part(maker *m, const msw_npu_row *row, size_t number)
{
    msw_npu_row part = m->rows[row->makers[0]];
    part.name = row->name;
    part.n = part.n * row->out_elems / part.out_elems;
    part.out_elems = row->out_elems;
    add_op(m, &part, number, row->out_elems);
}

static int add_row(maker *m, size_t number)
{
    const msw_npu_row *row = &m->rows[number];
    bool part = is_part(m, row) && m->apart[row->makers[0]];
    if (m->apart[number])
        return 0;
    if (row->kind == MSW_NPU_KIND_CONCAT || is_fused(m, row) || (is_view(row) && !part))
        return store_span(m, number);
    if (m->stored_count == m->stored_most)
        return -1;
    m->spans[number] = (span){(uint32_t)m->stored_count, 1};
    m->stored[m->stored_count++] = (uint32_t)number;
    if (part)
        add_part(m, row, number);
    else if (row->input_count)
        add_op(m, row, number, m->made_as[number]->out_elems);
    else
        m->tensor[number] = msw_mix_add_tensor(m->graph, m->tensors, row->out_elems,
                                               MSW_GRAPH_INPUT, MSW_GRAPH_NONE);
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
    m->apart = msw_arena_zero(arena, n, sizeof *m->apart);
    m->stored_most = STORED_MORE + STORED_EACH * m->count;
    m->stored = msw_arena_take(arena, m->stored_most * sizeof *m->stored);
    m->ops = msw_arena_zero(arena, n, sizeof *m->ops);
    m->tensors = msw_arena_zero(arena, 2 * n, sizeof *m->tensors);
    return m->made_as && m->users && m->tensor && m->spans && m->apart && m->stored && m->ops &&
                   m->tensors
               ? 0
               : -1;
}

static void look_at_edges(maker *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (uint32_t e = 0; e < m->rows[i].input_count; e++)
            m->users[m->rows[i].makers[e]]++;
    for (size_t i = 0; i < m->count; i++)
        m->made_as[i] = &m->rows[i];
    for (size_t i = 0; i < m->count; i++)
        if (is_fused(m, &m->rows[i]))
            m->made_as[m->rows[i].makers[0]] = &m->rows[i];
}

/* A product that is only taken apart (queries, keys and values of one) is as many products. */
static void look_at_parts(maker *m, uint64_t *taken)
{
    for (size_t i = 0; i < m->count; i++)
        if (is_part(m, &m->rows[i])) {
            taken[m->rows[i].makers[0]] += m->rows[i].out_elems;
            m->users[m->rows[i].makers[0]]--;
        }
    for (size_t i = 0; i < m->count; i++)
        m->apart[i] = taken[i] && taken[i] == m->rows[i].out_elems && !m->users[i];
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
            more += m->spans[m->rows[i].makers[e]].count;
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
        elements += (double)m->rows[row->makers[i]].out_elems;
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

/* Attention's second operand is a tensor, not several that lie side by side. */
static int check_pairs(const maker *m, const char *file, msw_err *err)
{
    for (uint32_t i = 0; i < m->graph->op_count; i++)
        if (m->ops[i].kind == MSW_GRAPH_PAIR && m->ops[i].read_count != 2)
            return msw_fail(err,
                            "%s: operator '%s' multiplies %u activations with each other, "
                            "allowed in a mix: 2",
                            file, m->ops[i].name, m->ops[i].read_count);
    return 0;
}

static int read_rows(const msw_npu_network *net, const char *file, msw_arena *arena,
                     msw_graph_network *graph, msw_err *err)
{
    *graph = (msw_graph_network){0};
    maker m = {.graph = graph, .rows = net->rows, .count = net->row_count};
    MSW_TRY(check_inputs(&m, file, err));
    MSW_TRY(check_gathers(&m, file, err));
    uint64_t *taken = msw_arena_zero(arena, m.count + 1, sizeof *taken);
    if (!taken || allocate_arrays(&m, arena))
        return msw_fail_memory(err);
    look_at_edges(&m);
    look_at_parts(&m, taken);
    if (fill(&m, file, arena, err))
        return -1;
    if (graph->op_count == 0)
        return msw_fail(err, "%s: found no operator that reads another row", file);
    return check_pairs(&m, file, err);
}

int msw_mix_read(const char *network, const msw_workload_file *file, msw_arena *arena,
                 msw_mix_source *source, msw_err *err)
{
    const void *content;
    msw_digest settings = {0};
    if (msw_frontend_npu.assemble(network, file, 1, arena, &content, &settings, err))
        return -1;
    const msw_npu_network *net = content;
    source->decoder = net->decoder;
    if (net->listed)
        return msw_mix_tiles(net->listed, arena, &source->graph, err);
    if (net->decoder)
        return 0;
    return net->rows ? read_rows(net, file->path, arena, &source->graph, err)
                     : msw_mix_chain(net, arena, &source->graph, err);
}
