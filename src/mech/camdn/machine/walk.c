/* SPDX-License-Identifier: MIT */
/* Tiles in order. Tensors lie row by row; instances of a product (groups, heads, steps) one behind
 * the other; weights tile by tile, as a compiler lays them. Operands that the tile before left in
 * their buffer are not loaded again; sums are stored when their tile goes, and read again when it
 * comes back. Tiles narrower than a row of the image are taken not to go over its end. */
#include "mech/camdn/machine/walk.h"

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

uint64_t camdn_walk_cycles(const camdn_walk *w)
{
    uint64_t each = w->cycles / w->tiles, rest = w->cycles % w->tiles;
    return each + (w->number + 1) * rest / w->tiles - w->number * rest / w->tiles;
}

static bool is_same(const camdn_tile_at *a, const camdn_tile_at *b, int x, int y)
{
    return a->instance == b->instance && a->at[x] == b->at[x] && a->at[y] == b->at[y];
}

uint64_t camdn_walk_address(const camdn_walk *w, uint32_t tensor)
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
        *run = piece_of(w, camdn_walk_address(w, tensor), bytes);
        return true;
    }
    if (part > op->read_count || op->weight == MSW_GRAPH_NONE)
        return false;
    *run = piece_of(w, camdn_walk_address(w, op->weight), op->touched_bytes / op->seq);
    run->once = true;
    return true;
}

/* ---- tiles ---- */

/* Bytes of one instance of a tensor, and where the present one starts. */
static uint64_t instance_of(const camdn_walk *w, uint32_t tensor, uint64_t instances,
                            uint64_t *address)
{
    uint64_t bytes = w->net->tensors[tensor].bytes / instances;
    *address = camdn_walk_address(w, tensor) + (w->now.instance % instances) * bytes;
    return bytes;
}

void camdn_walk_span(const camdn_walk *w, int dimension, uint64_t *first, uint64_t *end)
{
    *first = w->now.at[dimension] * w->tile[dimension];
    *end = msw_min_u64(*first + w->tile[dimension], w->product.size[dimension]);
}

void camdn_walk_input(uint64_t in, uint64_t out, uint64_t kernel, uint64_t stride, uint64_t *first,
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
    camdn_walk_span(w, M, &first, &end);
    rows[0] = first / p->out_cols, rows[1] = (end - 1) / p->out_cols + 1;
    camdn_walk_input(p->in_rows, p->out_rows, p->kernel_rows, p->stride_rows, &rows[0], &rows[1]);
    from = first % p->out_cols, to = from + 1;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
    cols[0] = from;
    from = (end - 1) % p->out_cols, to = from + 1;
    camdn_walk_input(p->in_cols, p->out_cols, p->kernel_cols, p->stride_cols, &from, &to);
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
        camdn_walk_span(w, M, &first, &end);
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

void camdn_walk_part(const camdn_walk *w, uint32_t part, uint32_t *read, uint32_t *row)
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
    return w->streams ? load_stream(w, part, run) : load_tile(w, part, run);
}

/* Rows of M, of each the present part of N. */
static camdn_run output_of(const camdn_walk *w)
{
    uint64_t address, first, end;
    double bytes = (double)instance_of(w, w->op->output, w->product.instances, &address);
    double row = bytes / (double)w->product.size[M], part = row / (double)w->turns[N];
    camdn_walk_span(w, M, &first, &end);
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
    if (part > 0)
        return false;
    *run = (camdn_run){0};
    if (w->streams)
        *run =
            piece_of(w, camdn_walk_address(w, w->op->output), w->net->tensors[w->op->output].bytes);
    else if (last || !is_same(&w->now, &w->next, M, N))
        *run = w->now.at[K] + 1 == w->turns[K] ? output_of(w) : sums_of(w);
    run->once = w->net->tensors[w->op->output].role == MSW_GRAPH_RESULT;
    return true;
}
