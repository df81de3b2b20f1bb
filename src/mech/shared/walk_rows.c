/* SPDX-License-Identifier: MIT */
/* Choices that the MMU mechanisms share. */
#include "mech/shared/walk_rows.h"

const msw_choice msw_tlb_policies[MSW_POLICY_RANDOM + 2] = {
    [MSW_POLICY_LRU] = {.name = "lru", .doc = "least recently used"},
    [MSW_POLICY_FIFO] = {.name = "fifo", .doc = "filled longest ago"},
    [MSW_POLICY_TREE] = {.name = "tree",
                         .doc = "pseudo-LRU, a tree of bits; ways must be a power of two"},
    [MSW_POLICY_BIT] = {.name = "bit", .doc = "pseudo-LRU, one bit per way"},
    [MSW_POLICY_RANDOM] = {.name = "random", .doc = "any way"},
    {0},
};

const msw_choice msw_walker_choices[MSW_WALKER_SAME_PATH + 2] = {
    [MSW_WALKER_LONGEST_IDLE] = {.name = "longest_idle",
                                 .doc = "walkers take turns: with many of them each keeps a path "
                                        "of long ago"},
    [MSW_WALKER_WARMEST] = {.name = "warmest",
                            .doc = "the one that was busy last: few walkers keep fresh paths"},
    [MSW_WALKER_SAME_PATH] = {.name = "same_path_first",
                              .doc = "the one whose path shares most levels; of equals the "
                                     "warmest"},
    {0},
};
