/* SPDX-License-Identifier: MIT */
/* The hypergeometric distribution and the limit it gives. With w wrong among M and n draws
 *
 *     P(X = i) = C(w, i) C(M - w, n - i) / C(M, n)
 *
 * the limit is the largest w with P(X <= k) > error: larger ones are refuted by the sample.
 *
 * Known: M = 1,000,000, n = 3,000, k = 0, error = 5 %: 996. M = 10, n = 5, k = 0, error = 5 %: 3,
 * because C(6, 5) / C(10, 5) = 6 / 252 is below and C(7, 5) / 252 = 21 / 252 above. */
#include "memsweep/explore/limit.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdbool.h>

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
    uint64_t low = found, high = all - (draws - found) + 1; /* `low` is possible, `high` is not */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (msw_limit_probability(all, middle, draws, found) * (1 + ROUNDING) > error)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t msw_limit_draws(uint64_t all, uint64_t most, double error)
{
    uint64_t low = 0, high = all; /* `low` draws are too few (or none are asked for) */
    if (most >= all)
        return 0;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (msw_limit_wrong(all, middle, 0, error) <= most)
            high = middle;
        else
            low = middle;
    }
    return high;
}
