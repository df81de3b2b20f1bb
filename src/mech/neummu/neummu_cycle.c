/* The cycle model: a unit is one execution of one tile.
 *
 * Before a unit the TLBs are given the pages that the steps so far used last, as far back as reuse
 * reaches, and the path caches the last paths; then the step before it, or several small ones,
 * run in unmeasured detail. What a unit gives depends on its step alone, so repetitions of it cost
 * nothing. */
#include "neummu.h"

#include <string.h>

enum { METRICS = NEUMMU_LEAKAGE + 1, WARM_STEPS_LEAST = 1, WARM_STEPS_MOST = 8, WARM_PAGES = 256 };

/* The unit measured last. */
typedef struct memo {
    uint64_t step;
    bool tail, valid;
    double totals[METRICS];
    uint64_t events;
} memo;

typedef struct state {
    neummu_machine machine;
    neummu_timeline line;
    neummu_prices prices;
    memo known;
    uint64_t *recent; /* pages, newest first */
    uint64_t *seen;   /* hash set of them: page + 1, 0 where free */
} state;

static uint64_t most(int64_t a, int64_t b)
{
    return (uint64_t)(a > b ? a : b);
}

/* Pages that the TLBs hold. */
static uint64_t reach_of(const neummu_config *config)
{
    return most(config->tlb_entries, config->tlb2_entries);
}

/* Pages that are worth remembering. */
static uint64_t memory_of(const neummu_config *config)
{
    return most((int64_t)reach_of(config), (int64_t)most(config->ptw_count, config->path_entries));
}

static uint64_t set_size(uint64_t reach)
{
    uint64_t size = 16;
    while (size < 2 * reach)
        size *= 2;
    return size;
}

static size_t align(size_t size)
{
    return (size + 63) / 64 * 64;
}

size_t neummu_state_bytes(const msw_task *task)
{
    uint64_t reach = memory_of(task->config);
    return align(sizeof(state)) + align(reach * sizeof(uint64_t)) +
           align(set_size(reach) * sizeof(uint64_t)) + neummu_machine_bytes(task->config);
}

int neummu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    if (stream->stratum_count > task->mech->strata_max)
        return msw_fail(err, "%llu strata of layers and tile classes: at most %zu",
                        (unsigned long long)stream->stratum_count, task->mech->strata_max);
    *count = stream->stratum_count;
    for (uint64_t h = 0; h < stream->stratum_count; h++) {
        const neummu_stratum *s = &stream->strata[h];
        const neummu_step *first = &stream->steps[neummu_step_of(s, 0)];
        const neummu_tile *tile = &stream->tiles[first->tile];
        strata[h] = (msw_stratum){.units = s->count * s->repeat,
                                  .cost = 1 + (double)(tile->early.count + tile->late.count)};
    }
    return 0;
}

int neummu_begin(const msw_task *task, void *memory, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    uint64_t reach = memory_of(config);
    state *s = memory;
    *s = (state){0};
    s->recent = (uint64_t *)((char *)memory + align(sizeof *s));
    s->seen = (uint64_t *)((char *)s->recent + align(reach * sizeof *s->recent));
    void *machine = (char *)s->seen + align(set_size(reach) * sizeof *s->seen);
    if (neummu_price(config, &s->prices, err))
        return -1;
    return neummu_machine_init(&s->machine, config, stream->page_shift, machine, err);
}

/* ---- what the steps before have left in the TLBs ---- */

/* The pages used last, newest first, each once. */
typedef struct history {
    uint64_t *recent, *seen;
    uint64_t count, most, mask;
} history;

static void remember(history *h, uint64_t page)
{
    uint64_t place = (page * 0x9E3779B97F4A7C15u >> 20) & h->mask;
    while (h->seen[place] && h->seen[place] != page + 1)
        place = (place + 1) & h->mask;
    if (h->seen[place])
        return;
    h->seen[place] = page + 1;
    h->recent[h->count++] = page;
}

static void remember_flow(history *h, const neummu_flow *flow)
{
    for (uint64_t r = flow->count; r > 0 && h->count < h->most; r--)
        remember(h, flow->runs[r - 1].page);
}

/* How far back, in distinct pages, a set of runs finds its pages, as far as `reach`. */
static uint64_t depth_of(const neummu_traffic *traffic, uint64_t reach)
{
    uint64_t depth = 0;
    for (unsigned bin = 0; bin < NEUMMU_DEPTHS; bin++)
        if (traffic->reused[bin] && (bin == 0 || (uint64_t)1 << (bin - 1) < reach))
            depth = (uint64_t)1 << bin;
    return depth < reach ? depth : reach;
}

static uint64_t depth_of_steps(const neummu_stream *stream, uint64_t from, uint64_t to,
                               uint64_t reach)
{
    uint64_t depth = 0;
    for (uint64_t i = from; i <= to; i++) {
        uint64_t loads = depth_of(&stream->traffic[stream->steps[i].loads], reach);
        uint64_t stores = depth_of(&stream->traffic[stream->steps[i].stores], reach);
        loads = loads > stores ? loads : stores;
        depth = depth > loads ? depth : loads;
    }
    return depth;
}

