/* SPDX-License-Identifier: MIT */
/* The front of points that come one after the other, and those that are within a share of it. */
#include "memsweep/store/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether q beats r: at least as good in all, better by more than the share in one. What beats q
 * beats r, too, so that looking at the best points alone is enough. */
static bool beats(const double *q, const double *r, size_t k, double within)
{
    bool far = false;
    for (size_t i = 0; i < k; i++) {
        if (q[i] > r[i])
            return false;
        far = far || q[i] < r[i] - within * fabs(r[i]);
    }
    return far;
}

static bool at_least_as_good(const double *q, const double *r, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (q[i] > r[i])
            return false;
    return true;
}

/* The one that beats is moved ahead: it will beat the next, too. */
static bool is_left_out(msw_front_filter *f, const double *values)
{
    size_t k = f->kept->objectives, count = f->best.count / (k ? k : 1);
    double *best = f->best.items;
    for (size_t b = 0; b < count; b++)
        if (beats(best + b * k, values, k, f->within)) {
            for (size_t i = 0; b && i < k; i++) {
                double other = best[(b / 2) * k + i];
                best[(b / 2) * k + i] = best[b * k + i];
                best[b * k + i] = other;
            }
            return true;
        }
    return false;
}

static int add_best(msw_front_filter *f, const double *values, msw_err *err)
{
    size_t k = f->kept->objectives, kept = 0;
    double *best = f->best.items;
    for (size_t b = 0; b < f->best.count; b += k)
        if (at_least_as_good(best + b, values, k))
            return 0;
    for (size_t b = 0; b < f->best.count; b += k)
        if (!at_least_as_good(values, best + b, k)) {
            memmove(best + kept, best + b, k * sizeof *best);
            kept += k;
        }
    f->best.count = kept;
    MSW_TRY(MSW_VEC_RESERVE(&f->best, kept + k, err));
    memcpy(f->best.items + kept, values, k * sizeof *values);
    f->best.count += k;
    return 0;
}

static void purge(msw_front_filter *f)
{
    msw_candidates *c = f->kept;
    size_t k = c->objectives, kept = 0;
    for (size_t i = 0; i < c->points.count; i++) {
        if (is_left_out(f, c->values.items + i * k))
            continue;
        c->points.items[kept] = c->points.items[i];
        memmove(c->values.items + kept * k, c->values.items + i * k, k * sizeof *c->values.items);
        kept++;
    }
    c->points.count = kept;
    c->values.count = kept * k;
    f->sifted = kept;
}

int msw_front_filter_add(msw_front_filter *f, uint64_t point, const double *values, msw_err *err)
{
    msw_candidates *c = f->kept;
    size_t k = c->objectives;
    for (size_t i = 0; i < k; i++)
        if (isnan(values[i]))
            return 0; /* what is not known competes nowhere */
    if (is_left_out(f, values))
        return 0;
    MSW_TRY(add_best(f, values, err));
    MSW_TRY(MSW_VEC_PUSH(&c->points, point, err));
    MSW_TRY(MSW_VEC_RESERVE(&c->values, c->values.count + k, err));
    memcpy(c->values.items + c->values.count, values, k * sizeof *values);
    c->values.count += k;
    if (c->points.count > 2 * f->sifted + 64)
        purge(f);
    return 0;
}

void msw_front_filter_end(msw_front_filter *f)
{
    purge(f);
    free(f->best.items);
    f->best.items = NULL;
    f->best.count = f->best.room = 0;
}
