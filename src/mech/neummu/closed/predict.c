/* SPDX-License-Identifier: MIT */
/* Predicts the answers of units and the error of that: README.md, "Prediction of a unit".
 *
 * The closed form goes through all steps in order, three times: as the config says; dim, with what
 * it is unsure of at its worst; and bright, at its best.
 *
 *   z      cycles of a step                      z', z"  the same, dim and bright
 *   T      a walk that reads every level         Q       misses that can wait in line
 *   P      walkers                               U       what the error of z is relative to
 *
 *     U = min(z, max(|z' - z|, |z - z"|)) + T (1 + Q / P)
 *
 * nothing of it where every translation is known, and no T where a step does not walk even when
 * dim. */
#include "mech/neummu/closed/flow.h"
#include "mech/neummu/model.h"

#include <math.h>

/* What is expected of a step. */
typedef struct expected {
    double cycles, compute, tiles, pages;
    double doubt; /* U */
    bool walks;   /* when dim */
} expected;

typedef struct forecast {
    expected *steps;
    double mean_doubt;
    double events; /* of a step, in events that take as long */
} forecast;

enum { PASSES = 3, DIM = 1, BRIGHT = 2, CAPACITY = 4, RARE = 16, WALKERS_LEAST = 4, LINE_MOST = 2 };

/* What the closed form is unsure of: how long walks are, and, where sets or a second level decide
 * what stays, what a TLB of this many entries holds. */
static neummu_config move_config(const neummu_config *from, int pass)
{
    neummu_config c = *from;
    bool dim = pass == DIM;
    if (pass == 0)
        return c;
    c.walk_level_cycles = dim ? c.walk_level_cycles * 3 / 2 : (c.walk_level_cycles * 2 + 2) / 3;
    c.walk_cycles = dim ? c.walk_cycles * 3 / 2 : c.walk_cycles * 2 / 3;
    if (dim)
        c.path_cache = NEUMMU_PATH_NONE;
    if (c.tlb_ways || c.tlb2_entries)
        c.tlb_entries =
            dim ? (int64_t)msw_div_up((uint64_t)c.tlb_entries, CAPACITY) : c.tlb_entries * CAPACITY;
    if (c.tlb2_entries)
        c.tlb2_entries = dim ? (int64_t)msw_div_up((uint64_t)c.tlb2_entries, CAPACITY)
                             : c.tlb2_entries * CAPACITY;
    return c;
}

/* Q: without merging every miss under way is a walk. */
static double line_of(const neummu_config *c)
{
    return fmax((double)c->walk_queue, c->scoreboard ? 0 : (double)c->outstanding);
}

/* T (1 + Q / P): walks whose number or order the closed form has wrong. */
static double walks_in_doubt(const neummu_config *c)
{
    double walk =
        c->walk_cycles ? (double)c->walk_cycles : (double)(c->walk_level_cycles * c->table_levels);
    return walk * (1 + line_of(c) / (double)c->ptw_count);
}

/* Where every translation is known the closed form is near the cycle, but for rows that are left in
 * part, and for the first access of a layer, which may or may not wait for the memory. */
static double error_when_known(const neummu_config *c)
{
    return c->boundary == NEUMMU_BOUNDARY_FORWARDED ? 0.1 : 0.01;
}

static void keep_step(expected *e, const double *own)
{
    *e = (expected){.cycles = own[NEUMMU_CYCLES],
                    .compute = own[NEUMMU_COMPUTE],
                    .tiles = own[NEUMMU_TILES],
                    .pages = own[NEUMMU_PAGES]};
}

static int add_pass(const msw_task *task, int pass, forecast *f, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    neummu_config config = move_config(task->config, pass);
    double least = walks_in_doubt(task->config), known = error_when_known(&config);
    neummu_closed c;
    if (neummu_closed_open(&c, &config, stream, task->arena, err))
        return -1;
    for (uint64_t i = 0; i < stream->step_count; i++) {
        double own[NEUMMU_METRICS] = {0};
        expected *e = &f->steps[i];
        neummu_closed_step(&c, i, own);
        if (i + 1 == stream->step_count)
            neummu_closed_rest(&c, own);
        neummu_closed_totals(own);
        if (pass == 0)
            keep_step(e, own);
        else
            e->doubt = fmax(e->doubt, fabs(own[NEUMMU_CYCLES] - e->cycles));
        if (pass == 0)
            e->doubt = known * e->cycles +
                       (double)(config.memory_cycles * (int64_t)stream->steps[i].executions) + 2;
        if (pass == DIM)
            e->walks = own[NEUMMU_WALKS] > 0;
        if (pass != BRIGHT)
            continue;
        e->doubt = fmin(e->doubt, e->cycles + 2);
        if (e->walks)
            e->doubt += least * (double)stream->steps[i].executions;
    }
    return 0;
}

/* A pass takes as long as this many visits of the machine, by the length of a visit: measured. */
static double events_of(const neummu_stream *stream, int passes)
{
    double requests = 0, visits = 0;
    for (uint64_t t = 0; t < stream->traffic_count; t++) {
        requests += (double)stream->traffic[t].requests;
        visits += (double)stream->traffic[t].visits;
    }
    return visits > 0 ? passes / (1 + requests / visits / 64) : passes;
}

int neummu_predict_begin(const msw_task *task, const void **prediction, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    int passes = config->oracle ? 1 : PASSES;
    forecast *f = msw_arena_zero(task->arena, 1, sizeof *f);
    if (f)
        f->steps = msw_arena_take(task->arena, stream->step_count * sizeof *f->steps + 1);
    if (!f || !f->steps)
        return msw_fail_memory(err);
    for (int pass = 0; pass < passes; pass++)
        if (add_pass(task, pass, f, err))
            return -1;
    for (uint64_t i = 0; i < stream->step_count; i++)
        f->mean_doubt += f->steps[i].doubt / (double)stream->step_count;
    f->events = events_of(stream, passes);
    *prediction = f;
    return 0;
}

/* Policies but LRU, translations asked for ahead and walks that wait for the memory are not in the
 * closed form of a unit, and where many walks wait for few walkers it is far off; the tables of
 * layers are made of whole strata. */
bool neummu_predictable(const void *config)
{
    const neummu_config *c = config;
    if (c->profile_layers)
        return false;
    return c->oracle ||
           (!neummu_carries(c) && !neummu_times_accesses(c) && !c->walk_traffic &&
            c->ptw_count >= WALKERS_LEAST && line_of(c) <= LINE_MOST * (double)c->ptw_count);
}

int neummu_predict(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                   msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    const forecast *f = task->prediction;
    uint32_t step = stream->strata[stratum].steps[unit];
    const expected *e = &f->steps[step];
    (void)err;
    out->totals[NEUMMU_CYCLES] = e->cycles;
    out->totals[NEUMMU_COMPUTE] = e->compute;
    out->totals[NEUMMU_TILES] = e->tiles;
    out->totals[NEUMMU_PAGES] = e->pages;
    out->scale[NEUMMU_CYCLES] = e->doubt;
    out->uncertain = e->doubt > RARE * f->mean_doubt;
    out->events = (uint64_t)(f->events * (step + 1)) - (uint64_t)(f->events * step);
    return 0;
}
