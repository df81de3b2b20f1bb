/* SPDX-License-Identifier: MIT */
#include "plain_cache.h"

#include <stdlib.h>
#include <string.h>

static bool is_rrip(const plain_cache *cache)
{
    msw_policy p = cache->config.policy;
    return p == MSW_POLICY_SRRIP || p == MSW_POLICY_BRRIP || p == MSW_POLICY_DRRIP;
}

static int or_else(int value, int otherwise)
{
    return value ? value : otherwise;
}

static void name_leaders(plain_cache *cache)
{
    int sets = (int)cache->config.sets, quarter = sets / 4 > 1 ? sets / 4 : 1;
    int leaders = or_else((int)cache->config.rrip.leaders, quarter < 32 ? quarter : 32);
    int group = sets / leaders;
    for (int i = 0; i < leaders; i++) {
        int a = i % group, b = group - 1 - a;
        if (b == a)
            b = (a + 1) % group;
        cache->sets[i * group + a].leads = 1;
        cache->sets[i * group + b].leads = 2;
    }
}

void plain_init(plain_cache *cache, const msw_assoc_config *config)
{
    *cache = (plain_cache){.config = *config, .ways = (int)config->ways};
    cache->sets = calloc(config->sets, sizeof *cache->sets);
    for (uint32_t set = 0; set < config->sets; set++)
        for (int way = 0; way < cache->ways; way++)
            cache->sets[set].order[way] = way;
    cache->largest = (1 << or_else(config->rrip.bits, 2)) - 1;
    cache->counter_top = (1 << or_else(config->rrip.psel_bits, 10)) - 1;
    cache->counter = cache->counter_top / 2;
    if (config->policy == MSW_POLICY_DRRIP)
        name_leaders(cache);
    msw_rng_init(&cache->rng, config->seed, 0);
}

void plain_free(plain_cache *cache)
{
    free(cache->sets);
}

/* Takes a way out of the order and puts it in at a position. */
static void move(const plain_cache *cache, plain_set *set, int way, int to)
{
    int rest[PLAIN_WAYS], count = 0;
    for (int i = 0; i < cache->ways; i++)
        if (set->order[i] != way)
            rest[count++] = set->order[i];
    for (int i = 0, from = 0; i < cache->ways; i++)
        set->order[i] = i == to ? way : rest[from++];
}

/* The tree over ways [first, first + span) has its root bit at tree[first + span / 2]. */
static void point_away(bool *tree, int first, int span, int way)
{
    if (span == 1)
        return;
    bool lower = way < first + span / 2;
    tree[first + span / 2] = lower;
    point_away(tree, lower ? first : first + span / 2, span / 2, way);
}

static bool any(const bool *allowed, int first, int span)
{
    for (int way = first; way < first + span; way++)
        if (allowed[way])
            return true;
    return false;
}

static int follow(const bool *tree, int first, int span, const bool *allowed)
{
    if (span == 1)
        return first;
    bool upper = tree[first + span / 2];
    if (!any(allowed, upper ? first + span / 2 : first, span / 2))
        upper = !upper;
    return follow(tree, upper ? first + span / 2 : first, span / 2, allowed);
}

static void use_bit(const plain_cache *cache, plain_set *set, int way)
{
    set->lines[way].used = true;
    for (int w = 0; w < cache->ways; w++)
        if (!set->lines[w].used)
            return;
    for (int w = 0; w < cache->ways; w++)
        set->lines[w].used = w == way;
}

static void use(const plain_cache *cache, plain_set *set, int way)
{
    if (cache->config.policy == MSW_POLICY_TREE)
        point_away(set->tree, 0, cache->ways, way);
    if (cache->config.policy == MSW_POLICY_BIT)
        use_bit(cache, set, way);
}

static void hit(const plain_cache *cache, plain_set *set, int way)
{
    plain_line *line = &set->lines[way];
    if (cache->config.policy == MSW_POLICY_LRU)
        move(cache, set, way, cache->ways - 1);
    if (!cache->config.rrip.count_hits)
        line->prediction = 0;
    else if (line->prediction > 0)
        line->prediction--;
    use(cache, set, way);
}

static int rrip_victim(const plain_cache *cache, plain_set *set, const bool *allowed)
{
    for (;;) {
        for (int way = 0; way < cache->ways; way++)
            if (allowed[way] && set->lines[way].prediction == cache->largest)
                return way;
        for (int way = 0; way < cache->ways; way++)
            set->lines[way].prediction += allowed[way];
    }
}

