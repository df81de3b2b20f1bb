/* SPDX-License-Identifier: MIT */
/* Walks the tiles of one operator in order. Blocks of groups (and, for attention, images) come
 * first; inside, the outer loop's operand stays in its scratchpad while the inner one changes;
 * channels run fastest, so that each output is finished before the next begins.
 *
 * Cycles of an R x C array for a matrix product M x N x K; derivations in docs/models/npu.md.
 *
 *   stationary weights  T = M, folds F = ceil(K/R) ceil(N/C)
 *   stationary inputs   T = N, folds F = ceil(K/R) ceil(M/C)
 *     serial preload    F (2R + C + T - 2) - 1
 *     hidden preload    (2R + C + T - 2) + (F - 1) max(T, R) - 1
 *   stationary outputs  ceil(M/R) ceil(N/C) K + (m - 1) + (n - 1) + R, m x n the last fold
 *   spatial, V lanes    ceil(M/R) ceil(N/C) ceil(K/V) + ceil(log2 V)
 *
 * The -1 (cycles are counted between the first and the last) is taken once per layer. */
#include "workload/npu/parts.h"

static uint64_t last_part(uint64_t total, uint64_t part)
{
    return (total - 1) % part + 1;
}

msw_npu_folds msw_npu_folds_of(const msw_npu_config *c, const msw_npu_gemm *g)
{
    uint64_t rows = (uint64_t)c->rows, cols = (uint64_t)c->cols;
    if (c->dataflow == MSW_NPU_OUTPUT_STATIONARY)
        return (msw_npu_folds){g->instances * msw_div_up(g->m, rows) * msw_div_up(g->n, cols),
                               g->k};
    bool inputs = c->dataflow == MSW_NPU_INPUT_STATIONARY;
    uint64_t across = inputs ? g->m : g->n, stream = inputs ? g->n : g->m;
    return (msw_npu_folds){g->instances * msw_div_up(g->k, rows) * msw_div_up(across, cols),
                           msw_max_u64(stream, rows)};
}

static uint64_t systolic(const msw_npu_gemm *g, const msw_npu_config *c)
{
    uint64_t rows = (uint64_t)c->rows, cols = (uint64_t)c->cols;
    uint64_t stream = c->dataflow == MSW_NPU_INPUT_STATIONARY ? g->n : g->m;
    uint64_t alone = 2 * rows + cols + stream - 2;
    uint64_t drain = last_part(g->m, rows) - 1 + last_part(g->n, cols) - 1 + rows;
    msw_npu_folds folds = msw_npu_folds_of(c, g);
    if (c->dataflow == MSW_NPU_OUTPUT_STATIONARY)
        return folds.count * folds.each + g->instances * drain;
    if (c->preload == MSW_NPU_PRELOAD_SERIAL)
        return folds.count * alone - g->instances * g->last;
    return alone + (folds.count - 1) * folds.each - g->last;
}

static uint64_t spatial(const msw_npu_gemm *g, const msw_npu_config *c)
{
    uint64_t lanes = (uint64_t)c->lanes, tree = msw_bits_log2_up(lanes);
    return g->instances * msw_div_up(g->m, (uint64_t)c->rows) *
               msw_div_up(g->n, (uint64_t)c->cols) * msw_div_up(g->k, lanes) +
           tree;
}

uint64_t msw_npu_compute_cycles(const msw_npu_config *c, const msw_npu_gemm *gemm)
{
    return c->array == MSW_NPU_SPATIAL ? spatial(gemm, c) : systolic(gemm, c);
}

/* Number of a tile along each loop. */
typedef struct place {
    uint64_t block, move, set, depth;
} place;

typedef struct walk {
    const msw_npu_addresses *p;
    msw_npu_sink *sink;
    uint64_t first_tile;
    bool resident; /* the weights are there from the step before */
} walk;

static msw_npu_span span_of(uint64_t number, uint64_t part, uint64_t total)
{
    return (msw_npu_span){number * part, msw_min_u64(part, total - number * part)};
}

