/* SPDX-License-Identifier: MIT */
/* The closed form: the steps in the order of the cycle model (machine/timeline.c), with a formula
 * for each flow of transactions (flow.c), added up: README.md, "Order of execution" and "Closed
 * form of a flow".
 *
 *   C(n) = max(E(n-1), loads of tile n begun at C(n-1))      C, E  computing of a tile begins, ends
 *   E(n) = C(n) + compute(n)
 *   data end = max(free + bytes / B, over all events e: a(e) + b(e) / B) + D
 *
 *   free  cycle from which the memory is free        a(e)  cycle of a translation or answer
 *   B     B/cycle of the memory                      b(e)  bytes translated from then on
 *   D     cycles of the memory's latency
 *
 * Known value: with every translation known the cycles equal those of `full`
 * (references_are_the_same_to_the_tick in tests/validation/test_neummu.c).
 *
 *   slowdown = cycles / cycles of the same steps with every translation known */
#include "mech/neummu/closed/flow.h"

#include "mech/neummu/cost.h"
#include "mech/neummu/ledger.h"
#include "mech/neummu/model.h"

#include <math.h>
#include <string.h>

/* A flow on its way: its segments, when the engine begins with each, and its translations. */
typedef struct journey {
    const neummu_flow_model *segments[NEUMMU_SEGMENTS];
    double begin[NEUMMU_SEGMENTS], first[NEUMMU_SEGMENTS], last[NEUMMU_SEGMENTS];
    uint32_t count;
} journey;

/* Bytes of a segment whose translations come after `time`. */
static double bytes_after(const journey *j, uint32_t segment, double time)
{
    double first = j->first[segment], last = j->last[segment], bytes = j->segments[segment]->bytes;
    if (time <= first)
        return bytes;
    return time < last ? bytes * (last - time) / (last - first) : 0;
}

/* When memory is done if it is idle until `bytes` of a segment come `after` the segment began. */
static double done_from(const journey *j, uint32_t segment, double time, double bytes,
                        double per_byte)
{
    for (uint32_t s = 0; s < j->count; s++)
        if (s != segment)
            bytes += bytes_after(j, s, time);
    return time + bytes * per_byte;
}

static double done_with(const journey *j, double free, double per_byte)
{
    double done = free;
    for (uint32_t s = 0; s < j->count; s++)
        done += j->segments[s]->time;
    for (uint32_t s = 0; s < j->count; s++) {
        const neummu_flow_model *p = j->segments[s];
        done = msw_max_f64(done_from(j, s, j->first[s], p->bytes, per_byte), done);
        if (p->burst_bytes > 0 || p->first > p->burst) /* else it is no later than the first */
            done = msw_max_f64(done_from(j, s, j->begin[s] + p->burst, p->burst_bytes, per_byte),
                               done);
        done = msw_max_f64(done_from(j, s, j->last[s], p->last_bytes, per_byte), done);
    }
    return done;
}

static double data_is_there(const neummu_path *at)
{
    const neummu_rates *k = at->rates;
    double ticks = ceil(at->memory * k->width);
    return (k->width == 1 ? ticks : ticks / k->width) + k->latency; /* every move waits for this */
}

/* Moves a flow made of these segments. Returns when its data is there. */
static double move_segments(neummu_path *at, journey *j, double start)
{
    at->issue = msw_max_f64(at->issue, start);
    for (uint32_t s = 0; s < j->count; s++) {
        j->begin[s] = at->issue;
        j->first[s] = at->issue + j->segments[s]->first;
        j->last[s] = at->issue + j->segments[s]->last;
        at->issue += j->segments[s]->engine;
    }
    at->memory = done_with(j, at->memory, at->rates->per_byte);
    return data_is_there(at);
}

/* The same of one segment, as most are, with the same sums. */
static double move_segment(neummu_path *at, const neummu_flow_model *p, double start)
{
    double begin = at->issue = msw_max_f64(at->issue, start), done = at->memory + p->time;
    at->issue += p->engine;
    done = msw_max_f64(begin + p->first + p->time, done);
    done = msw_max_f64(begin + p->burst + p->burst_time, done);
    at->memory = msw_max_f64(begin + p->last + p->last_time, done);
    return data_is_there(at);
}

