/* SPDX-License-Identifier: MIT */
/* Measures distances between fronts: GD, IGD, IGD+ (Ishibuchi et al. 2015), epsilon, R2 (Hansen and
 * Jaszkiewicz 1998). */
#include "memsweep/analysis/quality.h"

#include <math.h>
#include <stdlib.h>

static double sign_of(const msw_points *points, unsigned j)
{
    return points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -1 : 1;
}

/* ---- both sets, cut to their fronts ---- */

typedef struct sets {
    msw_points a, b;
    bool *on_a, *on_b;
} sets;

/* `measure` is what a set without rows does not have. */
static int open_sets(sets *s, const msw_points *points, const msw_points *target,
                     const char *measure, msw_err *err)
{
    msw_pareto_count counts[2];
    *s = (sets){.a = *points, .b = *target};
    s->a.group = s->b.group = NULL;
    s->b.goals = s->a.goals;
    if (s->a.k != s->b.k)
        return msw_fail(err, "%u objectives against %u", s->a.k, s->b.k);
    s->on_a = malloc(s->a.n + 1);
    s->on_b = malloc(s->b.n + 1);
    if (!s->on_a || !s->on_b)
        return msw_fail_memory(err);
    MSW_TRY(msw_pareto_front(&s->a, s->on_a, &counts[0], err));
    MSW_TRY(msw_pareto_front(&s->b, s->on_b, &counts[1], err));
    if (!counts[0].front || !counts[1].front)
        return msw_fail(err, "a set without a single complete row has no %s", measure);
    return 0;
}

static void close_sets(sets *s)
{
    free(s->on_a);
    free(s->on_b);
}

/* ---- GD, IGD, IGD+ ---- */

/* Squared, or anything above `limit` when it is above. */
static double between(const sets *s, size_t a, size_t b, const double *scale, bool plus,
                      double limit)
{
    double sum = 0;
    for (unsigned j = 0; j < s->a.k && sum <= limit; j++) {
        double d = sign_of(&s->a, j) * (s->a.columns[j][a] - s->b.columns[j][b]) / scale[j];
        sum += plus && d < 0 ? 0 : d * d;
    }
    return sum;
}

/* Mean distance of the rows of b to the nearest row of a. */
static double mean_to(const sets *s, const double *scale, bool plus)
{
    double sum = 0;
    size_t count = 0;
    for (size_t b = 0; b < s->b.n; b++) {
        double least = INFINITY;
        if (!s->on_b[b])
            continue;
        for (size_t a = 0; a < s->a.n; a++)
            if (s->on_a[a])
                least = fmin(least, between(s, a, b, scale, plus, least));
        sum += sqrt(least);
        count++;
    }
    return sum / (double)count;
}

int msw_front_distance(const msw_points *points, const msw_points *target, const double *scale,
                       msw_distance kind, double *distance, msw_err *err)
{
    sets s;
    /* The goals are those of the points, whichever set is first. */
    msw_points of = *target;
    of.goals = points->goals;
    bool to_target = kind == MSW_DISTANCE_GD;
    int rc = -1;
    if (open_sets(&s, to_target ? &of : points, to_target ? points : target, "distance", err))
        goto done;
    *distance = mean_to(&s, scale, kind == MSW_DISTANCE_IGD_PLUS);
    rc = 0;
done:
    close_sets(&s);
    return rc;
}

/* ---- epsilon ---- */

/* How much row a must improve in one objective to match row b of the target. */
static double shortfall(const sets *s, msw_epsilon kind, size_t a, size_t b, unsigned j)
{
    double x = s->a.columns[j][a], y = s->b.columns[j][b];
    bool higher = s->a.goals && s->a.goals[j] == MSW_GOAL_HIGHER;
    if (kind == MSW_EPSILON_ADDITIVE)
        return higher ? y - x : x - y;
    return higher ? y / x : x / y;
}

/* The largest shortfall of a against b, or anything above `limit` when it is above. */
static double largest(const sets *s, msw_epsilon kind, size_t a, size_t b, double limit)
{
    double most = -INFINITY;
    for (unsigned j = 0; j < s->a.k && most <= limit; j++)
        most = fmax(most, shortfall(s, kind, a, b, j));
    return most;
}