/* Which pieces of images and rows, filters and channels a tile has: the loops stand for others in
 * each pass. */
typedef struct numbers {
    uint64_t rows, filters, channels;
} numbers;

static numbers numbers_of(const msw_npu_addresses *p, const place *at)
{
    if (p->pass == MSW_NPU_TO_INPUT)
        return (numbers){at->move, at->depth, at->set};
    if (p->pass == MSW_NPU_TO_WEIGHT)
        return (numbers){at->depth, at->set, at->move};
    return (numbers){at->move, at->set, at->depth};
}

static msw_npu_piece piece_at(const msw_npu_addresses *p, const place *at)
{
    const msw_npu_op *op = p->op;
    const msw_npu_cut *cut = &p->cut;
    uint64_t group_parts = msw_div_up(op->groups, cut->groups);
    uint64_t row_parts = msw_div_up(op->rows, cut->rows);
    bool own = op->second != MSW_NPU_STATIC;
    numbers n = numbers_of(p, at);
    return (msw_npu_piece){
        .images =
            span_of(own ? at->block / group_parts : n.rows / row_parts, cut->images, p->images),
        .rows = span_of(n.rows % row_parts, cut->rows, op->rows),
        .groups = span_of(at->block % group_parts, cut->groups, op->groups),
        .filters = span_of(n.filters, cut->filters, op->filters),
        .channels = span_of(n.channels, cut->channels, op->channels),
    };
}

static uint64_t cycles_of(const msw_npu_addresses *p, const msw_npu_piece *piece, const place *at)
{
    const msw_npu_op *op = p->op;
    const msw_npu_cut *cut = &p->cut;
    bool own = op->second != MSW_NPU_STATIC;
    uint64_t rows = (own ? 1 : piece->images.count) * piece->rows.count * op->cols;
    uint64_t terms = piece->channels.count * op->kernel_rows * op->kernel_cols;
    uint64_t filters = piece->filters.count;
    msw_npu_gemm gemm = {
        .instances = piece->groups.count * (own ? piece->images.count : 1),
        .m = p->pass == MSW_NPU_TO_WEIGHT ? terms : rows,
        .n = p->pass == MSW_NPU_TO_INPUT ? terms : filters,
        .k = p->pass == MSW_NPU_TO_INPUT    ? filters
             : p->pass == MSW_NPU_TO_WEIGHT ? rows
                                            : terms,
        .last =
            at->move + 1 == cut->moves && at->set + 1 == cut->sets && at->depth + 1 == cut->depths,
    };
    return msw_npu_compute_cycles(p->config, &gemm);
}

static bool is_partial(const msw_npu_cut *cut, const msw_npu_piece *piece)
{
    return piece->images.count < cut->images || piece->rows.count < cut->rows ||
           piece->groups.count < cut->groups || piece->filters.count < cut->filters ||
           piece->channels.count < cut->channels;
}

/* Which operands the tile before left in place, given the loops' order. */
static bool activations_stay(const msw_npu_cut *cut, const place *at)
{
    if (cut->depths > 1)
        return false;
    return at->set > 0 && (cut->moves == 1 || !cut->weights_outer);
}

static bool weights_stay(const walk *w, const place *at)
{
    const msw_npu_cut *cut = &w->p->cut;
    if (w->resident)
        return true;
    if (cut->depths > 1)
        return false;
    return cut->weights_outer ? at->move > 0 : cut->sets == 1 && at->move > 0;
}

static bool outer_turns(const msw_npu_cut *cut, const place *at)
{
    if (cut->depths > 1)
        return false;
    return cut->weights_outer ? cut->moves > 1 && at->move == 0 : cut->sets > 1 && at->set == 0;
}

static msw_npu_overlap overlap_of(const walk *w, bool first)
{
    const msw_npu_config *c = w->p->config;
    if (!c->overlap || c->buffers == MSW_NPU_BUFFERS_SINGLE)
        return MSW_NPU_NONE;
    if (!first)
        return MSW_NPU_ALL;
    return c->prefetch && w->p->op->second == MSW_NPU_STATIC && w->p->pass != MSW_NPU_TO_WEIGHT
               ? MSW_NPU_WEIGHTS
               : MSW_NPU_NONE;
}

