/* SPDX-License-Identifier: MIT */
/* Lays out tensors: one virtual address space from MSW_NPU_BASE_ADDRESS up, in the order weights
 * of all operators, then activations; each tensor starts at a multiple of the alignment and is
 * there once, however often it is used. In a training step each weight is followed by its states
 * and its gradient, and activations by theirs. Boxes of tensors are made of strided runs. */
#include "workload/npu/parts.h"

#include <math.h>
#include <string.h>

/* Far above any network, far below what would overflow. */
static const double BYTES_MAX = 0x1p50, MACS_MAX = 0x1p60;

typedef struct heap {
    uint64_t end, alignment;
    double bytes; /* the same in a type that does not wrap */
} heap;

static msw_npu_tensor take(heap *h, double elements, uint64_t bits)
{
    double bytes = ceil(elements * (double)bits / 8);
    h->bytes += bytes + (double)h->alignment;
    if (h->bytes > BYTES_MAX)
        return (msw_npu_tensor){0};
    uint64_t address = msw_div_up(h->end, h->alignment) * h->alignment;
    h->end = address + (uint64_t)bytes;
    return (msw_npu_tensor){address, (uint64_t)bytes};
}

static double product_of(const uint64_t *factors, size_t count)
{
    double product = 1;
    for (size_t i = 0; i < count; i++)
        product *= (double)factors[i];
    return product;
}

static double weight_elements(const msw_npu_op *op)
{
    return product_of(
        (uint64_t[]){op->groups, op->filters, op->channels, op->kernel_rows, op->kernel_cols}, 5);
}

static int check_macs(const msw_npu_op *op, uint64_t images, msw_err *err)
{
    double macs =
        weight_elements(op) * product_of((uint64_t[]){op->rows, op->cols, images, op->repeat}, 4);
    if (macs <= MACS_MAX)
        return 0;
    return msw_fail(err, "layer '%s': %.3g multiplications, allowed: up to %.3g", op->name, macs,
                    MACS_MAX);
}

/* A row of weights that ended within a byte would move all that follow. */
static int check_bits(const msw_npu_op *op, const msw_npu_config *config, msw_err *err)
{
    uint64_t bits = msw_npu_weight_bits(config);
    uint64_t of_filter = op->channels * op->kernel_rows * op->kernel_cols;
    if (op->second != MSW_NPU_STATIC ||
        (of_filter * bits % 8 == 0 && op->groups * op->filters * bits % 8 == 0))
        return 0;
    return msw_fail(err,
                    "layer '%s': npu_weight_bits 4 packs weights in pairs, and %llu of a filter, "
                    "%llu filters are not even numbers; allowed: 8, 16, 32 or same",
                    op->name, (unsigned long long)of_filter,
                    (unsigned long long)(op->groups * op->filters));
}

uint64_t msw_npu_weight_bits(const msw_npu_config *config)
{
    static const uint8_t BITS[] = {
        [MSW_NPU_BITS_4] = 4, [MSW_NPU_BITS_8] = 8, [MSW_NPU_BITS_16] = 16, [MSW_NPU_BITS_32] = 32};
    return config->weight_bits == MSW_NPU_BITS_SAME ? 8 * (uint64_t)config->element_bytes
                                                    : BITS[config->weight_bits];
}

/* What a network's tensors are, by number: of weights those of the operator with the number. */
typedef struct memory {
    const msw_npu_network *network;
    const msw_npu_config *config;
    bool training;
    heap heap;
    msw_npu_tensor *weights, *states, *weight_gradients;
    msw_npu_tensor *tensors, *gradients;
} memory;

uint64_t msw_npu_states(const msw_npu_config *config)
{
    static const uint8_t STATES[] = {[MSW_NPU_SGD] = 0, [MSW_NPU_MOMENTUM] = 1, [MSW_NPU_ADAM] = 2};
    return STATES[config->optimizer] + (uint64_t)msw_npu_has_copy(config);
}

bool msw_npu_has_copy(const msw_npu_config *config)
{
    return config->state_bytes != config->element_bytes;
}

/* Those of experts without tokens, too. */
static double stored_weights(const msw_npu_op *op)
{
    return weight_elements(op) / (double)op->groups * (double)(op->groups + op->more_groups);
}

