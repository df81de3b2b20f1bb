/* SPDX-License-Identifier: MIT */
/* Private to uvm: what can be set, the numbers of the metrics, the functions of the record. */
#ifndef MSW_MECH_UVM_MODEL_H
#define MSW_MECH_UVM_MODEL_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/param/param.h"

#include <stdbool.h>
#include <stdint.h>

/* What can be set, of the machine and of a predictor of pages (learn/README.md). */

typedef struct uvm_learner {
    /* what it sees */
    int64_t cluster, features, distance, repeats, shuffle, trace_walks, trace_order;
    /* what it is */
    int64_t network, width, delta_width, layers, heads, feed, attention, shared, rounds, buckets;
    double far, near, bypass;
    int64_t pooled, hidden, numbers, activations, classes;
    /* how it learns, and what it is asked */
    int64_t protocol, train_instructions, visits, batch, tested;
    double train_share, rate, enough, drop;
    int64_t tune_instructions, tune_visits, tune_words;
} uvm_learner;

enum {
    UVM_CLUSTER_SM,
    UVM_CLUSTER_SM_WARP,
    UVM_CLUSTER_PC,
    UVM_CLUSTER_KERNEL,
    UVM_CLUSTER_CTA,
    UVM_CLUSTER_WARP
};
enum { UVM_REPEATS_DROPPED, UVM_REPEATS_KEPT };
enum { UVM_ORDERED, UVM_SHUFFLED };
enum { UVM_IN_TURN, UVM_TIMED_TREE, UVM_TIMED_DEMAND };
enum { UVM_P1_PRINTED, UVM_P1_HONEST, UVM_P2, UVM_P3 };
enum { UVM_WORDS_KEPT, UVM_WORDS_ADDED };

/* Features of a token, in order. */
enum {
    UVM_F_DELTA,
    UVM_F_PC,
    UVM_F_PAGE,
    UVM_F_HIT,
    UVM_F_WARP,
    UVM_F_SM,
    UVM_F_TPC,
    UVM_F_CTA,
    UVM_F_BLOCK,
    UVM_F_ROOT,
    UVM_F_ARRAY,
    UVM_F_DELTA_BLOCK,
    UVM_F_DELTA_ROOT,
    UVM_FEATURES,
};

/* Choices of `features` beyond the single ones: all of them, delta and PC, these and the page. */
enum { UVM_F_ALL = UVM_FEATURES, UVM_F_DELTA_PC, UVM_F_DELTA_PC_PAGE };

/* Whether a predictor of the corpus goes on learning. */
static inline bool uvm_is_tuned(const uvm_learner *p)
{
    return p->protocol == UVM_P3 && p->tune_instructions;
}

/* Returns how often it does, in whole thousands (1024) of instructions, as a trace counts them. */
static inline uint32_t uvm_tune_every(const uvm_learner *p)
{
    uint64_t every = (uint64_t)p->tune_instructions >> 10;
    return !every ? 1 : every < UINT32_MAX ? (uint32_t)every : UINT32_MAX;
}

/* Returns the features in use, as bits. */
unsigned uvm_features_of(const uvm_learner *p);

/* A field for each parameter; meaning, unit and source of each are in params.c. Choices hold the
 * numbers of the enums below. */
typedef struct uvm_config {
    int64_t prefetcher;
    double tree_share;
    int64_t fault_brings, predict_on, predict_by, predict_unit, predict_degree;
    int64_t predict_entries, predict_server, predict_queue;
    double predict_ns, oracle_accuracy;
    int64_t fault_charge;
    double fault_ns;
    int64_t batch_faults, fault_registers, replay, replay_walks;
    int64_t link;
    double link_bandwidth;
    int64_t link_cycles;
    double link_pj_per_bit;
    int64_t page_size;
    int64_t tlb_entries, tlb_cycles, walk_cycles, merge_walks, walk_of;
    int64_t memory_cycles, memory_spread, path_cycles;
    double memory_lines, sm_lines;
    int64_t sm_queue;
    double clock_ghz;
    int64_t sms, schedulers, sm_ctas, sm_warps, sm_shared, sm_registers, issue_cycles, fault_wait,
        cta_end, cta_gap, launch_from, answers;
    double oversubscription;
    int64_t eviction, block_order, victims, victims_leave, write_back;
    double reserve_share, free_share;
    int64_t prefetch_when_full, full_prefetcher, smart_runtime;
    int64_t migration, migrate_threshold, migrate_penalty, remote_cycles;
    double remote_bandwidth;
    int64_t remote_translations;
    int64_t counter_threshold, counter_granularity, counter_batch;
    int64_t thrash, thrash_events, thrash_naps;
    double thrash_lapse_ns, thrash_nap_ns, thrash_pin_ns;
    int64_t launch_cycles, sync, sync_resets_tree, host_access;
    int64_t touch;
    double run_share;
    int64_t predict_holds, predict_asks;
    int64_t page_trace;
    uvm_learner learner;
} uvm_config;

