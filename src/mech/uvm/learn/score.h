/* SPDX-License-Identifier: MIT */
/* Private to uvm: how good a predictor is, and what cheap tables of the same size reach. */
#ifndef MSW_MECH_UVM_SCORE_H
#define MSW_MECH_UVM_SCORE_H

#include "mech/uvm/learn/network.h"

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
    UVM_S_TOP1_KNOWN,
    UVM_S_TUNINGS,
    UVM_S_INSTRUCTIONS,
    UVM_S_METRICS,
};

/* Fills in all totals. Returns 0, or -1 with `err`. */
int uvm_score(const uvm_learner *p, const uvm_taught *taught, const uvm_samples *samples,
              const uvm_answers *answers, msw_arena *arena, double *totals, msw_err *err);

/* The baselines: a table of `bytes`, taught the samples learned from in order of time, then asked.
 * `pairs`: indexed by the last two differences, else by PC and the last. Returns how often it is
 * right, or -1 when memory runs out. */
double uvm_baseline(const uvm_samples *samples, uint64_t bytes, bool pairs, msw_arena *arena);

#endif
