/* SPDX-License-Identifier: MIT */
/* A network that has cache and memory for itself: what `load` and the service metrics are measured
 * by. It is a definition, so it stays what it is when the closed form gets better. */
#include "mech/camdn/closed/traffic.h"
#include "mech/camdn/qos/service.h"

#include <math.h>

/* The slowest of computing, ports, slices, memory and requests under way; README.md, "Service". */
static double op_cycles(const camdn_config *c, const camdn_moved *m, double rate)
{
    double lines = m->requests / (double)c->line, misses = m->read / (double)c->line;
    double port = m->requests / (double)c->port_bytes;
    double slices = m->requests * (double)camdn_running(c) / (double)(c->slices * c->slice_bytes);
    double wait = lines * (double)c->cache_cycles + misses * camdn_memory_cycles(c);
    double groups = (double)msw_div_up((uint64_t)c->requests, (uint64_t)c->burst);
    double moving = wait / (groups * (double)c->burst);
    moving = port > moving ? port : moving;
    moving = slices > moving ? slices : moving;
    double traffic = (m->read + m->written) / rate;
    moving = traffic > moving ? traffic : moving;
    double all = m->compute > moving ? m->compute : moving;
    all = c->single ? m->compute + moving : all;
    return all + (double)c->cache_cycles + camdn_memory_cycles(c);
}

/* A first task: none of it is in the cache yet. */
static double alone(const camdn_closed *closed)
{
    double cycles = 0;
    for (uint32_t o = 0; o < closed->net->op_count; o++) {
        camdn_moved moved = camdn_moved_by(closed, o);
        cycles += op_cycles(closed->config, &moved, camdn_memory_rate(closed->config));
    }
    return cycles;
}

void camdn_alone(const msw_task *task, double *cycles)
{
    const msw_graph_product *mix = task->product->data;
    camdn_config lone = *(const camdn_config *)task->config;
    lone.tenants = lone.npus = 1;
    lone.control = CAMDN_TAGGED, lone.share = CAMDN_SHARE_ALL, lone.bypass = 0;
    for (uint32_t i = 0; i < mix->count; i++) {
        camdn_closed closed = camdn_closed_of(task, &lone, i);
        closed.reach = (double)lone.cache;
        closed.since = INFINITY;
        cycles[i] = alone(&closed);
    }
}
