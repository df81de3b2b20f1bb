/* SPDX-License-Identifier: MIT */
#include "store_fixture.h"

#define TOY(name, kind, unit, low, high, def, choices, field)                                      \
    {                                                                                              \
        name, kind, unit, low, high, def, MSW_NEUTRAL(def), MSW_LINEAR, choices, NULL,             \
            "a toy setting", MSW_PUBLIC, "made up", 0, 0, offsetof(toy_config, field), 0, NULL     \
    }

static const msw_choice TOY_POLICIES[] = {{"lru", "least recent"}, {"fifo", "first in"}, {0}};

const msw_param TOY_PARAMS[] = {
    TOY("ways", MSW_INTEGER, "", 1, 64, 4, NULL, ways),
    TOY("cache_size", MSW_SIZE, "B", 64, 1e9, 65536, NULL, bytes),
    TOY("policy", MSW_CHOICE, "", 0, 0, 0, TOY_POLICIES, policy),
    TOY("wide", MSW_FLAG, "", 0, 0, 0, NULL, wide),
    TOY("share", MSW_REAL, "", 0, 1, 0.5, NULL, share),
    {0},
};

const msw_param ALPHA_PARAMS[] = {
    {"alpha_batch", MSW_INTEGER, "", 1, 64, 1, MSW_NEUTRAL(1), MSW_LINEAR, NULL, NULL,
     "a toy batch", MSW_PUBLIC, "made up", 0, 0, 0, 0, NULL},
    {0},
};

const msw_param BETA_PARAMS[] = {
    {"beta_tables", MSW_INTEGER, "", 1, 64, 8, MSW_NEUTRAL(8), MSW_LINEAR, NULL, NULL, "toy tables",
     MSW_PUBLIC, "made up", 0, 0, 0, 0, NULL},
    {0},
};

static const msw_metric TOY_METRICS[] = {
    {"cycles", "cycles", MSW_GOAL_LOWER, MSW_TOTAL, NULL, NULL, NULL, 0, false, false, 0, 1e15,
     .doc = "cycles"},
    {"stall", "cycles", MSW_GOAL_LOWER, MSW_TOTAL, NULL, NULL, NULL, 0, true, false, 0, 1e15,
     .doc = "stalls"},
    {"rate", "requests", MSW_GOAL_HIGHER, MSW_RATIO, "stall", "cycles", NULL, 0, false, 0, 1,
     .doc = "rate"},
    {"peak", "requests", MSW_GOAL_NONE, MSW_MAXIMUM, NULL, NULL, NULL, 0, false, false, 0, 1e9,
     .doc = "peak"},
    {"energy", "pJ", MSW_GOAL_LOWER, MSW_TOTAL, NULL, NULL, NULL, 0, false, false, 0, 1e15,
     .doc = "energy"},
    {"traffic", "B", MSW_GOAL_LOWER, MSW_TOTAL, NULL, NULL, NULL, 0, false, false, 0, 1e15,
     .doc = "traffic"},
    {"hits", "requests", MSW_GOAL_HIGHER, MSW_TOTAL, NULL, NULL, NULL, 0, false, false, 0, 1e15,
     .doc = "hits"},
    {0},
};

static const char *const TOY_TENANT_COLUMNS[] = {"tenant", "latency", NULL};

static const char *const TOY_TENANT_UNITS[] = {"", "cycles", NULL};

static const msw_detail TOY_DETAILS[] = {{.name = "tenant",
                                          .doc = "latency of each tenant",
                                          .columns = TOY_TENANT_COLUMNS,
                                          .units = TOY_TENANT_UNITS},
                                         {0}};

static const msw_mech TOY = {.name = "toy",
                             .title = "toy",
                             .version_closed = 3,
                             .version_machine = 3,
                             .params = TOY_PARAMS,
                             .config_size = sizeof(toy_config),
                             .metrics = TOY_METRICS,
                             .details = TOY_DETAILS};

static const msw_frontend ALPHA = {
    .name = "alpha", .version = 1, .params = ALPHA_PARAMS, .config_size = sizeof(toy_front_config)};

static const msw_frontend BETA = {
    .name = "beta", .version = 2, .params = BETA_PARAMS, .config_size = sizeof(toy_front_config)};
