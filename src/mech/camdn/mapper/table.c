/* SPDX-License-Identifier: MIT */
/* Makes the table of a network, operators of equal shape once, and its shape beside it. Bytes
 * between two uses of a tensor: half of what the operator of the use before touches, all between,
 * and half of what this one touches, less the tensor's own. closed/README.md. */
#include "mech/camdn/mapper/mapper.h"

#include "memsweep/base/vec.h"

#include <math.h>
#include <string.h>

typedef struct maker {
    const msw_graph_network *net;
    const camdn_array *array;
    msw_arena *scratch;
    camdn_layer *layers;
    camdn_step *steps;
    size_t count, room;
    uint64_t points;
} maker;

static int store_steps(maker *m, const camdn_step *steps, size_t count, camdn_stairs *stairs,
                       msw_err *err)
{
    MSW_TRY(
        msw_vec_reserve_in(m->scratch, &m->steps, &m->room, m->count + count, sizeof *steps, err));
    *stairs = (camdn_stairs){(uint32_t)m->count, (uint32_t)count};
    memcpy(m->steps + m->count, steps, count * sizeof *steps);
    m->count += count;
    return 0;
}

/* Weights are never held from outside; what a pair multiplies with may be. */
static bool makes_sense(const msw_graph_op *op, unsigned held)
{
    return !(held & CAMDN_HELD_W) || op->kind == MSW_GRAPH_PAIR;
}

static int fail_room(const maker *m, const msw_graph_op *op, msw_err *err)
{
    return msw_fail_kind(
        err, MSW_ERR_UNFIT,
        "network '%s', operator '%s': no tile fits a scratchpad of %lld bytes and "
        "accumulators of %lld; next step: more of them, a smaller array or a single "
        "buffer",
        m->net->name, op->name, (long long)m->array->scratchpad, (long long)m->array->accumulator);
}

/* Where not even one block of the array fits, blocks are halved. Returns false when they are one
 * element already. */
static bool halve_blocks(camdn_product *product)
{
    bool halved = false;
    for (int i = 0; i < 3; i++) {
        halved |= product->block[i] > 1;
        product->block[i] = msw_div_up(product->block[i], 2);
    }
    return halved;
}

static int map_product(maker *m, uint32_t number, msw_err *err)
{
    const msw_graph_op *op = &m->net->ops[number];
    camdn_product product = camdn_product_of(m->net, number, m->array);
    camdn_stair_list lists[CAMDN_HELD] = {{0}};
    unsigned helds = 0;
    for (unsigned held = 0; held < CAMDN_HELD; held++) {
        lists[held].arena = m->scratch;
        helds |= (unsigned)makes_sense(op, held) << held;
    }
    do {
        if (camdn_enumerate(&product, m->array, helds, lists, m->scratch, &m->points))
            return msw_fail_memory(err);
    } while (lists[0].count == 0 && halve_blocks(&product));
    if (lists[0].count == 0)
        return fail_room(m, op, err);
    for (unsigned held = 0; held < CAMDN_HELD; held++)
        if (lists[held].count)
            MSW_TRY(store_steps(m, lists[held].steps, lists[held].count,
                                &m->layers[number].stairs[held], err));
    camdn_step plain;
    if (m->array->tiling == CAMDN_TILING_GEMMINI && camdn_gemmini(&product, m->array, &plain))
        return store_steps(m, &plain, 1, &m->layers[number].stairs[CAMDN_PLAIN], err);
    return 0;
}

/* One way only: everything goes through once. */
static int map_stream(maker *m, uint32_t number, msw_err *err)
{
    const msw_graph_op *op = &m->net->ops[number];
    uint64_t all = msw_graph_op_bytes(m->net, number), out = m->net->tensors[op->output].bytes;
    for (unsigned held = 0; held < CAMDN_HELD; held++) {
        uint64_t in = all - out - op->touched_bytes - op->index_bytes;
        camdn_step step = {.dram_bytes = all, .npu_bytes = all, .m = 1, .n = 1, .k = 1};
        if (!makes_sense(op, held))
            continue;
        step.dram_bytes -= (held & CAMDN_HELD_A ? in : 0) + (held & CAMDN_HELD_C ? out : 0);
        MSW_TRY(store_steps(m, &step, 1, &m->layers[number].stairs[held], err));
    }
    return 0;
}

