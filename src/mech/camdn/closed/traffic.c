/* SPDX-License-Identifier: MIT */
/* Computes the bytes that an operator moves, and where the line that a tile waits for comes from
 * (README.md, "Closed form").
 *
 * Hits follow from distances: a line is there when its tenant has moved less than `reach` bytes
 * since it was used. With pages, an operator moves what its plan says.
 *
 * A tile's operands come one behind the other: weights, sums that come back, activations; of those
 * that are loaded the last one decides. Lines from the cache overtake those from memory that were
 * requested before them, but no more than
 *
 *   limit = min(requests under way, the time that memory takes longer x bytes per cycle) */
#include "mech/camdn/closed/traffic.h"

#include "memsweep/base/math.h"

#include <math.h>

enum { M, N, K };

double camdn_step_turns(const camdn_product *p, const camdn_step *step, int loop)
{
    const uint64_t tile[3] = {step->m, step->n, step->k};
    return (double)msw_div_up(p->size[loop], tile[loop]);
}

double camdn_far_cycles(const camdn_config *c)
{
    return camdn_memory_cycles(c) + (double)(c->line * camdn_channels(c)) / camdn_memory_rate(c);
}

/* Bytes from the cache, requested behind a line from memory, that are there before it. */
static double limit_of(const camdn_config *c)
{
    double near = (double)(c->slices * c->slice_bytes) / (double)camdn_running(c);
    double pace = msw_min_f64(near, (double)c->port_bytes);
    return msw_min_f64(camdn_far_cycles(c) * pace, (double)(c->requests * c->line));
}

/* The load of one operand by a tile. */
typedef struct camdn_part {
    double bytes;
    double loaded; /* share of the tiles that load it */
    double far;    /* share of these to which its last line comes from memory */
} camdn_part;

/* Share of the tiles that wait for memory, where so many parts are left, and `behind` bytes from
 * the cache come behind them. */
static double share_of(const camdn_part *parts, uint32_t count, double behind, double limit)
{
    if (count == 0 || behind >= limit)
        return 0;
    const camdn_part *last = &parts[count - 1];
    double share = last->loaded * last->far;
    if (last->loaded * (1 - last->far) > 0)
        share += last->loaded * (1 - last->far) *
                 share_of(parts, count - 1, behind + last->bytes, limit);
    if (last->loaded < 1)
        share += (1 - last->loaded) * share_of(parts, count - 1, behind, limit);
    return share;
}

double camdn_stream_tiles(const camdn_config *c, const camdn_step *step, uint32_t width)
{
    uint64_t room = (uint64_t)c->scratchpad * (width > 1 ? width : 1) / (c->single ? 1 : 2);
    return msw_max_f64((double)msw_div_up(step->npu_bytes, room), 1);
}

/* Its reads, then weights. Of many reads the last ones count. */
static double last_of_stream(const camdn_closed *c, uint32_t number, const camdn_step *step,
                             camdn_near_fn near, double weights)
{
    enum { LOOKED_AT = 7 };
    const msw_graph_op *op = &c->net->ops[number];
    double tiles = camdn_stream_tiles(c->config, step, 1);
    camdn_part parts[LOOKED_AT + 1];
    uint32_t count = 0;
    for (uint32_t i = op->read_count > LOOKED_AT ? op->read_count - LOOKED_AT : 0;
         i < op->read_count; i++) {
        uint32_t read = op->first_read + i, tensor = c->net->reads[read];
        parts[count++] = (camdn_part){.bytes = (double)c->net->tensors[tensor].bytes / tiles,
                                      .loaded = 1,
                                      .far = 1 - near(c, number, read)};
    }
    if (op->weight != MSW_GRAPH_NONE)
        parts[count++] =
            (camdn_part){.bytes = (double)op->touched_bytes / tiles, .loaded = 1, .far = weights};
    return share_of(parts, count, 0, limit_of(c->config));
}

/* Returns whether an operand is requested again in the turns of its free loop. */
static bool is_again(const camdn_product *p, const camdn_step *step, int loop)
{
    bool inside = false;
    for (int i = 2; i >= 0 && camdn_orders[step->order][i] != loop; i--)
        inside |= camdn_step_turns(p, step, camdn_orders[step->order][i]) > 1;
    return inside && camdn_step_turns(p, step, loop) > 1;
}

/* Share of the tiles of a product whose last line comes from memory, where that of its operands
 * does in such shares of the tiles that load them. */
static double last_of_product(const camdn_config *config, const camdn_product *p,
                              const camdn_step *step, const double far[CAMDN_OPERANDS])
{
    const uint8_t *order = camdn_orders[step->order];
    double turns[3], share = p->sums_share;
    for (int i = 0; i < 3; i++)
        turns[i] = camdn_step_turns(p, step, i);
    int inner = 2;
    while (inner > 0 && turns[order[inner]] == 1)
        inner--;
    inner = order[inner];
    const camdn_part parts[] = {
        {.bytes = p->bytes[CAMDN_W] / (turns[N] * turns[K]),
         .loaded = inner == M ? 1 / turns[M] : 1,
         .far = far[CAMDN_W]},
        {.bytes = p->bytes[CAMDN_C] * share / (turns[M] * turns[N]),
         .loaded = inner == K ? 0 : 1 - 1 / turns[K],
         .far = far[CAMDN_C]},
        {.bytes = p->bytes[CAMDN_A] / (turns[M] * turns[K]),
         .loaded = inner == N ? 1 / turns[N] : 1,
         .far = far[CAMDN_A]},
    };
    return share_of(parts, 3, 0, limit_of(config));
}

