/* SPDX-License-Identifier: MIT */
/* null: the instrument that the engine is tested with, and what must hold between its answers.
 * Equations: README.md. */
#include "mech/null/instrument.h"

#include "mech/shared/tables.h"

#include <assert.h>
#include <math.h>

extern const msw_law null_laws[];

#define PLAIN CHANGES(SET("gain", "1"), SET("carry", "0"))

const msw_law null_laws[] = {
    FULL_LAW(.name = "longer_units", .doc = "units that are stretched more take longer",
             .change = CHANGES(TWICE("gain")), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    CLOSED_LAW(.name = "longer_units_closed", .doc = "the same of the closed form",
               .change = CHANGES(TWICE("gain")), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "delay_scales", .doc = "without stretching the stall is the delay",
             .fixed = CHANGES(SET("gain", "1")), .change = CHANGES(TWICE("carry")),
             .metric = "stall", .than = "2 * stall"),
    FULL_LAW(.name = "ideal", .doc = "neither stretched nor delayed it is the reference",
             .change = PLAIN, .metric = "slowdown", .than = "1"),
    CLOSED_LAW(.name = "by_hand", .doc = "cycles of the closed form", .metric = "cycles",
               .than = "busy * (gain + carry)"),
    FULL_LAW(.name = "stack", .doc = "the causes add up", .metric = "cycles",
             .than = "busy + stall"),
    {0},
};

/* ---- parameters: everything a user can set, once ---- */

#define FIELD(name) offsetof(null_config, name)
#define INSTRUMENT  .source = MSW_PUBLIC, .reference = "definition of the instrument"

static const msw_choice FUNCTIONS[] = {
    [NULL_LINEAR] = {.name = "linear", .doc = "y = x1 + ... + x10"},
    [NULL_ISHIGAMI] =
        {.name = "ishigami",
         .doc = "y = Ishigami function of x1..x3 (a = 7, b = 0.1), inputs scaled to -pi..pi"},
    [NULL_SOBOL_G] = {.name = "sobol_g",
                      .doc = "y = G function of Sobol, a = 0, 1, 4.5, 9, then 99"},
    [NULL_FACTORIAL_TABLE] = {.name = "factorial",
                              .doc = "y = a table of 4 x 3 x 5 x 2 levels of x1..x4"},
    [NULL_ZDT1] = {.name = "zdt1", .doc = "f1, f2 = ZDT1: a convex front at x2..x10 = 0"},
    [NULL_ZDT2] = {.name = "zdt2", .doc = "f1, f2 = ZDT2: a concave front at x2..x10 = 0"},
    [NULL_DTLZ2] = {.name = "dtlz2", .doc = "f1, f2, f3 = DTLZ2: a sphere at x3..x10 = 0.5"},
    {0},
};

static const msw_choice COST_KINDS[] = {
    [NULL_SPIN] = {.name = "spin", .doc = "keeps a processor busy"},
    [NULL_SLEEP] = {.name = "sleep", .doc = "waits without using a processor"},
    {0},
};

static const msw_choice LAWS[] = {
    [NULL_NO_LAW] = {.name = "none", .doc = "nothing is predicted"},
    [NULL_SMALL] = {.name = "small", .doc = "errors of at most predict_error, of either sign"},
    [NULL_RARE] = {.name = "rare", .doc = "one unit in 50 is wrong by 10 predict_error"},
    [NULL_BIASED] = {.name = "biased", .doc = "errors of 0.5 to 1.5 predict_error, of one sign"},
    [NULL_COST] = {.name = "cost",
                   .doc = "errors of predict_error (weight / mean - 1): those of expensive units "
                          "are large"},
    {0},
};

#define INPUT(i)                                                                                   \
    MSW_ROW(.name = "x" #i, .kind = MSW_REAL, .unit = "", .max = 1, .def = 0.5,                    \
            .neutral = MSW_NO_NEUTRAL, .doc = "input " #i " of the function", INSTRUMENT,          \
            .offset = FIELD(x) + (i - 1) * sizeof(double))

/* Expected cost of a point in microseconds: expensive points are started first. */
static double cost(const msw_task *task)
{
    const null_config *c = task->config;
    return c->cost / 1000;
}

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "function", .kind = MSW_CHOICE, .unit = "", .def = NULL_LINEAR,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(FUNCTIONS),
            .doc = "which closed form y and f1..f3 follow", INSTRUMENT, .offset = FIELD(function)),
    INPUT(1),
    INPUT(2),
    INPUT(3),
    INPUT(4),
    INPUT(5),
    INPUT(6),
    INPUT(7),
    INPUT(8),
    INPUT(9),
    INPUT(10),
    MSW_ROW(.name = "gain", .kind = MSW_REAL, .unit = "", .min = 1, .max = 10, .def = 1,
            .neutral = MSW_NEUTRAL(1), .doc = "stretches the units; 1 is the reference", INSTRUMENT,
            .offset = FIELD(gain)),
    MSW_ROW(.name = "carry", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "share of a unit's weight that delays its successor",
            INSTRUMENT, .offset = FIELD(carry)),
    MSW_ROW(.name = "cost", .kind = MSW_REAL, .unit = "ns", .min = 0, .max = 1e11, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "mean time to spend on a point", INSTRUMENT,
            .offset = FIELD(cost)),
    MSW_ROW(.name = "cost_tail", .kind = MSW_REAL, .unit = "", .min = 0, .max = 3, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "standard deviation of the logarithm of that time",
            INSTRUMENT, .offset = FIELD(cost_tail)),
    MSW_ROW(.name = "cost_kind", .kind = MSW_CHOICE, .unit = "", .def = NULL_SPIN,
            .neutral = MSW_NEUTRAL(NULL_SPIN), MSW_CHOICES(COST_KINDS),
            .doc = "how the time is spent", INSTRUMENT, .offset = FIELD(cost_kind)),
    MSW_ROW(.name = "fail_share", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "share of points that fail", INSTRUMENT,
            .offset = FIELD(fail_share)),
    MSW_ROW(.name = "nan_share", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "share of points whose y is not defined", INSTRUMENT,
            .offset = FIELD(nan_share)),
    MSW_ROW(.name = "feasible_sum", .kind = MSW_REAL, .unit = "", .min = 0, .max = 2, .def = 2,
            .neutral = MSW_NEUTRAL(2), .doc = "points with x1 + x2 above it are infeasible",
            INSTRUMENT, .offset = FIELD(feasible_sum)),
    MSW_ROW(.name = "predict_law", .kind = MSW_CHOICE, .unit = "", .def = NULL_NO_LAW,
            .neutral = MSW_NEUTRAL(NULL_NO_LAW), MSW_CHOICES(LAWS),
            .doc = "how the predicted cycles of a unit are wrong", INSTRUMENT,
            .offset = FIELD(predict_law)),
    MSW_ROW(.name = "predict_error", .kind = MSW_REAL, .unit = "", .max = 0.05, .def = 0.01,
            .neutral = MSW_NEUTRAL(0.01), .doc = "size of these errors, relative", INSTRUMENT,
            .offset = FIELD(predict_error)),
    MSW_ROW(.name = "predict_flags", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "units wrong by 10 predict_error are said to be uncertain", INSTRUMENT,
            .offset = FIELD(predict_flags)),
    MSW_ROW(.name = "predict_sum", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "strata are predicted as a whole", INSTRUMENT,
            .offset = FIELD(predict_sum)),
    MSW_ROW(.name = "unit_events", .kind = MSW_INTEGER, .unit = "", .max = 1000000, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc =
                "events of measuring a unit of mean weight, in addition to the one that any takes",
            INSTRUMENT, .offset = FIELD(unit_events)),
    MSW_ROW(.name = "terms", .kind = MSW_INTEGER, .unit = "", .max = 1000, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "terms of the sum of 1/i^2, built once for all workloads, that y is raised by",
            INSTRUMENT, .offset = FIELD(terms)),
    MSW_ROW(.name = "train_batches", .kind = MSW_INTEGER, .unit = "", .max = 1000, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc =
                "batches that what is learned from the sweep's corpus, and y is raised by, takes",
            INSTRUMENT, .offset = FIELD(train_batches)),
    MSW_ROW(.name = "cost_batch", .kind = MSW_REAL, .unit = "ns", .max = 1e11, .def = 0,
            .neutral = MSW_NEUTRAL(0), .doc = "time that each of these batches takes", INSTRUMENT,
            .offset = FIELD(cost_batch)),
    MSW_ROW(.name = "planted_error", .kind = MSW_REAL, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "standard deviation of the logarithm by which f2 is wrong in the closed form",
            INSTRUMENT, .offset = FIELD(planted_error)),
    MSW_ROW(.name = "planted_spikes", .kind = MSW_REAL, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "share of points whose f2 is far too high in the closed form", INSTRUMENT,
            .offset = FIELD(planted_spikes)),
    MSW_ROW(.name = "planted_depth", .kind = MSW_REAL, .unit = "", .max = 5, .def = 1,
            .neutral = MSW_NEUTRAL(1), .doc = "logarithm of how far", INSTRUMENT,
            .offset = FIELD(planted_depth)),
    {0},
};

