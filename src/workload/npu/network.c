/* SPDX-License-Identifier: MIT */
/* Builds networks, for all readers of network files, and finds which operators of a table share
 * memory.
 *
 * Who shares memory with whom in an operator table. In-place operators and fused pools use their
 * producer's tensor; the producers of a concatenation write their channels into it; an operand
 * that is larger than what its producer made (a recurrent state in addition to the input) gets a
 * tensor of its own. Operators without products are operators too, for those who want them. */
#include "workload/npu/parts.h"

size_t msw_npu_csv_rows(const msw_npu_csv *csv)
{
    size_t rows = 1;
    for (const char *c = csv->next; c < csv->end; c++)
        rows += *c == '\n';
    return rows;
}

static uint64_t msw_npu_input_elements(const msw_npu_op *op)
{
    return op->input.rows * op->input.cols * op->groups * op->channels;
}

/* Elements per image of an operator's input and output. */
static uint64_t msw_npu_output_elements(const msw_npu_op *op)
{
    return op->rows * op->cols * op->groups * op->filters;
}

int msw_npu_chain(msw_npu_op *ops, size_t count, msw_arena *arena, msw_npu_network *network,
                  msw_err *err)
{
    uint64_t *tensors = msw_arena_zero(arena, count + 1, sizeof *tensors);
    bool *given = msw_arena_zero(arena, count + 1, sizeof *given);
    if (!tensors || !given)
        return msw_fail_memory(err);
    given[0] = true;
    for (size_t i = 0; i < count; i++) {
        ops[i].input.tensor = (uint32_t)i;
        ops[i].output.tensor = (uint32_t)i + 1;
        tensors[i] = msw_max_u64(tensors[i], msw_npu_input_elements(&ops[i]));
        tensors[i + 1] = msw_npu_output_elements(&ops[i]);
    }
    *network = (msw_npu_network){.ops = ops,
                                 .tensors = tensors,
                                 .given = given,
                                 .op_count = count,
                                 .tensor_count = count + 1};
    return 0;
}

static void add_layer(msw_npu_product *product, const msw_npu_layer *layer)
{
    product->tiles_run += layer->repeat * layer->tile_count;
    product->macs += layer->repeat * layer->macs;
    for (uint32_t t = 0; t < layer->tile_count; t++) {
        const msw_npu_tile *tile = &product->tiles[layer->first_tile + t];
        product->compute_cycles += layer->repeat * tile->compute_cycles;
        product->load_bytes += layer->repeat * tile->load_bytes;
        product->store_bytes += layer->repeat * tile->store_bytes;
    }
}

void msw_npu_totals(msw_npu_product *product)
{
    for (uint64_t l = 0; l < product->layer_count; l++)
        add_layer(product, &product->layers[l]);
}

typedef struct wiring {
    msw_npu_row *rows;
    size_t count;
    uint64_t *tensors;
    size_t tensor_count;
} wiring;

static uint64_t places(const msw_npu_row *row)
{
    return row->oh * row->ow;
}

static uint32_t new_tensor(wiring *w, uint64_t elements)
{
    w->tensors[w->tensor_count] = elements;
    return (uint32_t)w->tensor_count++;
}

static bool is_in_place(const wiring *w, const msw_npu_row *row)
{
    if (row->input_count == 0)
        return false;
    bool same = row->out_elems == w->rows[row->inputs[0]].out_elems;
    if (row->kind == MSW_NPU_KIND_POOL)
        return row->fuse && row->out_elems <= w->rows[row->inputs[0]].out_elems;
    return same && (row->kind == MSW_NPU_KIND_INPLACE || row->kind == MSW_NPU_KIND_SOFTMAX);
}

/* A producer that made all pixels of the concatenation, and no more, can write into it. */
static bool can_place(const msw_npu_row *owner, const msw_npu_row *concat, uint64_t first)
{
    bool pixels = owner->kind == MSW_NPU_KIND_CONV || owner->kind == MSW_NPU_KIND_MAKES ||
                  (owner->kind == MSW_NPU_KIND_GEMM && owner->count * owner->n == owner->oc);
    return pixels && !owner->placed && places(owner) == places(concat) &&
           first + owner->oc <= concat->oc;
}