/* Returns whether two operators have the same products of the same sizes. */
static bool is_same(const maker *m, uint32_t a, uint32_t b)
{
    const msw_graph_op *x = &m->net->ops[a], *y = &m->net->ops[b];
    camdn_product p = camdn_product_of(m->net, a, m->array);
    camdn_product q = camdn_product_of(m->net, b, m->array);
    return x->kind == y->kind && camdn_has_tiles(x) && memcmp(&p, &q, sizeof p) == 0;
}

static int map_layer(maker *m, uint32_t number, msw_err *err)
{
    const msw_graph_op *op = &m->net->ops[number];
    m->layers[number].cycles = camdn_cycles_of(op, m->array);
    for (uint32_t i = 0; i < number; i++)
        if (is_same(m, i, number)) {
            memcpy(m->layers[number].stairs, m->layers[i].stairs, sizeof m->layers[i].stairs);
            return 0;
        }
    return camdn_has_tiles(op) ? map_product(m, number, err) : map_stream(m, number, err);
}

static const camdn_table *copy_table(const maker *m, msw_arena *arena)
{
    size_t layers = m->net->op_count * sizeof *m->layers, steps = m->count * sizeof *m->steps;
    camdn_table head = {m->net->op_count, (uint32_t)m->count, m->points};
    camdn_table *table = msw_arena_take(arena, camdn_table_bytes(&head));
    if (!table)
        return NULL;
    *table = head;
    memcpy((char *)(table + 1), m->layers, layers);
    memcpy((char *)(table + 1) + layers, m->steps, steps);
    return table;
}

const camdn_table *camdn_map(const msw_graph_network *net, const camdn_array *array,
                             msw_arena *arena, msw_arena *scratch, msw_err *err)
{
    maker m = {.net = net, .array = array, .scratch = scratch};
    m.layers = msw_arena_zero(scratch, net->op_count, sizeof *m.layers);
    for (uint32_t i = 0; m.layers && i < net->op_count; i++)
        if (map_layer(&m, i, err))
            return NULL;
    const camdn_table *table = m.layers ? copy_table(&m, arena) : NULL;
    if (!table)
        msw_fail_memory(err);
    return table;
}

size_t camdn_table_bytes(const camdn_table *table)
{
    return sizeof *table + table->op_count * sizeof(camdn_layer) +
           table->step_count * sizeof(camdn_step);
}

const camdn_layer *camdn_layers(const camdn_table *table)
{
    return (const camdn_layer *)(table + 1);
}

const camdn_step *camdn_steps(const camdn_table *table)
{
    return (const camdn_step *)(camdn_layers(table) + table->op_count);
}

const camdn_step *camdn_plain_step(const camdn_table *table, uint32_t op)
{
    const camdn_stairs *plain = &camdn_layers(table)[op].stairs[CAMDN_PLAIN];
    return plain->count ? &camdn_steps(table)[plain->first] : camdn_step_within(table, op, 0, 0);
}

const camdn_step *camdn_step_within(const camdn_table *table, uint32_t op, unsigned held,
                                    uint64_t cache_bytes)
{
    const camdn_stairs *stairs = &camdn_layers(table)[op].stairs[held];
    const camdn_step *steps = camdn_steps(table) + stairs->first, *best = NULL;
    for (uint32_t i = 0; i < stairs->count && steps[i].cache_bytes <= cache_bytes; i++)
        best = &steps[i];
    return best;
}

enum { M, N, K };

/* ---- shapes ---- */

typedef struct shaper {
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_array *array;
    camdn_product *products;
    camdn_plain *plain;
    double *staying, *touched[2]; /* touched: by whether lines bypass */
    camdn_distance *distances[2];
} shaper;

