/* SPDX-License-Identifier: MIT */
/* A fill of a full set that may take any way, which nearly every miss is: victim and rank in one
 * step where the state of the set is one word. */
#include "sim/cache/assoc_parts.h"

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
