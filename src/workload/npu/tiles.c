/* SPDX-License-Identifier: MIT */
/* Explicit tile lists: what a compiler or another simulator tiled, fed in unchanged. One row is one
 * segment; rows with the same tile number are one tile. Format: docs/models/npu.md. */
#include "workload/npu/parts.h"

#define CYCLES_MAX  (UINT64_C(1) << 40)
#define ADDRESS_MAX (UINT64_C(1) << 56)

enum { TILE, BASE, ROWS, ROW_BYTES, STRIDE, CYCLES, NUMBERS };
static const msw_npu_column COLUMNS[] = {
    {"tile", 0, UINT32_MAX, true},
    {"base", 0, ADDRESS_MAX, true},
    {"rows", 1, 1 << 30, true},
    {"row_bytes", 1, 1 << 30, true},
    {"stride", 1, UINT64_C(1) << 40, true},
    {"compute_cycles", 0, CYCLES_MAX, true},
    {0},
};
enum { OPERAND, OVERLAP, LAYER };
static const msw_npu_column WORDS[] = {
    {"operand", 0, 0, true}, {"overlap", 0, 0, true}, {"layer", 0, 0, false}, {0}};

static const char *const OPERANDS[] = {"activation", "weight", "output", "none", NULL};
static const char *const OVERLAPS[] = {"off", "weights", "on", NULL};

typedef struct reader {
    msw_npu_csv *csv;
    msw_arena *arena;
    int number[NUMBERS], word[3];
    uint64_t tile_number;
    msw_npu_sink sink;
} reader;

static int read_word(const reader *r, int column, const char *const *words, int *value)
{
    msw_npu_cell cell = msw_npu_csv_cell(r->csv, r->word[column]);
    for (*value = 0; words[*value]; ++*value)
        if (msw_npu_cell_is(cell, words[*value]))
            return 0;
    return msw_npu_csv_fail(r->csv, cell, "%s: found '%.*s', allowed: %s, %s, %s%s%s",
                            WORDS[column].name, (int)(cell.size < 40 ? cell.size : 40), cell.text,
                            words[0], words[1], words[2], words[3] ? ", " : "",
                            words[3] ? words[3] : "");
}

static int read_number(const reader *r, int column, uint64_t *value)
{
    return msw_npu_csv_number(r->csv, r->number[column], &COLUMNS[column], value);
}

static bool is_blank(const reader *r, int index)
{
    return msw_npu_csv_cell(r->csv, index).size == 0;
}

static msw_npu_layer *last_layer(const reader *r)
{
    return r->sink.layer_count ? &r->sink.layers[r->sink.layer_count - 1] : NULL;
}

static int open_layer(reader *r)
{
    msw_npu_layer *last = last_layer(r);
    msw_npu_cell cell = msw_npu_csv_cell(r->csv, r->word[LAYER]);
    if (last && (r->word[LAYER] < 0 || cell.size == 0 || msw_npu_cell_is(cell, last->name)))
        return 0;
    const char *name = cell.size ? msw_npu_cell_copy(cell, r->arena) : "tiles";
    if (!name)
        return msw_fail_memory(r->csv->err);
    r->sink.layers[r->sink.layer_count++] =
        (msw_npu_layer){.name = name, .repeat = 1, .first_tile = (uint32_t)r->sink.tile_count};
    return 0;
}

static int open_tile(reader *r)
{
    int overlap;
    uint64_t cycles;
    if (read_number(r, CYCLES, &cycles) || read_word(r, OVERLAP, OVERLAPS, &overlap) ||
        open_layer(r))
        return -1;
    msw_npu_layer *layer = last_layer(r);
    layer->tile_count++;
    r->sink.tiles[r->sink.tile_count++] = (msw_npu_tile){
        .compute_cycles = cycles,
        .load_first = (uint32_t)r->sink.segment_count,
        .store_first = (uint32_t)r->sink.segment_count,
        .layer = (uint32_t)r->sink.layer_count - 1,
        .tile_class = layer->tile_count == 1 ? MSW_NPU_FIRST : MSW_NPU_INTERIOR,
        .overlap = (uint16_t)overlap,
    };
    return 0;
}

/* Further rows of a tile leave its own cells empty or repeat them. */
static int check_same_tile(const reader *r)
{
    const msw_npu_tile *tile = &r->sink.tiles[r->sink.tile_count - 1];
    int overlap = tile->overlap;
    uint64_t cycles = tile->compute_cycles;
    msw_npu_cell layer = msw_npu_csv_cell(r->csv, r->word[LAYER]);
    if (!is_blank(r, r->number[CYCLES]) && read_number(r, CYCLES, &cycles))
        return -1;
    if (!is_blank(r, r->word[OVERLAP]) && read_word(r, OVERLAP, OVERLAPS, &overlap))
        return -1;
    if (r->word[LAYER] >= 0 && layer.size && !msw_npu_cell_is(layer, last_layer(r)->name))
        return msw_npu_csv_fail(r->csv, layer, "a tile lies in one layer, found a second one");
    if (overlap == tile->overlap && cycles == tile->compute_cycles)
        return 0;
    return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[CYCLES]),
                            "compute_cycles and overlap differ within a tile, allowed: the same "
                            "or empty");
}

