/* Tenants in the order of time. */
#include "mech/camdn/machine/system.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static uint64_t sums_bytes(const msw_graph_network *net, const camdn_config *c, uint32_t element)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        if (net->tensors[i].role != MSW_GRAPH_WEIGHT)
            most = msw_max_u64(most, net->tensors[i].bytes);
    return msw_div_up(most * (uint64_t)c->sum_bytes / element, 4096) * 4096;
}

static size_t take(size_t *at, size_t bytes)
{
    size_t start = *at;
    *at += msw_div_up(bytes, ALIGNMENT) * ALIGNMENT;
    return start;
}

static msw_cache_config cache_config(const camdn_config *c, const uint64_t *masks)
{
    return (msw_cache_config){
        .line_bytes = (uint32_t)c->line,
        .slices = (uint32_t)c->slices,
        .sets = (uint32_t)(c->cache / (c->line * c->ways * c->slices)),
        .ways = (uint32_t)c->ways,
        .hash = MSW_SLICE_MODULO,
        .policy = c->replacement == CAMDN_REPLACE_LRU ? MSW_POLICY_LRU : MSW_POLICY_DRRIP,
        .requesters = (uint32_t)c->tenants,
        .way_masks = masks,
    };
}

size_t camdn_system_layout(const msw_task *task, camdn_system *s, void *memory)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    size_t npus = (size_t)c->tenants,
           groups = (size_t)msw_div_up((uint64_t)c->requests, (uint64_t)c->burst);
    msw_cache_config config = cache_config(c, NULL);
    char *base = memory;
    size_t at = 0;
    take(&at, sizeof *s);
    size_t cache = take(&at, msw_cache_bytes(&config));
    size_t slices = take(&at, (size_t)c->slices * sizeof *s->slices);
    size_t channels = take(&at, (size_t)c->channels * sizeof *s->channels);
    size_t all = take(&at, npus * sizeof *s->npus);
    size_t slots = take(&at, npus * groups * sizeof *s->npus->slots);
    size_t heap = take(&at, npus * sizeof *s->heap);
    size_t bases = take(&at, 2 * npus * mix->count * sizeof *s->bases);
    size_t results = take(&at, npus * (size_t)c->tasks * sizeof *s->results);
    if (!memory)
        return at;
    memset(base, 0, at);
    s->cache.lines.tags = (uint64_t *)(void *)(base + cache); /* until the cache is started */
    s->slices = (void *)(base + slices);
    s->channels = (void *)(base + channels);
    s->npus = (void *)(base + all);
    s->heap = (void *)(base + heap);
    s->bases = (void *)(base + bases);
    s->results = (void *)(base + results);
    s->groups = (uint32_t)groups;
    for (size_t i = 0; i < npus; i++)
        s->npus[i].slots = (uint64_t *)(void *)(base + slots) + i * groups;
    return at;
}

/* Equal parts of the ways; tenants take turns where there are more of them than ways. */
static void part_ways(const camdn_config *c, uint64_t *masks)
{
    uint64_t ways = (uint64_t)c->ways, tenants = (uint64_t)c->tenants;
    for (uint64_t t = 0; t < tenants; t++) {
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
            at += net->bytes + sums_bytes(net, s->config, mix->element_bytes);
        }
}

static int start_parts(camdn_system *s, msw_err *err)
{
    const camdn_config *c = s->config;
    uint64_t masks[CAMDN_TENANTS_MAX] = {0};
    part_ways(c, masks);
    msw_cache_config config = cache_config(c, c->share == CAMDN_SHARE_WAYS ? masks : NULL);
    void *memory = s->cache.lines.tags;
    if (msw_cache_init(&s->cache, &config, memory, err))
        return -1;
    double rate = camdn_memory_rate(c) / (double)c->channels;
    for (int64_t i = 0; i < c->slices; i++)
        msw_dram_server_init(&s->slices[i], (uint64_t)c->cache_cycles, (double)c->slice_bytes);
    for (int64_t i = 0; i < c->channels; i++)
        msw_dram_server_init(&s->channels[i], (uint64_t)c->memory_cycles, rate);
    for (uint32_t i = 0; i < s->count; i++)
        msw_dram_server_init(&s->npus[i].port, 0, (double)c->port_bytes);
    return 0;
}

int camdn_system_start(const msw_task *task, camdn_system *s, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    s->config = task->config;
    s->tables = task->artifacts[0];
    s->draws = camdn_draws_of(task);
    s->array = camdn_array_of(s->config, mix->element_bytes);
    s->count = (uint32_t)s->config->tenants;
    s->line_shift = msw_bits_highest((uint64_t)s->config->line);
    if (start_parts(s, err))
        return -1;
    give_memory(s);
    for (uint32_t i = 0; i < s->count; i++) {
        s->heap[i] = i;
        camdn_npu_start(s, i);
    }
    return 0;
}

static bool is_earlier(const camdn_system *s, uint32_t a, uint32_t b)
{
    uint64_t x = s->npus[a].time, y = s->npus[b].time;
    return x != y ? x < y : a < b;
}

/* The first of the heap has become later. */
static void sift(camdn_system *s)
{
    uint32_t at = 0, moved = s->heap[0];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->count)
            break;
        if (child + 1 < s->count && is_earlier(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!is_earlier(s, s->heap[child], moved))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = moved;
}

const camdn_result *camdn_system_run(camdn_system *s, uint32_t tenant, uint64_t number)
{
    const camdn_result *result = &s->results[number * s->count + tenant];
    while (!result->done) {
        camdn_npu_go(s, s->heap[0]);
        sift(s);
    }
    return result;
}
