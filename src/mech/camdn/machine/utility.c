/* SPDX-License-Identifier: MIT */
/* Ways by utility (Qureshi and Patt, MICRO 2006). A monitor by tenant counts the hits that it would
 * have with each number of ways, in one set of EVERY. Each period the ways are dealt out anew, one
 * to each tenant, then to who gains most per way:
 *
 *   gain(t, n) = (misses(t, held) - misses(t, held + n)) / n,  n = 1 to what is left
 *
 * the first tenant where equal; then all counts are halved. */
#include "mech/camdn/machine/system.h"

enum { EVERY = 32 };

static msw_utility_config config_of(const camdn_config *c)
{
    uint64_t sets = (uint64_t)(c->cache / (c->line * c->ways));
    return (msw_utility_config){.sets = (uint32_t)sets,
                                .ways = (uint32_t)camdn_tagged_ways(c),
                                .every = sets >= EVERY ? EVERY : 1};
}

size_t camdn_utility_bytes(const camdn_config *c)
{
    msw_utility_config config = config_of(c);
    return c->share == CAMDN_SHARE_UTILITY ? msw_utility_bytes(&config) : 0;
}

int camdn_utility_start(camdn_system *s, char *memory, size_t bytes, msw_err *err)
{
    msw_utility_config config = config_of(s->config);
    for (uint32_t i = 0; i < s->count; i++)
        if (msw_utility_init(&s->npus[i].utility, &config, memory + i * bytes, err))
            return -1;
    s->next_deal = (uint64_t)s->config->utility_cycles;
    return 0;
}

void camdn_utility_add(camdn_system *s, uint32_t tenant, uint64_t line)
{
    uint64_t slices = (uint64_t)s->config->slices, sets = s->npus[tenant].utility.sets / slices;
    msw_utility_add(&s->npus[tenant].utility,
                    (uint32_t)(line % slices * sets + line / slices % sets), line);
}

/* The most that a tenant gains per way; `more` becomes how many ways that takes. */
static double best_gain(const camdn_system *s, uint32_t tenant, uint32_t held, uint32_t left,
                        uint32_t *more)
{
    const msw_utility *u = &s->npus[tenant].utility;
    double now = (double)msw_utility_misses(u, held), best = -1;
    for (uint32_t n = 1; n <= left; n++) {
        double gain = (now - (double)msw_utility_misses(u, held + n)) / n;
        if (gain > best) {
            best = gain;
            *more = n;
        }
    }
    return best;
}

static void deal(const camdn_system *s, uint32_t *held)
{
    uint32_t left = (uint32_t)camdn_tagged_ways(s->config) - s->count;
    for (uint32_t i = 0; i < s->count; i++)
        held[i] = 1;
    while (left > 0) {
        uint32_t winner = 0, ways = 1, more = 1;
        double best = -1;
        for (uint32_t i = 0; i < s->count; i++) {
            double gain = best_gain(s, i, held[i], left, &more);
            if (gain > best) {
                best = gain;
                winner = i;
                ways = more;
            }
        }
        held[winner] += ways;
        left -= ways;
    }
}

static void halve(msw_utility *u)
{
    for (uint32_t i = 0; i < u->ways; i++)
        u->hits[i] /= 2;
    u->accesses /= 2;
}

void camdn_utility_deal(camdn_system *s, uint64_t now)
{
    uint32_t held[CAMDN_TENANTS_MAX];
    unsigned first = 0;
    if (now < s->next_deal)
        return;
    deal(s, held);
    for (uint32_t i = 0; i < s->count; first += held[i++]) {
        uint64_t mask = (held[i] < 64 ? ((uint64_t)1 << held[i]) - 1 : UINT64_MAX) << first;
        s->failed |= msw_cache_mask(&s->cache.general, i, &mask, s->err) != 0;
        s->npus[i].ways = held[i];
        halve(&s->npus[i].utility);
    }
    s->next_deal = now + (uint64_t)s->config->utility_cycles;
}
