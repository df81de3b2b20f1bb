/* SPDX-License-Identifier: MIT */
/* Replacement in an array of keys: victims, and what fills and hits change
 * (docs/models/sim-assoc.md); assoc_rrip.c has the policies that predict.
 *
 * The order of use (LRU) or of fills (FIFO) has three forms that decide alike.
 *   up to 8 ways   a matrix in one word: bit j of byte i says that way i is newer than way j.
 * Making a way the newest clears column i and sets row i, which a table by way does in two steps;
 * the oldest way is the row of 0. Rows past the ways keep their highest bit up to 16 ways  one word
 * of ways in order, 4 bits each, the newest lowest more           a doubly linked list per set */
#include "sim/cache/assoc_parts.h"

#include "memsweep/base/bits.h"

#include <assert.h>
#include <string.h>

static void list_init(msw_assoc *assoc)
{
    for (uint32_t set = 0; set < assoc->sets; set++) {
        uint32_t base = set * assoc->ways, last = base + assoc->ways - 1;
        for (uint32_t line = base; line <= last; line++) {
            assoc->newer[line] = line == last ? MSW_ASSOC_NONE : line + 1;
            assoc->older[line] = line == base ? MSW_ASSOC_NONE : line - 1;
        }
        assoc->oldest[set] = base;
        assoc->newest[set] = last;
    }
}

static void unlink_line(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t newer = assoc->newer[line], older = assoc->older[line];
    *(newer == MSW_ASSOC_NONE ? &assoc->newest[set] : &assoc->older[newer]) = older;
    *(older == MSW_ASSOC_NONE ? &assoc->oldest[set] : &assoc->newer[older]) = newer;
}

static void list_make_newest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->newest[set] == line)
        return;
    unlink_line(assoc, set, line);
    assoc->older[line] = assoc->newest[set];
    assoc->newer[line] = MSW_ASSOC_NONE;
    assoc->newer[assoc->newest[set]] = line;
    assoc->newest[set] = line;
}

/* Moves a line to the end of those that go first. */
static void list_make_oldest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->oldest[set] == line)
        return;
    unlink_line(assoc, set, line);
    assoc->newer[line] = assoc->oldest[set];
    assoc->older[line] = MSW_ASSOC_NONE;
    assoc->older[assoc->oldest[set]] = line;
    assoc->oldest[set] = line;
}

/* The lowest byte that is 0, of those of a word that has one. The lowest mark is exact; borrows
 * only mark higher ones. */
static inline uint32_t msw_assoc_zero_byte(uint64_t word)
{
    return msw_bits_lowest((word - MSW_ASSOC_BYTES) & ~word & MSW_ASSOC_BYTES << 7) / 8;
}

/* A word of a mask. */
static inline uint64_t msw_assoc_mask_word(const uint64_t *ways, uint32_t word)
{
    return ways ? ways[word] : UINT64_MAX;
}

/* Whether a mask allows a way. */
static inline bool msw_assoc_allowed(const uint64_t *ways, uint32_t way)
{
    return !ways || (ways[way / 64] >> way % 64 & 1);
}

/* Way that a tree of one word points to. */
static inline uint32_t msw_assoc_tree_oldest(uint64_t tree, uint32_t ways)
{
    uint32_t node = 0;
    while (node + 1 < ways)
        node = 2 * node + 1 + (uint32_t)(tree >> node & 1);
    return node + 1 - ways;
}

static bool is_matrix(const msw_assoc *assoc)
{
    return assoc->ways <= MSW_ASSOC_MATRIX_WAYS;
}

static uint64_t column(uint32_t way)
{
    return MSW_ASSOC_BYTES << way & ~((uint64_t)1 << 9 * way);
}

static msw_assoc_turn matrix_turn(uint32_t ways, uint32_t way)
{
    uint64_t row = msw_assoc_low_bits(ways) & ~((uint64_t)1 << way);
    return (msw_assoc_turn){.keep = ~column(way), .point = row << 8 * way};
}

static uint64_t first_matrix(const msw_assoc *assoc)
{
    uint64_t matrix = 0;
    for (uint32_t way = 0; way < assoc->ways; way++)
        matrix = (matrix & assoc->turns[way].keep) | assoc->turns[way].point;
    return matrix;
}

void msw_assoc_recency_init(msw_assoc *assoc)
{
    uint64_t first = 0xfedcba9876543210u;
    if (assoc->newer) {
        list_init(assoc);
        return;
    }
    for (uint32_t way = 0; assoc->turns && way < assoc->ways; way++)
        assoc->turns[way] = matrix_turn(assoc->ways, way);
    if (is_matrix(assoc))
        first = first_matrix(assoc);
    for (uint32_t set = 0; set < assoc->sets; set++)
        assoc->state[set] = first;
}

/* Rows of ways that are not allowed are made to look new, columns of them are left out. */
static uint32_t matrix_oldest(uint64_t matrix, const uint64_t *ways)
{
    if (!ways)
        return msw_assoc_zero_byte(matrix);
    uint64_t mask = *ways & 255, hidden = ~(msw_assoc_spread(mask) * 255);
    return msw_assoc_zero_byte((matrix & mask * MSW_ASSOC_BYTES) | hidden);
}

static uint32_t order_oldest(uint64_t order, uint32_t count, const uint64_t *ways)
{
    uint32_t at = count - 1;
    while (!msw_assoc_allowed(ways, order >> 4 * at & 15))
        at--;
    return order >> 4 * at & 15;
}

