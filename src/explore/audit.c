/* SPDX-License-Identifier: MIT */
/* The audit: a simple random sample, without replacement, of everything that was discarded. Its
 * size is fixed before, its draw keyed by the seed, the number of the audit and the digest of the
 * set, and each audited unit is judged against the front as it was announced before; what units
 * found wrong add to the hypervolume is measured on logarithmic axes. Audit r has the error 0.8 x
 * 0.2^(r - 1) delta, so that all of them together have delta, and the first one, which mostly is
 * the only one, has most of it.
 *
 * The hypergeometric distribution and the limit it gives. With w wrong among M and n draws
 *
 *     P(X = i) = C(w, i) C(M - w, n - i) / C(M, n)
 *
 * the limit is the largest w with P(X <= k) > error: larger ones are refuted by the sample.
 *
 * Known: M = 1,000,000, n = 3,000, k = 0, error = 5 %: 996. M = 10, n = 5, k = 0, error = 5 %: 3,
 * because C(6, 5) / C(10, 5) = 6 / 252 is below and C(7, 5) / 252 = 21 / 252 above. */
#include "explore/explorer.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/search.h"
#include "memsweep/base/units.h"
#include "memsweep/base/vec.h"
#include "memsweep/explore/drive.h"
#include "memsweep/explore/limit.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The part of delta that no audit before r has used up, and of it what audit r uses. */
#define LEFT_OF_ERROR 0.2

static double error_of(double confidence, uint32_t audits_before)
{
    double left = 1 - confidence;
    for (uint32_t r = 0; r < audits_before; r++)
        left *= LEFT_OF_ERROR;
    return left * (1 - LEFT_OF_ERROR);
}

/* What rounding may take from a probability: a limit is rather one too high than one too low. */
#define ROUNDING 1e-7

/* ln n!, by Stirling's series; below 16 by multiplying, where the series is not exact enough. */
static double log_factorial(uint64_t n)
{
    double x = (double)n, product = 1;
    if (n >= 16)
        return x * msw_math_log(x) - x + 0.5 * msw_math_log(6.283185307179586 * x) +
               (1 - (1 - 2 / (7 * x * x)) / (30 * x * x)) / (12 * x);
    for (uint64_t i = 2; i <= n; i++)
        product *= (double)i;
    return msw_math_log(product);
}