static double move(neummu_path *at, const neummu_flow_model *models, const neummu_segments *flow,
                   double start)
{
    journey j; /* not zeroed: that takes as long as moving a segment */
    if (flow->count < 2)
        return flow->count ? move_segment(at, &models[flow->traffic[0]], start) : start;
    j.count = flow->count;
    for (uint32_t s = 0; s < j.count; s++)
        j.segments[s] = &models[flow->traffic[s]];
    return move_segments(at, &j, start);
}

/* ---- the timeline, as in machine/timeline.c ---- */

enum {
    COUNTS = NEUMMU_PATH_HITS_L2 - NEUMMU_TLB2_HITS + 1,
    AHEAD = NEUMMU_PREFETCHES_LATE - NEUMMU_PREFETCH_LOOKUPS + 1
};

static void add_counts(const double *restrict counts, size_t n, double times,
                       double *restrict metrics)
{
    for (size_t i = 0; i < n; i++)
        metrics[i] += times * counts[i];
}

static void add_flow(const neummu_flow_model *p, double times, bool ahead, double *metrics)
{
    const double *words = (const double *)p;
    metrics[NEUMMU_TRANSLATIONS] += times * p->requests;
    metrics[NEUMMU_TLB_MISSES] += times * p->misses;
    add_counts(words + 2, COUNTS, times, metrics + NEUMMU_TLB2_HITS);
    if (ahead)
        add_counts(words + 2 + COUNTS, AHEAD, times, metrics + NEUMMU_PREFETCH_LOOKUPS);
}

/* Part `share` of one model and the rest of another, which are words of one kind. */
static neummu_flow_model mix(const neummu_flow_model *a, const neummu_flow_model *b, double share)
{
    enum { WORDS = sizeof(neummu_flow_model) / sizeof(double) };
    double x[WORDS], y[WORDS];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int i = 0; i < WORDS; i++)
        x[i] += share * (y[i] - x[i]);
    neummu_flow_model mixed;
    memcpy(&mixed, x, sizeof mixed);
    return mixed;
}

/* A look-ahead that runs `depth` visits past the end of a segment may begin with the next one while
 * the engine is at the last visits of this one; where these are fewer, `left` before it began.
 * Returns how much before the end of its issue. */
static double reach_back(const neummu_closed *c, const neummu_flow_model *p, double visits,
                         double left)
{
    double depth = c->at.rates->depth;
    for (int cause = 0; cause < MSW_BLOCK_COUNT; cause++)
        if (p->blocked[cause] > 0.5)
            return 0;
    return depth > visits ? p->engine + left : p->engine * depth / visits;
}

/* Whether what comes behind a transfer of layer `c->at.layer` is asked for before it begins. */
static bool reaches(const neummu_closed *c, uint32_t layer)
{
    const neummu_config *config = c->at.rates->config;
    return config->tlb_prefetch == NEUMMU_PREFETCH_NETWORK ||
           (config->tlb_prefetch == NEUMMU_PREFETCH_LAYER && layer == c->at.layer);
}

/* Moves a flow of a layer; what was asked for before a segment began is known. */
static double move_flow(neummu_closed *c, const neummu_segments *flow, uint32_t layer, double start)
{
    if (!c->ahead || flow->count == 0)
        return move(&c->at, c->models, flow, start);
    neummu_flow_model mixed[NEUMMU_SEGMENTS];
    journey j = {.count = flow->count};
    double before = reaches(c, layer) ? fmax(0, start - c->at.issue) + c->at.ahead : 0;
    for (uint32_t s = 0; s < flow->count; s++) {
        const neummu_flow_model *plain = &c->models[flow->traffic[s]];
        const neummu_flow_model *known = &c->ahead[flow->traffic[s]];
        double share = known->before > 0 ? fmin(1, before / known->before) : 0;
        mixed[s] = mix(plain, known, share);
        j.segments[s] = &mixed[s];
        neummu_time_data(c->at.rates, &mixed[s]);
        add_flow(plain, -c->times, true, c->metrics);
        add_flow(&mixed[s], c->times, true, c->metrics);
        before = reach_back(c, &mixed[s], (double)c->stream->traffic[flow->traffic[s]].visits,
                            fmax(0, before - known->before));
    }
    c->at.ahead = before;
    c->at.layer = layer;
    return move_segments(&c->at, &j, start);
}

static double store(neummu_closed *c, uint32_t step, double ready)
{
    if (step == NEUMMU_NO_STEP)
        return ready;
    const neummu_step *from = &c->stream->steps[step];
    return move_flow(c, &from->flows[NEUMMU_STORE], from->layer, ready);
}

