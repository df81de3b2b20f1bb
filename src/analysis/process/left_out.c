/* SPDX-License-Identifier: MIT */
/* Lists what rows left out miss, one by one with the kernel of all, and finds where a new row lies.
 *
 * CV+ (Barber, Candes, Ramdas and Tibshirani 2021) with what was missed counted in deviations:
 * every row that was left out puts one value above and one below what the fit without it predicts
 * at x, as many deviations that this fit states at x away as it missed the row by in those it
 * stated there. What the fit to all rows says of its own error is never used, since nothing has
 * tested it. */
#include "analysis/process/process.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 };

/* ---- lists ---- */

static process_missed *new_list(msw_process *p, const process_leaving *l, size_t parts,
                                const msw_process *const *fits)
{
    process_missed *m = msw_arena_zero(&p->arena, 1, sizeof *m);
    if (!m || !(m->part = msw_arena_zero(&p->arena, parts + 1, sizeof *m->part)))
        return NULL;
    m->levels = l->levels;
    m->part_count = parts;
    for (size_t i = 0; i < parts; i++) {
        process_part *part = &m->part[i];
        size_t count = 0;
        for (size_t r = 0; r < p->rows.n; r++)
            count += !isnan(l->missed[r]) && (l->part ? l->part[r] : 0) == i;
        part->fit = fits[i];
        part->ratio = msw_arena_take(&p->arena, (count + 1) * sizeof *part->ratio);
        part->gap = msw_arena_take(&p->arena, (count + 1) * sizeof *part->gap);
        if (!part->ratio || !part->gap)
            return NULL;
    }
    return m;
}

/* Errors are kept sorted, largest first, both as they are and relative to the deviation stated for
 * each row: intervals are read from these lists. */
process_missed *process_gather(msw_process *p, const process_leaving *l, size_t parts,
                               const msw_process *const *fits)
{
    process_missed *m = new_list(p, l, parts, fits);
    double squares = 0, all = 0, held = 0, normal = msw_math_normal_quantile(0.975);
    if (!m)
        return NULL;
    for (size_t i = 0; i < p->rows.n; i++) {
        if (isnan(l->missed[i]))
            continue;
        process_part *part = &m->part[l->part ? l->part[i] : 0];
        double gap = fabs(l->missed[i]), ratio = gap / l->deviation[i];
        part->gap[part->count] = gap;
        part->ratio[part->count++] = ratio;
        m->count++;
        held += ratio <= normal;
        squares += gap * gap;
        all += p->rows.y[i] * p->rows.y[i];
    }
    for (size_t i = 0; i < parts; i++) {
        msw_sort_falling(m->part[i].gap, m->part[i].count);
        msw_sort_falling(m->part[i].ratio, m->part[i].count);
    }
    m->q2 = all > 0 ? 1 - squares / all : NAN;
    m->covered = held / (double)m->count;
    m->next = p->missed;
    p->missed = m;
    return m;
}

/* ---- row by row ---- */

typedef struct leaving {
    process_leaving to;
    const double *inverse; /* U'^-1 where exact */
} leaving;

/* From the inverse Q of the covariance, the centre taken out: missed is alpha / Q_ii, and 1 / Q_ii
 * its variance (Dubrule 1983). */
static void leave_exactly(void *context, size_t number)
{
    leaving *v = context;
    const process_leaving *l = &v->to;
    const msw_process *p = l->p;
    for (size_t i = number * ROWS; i < (number + 1) * ROWS && i < p->rows.n; i++) {
        double square = 0;
        for (size_t k = i; k < p->order; k++)
            square += v->inverse[k * p->order + i] * v->inverse[k * p->order + i];
        square -= p->ones[i] * p->ones[i] / p->ones_weight;
        l->missed[i] = p->alpha[i] / square;
        l->deviation[i] = sqrt(1 / square);
    }
}

/* Inner levels only: what lies between levels is never predicted from one side. */
static bool has_both_sides(const msw_process *p, size_t i, uint32_t levels)
{
    unsigned d = p->rows.factors;
    for (unsigned f = 0; f < d; f++)
        if (levels >> f & 1) {
            bool below = false, above = false;
            for (size_t j = 0; j < p->rows.n && !(below && above); j++) {
                below |= p->rows.x[j * d + f] < p->rows.x[i * d + f];
                above |= p->rows.x[j * d + f] > p->rows.x[i * d + f];
            }
            if (!below || !above)
                return false;
        }
    return true;
}

