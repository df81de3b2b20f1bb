/* SPDX-License-Identifier: MIT */
/* uvm_predictor: page predictors, whatever the policy of migration: parameters, metrics, and the
 * record. Rules: README.md. */
#include "mech/uvm/learn/record.h"

#include "mech/shared/tables.h"
#include "mech/uvm/learn/rows.h"
#include "mech/uvm/machine/machine.h"
#include "mech/uvm/model.h"

#include <assert.h>

/* uvm has a row of this name for all prefetchers that predict. */
#define UVM_DISTANCE_ROW                                                                           \
    MSW_ROW(.name = "predict_distance", .kind = MSW_INTEGER, .neutral = MSW_NEUTRAL(1),            \
            .unit = "walks", .min = 1, .max = 64, .def = 1,                                        \
            .doc = "walks of the cluster from the last token to the page that is meant",           \
            .source = MSW_PAPER, .reference = "table 3: 1 and 30",                                 \
            .offset = offsetof(uvm_config, learner.distance)),

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
    [UVM_S_SAME_RIGHT] = TOTAL(.name = "markov_same_right", .unit = "samples",
                               .doc = "right of it, trained on what the network visited"),
    [UVM_S_SAME] =
        SHARE(.name = "markov_same_top1", .num = "markov_same_right", .den = "asked",
              .doc = "of that table, trained only on the samples that the network visited"),
    [UVM_S_STRIDE_RIGHT] = TOTAL(.name = "stride_right", .unit = "samples",
                                 .doc = "right of a table of strides, as many bytes"),
    [UVM_S_STRIDE] =
        SHARE(.name = "stride_top1", .num = "stride_right", .den = "asked",
              .doc = "of a table of the last page and stride by cluster and PC, as many bytes"),
    [UVM_S_FLOOR_RIGHT] = TOTAL(.name = "floor_right", .unit = "samples",
                                .doc = "asked that have the commonest label learned from"),
    [UVM_S_FLOOR] = SHARE(.name = "floor_top1", .num = "floor_right", .den = "asked",
                          .doc = "of a constant: the commonest label learned from"),
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

static bool own(const void *config)
{
    return ((const uvm_config *)config)->learner.protocol != UVM_P3;
}

static bool of_corpus(const void *config)
{
    return !own(config);
}

static bool tuned(const void *config)
{
    return uvm_is_tuned(&((const uvm_config *)config)->learner);
}

/* ---- artifacts ---- */

static const char *const NOTHING[] = {NULL};
static const char *const PAGES[] = {"page_size", NULL};
static const char *const TRACE[] = {UVM_TRACE_DEPENDS, NULL};
static const char *const NETWORK[] = {UVM_NETWORK_DEPENDS, NULL};
static const char *const TUNED[] = {UVM_TUNED_DEPENDS, NULL};
static const char *const ANSWERS[] = {UVM_TUNED_DEPENDS, "asked_most", NULL};

static const msw_artifact ARTIFACTS[] = {
    [UVM_L_STREAM] = {.name = "stream", .depends = NOTHING, .build = uvm_build_stream},
    [UVM_L_LAYOUT] = {.name = "layout", .depends = PAGES, .build = uvm_build_layout},
    [UVM_L_TRACE] = {.name = "trace", .depends = TRACE, .build = uvm_build_trace},
    [UVM_L_NETWORK] = {.name = "network",
                       .depends = NETWORK,
                       .random = true,
                       .needed = own,
                       .build = uvm_build_network,
                       .flatten = uvm_network_flatten,
                       .unflatten = uvm_read_network,
                       .version = 1,
                       .cost = uvm_network_cost},
    [UVM_L_CORPUS] = {.name = "corpus_network",
                      .depends = NETWORK,
                      .random = true,
                      .any_workload = true,
                      .corpus = true,
                      .needed = of_corpus,
                      .build = uvm_build_corpus,
                      .flatten = uvm_network_flatten,
                      .unflatten = uvm_read_network,
                      .version = 1,
                      .cost = uvm_network_cost},
    [UVM_L_TUNED] = {.name = "tuned_network",
                     .depends = TUNED,
                     .random = true,
                     .corpus = true,
                     .needed = tuned,
                     .build = uvm_build_tuned,
                     .flatten = uvm_tuned_flatten,
                     .unflatten = uvm_read_tuned,
                     .version = 1,
                     .cost = uvm_tuned_cost},
    [UVM_L_ANSWERS] = {.name = "answers",
                       .depends = ANSWERS,
                       .random = true,
                       .corpus = true,
                       .build = uvm_build_answers},
    {0},
};

/* ---- presets ---- */

/* How much they learn and are asked is said apart: it decides how long that takes. */
static const msw_preset_value REVISED[] = {
    {.param = "classes_most", .value = "8192"}, {.param = "activations", .value = "scaled"}, {0}};
