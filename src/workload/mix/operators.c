/* SPDX-License-Identifier: MIT */
/* Operators of the front end npu as networks of a mix: decoders (the one generator,
 * ../npu/decoder.c), and chains of layers.
 *
 * A decoder's task is a token (decode), or a prompt (prefill), of each sequence of its batch. What
 * attention reads is an input of `context` tokens, keys and values apart for each layer; the new
 * tokens' are results. Each operator makes a tensor of its own; the gate and what it multiplies are
 * read together. Tokens go from the stream to experts and come back without operators of their own:
 * experts read the stream, and what they make is read with it in the next layer. */
#include "workload/mix/parts.h"
#include "workload/npu/parts.h"

#include <string.h>

/* Buffers of decoders (decoder.c), shared over layers, that mean something here. */
enum { STREAM = 0, QUERY = 1, GATE = 4, LOGITS = 6, SENT = 8, BUFFERS = MSW_NPU_DECODER_CACHES };
enum { LYING = 6 }; /* most tensors that lie in a buffer together */

/* The number of a decoder without a file, or -1. */
static int number_of(const char *network)
{
    const char *slash = strchr(network, '/');
    if (!slash || (strcmp(slash, "/decode") != 0 && strcmp(slash, "/prefill") != 0))
        return -1;
    size_t size = (size_t)(slash - network);
    for (int i = 0; i < MSW_DECODERS; i++)
        if (strlen(msw_decoder_names[i].name) == size &&
            strncmp(msw_decoder_names[i].name, network, size) == 0)
            return i;
    return -1;
}

bool msw_mix_is_decoder(const char *network)
{
    return number_of(network) >= 0;
}

/* Tensors that lie in a buffer now. */
typedef struct lying {
    uint32_t count, tensors[LYING];
} lying;

typedef struct maker {
    const msw_npu_network *net;
    msw_graph_network *graph;
    msw_graph_op *ops;
    msw_graph_tensor *tensors;
    uint32_t *reads;
    lying *made;    /* by buffer */
    uint64_t batch; /* that is in the sizes */
    bool chain;     /* tensors are as large as the larger of who writes and who reads them */
} maker;

uint32_t msw_mix_add_tensor(msw_graph_network *graph, msw_graph_tensor *tensors, uint64_t elements,
                            msw_graph_role role, uint32_t producer)
{
    tensors[graph->tensor_count] = (msw_graph_tensor){.bytes = elements,
                                                      .role = role,
                                                      .producer = producer,
                                                      .first = MSW_GRAPH_NONE,
                                                      .last = MSW_GRAPH_NONE};
    return graph->tensor_count++;
}

static void read_tensor(maker *m, uint32_t buffer, uint32_t op)
{
    lying *l = &m->made[buffer];
    if (!l->count)
        l->tensors[l->count++] =
            msw_mix_add_tensor(m->graph, m->tensors, m->net->tensors[buffer] * m->batch,
                               MSW_GRAPH_INPUT, MSW_GRAPH_NONE);
    for (uint32_t i = 0; i < l->count; i++) {
        msw_graph_tensor *t = &m->tensors[l->tensors[i]];
        t->uses++;
        t->first = t->first == MSW_GRAPH_NONE ? op : t->first;
        t->last = op;
        t->role = t->role == MSW_GRAPH_RESULT ? MSW_GRAPH_INTERMEDIATE : t->role;
        m->reads[m->graph->read_count++] = l->tensors[i];
    }
}

static void put(lying *l, uint32_t tensor, bool beside)
{
    l->count = beside && l->count < LYING ? l->count : 0;
    l->tensors[l->count++] = tensor;
}

/* Whether two products follow each other that read the same and write into one buffer. */
static bool is_beside(const msw_npu_op *op, const msw_npu_op *before)
{
    return before && before->whole_batch && op->whole_batch &&
           before->output.tensor == op->output.tensor && before->input.tensor == op->input.tensor;
}

/* What experts made is read with the stream from the next layer on. */
static void collect(maker *m, const msw_npu_op *op)
{
    lying *back = &m->made[SENT];
    /* the head is last, and makes none of them */
    bool latent = !m->chain && op->output.tensor == GATE && op[1].output.tensor == QUERY;
    if (m->chain || (op->output.tensor != QUERY && op->output.tensor != LOGITS && !latent))
        return;
    for (uint32_t i = 0; i < back->count; i++)
        put(&m->made[STREAM], back->tensors[i], m->made[STREAM].count < LYING);
    back->count = 0;
}

static void fill_product(const maker *m, const msw_npu_op *from, msw_graph_op *op)
{
    op->m =
        from->rows * from->cols * (from->whole_batch || op->kind == MSW_GRAPH_PAIR ? 1 : m->batch);
    op->n = from->filters;
    op->k = from->channels * from->kernel_rows * from->kernel_cols;
    op->count = from->groups * (op->kind == MSW_GRAPH_PAIR ? m->batch : 1);
    op->seq = from->repeat;
    op->macs = op->m * op->n * op->k * op->count * op->seq;
    if (from->input.view != MSW_NPU_VIEW_IMAGE)
        return;
    op->in_rows = from->input.rows, op->in_cols = from->input.cols;
    op->out_rows = from->rows, op->out_cols = from->cols;
    op->kernel_rows = msw_npu_reach(from), op->kernel_cols = from->kernel_cols;
    op->stride_rows = op->stride_cols = from->stride_rows;
}

