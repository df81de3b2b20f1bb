/* SPDX-License-Identifier: MIT */
/* Cuts an operator so that each tile fits its share of both scratchpads: as many whole groups as
 * fit, else one group cut along filters and, where the array's columns would stay empty, along
 * channels; then as many rows or whole images as fit.
 *
 * How the products of a backward pass are cut: as those of the forward pass, with the operands in
 * other roles (docs/models/npu.md, 'Training steps').
 *
 *   pass       first operand  second operand  cut like rows     like filters  like channels
 *   to input   output's       weights         images, rows      channels      filters
 *   to weight  input          output's        channels          filters       images, rows */
#include "workload/npu/parts.h"

#include "memsweep/base/search.h"

static uint64_t msw_npu_activation_bytes(const msw_npu_addresses *p, uint64_t images, uint64_t rows,
                                         uint64_t groups, uint64_t channels)
{
    const msw_npu_op *op = p->op;
    uint64_t input_rows =
        msw_min_u64(op->input.rows, (rows - 1) * op->stride_rows + msw_npu_reach(op));
    return images * input_rows * op->input.cols * groups * channels *
           (uint64_t)p->config->element_bytes;
}

/* Bytes of scratchpad that a piece takes. */
static uint64_t msw_npu_weight_bytes(const msw_npu_addresses *p, uint64_t images, uint64_t groups,
                                     uint64_t filters, uint64_t channels)
{
    const msw_npu_op *op = p->op;
    uint64_t elements = groups * filters * channels * op->kernel_rows * op->kernel_cols;
    if (op->second == MSW_NPU_STATIC)
        return msw_div_up(elements * msw_npu_weight_bits(p->config), 8);
    return images * elements * (uint64_t)p->config->element_bytes;
}

msw_npu_room msw_npu_room_of(const msw_npu_config *c)
{
    uint64_t share = c->buffers == MSW_NPU_BUFFERS_DOUBLE ? 2 : 1;
    return (msw_npu_room){(uint64_t)c->spm_activation / share, (uint64_t)c->spm_weight / share};
}

/* The largest count up to `most` whose cost, `each` per piece, stays inside `space`; full multiples
 * of `unit` when there is at least one. */
static uint64_t msw_npu_fit(uint64_t space, uint64_t each, uint64_t most, uint64_t unit)
{
    uint64_t count = space / each;
    if (count >= most)
        return most;
    return count > unit ? count - count % unit : count;
}

/* One group does not fit whole: first what lies across the array's columns; what is summed over,
 * too, where that leaves columns unused. `pixel`: bytes of the first operand for one of each. */
static void cut_group(const msw_npu_addresses *p, msw_npu_room space, uint64_t pixel,
                      uint64_t *across, uint64_t *summed)
{
    uint64_t cols = (uint64_t)p->config->cols, all = *across, depth = *summed;
    uint64_t wanted = msw_min_u64(all, cols);
    *across = msw_npu_fit(space.weight, msw_npu_weight_bytes(p, 1, 1, 1, depth), all, cols);
    if (*across >= wanted && pixel * depth <= space.activation)
        return;
    wanted = msw_min_u64(wanted, space.weight / msw_npu_weight_bytes(p, 1, 1, 1, 1));
    if (wanted == 0)
        return;
    uint64_t most = msw_min_u64(space.weight / msw_npu_weight_bytes(p, 1, 1, wanted, 1),
                                space.activation / pixel);
    *summed = msw_npu_fit(most, 1, depth, (uint64_t)p->config->rows);
    if (*summed)
        *across = msw_npu_fit(space.weight, msw_npu_weight_bytes(p, 1, 1, 1, *summed), all, cols);
}

static void cut_groups(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t by_weight = space.weight / msw_npu_weight_bytes(p, 1, 1, op->filters, op->channels);
    uint64_t by_row = space.activation / msw_npu_activation_bytes(p, 1, 1, 1, op->channels);
    cut->groups = msw_min_u64(op->groups, msw_min_u64(by_weight, by_row));
    cut->filters = op->filters;
    cut->channels = op->channels;
    if (cut->groups)
        return;
    cut->groups = 1;
    cut_group(p, space, msw_npu_activation_bytes(p, 1, 1, 1, 1), &cut->filters, &cut->channels);
}

