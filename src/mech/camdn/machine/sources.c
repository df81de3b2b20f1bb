/* SPDX-License-Identifier: MIT */
/* Where the operands of an operator lie when an NPU has pages: tensors that the block holds in
 * theirs, what a step keeps in the operator's own, the rest in memory. What is kept is filled when
 * it is read first: in the first turn of its free loop and, where rows of an image that two tiles
 * share are kept, but for the rows of the tile before. */
#include "mech/camdn/machine/system.h"

enum { M, N, K };

static camdn_view view_of(const camdn_npu *n, uint32_t tensor)
{
    const camdn_ptable *p = &n->ptable;
    for (uint32_t i = 0; i < p->held_count; i++)
        if (p->held[i].tensor == tensor) {
            uint64_t line = camdn_walk_address(&n->walk, tensor) / n->memory.line;
            return (camdn_view){p->held[i].pages, line, 0, p->held[i].count * p->page_lines};
        }
    return (camdn_view){.pages = NULL};
}

/* What a step keeps of an operand. */
static camdn_view own_view(const camdn_npu *n, int operand, uint64_t base)
{
    uint32_t first = 0;
    for (int i = 0; i < operand; i++)
        first += n->level->lines[i];
    if (n->level->lines[operand] == 0)
        return (camdn_view){.pages = NULL};
    return (camdn_view){n->ptable.own.pages, base, first, n->level->lines[operand]};
}

/* ---- activations ---- */

/* Whether every tile brings rows of its own: the part that is kept goes with each. */
static bool brings_all(const camdn_walk *w, const camdn_step *step)
{
    int at[3];
    for (int i = 0; i < 3; i++)
        at[camdn_orders[w->order][i]] = i;
    bool inside = (at[M] > at[N] && w->turns[M] > 1) || (at[K] > at[N] && w->turns[K] > 1);
    return step->stay[CAMDN_A] == CAMDN_STAY_PART && inside && w->turns[N] > 1 && at[M] < at[N];
}

/* Pixels from the start of the run that the tile before, of as many rows of the image, read. */
static uint64_t rows_before(const camdn_walk *w)
{
    const camdn_product *p = &w->product;
    uint64_t first, end, from, to;
    camdn_walk_span(w, M, &first, &end);
    uint64_t top = first / p->out_cols, low = (first - 1) / p->out_cols + 1;
    uint64_t col = first % p->out_cols, last = (first - 1) % p->out_cols, unused;
    to = top + 1;
    camdn_walk_input(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &top, &to);
    from = low - 1;
    camdn_walk_input(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &from, &low);
    unused = col, to = col + 1;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &unused, &to);
    from = last, to = last + 1;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    uint64_t start = top * p->in_cols + unused, stop = (low - 1) * p->in_cols + to;
    return stop > start ? stop - start : 0;
}

/* The same of one row of a tile that is narrower than the image. */
static uint64_t cols_before(const camdn_walk *w, uint32_t row)
{
    const camdn_product *p = &w->product;
    uint64_t first, end, top, low, from, to;
    camdn_walk_span(w, M, &first, &end);
    top = first / p->out_cols, low = top + 1;
    camdn_walk_input(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &top, &low);
    uint64_t above = first / p->out_cols;
    if (above > 0) {
        from = above - 1;
        camdn_walk_input(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &from, &above);
        if (top + row < above)
            return p->in_cols;
    }
    uint64_t col = first % p->out_cols;
    if (col == 0)
        return 0;
    from = col - 1, to = col;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    uint64_t stop = to;
    to = col + 1;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &col, &to);
    return stop > col ? stop - col : 0;
}

/* Of a run of activations in the first turn of N, what the tiles before read. */
static uint64_t read_before(const camdn_walk *w, const camdn_step *step, uint64_t bytes,
                            uint32_t row, const camdn_run *run)
{
    const camdn_product *p = &w->product;
    if (!p->out_cols || w->now.at[M] == 0 || brings_all(w, step))
        return 0;
    uint64_t pixels = w->tile[M] >= p->out_cols ? rows_before(w) : cols_before(w, row);
    if (run->rows > 1)
        return msw_min_u64(pixels, run->rows);
    double pixel = (double)bytes / ((double)p->in_rows * (double)p->in_cols);
    return msw_min_u64((uint64_t)((double)pixels * pixel), run->bytes);
}

static void set_activations(const camdn_npu *n, uint32_t part, camdn_run *run)
{
    const camdn_walk *w = &n->walk;
    uint32_t read, row;
    camdn_walk_part(w, part, &read, &row);
    uint32_t tensor = n->net->reads[w->op->first_read + read];
    uint64_t all = run->rows > 1 ? run->rows : run->bytes;
    run->view = view_of(n, tensor);
    run->old = all;
    if (run->view.pages || n->level->step.stay[CAMDN_A] == CAMDN_STAY_NONE)
        return;
    run->view = own_view(n, CAMDN_A, camdn_walk_address(w, tensor) / n->memory.line);
    uint64_t bytes = n->net->tensors[tensor].bytes / w->product.instances;
    if (w->now.at[N] == 0)
        run->old = read_before(w, &n->level->step, bytes, row, run);
}

/* ---- weights and sums ---- */

static void set_weights(const camdn_npu *n, camdn_run *run)
{
    const camdn_walk *w = &n->walk;
    bool pair = w->op->kind == MSW_GRAPH_PAIR;
    uint32_t tensor = pair ? n->net->reads[w->op->first_read + 1] : w->op->weight;
    uint8_t stay = n->level->step.stay[CAMDN_W];
    run->view = view_of(n, tensor);
    run->old = run->bytes;
    if (run->view.pages || stay == CAMDN_STAY_NONE)
        return;
    run->view = own_view(n, CAMDN_W, camdn_walk_address(w, tensor) / n->memory.line);
    bool again = stay == CAMDN_STAY_WHOLE && !pair && w->now.instance >= w->op->count;
    if (w->now.at[M] == 0 && !again)
        run->old = 0;
}

/* Sums lie in pages of their own, or in those of the output that they become. */
static void set_sums(const camdn_npu *n, camdn_run *run)
{
    run->view = own_view(n, CAMDN_C, n->memory.sums / n->memory.line);
    if (!run->view.pages) {
        run->view = view_of(n, n->walk.op->output);
        run->view.base = n->memory.sums / n->memory.line;
    }
    run->old = run->bytes;
}

static void set_stream(const camdn_npu *n, uint32_t part, camdn_run *run)
{
    const msw_graph_op *op = n->walk.op;
    run->old = run->bytes;
    if (part < op->read_count)
        run->view = view_of(n, n->net->reads[op->first_read + part]);
}

void camdn_source_load(const camdn_npu *n, uint32_t part, camdn_run *run)
{
    if (run->bytes == 0)
        return;
    if (n->walk.streams)
        set_stream(n, part, run);
    else if (part == 0)
        set_weights(n, run);
    else if (part == 1)
        set_sums(n, run);
    else
        set_activations(n, part, run);
}

void camdn_source_store(const camdn_npu *n, camdn_run *run)
{
    const camdn_walk *w = &n->walk;
    if (run->bytes == 0)
        return;
    if (!w->streams && w->now.at[K] + 1 < w->turns[K])
        set_sums(n, run);
    else
        run->view = view_of(n, w->op->output);
}