static void fill_weights(maker *m, const msw_npu_op *from, msw_graph_op *op)
{
    uint64_t each = op->n * op->k;
    if (op->kind == MSW_GRAPH_PAIR)
        return;
    op->touched_bytes = each * op->count * op->seq;
    op->weight = msw_mix_add_tensor(m->graph, m->tensors, each * (op->count + from->more_groups),
                                    MSW_GRAPH_WEIGHT, MSW_GRAPH_NONE);
}

static void fill_reads(maker *m, const msw_npu_op *from, const msw_npu_op *before, uint32_t number)
{
    msw_graph_op *op = &m->ops[number];
    bool sent = !m->chain && from->whole_batch && from->input.tensor == SENT;
    op->first_read = m->graph->read_count;
    read_tensor(m, sent ? STREAM : from->input.tensor, number);
    if (op->kind == MSW_GRAPH_PAIR)
        read_tensor(m, from->second_tensor, number);
    else if (!m->chain && before && before->input.tensor != from->input.tensor &&
             before->output.tensor == from->input.tensor + 1)
        read_tensor(m, before->output.tensor, number); /* down: the gate and what it multiplies */
    op->read_count = m->graph->read_count - op->first_read;
}

static void add_op(maker *m, const msw_npu_op *from, const msw_npu_op *before)
{
    uint32_t number = m->graph->op_count++, to = from->output.tensor;
    bool pair = from->second != MSW_NPU_STATIC;
    bool each = from->groups > 1 && from->channels == 1 && from->filters == 1;
    msw_graph_op *op = &m->ops[number];
    *op = (msw_graph_op){.name = from->name,
                         .word = pair ? "bmm" : "gemm",
                         .block_name = from->name,
                         .kind = pair   ? MSW_GRAPH_PAIR
                                 : each ? MSW_GRAPH_DEPTHWISE
                                        : MSW_GRAPH_MATRIX,
                         .block = number, /* no two belong together */
                         .weight = MSW_GRAPH_NONE};
    collect(m, from);
    fill_product(m, from, op);
    fill_reads(m, from, before, number);
    fill_weights(m, from, op);
    uint64_t made = m->chain ? m->net->tensors[to] : op->m * op->n * op->count;
    op->output = msw_mix_add_tensor(m->graph, m->tensors, made, MSW_GRAPH_RESULT, number);
    if (m->chain || to < BUFFERS)
        put(&m->made[to], op->output, is_beside(from, before) || (from->whole_batch && to == SENT));
}

static int make(maker *m, msw_arena *arena, msw_err *err)
{
    const msw_npu_network *net = m->net;
    m->ops = msw_arena_zero(arena, net->op_count, sizeof *m->ops);
    m->tensors = msw_arena_zero(arena, 4 * net->op_count + net->tensor_count, sizeof *m->tensors);
    m->reads = msw_arena_zero(arena, 2 * LYING * net->op_count, sizeof *m->reads);
    m->made = msw_arena_zero(arena, net->tensor_count, sizeof *m->made);
    if (!m->ops || !m->tensors || !m->reads || !m->made)
        return msw_fail_memory(err);
    for (size_t i = 0; i < net->op_count; i++)
        add_op(m, &net->ops[i], i ? &net->ops[i - 1] : NULL);
    m->graph->ops = m->ops, m->graph->tensors = m->tensors, m->graph->reads = m->reads;
    m->graph->block_count = m->graph->op_count;
    return 0;
}

int msw_mix_decoder(const msw_mix_entry *entry, const msw_decoder *shape,
                    const msw_mix_config *config, msw_arena *arena, msw_graph_network *graph,
                    msw_err *err)
{
    bool prefill = shape ? entry->prompt : strstr(entry->network, "/prefill") != NULL;
    msw_decoder own = shape ? *shape : msw_decoders[number_of(entry->network)];
    uint64_t context = (uint64_t)config->context;
    msw_npu_network net;
    if (own.file_method && !config->weight_bits)
        return msw_fail(err,
                        "network '%s': mix_weight_bits: the file's quantization_config (%s) says "
                        "how wide weights are; allowed: above 0",
                        entry->network, own.file_method);
    if (config->layers > 0 && own.kinds && (uint64_t)config->layers > own.layers)
        return msw_fail(err, "network '%s': mix_layers %lld, allowed: up to the file's %llu",
                        entry->network, (long long)config->layers, (unsigned long long)own.layers);
    if (config->layers > 0)
        own.layers = (uint64_t)config->layers;
    if (msw_npu_decoder(
            &own, &(msw_npu_decoding){prefill ? context : 1, context, entry->batch, false, false},
            arena, &net, err))
        return -1;
    *graph = (msw_graph_network){.name = entry->network};
    maker m = {.net = &net, .graph = graph, .batch = entry->batch};
    return make(&m, arena, err);
}

int msw_mix_chain(const msw_npu_network *net, msw_arena *arena, msw_graph_network *graph,
                  msw_err *err)
{
    *graph = (msw_graph_network){0};
    maker m = {.net = net, .graph = graph, .batch = 1, .chain = true};
    return make(&m, arena, err);
}
