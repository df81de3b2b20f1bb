/* null: the annotated template and the engine's test instrument. Copy this folder to start a
 * mechanism: tables first, then the closed form, then the cycle model, one line in list.h. */
#include "null.h"

#include <math.h>

/* ---- parameters: everything a user can set, once ---- */

#define FIELD(name) offsetof(null_config, name)
#define INSTRUMENT  MSW_PUBLIC, "definition of the instrument", 0, 0

static const msw_choice FUNCTIONS[] = {
    {"linear", "y = x1 + ... + x10"},
    {"ishigami", "y = Ishigami function of x1..x3 (a = 7, b = 0.1), inputs scaled to -pi..pi"},
    {"sobol_g", "y = G function of Sobol, a = 0, 1, 4.5, 9, then 99"},
    {"factorial", "y = a table of 4 x 3 x 5 x 2 levels of x1..x4"},
    {"zdt1", "f1, f2 = ZDT1: a convex front at x2..x10 = 0"},
    {"zdt2", "f1, f2 = ZDT2: a concave front at x2..x10 = 0"},
    {"dtlz2", "f1, f2, f3 = DTLZ2: a sphere at x3..x10 = 0.5"},
    {0},
};

static const msw_choice COST_KINDS[] = {
    {"spin", "keeps a processor busy"},
    {"sleep", "waits without using a processor"},
    {0},
};

#define INPUT(i)                                                                                   \
    {                                                                                              \
        "x" #i, MSW_REAL, "", 0, 1, 0.5, NAN, MSW_LINEAR, NULL, NULL,                              \
            "input " #i " of the function", INSTRUMENT, FIELD(x) + (i - 1) * sizeof(double)        \
    }

static const msw_param PARAMS[] = {
    {"function", MSW_CHOICE, "", 0, 0, NULL_LINEAR, NAN, MSW_LINEAR, FUNCTIONS, NULL,
     "which closed form y and f1..f3 follow", INSTRUMENT, FIELD(function)},
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
    {"gain", MSW_REAL, "", 1, 10, 1, 1, MSW_LINEAR, NULL, NULL,
     "stretches the units; 1 is the reference", INSTRUMENT, FIELD(gain)},
    {"carry", MSW_REAL, "", 0, 1, 0, 0, MSW_LINEAR, NULL, NULL,
     "share of a unit's weight that delays its successor", INSTRUMENT, FIELD(carry)},
    {"cost", MSW_REAL, "ns", 0, 1e11, 0, 0, MSW_LINEAR, NULL, NULL, "mean time to spend on a point",
     INSTRUMENT, FIELD(cost)},
    {"cost_tail", MSW_REAL, "", 0, 3, 0, 0, MSW_LINEAR, NULL, NULL,
     "standard deviation of the logarithm of that time", INSTRUMENT, FIELD(cost_tail)},
    {"cost_kind", MSW_CHOICE, "", 0, 0, NULL_SPIN, NULL_SPIN, MSW_LINEAR, COST_KINDS, NULL,
     "how the time is spent", INSTRUMENT, FIELD(cost_kind)},
    {"fail_share", MSW_REAL, "", 0, 1, 0, 0, MSW_LINEAR, NULL, NULL, "share of points that fail",
     INSTRUMENT, FIELD(fail_share)},
    {"nan_share", MSW_REAL, "", 0, 1, 0, 0, MSW_LINEAR, NULL, NULL,
     "share of points whose y is not defined", INSTRUMENT, FIELD(nan_share)},
    {"feasible_sum", MSW_REAL, "", 0, 2, 2, 2, MSW_LINEAR, NULL, NULL,
     "points with x1 + x2 above it are infeasible", INSTRUMENT, FIELD(feasible_sum)},
    {0},
};

/* ---- metrics: everything that is measured, once ---- */

