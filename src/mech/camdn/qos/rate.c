/* SPDX-License-Identifier: MIT */
/* Bandwidth by other policies than MoCA's: AuRORA's split (constants of its artifact, whose total
 * is 2.4 beats for channels that carry 2 and whose least is a tenth of a beat), fixed shares, and
 * max-min. What an operator is given is enforced by AuRORA's limiter: so many lines in a window.
 * Equations: ../README.md, "Bandwidth by other policies". */
#include "mech/camdn/machine/system.h"

#include <math.h>

enum { TOTAL = 120, LEAST = 5, TILES = 5, SCORE_MOST = 200, SCORE_LATE = 10 };

/* The operator that an NPU is at. */
typedef struct need {
    double memory, own; /* bytes; per cent of the bandwidth */
} need;

static need need_of(const camdn_system *s, const camdn_npu *n)
{
    const camdn_config *c = s->config;
    double compute = (double)n->walk.cycles, rate = camdn_memory_rate(c);
    need is = {.memory = s->plans ? n->level->dram_bytes : camdn_moca_bytes(c, n->net, n->op)};
    double requests = (double)camdn_plain_step(n->table, n->op)->npu_bytes;
    double mem = is.memory / rate + requests / (double)(c->port_bytes * n->gang.width);
    double cycles = mem > compute ? mem + compute / 2 : compute + mem / 2;
    is.own = 100 * is.memory / cycles / rate;
    return is;
}

static double left_of(const camdn_system *s, const camdn_npu *n)
{
    double left = 0;
    if (camdn_gang_most(s->config) > 1) {
        uint32_t network = n->now.network;
        return s->left[s->log.first[network] + network + n->op][camdn_size_of(n->gang.width)];
    }
    for (uint32_t o = n->op; o < n->net->op_count; o++)
        left += camdn_predicted(s->config, n->table, o, camdn_moca_bytes(s->config, n->net, o));
    return left;
}

static double score_of(const camdn_system *s, const camdn_npu *n)
{
    double slack = (double)n->target - (double)(n->time - n->started);
    if (n->target == 0 || slack <= 0)
        return SCORE_LATE;
    return fmin(SCORE_MOST, 100 * left_of(s, n) / slack);
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
    for (double last = -1; open > 0 && level != last;) { /* raised until nobody is below it */
        last = level;
        level = left / open;
        left = 100, open = 0;
        for (uint32_t i = 0; i <= count; i++) {
            double asked = i < count ? others[i] : own;
            left -= asked <= level ? asked : 0;
            open += asked > level;
        }
    }
    return own < level || open == 0 ? own : level;
}

static double given_to(const camdn_system *s, uint32_t tenant, const camdn_throttle *t)
{
    double own[CAMDN_TENANTS_MAX], others = 0, weighted = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const camdn_throttle *other = &s->npus[i].throttle;
        if (i == tenant || other->own <= 0)
            continue;
        own[count++] = other->own;
        others += other->given;
        weighted += other->score * other->given;
    }
    if (s->config->rate_policy == CAMDN_RATE_STATIC)
        return 100.0 * s->npus[tenant].gang.width / s->cores;
    return s->config->rate_policy == CAMDN_RATE_EQUAL
               ? camdn_rate_equal(t->own, own, count)
               : camdn_rate_aurora(t->own, t->score, others, weighted);
}

void camdn_rate_open(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    need is = need_of(s, n);
    bool aurora = s->config->rate_policy == CAMDN_RATE_AURORA;
    bool passed = aurora && (n->op == 0 || n->walk.tiles <= TILES);
    double out = (double)n->net->tensors[n->walk.op->output].bytes, tiles = (double)n->walk.tiles;
    double requests = (double)camdn_plain_step(n->table, n->op)->npu_bytes;
    camdn_throttle t = {.own = is.own, .score = score_of(s, n), .since = n->time, .hard = true};
    t.given = t.own;
    if (!passed)
        t.given = fmin(t.own, given_to(s, tenant, &t));
    if (t.given < t.own) {
        t.window = (uint64_t)(100 * is.memory / (camdn_memory_rate(s->config) * t.given) / tiles);
        t.limit = fmax(1, (requests - out) / (double)s->config->line / tiles);
    }
    n->throttle = t;
}
