/* SPDX-License-Identifier: MIT */
/* Runs tenants in the order of time. A unit is a counted task of a tenant. Time is never skipped:
 * whatever is measured, everything runs. */
#include "mech/camdn/machine/system.h"

#include <string.h>

enum { ALIGNMENT = 64, TURNS = 1024 /* between two looks at the limits of a point */ };

uint64_t camdn_sums_bytes(const msw_graph_network *net, const camdn_config *c, uint32_t element)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        if (net->tensors[i].role != MSW_GRAPH_WEIGHT)
            most = msw_max_u64(most, net->tensors[i].bytes);
    return msw_div_up(most * (uint64_t)c->sum_bytes / element, 4096) * 4096;
}

static size_t take_bytes(size_t *at, size_t bytes)
{
    size_t start = *at;
    *at += msw_div_up(bytes, ALIGNMENT) * ALIGNMENT;
    return start;
}

/* Without pages all ways are the general side's; no mask of pages. */
static msw_shared_cache_config cache_config(const camdn_config *c, const uint64_t *masks,
                                            const uint64_t *page_ways)
{
    uint64_t sets = (uint64_t)(c->cache / (c->line * c->ways * c->slices));
    msw_cache_config cache = {
        .line_bytes = (uint32_t)c->line,
        .slices = (uint32_t)c->slices,
        .sets = (uint32_t)sets,
        .ways = (uint32_t)c->ways,
        .policy = c->replacement == CAMDN_REPLACE_LRU ? MSW_POLICY_LRU : MSW_POLICY_DRRIP,
        .requesters = (uint32_t)c->tenants + camdn_walks_cached(c),
        .way_masks = masks,
    };
    return (msw_shared_cache_config){.cache = cache,
                                     .page_ways = page_ways,
                                     .page_sets =
                                         (uint32_t)(sets * (uint64_t)c->ways / (uint64_t)c->pages),
                                     .owners = (uint32_t)c->tenants};
}

static uint64_t ways_below(int64_t count)
{
    return count <= 0 ? 0 : count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

/* The last ways hold pages. */
static uint64_t page_ways_of(const camdn_config *c)
{
    return ways_below(c->ways) & ~ways_below(c->ways - c->npu_ways);
}

static size_t cache_bytes(const camdn_config *c)
{
    uint64_t page_ways = page_ways_of(c);
    msw_shared_cache_config config = cache_config(c, NULL, &page_ways);
    return c->control == CAMDN_PAGED ? msw_shared_cache_bytes(&config)
                                     : msw_cache_bytes(&config.cache);
}

/* Lists of virtual pages: spare ones, an operator's own, those of tensors. */
static void give_lists(camdn_ptable *p, uint16_t *lists, size_t npu, size_t pages)
{
    lists += npu * pages * (CAMDN_HELD_TENSORS + 2);
    p->spare = lists;
    p->own.pages = lists + pages;
    for (size_t i = 0; i < CAMDN_HELD_TENSORS; i++)
        p->held[i].pages = lists + (i + 2) * pages;
}

static size_t count_ops(const msw_graph_product *mix)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mix->count; i++)
        count += mix->networks[i].op_count;
    return count;
}

/* Bytes of all tenants' memory. */
static uint64_t memory_of(const msw_task *task)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    uint64_t bytes = 0;
    for (uint32_t n = 0; n < mix->count; n++)
        bytes += mix->networks[n].bytes +
                 camdn_sums_bytes(&mix->networks[n], c, (uint32_t)mix->element_bytes);
    return bytes * (uint64_t)c->tenants;
}

