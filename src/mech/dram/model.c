/* SPDX-License-Identifier: MIT */
/* dram: the memory of a config, the cycle model and the closed form. Equations: README.md. */
#include "mech/dram/dram.h"

#include "memsweep/sim/dram_analytic.h"
#include "memsweep/sim/energy.h"
#include "memsweep/workload/accesses.h"

#include <math.h>
#include <string.h>

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

msw_dram_config dram_memory_of(const dram_config *config)
{
    msw_dram_config m = msw_dram_presets[dram_preset_of(config)].config;
    uint32_t stacks = (uint32_t)config->stacks, own = m.channels;
    m.page = (msw_dram_page)config->page;
    m.channels = own * stacks;
    for (; config->bandwidth > 0 && msw_dram_peak_gbs(&m, m.channels) < config->bandwidth &&
           stacks < DRAM_STACKS_MAX;
         stacks *= 2)
        m.channels = own * stacks * 2;
    return m;
}

int dram_check(const void *config, msw_err *err)
{
    const dram_config *c = config;
    msw_dram_config m = dram_memory_of(c);
    if (c->stacks & (c->stacks - 1))
        return msw_fail(err,
                        "stacks %lld: addresses are dealt out by bits; allowed: 1, 2, 4, 8, 16",
                        (long long)c->stacks);
    if (c->bandwidth > 0 && msw_dram_peak_gbs(&m, m.channels) < c->bandwidth)
        return msw_fail(err, "bandwidth %g GB/s: %d stacks of %s have %.4g", c->bandwidth,
                        DRAM_STACKS_MAX, PRESETS[c->memory], msw_dram_peak_gbs(&m, m.channels));
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

/* Whether requests come at their own times. */
static bool is_timed(const msw_task *task)
{
    const dram_config *c = task->config;
    const msw_accesses *a = task->product->data;
    return c->order == DRAM_TIMED && task->product->kind == MSW_PRODUCT_ACCESSES && a->cycles;
}

/* Bytes of a stream that `most` leaves out are counted. Returns whether a request is taken. */
static bool take(const msw_task *task, dram_reader *reader, dram_request *request, double *totals)
{
    const dram_config *c = task->config;
    while (dram_next_request(reader, request)) {
        if (!c->most || totals[DRAM_BYTES] < (double)c->most) {
            totals[DRAM_REQUESTS]++;
            totals[DRAM_BYTES] += (double)request->bytes;
            return true;
        }
        totals[DRAM_LEFT_OUT] += (double)request->bytes;
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

static void fill_totals(const msw_task *task, const msw_dram_config *m, const msw_dram_stats *s,
                        uint64_t end, msw_unit_out *out)
{
    double *t = out->totals, ns = (double)m->clock_ps / 1000;
    t[DRAM_CYCLES] = (double)end;
    t[DRAM_READS] = (double)s->reads;
    t[DRAM_WRITES] = (double)s->writes;
    t[DRAM_HITS] = (double)s->hits;
    t[DRAM_CLOSED] = (double)s->closed;
    t[DRAM_CONFLICTS] = (double)s->conflicts;
    t[DRAM_COLUMNS] = (double)(s->commands_rd + s->commands_wr);
    t[DRAM_ACTS] = (double)s->commands_act;
    t[DRAM_REFRESHES] = (double)s->commands_ref;
    t[DRAM_WAITED] = (double)(s->read_queueing + s->read_service) * ns;
    t[DRAM_LATENCY_MOST] = (double)s->read_latency_max * ns;
    dram_fill(task->config, m, t);
    record_latencies(s, ns, out);
    out->events = s->reads + s->writes;
}

int dram_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err)
{
    (void)state, (void)stratum, (void)unit;
    enum { LOOK_EVERY = 4096, LINE = 64 };
    const dram_config *c = task->config;
    msw_dram_config m = dram_memory_of(c);
    char *memory = msw_arena_take(task->arena, msw_dram_bytes(&m) + LINE);
    if (!memory)
        return msw_fail_memory(err);
    memory += (size_t)(-(uintptr_t)memory & (LINE - 1));
    msw_dram_player p = {.dram = msw_dram_init(memory, &m, err),
                         .window = (uint32_t)c->window,
                         .width = m.channels,
                         .timed = is_timed(task)};
    if (!p.dram)
        return -1;
    dram_reader reader = {.product = task->product};
    dram_request r;
    for (uint64_t i = 0; take(task, &reader, &r, out->totals); i++) {
        if (i % LOOK_EVERY == 0 && msw_task_expired(task))
            return msw_fail(err, "out of time");
        if (task->event_budget && i > task->event_budget)
            return msw_fail(err, "event budget of %llu spent",
                            (unsigned long long)task->event_budget);
        if (p.timed && r.time > p.now)
            p.now = r.time;
        msw_dram_play(&p, r.address, r.bytes, r.is_write);
    }
    uint64_t end = msw_dram_play_end(&p);
    msw_dram_stats all = {0};
    for (uint32_t channel = 0; channel < m.channels; channel++)
        msw_dram_stats_sum(&all, msw_dram_channel_stats(p.dram, channel));
    fill_totals(task, &m, &all, end, out);
    return 0;
}

/* ---- the closed form ---- */

/* Rows that are open, request by request, without time. */
typedef struct row_state {
    uint32_t *open;    /* [channel][bank]: row + 1 */
    uint64_t *columns; /* by channel */
    uint64_t acts, hits, closed, writes, reads;
    uint32_t banks;
} row_state;

static void visit(const msw_dram_config *m, const msw_dram_map *map, row_state *rows,
                  uint64_t address, bool is_write)
{
    msw_dram_location at = msw_dram_locate(map, address);
    uint32_t *open = &rows->open[at.channel * rows->banks + at.bank];
    bool hit = *open == at.row + 1;
    rows->hits += hit;
    rows->closed += !hit && !*open;
    rows->acts += !hit;
    *open = m->page == MSW_DRAM_CLOSED_PAGE ? 0 : at.row + 1;
    rows->columns[at.channel]++;
    rows->writes += is_write;
    rows->reads += !is_write;
}

static void count_rows(const msw_task *task, const msw_dram_config *m, const msw_dram_map *map,
                       row_state *rows, uint64_t *last, double *totals)
{
    dram_reader reader = {.product = task->product};
    dram_request r;
    uint64_t burst = m->burst_bytes;
    while (take(task, &reader, &r, totals)) {
        uint64_t end = r.address + r.bytes;
        for (uint64_t at = r.address & ~(burst - 1); at < end; at += burst)
            visit(m, map, rows, at, r.is_write);
        *last = r.time;
    }
}

/* Bursts that a channel moves in a cycle, and cycles until the first of them is there. */
static double fill_closed(const msw_task *task, const msw_dram_config *m, const row_state *rows,
                          double *t)
{
    const dram_config *c = task->config;
    double columns = (double)(rows->reads + rows->writes), most = 0;
    msw_dram_form form = msw_dram_form_of(m);
    double window = c->window ? (double)c->window / m->channels : m->read_depth;
    msw_dram_load load = {.visit = fmax(1, columns / fmax(1, (double)rows->acts)),
                          .read_share = columns ? (double)rows->reads / columns : 1,
                          .window = fmin(fmax(1, window), m->read_depth)};
    msw_dram_estimate e = msw_dram_estimate_load(&form, &load);
    for (uint32_t channel = 0; channel < m->channels; channel++)
        most = fmax(most, (double)rows->columns[channel]);
    t[DRAM_CYCLES] = most / e.bursts_per_cycle + m->controller + m->t.rcd + m->t.cl;
    t[DRAM_WAITED] = (double)rows->reads * e.read_latency * (double)m->clock_ps / 1000;
    return columns;
}

int dram_analytic(const msw_task *task, double *t, msw_err *err)
{
    msw_dram_config m = dram_memory_of(task->config);
    msw_dram_map map;
    uint64_t last = 0;
    row_state rows = {.banks = m.ranks * m.groups * m.banks};
    MSW_TRY(msw_dram_map_init(&map, &m, err));
    rows.open = msw_arena_zero(task->arena, (size_t)m.channels * rows.banks, sizeof *rows.open);
    rows.columns = msw_arena_zero(task->arena, m.channels, sizeof *rows.columns);
    if (!rows.open || !rows.columns)
        return msw_fail_memory(err);
    for (size_t i = 0; i < DRAM_METRICS; i++)
        t[i] = 0;
    count_rows(task, &m, &map, &rows, &last, t);
    t[DRAM_COLUMNS] = fill_closed(task, &m, &rows, t);
    if (is_timed(task))
        t[DRAM_CYCLES] =
            fmax(t[DRAM_CYCLES], (double)(last + m.controller + m.t.rcd + m.t.cl + m.t.bl));
    t[DRAM_READS] = (double)rows.reads;
    t[DRAM_WRITES] = (double)rows.writes;
    t[DRAM_HITS] = (double)rows.hits;
    t[DRAM_CLOSED] = (double)rows.closed;
    t[DRAM_ACTS] = (double)rows.acts;
    t[DRAM_CONFLICTS] = (double)(rows.acts - rows.closed);
    t[DRAM_REFRESHES] = m.t.refi ? floor(t[DRAM_CYCLES] / m.t.refi) * m.channels * m.ranks : 0;
    t[DRAM_LATENCY_50] = t[DRAM_LATENCY_99] = t[DRAM_LATENCY_MOST] = NAN;
    dram_fill(task->config, &m, t);
    return 0;
}
