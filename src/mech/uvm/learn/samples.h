/* SPDX-License-Identifier: MIT */
/* Private to uvm: what a predictor is taught and asked: sequences of walks of one cluster.
 *
 * A sample is a walk n of a cluster that has one before it and one `distance` after it; its tokens
 * are the 30 walks up to n, its label the page difference from n to n + distance. Tokens before the
 * first walk of a cluster are zeros. */
#ifndef MSW_MECH_UVM_SAMPLES_H
#define MSW_MECH_UVM_SAMPLES_H

#include "mech/uvm/learn/predictor.h"
#include "mech/uvm/learn/trace.h"
#include "mech/uvm/learn/words.h"

enum { UVM_TOKENS = 30, UVM_MOST_CLASSES = 16384 };

/* What a predictor knows about its inputs and answers. */
typedef struct uvm_vocabulary {
    uvm_words of[UVM_FEATURES]; /* those in use */
    uvm_words labels;           /* class 0: others */
} uvm_vocabulary;

typedef struct uvm_samples {
    const uvm_learner *how;
    unsigned features; /* bits */
    const uvm_trace *trace;
    uint32_t *before; /* [row] of its cluster, + 1; 0: none */
    uint32_t *after;  /* [row] the same; UINT32_MAX: the row is of no cluster (a repeat) */
    uint32_t *rows;   /* [sample] */
    size_t count;
    uint32_t *labels; /* [sample] class */
    uint32_t *values; /* [row][feature in use] */
    uint32_t feature_count;
    uint32_t *learned, *asked; /* samples, in order of time */
    size_t learned_count, asked_count;
    uint64_t seed;
} uvm_samples;

/* Returns a number of the cluster of a walk, below 2^40. */
uint64_t uvm_cluster_key(const uvm_walked *row, int64_t cluster);

/* Cuts a trace into samples. Returns them, or NULL with `err`. */
uvm_samples *uvm_samples_of(const uvm_learner *how, const uvm_trace *trace, uint64_t seed,
                            msw_arena *arena, msw_err *err);

/* Makes the vocabulary of what is learned from. `dominant` gets how many samples have the commonest
 * label. Returns 0, or -1 with `err`. */
int uvm_vocabulary_of(const uvm_samples *samples, msw_arena *arena, uvm_vocabulary *words,
                      size_t *dominant, msw_err *err);

/* The same with what these samples add to an older one, as far as tables have room. */
int uvm_vocabulary_grow(const uvm_samples *samples, const uvm_vocabulary *old, msw_arena *arena,
                        uvm_vocabulary *words, msw_err *err);

/* Returns how many words a table of a network has room for. */
size_t uvm_words_room(const uvm_learner *how, const uvm_words *words);

/* Learned from is what begins and has its label in these thousands (1024) of instructions. */
void uvm_samples_between(uvm_samples *samples, uint32_t first, uint32_t end);

/* Expresses samples in a vocabulary. Returns 0, or -1 with `err`. */
int uvm_samples_express(uvm_samples *samples, const uvm_vocabulary *words, msw_arena *arena,
                        msw_err *err);

/* The page difference of a sample's label, and a feature of a row as it is. */
int64_t uvm_sample_delta(const uvm_samples *samples, size_t sample);
int64_t uvm_feature(const uvm_samples *samples, size_t row, int feature);

/* An msw_net_fetch. */
uint32_t uvm_sample_fetch(const void *samples, uint64_t sample, uint32_t *tokens);

#endif
