/* SPDX-License-Identifier: MIT */
/* Private to uvm: prefetchers that predict pages from the pages before (README.md, "Predictors").
 */
#ifndef MSW_MECH_UVM_PREDICT_H
#define MSW_MECH_UVM_PREDICT_H

#include "mech/uvm/pages/pager.h"

enum { UVM_DEGREE_MOST = 64, UVM_TRAIL = 64, UVM_WAYS = 4 };

/* What makes a predictor predict: an access whose walk ended. */
typedef struct uvm_event {
    uint64_t page;
    uint32_t sm, warp, pc;
    /* for predictors that were trained */
    uint64_t cta;
    uint32_t at; /* thousands (1024) of instructions of threads so far */
    uint16_t launch, kernel;
    bool hit; /* the page is here */
} uvm_event;

/* The last different pages of a cluster. */
typedef struct uvm_trail {
    uint64_t page[UVM_TRAIL];
    uint64_t context[UVM_TRAIL]; /* of the differences up to this page */
    uint64_t count;
} uvm_trail;

typedef struct uvm_entry {
    uint64_t key, last;
    int64_t delta;
    uint32_t sure;
} uvm_entry;

/* Strides in a region (multi_stride). */
typedef struct uvm_way {
    uint64_t last, used;
    int64_t stride[UVM_WAYS];
    uint32_t count[UVM_WAYS], total;
} uvm_way;

/* What best_offset learns. */
typedef struct uvm_offsets {
    uint64_t recent[UVM_TRAIL], count;
    uint32_t score[UVM_TRAIL], tested, rounds;
    int64_t best;
} uvm_offsets;

typedef struct uvm_predictor {
    const uvm_config *config;
    uint64_t pages;
    uvm_trail *trails;         /* [cluster] */
    uvm_way (*ways)[UVM_WAYS]; /* [cluster] */
    uvm_offsets *offsets;      /* [cluster] */
    uvm_entry *table;          /* direct mapped */
    uvm_foreseen known;
    /* oracle */
    uint32_t *place; /* [page] where in known.order, + 1 */
    msw_rng draws;
    /* the server */
    uvm_ahead_page *ring;
    uint64_t head, tail, mask, server_free, under_way, until;
    uint64_t predictions, dropped, bytes;
    int failed; /* -1: what was trained cannot be asked */
} uvm_predictor;

/* Appends the pages that follow, at most UVM_DEGREE_MOST, to `out`. Returns how many. */
typedef uint32_t (*uvm_predict_fn)(uvm_predictor *, const uvm_event *, uint64_t *out);

/* The list of predictors, by prefetcher: one function and what it keeps. Another one is one more
 * entry. */
typedef struct uvm_prediction {
    uvm_predict_fn predict; /* NULL: this prefetcher does not predict */
    /* Makes its state. Returns the bytes that it would take in hardware, or UINT64_MAX when there
     * is no memory. */
    uint64_t (*init)(uvm_predictor *, uint64_t clusters, msw_arena *arena);
} uvm_prediction;

extern const uvm_prediction uvm_predictions[UVM_PREFETCHERS];

#endif
