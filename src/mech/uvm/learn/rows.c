/* SPDX-License-Identifier: MIT */
/* What can be set of a predictor, and what is measured. */
#include "mech/uvm/learn/record.h"

#include "mech/shared/tables.h"
#include "mech/uvm/learn/rows.h"
#include "mech/uvm/machine/machine.h"

#include <assert.h>

const msw_param uvm_predictor_params[] = {
    MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = 2 << 20,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "bytes of a page",
            .source = MSW_PAPER, .reference = "table 9", .offset = offsetof(uvm_config, page_size)),
    MSW_ROW(.name = "sms", .kind = MSW_INTEGER, .neutral = MSW_NO_NEUTRAL, .unit = "SMs", .min = 1,
            .max = 256, .def = 28, .doc = "streaming multiprocessors", .source = MSW_PAPER,
            .reference = "table 9", .offset = offsetof(uvm_config, sms)),
    MSW_ROW(.name = "sm_ctas", .kind = MSW_INTEGER, .neutral = MSW_NO_NEUTRAL, .unit = "CTAs",
            .min = 1, .max = 64, .def = 32, .doc = "of an SM at once", .source = MSW_PAPER,
            .reference = "table 9", .offset = offsetof(uvm_config, sm_ctas)),
    MSW_ROW(.name = "sm_warps", .kind = MSW_INTEGER, .neutral = MSW_NO_NEUTRAL, .unit = "warps",
            .min = 1, .max = UVM_MOST_WARPS, .def = 64, .doc = "of an SM at once",
            .source = MSW_PAPER, .reference = "table 9", .offset = offsetof(uvm_config, sm_warps)),
    MSW_ROW(.name = "sm_shared", .kind = MSW_SIZE, .unit = "B", .max = 1 << 20, .def = 96 << 10,
            .neutral = MSW_NO_NEUTRAL, .doc = "shared memory of an SM", .source = MSW_PUBLIC,
            .reference = "GTX 1080 Ti", .offset = offsetof(uvm_config, sm_shared)),
    MSW_ROW(.name = "sm_registers", .kind = MSW_INTEGER, .neutral = MSW_NO_NEUTRAL,
            .unit = "registers", .max = 1 << 20, .def = 65536, .doc = "of an SM",
            .source = MSW_PUBLIC, .reference = "GTX 1080 Ti",
            .offset = offsetof(uvm_config, sm_registers)),
    UVM_PREDICTOR_ROWS(NULL, "") UVM_DISTANCE_ROW{0},
};

/* ---- metrics ---- */

#define SHARE(...)  RATIO(.unit = "", .goal = MSW_GOAL_HIGHER, .max = 1, __VA_ARGS__)
#define NUMBER(...) TOTAL(.unit = "", __VA_ARGS__)

