/* SPDX-License-Identifier: MIT */
/* Throttles the DMA of operators.
 *
 * MoCA (Kim et al., HPCA 2023; constants of its artifact): when an operator starts, in bytes and
 * cycles,
 *
 *   memory = weights + outputs, + inputs where they or all together exceed the cache
 *            (with pages: traffic of the level)
 *   mem    = memory / bandwidth + requests / port
 *   pred   = max(mem, compute) + min(mem, compute) / 2
 *   own    = 100 memory / (pred x bandwidth)                        bandwidth it needs, per cent
 *   slack  = target - time since the task began, at least 10
 *   score  = (1 + priority) / 4 + round(10 x pred of what is left / slack)   without target: first
 *   excess = own + sum of the others' own - 150
 *   alloc  = max(least, own - excess W / (score own + W))      W = sum of score x own of others
 *   window = 100 memory / (bandwidth x alloc) / tiles,   limit = loads / tiles              lines
 *
 * where excess > 0, alloc < own and there are at least 4 tiles; else nothing is throttled. At the
 * end of each window the lines beyond the limit are added to a carry; when twice the carry exceeds
 * the limit the DMA stops for half a window, or 5/8, 3/4, all of it when the carry is that part of
 * the limit, which is taken from the carry.
 *
 * Other policies: AuRORA's split (constants of its artifact, whose total is 2.4 beats for channels
 * that carry 2 and whose least is a tenth of a beat), fixed shares, and max-min. AuRORA's limiter
 * enforces them: so many lines in a window. Equations: ../README.md, "Gangs".
 */
#include "mech/camdn/machine/system.h"

#include <math.h>

enum { TOTAL = 120, LEAST = 5, AURORA_TILES = 5, SCORE_MOST = 200, SCORE_LATE = 10 };

/* The operator that an NPU is at. */
typedef struct need {
    double memory, own; /* bytes; per cent of the bandwidth */
} need;

static need need_of(const camdn_system *s, const camdn_npu *n)
{
    const camdn_config *c = s->config;
    double compute = (double)n->dma.walk.cycles, rate = camdn_memory_rate(c);
    need is = {.memory =
                   s->plans ? n->level->dram_bytes : camdn_moca_bytes(c, n->task.net, n->task.op)};
    double requests = (double)camdn_plain_step(n->task.table, n->task.op)->npu_bytes;
    double mem = is.memory / rate + requests / (double)(c->port_bytes * n->gang.width);
    double cycles = mem > compute ? mem + compute / 2 : compute + mem / 2;
    is.own = 100 * is.memory / cycles / rate;
    return is;
}

static double cycles_left(const camdn_system *s, const camdn_npu *n)
{
    double left = 0;
    if (camdn_gang_most(s->config) > 1) {
        uint32_t network = n->task.now.network;
        return s->left[s->log.first[network] + network + n->task.op][camdn_size_of(n->gang.width)];
    }
    for (uint32_t o = n->task.op; o < n->task.net->op_count; o++)
        left += camdn_predicted(s->config, n->task.table, o,
                                camdn_moca_bytes(s->config, n->task.net, o));
    return left;
}

static double score_aurora(const camdn_system *s, const camdn_npu *n)
{
    double slack = (double)n->task.target - (double)(n->time - n->task.started);
    if (n->task.target == 0 || slack <= 0)
        return SCORE_LATE;
    return fmin(SCORE_MOST, 100 * cycles_left(s, n) / slack);
}

double camdn_rate_aurora(double own, double score, double others, double weighted)
{
    double excess = own + others - TOTAL;
    if (excess <= 0)
        return own;
    return fmax(LEAST, own - excess * weighted / (score * own + weighted));
}

double camdn_rate_equal(double own, const double *others, uint32_t count)
{
    double left = 100, level = 0;
    uint32_t open = count + 1;
    for (double last = -1; open > 0 && level != last;) { /* raised until none is below it */
        last = level;
        level = left / open;
        left = 100, open = 0;
        for (uint32_t i = 0; i <= count; i++) {
            double requested = i < count ? others[i] : own;
            left -= requested <= level ? requested : 0;
            open += requested > level;
        }
    }
    return own < level || open == 0 ? own : level;
}