static int read_segment(const reader *r, int operand, msw_npu_segment *segment)
{
    uint64_t base, rows, row_bytes, stride;
    if (read_number(r, BASE, &base) || read_number(r, ROWS, &rows) ||
        read_number(r, ROW_BYTES, &row_bytes))
        return -1;
    stride = row_bytes;
    if ((rows > 1 || !is_blank(r, r->number[STRIDE])) && read_number(r, STRIDE, &stride))
        return -1;
    if (rows > 1 && stride < row_bytes)
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[STRIDE]),
                                "stride: found %llu, allowed: at least row_bytes (%llu)",
                                (unsigned long long)stride, (unsigned long long)row_bytes);
    if ((double)base + (double)rows * (double)stride > (double)ADDRESS_MAX)
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[BASE]),
                                "the rows end beyond address 2^56");
    *segment = (msw_npu_segment){base, row_bytes, rows > 1 ? stride : row_bytes, (uint32_t)rows,
                                 (uint32_t)operand};
    return 0;
}

static void widen(msw_npu_tensor *tensor, const msw_npu_segment *s)
{
    uint64_t end = s->address + (s->rows - 1) * s->stride + s->row_bytes;
    uint64_t first = tensor->bytes ? msw_min_u64(tensor->address, s->address) : s->address;
    end = tensor->bytes ? msw_max_u64(tensor->address + tensor->bytes, end) : end;
    *tensor = (msw_npu_tensor){first, end - first};
}

static int add_segment(reader *r, int operand)
{
    msw_npu_segment segment;
    msw_npu_tile *tile = &r->sink.tiles[r->sink.tile_count - 1];
    if (read_segment(r, operand, &segment))
        return -1;
    if (operand == MSW_NPU_OUTPUT) {
        tile->store_count++;
        tile->store_bytes += segment.rows * segment.row_bytes;
    } else if (tile->store_count) {
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->word[OPERAND]),
                                "found a load after an output, allowed: outputs last in a tile");
    } else {
        tile->load_count++;
        tile->store_first++;
        tile->load_bytes += segment.rows * segment.row_bytes;
    }
    widen(&last_layer(r)->tensors[operand], &segment);
    r->sink.segments[r->sink.segment_count++] = segment;
    return 0;
}

static int add_row(reader *r)
{
    uint64_t number;
    int operand;
    bool first = r->sink.tile_count == 0;
    if (read_number(r, TILE, &number) || read_word(r, OPERAND, OPERANDS, &operand))
        return -1;
    if (!first && number < r->tile_number)
        return msw_npu_csv_fail(r->csv, msw_npu_csv_cell(r->csv, r->number[TILE]),
                                "tile: found %llu after %llu, allowed: rising numbers",
                                (unsigned long long)number, (unsigned long long)r->tile_number);
    if (first || number != r->tile_number ? open_tile(r) : check_same_tile(r))
        return -1;
    r->tile_number = number;
    return OPERANDS[operand + 1] ? add_segment(r, operand) : 0;
}

/* A tile that computes less than the longest one of its layer is a partial one. */
static void mark_edges(const msw_npu_sink *sink)
{
    for (uint64_t l = 0; l < sink->layer_count; l++) {
        const msw_npu_layer *layer = &sink->layers[l];
        msw_npu_tile *tiles = &sink->tiles[layer->first_tile];
        uint64_t longest = 0;
        for (uint32_t t = 0; t < layer->tile_count; t++)
            longest = msw_max_u64(longest, tiles[t].compute_cycles);
        for (uint32_t t = 1; t < layer->tile_count; t++)
            if (tiles[t].compute_cycles < longest)
                tiles[t].tile_class = MSW_NPU_EDGE;
    }
}

static int make_product(const reader *r, msw_npu_network *network)
{
    const msw_npu_sink *sink = &r->sink;
    msw_npu_product *product = msw_arena_zero(r->arena, 1, sizeof *product);
    msw_npu_tensor all = {0};
    if (!product)
        return msw_fail_memory(r->csv->err);
    for (uint64_t s = 0; s < sink->segment_count; s++)
        widen(&all, &sink->segments[s]);
    mark_edges(sink);
    *product = (msw_npu_product){.layers = sink->layers,
                                 .tiles = sink->tiles,
                                 .segments = sink->segments,
                                 .layer_count = sink->layer_count,
                                 .tile_count = sink->tile_count,
                                 .segment_count = sink->segment_count,
                                 .base_address = all.address,
                                 .footprint_bytes = all.bytes};
    msw_npu_totals(product);
    network->listed = sink->tile_count ? product : NULL;
    return 0;
}

int msw_npu_read_tiles(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    size_t rows = msw_npu_csv_rows(csv);
    reader r = {.csv = csv,
                .arena = arena,
                .sink = {.layers = msw_arena_take(arena, rows * sizeof *r.sink.layers),
                         .tiles = msw_arena_take(arena, rows * sizeof *r.sink.tiles),
                         .segments = msw_arena_take(arena, rows * sizeof *r.sink.segments)}};
    int rc;
    if (!r.sink.layers || !r.sink.tiles || !r.sink.segments)
        return msw_fail_memory(csv->err);
    if (rows > MSW_NPU_SEGMENTS_MAX)
        return msw_fail(csv->err, "%s: found %zu rows, allowed: up to %d", csv->file, rows,
                        MSW_NPU_SEGMENTS_MAX);
    if (msw_npu_csv_columns(csv, COLUMNS, r.number) || msw_npu_csv_columns(csv, WORDS, r.word))
        return -1;
    while ((rc = msw_npu_csv_next(csv)) > 0)
        if (add_row(&r))
            return -1;
    return rc ? -1 : make_product(&r, network);
}