/* ---- metrics: everything that is measured, once ---- */

static const msw_metric METRICS[] = {
    [NULL_CYCLES] = MSW_ROW(.name = "cycles", .kind = MSW_TOTAL, .unit = "cycles",
                            .goal = MSW_GOAL_LOWER, .max = 1e15, .doc = "sum over the units",
                            .predicted = {.largest = 0.5, .typical = 0.075}),
    [NULL_BUSY] = MSW_ROW(.name = "busy", .kind = MSW_TOTAL, .unit = "cycles", .stack = true,
                          .max = 1e15, .doc = "part of the cycles that is the units' own weight",
                          .predicted = {.largest = 1e-9, .typical = 1e-9}),
    [NULL_STALL] = MSW_ROW(.name = "stall", .kind = MSW_TOTAL, .unit = "cycles", .stack = true,
                           .max = 1e15, .doc = "part of the cycles that gain and carry add"),
    [NULL_WORK] = MSW_ROW(.name = "work", .kind = MSW_TOTAL, .unit = "requests", .max = 1e15,
                          .doc = "requests in the units"),
    [NULL_RATE] =
        RATIO(.name = "rate", .unit = "requests/cycle", .goal = MSW_GOAL_HIGHER, .num = "work",
              .den = "cycles", .max = 1e3, .doc = "requests answered in a cycle"),
    [NULL_SLOWDOWN] =
        PAIRED(.name = "slowdown", .num = "cycles", .den = "cycles", .reference = "base",
               .max = 1e3, .doc = "cycles over those of the reference"),
    [NULL_PEAK] = MAXIMUM(.name = "peak", .unit = "cycles", .goal = MSW_GOAL_LOWER, .max = 1e15,
                          .doc = "cycles of the longest unit"),
    [NULL_P90] =
        QUANTILE(.name = "p90", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "unit",
                 .level = 0.9, .max = 1e15, .doc = "90th percentile of the cycles of a unit"),
    [NULL_Y] = DERIVED(.name = "y", .unit = "", .goal = MSW_GOAL_LOWER, .min = -1e6, .max = 1e6,
                       .doc = "value of the chosen function"),
    [NULL_F1] = DERIVED(.name = "f1", .exact = true, .unit = "", .goal = MSW_GOAL_LOWER, .max = 1e3,
                        .doc = "first objective of the chosen function"),
    [NULL_F2] = DERIVED(.name = "f2", .unit = "", .goal = MSW_GOAL_LOWER, .max = 1e3,
                        .doc = "second objective of the chosen function"),
    [NULL_F3] = DERIVED(.name = "f3", .unit = "", .goal = MSW_GOAL_LOWER, .max = 1e3,
                        .doc = "third objective of the chosen function"),
    [NULL_METRICS] = {0},
};
static_assert(sizeof METRICS / sizeof *METRICS == NULL_METRICS + 1, "one row per metric");

