/* SPDX-License-Identifier: MIT */
/* The front that figures show: found once for all of them. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int name_objectives(const msw_plot *p, msw_objectives *o)
{
    for (size_t i = 0; i < p->metric_count && i < MSW_PARETO_OBJECTIVES; i++) {
        const msw_column *column = msw_plot_column(p, p->metrics[i], p->err);
        o->names[i] = column ? msw_strdup(p->metrics[i]) : NULL;
        if (!o->names[i])
            return column ? msw_fail_memory(p->err) : -1;
        o->goals[i] = column->goal;
        for (size_t j = 0; j < p->sweep.objective_count; j++)
            if (strcmp(p->sweep.objectives[j].name, p->metrics[i]) == 0)
                o->goals[i] = p->sweep.objectives[j].goal;
        o->count = i + 1;
    }
    return 0;
}

int msw_plot_front(msw_plot *p, msw_front *front)
{
    front->ask.group_by = p->workloads > 1 ? "workload" : NULL;
    front->ask.filter = p->ask.filter;
    front->ask.beyond = p->ask.beyond;
    front->ask.ranks = 1;
    front->store = p->store;
    front->err = p->err;
    MSW_TRY(name_objectives(p, &front->objectives));
    MSW_TRY(msw_store_sweep(p->store, p->sweep.name, &front->sweep, p->err));
    MSW_TRY(msw_front_find(front));
    return 0;
}

static double point_of(const msw_front *front, size_t row)
{
    return front->values.columns[MSW_FRONT_POINT].values[row];
}

/* ---- places on paper ---- */

enum { ACROSS = 150, UP = 100 };

static void find_ends(const double *values, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

/* One axis of the plane. */
typedef struct ruler {
    const double *values;
    double low, step;
    bool log;
} ruler;

/* Where style.gp takes a logarithmic axis, places are even on it. */
static bool spans(double low, double high)
{
    return low > 0 && high > 20 * low && high < 1e6 * low;
}

static ruler make_ruler(const msw_front *front, size_t objective, int row_ids)
{
    double high;
    ruler r = {.values = front->values.columns[MSW_FRONT_OBJECTIVES + objective].values};
    find_ends(r.values, front->values.rows, &r.low, &high);
    r.log = spans(r.low, high);
    double length = r.log ? msw_math_log(high / r.low) : high - r.low;
    r.step = fmax(length, 1e-300) / row_ids;
    return r;
}

static size_t cell_on(const ruler *r, size_t row)
{
    double value = r->values[row];
    return (size_t)((r->log ? msw_math_log(value / r->low) : value - r->low) / r->step);
}

/* The first point of each place, of the front and of what it beats. */
static int keep_plane(msw_plot *p, const msw_front *front)
{
    size_t n = front->values.rows, row_ids = (ACROSS + 1) * (UP + 1);
    ruler x = make_ruler(front, 0, ACROSS), y = make_ruler(front, 1, UP);
    bool *taken = calloc(2 * row_ids * (front->group ? front->group_count : 1) + 1, sizeof *taken);
    p->plane_points = malloc((n + 1) * sizeof *p->plane_points);
    for (size_t row = 0; taken && p->plane_points && row < n; row++) {
        if (isnan(x.values[row]) || isnan(y.values[row]))
            continue;
        size_t builder = 2 * (front->group ? front->group[row] : 0) + (front->rank[row] == 0);
        size_t cell = cell_on(&x, row) * (UP + 1) + cell_on(&y, row);
        bool *here = &taken[builder * row_ids + cell];
        if (!*here)
            p->plane_points[p->plane++] = point_of(front, row);
        *here = true;
    }
    int rc = taken && p->plane_points ? 0 : msw_fail_memory(p->err);
    free(taken);
    return rc;
}

int msw_plot_keep_front(msw_plot *p, const msw_front *front)
{
    size_t n = front->values.rows;
    p->front_points = malloc((n + 1) * sizeof *p->front_points);
    if (!p->front_points)
        return msw_fail_memory(p->err);
    for (size_t row = 0; row < n; row++)
        if (front->rank[row] == 0)
            p->front_points[p->front++] = point_of(front, row);
    return front->objectives.count > 1 ? keep_plane(p, front) : 0;
}

/* ---- points that may be on the front ---- */

enum { DRAWS = 500 };

static int keep_uncertain(msw_plot *p, const msw_front *front)
{
    for (size_t row = 0; row < front->values.rows; row++) {
        const msw_standing *s = &front->standing[row];
        if (s->verdict != MSW_FRONT_OPEN && s->verdict != MSW_FRONT_CERTAIN)
            continue;
        msw_text_add(&p->uncertain, "%s[%.0f,", p->uncertain.size ? "," : "", point_of(front, row));
        if (isfinite(s->probability))
            msw_text_add_double(&p->uncertain, s->probability);
        else
            msw_text_add(&p->uncertain, "null");
        msw_text_add(&p->uncertain, ",%d]", s->verdict == MSW_FRONT_CERTAIN);
    }
    p->judged = true;
    return p->uncertain.failed ? msw_fail_memory(p->err) : 0;
}

int msw_plot_need_front(msw_plot *p, bool judge)
{
    msw_front front = {
        .ask = {.uncertain = judge && !p->judged, .confidence = 0.95, .draws = DRAWS, .seed = 1}};
    if (judge && p->outline.fidelity != MSW_SAMPLED)
        return msw_fail(p->err, "rows at %s have no half-widths",
                        msw_fidelity_name(p->outline.fidelity));
    if (p->front_points && !front.ask.uncertain)
        return 0;
    int rc = -1;
    if (msw_plot_front(p, &front) || (!p->front_points && msw_plot_keep_front(p, &front)) ||
        (front.ask.uncertain && keep_uncertain(p, &front)))
        goto done;
    rc = 0;
done:
    msw_front_free(&front);
    return rc;
}
