/* SPDX-License-Identifier: MIT */
/* Private to uvm: from the page walks of a program to the samples that a predictor is trained on
 * and asked about.
 *
 * A trace has the walks in one order for all policies. Warps in turn: CTAs run in waves of as
 * many as fit, each warp does a record in its turn: the order of the closed form. A walk is a
 * page that the TLB of its SM does not hold; what is filled in a turn is there from the next turn
 * on, so that warps which miss together walk each. TLBs forget nothing. In order of time: walks
 * as they end in the machine of the record's defaults, which brings pages as the tree does, or
 * one by one.
 *
 * A vocabulary numbers the values that a predictor knows.
 *
 * A sample is a walk n of a cluster that has one before it and one `distance` after it; its
 * tokens are the 30 walks up to n, its label the page difference from n to n + distance. Tokens
 * before the first walk of a cluster are zeros. */
#ifndef MSW_MECH_UVM_SAMPLES_H
#define MSW_MECH_UVM_SAMPLES_H

#include "mech/uvm/model.h"
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/stream/stream.h"

#include "memsweep/base/arena.h"
#include "memsweep/base/flat.h"
#include "memsweep/mech/mechanism.h"

typedef struct uvm_trace_row {
    uint32_t page, cta, at; /* at: thousands (1024) of instructions of threads so far */
    uint32_t chunk;
    uint16_t launch, pc; /* pc: which access of which kernel */
    uint8_t sm, warp;    /* warp: of the SM */
    uint8_t hit;         /* some SM had touched the page; in order of time: it is here */
    uint8_t first;       /* nobody had row for the page */
    uint8_t program;     /* of a corpus */
} uvm_trace_row;

typedef struct uvm_trace {
    const uvm_trace_row *rows;
    size_t count;
    uint32_t end; /* `at` of the last row and 1 */
} uvm_trace;

/* What a trace is made of. */
typedef struct uvm_traced {
    const uvm_config *config;
    const uvm_stream *stream;
    const uvm_layout *layout;
    size_t most;          /* walks; later ones are left out */
    const msw_task *task; /* of the point */
} uvm_traced;

/* Rows as they come. */
typedef struct uvm_rows {
    uvm_trace_row *list;
    size_t count, room;
    uint8_t *met; /* [page] */
} uvm_rows;

/* Appends a row and marks whether it is the first of its page. Returns 0, or -1. */
int uvm_rows_add(uvm_rows *rows, uvm_trace_row row, msw_arena *arena);

/* What is kept of a walk that a machine reports. Returns it. */
struct uvm_event;
uvm_trace_row uvm_trace_row_of(const uvm_layout *layout, const struct uvm_event *event);

/* Returns the trace, or NULL with `err`. */
const uvm_trace *uvm_trace_of(const uvm_traced *of, msw_arena *arena, msw_err *err);

/* Values in rising order and their numbers, from 1 on; 0 is what is not known, and nothing. */
typedef struct uvm_vocabulary {
    const int64_t *values;
    const uint32_t *numbers;
    size_t count;
} uvm_vocabulary;

/* Makes the dictionary of the `most` commonest values (of equals the smallest), the commonest
 * first; sorts `values`. `dominant` gets how often the commonest is there. Returns 0, or -1. */
int uvm_vocabulary_make(int64_t *values, size_t count, size_t most, msw_arena *arena,
                        uvm_vocabulary *vocabulary, size_t *dominant);

/* Adds values that it does not have, the commonest first, while there are fewer than `most`. Sorts
 * `values`. Returns 0, or -1. */
int uvm_vocabulary_add(const uvm_vocabulary *vocabulary, int64_t *values, size_t count, size_t most,
                       msw_arena *arena, uvm_vocabulary *grown);

/* Returns the number of a value, or 0. */
uint32_t uvm_vocabulary_number(const uvm_vocabulary *vocabulary, int64_t value);

/* Returns the value of a number. */
int64_t uvm_vocabulary_value(const uvm_vocabulary *vocabulary, uint32_t number);

/* Appends and reads back. Returns 0, or -1 when these are no such bytes. */
void uvm_vocabulary_flatten(const uvm_vocabulary *vocabulary, msw_text *bytes);
int uvm_vocabulary_unflatten(msw_flat *flat, msw_arena *arena, uvm_vocabulary *vocabulary);

enum { UVM_TOKENS = 30, UVM_MOST_CLASSES = 16384 };

/* What a predictor knows about its inputs and answers. */
typedef struct uvm_vocabularies {
    uvm_vocabulary of[UVM_FEATURES]; /* those in use */
    uvm_vocabulary labels;           /* class 0: others */
} uvm_vocabularies;

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
uint64_t uvm_cluster_key(const uvm_trace_row *row, int64_t cluster);

/* Cuts a trace into samples. Returns them, or NULL with `err`. */
uvm_samples *uvm_samples_of(const uvm_learner *how, const uvm_trace *trace, uint64_t seed,
                            msw_arena *arena, msw_err *err);

/* Makes the vocabulary of what is learned from. `dominant` gets how many samples have the commonest
 * label. Returns 0, or -1 with `err`. */
int uvm_vocabularies_of(const uvm_samples *samples, msw_arena *arena, uvm_vocabularies *vocabulary,
                        size_t *dominant, msw_err *err);

/* The same with what these samples add to an older one, as far as tables have room. */
int uvm_vocabularies_grow(const uvm_samples *samples, const uvm_vocabularies *old, msw_arena *arena,
                          uvm_vocabularies *vocabulary, msw_err *err);

/* Returns how many values a table of a network has room for. */
size_t uvm_vocabulary_room(const uvm_learner *how, const uvm_vocabulary *vocabulary);

/* Learned from is what begins and has its label in these thousands (1024) of instructions. */
void uvm_samples_between(uvm_samples *samples, uint32_t first, uint32_t end);

/* Expresses samples in a vocabulary. Returns 0, or -1 with `err`. */
int uvm_samples_express(uvm_samples *samples, const uvm_vocabularies *vocabulary, msw_arena *arena,
                        msw_err *err);

/* The page difference of a sample's label, and a feature of a row as it is. */
int64_t uvm_sample_delta(const uvm_samples *samples, size_t sample);
int64_t uvm_feature(const uvm_samples *samples, size_t row, int feature);

/* Which of the samples learned from a visit is of: each once, then each again in another order. */
uint64_t uvm_learned_at(const uvm_samples *samples, uint64_t visit);

/* An msw_net_fetch. */
uint32_t uvm_sample_fetch(const void *samples, uint64_t sample, uint32_t *tokens);

#endif
