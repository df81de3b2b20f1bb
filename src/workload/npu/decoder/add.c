/* SPDX-License-Identifier: MIT */
/* How an operator of a decoder is added: tensors, names, products, what has no product. */
#include "workload/npu/decoder/parts.h"

#include <stdio.h>

enum { NAME_BYTES = 32 };

uint32_t msw_decoder_tensor(const decoder *d, uint32_t which)
{
    if (d->training)
        return d->sets + d->layer * SET_SIZE + which;
    if (which < CACHES)
        return which;
    if (!d->vectors || which == MIDDLE)
        return STREAM;
    return d->sets + which;
}

msw_npu_side msw_decoder_side(uint32_t tensor, uint64_t rows, uint64_t channels)
{
    return (msw_npu_side){tensor, MSW_NPU_VIEW_ROWS, rows, 0, 1, channels, 0};
}

const char *msw_decoder_name(decoder *d, int layer, const char *what)
{
    char *name = msw_arena_take(d->arena, NAME_BYTES);
    if (name)
        snprintf(name, NAME_BYTES, "l%d_%s", layer, what);
    d->failed |= !name;
    return name;
}

msw_npu_op *msw_decoder_product(decoder *d, const char *name, uint32_t from, uint64_t inputs,
                                uint32_t to, uint64_t outputs)
{
    msw_npu_op *op = d->next++;
    *op = (msw_npu_op){.name = name,
                       .rows = d->tokens,
                       .cols = 1,
                       .groups = 1,
                       .filters = outputs,
                       .channels = inputs,
                       .kernel_rows = 1,
                       .kernel_cols = 1,
                       .stride_rows = 1,
                       .repeat = 1,
                       .input = msw_decoder_side(from, d->tokens, inputs),
                       .output = msw_decoder_side(to, d->tokens, outputs)};
    return op;
}

void msw_decoder_vector(decoder *d, const char *name, const msw_npu_side *from, uint32_t other,
                        const msw_npu_side *to)
{
    if (!d->vectors)
        return;
    *d->next++ =
        (msw_npu_op){.name = name,
                     .rows = to->rows,
                     .cols = 1,
                     .groups = 1,
                     .filters = to->channels,
                     .channels = from->channels,
                     .kernel_rows = 1,
                     .kernel_cols = 1,
                     .stride_rows = 1,
                     .repeat = 1,
                     .input = *from,
                     .output = *to,
                     .vector = true,
                     .other = other,
                     .other_elements = other == MSW_NPU_NO_TENSOR ? 0 : to->rows * to->channels};
}

void msw_decoder_rows(decoder *d, int layer, const char *what, uint32_t from, uint32_t other,
                      uint32_t to, uint64_t rows, uint64_t channels)
{
    msw_npu_side sides[2] = {msw_decoder_side(from, rows, channels),
                             msw_decoder_side(to, rows, channels)};
    msw_decoder_vector(d, d->vectors ? msw_decoder_name(d, layer, what) : NULL, &sides[0], other,
                       &sides[1]);
}