/* Rows of one image, or whole images. Attention products have a second operand per image. */
static void cut_rows(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t g = cut->groups, c = cut->channels;
    uint64_t image = msw_npu_activation_bytes(p, 1, op->rows, g, c);
    cut->images = 1;
    cut->rows = op->rows;
    if (image <= space.activation) {
        cut->images = msw_min_u64(p->images, space.activation / image);
        if (op->second != MSW_NPU_STATIC)
            cut->images =
                g == op->groups && cut->filters == op->filters
                    ? msw_min_u64(cut->images,
                                  space.weight / msw_npu_weight_bytes(p, 1, g, op->filters, c))
                    : 1;
        return;
    }
    uint64_t row = op->input.cols * g * c * (uint64_t)p->config->element_bytes;
    uint64_t input_rows = space.activation / row;
    cut->rows = msw_min_u64(op->rows, (input_rows - msw_npu_reach(op)) / op->stride_rows + 1);
}

static void count_pieces(const msw_npu_addresses *p, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t images = msw_div_up(p->images, cut->images);
    cut->blocks = msw_div_up(op->groups, cut->groups);
    cut->moves = msw_div_up(op->rows, cut->rows);
    if (op->second == MSW_NPU_STATIC)
        cut->moves *= images;
    else
        cut->blocks *= images;
    cut->sets = msw_div_up(op->filters, cut->filters);
    cut->depths = msw_div_up(op->channels, cut->channels);
}

static uint64_t output_bytes(const msw_npu_addresses *p, uint64_t images, uint64_t rows,
                             uint64_t groups, uint64_t filters)
{
    return images * rows * p->op->cols * groups * filters * (uint64_t)p->config->element_bytes;
}

static bool has_own(const msw_npu_addresses *p)
{
    return p->op->second != MSW_NPU_STATIC;
}

/* The operand whose staying saves more bytes is the outer loop's. Halos are left out. */
static bool second_stays(const msw_npu_addresses *p, const msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    double images = has_own(p) ? 1 : (double)p->images;
    double output = images * (double)output_bytes(p, 1, op->rows, 1, op->filters);
    double input = images * (double)msw_npu_activation_bytes(p, 1, op->rows, 1, op->channels);
    double a = p->pass == MSW_NPU_TO_INPUT ? output : input;
    double w = p->pass == MSW_NPU_TO_WEIGHT
                   ? output
                   : (double)msw_npu_weight_bytes(p, 1, 1, op->filters, op->channels);
    double again_a = cut->moves == 1 ? 1 : (double)cut->sets;
    double again_w = cut->sets == 1 ? 1 : (double)cut->moves;
    return w + a * again_a <= a + w * again_w;
}

int msw_npu_fail_small(const msw_npu_addresses *p, uint64_t first, uint64_t second, msw_err *err)
{
    msw_npu_room space = msw_npu_room_of(p->config);
    bool small = first > space.activation;
    return msw_fail(err,
                    "layer '%s': a tile may fill %llu bytes of npu_spm_%s, but one row of one "
                    "channel takes %llu; raise npu_spm_%s",
                    p->name, (unsigned long long)(small ? space.activation : space.weight),
                    small ? "activation" : "weight", (unsigned long long)(small ? first : second),
                    small ? "activation" : "weight");
}

int msw_npu_cut_op(msw_npu_addresses *p, msw_err *err)
{
    msw_npu_room space = msw_npu_room_of(p->config);
    msw_npu_cut cut = {0};
    cut_groups(p, space, &cut);
    if (cut.channels == 0 || cut.filters == 0)
        return msw_npu_fail_small(p, msw_npu_activation_bytes(p, 1, 1, 1, 1),
                                  msw_npu_weight_bytes(p, 1, 1, 1, 1), err);
    cut_rows(p, space, &cut);
    count_pieces(p, &cut);
    cut.weights_outer = second_stays(p, &cut);
    p->cut = cut;
    return 0;
}

/* ---- to input ---- */

