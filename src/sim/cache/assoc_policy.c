/* SPDX-License-Identifier: MIT */
/* Victims, and what fills and hits change: docs/models/sim-assoc.md. */
#include "sim/cache/assoc_parts.h"

#include "memsweep/base/bits.h"

#include <assert.h>
#include <string.h>

static uint64_t *state_of(const msw_assoc *assoc, uint32_t set)
{
    return assoc->state + (size_t)set * assoc->words;
}

/* ---- tree ---- */

static bool bit_is_set(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void bit_assign(uint64_t *bits, uint32_t i, bool value)
{
    bits[i / 64] = (bits[i / 64] & ~((uint64_t)1 << (i % 64))) | (uint64_t)value << (i % 64);
}

/* Nodes are numbered as in a heap (children of n: 2n + 1, 2n + 2); way w is leaf ways - 1 + w. */
static void tree_touch(uint64_t *tree, uint32_t ways, uint32_t way)
{
    for (uint32_t node = ways - 1 + way; node;) {
        bool lower = node & 1;
        node = (node - 1) / 2;
        bit_assign(tree, node, lower);
    }
}

/* Whether a mask allows any of `count` ways, a power of two, from a multiple of it. */
static bool any_allowed(const uint64_t *ways, uint32_t first, uint32_t count)
{
    uint64_t any = 0;
    if (count < 64)
        return ways[first / 64] >> first % 64 & msw_assoc_low_bits(count);
    for (uint32_t word = first / 64; word < (first + count) / 64; word++)
        any |= ways[word];
    return any;
}

static uint32_t tree_victim(const uint64_t *tree, uint32_t count, const uint64_t *ways)
{
    uint32_t first = 0;
    for (uint32_t node = 0, half = count / 2; half; half /= 2) {
        bool upper = bit_is_set(tree, node);
        if (ways && !any_allowed(ways, upper ? first + half : first, half))
            upper = !upper;
        node = 2 * node + 1 + upper;
        first += upper ? half : 0;
    }
    return first;
}

msw_assoc_turn msw_assoc_tree_turn(uint32_t ways, uint32_t way)
{
    msw_assoc_turn turn = {.keep = UINT64_MAX};
    for (uint32_t node = ways - 1 + way; node;) {
        uint64_t lower = node & 1;
        node = (node - 1) / 2;
        turn.keep &= ~((uint64_t)1 << node);
        turn.point |= lower << node;
    }
    return turn;
}

/* ---- bit ---- */

static bool all_set(const uint64_t *bits, uint32_t ways)
{
    for (uint32_t word = 0; word < ways / 64; word++)
        if (bits[word] != UINT64_MAX)
            return false;
    return ways % 64 == 0 || bits[ways / 64] == msw_assoc_low_bits(ways % 64);
}

static void recency_touch(uint64_t *bits, uint32_t ways, uint32_t way)
{
    bit_assign(bits, way, true);
    if (!all_set(bits, ways))
        return;
    memset(bits, 0, msw_ways_words(ways) * sizeof *bits);
    bit_assign(bits, way, true);
}

/* Up to 64 ways the state is one word, kept in a register. */
static uint64_t recency_touched(uint64_t bits, uint32_t ways, uint32_t way)
{
    uint64_t bit = (uint64_t)1 << way;
    return (bits | bit) == msw_assoc_low_bits(ways) ? bit : bits | bit;
}

/* Lowest of `count` ways that is allowed and, if there are such, not marked; or MSW_ASSOC_NONE. */
static uint32_t lowest_way(const uint64_t *marked, uint32_t count, const uint64_t *ways)
{
    for (uint32_t first = 0; first < count; first += 64) {
        uint64_t word = msw_assoc_mask_word(ways, first / 64) & msw_assoc_low_bits(count - first);
        word &= marked ? ~marked[first / 64] : UINT64_MAX;
        if (word)
            return first + msw_bits_lowest(word);
    }
    return MSW_ASSOC_NONE;
}

/* Where every allowed way was used since the bits were cleared, the lowest one. */
static uint32_t recency_victim(const uint64_t *bits, uint32_t count, const uint64_t *ways)
{
    uint32_t way = lowest_way(bits, count, ways);
    return way == MSW_ASSOC_NONE ? lowest_way(NULL, count, ways) : way;
}

/* Records the use of a way in tree or bit state. */
static void bits_touch(msw_assoc *assoc, uint32_t set, uint32_t way)
{
    uint64_t *state = state_of(assoc, set);
    if (assoc->policy == MSW_POLICY_TREE)
        tree_touch(state, assoc->ways, way);
    else if (assoc->words == 1)
        *state = recency_touched(*state, assoc->ways, way);
    else
        recency_touch(state, assoc->ways, way);
}

void msw_assoc_touch_more(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->use == MSW_USE_LIST)
        msw_assoc_list_newest(assoc, set, line);
    else if (assoc->use == MSW_USE_NEARER)
        msw_assoc_rrip_nearer(assoc, set, line - set * assoc->ways);
    else
        bits_touch(assoc, set, line - set * assoc->ways);
}

