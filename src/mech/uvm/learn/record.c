/* SPDX-License-Identifier: MIT */
/* uvm_predictor: what predictors of pages know, whatever the policy of migration. Rules: README.md.
 */
#include "mech/uvm/learn/record.h"

#include "mech/uvm/model.h"

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
    const uvm_taught *taught = uvm_taught_of(task, task->arena);
    return samples && taught ? uvm_score(p, taught, samples, task->artifacts[UVM_L_ANSWERS],
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
