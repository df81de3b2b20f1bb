/* SPDX-License-Identifier: MIT */
/* Walks through the tiles of an operator in order, and finds where its operands lie.
 *
 * Tensors lie row by row; instances of a product (groups, heads, steps) one behind the other;
 * weights tile by tile, as a compiler lays them. Operands that the tile before left in their buffer
 * are not loaded again; sums are stored when their tile goes, and read again when it comes back.
 * Tiles narrower than a row of the image are taken not to go over its end.
 *
 * With pages, tensors that the block holds lie in theirs, what a step keeps in the operator's own,
 * the rest in memory. What stays is filled when it is read first: in the first turn of its free
 * loop and, where rows of an image that two tiles share stay, but for the rows of the tile
 * before. */
#include "mech/camdn/machine/system.h"

enum { M, N, K };

static void step_on(const camdn_walk *w, camdn_tile_at *tile)
{
    const uint8_t *order = camdn_orders[w->order];
    for (int i = 2; i >= 0; i--) {
        if (++tile->at[order[i]] < w->turns[order[i]])
            return;
        tile->at[order[i]] = 0;
    }
    tile->instance++;
}

void camdn_walk_start(camdn_walk *w, const msw_graph_network *net, uint32_t number,
                      const camdn_step *step, const camdn_array *array, const camdn_memory *memory)
{
    const msw_graph_op *op = &net->ops[number];
    *w = (camdn_walk){.net = net, .op = op, .memory = *memory, .streams = !camdn_has_tiles(op)};
    w->cycles = camdn_cycles_of(op, array);
    w->order = step->order;
    if (net->list) {
        w->list = net->list;
        w->list_first = net->list->layers[number].first_tile;
        w->tiles = net->list->layers[number].tile_count;
        return;
    }
    if (w->streams) {
        uint64_t room = (uint64_t)array->scratchpad / (array->single ? 1 : 2);
        w->tiles = msw_max_u64(1, msw_div_up(step->npu_bytes, room));
        return;
    }
    w->product = camdn_product_of(net, number, array);
    w->tile[M] = step->m, w->tile[N] = step->n, w->tile[K] = step->k;
    for (int i = 0; i < 3; i++)
        w->turns[i] = msw_div_up(w->product.size[i], w->tile[i]);
    w->tiles = w->turns[M] * w->turns[N] * w->turns[K] * w->product.instances;
    step_on(w, &w->next);
}

bool camdn_walk_next(camdn_walk *w)
{
    if (++w->number == w->tiles)
        return false;
    if (!w->streams) {
        w->before = w->now;
        w->now = w->next;
        step_on(w, &w->next);
    }
    return true;
}

/* Segment `part` of so many of a tile list. Nothing of it is asked for again soon. */
static bool list_run(const camdn_walk *w, uint32_t first, uint32_t count, uint32_t part,
                     camdn_run *run)
{
    *run = (camdn_run){0};
    if (part >= count)
        return false;
    const msw_npu_segment *s = &w->list->segments[first + part];
    *run = (camdn_run){.address = w->memory.activations + s->address - w->net->list_base,
                       .bytes = s->row_bytes,
                       .stride = s->stride,
                       .rows = s->rows,
                       .once = true};
    return true;
}

bool camdn_walk_store_more(const camdn_walk *w, uint32_t part, uint64_t tile, camdn_run *run)
{
    if (!w->list)
        return false;
    const msw_npu_tile *t = &w->list->tiles[w->list_first + tile];
    return list_run(w, t->store_first, t->store_count, part, run);
}

uint64_t camdn_walk_cycles(const camdn_walk *w)
{
    if (w->list)
        return w->list->tiles[w->list_first + w->number].compute_cycles;
    uint64_t each = w->cycles / w->tiles, rest = w->cycles % w->tiles;
    return each + (w->number + 1) * rest / w->tiles - w->number * rest / w->tiles;
}

static bool is_same(const camdn_tile_at *a, const camdn_tile_at *b, int x, int y)
{
    return a->instance == b->instance && a->at[x] == b->at[x] && a->at[y] == b->at[y];
}

/* Returns where a tensor starts. */
static uint64_t address_of(const camdn_walk *w, uint32_t tensor)
{
    const msw_graph_tensor *t = &w->net->tensors[tensor];
    return t->offset + (t->role == MSW_GRAPH_WEIGHT ? w->memory.weights : w->memory.activations);
}

/* ---- streams ---- */

/* The present piece of so many bytes, of as many pieces as there are. */
static camdn_run piece_of(const camdn_walk *w, uint64_t address, uint64_t bytes)
{
    double each = (double)bytes / (double)w->tiles;
    uint64_t first = (uint64_t)(each * (double)w->number);
    uint64_t end = w->number + 1 == w->tiles ? bytes : (uint64_t)(each * (double)(w->number + 1));
    return (camdn_run){.address = address + first, .bytes = end - first, .rows = 1};
}

