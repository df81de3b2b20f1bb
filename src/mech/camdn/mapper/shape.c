/* SPDX-License-Identifier: MIT */
/* Bytes between two uses of a tensor: half of what the operator of the use before touches, all
 * between, and half of what this one touches, less the tensor's own. README.md, "Closed form". */
#include "mech/camdn/mapper/shape.h"

#include <math.h>

enum { M, N, K };

typedef struct maker {
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_array *array;
    camdn_product *products;
    camdn_plain *plain;
    double *kept, *touched, *distances;
} maker;

/* Lines that an operator touches take room once, however often it asks for them. */
static double touched_by(const maker *m, uint32_t number)
{
    const msw_graph_network *net = m->net;
    const msw_graph_op *op = &net->ops[number];
    double asked = (double)camdn_plain_step(m->table, number)->npu_bytes;
    double bytes = (double)net->tensors[op->output].bytes;
    for (uint32_t i = 0; i < op->read_count; i++)
        bytes += (double)net->tensors[net->reads[op->first_read + i]].bytes;
    if (op->weight != MSW_GRAPH_NONE)
        bytes += (double)net->tensors[op->weight].bytes;
    return fmin(bytes, asked);
}

static bool reads(const msw_graph_network *net, uint32_t number, uint32_t tensor)
{
    const msw_graph_op *op = &net->ops[number];
    for (uint32_t i = 0; i < op->read_count; i++)
        if (net->reads[op->first_read + i] == tensor)
            return true;
    return false;
}

static double distance_of(const maker *m, uint32_t number, uint32_t tensor)
{
    const msw_graph_tensor *t = &m->net->tensors[tensor];
    double distance = m->touched[number] / 2;
    for (uint32_t o = number; o-- > 0;) {
        bool uses = t->producer == o || reads(m->net, o, tensor);
        distance += m->touched[o] / (uses ? 2 : 1);
        if (uses)
            return distance - (double)t->bytes;
    }
    return INFINITY;
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
static void fill_kept(maker *m, uint32_t number)
{
    const camdn_layer *layer = &camdn_layers(m->table)[number];
    for (int held = 0; held < CAMDN_HELD; held++)
        for (uint32_t i = 0; i < layer->stairs[held].count; i++) {
            size_t at = layer->stairs[held].first + i;
            const camdn_step *s = &camdn_steps(m->table)[at];
            camdn_way way = {.tile = {s->m, s->n, s->k}, .order = s->order};
            for (int o = 0; o < CAMDN_OPERANDS; o++) {
                way.stay[o] = s->stay[o];
                m->kept[CAMDN_OPERANDS * at + (size_t)o] =
                    camdn_use_of(&m->products[number], &way, o).cache;
            }
        }
}

static void fill_op(maker *m, uint32_t number)
{
    const msw_graph_op *op = &m->net->ops[number];
    const camdn_stairs *stairs = camdn_layers(m->table)[number].stairs;
    m->touched[number] = touched_by(m, number);
    for (uint32_t i = 0; i < op->read_count; i++)
        m->distances[op->first_read + i] =
            distance_of(m, number, m->net->reads[op->first_read + i]);
    if (!camdn_has_tiles(op))
        return;
    m->products[number] = camdn_product_of(m->net, number, m->array);
    m->plain[number] = plain_of(&m->products[number], camdn_plain_step(m->table, number));
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

static void fill_limits(const maker *m, camdn_shape *shape)
{
    msw_graph_totals totals = msw_graph_total(m->net);
    shape->layerwise = totals.layerwise;
    shape->fused = totals.fused;
    shape->unused = totals.unused;
    shape->beyond_1mib = beyond(m->net, 1048576.);
    shape->beyond_2mib = beyond(m->net, 2097152.);
    for (uint32_t o = 0; o < m->net->op_count; o++) {
        shape->uncached += (double)camdn_step_within(m->table, o, 0, 0)->npu_bytes;
        shape->touched_all += m->touched[o];
    }
}

int camdn_shape_of(const msw_graph_network *net, const camdn_table *table, const camdn_array *array,
                   msw_arena *arena, camdn_shape *shape)
{
    size_t ops = net->op_count, steps = (size_t)table->step_count * CAMDN_OPERANDS;
    maker m = {.net = net, .table = table, .array = array};
    m.products = msw_arena_zero(arena, ops + 1, sizeof *m.products);
    m.plain = msw_arena_zero(arena, ops + 1, sizeof *m.plain);
    m.kept = msw_arena_zero(arena, steps + 1, sizeof *m.kept);
    m.touched = msw_arena_zero(arena, ops + 1, sizeof *m.touched);
    m.distances = msw_arena_zero(arena, net->read_count + 1, sizeof *m.distances);
    if (!m.products || !m.plain || !m.kept || !m.touched || !m.distances)
        return -1;
    for (uint32_t o = 0; o < net->op_count; o++)
        fill_op(&m, o);
    *shape = (camdn_shape){.products = m.products,
                           .plain = m.plain,
                           .kept = m.kept,
                           .touched = m.touched,
                           .distances = m.distances};
    fill_limits(&m, shape);
    return 0;
}