const msw_metric uvm_predictor_metrics[] = {
    [UVM_S_TOP1] =
        SHARE(.name = "top1", .num = "hits", .den = "asked", .doc = "answers that are right"),
    [UVM_S_TOP10] = SHARE(.name = "top10", .num = "hits10", .den = "asked",
                          .doc = "labels among the ten likeliest"),
    [UVM_S_F1] = SHARE(.name = "f1", .num = "f1_sum", .den = "asked",
                       .doc = "F1 of classes, weighted by their samples"),
    [UVM_S_ASKED] = TOTAL(.name = "asked", .unit = "samples", .doc = "samples asked"),
    [UVM_S_RIGHT] = TOTAL(.name = "hits", .unit = "samples", .goal = MSW_GOAL_HIGHER,
                          .doc = "answered as they are"),
    [UVM_S_RIGHT10] = TOTAL(.name = "hits10", .unit = "samples", .goal = MSW_GOAL_HIGHER,
                            .doc = "whose label is among the ten likeliest"),
    [UVM_S_F1_SUM] = TOTAL(.name = "f1_sum", .unit = "samples", .goal = MSW_GOAL_HIGHER,
                           .doc = "F1 of classes times their samples"),
    [UVM_S_KNOWN] = TOTAL(.name = "known", .unit = "samples",
                          .doc = "samples asked whose label was learned from"),
    [UVM_S_KNOWN_SHARE] =
        SHARE(.name = "known_share", .num = "known", .den = "asked",
              .doc = "samples whose label was learned from: the most top1 can be"),
    [UVM_S_WALKS] = TOTAL(.name = "walks", .unit = "walks", .doc = "of the trace"),
    [UVM_S_LEARNED] = TOTAL(.name = "learned", .unit = "samples", .doc = "there to learn from"),
    [UVM_S_VISITS] = TOTAL(.name = "visited", .unit = "samples", .doc = "visits of them"),
    [UVM_S_CLASSES] = NUMBER(.name = "classes", .doc = "distinct labels, others included"),
    [UVM_S_DOMINANT] =
        TOTAL(.name = "dominant", .unit = "samples", .doc = "learned with the commonest label"),
    [UVM_S_CONVERGENCE] = RATIO(.name = "convergence", .unit = "", .num = "dominant",
                                .den = "learned", .max = 1, .doc = "share of the commonest label"),
    [UVM_S_BYPASSED] = NUMBER(.name = "bypassed", .doc = "1 where attention is left out"),
    [UVM_S_WEIGHTS] = NUMBER(.name = "weights", .goal = MSW_GOAL_LOWER, .doc = "parameters"),
    [UVM_S_WEIGHT_BYTES] = TOTAL(.name = "weight_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                                 .doc = "that these take"),
    [UVM_S_OUTPUT_BYTES] = TOTAL(.name = "activation_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                                 .doc = "outputs of layers for a batch, forward and backward"),
    [UVM_S_PRODUCTS] = NUMBER(.name = "multiplications", .goal = MSW_GOAL_LOWER,
                              .doc = "of an answer, with full attention"),
    [UVM_S_DOTS] = NUMBER(.name = "dots", .goal = MSW_GOAL_LOWER,
                          .doc = "dot products of attention in an answer, on average"),
    [UVM_S_DOTS_FULL] = NUMBER(.name = "dots_full", .doc = "dot products of full attention"),
    [UVM_S_HASHES] = NUMBER(.name = "hash_operations", .goal = MSW_GOAL_LOWER,
                            .doc = "multiplications and comparisons of hashing in an answer"),
    [UVM_S_LARGEST] = NUMBER(.name = "largest_tenth",
                             .doc = "share of a token's attention in the largest tenth of it"),
    [UVM_S_MARKOV_RIGHT] = TOTAL(.name = "markov_right", .unit = "samples",
                                 .doc = "right of a table of two differences, as many bytes"),
    [UVM_S_MARKOV] = SHARE(.name = "markov_top1", .num = "markov_right", .den = "asked",
                           .doc = "of a table indexed by the last two differences, as many bytes"),
    [UVM_S_TABLE_RIGHT] = TOTAL(.name = "table_right", .unit = "samples",
                                .doc = "right of a table of PC and difference, as many bytes"),
    [UVM_S_TABLE] = SHARE(.name = "table_top1", .num = "table_right", .den = "asked",
                          .doc = "of a table indexed by PC and the last difference, as many bytes"),
    [UVM_S_TOP1_KNOWN] =
        SHARE(.name = "top1_known", .num = "hits", .den = "known",
              .doc = "right answers of those samples whose label is in the vocabulary"),
    [UVM_S_TUNINGS] = NUMBER(.name = "tunings", .doc = "fine-tunings while the program ran"),
    [UVM_S_INSTRUCTIONS] =
        TOTAL(.name = "instructions", .unit = "instructions", .doc = "of threads, of the trace"),
    [UVM_S_METRICS] = {0},
};
static_assert(sizeof uvm_predictor_metrics / sizeof *uvm_predictor_metrics == UVM_S_METRICS + 1,
              "one row per metric");