static double log_choose(uint64_t n, uint64_t k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

static double log_term(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t i)
{
    return log_choose(wrong, i) + log_choose(all - wrong, draws - i) - log_choose(all, draws);
}

/* P(X = i - 1) / P(X = i). */
static double ratio_down(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t i)
{
    double right = (double)(all - wrong) - (double)draws + (double)i;
    return (double)i * right / ((double)(wrong - i + 1) * (double)(draws - i + 1));
}

static double ratio_up(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t i)
{
    double right = (double)(all - wrong) - (double)draws + (double)i + 1;
    return (double)(wrong - i) * (double)(draws - i) / ((double)(i + 1) * right);
}

/* Terms away from the mean become smaller: they are summed from `at` until they no longer count. */
static double sum_from(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t at, bool down,
                       uint64_t end)
{
    double term = 1, sum = 1;
    for (uint64_t i = at; i != end && term > sum * 1e-18; i = down ? i - 1 : i + 1) {
        term *= down ? ratio_down(all, wrong, draws, i) : ratio_up(all, wrong, draws, i);
        sum += term;
    }
    return sum * msw_math_exp(log_term(all, wrong, draws, at));
}

double msw_limit_probability(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t found)
{
    uint64_t right = all - wrong, least = draws > right ? draws - right : 0;
    uint64_t most = draws < wrong ? draws : wrong;
    if (found >= most)
        return 1;
    if (found < least)
        return 0;
    double mean = (double)draws * (double)wrong / (double)all;
    double p = (double)found < mean ? sum_from(all, wrong, draws, found, true, least)
                                    : 1 - sum_from(all, wrong, draws, found + 1, false, most);
    return fmin(1, fmax(0, p));
}

uint64_t msw_limit_wrong(uint64_t all, uint64_t draws, uint64_t found, double error)
{
    uint64_t above; /* `found` is possible */
    MSW_SEARCH(above, found + 1, all - (draws - found) + 1,
               msw_limit_probability(all, above, draws, found) * (1 + ROUNDING) > error);
    return above - 1;
}

uint64_t msw_limit_draws(uint64_t all, uint64_t most, double error)
{
    uint64_t draws;
    if (most >= all)
        return 0;
    MSW_SEARCH(draws, 1, all, msw_limit_wrong(all, draws, 0, error) > most);
    return draws;
}

/* The front rows of one group and its wrong ones, column by column. */
typedef struct cloud {
    double *values; /* objective by objective, `rows` each */
    bool *before;   /* was announced before the audit */
    size_t rows;
    unsigned objectives;
} cloud;

static void take(const msw_explorer *e, size_t row, cloud *c, size_t rows)
{
    const msw_explore_answer *a = &e->rows[row].answer;
    unsigned k = 0;
    for (unsigned i = 0; i < e->space.exact_count; i++)
        c->values[k++ * rows + c->rows] =
            a->exact[i] > 0 ? msw_math_log(a->exact[i]) : fmin(0, a->exact[i]);
    for (unsigned j = 0; j < e->space.open_count; j++)
        c->values[k++ * rows + c->rows] = a->open[j];
    c->before[c->rows++] = !e->rows[row].wrong;
}

static void gather(const msw_explorer *e, uint32_t group, cloud *c)
{
    for (size_t i = 0; i < e->row_count; i++) {
        const msw_explore_row *r = &e->rows[i];
        bool counts = r->wrong && i >= e->round_first;
        if (e->space.group[r->unit] == group && r->answer.state == MSW_EXPLORE_OK &&
            (counts || (i < e->round_first && msw_front_holds(e, (uint32_t)i))))
            take(e, i, c, e->row_count);
    }
}

static int volume(const cloud *c, const double *const *columns, const double *reference,
                  const bool *valid, double *value, msw_err *err)
{
    msw_points points = {.n = c->rows, .k = c->objectives, .columns = columns, .valid = valid};
    return msw_hypervolume(&points, reference, value, err);
}

/* The reference lies a tenth of the range beyond the worst of all. */
static int measure(const cloud *c, size_t stride, double *before, double *after, msw_err *err)
{
    const double *columns[2 * MSW_EXPLORE_OBJECTIVES];
    double reference[2 * MSW_EXPLORE_OBJECTIVES];
    for (unsigned k = 0; k < c->objectives; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        columns[k] = c->values + k * stride;
        for (size_t i = 0; i < c->rows; i++) {
            low = fmin(low, columns[k][i]);
            high = fmax(high, columns[k][i]);
        }
        reference[k] = high + fmax(0.1 * (high - low), 1e-3);
    }
    MSW_TRY(volume(c, columns, reference, c->before, before, err));
    return volume(c, columns, reference, NULL, after, err);
}

/* The share of the hypervolume, in logarithms, that the audited rows that were wrong added. Returns
 * 0, or -1. */
static int msw_worth_added(const msw_explorer *e, double *share, msw_err *err)
{
    unsigned objectives = e->space.exact_count + e->space.open_count;
    double sum_before = 0, sum_after = 0;
    cloud c = {.values = malloc(e->row_count * objectives * sizeof *c.values),
               .before = malloc(e->row_count * sizeof *c.before),
               .objectives = objectives};
    int rc = c.values && c.before ? 0 : msw_fail_memory(err);
    for (uint32_t g = 0; rc == 0 && g < e->space.groups; g++) {
        double before = 0, after = 0;
        c.rows = 0;
        gather(e, g, &c);
        if (c.rows)
            rc = measure(&c, e->row_count, &before, &after, err);
        sum_before += before;
        sum_after += after;
    }
    *share = sum_after > 0 ? (sum_after - sum_before) / sum_after : 0;
    free(c.values);
    free(c.before);
    return rc;
}

int msw_round_add(msw_explorer *e, uint32_t unit, msw_err *err)
{
    if (msw_vec_reserve(&e->chosen, &e->chosen_capacity, e->chosen_count + 1, sizeof *e->chosen,
                        err))
        return -1;
    e->chosen[e->chosen_count++] = unit;
    return 0;
}

/* A unit whose least possible value is covered needs no sample. */
static bool is_discarded(msw_explorer *e, uint32_t unit)
{
    if (e->units.row_of[unit])
        return false;
    if (e->floors && !e->units.proven[unit])
        e->units.proven[unit] = msw_unit_gap(e, unit, e->space.floor) <= e->slack;
    return !e->units.proven[unit];
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
    e->statement.discarded = count;
    e->statement.draws = draws;
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
    e->statement.found += r->wrong;
    e->statement.wrong_in[e->space.stratum[r->unit]] += r->wrong;
    if (r->wrong && gap > e->statement.surplus && gap < HUGE_VAL)
        e->statement.surplus = gap;
}

/* The limit counts those found; they have been announced since, but for those without an answer. */
static void conclude(msw_explorer *e, uint64_t lost)
{
    double error = error_of(e->rules.confidence, e->audits);
    uint64_t most =
        msw_limit_wrong(e->statement.discarded, e->statement.draws, e->statement.found, error);
    uint64_t left = most - (e->statement.found - lost);
    if (!e->audits || left < e->statement.wrong)
        e->statement.wrong = left;
    e->audits++;
    e->statement.found_all += e->statement.found;
    e->statement.lost_all += lost;
}

int msw_audit_judge(msw_explorer *e, msw_err *err)
{
    uint64_t lost = 0;
    double added = 0;
    e->statement.found = 0;
    for (size_t i = e->round_first; i < e->row_count; i++) {
        judge(e, (uint32_t)i);
        lost += e->rows[i].answer.state == MSW_EXPLORE_FAILED;
    }
    if (e->statement.found > lost && msw_worth_added(e, &added, err))
        return -1;
    if (e->statement.draws)
        e->statement.missed =
            fmin(1, added * (double)(e->statement.discarded - e->statement.draws) /
                        (double)e->statement.draws);
    conclude(e, lost);
    return 0;
}

/* Units are points, or designs of several points each. */
typedef struct sizes {
    uint64_t units, budget, audit, discarded;
    double error; /* of the first audit */
} sizes;

static sizes sizes_of(const msw_plan *plan)
{
    uint64_t each = plan->automatic.over ? plan->workload_count : 1;
    sizes s = {plan->points / each, msw_auto_budget(plan) / each, msw_auto_audit(plan) / each, 0,
               error_of(plan->automatic.confidence, 0)};
    s.discarded = s.units - (s.budget - s.audit);
    return s;
}

static int refuse_empty(const msw_plan *plan, const sizes *s, msw_err *err)
{
    char points[32];
    return msw_fail(err,
                    "%s: fidelity auto: a budget of %" PRIu64 " of %s %s draws %" PRIu64
                    " for the audit and searches with %" PRIu64
                    ": at least one each is needed; write 'auto: {budget: ...}'",
                    plan->name, s->budget, msw_count_text(s->units, points),
                    plan->automatic.over ? "designs" : "points", s->audit, s->budget - s->audit);
}

int msw_explore_check(const msw_plan *plan, msw_err *err)
{
    char draws[32], discarded[32], asked[32], best[32];
    if (plan->part != MSW_PART_AUTO)
        return 0;
    sizes s = sizes_of(plan);
    if (!s.audit || s.audit >= s.budget)
        return refuse_empty(plan, &s, err);
    uint64_t most = (uint64_t)(plan->automatic.at_most * (double)s.discarded);
    uint64_t limit = msw_limit_wrong(s.discarded, s.audit, 0, s.error);
    if (limit <= most)
        return 0;
    return msw_fail(err,
                    "%s: fidelity auto: an audit of %s draws cannot say that at most %" PRIu64
                    " of %s discarded are wrong: with none found it says %s; that takes %s draws",
                    plan->name, msw_count_text(s.audit, draws), most,
                    msw_count_text(s.discarded, discarded), msw_count_text(limit, best),
                    msw_count_text(msw_limit_draws(s.discarded, most, s.error), asked));
}

void msw_explore_forecast(const msw_plan *plan, msw_text *out)
{
    char a[32], b[32], c[32], d[32];
    sizes s = sizes_of(plan);
    const char *unit = plan->automatic.over ? "designs" : "points";
    msw_text_add(out, "auto       in full at most %s of %s %s: %s by search, %s by audit\n",
                 msw_count_text(s.budget, a), msw_count_text(s.units, b), unit,
                 msw_count_text(s.budget - s.audit, c), msw_count_text(s.audit, d));
    msw_text_add(out,
                 "           an audit that finds nothing says, with %g %% confidence, that at most "
                 "%s of %s discarded are wrong\n",
                 100 * plan->automatic.confidence,
                 msw_count_text(msw_limit_wrong(s.discarded, s.audit, 0, s.error), a),
                 msw_count_text(s.discarded - s.audit, b));
}
