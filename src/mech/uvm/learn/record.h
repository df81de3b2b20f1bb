/* SPDX-License-Identifier: MIT */
/* Private to uvm: the tables and functions of the record of predictors, and the metrics of how
 * good one is. */
#ifndef MSW_MECH_UVM_LEARN_RECORD_H
#define MSW_MECH_UVM_LEARN_RECORD_H

#include "mech/uvm/learn/network.h"

/* Names of the parameters that artifacts depend on. */
#define UVM_TRACE_DEPENDS                                                                          \
    "page_size", "sms", "sm_ctas", "sm_warps", "sm_shared", "sm_registers", "trace_walks",         \
        "trace_order"
#define UVM_NETWORK_DEPENDS                                                                        \
    UVM_TRACE_DEPENDS, "cluster", "features", "predict_distance", "repeats", "tokens", "network",  \
        "width", "delta_width", "layers", "heads", "feed", "attention", "shared_qk",               \
        "hash_rounds", "hash_buckets", "hash_far", "hash_near", "bypass", "head", "hidden",        \
        "numbers", "classes_most", "protocol", "train_share", "train_instructions", "visits",      \
        "enough", "train_batch", "learning_rate", "activations", "tune_words",                     \
        "tune_instructions", "dropout"
#define UVM_TUNED_DEPENDS UVM_NETWORK_DEPENDS, "tune_visits"

/* Rules across the parameters of a predictor. Returns 0, or -1. */
int uvm_predictor_check(const void *config, msw_err *err);

/* build.c: the artifacts. */
int uvm_build_trace(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);
int uvm_build_network(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int uvm_build_corpus(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);
int uvm_build_answers(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int uvm_build_predictions(const msw_task *task, const void *extra, msw_arena *arena,
                          const void **root, msw_err *err);
int uvm_read_network(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                     const void **root, msw_err *err);
double uvm_network_cost(const msw_task *task);

/* tune.c */
int uvm_build_tuned(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);
int uvm_read_tuned(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                   const void **root, msw_err *err);
double uvm_tuned_cost(const msw_task *task);

/* Returns what a task was trained: a network of its own, or that of the corpus and what became of
 * it; NULL when there is no memory. */
uvm_trained *uvm_trained_of(const msw_task *task, msw_arena *arena);

/* Two records have the artifacts, each at numbers of its own. */
const void *uvm_artifact_of(const msw_task *task, const char *name);
const uvm_learner *uvm_predictor_of(const msw_task *task);

enum {
    UVM_S_TOP1,
    UVM_S_TOP10,
    UVM_S_F1,
    UVM_S_ASKED,
    UVM_S_RIGHT,
    UVM_S_RIGHT10,
    UVM_S_F1_SUM,
    UVM_S_KNOWN,
    UVM_S_KNOWN_SHARE,
    UVM_S_WALKS,
    UVM_S_LEARNED,
    UVM_S_VISITS,
    UVM_S_CLASSES,
    UVM_S_DOMINANT,
    UVM_S_CONVERGENCE,
    UVM_S_BYPASSED,
    UVM_S_WEIGHTS,
    UVM_S_WEIGHT_BYTES,
    UVM_S_OUTPUT_BYTES,
    UVM_S_PRODUCTS,
    UVM_S_DOTS,
    UVM_S_DOTS_FULL,
    UVM_S_HASHES,
    UVM_S_LARGEST,
    UVM_S_MARKOV_RIGHT,
    UVM_S_MARKOV,
    UVM_S_TABLE_RIGHT,
    UVM_S_TABLE,
    UVM_S_SAME_RIGHT,
    UVM_S_SAME,
    UVM_S_STRIDE_RIGHT,
    UVM_S_STRIDE,
    UVM_S_FLOOR_RIGHT,
    UVM_S_FLOOR,
    UVM_S_TOP1_KNOWN,
    UVM_S_TUNINGS,
    UVM_S_INSTRUCTIONS,
    UVM_S_METRICS,
};

/* Fills in all totals. Returns 0, or -1 with `err`. */
int uvm_score(const uvm_learner *p, const uvm_trained *trained, const uvm_samples *samples,
              const uvm_answers *answers, msw_arena *arena, double *totals, msw_err *err);

#endif
