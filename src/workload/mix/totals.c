/* SPDX-License-Identifier: MIT */
/* What networks move and keep. Definitions: docs/models/mix.md. */
#include "memsweep/workload/graph.h"

#include <math.h>

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