static bool has_weights(const msw_npu_op *op)
{
    return !op->vector && op->second == MSW_NPU_STATIC;
}

/* Whether an operator is a layer at all. */
static bool is_run(const memory *m, const msw_npu_op *op)
{
    return !op->vector || m->config->elementwise == MSW_NPU_STORED;
}

static bool is_made(const memory *m, size_t tensor)
{
    return !m->network->given || !m->network->given[tensor];
}

static void place_weights(memory *m)
{
    const msw_npu_config *c = m->config;
    uint64_t state_bits = 8 * (uint64_t)c->state_bytes * msw_npu_states(c);
    for (size_t i = 0; i < m->network->op_count; i++) {
        const msw_npu_op *op = &m->network->ops[i];
        if (!has_weights(op))
            continue;
        m->weights[i] = take(&m->heap, stored_weights(op), msw_npu_weight_bits(c));
        if (!m->training)
            continue;
        m->states[i] = take(&m->heap, stored_weights(op), state_bits);
        m->weight_gradients[i] = take(&m->heap, stored_weights(op), 8 * (uint64_t)c->element_bytes);
    }
}

static void place_tensors(memory *m)
{
    const msw_npu_network *n = m->network;
    uint64_t bits = 8 * (uint64_t)m->config->element_bytes;
    for (size_t t = 0; t < n->tensor_count; t++)
        m->tensors[t] = take(&m->heap, (double)n->tensors[t] * (double)m->config->batch, bits);
    for (size_t t = 0; t < n->tensor_count && m->training; t++)
        if (is_made(m, t))
            m->gradients[t] =
                take(&m->heap, (double)n->tensors[t] * (double)m->config->batch, bits);
}