/* Bytes of all parts; the pointers of `system` are set where there is `memory`. */
static size_t lay_out(const msw_task *task, camdn_system *s, void *memory)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    size_t npus = (size_t)c->tenants, most = camdn_gang_most(c), groups = (size_t)camdn_groups(c);
    char *base = memory;
    size_t at = 0;
    take_bytes(&at, sizeof *s);
    size_t cache = take_bytes(&at, cache_bytes(c));
    size_t slices = take_bytes(&at, (size_t)c->slices * sizeof *s->servers.slices);
    size_t channels = take_bytes(&at, (size_t)camdn_channels(c) * sizeof *s->servers.channels);
    size_t banks = take_bytes(&at, camdn_banks_bytes(c));
    size_t links = take_bytes(&at, camdn_links_bytes(c));
    size_t all = take_bytes(&at, npus * sizeof *s->npus);
    size_t slots = take_bytes(&at, npus * groups * most * sizeof *s->npus->slots);
    size_t pending = take_bytes(&at, npus * groups * most * sizeof *s->npus->pending);
    size_t jobs = take_bytes(&at, camdn_job_count(task) * sizeof *s->jobs.list);
    size_t heap = take_bytes(&at, camdn_heap_keys(npus) * sizeof *s->order.heap);
    size_t pages = c->control == CAMDN_PAGED ? (size_t)(c->pages * c->npu_ways / c->ways) : 0;
    size_t idle = take_bytes(&at, pages * sizeof *s->pool.idle);
    size_t entries = take_bytes(&at, npus * pages * sizeof *s->pool.idle);
    size_t lists = take_bytes(&at, npus * pages * (CAMDN_HELD_TENSORS + 2) * sizeof(uint16_t));
    size_t bases = take_bytes(&at, 2 * npus * mix->count * sizeof *s->bases);
    size_t monitors = take_bytes(&at, npus * camdn_utility_bytes(c));
    size_t layers = take_bytes(&at, count_ops(mix) * sizeof *s->log.layers);
    size_t firsts = take_bytes(&at, mix->count * sizeof *s->log.first);
    size_t left = take_bytes(&at, camdn_left_bytes(task));
    size_t translate = take_bytes(&at, camdn_translate_bytes(c, memory_of(task)));
    size_t results = take_bytes(&at, camdn_counted(task) * sizeof *s->results);
    if (!memory)
        return at;
    memset(base, 0, at);
    s->cache.mask = (uint64_t *)(void *)(base + cache); /* until the cache is started */
    s->servers.slices = (void *)(base + slices);
    s->servers.channels = (void *)(base + channels);
    s->banks.pool = (void *)(base + banks);    /* until it is started */
    s->servers.links = (void *)(base + links); /* the same */
    s->jobs.list = (void *)(base + jobs);
    s->npus = (void *)(base + all);
    s->order.heap = (void *)(base + heap);
    s->pool.idle = (void *)(base + idle);
    s->bases = (void *)(base + bases);
    s->results = (void *)(base + results);
    s->left = (void *)(base + left);
    s->translate.stages = (void *)(base + translate); /* until it is started */
    s->monitors = base + monitors;
    s->log.layers = (void *)(base + layers);
    s->log.first = (void *)(base + firsts);
    s->groups = (uint32_t)groups;
    for (size_t i = 0; i < npus; i++) {
        s->npus[i].slots = (uint64_t *)(void *)(base + slots) + i * groups * most;
        s->npus[i].pending = (uint32_t *)(void *)(base + pending) + i * groups * most;
        s->npus[i].ptable.page = (uint32_t *)(void *)(base + entries) + i * pages;
        give_lists(&s->npus[i].ptable, (uint16_t *)(void *)(base + lists), i, pages);
    }
    return at;
}

/* Equal parts of the ways that NPUs may fill; tenants take turns where there are more of them than
 * ways. */
static void part_ways(const camdn_config *c, uint64_t *masks)
{
    uint64_t ways = (uint64_t)camdn_tagged_ways(c), tenants = (uint64_t)c->tenants;
    for (uint64_t t = 0; t < tenants; t++) {
        masks[t] = c->share == CAMDN_SHARE_ALL ? ways_below((int64_t)ways) : 0;
        if (c->share == CAMDN_SHARE_ALL)
            continue;
        uint64_t first = tenants > ways ? t % ways : t * ways / tenants;
        uint64_t end = tenants > ways ? first + 1 : (t + 1) * ways / tenants;
        for (uint64_t w = first; w < end; w++)
            masks[t] |= (uint64_t)1 << w;
    }
}

/* Each tenant has memory of its own for each network; weights may be everybody's. */
static void give_memory(camdn_system *s)
{
    const msw_graph_product *mix = s->draws.mix;
    uint64_t at = (uint64_t)1 << 32, *base = s->bases;
    bool shared = s->config->weights == CAMDN_WEIGHTS_SHARED;
    for (uint32_t t = 0; t < s->count; t++)
        for (uint32_t n = 0; n < mix->count; n++, base += 2) {
            const msw_graph_network *net = &mix->networks[n];
            base[0] = at;
            base[1] = shared ? s->bases[2 * n] : at;
            at += net->bytes + camdn_sums_bytes(net, s->config, mix->element_bytes);
        }
}