static const msw_metric METRICS[] = {
    {"cycles", "cycles", MSW_GOAL_LOWER, MSW_TOTAL, NULL, NULL, NULL, 0, false, 0, 1e15,
     "sum over the units"},
    {"busy", "cycles", MSW_GOAL_NONE, MSW_TOTAL, NULL, NULL, NULL, 0, true, 0, 1e15,
     "part of the cycles that is the units' own weight"},
    {"stall", "cycles", MSW_GOAL_NONE, MSW_TOTAL, NULL, NULL, NULL, 0, true, 0, 1e15,
     "part of the cycles that gain and carry add"},
    {"work", "requests", MSW_GOAL_NONE, MSW_TOTAL, NULL, NULL, NULL, 0, false, 0, 1e15,
     "requests in the units"},
    {"rate", "requests/cycle", MSW_GOAL_HIGHER, MSW_RATIO, "work", "cycles", NULL, 0, false, 0, 1e3,
     "requests answered in a cycle"},
    {"slowdown", "", MSW_GOAL_LOWER, MSW_PAIRED, "cycles", "cycles", "base", 0, false, 0, 1e3,
     "cycles over those of the reference"},
    {"peak", "cycles", MSW_GOAL_LOWER, MSW_MAXIMUM, NULL, NULL, NULL, 0, false, 0, 1e15,
     "cycles of the longest unit"},
    {"p90", "cycles", MSW_GOAL_LOWER, MSW_QUANTILE, "unit", NULL, NULL, 0.9, false, 0, 1e15,
     "90th percentile of the cycles of a unit"},
    {"y", "", MSW_GOAL_LOWER, MSW_DERIVED, NULL, NULL, NULL, 0, false, -1e6, 1e6,
     "value of the chosen function"},
    {"f1", "", MSW_GOAL_LOWER, MSW_DERIVED, NULL, NULL, NULL, 0, false, 0, 1e3,
     "first objective of the chosen function"},
    {"f2", "", MSW_GOAL_LOWER, MSW_DERIVED, NULL, NULL, NULL, 0, false, 0, 1e3,
     "second objective of the chosen function"},
    {"f3", "", MSW_GOAL_LOWER, MSW_DERIVED, NULL, NULL, NULL, 0, false, 0, 1e3,
     "third objective of the chosen function"},
    {0},
};

/* ---- presets, reference, artifact, details, promises ---- */

static const msw_preset_value HEAVY[] = {
    {"cost", "1ms"}, {"cost_tail", "1"}, {"cost_kind", "spin"}, {0}};
static const msw_preset_value SLOW[] = {{"gain", "1.5"}, {"carry", "0.1"}, {0}};
static const msw_preset PRESETS[] = {
    {"heavy", "1 ms per point with a heavy tail: for the load balance", HEAVY},
    {"slow", "units stretched by half, with carry-over", SLOW},
    {0},
};

/* The reference drops every parameter that cycles do not depend on: all points share one. */
static void change_base(void *config)
{
    *(null_config *)config = (null_config){.gain = 1, .feasible_sum = 2};
}

static const msw_reference REFERENCES[] = {
    {"base", "the same units, neither stretched nor delayed", change_base},
    {0},
};

static const char *const NO_PARAMETERS[] = {NULL};
static const msw_artifact ARTIFACTS[] = {
    {"tilt", NO_PARAMETERS, false, null_build_tilt, false},
    {0},
};

static const char *const HISTOGRAMS[] = {"unit", NULL};

static const char *const STRATA_COLUMNS[] = {"stratum", "units", "mean_weight", NULL};
static const char *const STRATA_UNITS[] = {"", "", "cycles"};
static const msw_detail DETAILS[] = {
    {"strata", "the strata of the workload", STRATA_COLUMNS, STRATA_UNITS},
    {0},
};

static const msw_agreement AGREEMENT[] = {{"cycles", 0.1, NULL}, {"work", 1e-9, NULL}, {0}};
static const msw_monotone MONOTONE[] = {{"gain", "cycles", +1}, {"carry", "cycles", +1}, {0}};

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

/* Expected cost of a point in microseconds: dear points are started first. */
static double cost(const msw_task *task)
{
    const null_config *c = task->config;
    return c->cost / 1000;
}

/* ---- the records ---- */

#define RECORD(own_name, own_title, own_order)                                                     \
    .name = own_name, .title = own_title, .version = 2, .sources = SOURCES, .params = PARAMS,      \
    .config_size = sizeof(null_config), .metrics = METRICS, .primary = "slowdown",                 \
    .presets = PRESETS, .accepts = MSW_PRODUCT_UNITS, .default_workload = "synth/even",            \
    .random = true, .budgeted = true, .histograms = HISTOGRAMS, .artifacts = ARTIFACTS,            \
    .references = REFERENCES, .details = DETAILS, .agreement = AGREEMENT, .monotone = MONOTONE,    \
    .check = check, .analytic = null_analytic, .order = own_order, .strata_max = 64,               \
    .state_bytes = null_state_bytes, .strata = null_strata, .begin = null_begin,                   \
    .measure = null_measure, .derive = null_derive, .cost = cost

const msw_mech msw_mech_null = {
    RECORD("null", "Test instrument with known answers, independent units", MSW_UNITS_INDEPENDENT),
    .warm = null_move,
};

const msw_mech msw_mech_null_forward = {
    RECORD("null_forward", "Test instrument with known answers, one forward pass",
           MSW_UNITS_FORWARD),
    .advance = null_move,
};