static bool load_stream(const camdn_walk *w, uint32_t part, camdn_run *run)
{
    const msw_graph_op *op = w->op;
    bool gathers = op->kind == MSW_GRAPH_GATHER;
    if (part < op->read_count) {
        uint32_t tensor = w->net->reads[op->first_read + part];
        uint64_t bytes = gathers ? op->index_bytes / op->read_count : w->net->tensors[tensor].bytes;
        *run = piece_of(w, address_of(w, tensor), bytes);
        return true;
    }
    if (part > op->read_count || op->weight == MSW_GRAPH_NONE)
        return false;
    *run = piece_of(w, address_of(w, op->weight), op->touched_bytes / op->seq);
    run->once = true;
    return true;
}

/* ---- tiles ---- */

/* Bytes of one instance of a tensor, and where the present one starts. */
static uint64_t instance_of(const camdn_walk *w, uint32_t tensor, uint64_t instances,
                            uint64_t *address)
{
    uint64_t bytes = w->net->tensors[tensor].bytes / instances;
    *address = address_of(w, tensor) + (w->now.instance % instances) * bytes;
    return bytes;
}

/* Positions [first, end) of output pixels, or of rows, that the present tile covers. */
static void span_of(const camdn_walk *w, int dimension, uint64_t *first, uint64_t *end)
{
    *first = w->now.at[dimension] * w->tile[dimension];
    *end = msw_min_u64(*first + w->tile[dimension], w->product.size[dimension]);
}

/* Input positions of output positions [first, end) along one side of an image. */
static void input_span(uint64_t in, uint64_t out, uint64_t kernel, uint64_t stride, uint64_t *first,
                       uint64_t *end)
{
    uint64_t more = kernel > stride ? kernel - stride : 0, left = more / 2;
    uint64_t from = *first * in / out, to = msw_div_up(*end * in, out) + (more - left);
    *first = from > left ? from - left : 0;
    *end = msw_min_u64(to, in);
}

/* Rows of the input image that a tile's pixels need, and columns: of its first and of its last
 * pixel. */
static void window_of(const camdn_walk *w, uint64_t *rows, uint64_t *cols)
{
    const camdn_product *p = &w->product;
    uint64_t first, end, from, to;
    span_of(w, M, &first, &end);
    rows[0] = first / p->out_cols, rows[1] = (end - 1) / p->out_cols + 1;
    input_span(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &rows[0], &rows[1]);
    from = first % p->out_cols, to = from + 1;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    cols[0] = from;
    from = (end - 1) % p->out_cols, to = from + 1;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    cols[1] = to;
}

/* Pixels from `first` on, of so many bytes each; of each the present part of K. */
static camdn_run pixels(const camdn_walk *w, uint64_t address, double pixel, uint64_t first,
                        uint64_t count)
{
    uint64_t start = address + (uint64_t)((double)first * pixel);
    if (w->turns[K] == 1)
        return (camdn_run){
            .address = start, .bytes = (uint64_t)((double)count * pixel), .stride = 0, .rows = 1};
    double part = pixel / (double)w->turns[K];
    uint64_t from = (uint64_t)(part * (double)w->now.at[K]);
    uint64_t to = (uint64_t)(part * (double)(w->now.at[K] + 1));
    return (camdn_run){
        .address = start + from, .bytes = to - from, .stride = (uint64_t)pixel, .rows = count};
}

static bool load_activations(const camdn_walk *w, uint32_t read, uint32_t row, camdn_run *run)
{
    const camdn_product *p = &w->product;
    uint64_t address, rows[2], cols[2], first, end;
    uint32_t tensor = w->net->reads[w->op->first_read + read];
    double bytes = (double)instance_of(w, tensor, p->instances, &address);
    if (!p->out_cols) {
        span_of(w, M, &first, &end);
        *run = pixels(w, address, bytes / (double)p->size[M], first, end - first);
        return row == 0;
    }
    double pixel = bytes / ((double)p->in_rows * (double)p->in_cols);
    window_of(w, rows, cols);
    if (w->tile[M] >= p->out_cols) { /* all that lies between the first and the last pixel */
        first = rows[0] * p->in_cols + cols[0], end = (rows[1] - 1) * p->in_cols + cols[1];
        *run = pixels(w, address, pixel, first, end - first);
        return row == 0;
    }
    cols[1] = cols[1] > cols[0] ? cols[1] : p->in_cols; /* not over the end of a row */
    *run = pixels(w, address, pixel, (rows[0] + row) * p->in_cols + cols[0], cols[1] - cols[0]);
    return rows[0] + row < rows[1];
}

