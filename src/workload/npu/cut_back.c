/* SPDX-License-Identifier: MIT */
/* How the products of a backward pass are cut: as those of the forward pass, with the operands in
 * other roles (docs/models/npu.md, 'Training steps').
 *
 *   pass       first operand  second operand  cut like rows     like filters  like channels
 *   to input   output's       weights         images, rows      channels      filters
 *   to weight  input          output's        channels          filters       images, rows
 */
#include "workload/npu/parts.h"

static uint64_t output_bytes(const msw_npu_addresses *p, uint64_t images, uint64_t rows,
                             uint64_t groups, uint64_t filters)
{
    return images * rows * p->op->cols * groups * filters * (uint64_t)p->config->element_bytes;
}

static bool has_own(const msw_npu_addresses *p)
{
    return p->op->second != MSW_NPU_STATIC;
}

/* ---- to input ---- */

/* One group does not fit whole: channels first; filters too where they leave columns unused. */
static void cut_input_group(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t cols = (uint64_t)p->config->cols, rows = (uint64_t)p->config->rows;
    uint64_t wanted = msw_min_u64(op->channels, cols), pixels = output_bytes(p, 1, 1, 1, 1);
    cut->filters = op->filters;
    cut->channels = msw_npu_fit(space.weight, msw_npu_weight_bytes(p, 1, 1, op->filters, 1),
                                op->channels, cols);
    if (cut->channels >= wanted && pixels * op->filters <= space.activation)
        return;
    wanted = msw_min_u64(wanted, space.weight / msw_npu_weight_bytes(p, 1, 1, 1, 1));
    if (!wanted)
        return;
    uint64_t most = msw_min_u64(space.weight / msw_npu_weight_bytes(p, 1, 1, 1, wanted),
                                space.activation / pixels);
    cut->filters = msw_npu_fit(most, 1, op->filters, rows);
    if (cut->filters)
        cut->channels = msw_npu_fit(space.weight, msw_npu_weight_bytes(p, 1, 1, cut->filters, 1),
                                    op->channels, cols);
}

static void cut_to_input(const msw_npu_addresses *p, msw_npu_room space, msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t by_weight = space.weight / msw_npu_weight_bytes(p, 1, 1, op->filters, op->channels);
    uint64_t by_row = space.activation / output_bytes(p, 1, 1, 1, op->filters);
    cut->groups = msw_min_u64(op->groups, msw_min_u64(by_weight, by_row));
    if (!cut->groups) {
        cut->groups = 1;
        cut_input_group(p, space, cut);
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
    uint64_t low = 1, high = p->op->rows;
    while (low < high) {
        uint64_t rows = low + (high - low + 1) / 2;
        bool fits =
            msw_npu_activation_bytes(p, 1, rows, cut->groups, cut->channels) <= space.activation &&
            output_bytes(p, 1, rows, cut->groups, cut->filters) <= space.weight;
        low = fits ? rows : low;
        high = fits ? high : rows - 1;
    }
    return low;
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

static void count_pieces(const msw_npu_addresses *p, msw_npu_cut *cut)
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

/* The operand whose staying saves more bytes is the outer loop's. */
static bool second_stays(const msw_npu_addresses *p, const msw_npu_cut *cut)
{
    const msw_npu_op *op = p->op;
    uint64_t images = has_own(p) ? 1 : p->images;
    bool to_input = p->pass == MSW_NPU_TO_INPUT;
    double output = (double)images * (double)output_bytes(p, 1, op->rows, 1, op->filters);
    double a = to_input ? output
                        : (double)images *
                              (double)msw_npu_activation_bytes(p, 1, op->rows, 1, op->channels);
    double w = to_input ? (double)msw_npu_weight_bytes(p, 1, 1, op->filters, op->channels) : output;
    double again_a = cut->moves == 1 ? 1 : (double)cut->sets;
    double again_w = cut->sets == 1 ? 1 : (double)cut->moves;
    return w + a * again_a <= a + w * again_w;
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
    count_pieces(p, &cut);
    cut.weights_outer = second_stays(p, &cut);
    p->cut = cut;
    return 0;
}
