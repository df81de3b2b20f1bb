/* SPDX-License-Identifier: MIT */
/* Computes what a gang of n NPUs makes of an operator that one NPU would run in a way that is
 * known. Its split (../gang.c) says the tile and the cycles; from the tile follow the requests:
 *
 *   requests' = requests x requested(its tile) / requested(the tile of one NPU)
 *   port time = (requests' + (n - 1) common) / (n port_bytes)      common: what all NPUs load
 *
 * Lines are under way n times as many. What is not requested again was found, as far as there are
 * hits, or came from memory: with pages memory moves what the level says. Without multicast what is
 * common is requested n times, and what of it stays nowhere comes from memory each time. */
#include "mech/camdn/closed/traffic.h"

#include "mech/camdn/model.h"

#include "memsweep/base/math.h"

/* So many bytes are not requested again. */
static void request_less(const camdn_closed *c, camdn_moved *m, double bytes)
{
    double found = c->plan ? bytes : msw_min_f64(bytes, m->hits);
    m->requests -= bytes;
    m->hits = msw_max_f64(0, m->hits - found);
    m->read = msw_max_f64(0, m->read - (bytes - found));
}

camdn_ganged camdn_ganged_of(const camdn_closed *c, uint32_t op, const camdn_step *step,
                             const camdn_moved *moved)
{
    camdn_array array = camdn_array_of(c->config, c->element_bytes);
    const camdn_product *p = &c->shape->products[op];
    uint64_t compute = camdn_layers(c->table)[op].cycles;
    camdn_split split = camdn_split_of(c->net, op, step, &array, compute, c->width);
    camdn_ganged g = {.step = split.step, .moved = *moved};
    double before[CAMDN_OPERANDS], after[CAMDN_OPERANDS], again;
    g.moved.compute = (double)split.cycles;
    if (!camdn_has_tiles(&c->net->ops[op]))
        return g;
    double all = camdn_requested(p, step, before), now = camdn_requested(p, &split.step, after);
    if (all > 0 && now < all)
        request_less(c, &g.moved, moved->requests * (1 - now / all));
    int operand = split.common == CAMDN_COMMON_W ? CAMDN_W : CAMDN_A;
    g.common = all > 0 ? moved->requests * after[operand] / all : 0;
    if (c->config->multicast)
        return g;
    again = g.common * (c->width - 1), g.common = 0;
    g.moved.requests += again;
    if (c->plan && step->stay[operand] == CAMDN_STAY_NONE)
        g.moved.read += again;
    else
        g.moved.hits += again;
    return g;
}
