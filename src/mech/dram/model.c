/* SPDX-License-Identifier: MIT */
/* dram: the memory of a config, requests of a product in order, the cycle model and the closed
 * form. Equations: README.md. */
#include "mech/dram/dram.h"

#include "mech/shared/rows.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/energy.h"
#include "memsweep/workload/accesses.h"
#include "memsweep/workload/npu.h"

#include <math.h>
#include <string.h>

/* Requests of a product in order: of a trace as they stand, of tiles the runs of their segments,
 * loads of a tile before its stores, layers as often as they repeat. */

static bool next_access(dram_reader *r, dram_request *request)
{
    const msw_accesses *a = r->product->data;
    if (r->next == a->count)
        return false;
    uint64_t i = r->next++;
    *request = (dram_request){a->addresses[i], a->bytes ? a->bytes[i] : a->request_bytes,
                              a->cycles ? a->cycles[i] : 0, a->writes && a->writes[i]};
    return true;
}

/* Moves on to where a segment has a row left. Returns whether there is one. */
static const msw_npu_segment *find_segment(dram_reader *r)
{
    const msw_npu_product *p = r->product->data;
    while (r->layer < p->layer_count) {
        const msw_npu_layer *layer = &p->layers[r->layer];
        if (r->tile == layer->tile_count) {
            r->tile = 0;
            r->layer += ++r->repeat == layer->repeat;
            r->repeat = r->repeat == layer->repeat ? 0 : r->repeat;
            continue;
        }
        const msw_npu_tile *tile = &p->tiles[layer->first_tile + r->tile];
        uint32_t first = r->storing ? tile->store_first : tile->load_first;
        if (r->segment < (r->storing ? tile->store_count : tile->load_count)) {
            const msw_npu_segment *segment = &p->segments[first + r->segment];
            if (r->row < segment->rows)
                return segment;
            r->row = 0;
            r->segment++;
            continue;
        }
        r->segment = 0;
        r->tile += r->storing;
        r->storing = !r->storing;
    }
    return NULL;
}

bool dram_next_request(dram_reader *r, dram_request *request)
{
    if (r->product->kind == MSW_PRODUCT_ACCESSES)
        return next_access(r, request);
    const msw_npu_segment *segment = find_segment(r);
    if (!segment)
        return false;
    *request = (dram_request){segment->address + r->row++ * segment->stride, segment->row_bytes, 0,
                              segment->operand == MSW_NPU_OUTPUT};
    return true;
}

/* ---- the memory ---- */

/* In the order of the choices of `memory` (tables.c). */
static const char *const PRESETS[DRAM_MEMORIES] = {
    "hbm2",      "hbm2e_3200",  "hbm3_6400", "hbm3_5200", "ddr3_1600", "ddr4_3200",
    "ddr5_4800", "lpddr5_6400", "gddr6_14",  "gddr6_16",  "mpu_nbu"};

size_t dram_preset_of(const dram_config *config)
{
    for (size_t i = 0; msw_dram_presets[i].name; i++)
        if (strcmp(msw_dram_presets[i].name, PRESETS[config->memory]) == 0)
            return i;
    return 0;
}

static msw_memory_size size_of(const dram_config *config)
{
    return (msw_memory_size){.stacks = config->stacks, .least = config->bandwidth};
}

msw_dram_config dram_memory_of(const dram_config *config)
{
    msw_dram_config m = msw_dram_presets[dram_preset_of(config)].config;
    msw_memory_size size = size_of(config);
    m.page = (msw_dram_page)config->page;
    m.channels = msw_memory_channels(&m, &size);
    return m;
}

int dram_check(const void *config, msw_err *err)
{
    const dram_config *c = config;
    msw_dram_config m = dram_memory_of(c);
    msw_memory_size size = size_of(c);
    MSW_TRY(msw_memory_check(&msw_dram_presets[dram_preset_of(c)].config, &size, err));
    return msw_dram_check(&m, err);
}

/* ---- what follows from counts ---- */

void dram_fill(const dram_config *config, const msw_dram_config *m, double *t)
{
    const msw_dram_price *p = &msw_dram_prices[dram_preset_of(config)];
    double ns = (double)m->clock_ps / 1000, seconds = t[DRAM_CYCLES] * ns * 1e-9;
    msw_dram_use rows = {t[DRAM_ACTS], 0, 0, 0};
    msw_dram_use bits = {0, 8 * t[DRAM_COLUMNS] * m->burst_bytes, 0, 0};
    msw_dram_use ready = {0, 0, seconds, (double)m->channels * m->ranks};
    t[DRAM_TRANSFER] = t[DRAM_COLUMNS] * m->t.bl / m->channels;
    t[DRAM_OVERHEAD] = t[DRAM_CYCLES] - t[DRAM_TRANSFER];
    t[DRAM_TIME] = t[DRAM_CYCLES] * ns;
    t[DRAM_ENERGY_ROWS] = msw_dram_energy_nj(p, m, &rows);
    t[DRAM_ENERGY_BITS] = msw_dram_energy_nj(p, m, &bits);
    t[DRAM_ENERGY_READY] = msw_dram_energy_nj(p, m, &ready);
    t[DRAM_ENERGY] = t[DRAM_ENERGY_ROWS] + t[DRAM_ENERGY_BITS] + t[DRAM_ENERGY_READY];
}

void dram_price(const void *config, double *metrics)
{
    msw_dram_config m = dram_memory_of(config);
    metrics[DRAM_PEAK] = msw_dram_peak_gbs(&m, m.channels);
}