typedef struct spent {
    double compute, write_back, store_translation, memory, translation;
} spent;

/* As it would be with every translation known: machine/timeline.c. */
typedef struct shadow {
    neummu_path at;
    double waited, loaded;
} shadow;

static double shadow_move(const neummu_closed *c, shadow *s, const neummu_segments *flow,
                          double start)
{
    return flow->count ? move(&s->at, c->known, flow, start) : start;
}

static spent divide(const neummu_line *l, double waited, double start, const shadow *known)
{
    double would = msw_min_f64(msw_max_f64(known->waited, known->loaded), start);
    double stored = msw_min_f64(known->waited, would), lost = start - would;
    spent s = {
        .compute = l->end - l->start, .write_back = stored - l->end, .memory = would - stored};
    s.store_translation = msw_min_f64(lost, msw_max_f64(0, waited - stored));
    s.translation = lost - s.store_translation;
    return s;
}

static double execute_late(neummu_closed *c, const neummu_line *l, const neummu_step *step,
                           const neummu_tile *tile, shadow *known, double *loaded)
{
    double waited = l->end;
    if (neummu_stores_first(tile) && l->last != NEUMMU_NO_STEP) {
        const neummu_segments *last = &c->stream->steps[l->last].flows[NEUMMU_STORE];
        double stored = store(c, l->last, l->end), would = shadow_move(c, known, last, l->end);
        if (tile->boundary == NEUMMU_BOUNDARY_STORED) {
            waited = stored;
            known->waited = would;
        }
    }
    const neummu_segments *late = &step->flows[NEUMMU_LATE];
    *loaded = msw_max_f64(*loaded, move_flow(c, late, step->layer, waited));
    known->loaded = msw_max_f64(known->loaded, shadow_move(c, known, late, known->waited));
    return waited;
}

static spent execute_step(neummu_closed *c, neummu_line *l, uint64_t i)
{
    const neummu_step *step = &c->stream->steps[i];
    const neummu_tile *tile = &c->stream->tiles[step->tile];
    const neummu_segments *early = &step->flows[NEUMMU_EARLY];
    store(c, l->behind, l->ready);
    shadow known = {.at = c->at, .waited = l->end};
    double waited = l->end, loaded = move_flow(c, early, step->layer, l->start);
    known.loaded = shadow_move(c, &known, early, l->start);
    if (!tile->overlapped)
        waited = execute_late(c, l, step, tile, &known, &loaded);
    double start = msw_max_f64(waited, loaded);
    spent s = divide(l, waited, start, &known);
    *l = (neummu_line){start, start + (double)tile->compute_cycles, l->end, (uint32_t)i,
                       neummu_stores_first(tile) ? NEUMMU_NO_STEP : l->last};
    return s;
}

static spent finish(neummu_closed *c, const neummu_line *l)
{
    store(c, l->behind, l->ready);
    shadow known = {.at = c->at, .waited = l->end};
    double stored = store(c, l->last, l->end);
    if (l->last != NEUMMU_NO_STEP)
        known.waited =
            shadow_move(c, &known, &c->stream->steps[l->last].flows[NEUMMU_STORE], l->end);
    return divide(l, stored, stored, &known);
}

/* ---- totals ---- */

static void add_spent(const spent *s, bool first, double times, double *metrics)
{
    metrics[first ? NEUMMU_FILL : NEUMMU_MEMORY] += times * s->memory;
    metrics[first ? NEUMMU_LAYER_START : NEUMMU_TRANSLATION] += times * s->translation;
    metrics[NEUMMU_COMPUTE] += times * s->compute;
    metrics[NEUMMU_WRITE_BACK] += times * s->write_back;
    metrics[NEUMMU_STORE_TRANSLATION] += times * s->store_translation;
}

void neummu_closed_totals(double *metrics)
{
    metrics[NEUMMU_TLB_HITS] = metrics[NEUMMU_TRANSLATIONS] - metrics[NEUMMU_TLB_MISSES];
    metrics[NEUMMU_CYCLES] = 0;
    for (int cause = NEUMMU_LAYER_START; cause <= NEUMMU_STORE_TRANSLATION; cause++)
        metrics[NEUMMU_CYCLES] += metrics[cause];
}