/* ---- presets, reference, artifact, details, promises ---- */

static const msw_preset_value HEAVY[] = {
    {.param = "cost", .value = "1ms"},
    {.param = "cost_tail", .value = "1"},
    {.param = "cost_kind", .value = "spin"},
    {0},
};
static const msw_preset_value SLOW[] = {
    {.param = "gain", .value = "1.5"},
    {.param = "carry", .value = "0.1"},
    {0},
};
static const msw_preset PRESETS[] = {
    {.name = "heavy",
     .doc = "1 ms per point with a heavy tail: for the load balance",
     .values = HEAVY},
    {.name = "slow", .doc = "units stretched by half, with carry-over", .values = SLOW},
    {0},
};

/* The reference drops every parameter that cycles and predictions do not depend on: all points
 * share one. */
static void change_base(void *config)
{
    null_config *c = config;
    *c = (null_config){.gain = 1,
                       .feasible_sum = 2,
                       .predict_law = c->predict_law,
                       .predict_error = c->predict_error,
                       .predict_flags = c->predict_flags,
                       .predict_sum = c->predict_sum};
}

static const msw_reference REFERENCES[] = {
    {.name = "base", .doc = "the same units, neither stretched nor delayed", .change = change_base},
    {0},
};

static const char *const NO_PARAMETERS[] = {NULL};
static const char *const SERIES_PARAMETERS[] = {"terms", NULL};
static const char *const TRAINED_PARAMETERS[] = {"train_batches", NULL};
static const msw_artifact ARTIFACTS[] = {
    [NULL_TILT] = {.name = "tilt", .depends = NO_PARAMETERS, .build = null_build_tilt},
    [NULL_SERIES] = {.name = "series",
                     .depends = SERIES_PARAMETERS,
                     .any_workload = true,
                     .needed = null_needs_series,
                     .build = null_build_series},
    [NULL_TRAINED] = {.name = "weights",
                      .depends = TRAINED_PARAMETERS,
                      .random = true,
                      .any_workload = true,
                      .corpus = true,
                      .needed = null_needs_trained,
                      .build = null_build_trained,
                      .flatten = null_flatten_trained,
                      .unflatten = null_unflatten_trained,
                      .version = 1,
                      .cost = null_cost_trained},
    {0},
};