static msw_npu_box first_box(const msw_npu_addresses *p, const msw_npu_piece *piece)
{
    return p->pass == MSW_NPU_TO_INPUT ? msw_npu_output_box(p, piece, MSW_NPU_ACTIVATION)
                                       : msw_npu_activation_box(p, piece, MSW_NPU_ACTIVATION);
}

static msw_npu_box second_box(const msw_npu_addresses *p, const msw_npu_piece *piece)
{
    return p->pass == MSW_NPU_TO_WEIGHT ? msw_npu_output_box(p, piece, MSW_NPU_WEIGHT)
                                        : msw_npu_weight_box(p, piece, MSW_NPU_WEIGHT);
}

/* Rows of input over which all windows are done: up to where the next piece's first window starts.
 */
static msw_npu_span finished_rows(const msw_npu_op *op, msw_npu_span rows)
{
    uint64_t from = rows.first * op->stride_rows, last = rows.first + rows.count;
    uint64_t to = last * op->stride_rows;
    from = rows.first && from > op->pad_rows ? from - op->pad_rows : 0;
    to = to > op->pad_rows ? to - op->pad_rows : 0;
    to = last == op->rows ? op->input.rows : msw_min_u64(to, op->input.rows);
    from = msw_min_u64(from, to);
    return (msw_npu_span){from, to - from};
}

/* What a piece writes when it is done; nothing where it finishes no row. */
static uint64_t emit_result(const msw_npu_addresses *p, const msw_npu_piece *piece,
                            msw_npu_sink *sink)
{
    msw_npu_box box;
    msw_npu_span rows = finished_rows(p->op, piece->rows);
    if (p->pass == MSW_NPU_TO_INPUT && !rows.count)
        return 0;
    if (p->pass == MSW_NPU_TO_INPUT)
        box = msw_npu_rows_box(p, piece, rows, MSW_NPU_OUTPUT);
    else if (p->pass == MSW_NPU_TO_WEIGHT)
        box = msw_npu_weight_box(p, piece, MSW_NPU_OUTPUT);
    else
        box = msw_npu_output_box(p, piece, MSW_NPU_OUTPUT);
    return msw_npu_box_emit(&box, sink);
}

static void load(const walk *w, const msw_npu_piece *piece, const place *at, msw_npu_tile *tile)
{
    msw_npu_box boxes[2];
    int count = 0;
    if (!activations_stay(&w->p->cut, at))
        boxes[count++] = first_box(w->p, piece);
    if (!weights_stay(w, at))
        boxes[count++] = second_box(w->p, piece);
    tile->load_first = (uint32_t)w->sink->segment_count;
    for (int i = 0; i < count; i++) {
        bool swapped = tile->overlap == MSW_NPU_WEIGHTS && count == 2;
        tile->load_bytes += msw_npu_box_emit(&boxes[swapped ? 1 - i : i], w->sink);
    }
    tile->load_count = (uint32_t)w->sink->segment_count - tile->load_first;
}

static void store(const walk *w, const msw_npu_piece *piece, const place *at, msw_npu_tile *tile)
{
    tile->store_first = (uint32_t)w->sink->segment_count;
    if (at->depth + 1 == w->p->cut.depths)
        tile->store_bytes = emit_result(w->p, piece, w->sink);
    tile->store_count = (uint32_t)w->sink->segment_count - tile->store_first;
}

