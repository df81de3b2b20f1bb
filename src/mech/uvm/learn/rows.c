/* What can be set of a predictor, and what is measured. Sections and tables are those of the paper
 * (README.md). */
#include "mech/uvm/learn/record.h"

#include "mech/shared/metrics.h"
#include "mech/uvm/machine/machine.h"

#include <assert.h>

static const msw_choice CLUSTERS[] = {
    [UVM_BY_SM] = {.name = "sm", .doc = "walks of an SM"},
    [UVM_BY_SM_WARP] = {.name = "sm_warp", .doc = "walks of a warp slot of an SM"},
    [UVM_BY_PC] = {.name = "pc", .doc = "walks of an instruction"},
    [UVM_BY_KERNEL] = {.name = "kernel", .doc = "walks of a launch"},
    [UVM_BY_CTA] = {.name = "cta", .doc = "walks of CTAs of one number"},
    [UVM_BY_WARP] = {.name = "warp", .doc = "walks of warp slots of one number"},
    {0},
};
static const msw_choice FEATURES[] = {
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
static const msw_choice REPEATS[] = {
    [UVM_REPEATS_DROPPED] = {.name = "dropped",
                             .doc = "a walk for the page of the walk before is left out"},
    [UVM_REPEATS_KEPT] = {.name = "kept", .doc = "it is a difference of 0"},
    {0},
};
static const msw_choice ORDERS[] = {
    [UVM_ORDERED] = {.name = "ordered", .doc = "tokens in order of time"},
    [UVM_SHUFFLED] = {.name = "shuffled", .doc = "tokens of a sequence at random positions"},
    {0},
};
static const msw_choice NETWORKS[] = {
    [MSW_NET_TRANSFORMER] = {.name = "transformer", .doc = "encoder layers"},
    [MSW_NET_DENSE] = {.name = "dense", .doc = "one fully connected layer"},
    [MSW_NET_MLP] = {.name = "mlp", .doc = "two hidden layers"},
    [MSW_NET_LSTM] = {.name = "lstm", .doc = "long short-term memory"},
    [MSW_NET_CNN] = {.name = "cnn", .doc = "two convolutions over three tokens"},
    {0},
};
static const msw_choice ATTENTIONS[] = {
    [MSW_NET_NO_ATTENTION] = {.name = "none", .doc = "none"},
    [MSW_NET_FULL] = {.name = "full", .doc = "all pairs of tokens"},
    [MSW_NET_LSH] = {.name = "lsh", .doc = "tokens that share a bucket"},
    [MSW_NET_HLSH_PRINTED] = {.name = "hlsh_printed", .doc = "Algorithm 1 as it stands"},
    [MSW_NET_HLSH] = {.name = "hlsh", .doc = "Algorithm 1, mended"},
    {0},
};
static const msw_choice CLASSED[] = {
    {.name = "flattened", .doc = "all tokens side by side are classed"},
    {.name = "pooled", .doc = "their mean is"},
    {0},
};
static const msw_choice NUMBERS[] = {
    [MSW_NET_FLOAT] = {.name = "float", .doc = "32 bits"},
    [MSW_NET_CLAMPED] = {.name = "clamped", .doc = "32 bits within -8 and 8"},
    [MSW_NET_SCALED] = {.name = "scaled", .doc = "4 bits, steps of the largest of a matrix / 7"},
    [MSW_NET_INTEGERS] = {.name = "integers", .doc = "4 bits, whole numbers"},
    {0},
};
static const msw_choice PROTOCOLS[] = {
    [UVM_P1_PRINTED] = {.name = "p1_printed",
                        .doc = "a share of the samples, drawn, is learned from; all are asked"},
    [UVM_P1_HONEST] = {.name = "p1", .doc = "the first share is learned from, the rest is asked"},
    [UVM_P2] = {.name = "p2",
                .doc = "the first train_instructions (at most half of what there is), "
                       "then as many are asked"},
    [UVM_P3] = {.name = "p3", .doc = "the corpus is learned from, all samples are asked"},
    {0},
};

#define MACHINE(name) offsetof(uvm_predictor_config, machine.name)
#define FIELD(name)   offsetof(uvm_predictor_config, predictor.name)
#define SILENT        "the paper does not say"
#define COUNT         .kind = MSW_INTEGER, .neutral = MSW_NO_NEUTRAL
#define REAL          .kind = MSW_REAL, .unit = "", .neutral = MSW_NO_NEUTRAL
#define CHOICE        .kind = MSW_CHOICE, .unit = "", .neutral = MSW_NO_NEUTRAL
#define UNSAID(low, high)                                                                          \
    .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = low, .plausible_max = high

const msw_param uvm_predictor_params[] = {
    MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = 2 << 20,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "bytes of a page",
            .source = MSW_PAPER, .reference = "table 9", .offset = MACHINE(page_size)),
    MSW_ROW(.name = "sms", COUNT, .unit = "SMs", .min = 1, .max = 256, .def = 28,
            .doc = "streaming multiprocessors", .source = MSW_PAPER, .reference = "table 9",
            .offset = MACHINE(sms)),
    MSW_ROW(.name = "sm_ctas", COUNT, .unit = "CTAs", .min = 1, .max = 64, .def = 32,
            .doc = "of an SM at once", .source = MSW_PAPER, .reference = "table 9",
            .offset = MACHINE(sm_ctas)),
    MSW_ROW(.name = "sm_warps", COUNT, .unit = "warps", .min = 1, .max = UVM_MOST_WARPS, .def = 64,
            .doc = "of an SM at once", .source = MSW_PAPER, .reference = "table 9",
            .offset = MACHINE(sm_warps)),
    MSW_ROW(.name = "sm_shared", .kind = MSW_SIZE, .unit = "B", .max = 1 << 20, .def = 96 << 10,
            .neutral = MSW_NO_NEUTRAL, .doc = "shared memory of an SM", .source = MSW_PUBLIC,
            .reference = "GTX 1080 Ti", .offset = MACHINE(sm_shared)),
    MSW_ROW(.name = "sm_registers", COUNT, .unit = "registers", .max = 1 << 20, .def = 65536,
            .doc = "of an SM", .source = MSW_PUBLIC, .reference = "GTX 1080 Ti",
            .offset = MACHINE(sm_registers)),
    MSW_ROW(.name = "cluster", CHOICE, .def = UVM_BY_SM_WARP, MSW_CHOICES(CLUSTERS),
            .doc = "what the walks of a sequence share", .source = MSW_PAPER,
            .reference = "section 6: SM id and warp id", .offset = FIELD(cluster)),
    MSW_ROW(.name = "features", CHOICE, .def = UVM_F_DELTA_PC, MSW_CHOICES(FEATURES),
            .doc = "what a token tells", .source = MSW_PAPER,
            .reference = "section 6: the embedding holds delta and PC", .offset = FIELD(features)),
    MSW_ROW(.name = "distance", COUNT, .unit = "walks", .min = 1, .max = 64, .def = 1,
            .doc = "walks of the cluster from the last token to the page that is meant",
            .source = MSW_PAPER, .reference = "table 3: 1 and 30", .offset = FIELD(distance)),
    MSW_ROW(.name = "repeats", CHOICE, .def = UVM_REPEATS_DROPPED, MSW_CHOICES(REPEATS),
            .doc = "walks for one page in a row", .source = MSW_INFERRED,
            .reference = "section 5.3: 262077 = 64 x 4095 - 3 has none", .offset = FIELD(repeats)),
    MSW_ROW(.name = "tokens", CHOICE, .def = UVM_ORDERED, MSW_CHOICES(ORDERS),
            .doc = "order of the tokens", .source = MSW_PAPER, .reference = "figure 6",
            .offset = FIELD(shuffle)),
    MSW_ROW(.name = "trace_walks", COUNT, .unit = "walks", .min = 64, .max = 1 << 24, .def = 4096,
            .scale = MSW_POW2, .doc = "walks of a program that are looked at", UNSAID(4096, 4096),
            .offset = FIELD(trace_walks)),
    MSW_ROW(.name = "network", CHOICE, .def = MSW_NET_TRANSFORMER, MSW_CHOICES(NETWORKS),
            .doc = "kind of network", .source = MSW_PAPER, .reference = "section 4",
            .offset = FIELD(network)),
    MSW_ROW(.name = "width", COUNT, .unit = "", .min = 1, .max = 512, .def = 12,
            .doc = "numbers that a token becomes", .source = MSW_PAPER, .reference = "section 6",
            .offset = FIELD(width)),
    MSW_ROW(.name = "delta_width", COUNT, .unit = "", .min = 1, .max = 512, .def = 4,
            .doc = "of these, numbers of the delta where there are other features",
            .source = MSW_INFERRED, .reference = "table 7: at most 4 weights per class in it",
            .offset = FIELD(delta_width)),
    MSW_ROW(.name = "layers", COUNT, .unit = "", .max = 8, .def = 1, .doc = "encoder layers",
            .source = MSW_PAPER, .reference = "section 6", .offset = FIELD(layers)),
    MSW_ROW(.name = "heads", COUNT, .unit = "", .min = 1, .max = 16, .def = 1,
            .doc = "heads of attention", .source = MSW_PAPER, .reference = "section 6",
            .offset = FIELD(heads)),
    MSW_ROW(.name = "feed", COUNT, .unit = "", .min = 1, .max = 4096, .def = 1024,
            .doc = "width of the feed-forward layer", .source = MSW_INFERRED,
            .reference = "table 7: 30 x 1024 of the activations", .offset = FIELD(feed)),
    MSW_ROW(.name = "attention", CHOICE, .def = MSW_NET_HLSH, MSW_CHOICES(ATTENTIONS),
            .doc = "which tokens look at which", .source = MSW_PAPER, .reference = "section 6",
            .offset = FIELD(attention)),
    MSW_ROW(.name = "shared_qk", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 1,
            .neutral = MSW_NO_NEUTRAL, .doc = "queries are keys, too", .source = MSW_PAPER,
            .reference = "section 5.4", .offset = FIELD(shared)),
    MSW_ROW(.name = "hash_rounds", COUNT, .unit = "", .min = 1, .max = 64, .def = 8,
            .doc = "rounds of hashing", UNSAID(4, 16), .offset = FIELD(rounds)),
    MSW_ROW(.name = "hash_buckets", COUNT, .unit = "", .min = 2, .max = 64, .def = 8,
            .scale = MSW_POW2, .doc = "buckets of a round", UNSAID(4, 16),
            .offset = FIELD(buckets)),
    MSW_ROW(.name = "hash_far", REAL, .max = 2, .def = 0.9,
            .doc = "share of the rounds from which on a token is far from all", .source = MSW_PAPER,
            .reference = "section 5.4: HTOP", .offset = FIELD(far)),
    MSW_ROW(.name = "hash_near", REAL, .max = 2, .def = 0.1,
            .doc = "share of the rounds up to which tokens are alike", .source = MSW_PAPER,
            .reference = "section 5.4: HBOT", .offset = FIELD(near)),
    MSW_ROW(.name = "bypass", REAL, .max = 2, .def = 0.9,
            .doc =
                "share of the commonest label from which on attention is left out; above 1 never",
            UNSAID(0.5, 1), .offset = FIELD(bypass)),
    MSW_ROW(.name = "head", CHOICE, .def = 0, MSW_CHOICES(CLASSED), .doc = "what is classed",
            .source = MSW_INFERRED, .reference = "table 7: 361 weights per class",
            .offset = FIELD(pooled)),
    MSW_ROW(.name = "hidden", COUNT, .unit = "", .min = 1, .max = 1024, .def = 64,
            .doc = "width of MLP, LSTM and CNN", UNSAID(16, 256), .offset = FIELD(hidden)),
    MSW_ROW(.name = "numbers", CHOICE, .def = MSW_NET_SCALED, MSW_CHOICES(NUMBERS),
            .doc = "what weights are", .source = MSW_PAPER, .reference = "section 6: 4 bits",
            .offset = FIELD(numbers)),
    MSW_ROW(.name = "classes_most", COUNT, .unit = "", .min = 2, .max = UVM_MOST_CLASSES,
            .def = 512, .scale = MSW_POW2, .doc = "labels that are told apart, at most",
            UNSAID(512, 512), .offset = FIELD(classes)),
    MSW_ROW(.name = "protocol", CHOICE, .def = UVM_P1_HONEST, MSW_CHOICES(PROTOCOLS),
            .doc = "what is learned from and what is asked", .source = MSW_INFERRED,
            .reference = "sections 4, 7.1, 7.2; split by time", .offset = FIELD(protocol)),
    MSW_ROW(.name = "train_share", REAL, .min = 0.01, .max = 0.99, .def = 0.8,
            .doc = "of the samples (p1), of the walks of each program (p3)", .source = MSW_PAPER,
            .reference = "section 4: 80 %; 7.1: 50 %", .offset = FIELD(train_share)),
    MSW_ROW(.name = "train_instructions", COUNT, .unit = "instructions", .min = 1, .max = 1e12,
            .def = 50e6, .doc = "of threads, p2", .source = MSW_PAPER, .reference = "section 7.2",
            .offset = FIELD(train_instructions)),
    MSW_ROW(.name = "visits", COUNT, .unit = "samples", .max = 1e9, .def = 256,
            .doc = "samples learned from, one after the other, again and again", UNSAID(256, 256),
            .offset = FIELD(visits)),
    MSW_ROW(.name = "enough", REAL, .max = 2, .def = 2,
            .doc = "share of right answers that ends learning; above 1 never", .source = MSW_PAPER,
            .reference = "section 7.1: 0.85 on the corpus", .offset = FIELD(enough)),
    MSW_ROW(.name = "batch", COUNT, .unit = "samples", .min = 1, .max = 4096, .def = 128,
            .scale = MSW_POW2, .doc = "samples of a step of learning", .source = MSW_INFERRED,
            .reference = "tables 6 and 7", .offset = FIELD(batch)),
    MSW_ROW(.name = "learning_rate", REAL, .min = 1e-6, .max = 1, .def = 0.002, .scale = MSW_LOG,
            .doc = "of Adam", UNSAID(1e-4, 1e-2), .offset = FIELD(rate)),
    MSW_ROW(.name = "asked_most", COUNT, .unit = "samples", .min = 1, .max = 1e9, .def = 512,
            .doc = "samples asked, evenly chosen, at most", UNSAID(512, 512),
            .offset = FIELD(tested)),
    {0},
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
    [UVM_S_CLASSES] = NUMBER(.name = "classes", .doc = "labels told apart, others included"),
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
    [UVM_S_METRICS] = {0},
};
static_assert(sizeof uvm_predictor_metrics / sizeof *uvm_predictor_metrics == UVM_S_METRICS + 1,
              "one row per metric");
