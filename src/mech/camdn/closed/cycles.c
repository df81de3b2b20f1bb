/* SPDX-License-Identifier: MIT */
/* Cycles of an operator from what it moves. With `lines` in `tiles` tiles, `rate` bytes of memory
 * per cycle for its tenant and `near` of all slices:
 *
 *   answer = cache_cycles + line / slice_bytes
 *            + misses / lines x (memory_cycles + line x channels / memory)
 *            + burst x line / port_bytes                      until a group is complete
 *   moving = max(bytes / port, bytes / near, lines x answer / requests under way, traffic / rate)
 *   late   = moving + tiles x answer, half of it with what the requests under way bind
 *   cycles = max(compute, moving, (compute + late) / 2) + min(compute, moving) / tiles + answer
 *
 * Two tiles are under way: the next but one is not loaded before this one is computed, so that one
 * computing, one moving and one answer fit into the time of two tiles. The first tile is loaded
 * before anything computes, or the last one computes when nothing is left to load. Single buffer:
 * compute + late: a tile's last line is waited for each time. */
#include "mech/camdn/closed/traffic.h"

/* Tiles of an operator, one after the other. */
static double tiles_of(const camdn_closed *c, uint32_t op, const camdn_step *step)
{
    if (!camdn_has_tiles(&c->net->ops[op]))
        return camdn_stream_tiles(c->config, step);
    const camdn_product *p = &c->shape->products[op];
    double tiles = (double)p->instances;
    for (int i = 0; i < 3; i++)
        tiles *= camdn_step_turns(p, step, i);
    return tiles;
}

camdn_closed camdn_closed_of(const msw_task *task, const camdn_config *config, uint32_t network)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    return (camdn_closed){.net = &mix->networks[network],
                          .table = tables->of[network],
                          .shape = &tables->shapes[network],
                          .config = config};
}

camdn_op_time camdn_time_of(const camdn_closed *c, uint32_t op, const camdn_moved *m)
{
    const camdn_config *config = c->config;
    const camdn_step *step =
        c->plan ? &camdn_paged_level(c, op)->step : camdn_plain_step(c->table, op);
    double line = (double)config->line, lines = m->requests / line;
    double burst = (double)config->burst;
    double near = (double)(config->slices * config->slice_bytes) / (double)camdn_running(config);
    double groups = (double)msw_div_up((uint64_t)config->requests, (uint64_t)config->burst);
    double answer = (double)config->cache_cycles + line / (double)config->slice_bytes +
                    burst * line / (double)config->port_bytes;
    answer += c->mesh.hops * (line / (double)config->link_bytes + 2 * (double)config->hop_cycles);
    if (c->mesh.most > 0)
        near = msw_min_f64(near, (double)config->link_bytes / c->mesh.most);
    answer += lines > 0 ? m->read / (line * lines) * camdn_far_cycles(config) : 0;
    camdn_op_time t = {
        .compute = m->compute,
        .traffic = m->read + m->written,
        .tiles = tiles_of(c, op, step),
        .answer = answer,
        .wait = lines * answer / (groups * burst),
        .port = msw_max_f64(m->requests / (double)config->port_bytes, m->requests / near),
        .last = m->last,
        .single = config->single,
        .moved = *m};
    double out = (double)c->net->tensors[c->net->ops[op].output].bytes;
    t.stores = out / (double)config->port_bytes * (t.tiles > 2 ? 2 / t.tiles : 1);
    double each = (double)(config->page_cycles + config->release_cycles);
    t.pages = c->plan ? each * camdn_paged_taken(c, op) : 0;
    return t;
}

double camdn_cycles_with(const camdn_op_time *t, double rate)
{
    double starts = t->tiles * t->answer;
    double moving = msw_max_f64(t->port, t->traffic / rate);
    double late = msw_max_f64(moving + starts, t->wait + starts / 2);
    moving = msw_max_f64(moving, t->wait);
    if (t->single)
        return t->compute + late + t->pages;
    double most = msw_max_f64(t->compute, moving), least = t->compute + moving - most;
    most = msw_max_f64(most, (t->compute + late) / 2);
    return most + least / t->tiles + t->answer + t->pages;
}