static void fill_tlbs(msw_mmu *mmu, const history *h, uint64_t depth, unsigned page_shift)
{
    for (uint64_t i = depth < h->count ? depth : h->count; i > 0; i--) {
        msw_page page = {h->recent[i - 1] << page_shift, page_shift};
        msw_tlb_fill(&mmu->l1, 0, page, 0, 0);
        if (mmu->config.has_l2)
            msw_tlb_fill(&mmu->l2, 0, page, 0, 0);
    }
}

/* Walks begun for a page before the first of them is over. */
static uint64_t walks_per_page(const neummu_config *c, unsigned steps)
{
    uint64_t asked = (uint64_t)(c->page_size / c->dma_bytes);
    uint64_t meanwhile = steps * (uint64_t)(c->walk_level_cycles * c->issue_width);
    uint64_t group = c->scoreboard ? 1 + (uint64_t)c->prmb_slots : 1;
    if (c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK)
        return 1;
    return ((asked < meanwhile ? asked : meanwhile) + group - 1) / group;
}

/* Walkers take turns: the one whose turn it is walked longest ago. */
static void fill_registers(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->mmu.walker;
    uint64_t walkers = walker->config.walkers;
    unsigned shift = machine->page_shift, leaf = msw_pagetable_leaf(&walker->table, shift);
    uint64_t each = walks_per_page(machine->config, msw_pagetable_steps(&walker->table, shift));
    for (uint64_t back = 0; back < walkers && back / each < h->count; back++)
        msw_walkcache_learn(
            &walker->cache, (uint32_t)(walkers - 1 - back),
            msw_pagetable_path(&walker->table, h->recent[back / each] << shift, leaf));
}

static void learn_page(msw_walker *walker, uint64_t address, unsigned page_shift)
{
    unsigned steps = msw_pagetable_steps(&walker->table, page_shift);
    unsigned leaf = msw_pagetable_leaf(&walker->table, page_shift), level = walker->table.levels;
    if (walker->config.cache.kind == MSW_WALKCACHE_PATH)
        msw_walkcache_learn(&walker->cache, 0, msw_pagetable_path(&walker->table, address, leaf));
    else
        for (unsigned step = 0; step < steps; step++, level--)
            msw_walkcache_read(&walker->cache, msw_pagetable_entry(&walker->table, address, level),
                               step, steps);
}

static void fill_paths(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->mmu.walker;
    uint64_t count = walker->config.cache.entries;
    if (walker->config.cache.kind == MSW_WALKCACHE_REGISTER)
        fill_registers(machine, h);
    else if (walker->config.cache.kind != MSW_WALKCACHE_NONE)
        for (uint64_t i = count < h->count ? count : h->count; i > 0; i--)
            learn_page(walker, h->recent[i - 1] << machine->page_shift, machine->page_shift);
}

/* Pages back that the path cache may hold a path of. */
static uint64_t paths_of(const neummu_config *config)
{
    if (config->path_cache == NEUMMU_PATH_REGISTER)
        return (uint64_t)config->ptw_count;
    return config->path_cache == NEUMMU_PATH_NONE ? 0 : (uint64_t)config->path_entries;
}

static void recall(state *s, const neummu_stream *stream, uint64_t from, uint64_t to)
{
    const neummu_config *config = s->machine.config;
    uint64_t depth = depth_of_steps(stream, from, to, reach_of(config));
    history h = {.recent = s->recent, .seen = s->seen};
    h.most = most((int64_t)depth, (int64_t)paths_of(config));
    h.mask = set_size(h.most) - 1;
    memset(h.seen, 0, (h.mask + 1) * sizeof *h.seen);
    for (uint64_t i = from; i > 0 && h.count < h.most; i--) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i - 1].tile];
        remember_flow(&h, &tile->store);
        remember_flow(&h, &tile->late);
        remember_flow(&h, &tile->early);
    }
    fill_tlbs(&s->machine.mmu, &h, depth, stream->page_shift);
    fill_paths(&s->machine, &h);
}

/* ---- units ---- */

/* The first of the steps that run, unmeasured, before a step. */
static uint64_t warm_from(const neummu_stream *stream, uint64_t step)
{
    uint64_t from = step, pages = 0;
    while (from > 0 && step - from < WARM_STEPS_MOST &&
           (step - from < WARM_STEPS_LEAST || pages < WARM_PAGES)) {
        const neummu_tile *tile = &stream->tiles[stream->steps[--from].tile];
        pages += tile->pages + tile->store.count;
    }
    return from;
}

static bool is_last(const neummu_stream *stream, const neummu_stratum *stratum, uint64_t step,
                    uint64_t unit)
{
    return step + 1 == stream->step_count && unit % stratum->repeat + 1 == stratum->repeat;
}