static double share_of_bandwidth(const camdn_system *s, uint32_t tenant, const camdn_throttle *t)
{
    double own[CAMDN_TENANTS_MAX], others = 0, weighted = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const camdn_throttle *other = &s->npus[i].throttle;
        if (i == tenant || other->own <= 0)
            continue;
        own[count++] = other->own;
        others += other->allotted;
        weighted += other->score * other->allotted;
    }
    if (s->config->rate_policy == CAMDN_RATE_STATIC)
        return 100.0 * s->npus[tenant].gang.width / s->cores;
    return s->config->rate_policy == CAMDN_RATE_EQUAL
               ? camdn_rate_equal(t->own, own, count)
               : camdn_rate_aurora(t->own, t->score, others, weighted);
}

/* Throttling by the other policies: the bandwidth of the present operator. */
static void open_by_policy(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    need is = need_of(s, n);
    bool aurora = s->config->rate_policy == CAMDN_RATE_AURORA;
    bool passed = aurora && (n->task.op == 0 || n->dma.walk.tiles <= AURORA_TILES);
    double out = (double)n->task.net->tensors[n->dma.walk.op->output].bytes,
           tiles = (double)n->dma.walk.tiles;
    double requests = (double)camdn_plain_step(n->task.table, n->task.op)->npu_bytes;
    camdn_throttle t = {.own = is.own, .score = score_aurora(s, n), .since = n->time, .hard = true};
    t.allotted = t.own;
    if (!passed)
        t.allotted = fmin(t.own, share_of_bandwidth(s, tenant, &t));
    if (t.allotted < t.own) {
        t.window =
            (uint64_t)(100 * is.memory / (camdn_memory_rate(s->config) * t.allotted) / tiles);
        t.limit = fmax(1, (requests - out) / (double)s->config->line / tiles);
    }
    n->throttle = t;
}

enum { THRESHOLD = 150, SLACK = 10, TILES = 4 };

static double memory_of(const camdn_system *s, const camdn_npu *n, uint32_t o)
{
    return s->plans && o == n->task.op ? n->level->dram_bytes
                                       : camdn_moca_bytes(s->config, n->task.net, o);
}

static double score_of(const camdn_system *s, const camdn_npu *n)
{
    double first = (1 + n->task.priority) / 4, left = 0;
    if (n->task.target == 0)
        return first;
    for (uint32_t o = n->task.op; o < n->task.net->op_count; o++)
        left += camdn_predicted(s->config, n->task.table, o, memory_of(s, n, o));
    double slack = fmax((double)n->task.target - (double)(n->time - n->task.started), SLACK);
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
        open_by_policy(s, tenant);
        return;
    }
    double rate = camdn_memory_rate(s->config), memory = memory_of(s, n, n->task.op);
    double out = (double)n->task.net->tensors[n->dma.walk.op->output].bytes,
           tiles = (double)n->dma.walk.tiles;
    double requests = (double)camdn_plain_step(n->task.table, n->task.op)->npu_bytes;
    camdn_throttle t = {.score = score_of(s, n), .since = n->time};
    t.own = 100 * memory / camdn_predicted(s->config, n->task.table, n->task.op, memory) / rate;
    double alloc = allocate(s, tenant, &t);
    if (alloc < t.own && n->dma.walk.tiles >= TILES) {
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
        n->task.now.stopped += end - n->time;
        n->time = end;
    }
    t->since = n->time;
    t->lines = 0;
}

void camdn_throttle_stop(camdn_npu *n, uint32_t lines)
{
    camdn_throttle *t = &n->throttle;
    if (t->window == 0 || n->dma.phase != CAMDN_LOADS)
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
        n->task.now.stopped += stop;
    }
    t->since = n->time;
}