void neummu_closed_step(neummu_closed *c, uint64_t i, double *metrics)
{
    const neummu_step *step = &c->stream->steps[i];
    double times = (double)step->executions, pages = (double)c->stream->tiles[step->tile].pages;
    c->times = times;
    c->metrics = metrics;
    spent s = execute_step(c, &c->line, i);
    add_spent(&s, step->first, times, metrics);
    for (int flow = 0; flow < NEUMMU_FLOWS; flow++)
        for (uint32_t part = 0; part < step->flows[flow].count; part++)
            add_flow(&c->models[step->flows[flow].traffic[part]], times, c->rates.depth > 0,
                     metrics);
    metrics[NEUMMU_TILES] += times;
    metrics[NEUMMU_PAGES] += times * pages;
    metrics[NEUMMU_PAGES_MAX] = msw_max_f64(metrics[NEUMMU_PAGES_MAX], pages);
}

void neummu_closed_rest(const neummu_closed *closed, double *metrics)
{
    neummu_closed c = *closed;
    c.times = 1;
    c.metrics = metrics;
    spent tail = finish(&c, &c.line);
    add_spent(&tail, false, 1, metrics);
}

/* ---- the beginning ---- */

static int model_flows(neummu_closed *c, msw_arena *arena, msw_err *err)
{
    const neummu_rates *rates = &c->rates;
    uint64_t count = c->stream->traffic_count;
    bool ahead = rates->depth > 0 && rates->config->tlb_prefetch != NEUMMU_PREFETCH_NEXT_PAGE;
    neummu_flow_model *models = msw_arena_take(arena, (2 + ahead) * count * sizeof *models);
    if (!models)
        return msw_fail_memory(err);
    for (uint64_t t = 0; t < count; t++) {
        const neummu_traffic *traffic = &c->stream->traffic[t];
        neummu_model_flow(rates, traffic, 0, &models[t]);
        neummu_model_known(rates, traffic, 0, &models[count + t]);
        if (ahead)
            neummu_model_flow(rates, traffic, rates->depth, &models[2 * count + t]);
    }
    c->models = models;
    c->known = models + count;
    c->ahead = ahead ? models + 2 * count : NULL;
    return 0;
}

int neummu_closed_open(neummu_closed *closed, const neummu_config *config,
                       const neummu_stream *stream, msw_arena *arena, msw_err *err)
{
    *closed = (neummu_closed){.stream = stream,
                              .at = {.rates = &closed->rates},
                              .line = {.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP}};
    MSW_TRY(neummu_rates_of(config, &closed->rates, err));
    return model_flows(closed, arena, err);
}

/* ---- details ---- */

/* Cycles of a flow's mean walk. */
static double walk_of(const neummu_rates *k, const neummu_flow_model *p)
{
    double fixed = (double)k->config->walk_cycles;
    return fixed > 0 ? fixed : p->accesses / p->walks * k->access;
}

/* Counts `times` the walks of a step by the means of its flows. Returns the cycles that walkers are
 * busy. */
static double count_walks(const neummu_closed *c, neummu_ledger *ledger, const neummu_step *step,
                          double times)
{
    double busy = 0;
    for (int flow = 0; flow < NEUMMU_FLOWS; flow++)
        for (uint32_t part = 0; part < step->flows[flow].count; part++) {
            const neummu_flow_model *p = &c->models[step->flows[flow].traffic[part]];
            if (!(p->walks > 0))
                continue;
            double walk = walk_of(&c->rates, p),
                   walks = times * p->walks * (double)step->executions;
            busy += walks * walk;
            neummu_ledger_walks(ledger, 0, walk, walks);
        }
    return busy;
}

int neummu_closed_detail(const neummu_closed *c, const msw_task *task, neummu_ledger *ledger,
                         uint64_t i, double cycles, double times, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_step *step = &c->stream->steps[i];
    double busy = count_walks(c, ledger, step, times);
    double row[] = {(double)i, step->layer, 0, cycles > 0 ? busy / cycles : 0};
    row[3] = fmin(row[3], (double)config->ptw_count);
    if (!config->profile_window || !task->details || !(row[3] > 0))
        return 0;
    return msw_detail_add(task, NEUMMU_TABLE_WALKERS, row, err);
}

void neummu_closed_add(const double *own, double *metrics)
{
    for (int m = 0; m < NEUMMU_SRAM; m++)
        metrics[m] = m == NEUMMU_PAGES_MAX ? fmax(metrics[m], own[m]) : metrics[m] + own[m];
}
