#include "sim/cache/assoc_parts.h"

#include "memsweep/base/bits.h"

#include <assert.h>
#include <string.h>

static uint64_t *state_of(msw_assoc *assoc, uint32_t set)
{
    return assoc->bits + (size_t)set * assoc->words;
}

static bool bit_is_set(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void bit_assign(uint64_t *bits, uint32_t i, bool value)
{
    bits[i / 64] = (bits[i / 64] & ~((uint64_t)1 << (i % 64))) | (uint64_t)value << (i % 64);
}

/* Ways [first, first + count) as a mask; count <= 64. */
static uint64_t ways_mask(uint32_t first, uint32_t count)
{
    assert(first < 64);
    return msw_bits_mask(count) << first;
}

static bool allowed(uint64_t ways, uint32_t way)
{
    return ways == MSW_WAYS_ALL || (ways >> way & 1);
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

static uint32_t tree_victim(const uint64_t *tree, uint32_t count, uint64_t ways)
{
    uint32_t first = 0;
    for (uint32_t node = 0, half = count / 2; half; half /= 2) {
        bool upper = bit_is_set(tree, node);
        if (ways != MSW_WAYS_ALL && !(ways & ways_mask(upper ? first + half : first, half)))
            upper = !upper;
        node = 2 * node + 1 + upper;
        first += upper ? half : 0;
    }
    return first;
}

static bool all_set(const uint64_t *bits, uint32_t ways)
{
    for (uint32_t word = 0; word < ways / 64; word++)
        if (bits[word] != UINT64_MAX)
            return false;
    return ways % 64 == 0 || bits[ways / 64] == ways_mask(0, ways % 64);
}

static void recency_touch(uint64_t *bits, uint32_t ways, uint32_t way)
{
    bit_assign(bits, way, true);
    if (!all_set(bits, ways))
        return;
    memset(bits, 0, (ways + 63) / 64 * sizeof *bits);
    bit_assign(bits, way, true);
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

/* Up to 64 ways the state is one word, kept in a register. */
static uint64_t recency_touched(uint64_t bits, uint32_t ways, uint32_t way)
{
    uint64_t bit = (uint64_t)1 << way, all = ways_mask(0, ways);
    return (bits | bit) == all ? bit : bits | bit;
}

static uint32_t first_allowed(uint64_t ways)
{
    uint32_t way = 0;
    while (!allowed(ways, way))
        way++;
    return way;
}

/* Where every allowed way was used since the bits were cleared, the lowest one. */
static uint32_t recency_victim(const uint64_t *bits, uint32_t count, uint64_t ways)
{
    uint32_t way = 0;
    while (way + 64 <= count && bits[way / 64] == UINT64_MAX)
        way += 64;
    for (; way < count; way++)
        if (allowed(ways, way) && !bit_is_set(bits, way))
            return way;
    return first_allowed(ways);
}

void msw_assoc_bits_touch(msw_assoc *assoc, uint32_t set, uint32_t way)
{
    uint64_t *state = state_of(assoc, set);
    if (assoc->turns)
        *state = (*state & assoc->turns[way].keep) | assoc->turns[way].point;
    else if (assoc->policy == MSW_POLICY_TREE)
        tree_touch(state, assoc->ways, way);
    else if (assoc->words == 1)
        *state = recency_touched(*state, assoc->ways, way);
    else
        recency_touch(state, assoc->ways, way);
}

/* Empty lines have stamp 0: they are the oldest, the lowest way first. A way that is not allowed
 * counts as used last. */
static uint32_t oldest_stamp(const msw_assoc *assoc, uint32_t set, uint64_t ways)
{
    const uint64_t *stamps = assoc->stamps + (size_t)set * assoc->ways;
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;
    for (uint32_t way = 0; way < assoc->ways; way++) {
        uint64_t stamp = stamps[way] | ((ways >> way & 1) - 1);
        best = stamp < least ? way : best;
        least = stamp < least ? stamp : least;
    }
    return best;
}

static uint32_t oldest_linked(const msw_assoc *assoc, uint32_t set, uint64_t ways)
{
    uint32_t base = set * assoc->ways, line = assoc->oldest[set];
    while (!allowed(ways, line - base))
        line = assoc->newer[line];
    return line - base;
}

static uint32_t random_way(msw_assoc *assoc, uint64_t ways)
{
    uint32_t count = assoc->ways, way = 0;
    if (ways != MSW_WAYS_ALL)
        for (count = 0; way < assoc->ways; way++)
            count += allowed(ways, way);
    uint32_t nth = (uint32_t)((uint64_t)msw_rng_u32(&assoc->rng) * count >> 32);
    if (ways == MSW_WAYS_ALL)
        return nth;
    for (way = 0; nth || !allowed(ways, way); way++)
        nth -= allowed(ways, way);
    return way;
}

static uint32_t first_empty(const msw_assoc *assoc, uint32_t set, uint64_t ways)
{
    if (assoc->filled[set] == assoc->ways)
        return MSW_ASSOC_NONE;
    const uint64_t *tags = assoc->tags + (size_t)set * assoc->ways;
    for (uint32_t way = 0; way < assoc->ways; way++)
        if (tags[way] == MSW_ASSOC_EMPTY && allowed(ways, way))
            return way;
    return MSW_ASSOC_NONE;
}

static uint32_t victim(msw_assoc *assoc, uint32_t set, uint64_t ways)
{
    if (assoc->policy == MSW_POLICY_TREE)
        return tree_victim(state_of(assoc, set), assoc->ways, ways);
    if (assoc->policy == MSW_POLICY_BIT)
        return recency_victim(state_of(assoc, set), assoc->ways, ways);
    return random_way(assoc, ways);
}

uint32_t msw_assoc_choose(msw_assoc *assoc, uint32_t set, uint64_t ways)
{
    uint32_t base = set * assoc->ways, way = MSW_ASSOC_NONE;
    assert(ways == MSW_WAYS_ALL || assoc->ways <= 64);
    if (assoc->stamps)
        return base + oldest_stamp(assoc, set, ways);
    if (assoc->newer)
        return base + oldest_linked(assoc, set, ways);
    if (!(assoc->tree_fills && assoc->policy == MSW_POLICY_TREE))
        way = first_empty(assoc, set, ways);
    return base + (way == MSW_ASSOC_NONE ? victim(assoc, set, ways) : way);
}
