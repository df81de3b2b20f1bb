/* SPDX-License-Identifier: MIT */
/* How the front of a search grew: its hypervolume over the evaluations. */
#include "explore/seek/seek.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of more objectives the exact volume of a large front takes too long. */
enum { QUICK_OBJECTIVES = 3, SLOW_FRONT = 200 };

typedef struct front {
    unsigned m;
    size_t count;
    double *columns[MSW_SEEK_OBJECTIVES], reference[MSW_SEEK_OBJECTIVES];
} front;

static bool covers(const front *f, size_t i, const double *cost)
{
    for (unsigned k = 0; k < f->m; k++)
        if (f->columns[k][i] > cost[k])
            return false;
    return true;
}

static bool is_covered(const front *f, size_t i, const double *cost)
{
    for (unsigned k = 0; k < f->m; k++)
        if (f->columns[k][i] < cost[k])
            return false;
    return true;
}

static void join(front *f, const double *cost)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (covers(f, i, cost))
            return;
    for (size_t i = 0; i < f->count; i++) {
        if (is_covered(f, i, cost))
            continue;
        for (unsigned k = 0; k < f->m; k++)
            f->columns[k][kept] = f->columns[k][i];
        kept++;
    }
    for (unsigned k = 0; k < f->m; k++)
        f->columns[k][kept] = cost[k];
    f->count = kept + 1;
}

static int volume(const front *f, double *out, msw_err *err)
{
    const double *columns[MSW_SEEK_OBJECTIVES];
    for (unsigned k = 0; k < f->m; k++)
        columns[k] = f->columns[k];
    msw_points points = {.n = f->count, .k = f->m, .columns = columns};
    *out = NAN;
    if (f->m > QUICK_OBJECTIVES && f->count > SLOW_FRONT)
        return 0;
    return msw_hypervolume(&points, f->reference, out, err);
}

static void set_reference(const msw_seeker *s, front *f)
{
    for (unsigned k = 0; k < f->m; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < s->front_count; i++) {
            low = fmin(low, s->front[i * f->m + k]);
            high = fmax(high, s->front[i * f->m + k]);
        }
        f->reference[k] = high + (high > low ? 0.1 * (high - low) : 1);
    }
}

/* Numbers of evaluations at equal ratios, the last one all. */
static size_t checkpoint(size_t rows, size_t i, size_t most)
{
    double part = (double)(i + 1) / (double)most;
    return i + 1 == most ? rows : (size_t)(16 * msw_math_pow((double)rows / 16, part));
}

static int follow(const msw_seeker *s, front *f, msw_seek_growth *growth, size_t most, msw_err *err)
{
    size_t row = 0, count = 0;
    for (size_t i = 0; i < most; i++) {
        size_t to = checkpoint(s->row_count, i, most), before = row;
        for (; row < to && row < s->row_count; row++)
            if (s->rows[row].answer.state == MSW_SEEK_OK && !(s->rows[row].answer.slack > 0))
                join(f, seek_costs(s, (uint32_t)row));
        if (row == before)
            continue;
        growth[count] = (msw_seek_growth){row, f->count, 0};
        MSW_TRY(volume(f, &growth[count++].hypervolume, err));
    }
    double last = count ? growth[count - 1].hypervolume : 0;
    for (size_t i = 0; i < count; i++)
        growth[i].hypervolume = last > 0 ? growth[i].hypervolume / last : NAN;
    return (int)count;
}

int msw_seeker_growth(const msw_seeker *s, msw_seek_growth *growth, size_t most, msw_err *err)
{
    front f = {.m = s->space.objectives};
    int rc = 0;
    for (unsigned k = 0; k < f.m; k++)
        if (!(f.columns[k] = malloc((s->row_count + 1) * sizeof *f.columns[k])))
            rc = msw_fail_memory(err);
    set_reference(s, &f);
    if (rc == 0 && s->front_count)
        rc = follow(s, &f, growth, most, err);
    for (unsigned k = 0; k < f.m; k++)
        free(f.columns[k]);
    return rc;
}