static bool is_known(const state *s, uint64_t step, bool tail)
{
    return s->known.valid && s->known.step == step && s->known.tail == tail;
}

/* The step before has just begun to compute. */
static neummu_timeline line_before(const neummu_stream *stream, uint64_t step, uint64_t width)
{
    if (step == 0)
        return (neummu_timeline){.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    const neummu_tile *tile = &stream->tiles[stream->steps[step - 1].tile];
    return (neummu_timeline){.end = tile->compute_cycles * width,
                             .last = (uint32_t)(step - 1),
                             .behind = NEUMMU_NO_STEP};
}

int neummu_warm(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    uint64_t step = neummu_step_of(&stream->strata[stratum], unit);
    if (is_known(s, step, is_last(stream, &stream->strata[stratum], step, unit)))
        return 0;
    uint64_t from = warm_from(stream, step);
    if (neummu_machine_reset(&s->machine, err))
        return -1;
    if (!config->oracle)
        recall(s, stream, from, step);
    s->line = line_before(stream, from, (uint64_t)config->issue_width);
    for (uint64_t i = from; i < step; i++)
        neummu_run_step(&s->machine, stream, &s->line, (uint32_t)i);
    return 0;
}

static void add_counts(const neummu_counts *from, const neummu_counts *to, double width, double *t)
{
    const msw_mmu_stats *a = &from->mmu, *b = &to->mmu;
    const msw_walker_stats *v = &from->walker, *w = &to->walker;
    t[NEUMMU_TRANSLATIONS] = (double)(b->requests - a->requests);
    t[NEUMMU_TLB_HITS] = (double)(b->l1_hits - a->l1_hits);
    t[NEUMMU_TLB_MISSES] = (double)(b->l1_misses - a->l1_misses);
    t[NEUMMU_TLB2_HITS] = (double)(b->l2_hits - a->l2_hits);
    t[NEUMMU_MERGED] = (double)(b->merged - a->merged);
    t[NEUMMU_WALKS] = (double)(w->walks - v->walks);
    t[NEUMMU_REPLAYED] = (double)(b->replayed - a->replayed);
    t[NEUMMU_REDUNDANT] = (double)(w->redundant - v->redundant);
    for (int cause = 0; cause < MSW_BLOCK_COUNT; cause++)
        t[NEUMMU_BLOCKED_WALKERS + cause] =
            (double)(to->blocked[cause] - from->blocked[cause]) / width;
    t[NEUMMU_WALK_STEPS] = (double)(w->steps - v->steps);
    t[NEUMMU_WALK_ACCESSES] = (double)(w->accesses - v->accesses);
    for (int level = 4; level > 1; level--)
        t[NEUMMU_PATH_HITS_L4 + 4 - level] = (double)(w->level_hits[level] - v->level_hits[level]);
}

static void add_period(const neummu_period *period, bool first, double width, double *t)
{
    double memory = (double)period->memory / width;
    double translation = (double)period->translation / width;
    t[first ? NEUMMU_FILL : NEUMMU_MEMORY] += memory;
    t[first ? NEUMMU_LAYER_START : NEUMMU_TRANSLATION] += translation;
    t[NEUMMU_COMPUTE] += (double)period->compute / width;
    t[NEUMMU_WRITE_BACK] += (double)period->write_back / width;
}

static void run_unit(state *s, const neummu_stream *stream, uint64_t step, bool tail)
{
    const neummu_config *config = s->machine.config;
    const neummu_tile *tile = &stream->tiles[stream->steps[step].tile];
    double width = (double)config->issue_width, *t = s->known.totals;
    neummu_counts before = neummu_count(&s->machine);
    memset(t, 0, sizeof s->known.totals);
    neummu_period period = neummu_run_step(&s->machine, stream, &s->line, (uint32_t)step);
    add_period(&period, stream->steps[step].first, width, t);
    if (tail) {
        period = neummu_finish(&s->machine, stream, &s->line);
        add_period(&period, false, width, t);
    }
    neummu_counts after = neummu_count(&s->machine);
    add_counts(&before, &after, width, t);
    for (int cause = NEUMMU_LAYER_START; cause <= NEUMMU_WRITE_BACK; cause++)
        t[NEUMMU_CYCLES] += t[cause];
    t[NEUMMU_TILES] = 1;
    t[NEUMMU_PAGES] = t[NEUMMU_PAGES_MAX] = (double)tile->pages;
    t[NEUMMU_ENERGY] = neummu_energy(config, &s->prices, t);
    s->known.step = step;
    s->known.tail = tail;
    s->known.valid = true;
    s->known.events = after.runs; /* the machine was reset: warm-up included */
}

int neummu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    (void)err;
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    uint64_t step = neummu_step_of(&stream->strata[stratum], unit);
    bool tail = is_last(stream, &stream->strata[stratum], step, unit);
    if (!is_known(s, step, tail))
        run_unit(s, stream, step, tail);
    memcpy(out->totals, s->known.totals, sizeof s->known.totals);
    out->events = s->known.events;
    return 0;
}