/* ---- random ---- */

static uint32_t allowed_count(uint32_t count, const uint64_t *ways)
{
    uint32_t sum = 0;
    for (uint32_t word = 0; word < msw_ways_words(count); word++)
        sum += msw_bits_count(ways[word] & msw_assoc_low_bits(count - 64 * word));
    return sum;
}

static uint32_t random_way(msw_assoc *assoc, const uint64_t *ways)
{
    uint32_t count = ways ? allowed_count(assoc->ways, ways) : assoc->ways, way = 0;
    uint32_t nth = (uint32_t)((uint64_t)msw_rng_u32(&assoc->rng) * count >> 32);
    if (!ways)
        return nth;
    for (way = 0; nth || !msw_assoc_allowed(ways, way); way++)
        nth -= msw_assoc_allowed(ways, way);
    return way;
}

/* ---- all ---- */

static uint32_t victim(msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    switch (assoc->policy) {
    case MSW_POLICY_LRU:
    case MSW_POLICY_FIFO:
        return msw_assoc_recency_victim(assoc, set, ways);
    case MSW_POLICY_TREE:
        return tree_victim(state_of(assoc, set), assoc->ways, ways);
    case MSW_POLICY_BIT:
        return recency_victim(state_of(assoc, set), assoc->ways, ways);
    case MSW_POLICY_RANDOM:
        return random_way(assoc, ways);
    default:
        return msw_assoc_rrip_victim(assoc, set, ways);
    }
}

static uint32_t first_empty(const msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    uint32_t words = msw_ways_words(assoc->ways);
    const uint64_t *empty = assoc->empty + (size_t)set * words;
    for (uint32_t word = 0; word < words; word++)
        if (empty[word] & msw_assoc_mask_word(ways, word))
            return 64 * word + msw_bits_lowest(empty[word] & msw_assoc_mask_word(ways, word));
    return MSW_ASSOC_NONE;
}

uint32_t msw_assoc_choose(msw_assoc *assoc, uint32_t set, const msw_assoc_entry *entry)
{
    uint32_t way = MSW_ASSOC_NONE;
    bool tree_fills = assoc->tree_fills && assoc->policy == MSW_POLICY_TREE;
    if (assoc->filled[set] < assoc->ways && !tree_fills)
        way = first_empty(assoc, set, entry->ways);
    if (way == MSW_ASSOC_NONE)
        way = victim(assoc, set, entry->ways);
    return set * assoc->ways + way;
}

void msw_assoc_rank(msw_assoc *assoc, uint32_t set, uint32_t line, const msw_assoc_entry *entry)
{
    uint32_t way = line - set * assoc->ways;
    switch (assoc->policy) {
    case MSW_POLICY_LRU:
    case MSW_POLICY_FIFO:
        msw_assoc_recency_rank(assoc, set, line, entry->insert);
        break;
    case MSW_POLICY_TREE:
    case MSW_POLICY_BIT:
        if (entry->insert != MSW_INSERT_DISTANT)
            msw_assoc_touch(assoc, set, line);
        break;
    case MSW_POLICY_RANDOM:
        break;
    default:
        msw_assoc_rrip_predict(assoc, set, way, entry->insert);
    }
}
