/* SPDX-License-Identifier: MIT */
/* Builds the tables of a mix, and prints them for `describe --mapping`. Each network's table is a
 * part by itself: it depends on the shape of the network, its precision and the NPU alone, so that
 * mixes share it, and a database keeps it. Numbers are stored as eight bytes each. */
#include "mech/camdn/model.h"

#include "mech/camdn/plan/plan.h"

#include "memsweep/base/flat.h"

#include <inttypes.h>
#include <string.h>

const char *const camdn_tables_depends[] = {
    "array_rows",    "array_cols", "dataflow", "scratchpad", "accumulator", "sum_bytes",
    "single_buffer", "depthwise",  "lanes",    "tiling",     "arrays",      NULL};

camdn_array camdn_array_of(const camdn_config *c, int64_t element_bytes)
{
    return (camdn_array){.rows = c->array_rows,
                         .cols = c->array_cols,
                         .arrays = c->arrays,
                         .dataflow = c->dataflow,
                         .scratchpad = c->scratchpad,
                         .accumulator = c->accumulator,
                         .element_bytes = element_bytes,
                         .sum_bytes = c->sum_bytes,
                         .single = c->single,
                         .depthwise = c->depthwise,
                         .lanes = c->lanes,
                         .tiling = c->tiling};
}

size_t camdn_table_count(const msw_task *task)
{
    const msw_graph_product *mix = task->product->data;
    return mix->count;
}

msw_digest camdn_table_key(const msw_task *task, size_t part)
{
    const msw_graph_product *mix = task->product->data;
    const uint64_t words[] = {mix->networks[part].shape.hi, mix->networks[part].shape.lo,
                              mix->element_bytes};
    return msw_hash_bytes(words, sizeof words);
}

int camdn_build_table(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_array array = camdn_array_of(task->config, mix->element_bytes);
    msw_arena scratch = {0};
    (void)extra;
    *root = camdn_map(&mix->networks[task->part.number], &array, arena, &scratch, err);
    msw_arena_free(&scratch);
    return *root ? 0 : -1;
}

static const void *copy_of(const camdn_table *table, msw_arena *arena)
{
    size_t bytes = camdn_table_bytes(table);
    void *copy = msw_arena_take(arena, bytes);
    return copy ? memcpy(copy, table, bytes) : NULL;
}

int camdn_build_tables(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_array array = camdn_array_of(task->config, mix->element_bytes);
    camdn_tables *tables = msw_arena_zero(arena, 1, sizeof *tables);
    (void)extra;
    if (!tables)
        return msw_fail_memory(err);
    tables->count = (uint32_t)camdn_table_count(task);
    for (uint32_t i = 0; i < tables->count; i++) {
        tables->of[i] = copy_of(task->part.roots[i], arena);
        if (!tables->of[i] ||
            camdn_shape_of(&mix->networks[i], tables->of[i], &array, arena, &tables->shapes[i]))
            return msw_fail_memory(err);
    }
    *root = tables;
    return 0;
}

/* ---- as bytes ---- */

static void flatten_layer(const camdn_layer *layer, msw_text *bytes)
{
    msw_flat_add_u64(bytes, layer->cycles);
    for (int h = 0; h < CAMDN_STAIRS; h++)
        msw_flat_add_u64(bytes, (uint64_t)layer->stairs[h].first << 32 | layer->stairs[h].count);
}

/* Order and what stays in a word. */
static void flatten_step(const camdn_step *step, msw_text *bytes)
{
    uint64_t way = step->order;
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        way = way << 8 | step->stay[i];
    msw_flat_add_u64(bytes, step->cache_bytes);
    msw_flat_add_u64(bytes, step->dram_bytes);
    msw_flat_add_u64(bytes, step->npu_bytes);
    msw_flat_add_u64(bytes, (uint64_t)step->m << 32 | step->n);
    msw_flat_add_u64(bytes, (uint64_t)step->k << 32 | way);
}

