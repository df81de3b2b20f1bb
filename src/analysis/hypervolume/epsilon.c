/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/hypervolume.h"

#include <math.h>
#include <stdlib.h>

typedef struct pair {
    const msw_points *points, *target;
    msw_epsilon kind;
} pair;

/* How much row a must improve in one objective to match row b of the target. */
static double shortfall(const pair *sets, size_t a, size_t b, unsigned j)
{
    double x = sets->points->columns[j][a], y = sets->target->columns[j][b];
    bool higher = sets->points->goals && sets->points->goals[j] == MSW_GOAL_HIGHER;
    if (sets->kind == MSW_EPSILON_ADDITIVE)
        return higher ? y - x : x - y;
    return higher ? y / x : x / y;
}

/* The largest shortfall of a against b, or anything above `limit` when it is above. */
static double largest(const pair *sets, size_t a, size_t b, double limit)
{
    double most = -INFINITY;
    for (unsigned j = 0; j < sets->points->k && most <= limit; j++)
        most = fmax(most, shortfall(sets, a, b, j));
    return most;
}

static double nearest(const pair *sets, const bool *front, size_t b)
{
    double least = INFINITY;
    for (size_t a = 0; a < sets->points->n; a++)
        if (front[a])
            least = fmin(least, largest(sets, a, b, least));
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

static int check_fronts(const pair *sets, const bool *own, const bool *other,
                        msw_pareto_count counts[2], msw_err *err)
{
    if (counts[0].front == 0 || counts[1].front == 0)
        return msw_fail(err, "a set without a single complete row has no epsilon");
    if (sets->kind == MSW_EPSILON_ADDITIVE)
        return 0;
    MSW_TRY(check_positive(sets->points, own, err));
    return check_positive(sets->target, other, err);
}

static double widest(const pair *sets, const bool *own, const bool *other)
{
    double epsilon = -INFINITY;
    for (size_t b = 0; b < sets->target->n; b++)
        if (other[b])
            epsilon = fmax(epsilon, nearest(sets, own, b));
    return epsilon;
}

/* Both sets are cut to their fronts first: a dominated row never decides. */
int msw_epsilon_indicator(const msw_points *points, const msw_points *target, msw_epsilon kind,
                          double *epsilon, msw_err *err)
{
    msw_points a = *points, b = *target;
    a.group = b.group = NULL;
    b.goals = a.goals;
    if (a.k != b.k)
        return msw_fail(err, "%u objectives against %u", a.k, b.k);
    pair sets = {&a, &b, kind};
    msw_pareto_count counts[2];
    bool *own = malloc(a.n + 1), *other = malloc(b.n + 1);
    int rc = -1;
    if (!own || !other) {
        msw_fail_memory(err);
        goto done;
    }
    if (msw_pareto_front(&a, own, &counts[0], err) ||
        msw_pareto_front(&b, other, &counts[1], err) ||
        check_fronts(&sets, own, other, counts, err))
        goto done;
    *epsilon = widest(&sets, own, other);
    rc = 0;
done:
    free(own);
    free(other);
    return rc;
}