/* Tile `number` of `count` that lie one behind the other. */
static camdn_run laid_tile(uint64_t address, uint64_t bytes, uint64_t number, uint64_t count)
{
    double each = (double)bytes / (double)count;
    uint64_t first = (uint64_t)(each * (double)number),
             end = (uint64_t)(each * (double)(number + 1));
    end = number + 1 == count ? bytes : end;
    return (camdn_run){.address = address + first, .bytes = end - first, .stride = 0, .rows = 1};
}

static camdn_run load_weights(const camdn_walk *w)
{
    bool pair = w->op->kind == MSW_GRAPH_PAIR;
    uint64_t address, instances = pair ? w->product.instances : w->op->count;
    uint32_t tensor = pair ? w->net->reads[w->op->first_read + 1] : w->op->weight;
    uint64_t bytes = instance_of(w, tensor, instances, &address);
    camdn_run run = laid_tile(address, bytes, w->now.at[N] * w->turns[K] + w->now.at[K],
                              w->turns[N] * w->turns[K]);
    run.once = !pair && w->op->seq == 1 && (w->turns[M] == 1 || w->turns[N] * w->turns[K] == 1);
    return run;
}

static camdn_run sums_of(const camdn_walk *w)
{
    double sums = w->product.bytes[CAMDN_C] * w->product.sums_share;
    return laid_tile(w->memory.sums, (uint64_t)sums, w->now.at[M] * w->turns[N] + w->now.at[N],
                     w->turns[M] * w->turns[N]);
}

/* Finds the read, and the row of the image, that part `part` of a tile's loads is; part 0 are
 * weights, 1 sums, which are no reads. */
static void find_part(const camdn_walk *w, uint32_t part, uint32_t *read, uint32_t *row)
{
    uint32_t rows = (uint32_t)w->product.kernel_rows + 1;
    *read = (part - 2) / rows;
    *row = (part - 2) % rows;
}

static bool load_tile(const camdn_walk *w, uint32_t part, camdn_run *run)
{
    bool pair = w->op->kind == MSW_GRAPH_PAIR, first = w->number == 0;
    uint32_t reads = pair ? 1 : w->op->read_count, rows = (uint32_t)w->product.kernel_rows + 1;
    *run = (camdn_run){0};
    if (part == 0) {
        if (first || !is_same(&w->now, &w->before, N, K))
            *run = load_weights(w);
        return true;
    }
    if (part == 1) { /* sums that come back */
        if (!first && w->now.at[K] > 0 && !is_same(&w->now, &w->before, M, N))
            *run = sums_of(w);
        return true;
    }
    part -= 2;
    if (part >= reads * rows)
        return false;
    if ((first || !is_same(&w->now, &w->before, M, K)) &&
        !load_activations(w, part / rows, part % rows, run))
        *run = (camdn_run){0};
    return true;
}

bool camdn_walk_load(const camdn_walk *w, uint32_t part, camdn_run *run)
{
    if (w->list) {
        const msw_npu_tile *t = &w->list->tiles[w->list_first + w->number];
        return list_run(w, t->load_first, t->load_count, part, run);
    }
    return w->streams ? load_stream(w, part, run) : load_tile(w, part, run);
}

/* Rows of M, of each the present part of N. */
static camdn_run output_of(const camdn_walk *w)
{
    uint64_t address, first, end;
    double bytes = (double)instance_of(w, w->op->output, w->product.instances, &address);
    double row = bytes / (double)w->product.size[M], part = row / (double)w->turns[N];
    span_of(w, M, &first, &end);
    uint64_t start = address + (uint64_t)((double)first * row);
    if (w->turns[N] == 1)
        return (camdn_run){.address = start,
                           .bytes = (uint64_t)((double)(end - first) * row),
                           .stride = 0,
                           .rows = 1};
    uint64_t from = (uint64_t)(part * (double)w->now.at[N]);
    uint64_t to = (uint64_t)(part * (double)(w->now.at[N] + 1));
    return (camdn_run){
        .address = start + from, .bytes = to - from, .stride = (uint64_t)row, .rows = end - first};
}

bool camdn_walk_store(const camdn_walk *w, uint32_t part, camdn_run *run)
{
    bool last = w->number + 1 == w->tiles;
    if (w->list)
        return camdn_walk_store_more(w, part, w->number, run);
    if (part > 0)
        return false;
    *run = (camdn_run){0};
    if (w->streams)
        *run = piece_of(w, address_of(w, w->op->output), w->net->tensors[w->op->output].bytes);
    else if (last || !is_same(&w->now, &w->next, M, N))
        *run = w->now.at[K] + 1 == w->turns[K] ? output_of(w) : sums_of(w);
    run->once = w->net->tensors[w->op->output].role == MSW_GRAPH_RESULT;
    return true;
}