static void cut_to_input(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t by_weight = space.weight / msw_npu_weight_bytes(p, 1, 1, op->filters, op->channels);
    uint64_t by_row = space.activation / output_bytes(p, 1, 1, 1, op->filters);
    cut->groups = msw_min_u64(op->groups, msw_min_u64(by_weight, by_row));
    if (!cut->groups) {
        cut->groups = 1;
        cut_group(p, space, output_bytes(p, 1, 1, 1, 1), &cut->channels, &cut->filters);
    }
    if (!cut->channels || !cut->filters)
        return;
    uint64_t image = output_bytes(p, 1, op->rows, cut->groups, cut->filters);
    uint64_t row = output_bytes(p, 1, 1, cut->groups, cut->filters);
    cut->images = msw_min_u64(p->images, space.activation / image);
    cut->rows = cut->images ? op->rows : space.activation / row;
    cut->images = msw_max_u64(cut->images, 1);
    if (has_own(p) && cut->images > 1) {
        bool whole = cut->groups == op->groups && cut->channels == op->channels;
        uint64_t most =
            space.weight / msw_npu_weight_bytes(p, 1, cut->groups, op->filters, op->channels);
        cut->images = whole ? msw_min_u64(cut->images, most) : 1;
    }
}

/* ---- to weight ---- */

/* The most output rows of an image whose operands fit; at least one does. */
static uint64_t rows_that_fit(const msw_npu_addresses *p, msw_npu_room space,
                              const msw_npu_cut *cut)
{
    uint64_t rows;
    MSW_SEARCH(rows, 2, p->op->rows + 1,
               msw_npu_activation_bytes(p, 1, rows, cut->groups, cut->channels) <=
                       space.activation &&
                   output_bytes(p, 1, rows, cut->groups, cut->filters) <= space.weight);
    return rows - 1;
}

static void cut_to_weight(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t by_input = space.activation / msw_npu_activation_bytes(p, 1, 1, 1, op->channels);
    uint64_t by_output = space.weight / output_bytes(p, 1, 1, 1, op->filters);
    cut->groups = msw_min_u64(op->groups, msw_min_u64(by_input, by_output));
    if (!cut->groups) {
        cut->groups = 1;
        cut->channels = msw_npu_fit(space.activation, msw_npu_activation_bytes(p, 1, 1, 1, 1),
                                    op->channels, (uint64_t)p->config->rows);
        cut->filters = msw_npu_fit(space.weight, output_bytes(p, 1, 1, 1, 1), op->filters,
                                   (uint64_t)p->config->cols);
    }
    if (!cut->channels || !cut->filters)
        return;
    cut->rows = rows_that_fit(p, space, cut);
    cut->images = 1;
    if (cut->rows < op->rows || has_own(p))
        return;
    uint64_t input = msw_npu_activation_bytes(p, 1, op->rows, cut->groups, cut->channels);
    uint64_t output = output_bytes(p, 1, op->rows, cut->groups, cut->filters);
    cut->images =
        msw_min_u64(p->images, msw_min_u64(space.activation / input, space.weight / output));
}

/* ---- both ---- */

static void count_pieces_back(const msw_npu_addresses *p, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t images = msw_div_up(p->images, cut->images);
    uint64_t rows = msw_div_up(op->rows, cut->rows) * (has_own(p) ? 1 : images);
    uint64_t filters = msw_div_up(op->filters, cut->filters);
    uint64_t channels = msw_div_up(op->channels, cut->channels);
    bool to_input = p->pass == MSW_NPU_TO_INPUT;
    cut->blocks = msw_div_up(op->groups, cut->groups) * (has_own(p) ? images : 1);
    cut->moves = to_input ? rows : channels;
    cut->sets = to_input ? channels : filters;
    cut->depths = to_input ? filters : rows;
}

int msw_npu_cut_back(msw_npu_addresses *p, msw_err *err)
{
    msw_npu_room space = msw_npu_room_of(p->config);
    bool to_input = p->pass == MSW_NPU_TO_INPUT;
    msw_npu_cut cut = {.filters = p->op->filters, .channels = p->op->channels};
    (to_input ? cut_to_input : cut_to_weight)(p, space, &cut);
    if (!cut.channels || !cut.filters) {
        uint64_t output = output_bytes(p, 1, 1, 1, 1);
        uint64_t first = to_input ? output : msw_npu_activation_bytes(p, 1, 1, 1, 1);
        uint64_t second = to_input ? msw_npu_weight_bytes(p, 1, 1, 1, 1) : output;
        return msw_npu_fail_small(p, first, second, err);
    }
    count_pieces_back(p, &cut);
    cut.weights_outer = second_stays(p, &cut);
    p->cut = cut;
    return 0;
}
