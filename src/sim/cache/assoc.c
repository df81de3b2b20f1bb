/* SPDX-License-Identifier: MIT */
/* Set-associative arrays of keys: memory, look-up, fills and removals. Sets too wide to compare tag
 * by tag find keys in a hash index (linear probing, no tombstones). */
#include "memsweep/sim/assoc.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"

#include "memsweep/base/bits.h"

static uint32_t home(const msw_assoc *assoc, uint64_t key)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & assoc->table_mask;
}

static uint32_t position(const msw_assoc *assoc, uint64_t key)
{
    uint32_t at = home(assoc, key);
    while (assoc->table[at] && assoc->tags[assoc->table[at] - 1] != key)
        at = (at + 1) & assoc->table_mask;
    return at;
}

uint32_t msw_assoc_find_hashed(const msw_assoc *assoc, uint64_t key)
{
    return assoc->table[position(assoc, key)] - 1; /* 0 - 1 is MSW_ASSOC_NONE */
}

static void index_add(msw_assoc *assoc, uint64_t key, uint32_t line)
{
    uint32_t at = home(assoc, key);
    while (assoc->table[at])
        at = (at + 1) & assoc->table_mask;
    assoc->table[at] = line + 1;
}

/* Adds and removes a key of the hash index. */
static void index_remove(msw_assoc *assoc, uint64_t key)
{
    uint32_t mask = assoc->table_mask, hole = position(assoc, key);
    for (uint32_t at = (hole + 1) & mask; assoc->table[at]; at = (at + 1) & mask) {
        uint32_t wanted = home(assoc, assoc->tags[assoc->table[at] - 1]);
        /* An entry may move back into the hole unless its home lies after the hole. */
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            assoc->table[hole] = assoc->table[at];
            hole = at;
        }
    }
    assoc->table[hole] = 0;
}

enum { SCAN_WAYS = 16 }; /* wider sets are hashed */

/* Whether the policy keeps lines in an order (of use or of filling). */
static bool ordered(msw_policy policy)
{
    return policy == MSW_POLICY_LRU || policy == MSW_POLICY_FIFO;
}

static bool bitwise(msw_policy policy)
{
    return policy == MSW_POLICY_TREE || policy == MSW_POLICY_BIT;
}

static int check(const msw_assoc_config *config, msw_err *err)
{
    uint64_t lines = (uint64_t)config->sets * config->ways;
    if (lines == 0 || lines >= (uint64_t)1 << 30)
        return msw_fail(err, "%u sets x %u ways: both must be at least 1, the product below 2^30",
                        config->sets, config->ways);
    if (config->policy == MSW_POLICY_TREE && (config->ways & (config->ways - 1)))
        return msw_fail(err, "tree pseudo-LRU needs a power of two of ways, not %u", config->ways);
    if (config->policy > MSW_POLICY_DRRIP)
        return msw_fail(err, "replacement policy %d: no policy has this number",
                        (int)config->policy);
    return msw_assoc_is_rrip(config->policy) ? msw_assoc_rrip_check(config, err) : 0;
}

static uint32_t table_size(uint64_t lines)
{
    uint64_t wanted = msw_max_u64(2 * lines, 4);
    return (uint32_t)msw_min_u64(msw_bits_power(wanted), (uint64_t)1 << 31);
}

/* Hash index and order of use, for sets too wide to scan. */
static void layout_wide(msw_assoc *assoc, msw_memory_block *block)
{
    size_t lines = (size_t)assoc->sets * assoc->ways, size = table_size(lines);
    assoc->table_mask = (uint32_t)size - 1;
    assoc->table = msw_memory_block_zero(block, size * sizeof *assoc->table);
    if (!ordered(assoc->policy))
        return;
    assoc->newer = msw_memory_block_take(block, lines * sizeof *assoc->newer);
    assoc->older = msw_memory_block_take(block, lines * sizeof *assoc->older);
    assoc->newest = msw_memory_block_take(block, assoc->sets * sizeof *assoc->newest);
    assoc->oldest = msw_memory_block_take(block, assoc->sets * sizeof *assoc->oldest);
}

/* Words of state by set. */
static uint32_t state_words(const msw_assoc_config *config)
{
    if (msw_assoc_is_rrip(config->policy))
        return (config->ways + 7) / 8;
    if (bitwise(config->policy))
        return msw_ways_words(config->ways);
    return ordered(config->policy) && config->ways <= SCAN_WAYS;
}

/* Whether a use changes one word by a table. */
static bool is_turned(const msw_assoc_config *config)
{
    if (config->policy == MSW_POLICY_TREE)
        return config->ways <= 64;
    return ordered(config->policy) && config->ways <= MSW_ASSOC_MATRIX_WAYS;
}

/* Called twice: with memory NULL it only counts bytes, then it places the arrays in that many. So
 * size and places cannot disagree. */