static void leave_nearby(void *context, size_t number)
{
    leaving *v = context;
    const process_leaving *l = &v->to;
    const msw_process *p = l->p;
    for (size_t i = number * ROWS; i < (number + 1) * ROWS && i < p->rows.n; i++) {
        l->missed[i] = l->deviation[i] = NAN;
        if (!has_both_sides(p, i, l->levels))
            continue;
        process_prediction g =
            process_predict_nearby(p, p->rows.x + i * p->rows.factors, i, l->levels);
        l->missed[i] = p->rows.y[i] - g.value;
        l->deviation[i] = g.deviation;
    }
}

process_missed *process_leave_out(msw_process *p, uint32_t levels)
{
    size_t n = p->rows.n;
    process_missed *made = NULL;
    double *inverse = NULL, *missed = malloc((2 * n + 1) * sizeof *missed);
    bool exact = p->exact && !levels;
    if (exact)
        inverse = malloc((p->order * p->order + 1) * sizeof *inverse);
    if (missed && (inverse || !exact)) {
        leaving l = {{p, levels, missed, missed + n, NULL}, inverse};
        if (exact)
            cholesky_invert(p->factor, p->order, inverse);
        msw_tasks_if(n >= 256, msw_div_up(n, ROWS), exact ? leave_exactly : leave_nearby, &l);
        made = process_gather(p, &l.to, 1, (const msw_process *[]){p});
    }
    free(missed);
    free(inverse);
    return made;
}

/* ---- intervals ---- */

/* The answers of the parts of a list at x. */
typedef struct predictions {
    const process_missed *missed;
    process_prediction *prediction; /* of each part */
    size_t *head;                   /* of each part: the next of what it missed */
} predictions;

/* The `rank`-th largest of sign x prediction + missed: what parts missed falls, so the largest that
 * is left is at the head of one. */
static double extreme(const predictions *s, double sign, size_t rank, bool plain)
{
    const process_missed *m = s->missed;
    double last = NAN;
    for (size_t p = 0; p < m->part_count; p++)
        s->head[p] = 0;
    for (size_t taken = 0; taken < rank; taken++) {
        size_t best = 0;
        last = -INFINITY;
        for (size_t p = 0; p < m->part_count; p++) {
            const process_part *part = &m->part[p];
            if (s->head[p] == part->count)
                continue;
            double off = plain ? part->gap[s->head[p]]
                               : part->ratio[s->head[p]] * s->prediction[p].deviation;
            if (sign * s->prediction[p].value + off > last) {
                last = sign * s->prediction[p].value + off;
                best = p;
            }
        }
        s->head[best]++;
    }
    return sign * last;
}

/* Between levels a process may be as sure as it is wrong: what was missed counts as it was too. */
static void span(const predictions *s, const process_prediction *all, double confidence,
                 double ends[2])
{
    double count = (double)s->missed->count;
    double position = ceil(confidence * (count + 1) - 1e-9);
    ends[0] = ends[1] = NAN;
    if (position > count)
        return;
    size_t rank = (size_t)(count - position) + 1;
    ends[0] = fmin(all->value, extreme(s, -1, rank, false));
    ends[1] = fmax(all->value, extreme(s, 1, rank, false));
    if (s->missed->levels) {
        ends[0] = fmin(ends[0], extreme(s, -1, rank, true));
        ends[1] = fmax(ends[1], extreme(s, 1, rank, true));
    }
}

int process_interval(const msw_process *p, const double *x, const process_missed *missed,
                     const process_prediction *all, double confidence, double ends[2])
{
    size_t count = missed->part_count;
    predictions s = {missed, malloc((count + 1) * sizeof *s.prediction),
                     malloc((count + 1) * sizeof *s.head)};
    int rc = -1;
    if (!s.prediction || !s.head)
        goto done;
    for (size_t i = 0; i < count; i++) {
        const msw_process *fit = missed->part[i].fit;
        if (fit == p)
            s.prediction[i] = *all;
        else if (process_predict(fit, x, &s.prediction[i]))
            goto done;
    }
    span(&s, all, confidence, ends);
    rc = 0;
done:
    free(s.prediction);
    free(s.head);
    return rc;
}