int camdn_flatten_table(const void *root, msw_text *bytes, msw_err *err)
{
    const camdn_table *table = root;
    msw_flat_add_u64(bytes, table->op_count);
    msw_flat_add_u64(bytes, table->step_count);
    msw_flat_add_u64(bytes, table->points);
    for (uint32_t i = 0; i < table->op_count; i++)
        flatten_layer(&camdn_layers(table)[i], bytes);
    for (uint32_t i = 0; i < table->step_count; i++)
        flatten_step(&camdn_steps(table)[i], bytes);
    return bytes->failed ? msw_fail_memory(err) : 0;
}

static bool read_layer(msw_flat *flat, const camdn_table *table, camdn_layer *layer)
{
    bool good = true;
    layer->cycles = msw_flat_u64(flat);
    for (int h = 0; h < CAMDN_STAIRS; h++) {
        uint64_t word = msw_flat_u64(flat);
        layer->stairs[h] = (camdn_stairs){(uint32_t)(word >> 32), (uint32_t)word};
        good &= (word >> 32) + (uint32_t)word <= table->step_count;
    }
    return good && layer->stairs[0].count > 0;
}

static bool read_step(msw_flat *flat, camdn_step *step)
{
    *step = (camdn_step){.cache_bytes = msw_flat_u64(flat)};
    step->dram_bytes = msw_flat_u64(flat);
    step->npu_bytes = msw_flat_u64(flat);
    uint64_t size = msw_flat_u64(flat), way = msw_flat_u64(flat);
    step->m = (uint32_t)(size >> 32), step->n = (uint32_t)size, step->k = (uint32_t)(way >> 32);
    step->order = (uint8_t)(way >> 24);
    bool good = step->order < 6 && step->m > 0 && step->n > 0 && step->k > 0;
    for (int i = 0; i < CAMDN_OPERANDS; i++) {
        step->stay[i] = (uint8_t)(way >> (8 * (CAMDN_OPERANDS - 1 - i)));
        good &= step->stay[i] < CAMDN_STAYS;
    }
    return good;
}

int camdn_unflatten_table(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                          const void **root, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    msw_flat flat = msw_flat_open(bytes, size);
    camdn_table head = {(uint32_t)msw_flat_u64(&flat), (uint32_t)msw_flat_u64(&flat),
                        msw_flat_u64(&flat)};
    if (head.op_count != mix->networks[task->part.number].op_count || head.step_count > size)
        return msw_fail(err, "found no table of network '%s'",
                        mix->networks[task->part.number].name);
    camdn_table *table = msw_arena_zero(arena, 1, camdn_table_bytes(&head));
    if (!table)
        return msw_fail_memory(err);
    *table = head;
    camdn_layer *layers = (camdn_layer *)(table + 1);
    camdn_step *steps = (camdn_step *)(layers + head.op_count);
    bool good = true;
    for (uint32_t i = 0; i < head.op_count; i++)
        good &= read_layer(&flat, table, &layers[i]);
    for (uint32_t i = 0; i < head.step_count; i++)
        good &= read_step(&flat, &steps[i]);
    if (!good || !msw_flat_done(&flat))
        return msw_fail(err, "found no table of network '%s'",
                        mix->networks[task->part.number].name);
    *root = table;
    return 0;
}

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
    own.part.roots = parts;
    own.artifacts = artifacts;
    for (own.part.number = 0; own.part.number < mix->count; own.part.number++)
        MSW_TRY(camdn_build_table(&own, NULL, task->arena, &parts[own.part.number], err));
    MSW_TRY(camdn_build_tables(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_TABLES], err));
    MSW_TRY(camdn_build_levels(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_LEVELS], err));
    MSW_TRY(camdn_build_plans(&own, NULL, task->arena, &artifacts[CAMDN_ARTIFACT_PLANS], err));
    const camdn_plans *plans = artifacts[CAMDN_ARTIFACT_PLANS];
    for (uint32_t i = 0; i < mix->count; i++)
        add_network(&mix->networks[i], parts[i], &plans->of[i], out);
    return 0;
}
