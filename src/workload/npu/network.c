/* SPDX-License-Identifier: MIT */
/* What readers of networks share. */
#include "workload/npu/formats.h"

size_t msw_npu_csv_rows(const msw_npu_csv *csv)
{
    size_t rows = 1;
    for (const char *c = csv->next; c < csv->end; c++)
        rows += *c == '\n';
    return rows;
}

uint64_t msw_npu_input_elements(const msw_npu_op *op)
{
    return op->input.rows * op->input.cols * op->groups * op->channels;
}

uint64_t msw_npu_output_elements(const msw_npu_op *op)
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
