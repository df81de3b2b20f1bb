/* SPDX-License-Identifier: MIT */
/* Builds a mix: from elements of one image to bytes of a batch, with addresses; what networks
 * move and keep (docs/models/mix.md), and what a mix consists of, in lines for people. */
#include "workload/mix/parts.h"

#include "memsweep/base/units.h"
#include "memsweep/workload/graph.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *msw_graph_kind_name(msw_graph_kind kind)
{
    static const char *const NAMES[] = {"matrix", "depthwise", "pair", "vector", "gather"};
    return NAMES[kind];
}

uint64_t msw_graph_op_bytes(const msw_graph_network *net, uint32_t number)
{
    const msw_graph_op *op = &net->ops[number];
    uint64_t bytes = op->index_bytes + op->touched_bytes + net->tensors[op->output].bytes;
    if (op->kind != MSW_GRAPH_GATHER)
        for (uint32_t i = 0; i < op->read_count; i++)
            bytes += net->tensors[net->reads[op->first_read + i]].bytes;
    return bytes;
}

/* Inputs are there from the start; what is read for the last time goes. */
static double most_live(const msw_graph_network *net)
{
    double live = 0, most = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        if (net->tensors[i].role == MSW_GRAPH_INPUT)
            live += (double)net->tensors[i].bytes;
    most = live;
    for (uint32_t o = 0; o < net->op_count; o++) {
        live += (double)net->tensors[net->ops[o].output].bytes;
        most = live > most ? live : most;
        for (uint32_t i = 0; i < net->tensor_count; i++)
            if (net->tensors[i].role != MSW_GRAPH_WEIGHT && net->tensors[i].last == o)
                live -= (double)net->tensors[i].bytes;
    }
    return most;
}

msw_graph_totals msw_graph_total(const msw_graph_network *net)
{
    msw_graph_totals t = {.most_live = most_live(net)};
    for (uint32_t i = 0; i < net->tensor_count; i++) {
        msw_graph_role role = net->tensors[i].role;
        if (role == MSW_GRAPH_INTERMEDIATE)
            t.between += (double)net->tensors[i].bytes;
        else if (role != MSW_GRAPH_WEIGHT)
            t.ends += (double)net->tensors[i].bytes;
    }
    for (uint32_t o = 0; o < net->op_count; o++) {
        const msw_graph_op *op = &net->ops[o];
        t.layerwise += (double)msw_graph_op_bytes(net, o);
        t.touched += (double)op->touched_bytes;
        if (op->weight != MSW_GRAPH_NONE)
            t.weights += (double)(op->touched_bytes / op->seq);
    }
    t.fused = t.touched + t.ends;
    t.unused = (t.weights + t.ends) / (t.weights + t.ends + t.between);
    return t;
}

static bool reads(const msw_graph_network *net, uint32_t number, uint32_t tensor)
{
    const msw_graph_op *op = &net->ops[number];
    for (uint32_t i = 0; i < op->read_count; i++)
        if (net->reads[op->first_read + i] == tensor)
            return true;
    return false;
}

double msw_graph_beyond(const msw_graph_network *net, double distance)
{
    double all = 0, beyond = 0;
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        const msw_graph_tensor *tensor = &net->tensors[t];
        double bytes = (double)tensor->bytes, since = 0;
        if (tensor->role != MSW_GRAPH_INTERMEDIATE)
            continue;
        since = (double)msw_graph_op_bytes(net, tensor->producer) / 2;
        for (uint32_t o = tensor->producer + 1; o <= tensor->last; o++) {
            double moved = (double)msw_graph_op_bytes(net, o);
            if (!reads(net, o, t)) {
                since += moved;
                continue;
            }
            all += bytes;
            beyond += since + moved / 2 - bytes > distance ? bytes : 0;
            since = moved / 2;
        }
    }
    return all > 0 ? beyond / all : NAN;
}

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

/* What a graph has to be multiplied with: those of decoders are of the whole batch. */
static uint64_t images_of(const msw_mix_entry *entry, bool decoder)
{
    return decoder ? 1 : entry->batch;
}