static const msw_preset_value MID[] = {
    {.param = "classes_most", .value = "8192"}, {.param = "activations", .value = "scaled"},
    {.param = "width", .value = "48"},          {.param = "delta_width", .value = "24"},
    {.param = "feed", .value = "192"},          {0}};
static const msw_preset_value UNCONSTRAINED[] = {{.param = "classes_most", .value = "8192"},
                                                 {.param = "cluster", .value = "sm"},
                                                 {.param = "features", .value = "all"},
                                                 {.param = "width", .value = "200"},
                                                 {.param = "delta_width", .value = "56"},
                                                 {.param = "layers", .value = "2"},
                                                 {.param = "heads", .value = "4"},
                                                 {.param = "attention", .value = "full"},
                                                 {.param = "shared_qk", .value = "off"},
                                                 {.param = "numbers", .value = "float"},
                                                 {.param = "activations", .value = "float"},
                                                 {.param = "bypass", .value = "2"},
                                                 {0}};
static const msw_preset PRESETS[] = {
    {.name = "revised", .doc = "the predictor of section 6, trained for real", .values = REVISED},
    {.name = "mid",
     .doc = "the same, 48 numbers a token and a feed-forward layer of 192",
     .values = MID},
    {.name = "unconstrained",
     .doc = "the predictor of section 4: all features, 200 numbers a "
            "token, two layers",
     .values = UNCONSTRAINED},
    {0},
};

/* ---- rules ---- */

int uvm_predictor_check(const void *config, msw_err *err)
{
    const uvm_learner *p = &((const uvm_config *)config)->learner;
    unsigned features = uvm_features_of(p), count = msw_bits_count(features);
    int64_t others = count - (features & 1u << UVM_F_DELTA ? 1 : 0);
    int64_t left = p->width - (others < count ? p->delta_width : 0);
    if (others && left < others)
        return msw_fail(err,
                        "width = %lld: %lld features besides the delta need a number each, "
                        "delta_width = %lld leaves %lld",
                        (long long)p->width, (long long)others, (long long)p->delta_width,
                        (long long)left);
    if (p->network == MSW_NET_TRANSFORMER && p->width % p->heads)
        return msw_fail(err, "heads = %lld do not divide width = %lld", (long long)p->heads,
                        (long long)p->width);
    if (p->buckets % 2)
        return msw_fail(err, "hash_buckets = %lld: an even number is needed",
                        (long long)p->buckets);
    return 0;
}

/* ---- evaluation: nothing is left to simulate ---- */

static int evaluate(const msw_task *task, double *metrics, msw_err *err)
{
    const uvm_learner *p = &((const uvm_config *)task->config)->learner;
    uvm_samples *samples =
        uvm_samples_of(p, task->artifacts[UVM_L_TRACE], task->stream, task->arena, err);
    const uvm_trained *trained = uvm_trained_of(task, task->arena);
    return samples && trained ? uvm_score(p, trained, samples, task->artifacts[UVM_L_ANSWERS],
                                          task->arena, metrics, err)
                              : -1;
}

static int measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    (void)state;
    (void)stratum;
    (void)unit;
    if (evaluate(task, out->totals, err))
        return -1;
    out->events = (uint64_t)out->totals[UVM_S_ASKED];
    return 0;
}

static const char *const SOURCES[] = {
    "Long, Gong, Zhou, Zhang, Deep Learning based Data Prefetching in CPU-GPU Unified Virtual "
    "Memory, arXiv:2203.12672",
    "Kitaev, Kaiser, Levskaya, Reformer, ICLR 2020: angular hashing", NULL};
static const msw_part *const PARTS[] = {&msw_part_learn, NULL};

/* There is one form, at every fidelity. */
static const msw_agreement AGREEMENT[] = {
    {.metric = "hits", .quantile = 1, .tolerance = 1e-9, .share = 1}, {0}};

const msw_mech msw_mech_uvm_predictor = {
    .name = "uvm_predictor",
    .title = "Predictors of the next page of a GPU program: accuracy, size and work",
    .version_closed = 2,
    .version_machine = 2,
    .parts_closed = PARTS,
    .parts_machine = PARTS,
    .sources = SOURCES,
    .params = uvm_predictor_params,
    .config_size = sizeof(uvm_config),
    .metrics = uvm_predictor_metrics,
    .metric_count = UVM_S_METRICS,
    .primary = "hits",
    .agreement = AGREEMENT,
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_PROGRAM,
    .default_workload = "uvm/streamtriad/n=64Ki",
    .random = true,
    .artifacts = ARTIFACTS,
    .check = uvm_predictor_check,
    .analytic = evaluate,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = 1,
    .strata = uvm_strata,
    .measure = measure,
};
