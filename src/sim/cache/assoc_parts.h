/* What the files of assoc share: the hash index and order of use of wide sets, and the policies. */
#ifndef MSW_SIM_CACHE_ASSOC_PARTS_H
#define MSW_SIM_CACHE_ASSOC_PARTS_H

#include "memsweep/sim/assoc.h"

/* Adds and removes a key of the hash index. */
void msw_assoc_index_add(msw_assoc *assoc, uint64_t key, uint32_t line);
void msw_assoc_index_remove(msw_assoc *assoc, uint64_t key);

/* Links all (empty) lines so that way 0 is the oldest; moves a line to either end. */
void msw_assoc_order_init(msw_assoc *assoc);
void msw_assoc_order_newest(msw_assoc *assoc, uint32_t set, uint32_t line);
void msw_assoc_order_oldest(msw_assoc *assoc, uint32_t set, uint32_t line);

/* Records the use of a way in tree or bit state. */
void msw_assoc_bits_touch(msw_assoc *assoc, uint32_t set, uint32_t way);

/* Position of the smallest of `count` stamps, the first of equals. Which way is oldest is
 * unpredictable: the loop has no branch but its own. */
static inline uint32_t msw_assoc_least_of(const uint64_t *stamps, uint32_t count)
{
    uint64_t least = stamps[0];
    uint32_t best = 0;
    for (uint32_t way = 1; way < count; way++) {
        best = stamps[way] < least ? way : best;
        least = stamps[way] < least ? stamps[way] : least;
    }
    return best;
}

/* Way that a tree of one word points to. */
static inline uint32_t msw_assoc_tree_oldest(uint64_t tree, uint32_t ways)
{
    uint32_t node = 0;
    while (node + 1 < ways)
        node = 2 * node + 1 + (uint32_t)(tree >> node & 1);
    return node + 1 - ways;
}

/* Whether the next fill of a set replaces what its tree points to, with no index to keep. */
static inline bool msw_assoc_turns(const msw_assoc *assoc, uint32_t set)
{
    return assoc->turns && !assoc->table && assoc->filled[set] == assoc->ways;
}

/* msw_assoc_insert for such a set. */
static inline uint32_t msw_assoc_replace(msw_assoc *assoc, uint32_t set, uint64_t key)
{
    uint32_t line = set * assoc->ways + msw_assoc_tree_oldest(assoc->bits[set], assoc->ways);
    assoc->tags[line] = key;
    msw_assoc_touch(assoc, set, line);
    return line;
}

/* What the use of a way makes of such a tree; at most 64 ways. */
msw_assoc_turn msw_assoc_tree_turn(uint32_t ways, uint32_t way);

/* Chooses the line that the next fill of a set takes. */
uint32_t msw_assoc_choose(msw_assoc *assoc, uint32_t set, uint64_t ways);

#endif
