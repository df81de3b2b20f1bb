/* SPDX-License-Identifier: MIT */
/* Private to uvm: the values of parameters that are chosen from a list. params.c includes it. */
#ifndef MSW_MECH_UVM_CHOICES_H
#define MSW_MECH_UVM_CHOICES_H

#include "mech/uvm/model.h"

#include "memsweep/param/param.h"

static const msw_choice PREFETCHERS[] = {
    [UVM_NONE] = {.name = "none", .doc = "a fault brings its page"},
    [UVM_BULK] = {.name = "bulk", .doc = "all managed arrays are copied before the first launch"},
    [UVM_USER] = {.name = "user",
                  .doc = "the same, but the first launch does not wait: pages come in order of the "
                         "arrays"},
    [UVM_BLOCK] = {.name = "block", .doc = "a fault brings its block of 64 KiB"},
    [UVM_TREE] = {.name = "tree",
                  .doc = "blocks, and nodes of a tree over 2 MiB that get fuller than tree_share, "
                         "upwards (UVMSmart)"},
    [UVM_TREE_DRIVER] = {.name = "tree_driver",
                         .doc = "blocks, and the largest node that is fuller than tree_share (open "
                                "driver of NVIDIA)"},
    [UVM_RANDOM] = {.name = "random",
                    .doc = "a fault brings its page and another of its 2 MiB, drawn at random"},
    [UVM_CROSS_BLOCK] = {.name = "cross_block",
                         .doc = "tree, and the next 2 MiB of the allocation when a tree is full"},
    [UVM_SEQUENTIAL] = {.name = "sequential", .doc = "predicts the next pages"},
    [UVM_LAST_DELTA] = {.name = "last_delta", .doc = "predicts the last distance again"},
    [UVM_STRIDE] = {.name = "stride", .doc = "predicts by the stride of each load and store"},
    [UVM_MARKOV1] = {.name = "markov1", .doc = "predicts by what followed the last difference"},
    [UVM_MARKOV2] = {.name = "markov2", .doc = "predicts by what followed the last two"},
    [UVM_BEST_OFFSET] = {.name = "best_offset", .doc = "predicts by the offset that fitted best"},
    [UVM_MULTI_STRIDE] = {.name = "multi_stride",
                          .doc = "predicts by four strides in each of four regions, as far as each "
                                 "is likely"},
    [UVM_ORACLE] = {.name = "oracle", .doc = "knows in which order pages are touched first"},
    [UVM_LEARNED] = {.name = "learned", .doc = "predicts as a trained predictor does"},
    {0},
};

static const msw_choice HOLDS[] = {
    [UVM_HOLDS_PREDICTED] = {.name = "predicted", .doc = "what is predicted"},
    [UVM_HOLDS_FAULT] = {.name = "fault",
                         .doc = "the fault that asked for it and what comes with it, too"},
    {0},
};

static const msw_choice ASKS[] = {
    [UVM_ASKS_SHARED] = {.name = "shared",
                         .doc = "first walks of pages in an order that no policy changes: once for "
                                "all policies"},
    [UVM_ASKS_WALKS] = {.name = "walks",
                        .doc =
                            "the walks of the replay as they end (in the closed form as shared)"},
    {0},
};

static const msw_choice UNITS[] = {
    [UVM_PER_PAGE] = {.name = "page", .doc = "a page"},
    [UVM_PER_BLOCK] = {.name = "block", .doc = "its block of 64 KiB"},
    {0},
};

static const msw_choice TRIGGERS[] = {
    [UVM_ON_FAULT] = {.name = "fault", .doc = "a far fault"},
    [UVM_ON_WALK] = {.name = "walk", .doc = "every walk that ends"},
    {0},
};

static const msw_choice CLUSTERS[] = {
    [UVM_BY_SM] = {.name = "sm", .doc = "those of an SM"},
    [UVM_BY_WARP] = {.name = "warp", .doc = "those of a warp"},
    {0},
};

static const msw_choice SERVERS[] = {
    [UVM_SERVER_SERIAL] = {.name = "serial", .doc = "one after the other"},
    [UVM_SERVER_PIPELINED] = {.name = "pipelined", .doc = "any number at once"},
    {0},
};