static int start_cache(camdn_system *s, msw_err *err)
{
    const camdn_config *c = s->config;
    uint64_t masks[CAMDN_TENANTS_MAX + 1] = {0}, page_ways = page_ways_of(c);
    bool all = c->share == CAMDN_SHARE_ALL && camdn_tagged_ways(c) == c->ways;
    void *memory = s->cache.mask;
    if (c->control == CAMDN_PAGED) {
        msw_shared_cache_config config = cache_config(c, NULL, &page_ways);
        return msw_shared_cache_init(&s->cache, &config, memory, err);
    }
    part_ways(c, masks);
    masks[c->tenants] = ways_below(c->translation.walk_ways ? c->translation.walk_ways : c->ways);
    all &= c->translation.walk_ways == 0;
    msw_shared_cache_config config = cache_config(c, all ? NULL : masks, NULL);
    return msw_cache_init(&s->cache.general, &config.cache, memory, err);
}

static int start_parts(camdn_system *s, msw_err *err)
{
    const camdn_config *c = s->config;
    if (start_cache(s, err))
        return -1;
    double rate = camdn_memory_rate(c) / (double)camdn_channels(c);
    for (int64_t i = 0; i < c->slices; i++)
        msw_dram_server_init(&s->servers.slices[i], (uint64_t)c->cache_cycles,
                             (double)c->slice_bytes);
    for (int64_t i = 0; i < camdn_channels(c); i++)
        msw_dram_server_init(&s->servers.channels[i], (uint64_t)c->memory_cycles, rate);
    for (uint32_t i = 0; i < s->count; i++)
        msw_dram_server_init(&s->npus[i].port, 0, (double)c->port_bytes);
    camdn_links_start(s, s->servers.links);
    s->servers.slice_hold = (uint64_t)c->line * s->servers.slices->ticks_per_byte;
    s->servers.channel_hold = (uint64_t)c->line * s->servers.channels->ticks_per_byte;
    if (c->memory == CAMDN_MEMORY_BANKS)
        return camdn_banks_start(s, (char *)s->banks.pool, err);
    return 0;
}

static uint64_t mask_of(uint64_t count)
{
    return count & (count - 1) ? 0 : count - 1;
}

/* Starts all tenants. */
static int start_system(const msw_task *task, camdn_system *s, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    s->config = task->config;
    s->tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    s->plans = s->config->control == CAMDN_PAGED ? task->artifacts[CAMDN_ARTIFACT_PLANS] : NULL;
    s->expected = camdn_expect(task);
    if (!s->expected)
        return msw_fail_memory(err);
    s->draws = camdn_draws_of(task);
    s->array = camdn_array_of(s->config, mix->element_bytes);
    s->cores = (uint32_t)camdn_running(s->config);
    s->count = s->config->arrivals == CAMDN_CLOSED ? (uint32_t)s->config->tenants : s->cores;
    s->first_counted = camdn_first_counted(task);
    s->counted = camdn_counted(task);
    if (s->config->arrivals != CAMDN_CLOSED && camdn_jobs_fill(task, s->jobs.list, &s->jobs, err))
        return -1;
    s->servers.line_shift = msw_bits_highest((uint64_t)s->config->line);
    s->servers.slice_mask = mask_of((uint64_t)s->config->slices);
    s->servers.channel_count = camdn_channels(s->config);
    s->servers.channel_mask = mask_of((uint64_t)s->servers.channel_count);
    s->servers.page_shift = s->plans ? msw_bits_highest(s->plans->page_lines) : 0;
    if (start_parts(s, err))
        return -1;
    give_memory(s);
    if (s->banks.dram)
        camdn_banks_colour(s);
    if (s->config->channels_share == CAMDN_CHANNELS_PARTS)
        s->servers.parts = s->config->tenants;
    if (camdn_translate_start(s, (char *)s->translate.stages, err))
        return -1;
    s->err = err;
    for (uint32_t i = 1; i < mix->count; i++)
        s->log.first[i] = s->log.first[i - 1] + mix->networks[i - 1].op_count;
    for (uint32_t i = 0; i < s->count; i++)
        s->npus[i].ptable.page_lines = s->plans ? s->plans->page_lines : 0;
    s->order.leaves = (uint32_t)camdn_heap_keys(s->count) / 2;
    camdn_heap_settle(s);
    camdn_gangs_start(s);
    if (s->plans)
        camdn_pages_start(s);
    size_t monitor = s->plans ? 0 : camdn_utility_bytes(s->config);
    if (monitor && camdn_utility_start(s, s->monitors, monitor, err))
        return -1;
    for (uint32_t i = 0; i < s->count; i++)
        camdn_npu_start(s, i);
    camdn_heap_settle(s);
    return s->failed ? -1 : 0;
}

/* A tenant whose walks take long may end behind millions of tasks of others, so the limits of a
 * point hold within a task, too: each turn counts for one event. */