void dram_derive(const msw_task *task, double *metrics)
{
    msw_dram_config m = dram_memory_of(task->config);
    double bits = 8 * metrics[DRAM_COLUMNS] * m.burst_bytes;
    metrics[DRAM_USE] = metrics[DRAM_TRANSFER] / metrics[DRAM_CYCLES];
    metrics[DRAM_EDP] = metrics[DRAM_ENERGY] * metrics[DRAM_TIME] * 1e-18;
    metrics[DRAM_PER_BIT] = metrics[DRAM_ENERGY] * 1e3 / bits;
}

/* The pins carry a burst of each channel at a time. */
void dram_bounds(const msw_task *task, double *metrics)
{
    (void)task;
    metrics[DRAM_LEAST_BUS] = metrics[DRAM_TRANSFER];
}

bool dram_is_timed(const msw_task *task)
{
    const dram_config *c = task->config;
    const msw_accesses *a = task->product->data;
    return c->order == DRAM_TIMED && task->product->kind == MSW_PRODUCT_ACCESSES && a->cycles;
}

dram_stream dram_start(const msw_task *task, msw_dram_player *player)
{
    return (dram_stream){task, {.product = task->product}, player, {0}};
}

bool dram_take(dram_stream *s, double *totals)
{
    const dram_config *c = s->task->config;
    while (dram_next_request(&s->reader, &s->request)) {
        if (!c->most || totals[DRAM_BYTES] < (double)c->most) {
            totals[DRAM_REQUESTS]++;
            totals[DRAM_BYTES] += (double)s->request.bytes;
            if (s->player && s->player->timed)
                s->player->now = msw_max_u64(s->player->now, s->request.time);
            return true;
        }
        totals[DRAM_LEFT_OUT] += (double)s->request.bytes;
    }
    return false;
}

/* ---- the cycle model ---- */

/* One stream, one unit: a memory's state cannot be rebuilt in the middle. */
int dram_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)task;
    (void)err;
    strata[0] = (msw_stratum){.units = 1, .cost = 1};
    *count = 1;
    return 0;
}

/* Reads by their latency, in ns: of a bin the middle. */
static void record_latencies(const msw_dram_stats *s, double ns, msw_unit_out *out)
{
    for (unsigned b = 0; b < MSW_DRAM_LATENCY_BINS; b++) {
        double floor = (double)msw_dram_bin_floor(b), next = (double)msw_dram_bin_floor(b + 1);
        if (s->latency_bin[b])
            msw_unit_record(out, 0, (floor + (next > floor ? next - 1 : floor)) / 2 * ns,
                            (double)s->latency_bin[b]);
    }
}

int dram_player_start(const msw_task *task, const msw_dram_config *m, msw_dram_player *player,
                      msw_err *err)
{
    enum { LINE = 64 };
    const dram_config *c = task->config;
    char *memory = msw_arena_take(task->arena, msw_dram_bytes(m) + LINE);
    if (!memory)
        return msw_fail_memory(err);
    memory += (size_t)(-(uintptr_t)memory & (LINE - 1));
    *player = (msw_dram_player){.dram = msw_dram_init(memory, m, err),
                                .window = (uint32_t)c->window,
                                .width = m->channels,
                                .timed = dram_is_timed(task)};
    return player->dram ? 0 : -1;
}

msw_dram_stats dram_fill_stats(const msw_dram_player *player, const msw_dram_config *m,
                               uint64_t now, double *t)
{
    double ns = (double)m->clock_ps / 1000;
    msw_dram_stats s = {0};
    for (uint32_t channel = 0; channel < m->channels; channel++)
        msw_dram_stats_sum(&s, msw_dram_channel_stats(player->dram, channel));
    t[DRAM_CYCLES] = (double)now;
    t[DRAM_READS] = (double)s.reads;
    t[DRAM_WRITES] = (double)s.writes;
    t[DRAM_HITS] = (double)s.hits;
    t[DRAM_CLOSED] = (double)s.closed;
    t[DRAM_CONFLICTS] = (double)s.conflicts;
    t[DRAM_COLUMNS] = (double)(s.commands_rd + s.commands_wr);
    t[DRAM_ACTS] = (double)s.commands_act;
    t[DRAM_REFRESHES] = (double)s.commands_ref;
    t[DRAM_WAITED] = (double)(s.read_queueing + s.read_service) * ns;
    t[DRAM_LATENCY_MOST] = (double)s.read_latency_max * ns;
    return s;
}

int dram_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err)
{
    (void)state, (void)stratum, (void)unit;
    enum { LOOK_EVERY = 4096 };
    msw_dram_config m = dram_memory_of(task->config);
    msw_dram_player p;
    MSW_TRY(dram_player_start(task, &m, &p, err));
    dram_stream stream = dram_start(task, &p);
    for (uint64_t i = 0; dram_take(&stream, out->totals); i++) {
        if (i % LOOK_EVERY == 0 && msw_task_expired(task))
            return msw_fail(err, "out of time");
        if (task->event_budget && i > task->event_budget)
            return msw_fail(err, "event budget of %llu spent",
                            (unsigned long long)task->event_budget);
        msw_dram_play(&p, stream.request.address, stream.request.bytes, stream.request.is_write);
    }
    msw_dram_stats all = dram_fill_stats(&p, &m, msw_dram_play_end(&p), out->totals);
    dram_fill(task->config, &m, out->totals);
    record_latencies(&all, (double)m.clock_ps / 1000, out);
    out->events = all.reads + all.writes;
    return 0;
}