static void add_tile(const walk *w, const place *at)
{
    msw_npu_sink *sink = w->sink;
    msw_npu_piece piece = piece_at(w->p, at);
    bool first = sink->tile_count == w->first_tile;
    bool edge = is_partial(&w->p->cut, &piece) || outer_turns(&w->p->cut, at);
    msw_npu_tile tile = {
        .compute_cycles = cycles_of(w->p, &piece, at),
        .layer = (uint32_t)sink->layer_count,
        .tile_class = first  ? MSW_NPU_FIRST
                      : edge ? MSW_NPU_EDGE
                             : MSW_NPU_INTERIOR,
        .overlap = (uint16_t)overlap_of(w, first),
    };
    load(w, &piece, at, &tile);
    store(w, &piece, at, &tile);
    if (sink->tiles)
        sink->tiles[sink->tile_count] = tile;
    sink->tile_count++;
}

int msw_npu_check_room(const msw_npu_addresses *p, const msw_npu_sink *sink, double tiles,
                       msw_err *err)
{
    if (tiles + (double)sink->tile_count <= MSW_NPU_TILES_MAX)
        return 0;
    return msw_fail(err,
                    "layer '%s' takes the network beyond %d tiles; larger scratchpads or a "
                    "smaller batch or context make fewer",
                    p->name, MSW_NPU_TILES_MAX);
}

int msw_npu_check_segments(const msw_npu_addresses *p, const msw_npu_sink *sink, msw_err *err)
{
    if (sink->segment_count <= MSW_NPU_SEGMENTS_MAX)
        return 0;
    return msw_fail(err,
                    "layer '%s' takes the network beyond %d linear segments; larger "
                    "scratchpads or another layout make fewer",
                    p->name, MSW_NPU_SEGMENTS_MAX);
}

static int add_layer(walk *w, uint64_t repeat, msw_err *err)
{
    const msw_npu_cut *cut = &w->p->cut;
    const msw_npu_op *op = w->p->op;
    uint64_t outer = cut->weights_outer ? cut->sets : cut->moves;
    uint64_t inner = cut->weights_outer ? cut->moves : cut->sets;
    double tiles =
        (double)cut->blocks * (double)cut->moves * (double)cut->sets * (double)cut->depths;
    if (msw_npu_check_room(w->p, w->sink, tiles, err))
        return -1;
    w->first_tile = w->sink->tile_count;
    for (uint64_t b = 0; b < cut->blocks; b++)
        for (uint64_t o = 0; o < outer; o++)
            for (uint64_t i = 0; i < inner; i++)
                for (uint64_t d = 0; d < cut->depths; d++)
                    add_tile(w, cut->weights_outer ? &(place){b, i, o, d} : &(place){b, o, i, d});
    if (w->sink->layers)
        w->sink->layers[w->sink->layer_count] = (msw_npu_layer){
            .name = w->p->name,
            .macs = w->p->images * op->rows * op->cols * op->groups * op->filters * op->channels *
                    op->kernel_rows * op->kernel_cols,
            .repeat = repeat,
            .tensors = {w->p->tensors[0], w->p->tensors[1], w->p->tensors[2]},
            .first_tile = (uint32_t)w->first_tile,
            .tile_count = (uint32_t)(w->sink->tile_count - w->first_tile),
        };
    w->sink->layer_count++;
    return msw_npu_check_segments(w->p, w->sink, err);
}

/* Layers without serial steps have one repetition whatever is asked for. */
static uint64_t repeat_of(const msw_npu_addresses *placed)
{
    uint64_t steps = (uint64_t)placed->config->steps, own = placed->op->repeat;
    return steps && own > 1 ? steps : own;
}

int msw_npu_walk(const msw_npu_addresses *placed, msw_npu_sink *sink, msw_err *err)
{
    const msw_npu_cut *cut = &placed->cut;
    walk w = {placed, sink, 0, false};
    uint64_t repeat = repeat_of(placed);
    bool stays = placed->op->second == MSW_NPU_STATIC && placed->pass != MSW_NPU_TO_WEIGHT &&
                 cut->blocks * cut->sets * cut->depths == 1;
    if (repeat == 1 || !stays)
        return add_layer(&w, repeat, err);
    if (add_layer(&w, 1, err))
        return -1;
    w.resident = true;
    return add_layer(&w, repeat - 1, err);
}