static int check_limits(const msw_task *task, uint64_t turns, msw_err *err)
{
    if (task->event_budget && turns > task->event_budget)
        return msw_fail(err, "event budget of %llu spent", (unsigned long long)task->event_budget);
    return msw_task_expired(task) ? msw_fail(err, "out of time") : 0;
}

const camdn_result *camdn_system_run(camdn_system *s, const msw_task *task, uint64_t unit,
                                     msw_err *err)
{
    const camdn_result *result = &s->results[unit];
    s->err = err;
    for (uint64_t turns = 1; !result->done && !s->failed; turns++) {
        uint32_t first = camdn_heap_first(s);
        if (s->translate.on && turns % TURNS == 0 && check_limits(task, turns, err))
            return NULL;
        if (s->translate.on && camdn_translate_step(s, s->npus[first].time))
            continue;
        if (s->banks.dram && s->banks.under_way) {
            camdn_banks_run(s, s->npus[first].time);
            if (camdn_translate_read(s)) /* a walk goes on: perhaps before the NPU */
                continue;
            first = camdn_heap_first(s);
        }
        s->now = s->npus[first].time;
        if (s->next_deal)
            camdn_utility_deal(s, s->npus[first].time);
        camdn_npu_go(s, first);
        camdn_heap_update(s, first);
    }
    return s->failed ? NULL : result;
}

int camdn_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    strata[0] = (msw_stratum){.units = msw_max_u64(1, camdn_counted(task)), .cost = 1};
    *count = 1;
    return 0;
}

/* Everything runs in any case: to measure some of the tasks would save nothing. */
uint64_t camdn_once(const msw_task *task, size_t stratum)
{
    (void)task;
    (void)stratum;
    return UINT64_MAX;
}

size_t camdn_state_bytes(const msw_task *task)
{
    return lay_out(task, NULL, NULL);
}

int camdn_begin(const msw_task *task, void *state, msw_err *err)
{
    camdn_system *system = state;
    MSW_TRY(camdn_check_lists(task, err));
    lay_out(task, system, state);
    return start_system(task, system, err);
}

int camdn_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)task;
    (void)state;
    (void)stratum;
    (void)unit;
    (void)err;
    return 0;
}

int camdn_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err)
{
    camdn_system *s = state;
    uint64_t before = s->events;
    double line = (double)s->config->line;
    (void)stratum;
    const camdn_result *r = camdn_system_run(s, task, unit, err);
    if (!r)
        return -1;
    double rest = (double)(r->cycles - r->compute - r->wait_memory - r->wait_pages - r->wait_npu -
                           r->wait_start - r->wait_translation);
    out->totals[CAMDN_CYCLES] = (double)r->cycles;
    out->totals[CAMDN_COMPUTE] = (double)r->compute;
    out->totals[CAMDN_WAIT_CACHE] = rest;
    out->totals[CAMDN_WAIT_MEMORY] = (double)r->wait_memory;
    out->totals[CAMDN_WAIT_PAGES] = (double)r->wait_pages;
    out->totals[CAMDN_WAIT_NPU] = (double)r->wait_npu;
    out->totals[CAMDN_WAIT_START] = (double)r->wait_start;
    out->totals[CAMDN_WAIT_TRANSLATION] = (double)r->wait_translation;
    out->totals[CAMDN_TRANSLATIONS] = (double)r->translations;
    out->totals[CAMDN_TLB_HITS] = (double)r->tlb_hits;
    out->totals[CAMDN_TLB_MISSES] = (double)r->tlb_misses;
    out->totals[CAMDN_WALKS] = (double)r->walks;
    out->totals[CAMDN_MERGED] = (double)r->merged;
    out->totals[CAMDN_WALK_ACCESSES] = (double)r->walk_accesses;
    out->totals[CAMDN_TARGETED] = r->target > 0;
    out->totals[CAMDN_IN_TIME] = r->target > 0 && r->cycles < r->target;
    out->totals[CAMDN_STOPPED] = (double)r->stopped;
    out->totals[CAMDN_TASKS] = 1;
    out->totals[CAMDN_REQUESTS] = (double)r->requests;
    out->totals[CAMDN_HITS] = (double)r->hits;
    out->totals[CAMDN_READ] = line * (double)r->reads;
    out->totals[CAMDN_WRITTEN] = line * (double)r->writes;
    out->totals[CAMDN_TRAFFIC] = line * (double)(r->reads + r->writes);
    const msw_graph_product *mix = s->draws.mix;
    camdn_energy_fill(s->config, mix->element_bytes, camdn_macs(&mix->networks[r->network]),
                      out->totals);
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    camdn_limits_add(plans, r->network, out->totals);
    out->events = s->events - before;
    return 0;
}