static void place_producers(wiring *w, msw_npu_row *concat)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < concat->input_count; i++) {
        const msw_npu_row *input = &w->rows[concat->inputs[i]];
        msw_npu_row *owner = &w->rows[input->owner];
        if (input->out_elems == owner->out_elems && can_place(owner, concat, first)) {
            w->tensors[owner->tensor] = 0;
            owner->tensor = concat->tensor;
            owner->placed = true;
            owner->first_channel = first;
            owner->channels = concat->oc;
        }
        first += input->out_elems / places(concat);
    }
}

static void own(wiring *w, uint32_t number)
{
    msw_npu_row *row = &w->rows[number];
    if (is_in_place(w, row) || row->kind == MSW_NPU_KIND_VECTOR) {
        row->owner = w->rows[row->inputs[0]].owner;
        return;
    }
    row->owner = number;
    row->tensor = new_tensor(w, row->out_elems);
    if (row->kind == MSW_NPU_KIND_CONCAT)
        place_producers(w, row);
}

/* The tensor of a producer as a window of `rows` x `cols` x `channels`. */
static msw_npu_side read_side(wiring *w, uint32_t number, uint64_t rows, uint64_t cols,
                              uint64_t channels)
{
    const msw_npu_row *row = &w->rows[number], *owner = &w->rows[row->owner];
    msw_npu_side side = {owner->tensor, MSW_NPU_VIEW_IMAGE, rows, 0, cols, channels, 0};
    if (owner->placed && row->oc == channels && places(row) == rows * cols) {
        side.channels = owner->channels;
        side.first_channel = owner->first_channel;
    } else if (w->tensors[owner->tensor] < rows * cols * channels) {
        side.tensor = new_tensor(w, rows * cols * channels);
    }
    return side;
}

static void wire_output(const wiring *w, const msw_npu_row *row, msw_npu_op *op)
{
    const msw_npu_row *owner = &w->rows[row->owner];
    op->output = (msw_npu_side){.tensor = owner->tensor,
                                .rows = op->rows,
                                .cols = op->cols,
                                .channels = owner->placed ? owner->channels : row->count * row->n,
                                .first_channel = owner->placed ? owner->first_channel : 0};
    if (row->kind == MSW_NPU_KIND_GEMM || row->kind == MSW_NPU_KIND_BMM) {
        op->output.view = MSW_NPU_VIEW_ROWS;
        op->output.rows = owner->placed ? places(row) : op->rows;
    }
}

static void wire_image(wiring *w, const msw_npu_row *row, msw_npu_op *op)
{
    bool conv = row->kind == MSW_NPU_KIND_CONV;
    uint64_t reach = (row->oh - 1) * row->sh + row->kh;
    op->rows = conv ? row->oh : row->ih;
    op->cols = conv ? row->ow : row->iw;
    op->channels = row->ic / row->count;
    op->kernel_rows = conv ? row->kh : 1;
    op->kernel_cols = conv ? row->kw : 1;
    op->reach = conv ? row->reach_rows : 0;
    op->stride_rows = conv ? row->sh : 1;
    op->pad_rows = conv && reach > row->ih ? (reach - row->ih) / 2 : 0;
    if (row->padded)
        op->pad_rows = row->pad_rows;
    op->input = read_side(w, row->inputs[0], row->ih, row->iw, row->ic);
}

/* Attention: scores follow from queries and keys; after softmax they weigh the values. */
static void wire_attention(wiring *w, const msw_npu_row *row, msw_npu_op *op)
{
    bool scores = w->rows[row->inputs[0]].kind != MSW_NPU_KIND_SOFTMAX;
    op->second = scores ? MSW_NPU_KEYS : MSW_NPU_VALUES;
    op->second_tensor = read_side(w, row->inputs[1], row->n, 1, row->count * row->k).tensor;
    if (scores)
        op->output.view = MSW_NPU_VIEW_GROUPED;
    else
        op->input.view = MSW_NPU_VIEW_GROUPED;
}

static void wire_op(wiring *w, const msw_npu_row *row, msw_npu_op *op)
{
    *op = (msw_npu_op){.name = row->name,
                       .rows = row->m,
                       .cols = 1,
                       .groups = row->count,
                       .filters = row->n,
                       .channels = row->k,
                       .kernel_rows = 1,
                       .kernel_cols = 1,
                       .stride_rows = 1,
                       .repeat = row->seq};
    if (row->kind == MSW_NPU_KIND_CONV || row->kind == MSW_NPU_KIND_DECONV) {
        wire_image(w, row, op);
    } else {
        op->input = read_side(w, row->inputs[0], row->m, 1, row->count * row->k);
        op->input.view = MSW_NPU_VIEW_ROWS;
    }
    wire_output(w, row, op);
    if (row->kind == MSW_NPU_KIND_BMM)
        wire_attention(w, row, op);
}

