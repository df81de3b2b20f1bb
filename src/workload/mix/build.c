/* SPDX-License-Identifier: MIT */
/* From elements of one image to bytes of a batch, with addresses. */
#include "workload/mix/parts.h"

#include <string.h>

#define BYTES_MAX 0x1p50
#define WORK_MAX  0x1p60

/* Weights first, then activations in the order they are made, each from a multiple of the
 * alignment. */
static int give_addresses(msw_graph_network *net, msw_graph_tensor *tensors, uint64_t alignment,
                          msw_err *err)
{
    double all = 0;
    net->bytes = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        all += (double)tensors[i].bytes + (double)alignment;
    if (all > BYTES_MAX)
        return msw_fail(err, "network '%s': its tensors take %.3g bytes, allowed: up to %.3g",
                        net->name, all, BYTES_MAX);
    for (int weights = 1; weights >= 0; weights--)
        for (uint32_t i = 0; i < net->tensor_count; i++) {
            if ((tensors[i].role == MSW_GRAPH_WEIGHT) != weights)
                continue;
            tensors[i].offset = net->bytes;
            net->bytes = msw_div_up(net->bytes + tensors[i].bytes, alignment) * alignment;
        }
    return 0;
}

static int check_op(const msw_graph_op *op, const msw_mix_entry *entry, uint64_t element_bytes,
                    msw_err *err)
{
    double batch = (double)entry->batch;
    double work = (double)(op->macs > op->vector_ops ? op->macs : op->vector_ops) * batch;
    double moved = (double)op->touched_bytes * batch * (double)element_bytes;
    if (work <= WORK_MAX && moved <= BYTES_MAX)
        return 0;
    return msw_fail(err,
                    "network '%s', operator '%s': %.3g operations, %.3g bytes of weights, allowed: "
                    "up to %.3g and %.3g",
                    entry->network, op->name, work, moved, WORK_MAX, BYTES_MAX);
}

static void scale_op(msw_graph_op *op, uint64_t batch, uint64_t element_bytes)
{
    if (op->kind == MSW_GRAPH_PAIR)
        op->count *= batch;
    else
        op->m *= batch;
    if (op->kind == MSW_GRAPH_GATHER)
        op->touched_bytes *= batch;
    op->macs *= batch;
    op->vector_ops *= batch;
    op->touched_bytes *= element_bytes;
    op->index_bytes *= batch * element_bytes;
}

/* Names do not count: the digest is of what is computed and moved. */
static msw_digest digest_of(const msw_graph_network *net)
{
    msw_digest d = msw_hash_bytes(net->tensors, net->tensor_count * sizeof *net->tensors);
    d = msw_hash_pair(d, msw_hash_bytes(net->reads, net->read_count * sizeof *net->reads));
    for (uint32_t i = 0; i < net->op_count; i++) {
        const msw_graph_op *op = &net->ops[i];
        uint64_t words[] = {
            op->kind,         op->block,      op->m,           op->n,           op->k,
            op->count,        op->seq,        op->vector_ops,  op->in_rows,     op->in_cols,
            op->out_rows,     op->out_cols,   op->kernel_rows, op->kernel_cols, op->stride_rows,
            op->stride_cols,  op->first_read, op->read_count,  op->weight,      op->output,
            op->touched_bytes};
        d = msw_hash_pair(d, msw_hash_bytes(words, sizeof words));
    }
    return d;
}

static uint64_t weight_bytes(uint64_t elements, const msw_mix_config *config)
{
    return msw_div_up(elements * (uint64_t)config->weight_bits, 8);
}

int msw_mix_scale(const msw_mix_entry *entry, const msw_graph_network *graph,
                  const msw_mix_config *config, msw_arena *arena, msw_graph_network *out,
                  msw_err *err)
{
    uint64_t bytes = (uint64_t)config->element_bytes;
    msw_graph_op *ops = msw_arena_take(arena, graph->op_count * sizeof *ops);
    msw_graph_tensor *tensors = msw_arena_zero(arena, graph->tensor_count, sizeof *tensors);
    if (!ops || !tensors)
        return msw_fail_memory(err);
    memcpy(ops, graph->ops, graph->op_count * sizeof *ops);
    for (uint32_t i = 0; i < graph->op_count; i++) {
        if (check_op(&ops[i], entry, bytes, err))
            return -1;
        scale_op(&ops[i], entry->batch, bytes);
        if (entry->decoder && config->weight_bits > 0)
            ops[i].touched_bytes = weight_bytes(graph->ops[i].touched_bytes, config);
    }
    for (uint32_t i = 0; i < graph->tensor_count; i++) {
        const msw_graph_tensor *t = &graph->tensors[i];
        uint64_t images = t->role == MSW_GRAPH_WEIGHT ? 1 : entry->batch;
        if ((double)t->bytes * (double)images * (double)bytes > BYTES_MAX)
            return msw_fail(err, "network '%s': a tensor of %.3g bytes, allowed: up to %.3g",
                            entry->network, (double)t->bytes * (double)images * (double)bytes,
                            BYTES_MAX);
        tensors[i].bytes = t->bytes * images * bytes;
        if (entry->decoder && config->weight_bits > 0 && t->role == MSW_GRAPH_WEIGHT)
            tensors[i].bytes = weight_bytes(t->bytes, config);
        tensors[i].role = t->role, tensors[i].producer = t->producer;
        tensors[i].first = t->first, tensors[i].last = t->last, tensors[i].uses = t->uses;
    }
    *out = *graph;
    out->name = entry->network;
    out->ops = ops;
    out->tensors = tensors;
    out->weight = entry->weight, out->target_ms = entry->target_ms;
    out->batch = entry->batch, out->priority = entry->priority;
    if (give_addresses(out, tensors, (uint64_t)config->alignment, err))
        return -1;
    out->shape = digest_of(out);
    return 0;
}

static void summarise(const msw_graph_product *p, msw_summary *summary)
{
    double bytes = 0, written = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const msw_graph_network *net = &p->networks[i];
        summary->units += net->op_count;
        summary->footprint_bytes += net->bytes;
        for (uint32_t o = 0; o < net->op_count; o++) {
            bytes += (double)msw_graph_op_bytes(net, o);
            written += (double)net->tensors[net->ops[o].output].bytes;
        }
    }
    summary->bytes = (uint64_t)bytes;
    summary->write_share = bytes > 0 ? written / bytes : 0;
}

int msw_mix_build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                  msw_product *product, msw_err *err)
{
    const msw_mix_content *c = content;
    const msw_mix_config *settings = config;
    msw_graph_product *p = msw_arena_zero(arena, 1, sizeof *p);
    msw_graph_network *networks = msw_arena_zero(arena, c->list->count, sizeof *networks);
    (void)seed;
    if (!p || !networks)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < c->list->count; i++) {
        const msw_mix_entry *entry = &c->list->entries[i];
        msw_graph_network made, *graph = &made;
        if (entry->decoder && msw_mix_decoder(entry->network, settings, arena, graph, err))
            return -1;
        const msw_graph_network *from = entry->decoder ? graph : &c->graphs[entry->file];
        if (msw_mix_scale(entry, from, settings, arena, &networks[i], err))
            return -1;
    }
    *p = (msw_graph_product){.networks = networks,
                             .count = c->list->count,
                             .element_bytes = (uint32_t)settings->element_bytes,
                             .arrivals = c->list->arrivals,
                             .arrival_count = c->list->arrival_count};
    *product = (msw_product){.kind = MSW_PRODUCT_GRAPH, .data = p};
    summarise(p, &product->summary);
    return 0;
}
