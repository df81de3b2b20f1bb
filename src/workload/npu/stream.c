/* SPDX-License-Identifier: MIT */
/* Makes the tiles of work without products, which read, compute and write: vector operators, each
 * tensor once, and updates of weights. A tile's operands all lie in the activations' scratchpad. */
#include "workload/npu/parts.h"

typedef struct stream {
    const msw_npu_addresses *p;
    msw_npu_sink *sink;
    uint64_t first_tile, room;
} stream;

static bool is_update(const msw_npu_addresses *p)
{
    return p->pass == MSW_NPU_UPDATE;
}

static void begin_tile(const stream *s, uint64_t elements, msw_npu_tile *tile)
{
    const msw_npu_config *c = s->p->config;
    bool first = s->sink->tile_count == s->first_tile;
    bool alone = first || !c->overlap || c->buffers == MSW_NPU_BUFFERS_SINGLE;
    *tile = (msw_npu_tile){.compute_cycles = msw_div_up(elements, (uint64_t)c->vector_lanes),
                           .layer = (uint32_t)s->sink->layer_count,
                           .tile_class = first ? MSW_NPU_FIRST : MSW_NPU_INTERIOR,
                           .overlap = alone ? MSW_NPU_NONE : MSW_NPU_ALL,
                           .load_first = (uint32_t)s->sink->segment_count};
}

static void end_loads(const stream *s, msw_npu_tile *tile)
{
    tile->load_count = (uint32_t)s->sink->segment_count - tile->load_first;
    tile->store_first = (uint32_t)s->sink->segment_count;
}

static void end_tile(const stream *s, msw_npu_tile *tile, bool partial)
{
    tile->store_count = (uint32_t)s->sink->segment_count - tile->store_first;
    if (partial && tile->tile_class == MSW_NPU_INTERIOR)
        tile->tile_class = MSW_NPU_EDGE;
    if (s->sink->tiles)
        s->sink->tiles[s->sink->tile_count] = *tile;
    s->sink->tile_count++;
}

/* A linear run. Returns its bytes. */
static uint64_t emit(const stream *s, msw_npu_operand operand, uint64_t address, uint64_t bytes)
{
    msw_npu_box box = {address, 8, operand, 1, {{bytes, {0, bytes}}}};
    return bytes ? msw_npu_box_emit(&box, s->sink) : 0;
}

/* ---- vector operators ---- */

/* Elements of an image: of what is read first, read second, written. */
typedef struct sizes {
    uint64_t first, second, written;
    uint64_t rows; /* by which a tile is cut */
} sizes;

static sizes sizes_of(const msw_npu_addresses *p)
{
    const msw_npu_op *op = p->op;
    uint64_t input = op->input.rows * op->input.cols * op->channels;
    uint64_t output = op->output.rows * op->output.cols * op->filters;
    uint64_t other = op->other == MSW_NPU_NO_TENSOR ? 0 : op->other_elements;
    if (p->pass == MSW_NPU_TO_INPUT)
        return (sizes){output, input, input, op->input.rows};
    return (sizes){input, other, output, op->input.rows};
}

/* How much of `whole` lies before row `row` of `rows`. Never falls as the row grows. */
static uint64_t before(uint64_t row, uint64_t rows, uint64_t whole)
{
    if (row == rows)
        return whole;
    if (whole % rows == 0)
        return row * (whole / rows);
    if (rows <= UINT32_MAX && whole <= UINT32_MAX)
        return row * whole / rows;
    return msw_min_u64((uint64_t)((double)row / (double)rows * (double)whole), whole);
}

/* The part of `whole` that belongs to a range of rows. */
static msw_npu_span share(msw_npu_span part, uint64_t rows, uint64_t whole)
{
    uint64_t first = before(part.first, rows, whole);
    return (msw_npu_span){first, before(part.first + part.count, rows, whole) - first};
}

static uint64_t emit_side(const stream *s, bool input, msw_npu_span images, msw_npu_span rows,
                          msw_npu_operand as)
{
    const msw_npu_op *op = s->p->op;
    msw_npu_piece piece = {images,
                           share(rows, op->input.rows, op->output.rows),
                           {0, 1},
                           {0, op->filters},
                           {0, op->channels}};
    if (!input && !piece.rows.count)
        return 0;
    msw_npu_box box =
        input ? msw_npu_rows_box(s->p, &piece, rows, as) : msw_npu_output_box(s->p, &piece, as);
    return msw_npu_box_emit(&box, s->sink);
}

/* The second operand lies in one run. */
static uint64_t emit_second(const stream *s, msw_npu_span images, msw_npu_span rows, const sizes *z)
{
    uint64_t bytes = (uint64_t)s->p->config->element_bytes;
    msw_npu_span part = share(rows, z->rows, z->second);
    if (images.count > 1)
        part.count = images.count * z->second;
    uint64_t from = s->p->tensors[MSW_NPU_WEIGHT].address;
    return emit(s, MSW_NPU_WEIGHT, from + (images.first * z->second + part.first) * bytes,
                part.count * bytes);
}

