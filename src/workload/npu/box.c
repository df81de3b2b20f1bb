/* SPDX-License-Identifier: MIT */
/* Boxes of tensors, and the strided runs they are made of. */
#include "workload/npu/parts.h"

static msw_npu_dim dim(uint64_t size, uint64_t first, uint64_t count)
{
    return (msw_npu_dim){size, {first, count}};
}

/* Groups and channels lie side by side; a piece holds several groups only whole. */
static msw_npu_span side_by_side(uint64_t per_group, msw_npu_span groups, msw_npu_span channels)
{
    return (msw_npu_span){groups.first * per_group + channels.first,
                          groups.count == 1 ? channels.count : groups.count * per_group};
}

/* What of a side a piece covers. */
typedef struct window {
    msw_npu_span images, rows, groups, channels;
    uint64_t per_group;
} window;

static msw_npu_box side_box(const msw_npu_addresses *p, const msw_npu_side *side, const window *w,
                            msw_npu_operand operand)
{
    msw_npu_box box = {
        p->tensors[operand].address, 8 * (uint64_t)p->config->element_bytes, operand, 4, {{0}}};
    bool first = side->view == MSW_NPU_VIEW_IMAGE && p->config->layout == MSW_NPU_CHANNELS_FIRST;
    msw_npu_span channels = side_by_side(w->per_group, w->groups, w->channels);
    msw_npu_dim row = dim(side->rows, side->first_row + w->rows.first, w->rows.count);
    box.dim[0] = (msw_npu_dim){p->images, w->images};
    if (side->view == MSW_NPU_VIEW_GROUPED) {
        box.dim[1] = (msw_npu_dim){p->op->groups, w->groups};
        box.dim[2] = row;
        box.dim[3] = (msw_npu_dim){w->per_group, w->channels};
        return box;
    }
    msw_npu_dim pixel = dim(side->channels, side->first_channel + channels.first, channels.count);
    box.dim[1] = first ? pixel : row;
    box.dim[2] = first ? row : dim(side->cols, 0, side->cols);
    box.dim[3] = first ? dim(side->cols, 0, side->cols) : pixel;
    return box;
}

msw_npu_span msw_npu_input_rows(const msw_npu_op *op, msw_npu_span rows)
{
    uint64_t first = rows.first * op->stride_rows;
    uint64_t end = (rows.first + rows.count - 1) * op->stride_rows + op->kernel_rows;
    first = first > op->pad_rows ? first - op->pad_rows : 0;
    end = end > op->pad_rows ? end - op->pad_rows : 0;
    end = msw_max_u64(1, msw_min_u64(end, op->input.rows));
    first = msw_min_u64(first, end - 1);
    return (msw_npu_span){first, end - first};
}

msw_npu_box msw_npu_rows_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                             msw_npu_span rows, msw_npu_operand as)
{
    window w = {piece->images, rows, piece->groups, piece->channels, p->op->channels};
    return side_box(p, &p->op->input, &w, as);
}

msw_npu_box msw_npu_activation_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                                   msw_npu_operand as)
{
    return msw_npu_rows_box(p, piece, msw_npu_input_rows(p->op, piece->rows), as);
}

msw_npu_box msw_npu_output_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                               msw_npu_operand as)
{
    window w = {piece->images, piece->rows, piece->groups, piece->filters, p->op->filters};
    return side_box(p, &p->op->output, &w, as);
}

/* Gradients are as wide as activations. */
static uint64_t weight_bits(const msw_npu_addresses *p)
{
    return p->op->second == MSW_NPU_STATIC && p->pass != MSW_NPU_TO_WEIGHT
               ? msw_npu_weight_bits(p->config)
               : 8 * (uint64_t)p->config->element_bytes;
}

msw_npu_box msw_npu_weight_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                               msw_npu_operand as)
{
    const msw_npu_op *op = p->op;
    uint64_t kernel = op->kernel_rows * op->kernel_cols;
    msw_npu_dim whole = dim(kernel, 0, kernel), images = {p->images, piece->images};
    msw_npu_dim filters = {op->filters, piece->filters}, channels = {op->channels, piece->channels};
    msw_npu_dim group_filters = {op->groups * op->filters,
                                 side_by_side(op->filters, piece->groups, piece->filters)};
    msw_npu_dim group_channels = {op->groups * op->channels,
                                  side_by_side(op->channels, piece->groups, piece->channels)};
    msw_npu_box box = {p->tensors[as].address, weight_bits(p), as, 3, {{0}}};
    if (op->second == MSW_NPU_KEYS) {
        box.dim[0] = images, box.dim[1] = filters, box.dim[2] = group_channels;
    } else if (op->second == MSW_NPU_VALUES) {
        box.dim[0] = images, box.dim[1] = channels, box.dim[2] = group_filters;
    } else if (p->config->weight_layout == MSW_NPU_INPUT_MAJOR) {
        box.dim[0] = whole, box.dim[1] = channels, box.dim[2] = group_filters;
    } else {
        box.dims = 4;
        box.dim[0] = (msw_npu_dim){op->groups, piece->groups};
        box.dim[1] = filters, box.dim[2] = channels, box.dim[3] = whole;
    }
    return box;
}

/* Dimensions that are one linear run become one: an outer one joins a whole inner one, and one of a
 * single place is only an offset. Innermost first in `out`, with the bits of one step each: of all
 * but the innermost whole bytes (msw_npu_address sees to that). */
static int merge(const msw_npu_box *box, msw_npu_dim out[MSW_NPU_DIMS], uint64_t step[MSW_NPU_DIMS])
{
    int count = 0;
    uint64_t pitch = box->element_bits;
    msw_npu_dim now = box->dim[box->dims - 1];
    for (int i = box->dims - 2; i >= 0; i--) {
        const msw_npu_dim *d = &box->dim[i];
        if (now.span.count == now.size || d->span.count == 1) {
            uint64_t places = now.span.count == now.size ? d->span.count : 1;
            now = dim(d->size * now.size, d->span.first * now.size + now.span.first,
                      places * now.span.count);
        } else {
            step[count] = pitch;
            out[count++] = now;
            pitch *= now.size;
            now = *d;
        }
    }
    step[count] = pitch;
    out[count++] = now;
    return count;
}

uint64_t msw_npu_box_emit(const msw_npu_box *box, msw_npu_sink *sink)
{
    msw_npu_dim d[MSW_NPU_DIMS] = {{0}};
    uint64_t step[MSW_NPU_DIMS] = {0};
    int count = merge(box, d, step);
    for (int i = count; i < MSW_NPU_DIMS; i++)
        d[i] = dim(1, 0, 1);
    uint64_t bit = 0;
    for (int i = 0; i < MSW_NPU_DIMS; i++)
        bit += d[i].span.first * step[i];
    uint64_t start = box->address + bit / 8;
    msw_npu_segment s = {.row_bytes = (bit % 8 + d[0].span.count * step[0] + 7) / 8,
                         .rows = (uint32_t)d[1].span.count,
                         .operand = box->operand};
    s.stride = s.rows > 1 ? step[1] / 8 : s.row_bytes;
    msw_npu_segment *out = sink->segments ? &sink->segments[sink->segment_count] : NULL;
    for (uint64_t o = 0; out && o < d[3].span.count; o++)
        for (uint64_t i = 0; i < d[2].span.count; i++) {
            s.address = start + i * (step[2] / 8) + o * (step[3] / 8);
            *out++ = s;
        }
    uint64_t segments = d[2].span.count * d[3].span.count;
    sink->segment_count += segments;
    return segments * s.rows * s.row_bytes;
}
