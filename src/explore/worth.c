/* SPDX-License-Identifier: MIT */
/* How much of the hypervolume, on logarithmic axes, audited units added that had been wrong. */
#include "explore/explorer.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>

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

int msw_worth_added(const msw_explorer *e, double *share, msw_err *err)
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