static int check_op(const msw_graph_op *op, const msw_mix_entry *entry, uint64_t images,
                    uint64_t element_bytes, msw_err *err)
{
    double batch = (double)images;
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

/* Sizes and addresses of an entry's network. */
static int msw_mix_scale(const msw_mix_entry *entry, bool decoder, const msw_graph_network *graph,
                         const msw_mix_config *config, msw_arena *arena, msw_graph_network *out,
                         msw_err *err)
{
    uint64_t bytes = (uint64_t)config->element_bytes, batch = images_of(entry, decoder);
    bool narrow = decoder && config->weight_bits > 0;
    msw_graph_op *ops = msw_arena_take(arena, graph->op_count * sizeof *ops);
    msw_graph_tensor *tensors = msw_arena_zero(arena, graph->tensor_count, sizeof *tensors);
    if (!ops || !tensors)
        return msw_fail_memory(err);
    memcpy(ops, graph->ops, graph->op_count * sizeof *ops);
    for (uint32_t i = 0; i < graph->op_count; i++) {
        if (check_op(&ops[i], entry, batch, bytes, err))
            return -1;
        scale_op(&ops[i], batch, bytes);
        if (narrow)
            ops[i].touched_bytes = weight_bytes(graph->ops[i].touched_bytes, config);
    }
    for (uint32_t i = 0; i < graph->tensor_count; i++) {
        const msw_graph_tensor *t = &graph->tensors[i];
        uint64_t images = t->role == MSW_GRAPH_WEIGHT ? 1 : batch;
        if ((double)t->bytes * (double)images * (double)bytes > BYTES_MAX)
            return msw_fail(err, "network '%s': a tensor of %.3g bytes, allowed: up to %.3g",
                            entry->network, (double)t->bytes * (double)images * (double)bytes,
                            BYTES_MAX);
        tensors[i].bytes = t->bytes * images * bytes;
        if (narrow && t->role == MSW_GRAPH_WEIGHT)
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
        const msw_mix_source *from = entry->built_in ? NULL : &c->sources[entry->file];
        bool decoder = !from || from->decoder;
        msw_graph_network made;
        if (decoder &&
            msw_mix_decoder(entry, from ? from->decoder : NULL, settings, arena, &made, err))
            return -1;
        if (!decoder && from->graph.list) {
            MSW_TRY(msw_mix_scale_tiles(entry, &from->graph, settings, &networks[i], err));
            continue;
        }
        if (msw_mix_scale(entry, decoder, decoder ? &made : &from->graph, settings, arena,
                          &networks[i], err))
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

static void add_network(const msw_graph_network *net, msw_text *out)
{
    msw_graph_totals t = msw_graph_total(net);
    double mega = 1e6, far = 1 << 20;
    msw_text_add(out,
                 "  %-20s %6g %5" PRIu64 " %6g %8u %8.2f %8.2f %8.2f %8.2f %8.2f %6.3f %6.3f "
                 "%6.3f\n",
                 net->name, net->weight, net->batch, net->target_ms, net->op_count,
                 t.weights / mega, t.between / mega, t.most_live / mega, t.layerwise / mega,
                 t.fused / mega, t.unused, msw_graph_beyond(net, far),
                 msw_graph_beyond(net, 2 * far));
}

int msw_mix_describe(const void *content, const void *config, msw_text *out, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = msw_mix_build(content, config, 0, &arena, &product, err);
    if (rc == 0) {
        const msw_graph_product *p = product.data;
        msw_text_add(out, "\nNetworks (bytes in MB; shares: of bytes used once, of intermediates "
                          "that come back after more than 1 and 2 MiB)\n");
        msw_text_add(out, "  %-20s %6s %5s %6s %8s %8s %8s %8s %8s %8s %6s %6s %6s\n", "network",
                     "weight", "batch", "qos ms", "ops", "weights", "between", "live", "layers",
                     "fused", "once", ">1", ">2");
        for (uint32_t i = 0; i < p->count; i++)
            add_network(&p->networks[i], out);
        if (p->arrivals)
            msw_text_add(out, "\nTasks: %u, from %g to %g ms\n", p->arrival_count,
                         p->arrivals[0].dispatch_ms, p->arrivals[p->arrival_count - 1].dispatch_ms);
    }
    msw_arena_free(&arena);
    return rc;
}