/* ---- without products ---- */

static bool is_vector(const wiring *w, const msw_npu_row *row)
{
    if (!row->input_count || row->view || row->kind == MSW_NPU_KIND_CONCAT || !row->out_elems)
        return false;
    bool fused = row->kind == MSW_NPU_KIND_POOL && is_in_place(w, row);
    return !fused && w->rows[row->inputs[0]].out_elems;
}

/* All that a row made, where it lies: in channels of a wider tensor, or in one run. */
static msw_npu_side all_of(const wiring *w, uint32_t number)
{
    const msw_npu_row *row = &w->rows[number], *owner = &w->rows[row->owner];
    uint64_t room = w->tensors[owner->tensor];
    msw_npu_side side = {owner->tensor, MSW_NPU_VIEW_IMAGE, row->oh, 0, row->ow, row->oc, 0};
    if (owner->placed && row->oc == owner->oc && places(row) * owner->channels == room) {
        side.channels = owner->channels;
        side.first_channel = owner->first_channel;
    } else if (row->out_elems > room || places(row) * row->oc != row->out_elems) {
        side = (msw_npu_side){
            owner->tensor, MSW_NPU_VIEW_ROWS, 1, 0, 1, msw_min_u64(row->out_elems, room), 0};
    }
    if (owner->placed && side.channels != owner->channels)
        side.view = MSW_NPU_VIEW_ROWS;
    return side;
}

/* Channels of a side that belong to the row: all of them but in a wider tensor. */
static uint64_t own_channels(const wiring *w, uint32_t number, const msw_npu_side *side)
{
    const msw_npu_row *row = &w->rows[number];
    return side->channels == w->rows[row->owner].channels && w->rows[row->owner].placed
               ? row->oc
               : side->channels;
}

static void wire_vector(const wiring *w, uint32_t number, msw_npu_op *op)
{
    const msw_npu_row *row = &w->rows[number];
    uint32_t from = row->inputs[0];
    *op = (msw_npu_op){.name = row->name,
                       .cols = 1,
                       .groups = 1,
                       .kernel_rows = 1,
                       .kernel_cols = 1,
                       .stride_rows = 1,
                       .repeat = 1,
                       .vector = true,
                       .other = MSW_NPU_NO_TENSOR,
                       .input = all_of(w, from),
                       .output = all_of(w, number)};
    op->rows = op->output.rows;
    op->channels = own_channels(w, from, &op->input);
    op->filters = own_channels(w, number, &op->output);
    if (row->input_count < 2)
        return;
    const msw_npu_row *second = &w->rows[row->inputs[1]], *owner = &w->rows[second->owner];
    op->other = owner->tensor;
    op->other_elements = msw_min_u64(second->out_elems, w->tensors[owner->tensor]);
}

int msw_npu_wire(msw_npu_row *rows, size_t count, msw_arena *arena, msw_npu_network *network,
                 msw_err *err)
{
    size_t op_count = 0;
    wiring w = {rows, count, msw_arena_zero(arena, 3 * count + 1, sizeof *w.tensors), 0};
    msw_npu_op *ops = msw_arena_take(arena, (count + 1) * sizeof *ops);
    bool *given = msw_arena_zero(arena, 3 * count + 1, sizeof *given);
    if (!w.tensors || !ops || !given)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < count; i++)
        own(&w, i);
    for (size_t i = 0; i < count; i++)
        given[rows[i].tensor] |= rows[i].owner == i && !rows[i].input_count;
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind >= MSW_NPU_KIND_CONV)
            wire_op(&w, &rows[i], &ops[op_count++]);
        else if (is_vector(&w, &rows[i]))
            wire_vector(&w, (uint32_t)i, &ops[op_count++]);
    *network = (msw_npu_network){.rows = rows,
                                 .row_count = count,
                                 .ops = ops,
                                 .tensors = w.tensors,
                                 .given = given,
                                 .op_count = op_count,
                                 .tensor_count = w.tensor_count};
    return 0;
}
