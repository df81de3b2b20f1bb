/* The closed form: the order of loads, computing and stores is that of the cycle model
 * (neummu_timeline.c); each flow is one formula (neummu_passage.c) instead of its transactions. */
#include "neummu_passage.h"

#include <math.h>

/* When the engine and the memory are free; a passage moves both. */
typedef struct path {
    const neummu_rates *rates;
    double issue, memory;
} path;

static double move(path *at, const neummu_passage *p, double start)
{
    const neummu_rates *k = at->rates;
    if (p->requests == 0)
        return start;
    double issue = fmax(at->issue, start), each = p->bytes / p->requests * k->per_byte;
    double backed_up = fmax(at->memory, issue + p->first) + p->bytes * k->per_byte;
    double burst = issue + k->lookup + p->burst + p->burst_bytes * k->per_byte;
    at->issue = issue + p->engine;
    at->memory = fmax(fmax(backed_up, burst), issue + p->last + each);
    return at->memory + k->latency;
}

/* ---- the timeline, as in neummu_timeline.c ---- */

typedef struct line {
    double start, end, ready;
    uint32_t last, behind;
} line;

typedef struct closed {
    const neummu_stream *stream;
    const neummu_passage *passages, *known; /* by traffic; known: with all translations known */
    path at;
    double width;
} closed;

/* The loads or stores of a step: its small pages, then its large ones. */
static neummu_passage pass_of(const neummu_passage *passages, const uint32_t sizes[2])
{
    return neummu_pass_both(&passages[sizes[0]], &passages[sizes[1]]);
}

static double store(closed *c, uint32_t step, double ready)
{
    if (step == NEUMMU_NO_STEP)
        return ready;
    neummu_passage stores = pass_of(c->passages, c->stream->steps[step].stores);
    return move(&c->at, &stores, ready);
}

/* A part of a passage: loads before and after the tile before is stored. */
static neummu_passage part(const neummu_passage *p, double share)
{
    neummu_passage q = *p;
    q.requests *= share;
    q.bytes *= share;
    q.engine *= share;
    q.last = p->first + (p->last - p->first) * share;
    q.burst *= share;
    return q;
}

typedef struct spent {
    double compute, write_back, memory, translation;
} spent;

static double move_known(closed *c, path at, const neummu_passage *p, double start)
{
    (void)c;
    return p->requests > 0 ? move(&at, p, start) : 0;
}

static spent run_step(closed *c, line *l, uint64_t i)
{
    const neummu_step *step = &c->stream->steps[i];
    const neummu_tile *tile = &c->stream->tiles[step->tile];
    neummu_passage load = pass_of(c->passages, step->loads);
    neummu_passage known = pass_of(c->known, step->loads);
    double waited = l->end, loaded, would;
    store(c, l->behind, l->ready);
    if (tile->overlapped) {
        would = move_known(c, c->at, &known, l->start);
        loaded = move(&c->at, &load, l->start);
    } else {
        double early = (double)tile->early.count,
               share = early / fmax(1, early + (double)tile->late.count);
        neummu_passage before = part(&load, share), after = part(&load, 1 - share);
        neummu_passage rest = part(&known, 1 - share);
        loaded = move(&c->at, &before, l->start);
        waited = store(c, l->last, l->end);
        would = move_known(c, c->at, &rest, waited);
        loaded = fmax(loaded, move(&c->at, &after, waited));
    }
    spent s = {.compute = l->end - l->start, .write_back = waited - l->end};
    double exposed = fmax(0, loaded - waited);
    s.memory = fmin(exposed, fmax(0, would - waited));
    s.translation = exposed - s.memory;
    double start = fmax(waited, loaded);
    *l = (line){start, start + (double)tile->compute_cycles, l->end, (uint32_t)i,
                tile->overlapped ? l->last : NEUMMU_NO_STEP};
    return s;
}

/* ---- totals ---- */

static void add_spent(const spent *s, bool first, double times, double *metrics)
{
    metrics[first ? NEUMMU_FILL : NEUMMU_MEMORY] += times * s->memory;
    metrics[first ? NEUMMU_LAYER_START : NEUMMU_TRANSLATION] += times * s->translation;
    metrics[NEUMMU_COMPUTE] += times * s->compute;
    metrics[NEUMMU_WRITE_BACK] += times * s->write_back;
}

