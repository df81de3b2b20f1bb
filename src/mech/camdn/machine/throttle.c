/* SPDX-License-Identifier: MIT */
/* MoCA's bandwidth throttling (Kim et al., HPCA 2023; constants of its artifact). When an operator
 * starts, in bytes and cycles:
 *
 *   memory = weights + outputs, + inputs where they or all together exceed the cache
 *            (with pages: traffic of the level)
 *   mem    = memory / bandwidth + requests / port
 *   pred   = max(mem, compute) + min(mem, compute) / 2
 *   own    = 100 memory / (pred x bandwidth)                        bandwidth it needs, per cent
 *   slack  = target - time since the task began, at least 10
 *   score  = (1 + priority) / 4 + round(10 x pred of what is left / slack)   without target: first
 *   excess = own + sum of the others' own - 150
 *   alloc  = max(least, own - excess W / (score own + W))              W = sum of score x own of
 * others window = 100 memory / (bandwidth x alloc) / tiles,   limit = loads / tiles        lines
 *
 * where excess > 0, alloc < own and there are at least 4 tiles; else nothing is throttled. At the
 * end of each window the lines beyond the limit are added to a carry; when twice the carry exceeds
 * the limit the DMA stops for half a window, or 5/8, 3/4, all of it when the carry is that part of
 * the limit, which is taken from the carry. */
#include "mech/camdn/machine/system.h"

#include <math.h>

enum { THRESHOLD = 150, SLACK = 10, TILES = 4 };

static double memory_of(const camdn_system *s, const camdn_npu *n, uint32_t o)
{
    return s->plans && o == n->op ? n->level->dram_bytes : camdn_moca_bytes(s->config, n->net, o);
}

static double score_of(const camdn_system *s, const camdn_npu *n)
{
    double first = (1 + n->priority) / 4, left = 0;
    if (n->target == 0)
        return first;
    for (uint32_t o = n->op; o < n->net->op_count; o++)
        left += camdn_predicted(s->config, n->table, o, memory_of(s, n, o));
    double slack = fmax((double)n->target - (double)(n->time - n->started), SLACK);
    return first + floor(10 * left / slack + 0.5);
}

static double allocate(const camdn_system *s, uint32_t tenant, const camdn_throttle *t)
{
    double others = 0, weighted = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const camdn_throttle *other = &s->npus[i].throttle;
        others += i == tenant ? 0 : other->own;
        weighted += i == tenant ? 0 : other->score * other->own;
    }
    double excess = t->own + others - THRESHOLD;
    if (excess <= 0)
        return t->own;
    return fmax(s->config->throttle_least,
                t->own - excess * weighted / (t->score * t->own + weighted));
}

void camdn_throttle_open(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (s->config->rate_policy != CAMDN_RATE_MOCA) {
        camdn_rate_open(s, tenant);
        return;
    }
    double rate = camdn_memory_rate(s->config), memory = memory_of(s, n, n->op);
    double out = (double)n->net->tensors[n->walk.op->output].bytes, tiles = (double)n->walk.tiles;
    double requests = (double)camdn_plain_step(n->table, n->op)->npu_bytes;
    camdn_throttle t = {.score = score_of(s, n), .since = n->time};
    t.own = 100 * memory / camdn_predicted(s->config, n->table, n->op, memory) / rate;
    double alloc = allocate(s, tenant, &t);
    if (alloc < t.own && n->walk.tiles >= TILES) {
        t.window = (uint64_t)(100 * memory / (rate * alloc) / tiles);
        t.limit = (requests - out) / (double)s->config->line / tiles;
    }
    n->throttle = t;
}

/* The limiter of AuRORA: so many lines in a window. */
static void stop_hard(camdn_npu *n)
{
    camdn_throttle *t = &n->throttle;
    uint64_t end = t->since + t->window;
    if (n->time < end && t->lines < t->limit)
        return;
    if (n->time < end) {
        n->now.stopped += end - n->time;
        n->time = end;
    }
    t->since = n->time;
    t->lines = 0;
}

void camdn_throttle_stop(camdn_npu *n, uint32_t lines)
{
    camdn_throttle *t = &n->throttle;
    if (t->window == 0 || n->phase != CAMDN_LOADS)
        return;
    t->lines += lines;
    if (t->hard) {
        stop_hard(n);
        return;
    }
    if (n->time < t->since + t->window)
        return;
    t->carry = fmax(0, t->carry + t->lines - t->limit);
    t->lines = 0;
    if (2 * t->carry > t->limit) {
        double part = t->carry / t->limit;
        part = part >= 1 ? 1 : part >= 0.75 ? 0.75 : part >= 0.625 ? 0.625 : 0.5;
        uint64_t stop = (uint64_t)(part * (double)t->window);
        t->carry -= part * t->limit;
        n->time += stop;
        n->now.stopped += stop;
    }
    t->since = n->time;
}