bool camdn_paged_inside(const camdn_plan *plan, uint32_t op, uint32_t way)
{
    return way == plan->ops[op].count;
}

const camdn_level *camdn_paged_level(const camdn_plan *plan, uint32_t op, uint32_t way)
{
    const camdn_op_plan *p = &plan->ops[op];
    return camdn_paged_inside(plan, op, way) ? &p->inside : &p->levels[way];
}

uint32_t camdn_paged_held(const camdn_plan *plan, uint32_t op, uint32_t way)
{
    bool inside = camdn_paged_inside(plan, op, way);
    return inside ? plan->blocks[plan->ops[op].block].pages : plan->ops[op].levels[way].pages;
}

static bool runs_inside(const camdn_closed *c, uint32_t op)
{
    return c->level == &c->plan->ops[op].inside;
}

static bool is_in_block(const camdn_closed *c, uint32_t op, uint32_t tensor)
{
    const camdn_block_plan *b = &c->plan->blocks[c->plan->ops[op].block];
    const msw_graph_tensor *t = &c->net->tensors[tensor];
    return t->role == MSW_GRAPH_INTERMEDIATE && t->producer >= b->first && t->last < b->end;
}

/* Share of the tiles to which the last line of an operand comes from memory: what stays comes from
 * memory in the first turn of its free loop, and nothing that the block holds does. */
static double far_of(const camdn_closed *c, uint32_t op, const camdn_step *step, int operand,
                     bool block)
{
    static const int FREE[CAMDN_OPERANDS] = {[CAMDN_A] = N, [CAMDN_W] = M, [CAMDN_C] = K};
    const msw_graph_op *o = &c->net->ops[op];
    const camdn_product *p = &c->shape->products[op];
    bool pair = o->kind == MSW_GRAPH_PAIR, weight = operand == CAMDN_W && !pair;
    uint32_t last = pair ? operand == CAMDN_W : o->read_count - 1;
    uint32_t tensor = operand == CAMDN_C ? o->output : c->net->reads[o->first_read + last];
    if (block && !weight && is_in_block(c, op, tensor))
        return 0;
    if (step->stay[operand] == CAMDN_STAY_NONE)
        return 1;
    if (operand == CAMDN_C)
        return 0; /* sums that come back have been there */
    bool again = is_again(p, step, FREE[operand]);
    double far = again ? 1 / camdn_step_turns(p, step, FREE[operand]) : 1;
    bool serial = weight && step->stay[operand] == CAMDN_STAY_WHOLE;
    return serial ? far / (double)p->steps : far;
}

static double near_paged(const camdn_closed *c, uint32_t op, uint32_t read)
{
    return runs_inside(c, op) && is_in_block(c, op, c->net->reads[read]);
}

static double last_of(const camdn_closed *c, uint32_t op, const camdn_level *level, bool block)
{
    const camdn_step *step = &level->step;
    double far[CAMDN_OPERANDS];
    if (!camdn_has_tiles(&c->net->ops[op]))
        return last_of_stream(c, op, step, near_paged, 1);
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        far[i] = far_of(c, op, step, i, block);
    return last_of_product(c->config, &c->shape->products[op], step, far);
}

static camdn_moved paged_by(const camdn_closed *c, uint32_t op)
{
    const camdn_level *level = c->level;
    const camdn_block_plan *b = &c->plan->blocks[c->plan->ops[op].block];
    const msw_graph_tensor *t = &c->net->tensors[c->net->ops[op].output];
    bool held = runs_inside(c, op) && t->role == MSW_GRAPH_INTERMEDIATE && t->last < b->end;
    camdn_moved m = {.compute = (double)camdn_layers(c->table)[op].cycles,
                     .requests = (double)level->step.npu_bytes,
                     .written = held ? 0 : (double)t->bytes};
    m.written = m.written < level->dram_bytes ? m.written : level->dram_bytes;
    m.read = level->dram_bytes - m.written;
    m.hits = m.requests - level->dram_bytes;
    m.hits = m.hits > 0 ? m.hits : 0;
    m.last = last_of(c, op, level, runs_inside(c, op));
    return m;
}

/* Share of the weights that is in the cache when a task starts. Where tenants share them, any of
 * them may have brought them: the first of those that run side by side, or others, since when with
 * tasks at random the bytes are those of an exponential. */
