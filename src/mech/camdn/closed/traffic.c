/* SPDX-License-Identifier: MIT */
/* Hits from distances: a line is there when its tenant has moved less than `reach` bytes since it
 * was used. Tenants move bytes at the same pace: reach = cache / tenants, whether they fill all
 * ways or parts of them. */
#include "mech/camdn/closed/traffic.h"

#include "memsweep/base/math.h"

#include <math.h>

enum { M, N, K };

/* What of weights is in the cache when a task starts. Where tenants share them, any of them may
 * have brought them: with tasks at random the bytes since then are those of an exponential. */
static double kept_weights(const camdn_closed *c)
{
    const camdn_config *config = c->config;
    if (config->weights != CAMDN_WEIGHTS_SHARED || camdn_running(config) == 1)
        return c->since <= c->reach;
    return 1 - msw_math_exp(-c->reach * (double)camdn_running(config) / c->since);
}

/* Bytes that the tenant moves from the use before a read to that read. */
static double distance_of(const camdn_closed *c, uint32_t read)
{
    double distance = c->shape->distances[read];
    return distance < INFINITY ? distance : c->since;
}

/* What of the reads, each once, is in the cache. */
static double found(const camdn_closed *c, uint32_t number, uint32_t first, uint32_t end)
{
    const msw_graph_op *op = &c->net->ops[number];
    double bytes = 0;
    for (uint32_t i = op->first_read + first; i < op->first_read + end; i++)
        if (distance_of(c, i) <= c->reach)
            bytes += (double)c->net->tensors[c->net->reads[i]].bytes;
    return bytes;
}

/* Reads `bytes`, of which `hits` are there. */
static void add_reads(camdn_moved *m, double bytes, double hits)
{
    m->requests += bytes;
    m->hits += hits;
    m->read += bytes - hits;
}

/* Every line that is written goes to memory once, but for those that are written anew in time. */
static void add_output(const camdn_closed *c, const msw_graph_op *op, camdn_moved *m)
{
    const msw_graph_tensor *t = &c->net->tensors[op->output];
    double bytes = (double)t->bytes;
    bool stays = c->since <= c->reach;
    bool passes = c->config->bypass && t->role == MSW_GRAPH_RESULT;
    m->requests += bytes;
    m->hits += stays && !passes ? bytes : 0;
    m->written += stays && !passes ? 0 : bytes;
}

static bool is_near(const camdn_closed *c, uint32_t number, uint32_t read)
{
    bool gathers = c->net->ops[number].kind == MSW_GRAPH_GATHER;
    return (gathers ? c->since : distance_of(c, read)) <= c->reach;
}

static void add_stream(const camdn_closed *c, uint32_t number, camdn_moved *m)
{
    const msw_graph_op *op = &c->net->ops[number];
    double weights = (double)op->touched_bytes, all = 0;
    double stays = c->config->bypass ? 0 : kept_weights(c);
    for (uint32_t i = 0; op->kind != MSW_GRAPH_GATHER && i < op->read_count; i++)
        all += (double)c->net->tensors[c->net->reads[op->first_read + i]].bytes;
    if (op->kind == MSW_GRAPH_GATHER)
        add_reads(m, (double)op->index_bytes, c->since <= c->reach ? (double)op->index_bytes : 0);
    else
        add_reads(m, all, found(c, number, 0, op->read_count));
    add_reads(m, weights, stays * weights);
    m->last =
        camdn_last_of_stream(c, number, camdn_plain_step(c->table, number), is_near, 1 - stays);
}

/* An operand of `bytes`, asked for in `all` bytes: what is asked for again is there if a turn of
 * its free loop is within reach. Returns the share that is not. */
static double add_operand(const camdn_closed *c, camdn_moved *m, double bytes, double all,
                          double first_hits, double inside)
{
    double hits = first_hits + (inside <= c->reach ? all - bytes : 0);
    add_reads(m, all, hits);
    return all > 0 ? (all - hits) / all : 0;
}

/* Rows that a tile shares with the one before come first: the last line is one of its own. */
static double far_activations(const camdn_closed *c, const camdn_product *p, const camdn_step *step,
                              double first, double inside)
{
    double turns = camdn_is_again(p, step, N) ? camdn_step_turns(p, step, N) : 1;
    return (first + (inside > c->reach ? turns - 1 : 0)) / turns;
}

static void add_product(const camdn_closed *c, uint32_t number, camdn_moved *m)
{
    const msw_graph_op *op = &c->net->ops[number];
    const camdn_step *step = camdn_plain_step(c->table, number);
    const camdn_config *config = c->config;
    const camdn_product *p = &c->shape->products[number];
    const camdn_plain *plain = &c->shape->plain[number];
    const double *inside = plain->inside;
    bool pair = op->kind == MSW_GRAPH_PAIR;
    double instances = (double)p->instances, a = p->bytes[CAMDN_A] * instances;
    double w = p->bytes[CAMDN_W] * instances, c_bytes = p->bytes[CAMDN_C] * instances;
    double npu_a = plain->npu[CAMDN_A], npu_w = plain->npu[CAMDN_W];
    double npu_c = (double)step->npu_bytes - npu_a - npu_w;
    /* rows that two tiles share are asked for again in the next turn of M */
    double near_a = npu_a > 1.5 * a ? inside[N] : inside[M] * 2;
    double first_a = found(c, number, 0, pair ? 1 : op->read_count);
    add_operand(c, m, a, npu_a, first_a, near_a);
    bool passes = config->bypass && !pair && op->seq == 1 && npu_w <= w;
    double first_w = pair ? found(c, number, 1, 2) : passes ? 0 : w * kept_weights(c);
    if (!pair && op->seq > 1) { /* later steps find what the first one read */
        double step_bytes = (double)step->npu_bytes / (double)op->seq;
        first_w = step_bytes <= c->reach ? w * (1 - 1 / (double)op->seq) : first_w;
    }
    double far[CAMDN_OPERANDS] = {[CAMDN_W] = add_operand(c, m, w, npu_w, first_w, inside[M]),
                                  [CAMDN_C] = inside[K] > c->reach};
    far[CAMDN_A] = far_activations(c, p, step, a > 0 ? 1 - first_a / a : 0, inside[N]);
    m->last = camdn_last_of_product(config, p, step, far);
    if (npu_c > c_bytes * 1.001) { /* half of them reads */
        bool near = inside[K] <= c->reach;
        double sums = (npu_c - c_bytes) / 2;
        add_reads(m, sums, near ? sums : 0);
        m->requests += sums;
        m->hits += near ? sums : 0;
        m->written += near ? 0 : sums;
    }
}

camdn_moved camdn_moved_by(const camdn_closed *c, uint32_t number)
{
    const msw_graph_op *op = &c->net->ops[number];
    camdn_moved m = {.compute = (double)camdn_layers(c->table)[number].cycles};
    if (c->plan)
        return camdn_paged_by(c, number);
    if (camdn_has_tiles(op))
        add_product(c, number, &m);
    else
        add_stream(c, number, &m);
    add_output(c, op, &m);
    return m;
}