static bool reads(const msw_graph_network *net, uint32_t number, uint32_t tensor)
{
    const msw_graph_op *op = &net->ops[number];
    for (uint32_t i = 0; i < op->read_count; i++)
        if (net->reads[op->first_read + i] == tensor)
            return true;
    return false;
}

/* Bytes of an operator's weights that take room. Those that are requested once bypass. */
static double weights_of(const shaper *m, uint32_t number, bool bypass)
{
    const msw_graph_op *op = &m->net->ops[number];
    double once = (double)op->touched_bytes / (double)msw_max_u64(op->seq, 1);
    if (op->weight == MSW_GRAPH_NONE)
        return 0;
    double bytes = fmin((double)m->net->tensors[op->weight].bytes, once);
    bool again =
        camdn_has_tiles(op) &&
        (op->seq > 1 || m->plain[number].npu[CAMDN_W] > m->products[number].bytes[CAMDN_W] *
                                                            (double)m->products[number].instances);
    return bypass && !again ? 0 : bytes;
}

static double tensor_bytes(const msw_graph_tensor *t, bool bypass)
{
    return bypass && t->role == MSW_GRAPH_RESULT ? 0 : (double)t->bytes;
}

/* Lines that an operator touches take room once, however often it requests them. */
static double touched_by(const shaper *m, uint32_t number, bool bypass)
{
    const msw_graph_network *net = m->net;
    const msw_graph_op *op = &net->ops[number];
    double requested = (double)camdn_plain_step(m->table, number)->npu_bytes;
    double bytes = tensor_bytes(&net->tensors[op->output], bypass);
    for (uint32_t i = 0; i < op->read_count; i++)
        bytes += (double)net->tensors[net->reads[op->first_read + i]].bytes;
    if (op->weight != MSW_GRAPH_NONE)
        bytes += bypass ? weights_of(m, number, bypass) : (double)net->tensors[op->weight].bytes;
    return fmin(bytes, requested);
}

/* The least and the most distance of the lines of a tensor. Of its line at x from 0 to 1 there is
 *
 *   (1 - x) touched(its last use) + x touched(this one) + all between - bytes / 4
 *
 * as of the tensor's own lines those that come behind it there are before it here with the chance
 * of a half of a half, where one order says nothing of the other, and count once. */
static camdn_distance distance_of(const shaper *m, uint32_t number, uint32_t tensor, bool bypass)
{
    const msw_graph_tensor *t = &m->net->tensors[tensor];
    const double *touched = m->touched[bypass];
    double between = 0, own = touched[number];
    for (uint32_t o = number; o-- > 0; between += touched[o])
        if (t->producer == o || reads(m->net, o, tensor)) {
            double before = touched[o], all = between - (double)t->bytes / 4;
            return (camdn_distance){all + fmin(before, own), all + fmax(before, own)};
        }
    return (camdn_distance){INFINITY, INFINITY};
}

static camdn_plain plain_of(const camdn_product *p, const camdn_step *step)
{
    camdn_way way = {.tile = {step->m, step->n, step->k}, .order = step->order};
    double left = (double)step->npu_bytes / (double)p->instances;
    camdn_plain plain;
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        plain.npu[i] = camdn_use_of(p, &way, i).npu;
    for (int i = 0; i < 3; i++) {
        int loop = camdn_orders[step->order][i];
        left /= (double)msw_div_up(p->size[loop], way.tile[loop]);
        plain.inside[loop] = left;
    }
    return plain;
}

/* Operators of equal products have the same steps. */
static void fill_kept(shaper *m, uint32_t number)
{
    const camdn_layer *layer = &camdn_layers(m->table)[number];
    for (int held = 0; held < CAMDN_HELD; held++)
        for (uint32_t i = 0; i < layer->stairs[held].count; i++) {
            size_t at = layer->stairs[held].first + i;
            const camdn_step *s = &camdn_steps(m->table)[at];
            camdn_way way = {.tile = {s->m, s->n, s->k}, .order = s->order};
            for (int o = 0; o < CAMDN_OPERANDS; o++) {
                way.stay[o] = s->stay[o];
                m->staying[CAMDN_OPERANDS * at + (size_t)o] =
                    camdn_use_of(&m->products[number], &way, o).cache;
            }
        }
}