static size_t layout(msw_assoc *assoc, const msw_assoc_config *config, void *memory)
{
    size_t lines = (size_t)config->sets * config->ways;
    size_t masks = (size_t)config->sets * msw_ways_words(config->ways);
    msw_memory_block block = {memory, 0};
    *assoc = (msw_assoc){.sets = config->sets,
                         .ways = config->ways,
                         .words = state_words(config),
                         .policy = config->policy,
                         .tree_fills = config->tree_fills,
                         .rrip = config->rrip};
    if ((config->sets & (config->sets - 1)) == 0)
        assoc->set_mask = config->sets - 1;
    assoc->tags = msw_memory_block_take(&block, lines * sizeof *assoc->tags);
    assoc->filled = msw_memory_block_zero(&block, config->sets * sizeof *assoc->filled);
    assoc->empty = msw_memory_block_take(&block, masks * sizeof *assoc->empty);
    if (config->ways > SCAN_WAYS)
        layout_wide(assoc, &block);
    if (assoc->words)
        assoc->state = msw_memory_block_zero(&block, (size_t)config->sets * assoc->words * 8);
    if (is_turned(config))
        assoc->turns = msw_memory_block_take(&block, config->ways * sizeof *assoc->turns);
    if (config->policy == MSW_POLICY_DRRIP)
        assoc->leads = msw_memory_block_zero(&block, config->sets);
    return block.used;
}

size_t msw_assoc_bytes(const msw_assoc_config *config)
{
    msw_assoc assoc;
    return layout(&assoc, config, NULL);
}

/* What a hit has to do is decided once here, so that the hit itself is a switch and, for most
 * policies, one operation on a word. */
static msw_assoc_use use_of(const msw_assoc *assoc)
{
    if (assoc->turns && assoc->policy != MSW_POLICY_FIFO)
        return MSW_USE_TURN;
    if (assoc->policy == MSW_POLICY_LRU)
        return assoc->newer ? MSW_USE_LIST : MSW_USE_ORDER;
    if (bitwise(assoc->policy))
        return MSW_USE_BITS;
    if (msw_assoc_is_rrip(assoc->policy))
        return assoc->rrip.count_hits ? MSW_USE_NEARER : MSW_USE_NEAR;
    return MSW_USE_NOTHING;
}

/* Whether a full set is filled without a mask by msw_assoc_replace. */
static bool is_quick(const msw_assoc *assoc)
{
    return !assoc->table && assoc->words <= 1;
}

static void empty_all(msw_assoc *assoc)
{
    uint32_t words = msw_ways_words(assoc->ways);
    memset(assoc->tags, 0xff, (size_t)assoc->sets * assoc->ways * sizeof *assoc->tags);
    for (uint32_t set = 0; set < assoc->sets; set++)
        for (uint32_t word = 0; word < words; word++)
            assoc->empty[(size_t)set * words + word] =
                msw_assoc_low_bits(msw_min_u64(assoc->ways - 64 * word, 64));
}

int msw_assoc_init(msw_assoc *assoc, const msw_assoc_config *config, void *memory, msw_err *err)
{
    if (check(config, err))
        return -1;
    layout(assoc, config, memory);
    empty_all(assoc);
    assoc->use = use_of(assoc);
    assoc->quick = is_quick(assoc);
    if (ordered(assoc->policy))
        msw_assoc_recency_init(assoc);
    for (uint32_t way = 0; config->policy == MSW_POLICY_TREE && assoc->turns && way < assoc->ways;
         way++)
        assoc->turns[way] = msw_assoc_tree_turn(assoc->ways, way);
    if (msw_assoc_is_rrip(assoc->policy))
        msw_assoc_rrip_init(assoc);
    msw_rng_init(&assoc->rng, config->seed, 0);
    return 0;
}

static void mark_filled(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t way = line - set * assoc->ways;
    size_t word = (size_t)set * msw_ways_words(assoc->ways) + way / 64;
    assoc->empty[word] &= ~((uint64_t)1 << way % 64);
    assoc->filled[set]++;
}

/* The general way: masks of ways, wide sets, any policy. msw_assoc_replace does the same for the
 * usual case without branches that are not needed there. */
static uint32_t enter(msw_assoc *assoc, uint32_t set, const msw_assoc_entry *entry,
                      uint64_t *evicted)
{
    uint32_t line = msw_assoc_choose(assoc, set, entry);
    *evicted = assoc->tags[line];
    if (*evicted == MSW_ASSOC_EMPTY)
        mark_filled(assoc, set, line);
    else if (assoc->table)
        index_remove(assoc, *evicted);
    assoc->tags[line] = entry->key;
    if (assoc->table)
        index_add(assoc, entry->key, line);
    msw_assoc_rank(assoc, set, line, entry);
    return line;
}

uint32_t msw_assoc_enter(msw_assoc *assoc, uint32_t set, const msw_assoc_entry *entry,
                         uint64_t *evicted)
{
    if (entry->ways || !msw_assoc_is_quick(assoc, set))
        return enter(assoc, set, entry, evicted);
    return msw_assoc_replace(assoc, set, entry->key, entry->insert, evicted);
}

uint32_t msw_assoc_insert(msw_assoc *assoc, uint32_t set, uint64_t key, const uint64_t *ways,
                          uint64_t *evicted)
{
    msw_assoc_entry entry = {.key = key, .ways = ways};
    return msw_assoc_enter(assoc, set, &entry, evicted);
}

void msw_assoc_remove(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t way = line - set * assoc->ways;
    if (assoc->table)
        index_remove(assoc, assoc->tags[line]);
    assoc->tags[line] = MSW_ASSOC_EMPTY;
    assoc->empty[(size_t)set * msw_ways_words(assoc->ways) + way / 64] |= (uint64_t)1 << way % 64;
    assoc->filled[set]--;
}