static const msw_choice CHARGES[] = {
    [UVM_EXCLUDED] = {.name = "excluded",
                      .doc = "faults take no time; cycles_charged adds them up afterwards"},
    [UVM_SERIAL] = {.name = "serial",
                    .doc = "each fault holds the link's read queue before its transfer"},
    [UVM_BATCHED] = {.name = "batched",
                     .doc =
                         "a handler takes up to batch_faults at once, one batch after the other"},
    {0},
};

static const msw_choice LINKS[] = {
    [UVM_PCIE3] = {.name = "pcie3", .doc = "PCIe 3.0 x16, bandwidth by size of transfer"},
    [UVM_PCIE4] = {.name = "pcie4", .doc = "PCIe 4.0 x16, bandwidth by size of transfer"},
    [UVM_PCIE5] = {.name = "pcie5", .doc = "PCIe 5.0 x16, bandwidth by size of transfer"},
    [UVM_FIXED] = {.name = "fixed", .doc = "link_bandwidth, whatever the size"},
    {0},
};

static const msw_choice WALKS_OF[] = {
    [UVM_WALK_LINE] = {.name = "line",
                       .doc = "each line of 128 B that misses the TLB is walked for"},
    [UVM_WALK_PAGE] = {.name = "page", .doc = "lines of one instruction on one page share a walk"},
    {0},
};

static const msw_choice WAITS[] = {
    [UVM_WAIT_USE] = {.name = "use", .doc = "a warp waits where an instruction uses the value"},
    [UVM_WAIT_ACCESS] = {.name = "access",
                         .doc = "a warp waits until all pages of its access are there"},
    {0},
};

static const msw_choice CTA_ENDS[] = {
    [UVM_END_ACCESSES] = {.name = "accesses", .doc = "its own accesses"},
    [UVM_END_LINK] = {.name = "link", .doc = "and until nothing is on the link or waits for it"},
    {0},
};

static const msw_choice FROMS[] = {
    [UVM_FROM_NEXT] = {.name = "next", .doc = "the SM after the one that took the last CTA"},
    [UVM_FROM_FIRST] = {.name = "first", .doc = "SM 0"},
    {0},
};

static const msw_choice ANSWERS[] = {
    [UVM_ANSWERS_ONE] = {.name = "one",
                         .doc = "one per cycle, those that have waited longest first"},
    [UVM_ANSWERS_ALL] = {.name = "all", .doc = "all that are there"},
    {0},
};

static const msw_choice EVICTIONS[] = {
    [UVM_LRU_CHUNK] = {.name = "lru_chunk", .doc = "the chunk of 2 MiB touched longest ago"},
    [UVM_LFU_CHUNK] = {.name = "lfu_chunk", .doc = "the chunk with the fewest accesses"},
    [UVM_EVICT_TREE] = {.name = "tree",
                        .doc =
                            "the oldest block of the chunk touched longest ago, and nodes of its "
                            "tree that get emptier than half"},
    [UVM_LRU_BLOCK] = {.name = "lru_block",
                       .doc = "the block of 64 KiB touched longest ago, in block_order"},
    [UVM_RANDOM_PAGE] = {.name = "random_page", .doc = "a page drawn at random"},
    [UVM_LRU_PAGE] = {.name = "lru_page", .doc = "the page touched longest ago"},
    [UVM_ROOT_CHUNK] = {.name = "root_chunk",
                        .doc = "the chunk that came first, whenever touched (open driver)"},
    {0},
};

static const msw_choice ORDERS[] = {
    [UVM_ORDER_TREES] = {.name = "trees",
                         .doc = "of the chunk touched longest ago its oldest (UVMSmart)"},
    [UVM_ORDER_LIST] = {.name = "list", .doc = "the oldest of all (textbook LRU)"},
    {0},
};

static const msw_choice VICTIMS[] = {
    [UVM_VICTIMS_IDLE] = {.name = "idle",
                          .doc =
                              "units of which all pages are here, and none is in use (UVMSmart)"},
    [UVM_VICTIMS_ANY] = {.name = "any", .doc = "any unit, what is here of it (open driver)"},
    {0},
};