static int random_victim(plain_cache *cache, const bool *allowed)
{
    int list[PLAIN_WAYS], count = 0;
    for (int way = 0; way < cache->ways; way++)
        if (allowed[way])
            list[count++] = way;
    return list[(uint64_t)msw_rng_u32(&cache->rng) * (uint64_t)count >> 32];
}

static int bit_victim(const plain_cache *cache, const plain_set *set, const bool *allowed)
{
    for (int way = 0; way < cache->ways; way++)
        if (allowed[way] && !set->lines[way].used)
            return way;
    for (int way = 0;; way++)
        if (allowed[way])
            return way;
}

static int first_in_order(const plain_cache *cache, const plain_set *set, const bool *allowed)
{
    for (int i = 0; i < cache->ways; i++)
        if (allowed[set->order[i]])
            return set->order[i];
    return -1;
}

static int victim(plain_cache *cache, plain_set *set, const bool *allowed)
{
    if (is_rrip(cache))
        return rrip_victim(cache, set, allowed);
    switch (cache->config.policy) {
    case MSW_POLICY_TREE:
        return follow(set->tree, 0, cache->ways, allowed);
    case MSW_POLICY_BIT:
        return bit_victim(cache, set, allowed);
    case MSW_POLICY_RANDOM:
        return random_victim(cache, allowed);
    default:
        return first_in_order(cache, set, allowed);
    }
}

static bool inserts_bimodal(plain_cache *cache, const plain_set *set)
{
    if (cache->config.policy == MSW_POLICY_BRRIP)
        return true;
    if (cache->config.policy == MSW_POLICY_SRRIP)
        return false;
    if (set->leads == 1 && cache->counter < cache->counter_top)
        cache->counter++;
    if (set->leads == 2 && cache->counter > 0)
        cache->counter--;
    if (set->leads)
        return set->leads == 2;
    return cache->counter > cache->counter_top / 2;
}

static int prediction(plain_cache *cache, const plain_set *set, msw_insert insert)
{
    uint64_t every = (uint64_t)or_else((int)cache->config.rrip.long_every, 32);
    bool bimodal = inserts_bimodal(cache, set);
    if (insert == MSW_INSERT_NEAR)
        return 0;
    if (insert == MSW_INSERT_LONG)
        return cache->largest - 1;
    if (insert == MSW_INSERT_DISTANT)
        return cache->largest;
    if (!bimodal)
        return cache->largest - 1;
    if (cache->config.rrip.long_random)
        return cache->largest - (msw_rng_u32(&cache->rng) * every >> 32 == 0);
    return cache->largest - (++cache->bimodal_fills % every == 0);
}

static void fill(plain_cache *cache, plain_set *set, int way, const plain_request *request)
{
    bool distant = request->insert == MSW_INSERT_DISTANT;
    plain_line *line = &set->lines[way];
    line->held = true;
    line->key = request->key;
    if (is_rrip(cache))
        line->prediction = prediction(cache, set, request->insert);
    move(cache, set, way, distant ? 0 : cache->ways - 1);
    if (!distant)
        use(cache, set, way);
}

static int empty_way(const plain_cache *cache, const plain_set *set, const bool *allowed)
{
    for (int way = 0; way < cache->ways; way++)
        if (allowed[way] && !set->lines[way].held)
            return way;
    return -1;
}

plain_answer plain_access(plain_cache *cache, const plain_request *request)
{
    plain_set *set = &cache->sets[request->key % cache->config.sets];
    plain_answer answer = {false, false, 0};
    for (int way = 0; way < cache->ways; way++)
        if (set->lines[way].held && set->lines[way].key == request->key) {
            hit(cache, set, way);
            answer.hit = true;
            return answer;
        }
    int way = empty_way(cache, set, request->allowed);
    if (way < 0)
        way = victim(cache, set, request->allowed);
    answer.evicted = set->lines[way].held;
    answer.victim = set->lines[way].key;
    fill(cache, set, way, request);
    return answer;
}

void plain_drop(plain_cache *cache, uint64_t key)
{
    plain_set *set = &cache->sets[key % cache->config.sets];
    for (int way = 0; way < cache->ways; way++)
        if (set->lines[way].held && set->lines[way].key == key)
            set->lines[way].held = false;
}
