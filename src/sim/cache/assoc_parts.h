/* SPDX-License-Identifier: MIT */
/* Declares what the files of assoc share: the hash index and order of use of wide sets, and the
 * policies. */
#ifndef MSW_SIM_CACHE_ASSOC_PARTS_H
#define MSW_SIM_CACHE_ASSOC_PARTS_H

#include "memsweep/sim/assoc.h"

/* The RRIP policies (assoc_rrip.c): whether a policy is one, what is wrong with its settings, its
 * first state, a hit that counts, the victim (other ways age), the prediction of a new line; both
 * in one step in a set of one word. */
static inline bool msw_assoc_is_rrip(msw_policy policy)
{
    return policy >= MSW_POLICY_SRRIP && policy <= MSW_POLICY_DRRIP;
}

int msw_assoc_rrip_check(const msw_assoc_config *config, msw_err *err);
void msw_assoc_rrip_init(msw_assoc *assoc);
void msw_assoc_rrip_nearer(msw_assoc *assoc, uint32_t set, uint32_t way);
uint32_t msw_assoc_rrip_victim(msw_assoc *assoc, uint32_t set, const uint64_t *ways);
void msw_assoc_rrip_predict(msw_assoc *assoc, uint32_t set, uint32_t way, msw_insert insert);
uint32_t msw_assoc_rrip_replace(msw_assoc *assoc, uint32_t set, msw_insert insert);

#define MSW_ASSOC_BYTES (UINT64_MAX / 255) /* 1 in every byte */

enum { MSW_ASSOC_MATRIX_WAYS = 8 }; /* this many ways fit a word that says who is newer than whom */

/* 8 bits as 8 bytes of 0 or 1. */
static inline uint64_t msw_assoc_spread(uint64_t bits)
{
    uint64_t apart = bits * MSW_ASSOC_BYTES & 0x8040201008040201u;
    return (apart + 0x7f * MSW_ASSOC_BYTES) >> 7 & MSW_ASSOC_BYTES;
}

/* The `count` lowest bits, 0 to 64. */
static inline uint64_t msw_assoc_low_bits(uint64_t count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* Whether the next fill of a set without a mask is one of msw_assoc_replace: no empty way, no
 * index to keep, one word of state. */
static inline bool msw_assoc_is_quick(const msw_assoc *assoc, uint32_t set)
{
    return assoc->quick && assoc->filled[set] == assoc->ways;
}

/* Puts a key into such a set: what msw_assoc_enter does, in one step. Returns the line. */
uint32_t msw_assoc_replace(msw_assoc *assoc, uint32_t set, uint64_t key, msw_insert insert,
                           uint64_t *evicted);

/* Starts the order of use or of fills. */
void msw_assoc_recency_init(msw_assoc *assoc);

/* What the use of a way makes of a tree of at most 64 ways. */
msw_assoc_turn msw_assoc_tree_turn(uint32_t ways, uint32_t way);

/* Chooses the line that a new key takes. Returns it. */
uint32_t msw_assoc_choose(msw_assoc *assoc, uint32_t set, const msw_assoc_entry *entry);

/* Ranks a line that was filled among those of its set. */
void msw_assoc_rank(msw_assoc *assoc, uint32_t set, uint32_t line, const msw_assoc_entry *entry);

#endif