static void add_vector_tile(const stream *s, const sizes *z, msw_npu_span images, msw_npu_span rows,
                            bool partial)
{
    bool back = s->p->pass == MSW_NPU_TO_INPUT;
    uint64_t most = msw_max_u64(msw_max_u64(z->first, z->second), z->written);
    msw_npu_tile tile;
    begin_tile(s, images.count * share(rows, z->rows, most).count, &tile);
    tile.load_bytes += emit_side(s, !back, images, rows, MSW_NPU_ACTIVATION);
    tile.load_bytes += emit_second(s, images, rows, z);
    end_loads(s, &tile);
    tile.store_bytes += emit_side(s, back, images, rows, MSW_NPU_OUTPUT);
    end_tile(s, &tile, partial);
}

static int add_vector(stream *s, msw_err *err)
{
    sizes z = sizes_of(s->p);
    uint64_t image = (z.first + z.second + z.written) * (uint64_t)s->p->config->element_bytes;
    uint64_t row = msw_div_up(image, z.rows), images = s->room / image, rows = z.rows;
    if (!images)
        rows = s->room / row;
    if (!rows)
        return msw_npu_fail_small(s->p, row, 0, err);
    images = msw_min_u64(msw_max_u64(images, 1), s->p->images);
    uint64_t moves = msw_div_up(z.rows, rows) * msw_div_up(s->p->images, images);
    if (msw_npu_check_room(s->p, s->sink, (double)moves, err))
        return -1;
    for (uint64_t i = 0; i < s->p->images; i += images)
        for (uint64_t r = 0; r < z.rows; r += rows) {
            msw_npu_span of = {i, msw_min_u64(images, s->p->images - i)};
            msw_npu_span part = {r, msw_min_u64(rows, z.rows - r)};
            add_vector_tile(s, &z, of, part, of.count < images || part.count < rows);
        }
    return 0;
}

/* ---- updates ---- */

static void add_update_tile(const stream *s, uint64_t first, uint64_t count, uint64_t all,
                            bool partial)
{
    const msw_npu_config *c = s->p->config;
    uint64_t e = (uint64_t)c->element_bytes, b = (uint64_t)c->state_bytes;
    uint64_t weights = s->p->tensors[MSW_NPU_WEIGHT].address, states = msw_npu_states(c);
    msw_npu_tile tile;
    begin_tile(s, count, &tile);
    tile.load_bytes += emit(s, MSW_NPU_ACTIVATION,
                            s->p->tensors[MSW_NPU_ACTIVATION].address + first * e, count * e);
    if (!msw_npu_has_copy(c))
        tile.load_bytes += emit(s, MSW_NPU_WEIGHT, weights + first * e, count * e);
    for (uint64_t i = 0; i < states; i++)
        tile.load_bytes +=
            emit(s, MSW_NPU_WEIGHT, s->p->state_address + (i * all + first) * b, count * b);
    end_loads(s, &tile);
    tile.store_bytes += emit(s, MSW_NPU_OUTPUT, weights + first * e, count * e);
    for (uint64_t i = 0; i < states; i++)
        tile.store_bytes +=
            emit(s, MSW_NPU_OUTPUT, s->p->state_address + (i * all + first) * b, count * b);
    end_tile(s, &tile, partial);
}

static int add_update(stream *s, msw_err *err)
{
    const msw_npu_config *c = s->p->config;
    uint64_t e = (uint64_t)c->element_bytes;
    uint64_t all = s->p->tensors[MSW_NPU_ACTIVATION].bytes / e;
    uint64_t each = 2 * e + msw_npu_states(c) * (uint64_t)c->state_bytes;
    uint64_t count = msw_min_u64(s->room / each, all); /* the smallest scratchpad has room */
    if (msw_npu_check_room(s->p, s->sink, (double)msw_div_up(all, count), err))
        return -1;
    for (uint64_t i = 0; i < all; i += count) {
        uint64_t now = msw_min_u64(count, all - i);
        add_update_tile(s, i, now, all, now < count);
    }
    return 0;
}

int msw_npu_walk_stream(const msw_npu_addresses *p, msw_npu_sink *sink, msw_err *err)
{
    stream s = {p, sink, sink->tile_count, msw_npu_room_of(p->config).activation};
    if ((is_update(p) ? add_update : add_vector)(&s, err))
        return -1;
    if (sink->layers)
        sink->layers[sink->layer_count] =
            (msw_npu_layer){.name = p->name,
                            .repeat = 1,
                            .tensors = {p->tensors[0], p->tensors[1], p->tensors[2]},
                            .first_tile = (uint32_t)s.first_tile,
                            .tile_count = (uint32_t)(sink->tile_count - s.first_tile)};
    sink->layer_count++;
    return msw_npu_check_segments(p, sink, err);
}
