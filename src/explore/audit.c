/* SPDX-License-Identifier: MIT */
/* The audit: a simple random sample, without replacement, of everything that was discarded. Its
 * size is fixed before, its draw keyed by the seed, the number of the audit and the digest of the
 * set, and each audited unit is judged against the front as it was announced before. Audit r has
 * the error delta / 2^r, so that all of them together have delta. */
#include "explore/explorer.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/rng.h"
#include "memsweep/explore/limit.h"

#include <math.h>
#include <stdlib.h>

int msw_round_add(msw_explorer *e, uint32_t unit, msw_err *err)
{
    if (msw_grow(&e->chosen, sizeof *e->chosen, e->chosen_count, &e->chosen_capacity, err))
        return -1;
    e->chosen[e->chosen_count++] = unit;
    return 0;
}

/* A unit whose least possible value is covered needs no sample. */
static bool is_discarded(msw_explorer *e, uint32_t unit)
{
    if (e->row_of[unit])
        return false;
    if (e->floors && !e->proven[unit])
        e->proven[unit] = msw_unit_gap(e, unit, e->space.floor) <= e->slack;
    return !e->proven[unit];
}

static uint32_t *list_discarded(msw_explorer *e, size_t *count)
{
    uint32_t *list = malloc((e->space.units + 1) * sizeof *list);
    *count = 0;
    for (uint32_t u = 0; list && u < e->space.units; u++)
        if (is_discarded(e, u))
            list[(*count)++] = u;
    return list;
}

static uint64_t key_of(const msw_explorer *e, const uint32_t *list, size_t count)
{
    uint64_t head[2] = {e->rules.seed, e->audits + 1};
    msw_digest key = msw_hash_pair(msw_hash_bytes(head, sizeof head),
                                   msw_hash_bytes(list, count * sizeof *list));
    return key.hi ^ key.lo;
}

int msw_audit_draw(msw_explorer *e, msw_err *err)
{
    size_t count;
    uint32_t *list = list_discarded(e, &count);
    if (!list)
        return msw_fail_memory(err);
    uint64_t key = key_of(e, list, count);
    uint64_t draws = e->audit_size < count ? e->audit_size : count;
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < draws; i++)
        rc = msw_round_add(e, list[msw_permute(i, count, key)], err);
    free(list);
    e->discarded = count;
    e->draws = draws;
    return rc;
}

/* A design that is feasible and that nothing announced covers. A point without an answer might be
 * one. */
static void judge(msw_explorer *e, uint32_t row)
{
    msw_explore_row *r = &e->rows[row];
    if (r->answer.state == MSW_EXPLORE_INFEASIBLE)
        return;
    double gap = r->answer.state == MSW_EXPLORE_FAILED
                     ? HUGE_VAL
                     : msw_front_gap(e, e->space.group[r->unit], r->answer.exact, r->answer.open,
                                     UINT32_MAX);
    r->wrong = gap > e->slack;
    e->found += r->wrong;
    e->wrong_in[e->space.stratum[r->unit]] += r->wrong;
    if (r->wrong && gap > e->surplus && gap < HUGE_VAL)
        e->surplus = gap;
}

/* The limit counts those found; they have been announced since, but for those without an answer. */
static void conclude(msw_explorer *e, uint64_t lost)
{
    double error = ldexp(1 - e->rules.confidence, -(int)(e->audits + 1));
    uint64_t most = msw_limit_wrong(e->discarded, e->draws, e->found, error);
    uint64_t left = most - (e->found - lost);
    if (!e->audits || left < e->wrong)
        e->wrong = left;
    e->audits++;
    e->found_all += e->found;
    e->lost_all += lost;
}

int msw_audit_judge(msw_explorer *e, msw_err *err)
{
    uint64_t lost = 0;
    double added = 0;
    e->found = 0;
    for (size_t i = e->round_first; i < e->row_count; i++) {
        judge(e, (uint32_t)i);
        lost += e->rows[i].answer.state == MSW_EXPLORE_FAILED;
    }
    if (e->found > lost && msw_worth_added(e, &added, err))
        return -1;
    if (e->draws)
        e->missed = fmin(1, added * (double)(e->discarded - e->draws) / (double)e->draws);
    conclude(e, lost);
    return 0;
}
