/* SPDX-License-Identifier: MIT */
/* Closed form of the null mechanism.
 *
 *   w(h,i)  weight of unit i of stratum h, given by the workload; W its sum over all units
 *   u(h,i)  (rank + 1/2) / N of the unit in a random order of its stratum: mean exactly 1/2
 *   g, c    parameters gain and carry
 *
 *   unit:   busy = w;  stall = w (g - 1) (1/2 + u) + c w(previous unit);  cycles = busy + stall
 *           work = tilt(h) (2 + u)
 *   here:   busy = W;  stall = W (g - 1 + c), because u is independent of w and has mean 1/2;
 *           work = sum of tilt(h) N 5/2, exact
 *
 * Known value: synth/even has W = 250 * 1000 * (1 + 2 + 4 + 8) = 3.75e6. */
#include "mech/null/instrument.h"
#include "memsweep/base/clock.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/workload/synth.h"

#include <math.h>
#include <time.h>

static const int NULL_FACTORIAL[120] = {
    21,  18,  56,  18,  44,  29,  2,   -3,  20,  21,  97,  67,  44,  38,  47,  33,  72,  50,
    39,  19,  208, 194, 175, 191, 201, 203, 198, 186, 154, 132, 152, 159, 146, 123, 131, 128,
    121, 137, 109, 129, 164, 226, 167, 202, 127, 167, 130, 156, 147, 148, 281, 308, 314, 332,
    260, 284, 254, 282, 257, 285, 240, 295, 249, 292, 191, 272, 222, 279, 226, 263, 244, 291,
    271, 324, 276, 335, 258, 299, 262, 316, 409, 416, 387, 410, 400, 457, 360, 389, 373, 402,
    340, 386, 352, 399, 346, 421, 307, 393, 277, 352, 365, 447, 349, 469, 330, 435, 320, 394,
    370, 406, 497, 590, 496, 547, 446, 575, 468, 542, 433, 517,
};

/* All parameters but gain and carry: whether a point fails must not differ between the two sides of
 * a comparison of gains. */
static double null_lot(const msw_task *task, uint64_t which)
{
    const null_config *c = task->config;
    msw_digest digest =
        msw_hash_pair(msw_hash_bytes(c->x, sizeof c->x), msw_hash_bytes(&which, sizeof which));
    return (double)(digest.lo >> 11) * 0x1p-53;
}

/* Sleeps or spins, not past a point timeout. */
static void spend(const msw_task *task, int64_t ns, int64_t kind)
{
    int64_t end = msw_now_ns() + ns;
    int64_t deadline = task->deadline_ns + (task->excused_ns ? *task->excused_ns : 0);
    if (task->deadline_ns && deadline < end)
        end = deadline + 1;
    for (int64_t left; (left = end - msw_now_ns()) > 0;) {
        struct timespec rest = {left / 1000000000, left % 1000000000};
        if (kind == NULL_SLEEP)
            nanosleep(&rest, NULL);
    }
}

int null_cost(const msw_task *task, msw_err *err)
{
    const null_config *c = task->config;
    if (c->cost > 0) {
        double factor = 1;
        if (c->cost_tail > 0)
            factor =
                msw_math_exp(c->cost_tail * msw_math_normal_quantile(null_lot(task, 1) + 0x1p-54) -
                             c->cost_tail * c->cost_tail / 2);
        spend(task, (int64_t)(c->cost * factor), c->cost_kind);
    }
    if (c->fail_share > 0 && null_lot(task, 2) < c->fail_share)
        return msw_fail(err, "failure asked for by fail_share");
    if (msw_task_expired(task))
        return msw_fail(err, "out of time");
    return 0;
}

int null_build_tilt(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err)
{
    (void)extra;
    const msw_synth_product *p = task->product->data;
    null_tilt *tilt = msw_arena_zero(arena, 1, sizeof *tilt);
    double *values = msw_arena_take(arena, p->strata * sizeof *values);
    double *means = msw_arena_zero(arena, p->strata, sizeof *means);
    if (!tilt || !values || !means)
        return msw_fail_memory(err);
    for (uint64_t h = 0; h < p->strata; h++) {
        values[h] = 1 + 0.1 * (double)h;
        for (uint64_t i = 0; i < p->units; i++)
            means[h] += p->weights[h * p->units + i] / (double)p->units;
    }
    tilt->tilt = values;
    tilt->mean = means;
    *root = tilt;
    return 0;
}