static const msw_choice LEAVES[] = {
    [UVM_LEAVE_BEGIN] = {.name = "begin",
                         .doc =
                             "when its write-back begins, which frees its room; an access before "
                             "that keeps it (UVMSmart)"},
    [UVM_LEAVE_CHOSEN] = {.name = "chosen",
                          .doc = "at once; its room is free when it is written back (open driver)"},
    {0},
};

static const msw_choice FULL_PREFETCHERS[] = {
    [UVM_FULL_SAME] = {.name = "same", .doc = "the same"},
    [UVM_FULL_BLOCK] = {.name = "block", .doc = "block"},
    [UVM_FULL_TREE] = {.name = "tree", .doc = "tree"},
    [UVM_FULL_RANDOM] = {.name = "random", .doc = "random"},
    {0},
};

static const msw_choice WRITE_BACKS[] = {
    [UVM_WRITE_ALL] = {.name = "all", .doc = "all"},
    [UVM_WRITE_DIRTY] = {.name = "dirty", .doc = "those written"},
    {0},
};

static const msw_choice MIGRATIONS[] = {
    [UVM_FIRST_TOUCH] = {.name = "first_touch", .doc = "at its first access"},
    [UVM_ZERO_COPY] = {.name = "zero_copy", .doc = "never: pinned to the host"},
    [UVM_DELAYED] = {.name = "delayed",
                     .doc = "at a write, or when its block has had migrate_threshold accesses"},
    [UVM_DELAYED_WHEN_FULL] = {.name = "delayed_when_full",
                               .doc = "first touch until memory is short, then delayed"},
    [UVM_ADAPTIVE] = {.name = "adaptive",
                      .doc = "delayed, with a threshold that grows with the memory in use, then "
                             "with the evictions of the chunk"},
    [UVM_COUNTERS] = {.name = "counters",
                      .doc = "nothing faults; a handler fetches the blocks of a granule that has "
                             "had counter_threshold remote accesses"},
    {0},
};

static const msw_choice REPLAYS[] = {
    [UVM_REPLAY_PAGE] = {.name = "page", .doc = "its transfer is over"},
    [UVM_REPLAY_BATCH] = {.name = "batch",
                          .doc = "all transfers of its batch are over (fault_charge: batched)"},
    {0},
};

static const msw_choice THRASHES[] = {
    [UVM_THRASH_OFF] = {.name = "off", .doc = "nothing"},
    [UVM_THRASH_HOST] = {.name = "host",
                         .doc = "pages that host and device take from each other (open driver)"},
    [UVM_THRASH_ALL] = {.name = "all", .doc = "these, and pages that are evicted and come again"},
    {0},
};

static const msw_choice SYNCS[] = {
    [UVM_SYNC_WAITS] = {.name = "waits", .doc = "pages stay where they are"},
    [UVM_SYNC_DIRTY] = {.name = "dirty",
                        .doc = "pages that the device has written go back to the host"},
    {0},
};

static const msw_choice HOSTS[] = {
    [UVM_HOST_IGNORED] = {.name = "ignored", .doc = "pages stay where they are"},
    [UVM_HOST_MIGRATES] = {.name = "migrates", .doc = "pages that the host touches go back to it"},
    {0},
};

static const msw_choice PAGE_TRACES[] = {
    [UVM_TRACE_NONE] = {.name = "none", .doc = "nothing"},
    [UVM_TRACE_FIRST] = {.name = "first", .doc = "walks that ask for a page first"},
    [UVM_TRACE_WALK] = {.name = "walk", .doc = "all walks, when they end"},
    [UVM_TRACE_ALL] = {.name = "all",
                       .doc = "all lines of managed arrays, when they are looked up"},
    {0},
};

static const msw_choice TOUCHES[] = {
    [UVM_REQUESTED] = {.name = "requested", .doc = "a page is touched when its walk ends"},
    [UVM_ANSWERED] = {.name = "answered", .doc = "a page is touched when it answers"},
    {0},
};

#endif