static camdn_view view_of(const camdn_npu *n, uint32_t tensor)
{
    const camdn_ptable *p = &n->ptable;
    for (uint32_t i = 0; i < p->held_count; i++)
        if (p->held[i].tensor == tensor) {
            uint64_t line = address_of(&n->dma.walk, tensor) / n->task.memory.line;
            return (camdn_view){p->held[i].pages, line, 0, p->held[i].count * p->page_lines};
        }
    return (camdn_view){.pages = NULL};
}

/* The part of an operand that a step retains. */
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

/* Returns whether every tile brings rows of its own: the part that stays goes with each. */
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
    span_of(w, M, &first, &end);
    uint64_t top = first / p->out_cols, low = (first - 1) / p->out_cols + 1;
    uint64_t col = first % p->out_cols, last = (first - 1) % p->out_cols, unused;
    to = top + 1;
    input_span(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &top, &to);
    from = low - 1;
    input_span(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &from, &low);
    unused = col, to = col + 1;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &unused, &to);
    from = last, to = last + 1;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    uint64_t start = top * p->in_cols + unused, stop = (low - 1) * p->in_cols + to;
    return stop > start ? stop - start : 0;
}

/* The same of one row of a tile that is narrower than the image. */
static uint64_t cols_before(const camdn_walk *w, uint32_t row)
{
    const camdn_product *p = &w->product;
    uint64_t first, end, top, low, from, to;
    span_of(w, M, &first, &end);
    top = first / p->out_cols, low = top + 1;
    input_span(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &top, &low);
    uint64_t above = first / p->out_cols;
    if (above > 0) {
        from = above - 1;
        input_span(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &from, &above);
        if (top + row < above)
            return p->in_cols;
    }
    uint64_t col = first % p->out_cols;
    if (col == 0)
        return 0;
    from = col - 1, to = col;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    uint64_t stop = to;
    to = col + 1;
    input_span(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &col, &to);
    return stop > col ? stop - col : 0;
}

/* The part of a run of activations in the first turn of N that the tiles before read. */
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
    const camdn_walk *w = &n->dma.walk;
    uint32_t read, row;
    find_part(w, part, &read, &row);
    uint32_t tensor = n->task.net->reads[w->op->first_read + read];
    uint64_t all = run->rows > 1 ? run->rows : run->bytes;
    run->view = view_of(n, tensor);
    run->old = all;
    if (run->view.pages || n->level->step.stay[CAMDN_A] == CAMDN_STAY_NONE)
        return;
    run->view = own_view(n, CAMDN_A, address_of(w, tensor) / n->task.memory.line);
    uint64_t bytes = n->task.net->tensors[tensor].bytes / w->product.instances;
    if (w->now.at[N] == 0)
        run->old = read_before(w, &n->level->step, bytes, row, run);
}

/* ---- weights and sums ---- */

static void set_weights(const camdn_npu *n, camdn_run *run)
{
    const camdn_walk *w = &n->dma.walk;
    bool pair = w->op->kind == MSW_GRAPH_PAIR;
    uint32_t tensor = pair ? n->task.net->reads[w->op->first_read + 1] : w->op->weight;
    uint8_t stay = n->level->step.stay[CAMDN_W];
    run->view = view_of(n, tensor);
    run->old = run->bytes;
    if (run->view.pages || stay == CAMDN_STAY_NONE)
        return;
    run->view = own_view(n, CAMDN_W, address_of(w, tensor) / n->task.memory.line);
    bool again = stay == CAMDN_STAY_WHOLE && !pair && w->now.instance >= w->op->count;
    if (w->now.at[M] == 0 && !again)
        run->old = 0;
}

/* Sums lie in pages of their own, or in those of the output that they become. */
static void set_sums(const camdn_npu *n, camdn_run *run)
{
    run->view = own_view(n, CAMDN_C, n->task.memory.sums / n->task.memory.line);
    if (!run->view.pages) {
        run->view = view_of(n, n->dma.walk.op->output);
        run->view.base = n->task.memory.sums / n->task.memory.line;
    }
    run->old = run->bytes;
}

static void set_stream(const camdn_npu *n, uint32_t part, camdn_run *run)
{
    const msw_graph_op *op = n->dma.walk.op;
    run->old = run->bytes;
    if (part < op->read_count)
        run->view = view_of(n, n->task.net->reads[op->first_read + part]);
}

void camdn_source_load(const camdn_npu *n, uint32_t part, camdn_run *run)
{
    if (run->bytes == 0)
        return;
    if (n->dma.walk.streams)
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
    const camdn_walk *w = &n->dma.walk;
    if (run->bytes == 0)
        return;
    if (!w->streams && w->now.at[K] + 1 < w->turns[K])
        set_sums(n, run);
    else
        run->view = view_of(n, w->op->output);
}