int null_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    const null_tilt *tilt = task->artifacts[0];
    if (null_cost(task, err))
        return -1;
    metrics[NULL_BUSY] = p->total;
    metrics[NULL_STALL] = p->total * (c->gain - 1 + c->carry);
    metrics[NULL_CYCLES] = metrics[NULL_BUSY] + metrics[NULL_STALL];
    metrics[NULL_WORK] = 0;
    for (uint64_t h = 0; h < p->strata; h++)
        metrics[NULL_WORK] += tilt->tilt[h] * (double)p->units * 2.5;
    return 0;
}

/* ---- functions with known sensitivities and fronts ---- */

static double ishigami(const double *x)
{
    double x1 = M_PI * (2 * x[0] - 1), x2 = M_PI * (2 * x[1] - 1), x3 = M_PI * (2 * x[2] - 1);
    return msw_math_sin(x1) + 7 * msw_math_sin(x2) * msw_math_sin(x2) +
           0.1 * x3 * x3 * x3 * x3 * msw_math_sin(x1);
}

static double sobol_g(const double *x)
{
    static const double A[NULL_INPUTS] = {0, 1, 4.5, 9, 99, 99, 99, 99, 99, 99};
    double y = 1;
    for (int i = 0; i < NULL_INPUTS; i++)
        y *= (fabs(4 * x[i] - 2) + A[i]) / (1 + A[i]);
    return y;
}

static double factorial(const double *x)
{
    static const int LEVELS[] = {4, 3, 5, 2};
    int cell = 0;
    for (int i = 0; i < 4; i++) {
        int level = (int)(x[i] * LEVELS[i]);
        cell = cell * LEVELS[i] + (level < LEVELS[i] ? level : LEVELS[i] - 1);
    }
    return NULL_FACTORIAL[cell];
}

static double linear(const double *x)
{
    double y = 0;
    for (int i = 0; i < NULL_INPUTS; i++)
        y += x[i];
    return y;
}

static void zdt(const double *x, bool concave, double *metrics)
{
    double g = 1;
    for (int i = 1; i < NULL_INPUTS; i++)
        g += x[i] * 9 / (NULL_INPUTS - 1);
    metrics[NULL_F1] = x[0];
    metrics[NULL_F2] = concave ? g * (1 - x[0] / g * (x[0] / g)) : g * (1 - sqrt(x[0] / g));
}

static void dtlz2(const double *x, double *metrics)
{
    double g = 0;
    for (int i = 2; i < NULL_INPUTS; i++)
        g += (x[i] - 0.5) * (x[i] - 0.5);
    double a = x[0] * M_PI / 2, b = x[1] * M_PI / 2;
    metrics[NULL_F1] = (1 + g) * msw_math_cos(a) * msw_math_cos(b);
    metrics[NULL_F2] = (1 + g) * msw_math_cos(a) * msw_math_sin(b);
    metrics[NULL_F3] = (1 + g) * msw_math_sin(a);
}

/* A closed form that is wrong about f2, as no law says: for whoever chooses by it. */
static void plant(const msw_task *task, double *metrics)
{
    const null_config *c = task->config;
    double error = 0;
    if (task->fidelity != MSW_ANALYTIC || (c->planted_error == 0 && c->planted_spikes == 0))
        return;
    if (c->planted_error > 0)
        error += c->planted_error * msw_math_normal_quantile(null_lot(task, 4) + 0x1p-54);
    if (null_lot(task, 5) < c->planted_spikes)
        error += c->planted_depth;
    metrics[NULL_F2] *= msw_math_exp(error);
}

void null_derive(const msw_task *task, double *metrics)
{
    const null_config *c = task->config;
    metrics[NULL_Y] = metrics[NULL_F1] = metrics[NULL_F2] = metrics[NULL_F3] = NAN;
    switch (c->function) {
    case NULL_LINEAR:
        metrics[NULL_Y] = linear(c->x);
        break;
    case NULL_ISHIGAMI:
        metrics[NULL_Y] = ishigami(c->x);
        break;
    case NULL_SOBOL_G:
        metrics[NULL_Y] = sobol_g(c->x);
        break;
    case NULL_FACTORIAL_TABLE:
        metrics[NULL_Y] = factorial(c->x);
        break;
    case NULL_ZDT1:
    case NULL_ZDT2:
        zdt(c->x, c->function == NULL_ZDT2, metrics);
        break;
    default:
        dtlz2(c->x, metrics);
    }
    plant(task, metrics);
    metrics[NULL_Y] += null_shared(task);
    if (c->nan_share > 0 && null_lot(task, 3) < c->nan_share)
        metrics[NULL_Y] = NAN;
}
