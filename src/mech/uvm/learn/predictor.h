/* SPDX-License-Identifier: MIT */
/* Private to uvm: what can be set of a predictor of pages. Rules: learn/README.md. */
#ifndef MSW_MECH_UVM_PREDICTOR_H
#define MSW_MECH_UVM_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
