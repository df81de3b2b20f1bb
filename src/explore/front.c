/* SPDX-License-Identifier: MIT */
/* Fronts: who covers whom. A vector covers another where it is at most as much in every exact
 * objective and at most (1 + tolerance) times as much in the others; in logarithms the least slack
 * that is needed is a difference, which is called the gap. */
#include "explore/explorer.h"

#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool at_most(const double *a, const double *b, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!(a[k] <= b[k]))
            return false;
    return true;
}

/* Equal infinities have no difference. */
static double difference(double a, double b)
{
    return a == b ? 0 : a - b;
}

static double gap_to(const msw_explore_answer *a, const double *open, unsigned count)
{
    double gap = -HUGE_VAL;
    for (unsigned j = 0; j < count; j++)
        gap = fmax(gap, difference(a->open[j], open[j]));
    return gap;
}

double msw_front_gap(const msw_explorer *e, uint32_t group, const double *exact, const double *open,
                     uint32_t but)
{
    const msw_front_list *front = &e->fronts[group];
    double gap = HUGE_VAL;
    for (size_t i = 0; i < front->count; i++) {
        const msw_explore_answer *a = &e->rows[front->row[i]].answer;
        if (front->row[i] != but && at_most(a->exact, exact, e->space.exact_count))
            gap = fmin(gap, gap_to(a, open, e->space.open_count));
    }
    return gap;
}

/* With one open objective a unit remembers the best it has seen and looks at what is new alone. */
static double best_for(msw_explorer *e, uint32_t unit)
{
    const msw_front_list *front = &e->fronts[e->space.group[unit]];
    double exact[MSW_EXPLORE_OBJECTIVES], best = e->units.best[unit];
    if (e->units.looked[unit] == front->log_count)
        return best;
    msw_unit_exact(&e->space, unit, exact);
    for (size_t i = e->units.looked[unit]; i < front->log_count; i++) {
        const msw_explore_answer *a = &e->rows[front->log[i]].answer;
        if (a->open[0] < best && at_most(a->exact, exact, e->space.exact_count))
            best = a->open[0];
    }
    e->units.looked[unit] = (uint32_t)front->log_count;
    return e->units.best[unit] = best;
}

double msw_unit_gap(msw_explorer *e, uint32_t unit, const double *open)
{
    double exact[MSW_EXPLORE_OBJECTIVES];
    if (e->units.best)
        return difference(best_for(e, unit), open[0]);
    msw_unit_exact(&e->space, unit, exact);
    return msw_front_gap(e, e->space.group[unit], exact, open, UINT32_MAX);
}

static bool is_covered(const msw_explorer *e, const msw_explore_answer *by,
                       const msw_explore_answer *a)
{
    return at_most(by->exact, a->exact, e->space.exact_count) &&
           at_most(by->open, a->open, e->space.open_count);
}

static void drop_covered(msw_explorer *e, msw_front_list *front, const msw_explore_answer *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (!is_covered(e, a, &e->rows[front->row[i]].answer))
            front->row[kept++] = front->row[i];
    front->count = kept;
}

int msw_front_join(msw_explorer *e, uint32_t row, msw_err *err)
{
    const msw_explore_answer *a = &e->rows[row].answer;
    msw_front_list *front = &e->fronts[e->space.group[e->rows[row].unit]];
    for (size_t i = 0; i < front->count; i++)
        if (is_covered(e, &e->rows[front->row[i]].answer, a))
            return 0;
    if (msw_vec_reserve(&front->row, &front->capacity, front->count + 1, sizeof *front->row, err) ||
        msw_vec_reserve(&front->log, &front->log_capacity, front->log_count + 1, sizeof *front->log,
                        err))
        return -1;
    drop_covered(e, front, a);
    front->row[front->count++] = row;
    front->log[front->log_count++] = row;
    return 0;
}

bool msw_front_holds(const msw_explorer *e, uint32_t row)
{
    const msw_front_list *front = &e->fronts[e->space.group[e->rows[row].unit]];
    for (size_t i = 0; i < front->count; i++)
        if (front->row[i] == row)
            return true;
    return false;
}
