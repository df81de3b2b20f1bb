/* SPDX-License-Identifier: MIT */
/* Rows of what can be set of a predictor, for the tables of uvm and uvm_predictor. Sections and
 * tables are those of the paper (README.md). */
#ifndef MSW_MECH_UVM_LEARN_ROWS_H
#define MSW_MECH_UVM_LEARN_ROWS_H

#include "mech/uvm/model.h"

#include "memsweep/sim/net.h"

static const msw_choice UVM_CLUSTERS[] = {
    [UVM_CLUSTER_SM] = {.name = "sm", .doc = "walks of an SM"},
    [UVM_CLUSTER_SM_WARP] = {.name = "sm_warp", .doc = "walks of a warp slot of an SM"},
    [UVM_CLUSTER_PC] = {.name = "pc", .doc = "walks of an instruction"},
    [UVM_CLUSTER_KERNEL] = {.name = "kernel", .doc = "walks of a launch"},
    [UVM_CLUSTER_CTA] = {.name = "cta", .doc = "walks of CTAs of one number"},
    [UVM_CLUSTER_WARP] = {.name = "warp", .doc = "walks of warp slots of one number"},
    {0},
};
static const msw_choice UVM_FEATURE_NAMES[] = {
    [UVM_F_DELTA] = {.name = "delta", .doc = "page difference to the walk before"},
    [UVM_F_PC] = {.name = "pc", .doc = "which access of which kernel"},
    [UVM_F_PAGE] = {.name = "page", .doc = "page of 4 KiB"},
    [UVM_F_HIT] = {.name = "hit", .doc = "whether some SM had touched the page"},
    [UVM_F_WARP] = {.name = "warp", .doc = "warp slot"},
    [UVM_F_SM] = {.name = "sm", .doc = "SM"},
    [UVM_F_TPC] = {.name = "tpc", .doc = "pair of SMs"},
    [UVM_F_CTA] = {.name = "cta", .doc = "CTA"},
    [UVM_F_BLOCK] = {.name = "block", .doc = "block of 64 KiB"},
    [UVM_F_ROOT] = {.name = "root", .doc = "2 MiB"},
    [UVM_F_ARRAY] = {.name = "array", .doc = "chunk of an array"},
    [UVM_F_DELTA_BLOCK] = {.name = "delta_block", .doc = "difference of blocks"},
    [UVM_F_DELTA_ROOT] = {.name = "delta_root", .doc = "difference of 2 MiB"},
    [UVM_F_ALL] = {.name = "all", .doc = "all of these"},
    [UVM_F_DELTA_PC] = {.name = "delta_pc", .doc = "delta and pc"},
    [UVM_F_DELTA_PC_PAGE] = {.name = "delta_pc_page", .doc = "delta, pc and page"},
    {0},
};
static const msw_choice UVM_TRACE_ORDERS[] = {
    [UVM_IN_TURN] = {.name = "turns", .doc = "each warp does an access in its turn"},
    [UVM_TIMED_TREE] = {.name = "tree",
                        .doc = "of time: as walks end in the machine of uvm's defaults, under the "
                               "tree"},
    [UVM_TIMED_DEMAND] = {.name = "demand",
                          .doc = "of time, under a policy that brings the page that faults"},
    {0},
};
static const msw_choice UVM_REPEATS[] = {
    [UVM_REPEATS_DROPPED] = {.name = "dropped",
                             .doc = "a walk for the page of the walk before is left out"},
    [UVM_REPEATS_KEPT] = {.name = "kept", .doc = "it is a difference of 0"},
    {0},
};
static const msw_choice UVM_ORDERS[] = {
    [UVM_ORDERED] = {.name = "ordered", .doc = "tokens in order of time"},
    [UVM_SHUFFLED] = {.name = "shuffled", .doc = "tokens of a sequence at random positions"},
    {0},
};
static const msw_choice UVM_NETWORKS[] = {
    [MSW_NET_TRANSFORMER] = {.name = "transformer", .doc = "encoder layers"},
    [MSW_NET_DENSE] = {.name = "dense", .doc = "one fully connected layer"},
    [MSW_NET_MLP] = {.name = "mlp", .doc = "two hidden layers"},
    [MSW_NET_LSTM] = {.name = "lstm", .doc = "long short-term memory"},
    [MSW_NET_CNN] = {.name = "cnn", .doc = "two convolutions over three tokens"},
    {0},
};
static const msw_choice UVM_ATTENTIONS[] = {
    [MSW_NET_NO_ATTENTION] = {.name = "none", .doc = "none"},
    [MSW_NET_FULL] = {.name = "full", .doc = "all pairs of tokens"},
    [MSW_NET_LSH] = {.name = "lsh", .doc = "tokens that share a bucket"},
    [MSW_NET_HLSH_PRINTED] = {.name = "hlsh_printed", .doc = "Algorithm 1 as printed"},
    [MSW_NET_HLSH] = {.name = "hlsh", .doc = "Algorithm 1, mended"},
    {0},
};
static const msw_choice UVM_CLASSED[] = {
    {.name = "flattened", .doc = "all tokens side by side are classed"},
    {.name = "pooled", .doc = "their mean is"},
    {0},
};
static const msw_choice UVM_NUMBERS[] = {
    [MSW_NET_FLOAT] = {.name = "float", .doc = "32 bits"},
    [MSW_NET_CLAMPED] = {.name = "clamped", .doc = "32 bits within -8 and 8"},
    [MSW_NET_SCALED] = {.name = "scaled", .doc = "4 bits, steps of the largest of a matrix / 7"},
    [MSW_NET_INTEGERS] = {.name = "integers", .doc = "4 bits, whole numbers"},
    {0},
};
static const msw_choice UVM_OUTPUTS[] = {
    [MSW_NET_FLOAT] = {.name = "float", .doc = "32 bits"},
    [MSW_NET_CLAMPED] = {.name = "clamped", .doc = "32 bits within -8 and 8"},
    [MSW_NET_SCALED] = {.name = "scaled", .doc = "4 bits, steps of the largest of a token / 7"},
    [MSW_NET_INTEGERS] = {.name = "integers", .doc = "4 bits, whole numbers"},
    {0},
};
static const msw_choice UVM_TUNE_WORDS[] = {
    [UVM_WORDS_KEPT] = {.name = "kept", .doc = "the vocabulary stays that of the corpus"},
    [UVM_WORDS_ADDED] = {.name = "added",
                         .doc = "what a fine-tuning meets gets classes, up to classes_most"},
    {0},
};
static const msw_choice UVM_PROTOCOLS[] = {
    [UVM_P1_PRINTED] = {.name = "p1_printed",
                        .doc = "a share of the samples, drawn, is learned from; all are asked"},
    [UVM_P1_HONEST] = {.name = "p1", .doc = "the first share is learned from, the rest is asked"},
    [UVM_P2] = {.name = "p2",
                .doc = "the first train_instructions (at most half of what there is), "
                       "then as many are asked"},
    [UVM_P3] = {.name = "p3",
                .doc =
                    "the corpus is learned from, then, every tune_instructions, what the program "
                    "has done since; all samples are asked"},
    {0},
};

