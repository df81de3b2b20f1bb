/* SPDX-License-Identifier: MIT */
/* Draws the networks that run, and derives the hardware of a config: its memory, its mesh
 * (machine/README.md), and the cycles that MoCA expects of an operator (README.md, "Throttling").
 */
#include "mech/camdn/model.h"

#include "memsweep/base/rng.h"

#include <string.h>

camdn_draws camdn_draws_of(const msw_task *task)
{
    const camdn_config *c = task->config;
    camdn_draws d = {.mix = task->product->data, .stream = task->stream, .draw = c->draw};
    int64_t residents = c->arrivals == CAMDN_CLOSED ? msw_min_i64(c->residents, c->tenants) : 0;
    d.own = (uint32_t)(c->tenants - residents);
    d.count = d.mix->count - (residents > 0 && d.mix->count > 1);
    for (uint32_t i = 0; i < d.mix->count; i++) {
        d.weights += d.mix->networks[i].weight;
        d.drawn += i < d.count ? d.mix->networks[i].weight : 0;
    }
    return d;
}

static uint32_t draw_random(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    msw_rng rng;
    msw_rng_init(&rng, d->stream, tenant);
    msw_rng_seek(&rng, number);
    double at = msw_rng_uniform(&rng) * d->drawn;
    uint32_t i = 0;
    while (i + 1 < d->count && at >= d->mix->networks[i].weight)
        at -= d->mix->networks[i++].weight;
    return i;
}

/* A deck holds every network once; which deck it is makes its order. */
static uint32_t draw_deck(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    uint64_t count = d->count, deck = number / count;
    msw_rng rng;
    msw_rng_init(&rng, d->stream, tenant);
    msw_rng_seek(&rng, deck);
    return (uint32_t)msw_permute(number % count, count, msw_rng_u64(&rng));
}

/* Weights are numbers of tenants; the last network has those that are left. */
static uint32_t pinned_to(const camdn_draws *d, uint32_t tenant)
{
    double below = 0;
    uint32_t i = 0;
    while (i + 1 < d->count && (below += d->mix->networks[i].weight) <= tenant)
        i++;
    return i;
}

uint32_t camdn_draw(const camdn_draws *d, uint32_t tenant, uint64_t number)
{
    if (tenant >= d->own)
        return d->mix->count - 1;
    if (d->draw == CAMDN_DRAW_PINNED)
        return pinned_to(d, tenant);
    return d->draw == CAMDN_DRAW_DECK ? draw_deck(d, tenant, number)
                                      : draw_random(d, tenant, number);
}

/* The fields of a map without that of the channel, which comes last. */
static void channel_last(const char *fields, char *map)
{
    size_t size = 0;
    for (const char *at = fields; *at;) {
        size_t word = strcspn(at, " ");
        if (strncmp(at, "ch", 2) != 0 && strncmp(at, "off", 3) != 0 &&
            size + word + 4 < CAMDN_MAP_BYTES) {
            memcpy(map + size, at, word);
            size += word;
            map[size++] = ' ';
        }
        at += word;
        at += strspn(at, " ");
    }
    memcpy(map + size, "ch", 3);
}

/* Fixed memory is of no part that could be bought. */
msw_memory_size camdn_memory_size(const camdn_config *c)
{
    bool banks = c->memory == CAMDN_MEMORY_BANKS;
    return (msw_memory_size){banks ? c->stacks : 0, c->channels, banks ? c->least : 0};
}

int64_t camdn_channels(const camdn_config *c)
{
    msw_memory_size size = camdn_memory_size(c);
    return msw_memory_channels(msw_memory_of(c->memory_preset), &size);
}

msw_dram_config camdn_banks_of(const camdn_config *c, char *map)
{
    msw_dram_config dram =
        msw_dram_at_clock(msw_memory_of(c->memory_preset), (uint32_t)(1000 / c->frequency + 0.5));
    dram.channels = (uint32_t)camdn_channels(c);
    channel_last(dram.map, map);
    dram.map = map;
    return dram;
}

