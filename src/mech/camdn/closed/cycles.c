/* SPDX-License-Identifier: MIT */
/* Computes the cycles of an operator from what it moves. With `lines` in `tiles` tiles, `rate`
 * bytes of memory per cycle for its tenant and `near` of all slices:
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
 * compute + late: a tile's last line is waited for each time.
 *
 * Of a memory with banks, the rate is what it carries where the streams of all tenants meet
 * (README.md, "Closed form"): a DMA requests one operand after the other, so that a tenant is
 * one stream. The cycles of a network that has cache and memory for itself, which `load` and the
 * service metrics are measured by, are a definition: they stay when the closed form gets better. */
#include "mech/camdn/closed/traffic.h"

#include "mech/camdn/model.h"

#include <math.h>

/* Tiles of an operator, one after the other. */
static double tiles_of(const camdn_closed *c, uint32_t op, const camdn_step *step)
{
    if (!camdn_has_tiles(&c->net->ops[op]))
        return camdn_stream_tiles(c->config, step, c->width);
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
                          .filled = &tables->shapes[network].filled[config->bypass],
                          .config = config,
                          .element_bytes = mix->element_bytes};
}

camdn_op_time camdn_time_of(const camdn_closed *c, uint32_t op, const camdn_moved *m)
{
    const camdn_config *config = c->config;
    const camdn_step *step = c->plan ? &c->level->step : camdn_plain_step(c->table, op);
    camdn_ganged gang;
    double width = c->width > 1 ? c->width : 1, common = 0;
    if (c->width > 1) {
        gang = camdn_ganged_of(c, op, step, m);
        step = &gang.step, m = &gang.moved, common = gang.common;
    }
    double line = (double)config->line, lines = m->requests / line;
    double burst = (double)config->burst, port = (double)config->port_bytes * width;
    double near = (double)(config->slices * config->slice_bytes) / (double)camdn_running(config);
    double groups = (double)camdn_groups(config) * width;
    double answer =
        (double)config->cache_cycles + line / (double)config->slice_bytes + burst * line / port;
    near *= width;
    answer += c->mesh.hops * (line / (double)config->link_bytes + 2 * (double)config->hop_cycles);
    if (c->mesh.most > 0)
        near = msw_min_f64(near, (double)config->link_bytes / c->mesh.most);
    double far = lines > 0 ? m->read / (line * lines) : 0;
    answer += far * camdn_far_cycles(config);
    camdn_op_time t = {
        .compute = m->compute,
        .traffic = m->read + m->written,
        .tiles = tiles_of(c, op, step),
        .answer = answer,
        .far = far,
        .wait = lines * answer / (groups * burst),
        .wait_far = lines * far / (groups * burst),
        .port = msw_max_f64((m->requests + common * (width - 1)) / port, m->requests / near),
        .last = m->last,
        .start = (double)config->start_cycles,
        .single = config->single,
        .moved = *m};
    double out = (double)c->net->tensors[c->net->ops[op].output].bytes;
    t.stores = out / port * (t.tiles > 2 ? 2 / t.tiles : 1);
    if (c->visits)
        t.toll = camdn_toll_of(c, op, m, t.tiles);
    t.config = config;
    return t;
}

double camdn_cycles_with(const camdn_op_time *t, const camdn_pace *pace)
{
    if (pace->walkers > 0 && t->toll.phases > 0)
        return camdn_toll_cycles(t, pace);
    double answer = t->answer + t->far * pace->queue, starts = t->tiles * answer;
    double moving = msw_max_f64(t->port, t->traffic / pace->rate);
    double wait = t->wait + t->wait_far * pace->queue;
    double late = msw_max_f64(moving + starts, wait + starts / 2);
    moving = msw_max_f64(moving, wait);
    if (t->single)
        return t->start + t->compute + late;
    double most = msw_max_f64(t->compute, moving), least = t->compute + moving - most;
    most = msw_max_f64(most, (t->compute + late) / 2);
    return t->start + most + least / t->tiles + answer;
}

void camdn_memory_open(const camdn_config *c, camdn_memory_form *memory)
{
    memory->config = c;
    if (c->memory != CAMDN_MEMORY_BANKS)
        return;
    memory->dram = camdn_banks_of(c, memory->map);
    memory->form = msw_dram_form_of(&memory->dram);
}

camdn_memory_rates camdn_memory_with(const camdn_memory_form *memory, double read, double written)
{
    const camdn_config *c = memory->config;
    double peak = camdn_memory_rate(c);
    if (c->memory != CAMDN_MEMORY_BANKS || read + written <= 0)
        return (camdn_memory_rates){.rate = peak};
    const msw_dram_config *d = &memory->dram;
    double running = (double)camdn_running(c), colours = (double)c->colours;
    double banks = (double)(d->ranks * d->groups * d->banks);
    msw_dram_load load = {.visit = d->columns,
                          .streams_per_bank = fmax(1, running / colours) / (banks / colours),
                          .read_share = read / (read + written),
                          .window =
                              fmax(1, running * (double)c->requests / (double)camdn_channels(c))};
    msw_dram_estimate e = msw_dram_estimate_load(&memory->form, &load);
    double rate = e.bandwidth_gbs * (double)camdn_channels(c) / c->frequency;
    return (camdn_memory_rates){.rate = fmin(peak, rate), .hit_rate = e.hit_rate};
}

int camdn_memory_tell(const msw_task *task, const camdn_memory_form *memory, double read,
                      double written, msw_err *err)
{
    const camdn_config *c = memory->config;
    camdn_memory_rates rates = camdn_memory_with(memory, read, written);
    if (c->memory != CAMDN_MEMORY_BANKS || read + written <= 0)
        return 0;
    double burst = (double)memory->dram.burst_bytes * (double)camdn_channels(c);
    double all = (read + written) / burst, hits = all * rates.hit_rate;
    for (int64_t i = 0; i < camdn_channels(c); i++) {
        double row[] = {(double)i, read / burst, written / burst,        hits,
                        0,         all - hits,   all * memory->dram.t.bl};
        if (msw_detail_add(task, CAMDN_DETAIL_BANKS, row, err))
            return -1;
    }
    return 0;
}

/* The slowest of computing, ports, slices, memory and requests under way (../README.md). */
static double op_cycles(const camdn_config *c, const camdn_moved *m, double rate)
{
    double lines = m->requests / (double)c->line, misses = m->read / (double)c->line;
    double port = m->requests / (double)c->port_bytes;
    double slices = m->requests * (double)camdn_running(c) / (double)(c->slices * c->slice_bytes);
    double wait = lines * (double)c->cache_cycles + misses * camdn_memory_cycles(c);
    double moving = msw_max_f64(wait / ((double)camdn_groups(c) * (double)c->burst), port);
    moving = msw_max_f64(moving, msw_max_f64(slices, (m->read + m->written) / rate));
    double all = c->single ? m->compute + moving : msw_max_f64(m->compute, moving);
    return all + (double)(c->start_cycles + c->cache_cycles) + camdn_memory_cycles(c);
}

/* A first task: none of it is in the cache yet. */
static double cycles_alone(const camdn_closed *closed)
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
        cycles[i] = cycles_alone(&closed);
    }
}
