/* SPDX-License-Identifier: MIT */
/* Makes the graph of an explicit tile list: a layer is an operator without products that reads what
 * its tiles load and writes what they store; the list itself says where. Docs: docs/models/mix.md.
 */
#include "workload/mix/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/err.h"

enum { BASE_BITS = 21 }; /* addresses keep their place in pages of up to 2 MiB */

static void fill_layer(const msw_npu_product *list, uint32_t number, msw_graph_op *op,
                       msw_graph_tensor *tensors)
{
    const msw_npu_layer *layer = &list->layers[number];
    *op = (msw_graph_op){.name = layer->name,
                         .word = "tiles",
                         .block_name = layer->name,
                         .kind = MSW_GRAPH_VECTOR,
                         .block = number,
                         .count = 1,
                         .seq = 1,
                         .first_read = number,
                         .read_count = 1,
                         .weight = MSW_GRAPH_NONE,
                         .output = 2 * number + 1};
    tensors[0] = (msw_graph_tensor){.role = MSW_GRAPH_INPUT,
                                    .producer = MSW_GRAPH_NONE,
                                    .first = number,
                                    .last = number,
                                    .uses = 1};
    tensors[1] = (msw_graph_tensor){.role = MSW_GRAPH_RESULT,
                                    .producer = number,
                                    .first = MSW_GRAPH_NONE,
                                    .last = MSW_GRAPH_NONE};
    for (uint32_t t = 0; t < layer->tile_count; t++) {
        const msw_npu_tile *tile = &list->tiles[layer->first_tile + t];
        tensors[0].bytes += tile->load_bytes;
        tensors[1].bytes += tile->store_bytes;
        op->cycles += tile->compute_cycles;
    }
}

static bool overlaps(const msw_npu_product *list)
{
    for (uint64_t t = 0; t < list->tile_count; t++)
        if (list->tiles[t].overlap != MSW_NPU_ALL)
            return false;
    return true;
}

int msw_mix_tiles(const msw_npu_product *list, msw_arena *arena, msw_graph_network *graph,
                  msw_err *err)
{
    uint32_t layers = (uint32_t)list->layer_count;
    msw_graph_op *ops = msw_arena_zero(arena, layers, sizeof *ops);
    msw_graph_tensor *tensors = msw_arena_zero(arena, 2 * layers, sizeof *tensors);
    uint32_t *reads = msw_arena_zero(arena, layers, sizeof *reads);
    if (!ops || !tensors || !reads)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < layers; i++) {
        fill_layer(list, i, &ops[i], &tensors[2 * i]);
        reads[i] = 2 * i;
    }
    uint64_t base = list->base_address >> BASE_BITS << BASE_BITS;
    *graph = (msw_graph_network){.ops = ops,
                                 .tensors = tensors,
                                 .reads = reads,
                                 .op_count = layers,
                                 .tensor_count = 2 * layers,
                                 .block_count = layers,
                                 .read_count = layers,
                                 .bytes = list->base_address - base + list->footprint_bytes,
                                 .list = list,
                                 .list_base = base,
                                 .overlaps = overlaps(list)};
    graph->shape =
        msw_hash_pair(msw_hash_bytes(list->segments, list->segment_count * sizeof *list->segments),
                      msw_hash_bytes(list->tiles, list->tile_count * sizeof *list->tiles));
    return 0;
}

int msw_mix_scale_tiles(const msw_mix_entry *entry, const msw_graph_network *graph,
                        const msw_mix_config *config, msw_graph_network *out, msw_err *err)
{
    if (entry->batch != 1)
        return msw_fail(err, "network '%s': a tile list has no batch to multiply; allowed: 1",
                        entry->network);
    *out = *graph;
    out->name = entry->network;
    out->weight = entry->weight, out->target_ms = entry->target_ms;
    out->batch = 1, out->priority = entry->priority;
    out->bytes =
        msw_div_up(graph->bytes, (uint64_t)config->alignment) * (uint64_t)config->alignment;
    return 0;
}