static double nearest(const sets *s, msw_epsilon kind, size_t b)
{
    double least = INFINITY;
    for (size_t a = 0; a < s->a.n; a++)
        if (s->on_a[a])
            least = fmin(least, largest(s, kind, a, b, least));
    return least;
}

static int check_positive(const msw_points *points, const bool *front, msw_err *err)
{
    for (size_t i = 0; i < points->n; i++)
        for (unsigned j = 0; front[i] && j < points->k; j++)
            if (!(points->columns[j][i] > 0))
                return msw_fail(err,
                                "objective %u of row %zu is %g: a factor needs positive values",
                                j + 1, i, points->columns[j][i]);
    return 0;
}

static double widest(const sets *s, msw_epsilon kind)
{
    double epsilon = -INFINITY;
    for (size_t b = 0; b < s->b.n; b++)
        if (s->on_b[b])
            epsilon = fmax(epsilon, nearest(s, kind, b));
    return epsilon;
}

int msw_epsilon_indicator(const msw_points *points, const msw_points *target, msw_epsilon kind,
                          double *epsilon, msw_err *err)
{
    sets s;
    int rc = -1;
    if (open_sets(&s, points, target, "epsilon", err))
        goto done;
    if (kind == MSW_EPSILON_FACTOR &&
        (check_positive(&s.a, s.on_a, err) || check_positive(&s.b, s.on_b, err)))
        goto done;
    *epsilon = widest(&s, kind);
    rc = 0;
done:
    close_sets(&s);
    return rc;
}

/* ---- R2 ---- */

/* The least over the front of max_j w_j |a_j - ideal_j|. */
static double utility(const msw_points *points, const bool *on_front, const double *ideal,
                      const double *scale, const double *weight)
{
    double least = INFINITY;
    for (size_t r = 0; r < points->n; r++) {
        double most = 0;
        for (unsigned j = 0; on_front[r] && j < points->k && most < least; j++)
            most = fmax(most, weight[j] * fabs(points->columns[j][r] - ideal[j]) / scale[j]);
        least = on_front[r] ? fmin(least, most) : least;
    }
    return least;
}

/* The next way to deal the divisions to k objectives. Returns false after the last. */
static bool next_deal(unsigned *part, unsigned k)
{
    unsigned j = k - 1;
    while (j > 0 && part[j - 1] == 0)
        j--;
    if (j == 0)
        return false;
    unsigned rest = part[k - 1];
    part[k - 1] = 0;
    part[j - 1]--;
    part[j] = rest + 1;
    return true;
}

static double mean_utility(const msw_points *points, const bool *on_front, const double *ideal,
                           const double *scale, unsigned divisions)
{
    unsigned part[MSW_PARETO_OBJECTIVES] = {divisions};
    double weight[MSW_PARETO_OBJECTIVES], sum = 0;
    size_t count = 0;
    do {
        for (unsigned j = 0; j < points->k; j++)
            weight[j] = part[j] / (double)divisions;
        sum += utility(points, on_front, ideal, scale, weight);
        count++;
    } while (next_deal(part, points->k));
    return sum / (double)count;
}

int msw_front_r2(const msw_points *points, const double *ideal, const double *scale,
                 unsigned divisions, double *r2, msw_err *err)
{
    msw_points all = *points;
    msw_pareto_count count;
    all.group = NULL;
    bool *on_front = malloc(all.n + 1);
    int rc = -1;
    if (!on_front) {
        msw_fail_memory(err);
        goto done;
    }
    if (msw_pareto_front(&all, on_front, &count, err))
        goto done;
    if (!count.front) {
        msw_fail(err, "a set without a single complete row has no R2");
        goto done;
    }
    *r2 = mean_utility(&all, on_front, ideal, scale, divisions);
    rc = 0;
done:
    free(on_front);
    return rc;
}

unsigned msw_r2_divisions(unsigned k)
{
    static const unsigned DIVISIONS[] = {1, 1, 500, 30, 12, 8, 6, 5, 4, 4, 3};
    return k < sizeof DIVISIONS / sizeof *DIVISIONS ? DIVISIONS[k] : 2;
}
