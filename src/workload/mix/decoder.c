/* SPDX-License-Identifier: MIT */
/* Decoders as networks of a mix: the operators of the one generator (../npu/decoder.c) as a graph.
 * A task is a token (decode), or a prompt (prefill). What attention reads is an input of `context`
 * tokens, keys and values apart for each layer; the new tokens' are results. Each operator makes a
 * tensor of its own; the gate and what it multiplies are read together. */
#include "workload/mix/parts.h"
#include "workload/npu/parts.h"

#include <string.h>

enum { BUFFERS = MSW_NPU_DECODER_CACHES };

/* The number of a decoder, and whether it is asked for a prompt; or -1. */
static int number_of(const char *network, bool *prefill)
{
    const char *slash = strchr(network, '/');
    if (!slash || (strcmp(slash, "/decode") != 0 && strcmp(slash, "/prefill") != 0))
        return -1;
    size_t size = (size_t)(slash - network);
    *prefill = slash[1] == 'p';
    for (int i = 0; i < MSW_DECODERS; i++)
        if (strlen(msw_decoder_names[i].name) == size &&
            strncmp(msw_decoder_names[i].name, network, size) == 0)
            return i;
    return -1;
}

bool msw_mix_is_decoder(const char *network)
{
    bool prefill;
    return number_of(network, &prefill) >= 0;
}

typedef struct maker {
    const msw_npu_network *net;
    msw_graph_network *graph;
    msw_graph_op *ops;
    msw_graph_tensor *tensors;
    uint32_t *reads, *made; /* made: by buffer, the tensor that lies there now */
} maker;

static uint32_t add_tensor(maker *m, uint64_t elements, msw_graph_role role, uint32_t producer)
{
    m->tensors[m->graph->tensor_count] = (msw_graph_tensor){.bytes = elements,
                                                            .role = role,
                                                            .producer = producer,
                                                            .first = MSW_GRAPH_NONE,
                                                            .last = MSW_GRAPH_NONE};
    return m->graph->tensor_count++;
}

static void read_tensor(maker *m, uint32_t buffer, uint32_t op)
{
    if (m->made[buffer] == MSW_GRAPH_NONE)
        m->made[buffer] = add_tensor(m, m->net->tensors[buffer], MSW_GRAPH_INPUT, MSW_GRAPH_NONE);
    msw_graph_tensor *t = &m->tensors[m->made[buffer]];
    t->uses++;
    t->first = t->first == MSW_GRAPH_NONE ? op : t->first;
    t->last = op;
    t->role = t->role == MSW_GRAPH_RESULT ? MSW_GRAPH_INTERMEDIATE : t->role;
    m->reads[m->graph->read_count++] = m->made[buffer];
}

static void add_op(maker *m, const msw_npu_op *from, const msw_npu_op *before)
{
    uint32_t number = m->graph->op_count++;
    bool pair = from->second != MSW_NPU_STATIC;
    msw_graph_op *op = &m->ops[number];
    *op = (msw_graph_op){.name = from->name,
                         .word = pair ? "bmm" : "gemm",
                         .block_name = from->name,
                         .kind = pair ? MSW_GRAPH_PAIR : MSW_GRAPH_MATRIX,
                         .m = from->rows,
                         .n = from->filters,
                         .k = from->channels,
                         .count = from->groups,
                         .seq = 1,
                         .weight = MSW_GRAPH_NONE,
                         .first_read = m->graph->read_count};
    op->macs = op->m * op->n * op->k * op->count;
    op->block = number; /* no two belong together */
    read_tensor(m, from->input.tensor, number);
    if (pair)
        read_tensor(m, from->second_tensor, number);
    else if (before && before->input.tensor != from->input.tensor &&
             before->output.tensor == from->input.tensor + 1)
        read_tensor(m, before->output.tensor, number); /* down: the gate and what it multiplies */
    op->read_count = m->graph->read_count - op->first_read;
    if (!pair) {
        op->touched_bytes = op->n * op->k;
        op->weight = add_tensor(m, op->touched_bytes, MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
    }
    op->output = add_tensor(m, op->m * op->n * op->count, MSW_GRAPH_RESULT, number);
    if (from->output.tensor < BUFFERS)
        m->made[from->output.tensor] = op->output;
}

int msw_mix_decoder(const char *network, const msw_mix_config *config, msw_arena *arena,
                    msw_graph_network *graph, msw_err *err)
{
    bool prefill = false;
    int number = number_of(network, &prefill);
    msw_decoder shape = msw_decoders[number];
    uint64_t context = (uint64_t)config->context;
    msw_npu_network net;
    if (config->layers > 0)
        shape.layers = (uint64_t)config->layers;
    if (msw_npu_decoder(&shape,
                        &(msw_npu_decoding){prefill ? context : 1, context, 1, false, false}, arena,
                        &net, err))
        return -1;
    *graph = (msw_graph_network){.name = network};
    maker m = {.net = &net, .graph = graph};
    m.ops = msw_arena_zero(arena, net.op_count, sizeof *m.ops);
    m.tensors = msw_arena_zero(arena, 4 * net.op_count + net.tensor_count, sizeof *m.tensors);
    m.reads = msw_arena_zero(arena, 2 * net.op_count, sizeof *m.reads);
    m.made = msw_arena_take(arena, net.tensor_count * sizeof *m.made);
    if (!m.ops || !m.tensors || !m.reads || !m.made)
        return msw_fail_memory(err);
    for (size_t i = 0; i < net.tensor_count; i++)
        m.made[i] = MSW_GRAPH_NONE;
    for (size_t i = 0; i < net.op_count; i++)
        add_op(&m, &net.ops[i], i ? &net.ops[i - 1] : NULL);
    graph->ops = m.ops, graph->tensors = m.tensors, graph->reads = m.reads;
    graph->block_count = graph->op_count;
    return 0;
}