#define UVM_SILENT "the paper does not say"
#define UVM_UNSAID(low, high)                                                                      \
    .source = MSW_UNKNOWN, .reference = UVM_SILENT, .plausible_min = low, .plausible_max = high

/* Rows, each followed by a comma. `where` is the condition under which a predictor is trained at
 * all, or NULL; `also` the same before another one: "... AND ", or "". */
#define UVM_PREDICTOR_ROWS(where, also)                                                            \
    MSW_ROW(.name = "cluster", .kind = MSW_CHOICE, .unit = "",                                     \
            .neutral = MSW_NEUTRAL(UVM_CLUSTER_SM_WARP), .def = UVM_CLUSTER_SM_WARP,               \
            MSW_CHOICES(UVM_CLUSTERS), .doc = "what the walks of a sequence share",                \
            .source = MSW_PAPER, .reference = "section 6: SM id and warp id",                      \
            .offset = offsetof(uvm_config, learner.cluster)),                                      \
        MSW_ROW(.name = "features", .kind = MSW_CHOICE, .unit = "",                                \
                .neutral = MSW_NEUTRAL(UVM_F_DELTA_PC), .def = UVM_F_DELTA_PC,                     \
                MSW_CHOICES(UVM_FEATURE_NAMES), .doc = "what a token holds", .source = MSW_PAPER,  \
                .reference = "section 6: the embedding holds delta and PC",                        \
                .offset = offsetof(uvm_config, learner.features)),                                 \
        MSW_ROW(.name = "repeats", .kind = MSW_CHOICE, .unit = "",                                 \
                .neutral = MSW_NEUTRAL(UVM_REPEATS_DROPPED), .def = UVM_REPEATS_DROPPED,           \
                MSW_CHOICES(UVM_REPEATS), .doc = "walks for one page in a row",                    \
                .source = MSW_INFERRED,                                                            \
                .reference = "section 5.3: 262077 = 64 x 4095 - 3 has none", .acts = where,        \
                .offset = offsetof(uvm_config, learner.repeats)),                                  \
        MSW_ROW(.name = "tokens", .kind = MSW_CHOICE, .unit = "",                                  \
                .neutral = MSW_NEUTRAL(UVM_ORDERED), .def = UVM_ORDERED, MSW_CHOICES(UVM_ORDERS),  \
                .doc = "order of the tokens", .source = MSW_PAPER, .reference = "figure 6",        \
                .offset = offsetof(uvm_config, learner.shuffle)),                                  \
        MSW_ROW(.name = "trace_walks", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(4096),          \
                .unit = "walks", .min = 64, .max = 1 << 24, .def = 4096, .scale = MSW_POW2,        \
                .doc = "walks of a program that are looked at", UVM_UNSAID(4096, 4096),            \
                .acts = where, .offset = offsetof(uvm_config, learner.trace_walks)),               \
        MSW_ROW(.name = "trace_order", .kind = MSW_CHOICE, .unit = "",                             \
                .neutral = MSW_NEUTRAL(UVM_IN_TURN), .def = UVM_IN_TURN,                           \
                MSW_CHOICES(UVM_TRACE_ORDERS), .doc = "order of the walks that it learns from",    \
                .source = MSW_INFERRED,                                                            \
                .reference = "section 5.1: a trace of the simulator, whose policy is the tree",    \
                .acts = where, .offset = offsetof(uvm_config, learner.trace_order)),               \
        MSW_ROW(.name = "network", .kind = MSW_CHOICE, .unit = "",                                 \
                .neutral = MSW_NEUTRAL(MSW_NET_TRANSFORMER), .def = MSW_NET_TRANSFORMER,           \
                MSW_CHOICES(UVM_NETWORKS), .doc = "kind of network", .source = MSW_PAPER,          \
                .reference = "section 4", .offset = offsetof(uvm_config, learner.network)),        \
        MSW_ROW(.name = "width", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(12), .unit = "",      \
                .min = 1, .max = 512, .def = 12, .doc = "numbers that a token becomes",            \
                .source = MSW_PAPER, .reference = "section 6",                                     \
                .offset = offsetof(uvm_config, learner.width)),                                    \
        MSW_ROW(.name = "delta_width", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(4), .unit = "", \
                .min = 1, .max = 512, .def = 4,                                                    \
                .doc = "of these, numbers of the delta where there are other features",            \
                .source = MSW_INFERRED, .reference = "table 7: at most 4 weights per class in it", \
                .acts = also "features IN ('all', 'delta_pc', 'delta_pc_page')",                   \
                .offset = offsetof(uvm_config, learner.delta_width)),                              \
        MSW_ROW(.name = "layers", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(1), .unit = "",      \
                .max = 8, .def = 1, .doc = "encoder layers", .source = MSW_PAPER,                  \
                .reference = "section 6", .offset = offsetof(uvm_config, learner.layers)),         \
        MSW_ROW(.name = "heads", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(1), .unit = "",       \
                .min = 1, .max = 16, .def = 1, .doc = "heads of attention", .source = MSW_PAPER,   \
                .reference = "section 6", .offset = offsetof(uvm_config, learner.heads)),          \
        MSW_ROW(.name = "feed", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(1024), .unit = "",     \
                .min = 1, .max = 4096, .def = 1024, .doc = "width of the feed-forward layer",      \
                .source = MSW_INFERRED, .reference = "table 7: 30 x 1024 of the activations",      \
                .acts = also "network = 'transformer' AND layers > 0",                             \
                .offset = offsetof(uvm_config, learner.feed)),                                     \
        MSW_ROW(.name = "attention", .kind = MSW_CHOICE, .unit = "",                               \
                .neutral = MSW_NEUTRAL(MSW_NET_HLSH), .def = MSW_NET_HLSH,                         \
                MSW_CHOICES(UVM_ATTENTIONS), .doc = "which tokens look at which",                  \
                .source = MSW_PAPER, .reference = "section 6",                                     \
                .offset = offsetof(uvm_config, learner.attention)),                                \
        MSW_ROW(.name = "shared_qk", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 1,             \
                .neutral = MSW_NEUTRAL(1), .doc = "queries are keys, too", .source = MSW_PAPER,    \
                .reference = "section 5.4", .offset = offsetof(uvm_config, learner.shared)),       \
        MSW_ROW(.name = "hash_rounds", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(8), .unit = "", \
                .min = 1, .max = 64, .def = 8, .doc = "rounds of hashing", UVM_UNSAID(4, 16),      \
                .acts = also "network = 'transformer' AND layers > 0 AND attention IN ('lsh', "    \
                             "'hlsh_printed', 'hlsh')",                                            \
                .offset = offsetof(uvm_config, learner.rounds)),                                   \
        MSW_ROW(.name = "hash_buckets", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(8),            \
                .unit = "", .min = 2, .max = 64, .def = 8, .scale = MSW_POW2,                      \
                .doc = "buckets of a round", UVM_UNSAID(4, 16),                                    \
                .acts = also "network = 'transformer' AND layers > 0 AND attention IN ('lsh', "    \
                             "'hlsh_printed', 'hlsh')",                                            \
                .offset = offsetof(uvm_config, learner.buckets)),                                  \
        MSW_ROW(.name = "hash_far", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(0.9),     \
                .max = 2, .def = 0.9,                                                              \
                .doc = "share of the rounds from which on a token is far from all",                \
                .source = MSW_PAPER, .reference = "section 5.4: HTOP",                             \
                .offset = offsetof(uvm_config, learner.far)),                                      \
        MSW_ROW(.name = "hash_near", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(0.1),    \
                .max = 2, .def = 0.1, .doc = "share of the rounds up to which tokens are alike",   \
                .source = MSW_PAPER, .reference = "section 5.4: HBOT",                             \
                .offset = offsetof(uvm_config, learner.near)),                                     \
        MSW_ROW(.name = "bypass", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(0.9),       \
                .max = 2, .def = 0.9,                                                              \
                .doc = "share of the commonest label from which on attention is left out; above "  \
                       "1 never",                                                                  \
                UVM_UNSAID(0.5, 1), .acts = where,                                                 \
                .offset = offsetof(uvm_config, learner.bypass)),                                   \
        MSW_ROW(.name = "head", .kind = MSW_CHOICE, .unit = "", .neutral = MSW_NEUTRAL(0),         \
                .def = 0, MSW_CHOICES(UVM_CLASSED), .doc = "what is classed",                      \
                .source = MSW_INFERRED, .reference = "table 7: 361 weights per class",             \
                .acts = where, .offset = offsetof(uvm_config, learner.pooled)),                    \
        MSW_ROW(.name = "hidden", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(64), .unit = "",     \
                .min = 1, .max = 1024, .def = 64, .doc = "width of MLP, LSTM and CNN",             \
                UVM_UNSAID(16, 256), .acts = also "network IN ('mlp', 'lstm', 'cnn')",             \
                .offset = offsetof(uvm_config, learner.hidden)),                                   \
        MSW_ROW(.name = "numbers", .kind = MSW_CHOICE, .unit = "",                                 \
                .neutral = MSW_NEUTRAL(MSW_NET_SCALED), .def = MSW_NET_SCALED,                     \
                MSW_CHOICES(UVM_NUMBERS), .doc = "what weights are", .source = MSW_PAPER,          \
                .reference = "section 6: 4 bits",                                                  \
                .offset = offsetof(uvm_config, learner.numbers)),                                  \
        MSW_ROW(.name = "activations", .kind = MSW_CHOICE, .unit = "",                             \
                .neutral = MSW_NEUTRAL(MSW_NET_FLOAT), .def = MSW_NET_FLOAT,                       \
                MSW_CHOICES(UVM_OUTPUTS), .doc = "what outputs of layers are",                     \
                .source = MSW_PAPER, .reference = "section 6: 4 bits",                             \
                .offset = offsetof(uvm_config, learner.activations)),                              \
        MSW_ROW(.name = "classes_most", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(512),          \
                .unit = "", .min = 2, .max = UVM_MOST_CLASSES, .def = 512, .scale = MSW_POW2,      \
                .doc = "most distinct labels", UVM_UNSAID(512, 512), .acts = where,                \
                .offset = offsetof(uvm_config, learner.classes)),                                  \
        MSW_ROW(.name = "protocol", .kind = MSW_CHOICE, .unit = "",                                \
                .neutral = MSW_NEUTRAL(UVM_P1_HONEST), .def = UVM_P1_HONEST,                       \
                MSW_CHOICES(UVM_PROTOCOLS), .doc = "what is learned from and what is asked",       \
                .source = MSW_INFERRED, .reference = "sections 4, 7.1, 7.2; split by time",        \
                .acts = where, .offset = offsetof(uvm_config, learner.protocol)),                  \
        MSW_ROW(.name = "train_share", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(0.8),  \
                .min = 0.01, .max = 0.99, .def = 0.8,                                              \
                .doc = "of the samples (p1), of the walks of each program (p3)",                   \
                .source = MSW_PAPER, .reference = "section 4: 80 %; 7.1: 50 %",                    \
                .offset = offsetof(uvm_config, learner.train_share)),                              \
        MSW_ROW(.name = "train_instructions", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(50e6),   \
                .unit = "instructions", .min = 1, .max = 1e12, .def = 50e6,                        \
                .doc = "of threads, p2", .source = MSW_PAPER, .reference = "section 7.2",          \
                .offset = offsetof(uvm_config, learner.train_instructions)),                       \
        MSW_ROW(.name = "visits", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(128),                \
                .unit = "samples", .max = 1e9, .def = 128,                                         \
                .doc = "samples learned from, one after the other, again and again",               \
                UVM_UNSAID(128, 128), .acts = where,                                               \
                .offset = offsetof(uvm_config, learner.visits)),                                   \
        MSW_ROW(.name = "enough", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(2),         \
                .max = 2, .def = 2,                                                                \
                .doc = "share of right answers that ends learning; above 1 never",                 \
                .source = MSW_PAPER, .reference = "section 7.1: 0.85 on the corpus",               \
                .offset = offsetof(uvm_config, learner.enough)),                                   \
        MSW_ROW(.name = "tune_instructions", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(0),       \
                .unit = "instructions", .max = 1e12, .def = 0,                                     \
                .doc = "of threads, from one fine-tuning to the next (p3); 0: none",               \
                .source = MSW_PAPER, .reference = "section 7.1",                                   \
                .offset = offsetof(uvm_config, learner.tune_instructions)),                        \
        MSW_ROW(.name = "tune_visits", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(128),           \
                .unit = "samples", .max = 1e9, .def = 128, .doc = "learned from in a fine-tuning", \
                UVM_UNSAID(128, 128), .acts = also "protocol = 'p3' AND tune_instructions > 0",    \
                .offset = offsetof(uvm_config, learner.tune_visits)),                              \
        MSW_ROW(.name = "tune_words", .kind = MSW_CHOICE, .unit = "",                              \
                .neutral = MSW_NEUTRAL(UVM_WORDS_KEPT), .def = UVM_WORDS_KEPT,                     \
                MSW_CHOICES(UVM_TUNE_WORDS), .doc = "labels that are new in a fine-tuning",        \
                .source = MSW_UNKNOWN, .reference = UVM_SILENT,                                    \
                .acts = also "protocol = 'p3' AND tune_instructions > 0",                          \
                .offset = offsetof(uvm_config, learner.tune_words)),                               \
        MSW_ROW(.name = "train_batch", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(128),           \
                .unit = "samples", .min = 1, .max = 4096, .def = 128, .scale = MSW_POW2,           \
                .doc = "samples of a step of learning", .source = MSW_INFERRED,                    \
                .reference = "tables 6 and 7", .acts = where,                                      \
                .offset = offsetof(uvm_config, learner.batch)),                                    \
        MSW_ROW(.name = "learning_rate", .kind = MSW_REAL, .unit = "",                             \
                .neutral = MSW_NEUTRAL(0.002), .min = 1e-6, .max = 1, .def = 0.002,                \
                .scale = MSW_LOG, .doc = "of Adam", UVM_UNSAID(1e-4, 1e-2), .acts = where,         \
                .offset = offsetof(uvm_config, learner.rate)),                                     \
        MSW_ROW(.name = "dropout", .kind = MSW_REAL, .unit = "", .neutral = MSW_NEUTRAL(0),        \
                .max = 0.9, .def = 0,                                                              \
                .doc = "share of the numbers of tokens that a step of learning leaves out",        \
                UVM_UNSAID(0, 0.3), .acts = where, .offset = offsetof(uvm_config, learner.drop)),  \
        MSW_ROW(.name = "asked_most", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(256),            \
                .unit = "samples", .min = 1, .max = 1e9, .def = 256,                               \
                .doc = "samples asked, evenly chosen, at most", UVM_UNSAID(256, 256),              \
                .acts = where, .offset = offsetof(uvm_config, learner.tested)),

#endif