unsigned camdn_colour_bits(const msw_dram_map *map, unsigned *shift)
{
    unsigned bit = 0, bits = 0;
    while (bit < 63 && msw_dram_locate(map, (uint64_t)1 << bit).row == 0)
        bit++;
    for (*shift = bit; bit-- > 0 && msw_dram_locate(map, (uint64_t)1 << bit).bank > 0; *shift = bit)
        bits++;
    return bits;
}

double camdn_memory_rate(const camdn_config *c)
{
    if (c->memory == CAMDN_MEMORY_FIXED)
        return c->bandwidth / c->frequency;
    const msw_dram_config *own = msw_memory_of(c->memory_preset); /* bl need not be whole cycles */
    double cycle_ps = 1000 / c->frequency;
    return (double)(camdn_channels(c) * own->burst_bytes) / (own->t.bl * own->clock_ps) * cycle_ps;
}

double camdn_memory_cycles(const camdn_config *c)
{
    if (c->memory == CAMDN_MEMORY_FIXED)
        return (double)c->memory_cycles;
    char map[CAMDN_MAP_BYTES];
    msw_dram_config dram = camdn_banks_of(c, map);
    return (double)(dram.controller + dram.t.rcd + dram.t.cl + dram.t.bl);
}

double camdn_nearest(const camdn_config *c)
{
    if (c->memory == CAMDN_MEMORY_FIXED)
        return (double)c->memory_cycles;
    char map[CAMDN_MAP_BYTES];
    msw_dram_config dram = camdn_banks_of(c, map);
    return dram.forward ? 0 : (double)(dram.t.cl + dram.t.bl);
}

int64_t camdn_groups(const camdn_config *c)
{
    return (int64_t)msw_div_up((uint64_t)c->requests, (uint64_t)c->burst);
}

int64_t camdn_tagged_ways(const camdn_config *config)
{
    return config->tagged_ways ? config->npu_ways : config->ways;
}

int64_t camdn_running(const camdn_config *config)
{
    return config->npus < config->tenants ? config->npus : config->tenants;
}

enum { EAST, WEST, NORTH, SOUTH };

size_t camdn_mesh_nodes(const camdn_config *c)
{
    uint64_t width = (uint64_t)c->mesh_width;
    return width * msw_div_up((uint64_t)camdn_running(c), width);
}

uint32_t camdn_mesh_slice(const camdn_config *c, uint32_t slice)
{
    return (uint32_t)(slice * camdn_mesh_nodes(c) / (uint64_t)c->slices);
}

uint32_t camdn_mesh_way(const camdn_config *c, uint32_t at, uint32_t to)
{
    uint32_t width = (uint32_t)c->mesh_width, x = at % width, wanted = to % width;
    if (x != wanted)
        return x < wanted ? EAST : WEST;
    return at < to ? SOUTH : NORTH;
}

uint32_t camdn_mesh_next(const camdn_config *c, uint32_t at, uint32_t way)
{
    uint32_t width = (uint32_t)c->mesh_width;
    const uint32_t next[CAMDN_WAYS] = {at + 1, at - 1, at - width, at + width};
    return next[way];
}

camdn_mesh_load camdn_mesh_load_of(const camdn_config *c)
{
    enum { MOST_NODES = 2 * CAMDN_TENANTS_MAX };
    double lines[MOST_NODES * CAMDN_WAYS] = {0}, each = 1 / (double)c->slices;
    camdn_mesh_load load = {0};
    if (!c->mesh_width)
        return load;
    uint32_t npus = (uint32_t)camdn_running(c);
    for (uint32_t npu = 0; npu < npus; npu++)
        for (uint32_t slice = 0; slice < (uint32_t)c->slices; slice++)
            for (uint32_t at = camdn_mesh_slice(c, slice), way; at != npu;
                 at = camdn_mesh_next(c, at, way)) {
                way = camdn_mesh_way(c, at, npu);
                load.hops += each / npus;
                lines[at * CAMDN_WAYS + way] += each;
                load.most = msw_max_f64(load.most, lines[at * CAMDN_WAYS + way]);
            }
    return load;
}

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
