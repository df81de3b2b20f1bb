/* SPDX-License-Identifier: MIT */
/* What `describe --mapping` prints: the staircase of each operator, and the levels and blocks that
 * pages make of it. */
#include "mech/camdn/plan/plan.h"

#include <inttypes.h>

static const char *const STAYS[CAMDN_STAYS] = {"-", "part", "whole"};

static void add_step(const camdn_step *s, msw_text *out)
{
    const uint8_t *order = camdn_orders[s->order];
    msw_text_add(out, "      %10.1f %12.1f %12.1f  %5" PRIu32 " %5" PRIu32 " %5" PRIu32 "  %c%c%c",
                 (double)s->cache_bytes / 1024, (double)s->dram_bytes / 1024,
                 (double)s->npu_bytes / 1024, s->m, s->n, s->k, "MNK"[order[0]], "MNK"[order[1]],
                 "MNK"[order[2]]);
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        msw_text_add(out, " %5s", STAYS[s->stay[i]]);
}

/* Number of the level that a step is, or -1. */
static int level_of(const camdn_op_plan *plan, const camdn_step *step)
{
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->levels[i].step.cache_bytes == step->cache_bytes)
            return (int)i;
    return -1;
}

static void add_op(const msw_graph_network *net, const camdn_table *table, const camdn_plan *plan,
                   uint32_t number, msw_text *out)
{
    const msw_graph_op *op = &net->ops[number];
    const camdn_layer *layer = &camdn_layers(table)[number];
    const camdn_step *steps = camdn_steps(table) + layer->stairs[0].first;
    msw_text_add(out,
                 "    %s: %s, %" PRIu64 " x %" PRIu64 " x %" PRIu64 ", %" PRIu64 " times; %" PRIu64
                 " cycles; block %" PRIu32 "\n",
                 op->name, msw_graph_kind_name(op->kind), op->m, op->n, op->k, op->count * op->seq,
                 layer->cycles, plan->ops[number].block);
    for (uint32_t i = 0; i < layer->stairs[0].count; i++) {
        int level = level_of(&plan->ops[number], &steps[i]);
        add_step(&steps[i], out);
        if (level >= 0)
            msw_text_add(out, "  level %d: %" PRIu32 " pages", level,
                         plan->ops[number].levels[level].pages);
        msw_text_add(out, "\n");
    }
}

static void add_network(const msw_graph_network *net, const camdn_table *table,
                        const camdn_plan *plan, msw_text *out)
{
    msw_text_add(out, "\n  %s: %u operators, %u steps, %" PRIu64 " ways looked at\n", net->name,
                 net->op_count, table->step_count, table->points);
    for (uint32_t i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].end - plan->blocks[i].first > 1)
            msw_text_add(out, "    block %u: %s to %s, %u pages\n", i,
                         net->ops[plan->blocks[i].first].name,
                         net->ops[plan->blocks[i].end - 1].name, plan->blocks[i].pages);
    msw_text_add(out, "      %10s %12s %12s  %5s %5s %5s  %s %5s %5s %5s\n", "cache KiB",
                 "memory KiB", "NPU KiB", "m", "n", "k", "loops", "acts", "wghts", "out");
    for (uint32_t i = 0; i < net->op_count; i++)
        add_op(net, table, plan, i, out);
}

int camdn_mapping(const msw_task *task, msw_text *out, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    const void *parts[MSW_GRAPH_NETWORKS_MAX], *artifacts[CAMDN_ARTIFACTS] = {0};
    msw_task own = *task;
    int rc = 0;
    own.parts = parts;
    own.artifacts = artifacts;
    for (own.part = 0; rc == 0 && own.part < mix->count; own.part++)
        rc = camdn_build_table(&own, NULL, task->arena, &parts[own.part], err);
    if (rc == 0)
        rc = camdn_build_tables(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_TABLES], err);
    if (rc == 0)
        rc = camdn_build_levels(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_LEVELS], err);
    if (rc == 0)
        rc = camdn_build_plans(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_PLANS], err);
    const camdn_plans *plans = artifacts[CAMDN_ARTIFACT_PLANS];
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++)
        add_network(&mix->networks[i], parts[i], &plans->of[i], out);
    return rc;
}
