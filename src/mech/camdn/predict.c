/* SPDX-License-Identifier: MIT */
/* What MoCA expects of an operator: the README's "Throttling". */
#include "mech/camdn/model.h"

double camdn_moca_bytes(const camdn_config *c, const msw_graph_network *net, uint32_t o)
{
    const msw_graph_op *op = &net->ops[o];
    double weights = (double)op->touched_bytes, out = (double)net->tensors[op->output].bytes;
    double cache = (double)c->cache, in = 0;
    for (uint32_t i = 0; i < op->read_count; i++)
        in += (double)net->tensors[net->reads[op->first_read + i]].bytes;
    return weights + out + (in > cache || in + weights + out > cache ? in : 0);
}

double camdn_predicted(const camdn_config *c, const camdn_table *table, uint32_t o, double memory)
{
    double requests = (double)camdn_plain_step(table, o)->npu_bytes;
    double compute = (double)camdn_layers(table)[o].cycles;
    double mem = memory / camdn_memory_rate(c) + requests / (double)c->port_bytes;
    return mem > compute ? mem + compute / 2 : compute + mem / 2;
}