static const char *const HISTOGRAMS[] = {"unit", NULL};

static const char *const STRATA_COLUMNS[] = {"stratum", "units", "mean_weight", NULL};
static const char *const STRATA_UNITS[] = {"", "", "cycles"};
static const msw_detail DETAILS[] = {
    {.name = "strata",
     .doc = "the strata of the workload",
     .columns = STRATA_COLUMNS,
     .units = STRATA_UNITS},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles", .quantile = 0.95, .tolerance = 0.06, .share = 1},
    {.metric = "slowdown", .quantile = 0.95, .tolerance = 0.06, .share = 1},
    {.metric = "work", .quantile = 1, .tolerance = 1e-9, .share = 1},
    {0},
};
static const msw_monotone MONOTONE[] = {
    {.param = "gain", .metric = "cycles", .sign = +1},
    {.param = "carry", .metric = "cycles", .sign = +1},
    {0},
};

static const char *const SOURCES[] = {
    "Ishigami and Homma 1990; Sobol 1993; Zitzler, Deb and Thiele 2000; Deb et al. 2002", NULL};

/* Rules across parameters: what cannot exist is infeasible, with the reason. */
static int check(const void *config, msw_err *err)
{
    const null_config *c = config;
    if (c->x[0] + c->x[1] > c->feasible_sum)
        return msw_fail(err, "x1 + x2 = %g is above feasible_sum = %g", c->x[0] + c->x[1],
                        c->feasible_sum);
    return 0;
}

/* ---- the records ---- */

#define RECORD(own_name, own_title, own_order)                                                     \
    .name = own_name, .title = own_title, .instrument = true, .version_closed = 3,                 \
    .version_machine = 3, .sources = SOURCES, .params = PARAMS,                                    \
    .config_size = sizeof(null_config), .metrics = METRICS, .metric_count = NULL_METRICS,          \
    .primary = "slowdown", .presets = PRESETS, .accepts = MSW_PRODUCT_UNITS,                       \
    .default_workload = "synth/even", .random = true, .budgeted = true, .histograms = HISTOGRAMS,  \
    .artifacts = ARTIFACTS, .references = REFERENCES, .details = DETAILS, .agreement = AGREEMENT,  \
    .monotone = MONOTONE, .laws = null_laws, .law_workloads = "synth/small", .check = check,       \
    .analytic = null_analytic, .order = own_order, .strata_max = 64,                               \
    .state_bytes = null_state_bytes, .strata = null_strata, .begin = null_begin,                   \
    .measure = null_measure, .predictable = null_predictable, .predict = null_predict,             \
    .predict_sum = null_predict_sum, .derive = null_derive, .cost = cost

const msw_mech msw_mech_null = {
    RECORD("null", "Test instrument with known answers, independent units", MSW_UNITS_INDEPENDENT),
    .warm = null_move,
};

const msw_mech msw_mech_null_forward = {
    RECORD("null_forward", "Test instrument with known answers, one forward pass",
           MSW_UNITS_FORWARD),
    .advance = null_move,
};