static uint32_t list_oldest(const msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    uint32_t base = set * assoc->ways, line = assoc->oldest[set];
    while (!msw_assoc_allowed(ways, line - base))
        line = assoc->newer[line];
    return line - base;
}

static uint32_t order_victim(const msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    if (assoc->newer)
        return list_oldest(assoc, set, ways);
    if (is_matrix(assoc))
        return matrix_oldest(assoc->state[set], ways);
    return order_oldest(assoc->state[set], assoc->ways, ways);
}

/* Moves a way behind the `count` - 1 others. */
static uint64_t order_last(uint64_t order, uint32_t count, uint32_t way)
{
    uint64_t newer = ((uint64_t)1 << msw_assoc_recency_find(order, way)) - 1;
    uint64_t used = msw_assoc_low_bits(4 * count), last = (uint64_t)way << 4 * (count - 1);
    return (order & ~used) | (order & newer) | ((order & used) >> 4 & ~newer) | last;
}

static void make_oldest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t way = line - set * assoc->ways;
    uint64_t *state = assoc->state + set;
    if (assoc->newer)
        list_make_oldest(assoc, set, line);
    else if (is_matrix(assoc))
        *state = (*state & ~((uint64_t)255 << 8 * way)) | column(way);
    else
        *state = order_last(*state, assoc->ways, way);
}

static void order_rank(msw_assoc *assoc, uint32_t set, uint32_t line, msw_insert insert)
{
    uint32_t way = line - set * assoc->ways;
    uint64_t *state = assoc->state + set;
    if (insert == MSW_INSERT_DISTANT)
        make_oldest(assoc, set, line);
    else if (assoc->newer)
        list_make_newest(assoc, set, line);
    else if (is_matrix(assoc))
        *state = (*state & assoc->turns[way].keep) | assoc->turns[way].point;
    else
        *state = msw_assoc_recency_newest(*state, way);
}

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

static void bit_use(uint64_t *bits, uint32_t ways, uint32_t way)
{
    bit_assign(bits, way, true);
    if (!all_set(bits, ways))
        return;
    memset(bits, 0, msw_ways_words(ways) * sizeof *bits);
    bit_assign(bits, way, true);
}

/* Up to 64 ways the state is one word, kept in a register. */
static uint64_t bits_after_use(uint64_t bits, uint32_t ways, uint32_t way)
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
static uint32_t bit_victim(const uint64_t *bits, uint32_t count, const uint64_t *ways)
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
        *state = bits_after_use(*state, assoc->ways, way);
    else
        bit_use(state, assoc->ways, way);
}

void msw_assoc_touch_more(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->use == MSW_USE_LIST)
        list_make_newest(assoc, set, line);
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
        return order_victim(assoc, set, ways);
    case MSW_POLICY_TREE:
        return tree_victim(state_of(assoc, set), assoc->ways, ways);
    case MSW_POLICY_BIT:
        return bit_victim(state_of(assoc, set), assoc->ways, ways);
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
        order_rank(assoc, set, line, entry->insert);
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

/* A distant line stays the oldest. */
static uint32_t replace_oldest(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint64_t *state = assoc->state + set;
    uint32_t way = msw_assoc_zero_byte(*state);
    if (insert != MSW_INSERT_DISTANT)
        *state = (*state & assoc->turns[way].keep) | assoc->turns[way].point;
    return way;
}

/* Of ways in order the last one, which becomes the first; a distant line stays the last. */
static uint32_t replace_last(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint64_t *state = assoc->state + set, used = msw_assoc_low_bits(4 * assoc->ways);
    uint32_t way = (uint32_t)(*state >> 4 * (assoc->ways - 1) & 15);
    if (insert != MSW_INSERT_DISTANT)
        *state = (*state & ~used) | ((*state << 4 | way) & used);
    return way;
}

static uint32_t replace_tree(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint64_t *state = assoc->state + set;
    uint32_t way = msw_assoc_tree_oldest(*state, assoc->ways);
    if (insert != MSW_INSERT_DISTANT)
        *state = (*state & assoc->turns[way].keep) | assoc->turns[way].point;
    return way;
}

/* Without a mask some way is always unused, if there is more than one. */
static uint32_t replace_unused(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint64_t *state = assoc->state + set, all = msw_assoc_low_bits(assoc->ways);
    uint64_t unused = assoc->ways > 1 ? ~*state & all : 1, bit = unused & (~unused + 1);
    if (insert != MSW_INSERT_DISTANT)
        *state = (*state | bit) == all ? bit : *state | bit;
    return msw_bits_lowest(bit);
}

static uint32_t replace_any(msw_assoc *assoc)
{
    return (uint32_t)((uint64_t)msw_rng_u32(&assoc->rng) * assoc->ways >> 32);
}

static uint32_t way_of(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    switch (assoc->policy) {
    case MSW_POLICY_LRU:
    case MSW_POLICY_FIFO:
        return assoc->turns ? replace_oldest(assoc, set, insert) : replace_last(assoc, set, insert);
    case MSW_POLICY_TREE:
        return replace_tree(assoc, set, insert);
    case MSW_POLICY_BIT:
        return replace_unused(assoc, set, insert);
    case MSW_POLICY_RANDOM:
        return replace_any(assoc);
    default:
        return msw_assoc_rrip_replace(assoc, set, insert);
    }
}

uint32_t msw_assoc_replace(msw_assoc *assoc, uint32_t set, uint64_t key, msw_insert insert,
                           uint64_t *evicted)
{
    uint32_t line = set * assoc->ways + way_of(assoc, set, insert);
    *evicted = assoc->tags[line];
    assoc->tags[line] = key;
    return line;
}
