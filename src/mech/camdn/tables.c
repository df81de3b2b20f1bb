/* SPDX-License-Identifier: MIT */
/* The tables of a mix, each network's a part by itself: it depends on the shape of the network, its
 * precision and the NPU alone, so that mixes share it, and a database keeps it. Numbers are kept as
 * eight bytes each. */
#include "mech/camdn/model.h"

#include "memsweep/base/flat.h"

#include <string.h>

const char *const camdn_tables_depends[] = {
    "array_rows",    "array_cols", "dataflow", "scratchpad", "accumulator", "sum_bytes",
    "single_buffer", "depthwise",  "lanes",    "tiling",     NULL};

camdn_array camdn_array_of(const camdn_config *c, int64_t element_bytes)
{
    return (camdn_array){.rows = c->array_rows,
                         .cols = c->array_cols,
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
    *root = camdn_map(&mix->networks[task->part], &array, arena, &scratch, err);
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
        tables->of[i] = copy_of(task->parts[i], arena);
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
    if (head.op_count != mix->networks[task->part].op_count || head.step_count > size)
        return msw_fail(err, "found no table of network '%s'", mix->networks[task->part].name);
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
        return msw_fail(err, "found no table of network '%s'", mix->networks[task->part].name);
    *root = table;
    return 0;
}
