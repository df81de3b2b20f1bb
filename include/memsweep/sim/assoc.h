/* SPDX-License-Identifier: MIT */
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
 *   SRRIP, BRRIP, DRRIP   re-reference interval prediction (Jaleel et al. 2010)
 * With `tree_fills` the tree also chooses among empty ways, as gem5's TreePLRU does. Rules in full:
 * docs/models/sim-assoc.md. */
#ifndef MEMSWEEP_SIM_ASSOC_H
#define MEMSWEEP_SIM_ASSOC_H

#include "memsweep/base/bits.h"
#include "memsweep/base/err.h"
#include "memsweep/base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_ASSOC_EMPTY UINT64_MAX /* no key may have this value */
#define MSW_ASSOC_NONE  UINT32_MAX

/* The mask of a fill that may take any way. Others: one bit per way, msw_ways_words words. */
#define MSW_WAYS_ALL ((const uint64_t *)NULL)

/* Returns the words of a way mask. */
static inline uint32_t msw_ways_words(uint32_t ways)
{
    return (ways + 63) / 64;
}

typedef enum msw_policy {
    MSW_POLICY_LRU,
    MSW_POLICY_FIFO,
    MSW_POLICY_TREE,
    MSW_POLICY_BIT,
    MSW_POLICY_RANDOM,
    MSW_POLICY_SRRIP,
    MSW_POLICY_BRRIP,
    MSW_POLICY_DRRIP,
} msw_policy;

/* How soon the key of a fill is used again, as far as its owner knows. */
typedef enum msw_insert {
    MSW_INSERT_POLICY, /* what the policy says */
    MSW_INSERT_NEAR,
    MSW_INSERT_LONG,
    MSW_INSERT_DISTANT, /* first to go */
} msw_insert;

/* Settings of the RRIP policies; 0 everywhere: those of the paper. */
typedef struct msw_rrip {
    uint8_t bits;        /* of a prediction, 1 to 7; 0: 2 */
    uint8_t psel_bits;   /* of the counter of DRRIP, 1 to 30; 0: 10 */
    bool count_hits;     /* a hit lowers the prediction by 1, not to 0 */
    bool long_random;    /* BRRIP draws; else it counts */
    uint32_t long_every; /* one BRRIP fill in so many is long, not distant; 0: 32 */
    uint32_t leaders;    /* sets that lead for each policy; 0: 32 or a quarter of the sets */
} msw_rrip;

typedef struct msw_assoc_config {
    uint32_t sets, ways; /* any number of sets; sets * ways below 2^30 */
    msw_policy policy;
    bool tree_fills;
    uint64_t seed; /* random policy, BRRIP that draws */
    msw_rrip rrip;
} msw_assoc_config;

/* What the use of a way makes of the tree or the matrix of its set: (bits & keep) | point. */
typedef struct msw_assoc_turn {
    uint64_t keep, point;
} msw_assoc_turn;

/* What a hit changes. */
typedef enum msw_assoc_use {
    MSW_USE_NOTHING,
    MSW_USE_ORDER, /* a word of up to 16 ways in order */
    MSW_USE_LIST,
    MSW_USE_TURN, /* a tree, or who is newer than whom, in one word */
    MSW_USE_BITS,
    MSW_USE_NEAR,   /* a prediction becomes 0, */
    MSW_USE_NEARER, /* or less by 1 */
} msw_assoc_use;

typedef struct msw_assoc {
    uint64_t *tags;        /* by line; MSW_ASSOC_EMPTY where there is no key */
    uint64_t *state;       /* by set, `words` each: what the policy remembers */
    msw_assoc_turn *turns; /* by way: see MSW_USE_TURN */
    uint32_t *filled;      /* by set: ways in use */
    uint32_t sets, ways, words;
    uint32_t set_mask; /* sets - 1 where sets is a power of two, else 0 */
    uint32_t table_mask;
    msw_policy policy;
    msw_assoc_use use;
    bool tree_fills;
    bool quick;                /* a full set is filled without a mask: by msw_assoc_replace */
    uint64_t *empty;           /* by set, a mask each: ways without a key */
    uint32_t *table;           /* hash index: line + 1, or 0 */
    uint32_t *newer, *older;   /* by line: neighbours in the set's order of use */
    uint32_t *newest, *oldest; /* by set */
    uint8_t *leads;            /* by set: 0 follows, 1 leads for SRRIP, 2 for BRRIP */
    uint64_t lanes;            /* RRIP: the ways in the last word of predictions, 1 per byte */
    uint32_t psel, psel_half;
    uint32_t since_long; /* BRRIP fills since the last long one */
    msw_rrip rrip;
    msw_rng rng;
} msw_assoc;

/* A key that is to be put in. */
typedef struct msw_assoc_entry {
    uint64_t key;
    const uint64_t *ways; /* mask */
    msw_insert insert;
} msw_assoc_entry;

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

/* The position of a way in a word of ways in order: 4 bits each, the newest lowest, every value
 * once. The lowest nibble that is 0 after the comparison is marked exactly; borrows only mark
 * higher ones. Returns the position of its lowest bit. */
static inline unsigned msw_assoc_recency_find(uint64_t order, uint32_t way)
{
    uint64_t nibbles = UINT64_MAX / 15, apart = order ^ nibbles * way;
    return msw_bits_lowest((apart - nibbles) & ~apart & nibbles << 3) & ~3u;
}

/* Moves a way of such a word to the front. Returns the word. */
static inline uint64_t msw_assoc_recency_newest(uint64_t order, uint32_t way)
{
    uint64_t newer = ((uint64_t)1 << msw_assoc_recency_find(order, way)) - 1;
    return (order & ~(newer << 4 | 15)) | (order & newer) << 4 | way;
}

/* The hits that take more than a few instructions; owners call touch. */
void msw_assoc_touch_more(msw_assoc *assoc, uint32_t set, uint32_t line);

/* Notes for the replacement policy that a line was used. */
static inline void msw_assoc_touch(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t way = line - set * assoc->ways;
    if (assoc->use == MSW_USE_TURN)
        assoc->state[set] = (assoc->state[set] & assoc->turns[way].keep) | assoc->turns[way].point;
    else if (assoc->use == MSW_USE_ORDER)
        assoc->state[set] = msw_assoc_recency_newest(assoc->state[set], way);
    else if (assoc->use == MSW_USE_NEAR)
        assoc->state[(size_t)set * assoc->words + way / 8] &= ~((uint64_t)255 << way % 8 * 8);
    else if (assoc->use != MSW_USE_NOTHING)
        msw_assoc_touch_more(assoc, set, line);
}

/* Puts a key that is not there into one of the allowed ways. `evicted` becomes the key that made
 * room, or MSW_ASSOC_EMPTY. Returns the line. */
uint32_t msw_assoc_enter(msw_assoc *assoc, uint32_t set, const msw_assoc_entry *entry,
                         uint64_t *evicted);

/* The same with what the policy says. Returns the line. */
uint32_t msw_assoc_insert(msw_assoc *assoc, uint32_t set, uint64_t key, const uint64_t *ways,
                          uint64_t *evicted);

/* Empties a line that holds a key; it will be filled first. */
void msw_assoc_remove(msw_assoc *assoc, uint32_t set, uint32_t line);

#endif
