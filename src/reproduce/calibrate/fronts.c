/* SPDX-License-Identifier: MIT */
/* Finds, for each setting, the design points on the front and the factors that matter. */
#include "reproduce/calibrate/conclusions.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool msw_concluded_looks(const msw_concluded *to)
{
    return !to->why && to->shipped;
}

static int make_room(const msw_calibration *c, msw_concluded *to)
{
    size_t cells = to->loads * to->points;
    bool room = true;
    for (int side = 0; side < MSW_SIDES; side++) {
        to->front[side] = calloc(cells + 1, sizeof(double));
        to->shares[side] = calloc(to->loads * (to->factors + 1) + 1, sizeof(double));
        to->largest[side] = calloc(to->loads * to->factors + 1, sizeof(double));
        room = room && to->front[side] && to->shares[side] && to->largest[side];
    }
    to->shipped = calloc(cells + 1, sizeof *to->shipped);
    to->logs = calloc(to->loads + 1, sizeof *to->logs);
    return room && to->shipped && to->logs ? 0 : msw_fail_memory(c->paper->err);
}

/* ---- fronts ---- */

static void count_fronts(const struct msw_conclusions *all, msw_concluded *to, const bool *on_front)
{
    size_t settings = all->count + 1;
    for (size_t w = 0; w < to->loads; w++)
        for (size_t s = 0; s < settings; s++)
            for (size_t i = 0; i < to->points; i++) {
                size_t cell = w * to->points + i;
                bool on = on_front[(w * settings + s) * to->points + i];
                for (int side = 0; side < MSW_SIDES; side++)
                    to->front[side][cell] += on ? all->weights[side][s] : 0;
                if (s == all->count)
                    to->shipped[cell] = on;
            }
}

/* One front per workload, as `pareto` has it, in each setting. */
static int find_fronts(const msw_calibration *c, msw_concluded *to, const double *values)
{
    size_t groups = to->loads * (c->conclusions->count + 1), rows = groups * to->points;
    const double *columns[MSW_PARETO_OBJECTIVES];
    uint32_t *group = malloc((rows + 1) * sizeof *group);
    bool *on_front = calloc(rows + 1, sizeof *on_front);
    for (unsigned o = 0; o < to->objectives; o++)
        columns[o] = &values[o * rows];
    for (size_t i = 0; group && i < rows; i++)
        group[i] = (uint32_t)(i / to->points);
    msw_points points = {.n = rows,
                         .k = to->objectives,
                         .columns = columns,
                         .goals = to->goals,
                         .group = group,
                         .group_count = (uint32_t)groups};
    int rc = group && on_front ? msw_pareto_front(&points, on_front, NULL, c->paper->err)
                               : msw_fail_memory(c->paper->err);
    if (rc == 0)
        count_fronts(c->conclusions, to, on_front);
    free(group);
    free(on_front);
    return rc;
}

/* ---- factors ---- */

/* Takes logarithms where all answers are above 0: ratios add there. */
static bool take_logs(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] <= 0)
            return false;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[i] = msw_math_log2(values[i]);
    return true;
}

static int find_shares(const msw_calibration *c, msw_concluded *to, double *values)
{
    const struct msw_conclusions *all = c->conclusions;
    size_t settings = all->count + 1;
    for (size_t w = 0; w < to->loads; w++) {
        double *of_load = &values[w * settings * to->points];
        msw_answers answers = {.settings = settings,
                               .points = to->points,
                               .factors = to->factors,
                               .values = of_load,
                               .level = to->level};
        to->logs[w] = take_logs(of_load, settings * to->points);
        for (int side = 0; side < MSW_SIDES; side++)
            if (msw_answers_shares(&answers, all->weights[side],
                                   &to->shares[side][w * (to->factors + 1)],
                                   &to->largest[side][w * to->factors], c->paper->err))
                return -1;
    }
    return 0;
}

/* ---- all ---- */

static bool has_answers(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            return true;
    return false;
}

/* A query over several sweeps also names metrics that only another one of them has. */
static void drop_empty(const msw_calibration *c, msw_concluded *to, double *values)
{
    size_t rows = to->loads * (c->conclusions->count + 1) * to->points;
    unsigned kept = 0;
    for (unsigned o = 0; o < to->objectives; o++) {
        if (!has_answers(&values[o * rows], rows))
            continue;
        if (kept < o) {
            memcpy(&values[kept * rows], &values[o * rows], rows * sizeof *values);
            to->names[kept] = to->names[o];
            to->goals[kept] = to->goals[o];
        }
        kept++;
    }
    to->objectives = kept;
}

int msw_concluded_judge(const msw_calibration *c, msw_concluded *to, double *values)
{
    drop_empty(c, to, values);
    if (!to->objectives)
        return 0;
    MSW_TRY(make_room(c, to));
    MSW_TRY(find_fronts(c, to, values));
    return find_shares(c, to, values);
}