void toy_plan_init(toy_plan *toy, const char *name, uint64_t per_workload, size_t workloads)
{
    static char edp_name[] = "waste", edp_text[] = "cycles * stall";
    static char names[2][16] = {"alpha/one", "beta/two"}, goals[2][8] = {"cycles", "rate"};
    *toy = (toy_plan){.frontends = {&ALPHA, &BETA},
                      .workloads = {{.name = names[0]}, {.name = names[1]}},
                      .workload_frontend = {0, 1},
                      .derived = {{edp_name, edp_text}},
                      .objectives = {{goals[0], MSW_GOAL_LOWER}, {goals[1], MSW_GOAL_HIGHER}},
                      .mech = TOY};
    msw_plan *plan = &toy->plan;
    *plan = (msw_plan){.name = (char *)name,
                       .canonical = toy->canonical,
                       .digest = msw_hash_string(name),
                       .mech = &toy->mech,
                       .frontend_count = workloads,
                       .frontends = toy->frontends,
                       .workload_count = workloads,
                       .workloads = toy->workloads,
                       .workload_frontend = toy->workload_frontend,
                       .fidelity = MSW_SAMPLED,
                       .seed = 7,
                       .replicates = 1,
                       .design.kind = msw_design_find("grid"),
                       .distinct = true,
                       .view.derived_count = 1,
                       .view.derived = toy->derived,
                       .view.objective_count = 2,
                       .view.objectives = toy->objectives,
                       .points = per_workload * workloads};
    snprintf(toy->canonical, sizeof toy->canonical,
             "sweep: \"%s\"\nworkloads:\n  - {name: \"alpha/one\"}\n%sderive:\n  waste: \"cycles * "
             "stall\"\n",
             name, workloads > 1 ? "  - {name: \"beta/two\"}\n" : "");
    const msw_param *tables[] = {TOY_PARAMS, ALPHA_PARAMS, BETA_PARAMS};
    size_t sizes[] = {sizeof(toy_config), sizeof(toy_front_config), sizeof(toy_front_config)};
    msw_schema_init(&plan->schema, tables, sizes, workloads + 1, NULL);
}

void toy_plan_free(toy_plan *toy)
{
    msw_schema_free(&toy->plan.schema);
}

int toy_key(void *context, uint64_t point, msw_digest *key, msw_err *err)
{
    const toy_plan *toy = context;
    (void)err;
    uint64_t words[2] = {toy->salt, toy->period ? point % toy->period : point};
    *key = msw_hash_bytes(words, sizeof words);
    return 0;
}

void toy_row(const toy_plan *toy, msw_batch *batch, uint64_t point, msw_status status)
{
    msw_row *row = msw_batch_add(batch);
    double *values = msw_batch_values(batch, batch->count - 1);
    uint64_t same = toy->period ? point % toy->period : point;
    double x = (double)same;
    row->index = point;
    row->status = status;
    row->workload = (uint32_t)(point / (toy->plan.points / toy->plan.workload_count));
    toy_key((void *)toy, point, &row->key, NULL);
    double params[] = {(double)(same % 64 + 1),
                       64 * (double)(same % 1000 + 1),
                       (double)(same % 2),
                       (double)(same % 3 == 0),
                       x / 1e6,
                       (double)(same % 5 + 1),
                       (double)(same % 7 + 1)};
    memcpy(values, params, batch->params * sizeof *values);
    if (status != MSW_OK) {
        msw_batch_reason(batch, status == MSW_INFEASIBLE ? "too wide" : "gave up");
        return;
    }
    double *metrics = values + batch->params, *half = metrics + TOY_METRIC_COUNT;
    metrics[0] = 1000 + x;
    metrics[1] = same % 10 == 3 ? -0.0 : x / 3;
    metrics[2] = same % 10 == 4 ? NAN : 1 / (1 + x);
    metrics[3] = (double)(same % 100);
    for (int i = 4; i < TOY_METRIC_COUNT; i++) {
        metrics[i] = x * i + 0.1;
        half[i] = 0.01 * i;
    }
    half[0] = 0;
    half[1] = same % 10 == 5 ? NAN : 0.25;
    half[2] = 0.125;
    row->bound_by = 1;
    row->measured = 10 + same;
    row->units = 100 + same;
    row->events = 1000 * same;
    row->cost_us = (uint32_t)(rand() % 1000);
}

msw_batch *toy_batch(const toy_plan *toy)
{
    return msw_batch_new(16, toy->plan.schema.count, TOY_METRIC_COUNT);
}

const msw_run_info TOY_RUN = {"0.1.0", "test", "here", "memsweep run toy", 1, 2, "0123456789ab"};
