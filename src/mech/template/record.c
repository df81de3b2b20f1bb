/* SPDX-License-Identifier: MIT */
/* template: the tables and the record. Equations: README.md. */
#include "mech/template/template.h"

#include "mech/shared/tables.h"

#include <assert.h>

#define FIELD(name) offsetof(template_config, name)

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "in_flight", .kind = MSW_INTEGER, .unit = "requests", .min = 1, .max = 65536,
            .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "requests under way together", .source = MSW_INFERRED, .reference = "an example",
            .offset = FIELD(in_flight)),
    MSW_ROW(.name = "latency", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 100000,
            .def = 100, .neutral = MSW_NO_NEUTRAL, .doc = "from a request to its first byte",
            .source = MSW_INFERRED, .reference = "an example", .offset = FIELD(latency)),
    MSW_ROW(.name = "bytes_per_cycle", .kind = MSW_REAL, .unit = "B/cycle", .min = 1, .max = 1024,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "bandwidth of the memory", .source = MSW_INFERRED, .reference = "an example",
            .offset = FIELD(bytes_per_cycle)),
    {0},
};

static const msw_metric METRICS[] = {
    [TEMPLATE_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                              .doc = "time until the last byte is here"),
    [TEMPLATE_SLOWDOWN] =
        PAIRED(.name = "slowdown", .num = "cycles", .den = "cycles", .reference = "ideal", .min = 1,
               .max = 1e6, .doc = "cycles over those without latency"),
    [TEMPLATE_WAIT] = CAUSE(.name = "wait", .doc = "nothing arrives yet"),
    [TEMPLATE_TRANSFER] = CAUSE(.name = "transfer", .doc = "bytes arrive"),
    [TEMPLATE_BYTES] = TOTAL(.name = "bytes", .unit = "B", .doc = "bytes asked for"),
    [TEMPLATE_THROUGHPUT] =
        RATIO(.name = "throughput", .unit = "B/cycle", .goal = MSW_GOAL_HIGHER, .num = "bytes",
              .den = "cycles", .max = 1024, .doc = "bytes that arrive per cycle"),
    [TEMPLATE_LEAST_WINDOW] =
        LEAST(.name = "least_window",
              .doc = "so many requests under way need at least this for all of them"),
    [TEMPLATE_LEAST_MEMORY] =
        LEAST(.name = "least_memory",
              .doc = "this bandwidth needs at least so many cycles for all bytes"),
    [TEMPLATE_BOUND_SHARE] = BOUND_SHARE,
    [TEMPLATE_METRICS] = {0},
};
static_assert(sizeof METRICS / sizeof *METRICS == TEMPLATE_METRICS + 1, "one row per metric");

/* Laws within every answer, at any fidelity. */
static const msw_self_check CHECKS[] = {
    {.left = "wait + transfer", .right = "cycles", .equal = true},
    {0},
};

static const msw_preset_value NARROW[] = {{.param = "bytes_per_cycle", .value = "4"}, {0}};
static const msw_preset PRESETS[] = {
    {.name = "narrow", .doc = "a quarter of the bandwidth", .values = NARROW},
    {0},
};

/* The same memory, but for its latency. The window stays: both sides must have the same units. */
static void change_ideal(void *config)
{
    template_config *c = config;
    c->latency = 0;
}

static const msw_reference REFERENCES[] = {
    {.name = "ideal", .doc = "the same without latency", .change = change_ideal},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles", .quantile = 1, .tolerance = 1e-9, .share = 1},
    {0},
};
static const msw_monotone MONOTONE[] = {{.param = "latency", .metric = "cycles", .sign = +1}, {0}};
static const char *const SOURCES[] = {"the definition of latency and bandwidth", NULL};

const msw_mech msw_mech_template = {
    .name = "template",
    .title = "Example: a memory of fixed latency and bandwidth, a window of requests at a time",
    .version_closed = 3,
    .version_machine = 3,
    .example = true,
    .sources = SOURCES,
    .params = PARAMS,
    .config_size = sizeof(template_config),
    .metrics = METRICS,
    .metric_count = TEMPLATE_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_ACCESSES,
    .default_workload = "neumf/b64",
    .budgeted = true,
    .references = REFERENCES,
    .agreement = AGREEMENT,
    .monotone = MONOTONE,
    .checks = CHECKS,
    .laws = template_laws,
    .law_workloads = "trace/example, neumf/b64",
    .analytic = template_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = 2,
    .strata = template_strata,
    .measure = template_measure,
    .bounds = template_bounds,
};
