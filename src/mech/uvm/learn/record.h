/* SPDX-License-Identifier: MIT */
/* Private to uvm: the tables and functions of the record of predictors. */
#ifndef MSW_MECH_UVM_LEARN_RECORD_H
#define MSW_MECH_UVM_LEARN_RECORD_H

#include "mech/uvm/learn/score.h"

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

enum {
    UVM_L_STREAM,
    UVM_L_LAYOUT,
    UVM_L_TRACE,
    UVM_L_NETWORK,
    UVM_L_CORPUS,
    UVM_L_TUNED,
    UVM_L_ANSWERS
};

extern const msw_param uvm_predictor_params[];
extern const msw_metric uvm_predictor_metrics[];

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

/* Returns what a task was taught: a network of its own, or that of the corpus and what became of
 * it; NULL when there is no memory. */
uvm_taught *uvm_taught_of(const msw_task *task, msw_arena *arena);

/* Two records have the artifacts, each at numbers of its own. */
const void *uvm_artifact_of(const msw_task *task, const char *name);
const uvm_learner *uvm_predictor_of(const msw_task *task);

#endif
