#include "memsweep/sim/assoc.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"

#include "memsweep/base/bits.h"

enum { SCAN_WAYS = 16 }; /* wider sets are hashed */

/* Whether the policy keeps lines in an order (of use or of filling). */
static bool ordered(const msw_assoc *assoc)
{
    return assoc->policy == MSW_POLICY_LRU || assoc->policy == MSW_POLICY_FIFO;
}

static int check(const msw_assoc_config *config, msw_err *err)
{
    uint64_t lines = (uint64_t)config->sets * config->ways;
    if (lines == 0 || lines >= (uint64_t)1 << 30)
        return msw_fail(err, "%u sets x %u ways: both must be at least 1, the product below 2^30",
                        config->sets, config->ways);
    if (config->policy == MSW_POLICY_TREE && (config->ways & (config->ways - 1)))
        return msw_fail(err, "tree pseudo-LRU needs a power of two of ways, not %u", config->ways);
    return 0;
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
    if (!ordered(assoc))
        return;
    assoc->newer = msw_memory_block_take(block, lines * sizeof *assoc->newer);
    assoc->older = msw_memory_block_take(block, lines * sizeof *assoc->older);
    assoc->newest = msw_memory_block_take(block, assoc->sets * sizeof *assoc->newest);
    assoc->oldest = msw_memory_block_take(block, assoc->sets * sizeof *assoc->oldest);
}

static size_t layout(msw_assoc *assoc, const msw_assoc_config *config, void *memory)
{
    size_t lines = (size_t)config->sets * config->ways;
    msw_memory_block block = {memory, 0};
    *assoc = (msw_assoc){.sets = config->sets,
                         .ways = config->ways,
                         .words = (config->ways + 63) / 64,
                         .policy = config->policy,
                         .tree_fills = config->tree_fills};
    if ((config->sets & (config->sets - 1)) == 0)
        assoc->set_mask = config->sets - 1;
    assoc->tags = msw_memory_block_take(&block, lines * sizeof *assoc->tags);
    assoc->filled = msw_memory_block_zero(&block, config->sets * sizeof *assoc->filled);
    if (config->ways > SCAN_WAYS)
        layout_wide(assoc, &block);
    else if (ordered(assoc))
        assoc->stamps = msw_memory_block_zero(&block, lines * sizeof *assoc->stamps);
    if (config->policy == MSW_POLICY_TREE || config->policy == MSW_POLICY_BIT)
        assoc->bits = msw_memory_block_zero(&block, (size_t)config->sets * assoc->words * 8);
    if (config->policy == MSW_POLICY_TREE && assoc->words == 1)
        assoc->turns = msw_memory_block_take(&block, config->ways * sizeof *assoc->turns);
    return block.used;
}

size_t msw_assoc_bytes(const msw_assoc_config *config)
{
    msw_assoc assoc;
    return layout(&assoc, config, NULL);
}

int msw_assoc_init(msw_assoc *assoc, const msw_assoc_config *config, void *memory, msw_err *err)
{
    if (check(config, err))
        return -1;
    layout(assoc, config, memory);
    memset(assoc->tags, 0xff, (size_t)config->sets * config->ways * sizeof *assoc->tags);
    if (assoc->newer)
        msw_assoc_order_init(assoc);
    for (uint32_t way = 0; assoc->turns && way < assoc->ways; way++)
        assoc->turns[way] = msw_assoc_tree_turn(assoc->ways, way);
    msw_rng_init(&assoc->rng, config->seed, 0);
    return 0;
}

void msw_assoc_note(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->stamps)
        assoc->stamps[line] = ++assoc->clock;
    else if (assoc->newer)
        msw_assoc_order_newest(assoc, set, line);
    else if (assoc->bits)
        msw_assoc_bits_touch(assoc, set, line - set * assoc->ways);
}

uint32_t msw_assoc_insert(msw_assoc *assoc, uint32_t set, uint64_t key, uint64_t ways,
                          uint64_t *evicted)
{
    uint32_t line = set * assoc->ways;
    if (assoc->stamps && ways == MSW_WAYS_ALL)
        line += msw_assoc_least_of(assoc->stamps + line, assoc->ways);
    else if (assoc->turns && ways == MSW_WAYS_ALL && assoc->filled[set] == assoc->ways)
        line += msw_assoc_tree_oldest(assoc->bits[set], assoc->ways);
    else
        line = msw_assoc_choose(assoc, set, ways);
    *evicted = assoc->tags[line];
    if (*evicted == MSW_ASSOC_EMPTY)
        assoc->filled[set]++;
    else if (assoc->table)
        msw_assoc_index_remove(assoc, *evicted);
    assoc->tags[line] = key;
    if (assoc->table)
        msw_assoc_index_add(assoc, key, line);
    if (assoc->turns)
        msw_assoc_touch(assoc, set, line);
    else
        msw_assoc_note(assoc, set, line);
    return line;
}

void msw_assoc_remove(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->table)
        msw_assoc_index_remove(assoc, assoc->tags[line]);
    assoc->tags[line] = MSW_ASSOC_EMPTY;
    assoc->filled[set]--;
    if (assoc->stamps)
        assoc->stamps[line] = 0;
    else if (assoc->newer)
        msw_assoc_order_oldest(assoc, set, line);
}