static void add_passage(const neummu_passage *p, double times, double *metrics)
{
    metrics[NEUMMU_TRANSLATIONS] += times * p->requests;
    metrics[NEUMMU_TLB_MISSES] += times * p->misses;
    metrics[NEUMMU_TLB2_HITS] += times * p->second_hits;
    metrics[NEUMMU_MERGED] += times * p->merged;
    metrics[NEUMMU_WALKS] += times * p->walks;
    metrics[NEUMMU_REPLAYED] += times * p->replayed;
    metrics[NEUMMU_REDUNDANT] += times * p->redundant;
    for (int cause = 0; cause < MSW_BLOCK_COUNT; cause++)
        metrics[NEUMMU_BLOCKED_WALKERS + cause] += times * p->blocked[cause];
    metrics[NEUMMU_WALK_STEPS] += times * p->levels;
    metrics[NEUMMU_WALK_ACCESSES] += times * p->accesses;
    for (int level = 0; level < 3; level++)
        metrics[NEUMMU_PATH_HITS_L4 + level] += times * p->saved[level];
}

static void finish_totals(double *metrics)
{
    metrics[NEUMMU_TLB_HITS] = metrics[NEUMMU_TRANSLATIONS] - metrics[NEUMMU_TLB_MISSES];
    metrics[NEUMMU_CYCLES] = 0;
    for (int cause = NEUMMU_LAYER_START; cause <= NEUMMU_WRITE_BACK; cause++)
        metrics[NEUMMU_CYCLES] += metrics[cause];
}

static void add_step(closed *c, line *l, uint64_t i, double *metrics)
{
    const neummu_step *step = &c->stream->steps[i];
    double times = (double)step->executions, pages = (double)c->stream->tiles[step->tile].pages;
    spent s = run_step(c, l, i);
    add_spent(&s, step->first, times, metrics);
    for (int size = 0; size < 2; size++) {
        add_passage(&c->passages[step->loads[size]], times, metrics);
        add_passage(&c->passages[step->stores[size]], times, metrics);
    }
    metrics[NEUMMU_TILES] += times;
    metrics[NEUMMU_PAGES] += times * pages;
    metrics[NEUMMU_PAGES_MAX] = fmax(metrics[NEUMMU_PAGES_MAX], pages);
}

static int pass_all(const neummu_rates *rates, closed *c, msw_arena *arena, msw_err *err)
{
    neummu_config oracle = *rates->config;
    neummu_rates perfect = *rates;
    oracle.oracle = 1;
    perfect.config = &oracle;
    uint64_t count = c->stream->traffic_count;
    neummu_passage *passages = msw_arena_take(arena, 2 * count * sizeof *passages);
    if (!passages)
        return msw_fail_memory(err);
    for (uint64_t t = 0; t < count; t++) {
        passages[t] = neummu_pass(rates, &c->stream->traffic[t]);
        passages[count + t] = neummu_pass(&perfect, &c->stream->traffic[t]);
    }
    c->passages = passages;
    c->known = passages + count;
    return 0;
}

static void zero_totals(const msw_metric *table, double *metrics)
{
    for (int i = 0; table[i].name; i++)
        if (table[i].kind == MSW_TOTAL || table[i].kind == MSW_MAXIMUM)
            metrics[i] = 0;
}

int neummu_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    neummu_rates rates;
    neummu_prices prices;
    closed c = {.stream = stream, .at = {.rates = &rates}};
    line l = {.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    if (neummu_rates_of(config, &rates, err) || pass_all(&rates, &c, task->arena, err) ||
        neummu_price(config, &prices, err))
        return -1;
    zero_totals(task->mech->metrics, metrics);
    for (uint64_t i = 0; i < stream->step_count; i++)
        add_step(&c, &l, i, metrics);
    store(&c, l.behind, l.ready);
    spent tail = {.compute = l.end - l.start, .write_back = store(&c, l.last, l.end) - l.end};
    add_spent(&tail, false, 1, metrics);
    finish_totals(metrics);
    metrics[NEUMMU_ENERGY] = neummu_energy(config, &prices, metrics);
    return 0;
}