enum {
    UVM_NONE,
    UVM_BULK,
    UVM_USER,
    UVM_BLOCK,
    UVM_TREE,
    UVM_TREE_DRIVER,
    UVM_RANDOM,
    UVM_CROSS_BLOCK,
    UVM_SEQUENTIAL,
    UVM_LAST_DELTA,
    UVM_STRIDE,
    UVM_MARKOV1,
    UVM_MARKOV2,
    UVM_BEST_OFFSET,
    UVM_MULTI_STRIDE,
    UVM_ORACLE,
    UVM_LEARNED,
    UVM_PREFETCHERS,
};
enum { UVM_PER_PAGE, UVM_PER_BLOCK };
enum { UVM_ON_FAULT, UVM_ON_WALK };
enum { UVM_BY_SM, UVM_BY_WARP };
enum { UVM_SERVER_SERIAL, UVM_SERVER_PIPELINED };
enum { UVM_EXCLUDED, UVM_SERIAL, UVM_BATCHED };
enum { UVM_PCIE3, UVM_PCIE4, UVM_PCIE5, UVM_FIXED };
enum { UVM_WALK_LINE, UVM_WALK_PAGE };
enum { UVM_WAIT_USE, UVM_WAIT_ACCESS };
enum { UVM_END_ACCESSES, UVM_END_LINK };
enum { UVM_FROM_NEXT, UVM_FROM_FIRST };
enum { UVM_ANSWERS_ONE, UVM_ANSWERS_ALL };
enum {
    UVM_LRU_CHUNK,
    UVM_LFU_CHUNK,
    UVM_EVICT_TREE,
    UVM_LRU_BLOCK,
    UVM_RANDOM_PAGE,
    UVM_LRU_PAGE,
    UVM_ROOT_CHUNK,
};
enum { UVM_ORDER_TREES, UVM_ORDER_LIST };
enum { UVM_VICTIMS_IDLE, UVM_VICTIMS_ANY };
enum { UVM_LEAVE_BEGIN, UVM_LEAVE_CHOSEN };
enum { UVM_WRITE_ALL, UVM_WRITE_DIRTY };
enum { UVM_FULL_SAME, UVM_FULL_BLOCK, UVM_FULL_TREE, UVM_FULL_RANDOM };
enum {
    UVM_FIRST_TOUCH,
    UVM_ZERO_COPY,
    UVM_DELAYED,
    UVM_DELAYED_WHEN_FULL,
    UVM_ADAPTIVE,
    UVM_COUNTERS,
};
enum { UVM_REPLAY_PAGE, UVM_REPLAY_BATCH };
enum { UVM_THRASH_OFF, UVM_THRASH_HOST, UVM_THRASH_ALL };
enum { UVM_SYNC_WAITS, UVM_SYNC_DIRTY };
enum { UVM_HOST_IGNORED, UVM_HOST_MIGRATES };
enum { UVM_REQUESTED, UVM_ANSWERED };
enum { UVM_TRACE_NONE, UVM_TRACE_FIRST, UVM_TRACE_WALK, UVM_TRACE_ALL };
enum { UVM_HOLDS_PREDICTED, UVM_HOLDS_FAULT };
enum { UVM_ASKS_SHARED, UVM_ASKS_WALKS };

enum { UVM_BLOCK_BYTES = 64 << 10, UVM_CHUNK_BYTES = 2 << 20 };

extern const msw_param uvm_params[];

/* The numbers of the metrics. */

enum {
    UVM_CYCLES,
    UVM_CHARGED,
    UVM_BUSY,
    UVM_MEMORY,
    UVM_FAULT_WAIT,
    UVM_LAUNCH,
    UVM_HOST,
    UVM_INSTRUCTIONS,
    UVM_IPC,
    UVM_WARP_INSTRUCTIONS,
    UVM_ACCESSES,
    UVM_LINES_ASKED,
    UVM_TLB_HITS,
    UVM_TLB_MISSES,
    UVM_WALKS,
    UVM_WALK_HITS,
    UVM_HIT_RATE,
    UVM_JOINED,
    UVM_FAULTS,
    UVM_TOUCHED,
    UVM_FIRST,
    UVM_FIRST_MET,
    UVM_LATE,
    UVM_PAGES_IN,
    UVM_PAGES_USED,
    UVM_PAGES_AHEAD,
    UVM_AHEAD_USED,
    UVM_A1,
    UVM_A2,
    UVM_C1,
    UVM_C2,
    UVM_UNITY,
    UVM_AGAIN,
    UVM_PAGES_BACK,
    UVM_PREDICTED,
    UVM_DROPPED,
    UVM_STATE,
    UVM_EVICTIONS,
    UVM_EVICTED,
    UVM_REMOTE,
    UVM_STALLED,
    UVM_NOTICES,
    UVM_NAPS,
    UVM_PINS,
    UVM_BYTES_IN,
    UVM_BYTES_OUT,
    UVM_TRANSFERS,
    UVM_LINK_IN,
    UVM_LINK_OUT,
    UVM_LINK_BUSY,
    UVM_LINK_RATE,
    UVM_ENERGY,
    UVM_METRICS,
};

enum {
    UVM_ARTIFACT_STREAM,
    UVM_ARTIFACT_LAYOUT,
    UVM_ARTIFACT_LINK,
    UVM_ARTIFACT_ORDER,
    UVM_ARTIFACT_VISITS,
    UVM_ARTIFACT_FUTURE,
    UVM_ARTIFACT_TRACE,
    UVM_ARTIFACT_NETWORK,
    UVM_ARTIFACT_CORPUS_NETWORK,
    UVM_ARTIFACT_TUNED_NETWORK,
    UVM_ARTIFACT_PREDICTIONS,
};
enum { UVM_DETAIL_LINK, UVM_DETAIL_PAGES };

extern const msw_metric uvm_metrics[];
extern const msw_self_check uvm_checks[];

int uvm_build_link(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err);

int uvm_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int uvm_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_unit_out *out,
                msw_err *err);
int uvm_analytic(const msw_task *task, double *metrics, msw_err *err);
void uvm_derive(const msw_task *task, double *metrics);

#endif
