/* The tiles of one operator in order. Blocks of groups (and, for attention, images) come first;
 * inside, the outer loop's operand stays in its scratchpad while the inner one changes; channels
 * run fastest, so that each output is finished before the next begins. */
#include "workload/npu/parts.h"

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

static msw_npu_piece piece_at(const msw_npu_addresses *p, const place *at)
{
    const msw_npu_op *op = p->op;
    const msw_npu_cut *cut = &p->cut;
    uint64_t group_parts = msw_div_up(op->groups, cut->groups);
    uint64_t row_parts = msw_div_up(op->rows, cut->rows);
    bool own = op->second != MSW_NPU_STATIC;
    return (msw_npu_piece){
        .images =
            span_of(own ? at->block / group_parts : at->move / row_parts, cut->images, p->images),
        .rows = span_of(at->move % row_parts, cut->rows, op->rows),
        .groups = span_of(at->block % group_parts, cut->groups, op->groups),
        .filters = span_of(at->set, cut->filters, op->filters),
        .channels = span_of(at->depth, cut->channels, op->channels),
    };
}

static uint64_t cycles_of(const msw_npu_addresses *p, const msw_npu_piece *piece, const place *at)
{
    const msw_npu_op *op = p->op;
    const msw_npu_cut *cut = &p->cut;
    bool own = op->second != MSW_NPU_STATIC;
    msw_npu_gemm gemm = {
        .instances = piece->groups.count * (own ? piece->images.count : 1),
        .m = (own ? 1 : piece->images.count) * piece->rows.count * op->cols,
        .n = piece->filters.count,
        .k = piece->channels.count * op->kernel_rows * op->kernel_cols,
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
    return c->prefetch && w->p->op->second == MSW_NPU_STATIC ? MSW_NPU_WEIGHTS : MSW_NPU_NONE;
}

static void load(const walk *w, const msw_npu_piece *piece, const place *at, msw_npu_tile *tile)
{
    msw_npu_box boxes[2];
    int count = 0;
    if (!activations_stay(&w->p->cut, at))
        boxes[count++] = msw_npu_activation_box(w->p, piece);
    if (!weights_stay(w, at))
        boxes[count++] = msw_npu_weight_box(w->p, piece);
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
    if (at->depth + 1 == w->p->cut.depths) {
        msw_npu_box box = msw_npu_output_box(w->p, piece);
        tile->store_bytes = msw_npu_box_emit(&box, w->sink);
    }
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

static int check_room(const walk *w, msw_err *err)
{
    const msw_npu_cut *cut = &w->p->cut;
    double tiles =
        (double)cut->blocks * (double)cut->moves * (double)cut->sets * (double)cut->depths;
    if (tiles + (double)w->sink->tile_count <= MSW_NPU_TILES_MAX)
        return 0;
    return msw_fail(err,
                    "layer '%s' takes the network beyond %d tiles; larger scratchpads or a "
                    "smaller batch or context make fewer",
                    w->p->op->name, MSW_NPU_TILES_MAX);
}

static int check_segments(const walk *w, msw_err *err)
{
    if (w->sink->segment_count <= MSW_NPU_SEGMENTS_MAX)
        return 0;
    return msw_fail(err,
                    "layer '%s' takes the network beyond %d linear segments; larger "
                    "scratchpads or another layout make fewer",
                    w->p->op->name, MSW_NPU_SEGMENTS_MAX);
}

static int add_layer(walk *w, uint64_t repeat, msw_err *err)
{
    const msw_npu_cut *cut = &w->p->cut;
    const msw_npu_op *op = w->p->op;
    uint64_t outer = cut->weights_outer ? cut->sets : cut->moves;
    uint64_t inner = cut->weights_outer ? cut->moves : cut->sets;
    if (check_room(w, err))
        return -1;
    w->first_tile = w->sink->tile_count;
    for (uint64_t b = 0; b < cut->blocks; b++)
        for (uint64_t o = 0; o < outer; o++)
            for (uint64_t i = 0; i < inner; i++)
                for (uint64_t d = 0; d < cut->depths; d++)
                    add_tile(w, cut->weights_outer ? &(place){b, i, o, d} : &(place){b, o, i, d});
    if (w->sink->layers)
        w->sink->layers[w->sink->layer_count] = (msw_npu_layer){
            .name = op->name,
            .macs = w->p->images * op->rows * op->cols * op->groups * op->filters * op->channels *
                    op->kernel_rows * op->kernel_cols,
            .repeat = repeat,
            .tensors = {w->p->tensors[0], w->p->tensors[1], w->p->tensors[2]},
            .first_tile = (uint32_t)w->first_tile,
            .tile_count = (uint32_t)(w->sink->tile_count - w->first_tile),
        };
    w->sink->layer_count++;
    return check_segments(w, err);
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
    bool stays = placed->op->second == MSW_NPU_STATIC && cut->blocks * cut->sets * cut->depths == 1;
    if (repeat == 1 || !stays)
        return add_layer(&w, repeat, err);
    if (add_layer(&w, 1, err))
        return -1;
    w.resident = true;
    return add_layer(&w, repeat - 1, err);
}