static int allocate_tensors(memory *m, msw_arena *arena, msw_err *err)
{
    size_t ops = m->network->op_count + 1, tensors = m->network->tensor_count + 1;
    msw_npu_tensor *all = msw_arena_zero(arena, 3 * ops + 2 * tensors, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    m->weights = all;
    m->states = all + ops;
    m->weight_gradients = all + 2 * ops;
    m->tensors = all + 3 * ops;
    m->gradients = m->tensors + tensors;
    return 0;
}

/* ---- passes ---- */

static const char *name_of(const msw_npu_op *op, msw_npu_pass pass, msw_arena *arena)
{
    static const char *const ENDS[] = {[MSW_NPU_FORWARD] = "",
                                       [MSW_NPU_TO_INPUT] = ".dx",
                                       [MSW_NPU_TO_WEIGHT] = ".dw",
                                       [MSW_NPU_UPDATE] = ".update"};
    if (pass == MSW_NPU_FORWARD)
        return op->name;
    size_t size = strlen(op->name), end = strlen(ENDS[pass]) + 1;
    char *name = msw_arena_take(arena, size + end);
    if (!name)
        return NULL;
    memcpy(name, op->name, size);
    memcpy(name + size, ENDS[pass], end);
    return name;
}

/* Weights and the states behind them, as one range. */
static msw_npu_tensor with_states(const memory *m, size_t op)
{
    msw_npu_tensor w = m->weights[op], s = m->states[op];
    if (s.bytes)
        w.bytes = s.address + s.bytes - w.address;
    return w;
}

static msw_npu_tensor second_of(const memory *m, size_t number, bool gradient)
{
    const msw_npu_op *op = &m->network->ops[number];
    if (op->vector)
        return op->other == MSW_NPU_NO_TENSOR || gradient ? (msw_npu_tensor){0}
                                                          : m->tensors[op->other];
    if (op->second == MSW_NPU_STATIC)
        return gradient ? m->weight_gradients[number] : m->weights[number];
    return gradient ? m->gradients[op->second_tensor] : m->tensors[op->second_tensor];
}

static void fill_tensors(const memory *m, size_t number, msw_npu_addresses *p)
{
    const msw_npu_op *op = p->op;
    msw_npu_tensor input = m->tensors[op->input.tensor], output = m->tensors[op->output.tensor];
    msw_npu_tensor from = m->gradients[op->output.tensor], to = m->gradients[op->input.tensor];
    msw_npu_tensor updated = with_states(m, number);
    const msw_npu_tensor by_pass[][3] = {
        [MSW_NPU_FORWARD] = {input, second_of(m, number, false), output},
        [MSW_NPU_TO_INPUT] = {from, op->vector ? input : second_of(m, number, false), to},
        [MSW_NPU_TO_WEIGHT] = {input, from, second_of(m, number, true)},
        [MSW_NPU_UPDATE] = {m->weight_gradients[number], updated, updated},
    };
    memcpy(p->tensors, by_pass[p->pass], sizeof p->tensors);
    p->state_address = m->states[number].address;
}

static int add_pass(const memory *m, size_t number, msw_npu_pass pass, msw_arena *arena,
                    msw_npu_run *run)
{
    const msw_npu_op *op = &m->network->ops[number];
    msw_npu_addresses *p = &run->passes[run->count++];
    *p = (msw_npu_addresses){.op = op,
                             .name = name_of(op, pass, arena),
                             .pass = pass,
                             .config = m->config,
                             .images = op->whole_batch ? 1 : (uint64_t)m->config->batch};
    fill_tensors(m, number, p);
    return p->name ? 0 : -1;
}

/* Gradients of what no operator made are not asked for. */
static int add_backward(const memory *m, size_t number, msw_arena *arena, msw_npu_run *run)
{
    const msw_npu_op *op = &m->network->ops[number];
    bool to_input = is_made(m, op->input.tensor);
    bool to_weight = !op->vector && (has_weights(op) || is_made(m, op->second_tensor));
    if (to_input && add_pass(m, number, MSW_NPU_TO_INPUT, arena, run))
        return -1;
    return to_weight ? add_pass(m, number, MSW_NPU_TO_WEIGHT, arena, run) : 0;
}

static int list_passes(const memory *m, msw_arena *arena, msw_npu_run *run)
{
    const msw_npu_op *ops = m->network->ops;
    size_t count = m->network->op_count;
    for (size_t i = 0; i < count; i++)
        if (is_run(m, &ops[i]) && add_pass(m, i, MSW_NPU_FORWARD, arena, run))
            return -1;
    for (size_t i = count; i-- > 0 && m->training;)
        if (is_run(m, &ops[i]) && add_backward(m, i, arena, run))
            return -1;
    for (size_t i = 0; i < count && m->training; i++)
        if (has_weights(&ops[i]) && add_pass(m, i, MSW_NPU_UPDATE, arena, run))
            return -1;
    return 0;
}

static int check_all(const memory *m, msw_err *err)
{
    for (size_t i = 0; i < m->network->op_count; i++) {
        const msw_npu_op *op = &m->network->ops[i];
        uint64_t images = op->whole_batch ? 1 : (uint64_t)m->config->batch;
        if (!op->vector && (check_macs(op, images, err) || check_bits(op, m->config, err)))
            return -1;
    }
    return 0;
}

int msw_npu_address(const msw_npu_network *network, const msw_npu_config *config, msw_arena *arena,
                    msw_npu_run *run, msw_err *err)
{
    memory m = {.network = network,
                .config = config,
                .training = config->training == MSW_NPU_STEP,
                .heap = {MSW_NPU_BASE_ADDRESS, (uint64_t)config->alignment, 0}};
    *run = (msw_npu_run){0};
    run->passes =
        msw_arena_zero(arena, (m.training ? 4 : 1) * network->op_count + 1, sizeof *run->passes);
    if (!run->passes || allocate_tensors(&m, arena, err))
        return msw_fail_memory(err);
    place_weights(&m);
    if (check_all(&m, err))
        return -1;
    place_tensors(&m);
    if (m.heap.bytes > BYTES_MAX)
        return msw_fail(err, "the network's tensors take %.3g bytes, allowed: up to %.3g",
                        m.heap.bytes, BYTES_MAX);
    run->end = m.heap.end;
    return list_passes(&m, arena, run) ? msw_fail_memory(err) : 0;
}

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

/* The operand's rows of input that output rows need, clipped to the tensor. */
static msw_npu_span msw_npu_input_rows(const msw_npu_op *op, msw_npu_span rows)
{
    uint64_t first = rows.first * op->stride_rows;
    uint64_t end = (rows.first + rows.count - 1) * op->stride_rows + msw_npu_reach(op);
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
