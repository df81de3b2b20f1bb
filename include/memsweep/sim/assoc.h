/* assoc: a set-associative array of keys with a replacement policy; the part that caches, TLBs and
 * walk caches share.
 *
 * A line is numbered set * ways + way; its owner keeps what else a line holds in arrays of its own.
 * Up to 16 ways a look-up compares all tags of the set; beyond that (a 2048-way TLB) keys are found
 * by hashing and LRU and FIFO order is kept in a linked list: both forms decide alike.
 *
 * Replacement, in the textbook form. An empty way is filled first, lowest way first.
 *   LRU     the way whose last hit or fill is longest ago
 *   FIFO    the way filled longest ago
 *   tree    one bit per node of a binary tree over the ways, all 0 at first; a hit or fill makes
 *           every node on its path point to the other half; the victim is found by following the
 *           bits (0 = lower ways). Ways must be a power of two
 *   bit     one bit per way, set by a hit or fill; when all would be set the others are cleared;
 *           the victim is the lowest way whose bit is 0
 *   random  uniform over the allowed ways, from a counter-based stream
 * With `tree_fills` the tree also chooses among empty ways, as gem5's TreePLRU does. */
#ifndef MEMSWEEP_SIM_ASSOC_H
#define MEMSWEEP_SIM_ASSOC_H

#include "memsweep/base/err.h"
#include "memsweep/base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_ASSOC_EMPTY UINT64_MAX /* no key may have this value */
#define MSW_ASSOC_NONE  UINT32_MAX
#define MSW_WAYS_ALL    UINT64_MAX

typedef enum msw_policy {
    MSW_POLICY_LRU,
    MSW_POLICY_FIFO,
    MSW_POLICY_TREE,
    MSW_POLICY_BIT,
    MSW_POLICY_RANDOM,
} msw_policy;

typedef struct msw_assoc_config {
    uint32_t sets, ways; /* any number of sets; sets * ways below 2^30 */
    msw_policy policy;
    bool tree_fills;
    uint64_t seed; /* random policy */
} msw_assoc_config;

/* What the use of a way makes of the tree of its set: (bits & keep) | point. */
typedef struct msw_assoc_turn {
    uint64_t keep, point;
} msw_assoc_turn;

typedef struct msw_assoc {
    uint64_t *tags;            /* by line; MSW_ASSOC_EMPTY where there is no key */
    uint64_t *stamps;          /* by line: time of last use (LRU) or fill (FIFO), 0 when empty */
    uint64_t *bits;            /* by set: tree or bit state, `words` each */
    msw_assoc_turn *turns;     /* by way: trees of one word */
    uint32_t *filled;          /* by set: ways in use */
    uint32_t *table;           /* hash index: line + 1, or 0 */
    uint32_t *newer, *older;   /* by line: neighbours in the set's order of use */
    uint32_t *newest, *oldest; /* by set */
    uint32_t sets, ways, words;
    uint32_t set_mask; /* sets - 1 where sets is a power of two, else 0 */
    uint32_t table_mask;
    msw_policy policy;
    bool tree_fills;
    uint64_t clock;
    msw_rng rng;
} msw_assoc;

/* Returns the bytes of memory that an array with this configuration needs. */
size_t msw_assoc_bytes(const msw_assoc_config *config);

/* Starts an empty array in `memory`. Returns 0, or -1 with what is wrong with the configuration. */
int msw_assoc_init(msw_assoc *assoc, const msw_assoc_config *config, void *memory, msw_err *err);

/* Maps a number (line number, page number) to a set. Returns the set. */
static inline uint32_t msw_assoc_set(const msw_assoc *assoc, uint64_t number)
{
    return assoc->set_mask || assoc->sets == 1 ? (uint32_t)number & assoc->set_mask
                                               : (uint32_t)(number % assoc->sets);
}

/* Looks for a key by hashing: the form that wide arrays take. Returns as msw_assoc_find. */
uint32_t msw_assoc_find_hashed(const msw_assoc *assoc, uint64_t key);

/* Where in a set a key is is unpredictable: four tags are compared without branches, which a chain
 * of conditions does not guarantee. Returns the way + 1, or 0. */
static inline uint32_t msw_assoc_scan_four(const uint64_t *tags, uint64_t key)
{
    return (uint32_t)(tags[0] == key) + 2 * (uint32_t)(tags[1] == key) +
           3 * (uint32_t)(tags[2] == key) + 4 * (uint32_t)(tags[3] == key); /* keys are unique */
}

/* Looks for a key, changing nothing; keys are unique over all sets. Returns its line or
 * MSW_ASSOC_NONE. */
static inline uint32_t msw_assoc_find(const msw_assoc *assoc, uint32_t set, uint64_t key)
{
    if (assoc->table)
        return msw_assoc_find_hashed(assoc, key);
    uint32_t base = set * assoc->ways, way = 0;
    const uint64_t *tags = assoc->tags + base;
    for (; way + 4 <= assoc->ways; way += 4) {
        uint32_t hit = msw_assoc_scan_four(tags + way, key);
        if (hit)
            return base + way + hit - 1;
    }
    for (; way < assoc->ways; way++)
        if (tags[way] == key)
            return base + way;
    return MSW_ASSOC_NONE;
}

/* Records a use or a fill, whatever the policy; owners call touch and insert. */
void msw_assoc_note(msw_assoc *assoc, uint32_t set, uint32_t line);

/* Tells the replacement policy that a line was used. */
static inline void msw_assoc_touch(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    const msw_assoc_turn *turn = assoc->turns + (line - set * assoc->ways);
    if (assoc->turns)
        assoc->bits[set] = (assoc->bits[set] & turn->keep) | turn->point;
    else if (assoc->policy == MSW_POLICY_LRU && assoc->stamps)
        assoc->stamps[line] = ++assoc->clock;
    else if (assoc->policy != MSW_POLICY_FIFO)
        msw_assoc_note(assoc, set, line);
}

/* Puts a key that is not there into one of the ways allowed by `ways` (bit = way; arrays of more
 * than 64 ways take MSW_WAYS_ALL only). `evicted` becomes the key that made room, or
 * MSW_ASSOC_EMPTY. Returns the line. */
uint32_t msw_assoc_insert(msw_assoc *assoc, uint32_t set, uint64_t key, uint64_t ways,
                          uint64_t *evicted);

/* Empties a line that holds a key; it will be filled first. */
void msw_assoc_remove(msw_assoc *assoc, uint32_t set, uint32_t line);

#endif