static void fill_op(shaper *m, uint32_t number)
{
    const msw_graph_op *op = &m->net->ops[number];
    const camdn_stairs *stairs = camdn_layers(m->table)[number].stairs;
    bool tiles = camdn_has_tiles(op);
    if (tiles) {
        m->products[number] = camdn_product_of(m->net, number, m->array);
        m->plain[number] = plain_of(&m->products[number], camdn_plain_step(m->table, number));
    }
    for (int b = 0; b < 2; b++) {
        m->touched[b][number] = touched_by(m, number, b);
        for (uint32_t i = 0; i < op->read_count; i++)
            m->distances[b][op->first_read + i] =
                distance_of(m, number, m->net->reads[op->first_read + i], b);
    }
    if (!tiles)
        return;
    for (uint32_t o = 0; o < number; o++)
        if (camdn_layers(m->table)[o].stairs[0].first == stairs[0].first)
            return;
    fill_kept(m, number);
}

static double beyond(const msw_graph_network *net, double distance)
{
    double share = msw_graph_beyond(net, distance);
    return isnan(share) ? 0 : share; /* a network without intermediates */
}

/* Bytes of all tensors that a task touches, and of the sums that leave the accumulators. */
static camdn_filled filled_of(const shaper *m, bool bypass)
{
    const msw_graph_network *net = m->net;
    camdn_filled filled = {.distances = m->distances[bypass]};
    double bytes = 0, sums = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        bytes +=
            net->tensors[i].role == MSW_GRAPH_WEIGHT ? 0 : tensor_bytes(&net->tensors[i], bypass);
    for (uint32_t o = 0; o < net->op_count; o++) {
        filled.touched += m->touched[bypass][o];
        filled.weights += weights_of(m, o, bypass);
        if (!camdn_has_tiles(&net->ops[o]))
            continue;
        double out = m->products[o].bytes[CAMDN_C] * (double)m->products[o].instances;
        if (m->plain[o].npu[CAMDN_C] > out)
            sums = fmax(sums, out * m->products[o].sums_share);
    }
    filled.footprint = bytes + filled.weights + sums;
    return filled;
}

static void fill_limits(const shaper *m, camdn_shape *shape)
{
    for (int b = 0; b < 2; b++)
        shape->filled[b] = filled_of(m, b);
    msw_graph_totals totals = msw_graph_total(m->net);
    shape->layerwise = totals.layerwise;
    shape->fused = totals.fused;
    shape->unused = totals.unused;
    shape->beyond_1mib = beyond(m->net, 1048576.);
    shape->beyond_2mib = beyond(m->net, 2097152.);
    for (uint32_t o = 0; o < m->net->op_count; o++)
        shape->uncached += (double)camdn_step_within(m->table, o, 0, 0)->npu_bytes;
}

int camdn_shape_of(const msw_graph_network *net, const camdn_table *table, const camdn_array *array,
                   msw_arena *arena, camdn_shape *shape)
{
    size_t ops = net->op_count, steps = (size_t)table->step_count * CAMDN_OPERANDS;
    shaper m = {.net = net, .table = table, .array = array};
    m.products = msw_arena_zero(arena, ops + 1, sizeof *m.products);
    m.plain = msw_arena_zero(arena, ops + 1, sizeof *m.plain);
    m.staying = msw_arena_zero(arena, steps + 1, sizeof *m.staying);
    if (!m.products || !m.plain || !m.staying)
        return -1;
    for (int b = 0; b < 2; b++) {
        m.touched[b] = msw_arena_zero(arena, ops + 1, sizeof *m.touched[b]);
        m.distances[b] = msw_arena_zero(arena, net->read_count + 1, sizeof *m.distances[b]);
        if (!m.touched[b] || !m.distances[b])
            return -1;
    }
    for (uint32_t o = 0; o < net->op_count; o++)
        fill_op(&m, o);
    *shape = (camdn_shape){.products = m.products, .plain = m.plain, .staying = m.staying};
    fill_limits(&m, shape);
    return 0;
}