static double weights_found(const camdn_closed *c)
{
    if (c->found || c->config->weights != CAMDN_WEIGHTS_SHARED || c->sharers <= 1)
        return c->found;
    double random = 1 - msw_math_exp(-c->reach * c->sharers / c->mean_since);
    return msw_max_f64(random, 1 - 1 / c->abreast);
}

/* Share of the lines of a read that are in the cache: those whose distance is within reach. */
static double found_share(const camdn_closed *c, uint32_t read)
{
    camdn_distance d = c->filled->distances[read];
    if (!(d.least < INFINITY))
        return c->found;
    double within = c->reach - d.least, all = d.most - d.least;
    return within < 0 ? 0 : within >= all ? 1 : within / all;
}

/* Bytes of the reads, each once, that are in the cache. */
static double found_bytes(const camdn_closed *c, uint32_t number, uint32_t first, uint32_t end)
{
    const msw_graph_op *op = &c->net->ops[number];
    double bytes = 0;
    for (uint32_t i = op->first_read + first; i < op->first_read + end; i++)
        bytes += found_share(c, i) * (double)c->net->tensors[c->net->reads[i]].bytes;
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
    bool stays = c->found;
    bool passes = c->config->bypass && t->role == MSW_GRAPH_RESULT;
    m->requests += bytes;
    m->hits += stays && !passes ? bytes : 0;
    m->written += stays && !passes ? 0 : bytes;
}

static double near_share(const camdn_closed *c, uint32_t number, uint32_t read)
{
    bool gathers = c->net->ops[number].kind == MSW_GRAPH_GATHER;
    return gathers ? c->found : found_share(c, read);
}

static void add_stream(const camdn_closed *c, uint32_t number, camdn_moved *m)
{
    const msw_graph_op *op = &c->net->ops[number];
    double weights = (double)op->touched_bytes, all = 0;
    double stays = c->config->bypass ? 0 : weights_found(c);
    for (uint32_t i = 0; op->kind != MSW_GRAPH_GATHER && i < op->read_count; i++)
        all += (double)c->net->tensors[c->net->reads[op->first_read + i]].bytes;
    if (op->kind == MSW_GRAPH_GATHER)
        add_reads(m, (double)op->index_bytes, c->found ? (double)op->index_bytes : 0);
    else
        add_reads(m, all, found_bytes(c, number, 0, op->read_count));
    add_reads(m, weights, stays * weights);
    m->last = last_of_stream(c, number, camdn_plain_step(c->table, number), near_share, 1 - stays);
}

/* An operand of `bytes`, requested in `all` bytes: what is requested again is there if a turn of
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
    double turns = is_again(p, step, N) ? camdn_step_turns(p, step, N) : 1;
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
    /* rows that two tiles share are requested again in the next turn of M */
    double near_a = npu_a > 1.5 * a ? inside[N] : inside[M] * 2;
    double first_a = found_bytes(c, number, 0, pair ? 1 : op->read_count);
    add_operand(c, m, a, npu_a, first_a, near_a);
    bool passes = config->bypass && !pair && op->seq == 1 && npu_w <= w;
    double first_w = pair ? found_bytes(c, number, 1, 2) : passes ? 0 : w * weights_found(c);
    if (!pair && op->seq > 1) { /* later steps find what the first one read */
        double step_bytes = (double)step->npu_bytes / (double)op->seq;
        first_w = step_bytes <= c->reach ? w * (1 - 1 / (double)op->seq) : first_w;
    }
    double far[CAMDN_OPERANDS] = {[CAMDN_W] = add_operand(c, m, w, npu_w, first_w, inside[M]),
                                  [CAMDN_C] = inside[K] > c->reach};
    far[CAMDN_A] = far_activations(c, p, step, a > 0 ? 1 - first_a / a : 0, inside[N]);
    m->last = last_of_product(config, p, step, far);
    if (npu_c > c_bytes * 1.001) { /* half of them reads */
        bool near = inside[K] <= c->reach;
        double sums = (npu_c - c_bytes) / 2;
        add_reads(m, sums, near ? sums : 0);
        m->requests += sums;
        m->hits += near ? sums : 0;
        m->written += near ? 0 : sums;
    }
}

/* Of the lines that do not stay, those are there between whose uses less than a way is replaced. */
static camdn_moved kept_by(const camdn_closed *c, uint32_t number)
{
    camdn_closed passing = *c;
    passing.kept = 0, passing.reach = c->way;
    camdn_moved m = camdn_moved_by(&passing, number);
    double rest = 1 - c->kept;
    m.hits = m.requests - rest * (m.requests - m.hits);
    m.read *= rest, m.written *= rest, m.last *= rest;
    return m;
}

camdn_moved camdn_moved_by(const camdn_closed *c, uint32_t number)
{
    if (c->kept > 0)
        return kept_by(c, number);
    const msw_graph_op *op = &c->net->ops[number];
    camdn_moved m = {.compute = (double)camdn_layers(c->table)[number].cycles};
    if (c->plan)
        return paged_by(c, number);
    if (camdn_has_tiles(op))
        add_product(c, number, &m);
    else
        add_stream(c, number, &m);
    add_output(c, op, &m);
    return m;
}
