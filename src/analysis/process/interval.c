/* SPDX-License-Identifier: MIT */
/* Where a new row lies. CV+ (Barber, Candes, Ramdas and Tibshirani 2021) with what was missed
 * counted in deviations: every row that was left out puts one value above and one below what the
 * fit without it predicts at x, as many deviations that this fit states at x away as it missed the
 * row by in those it stated there. What the fit to all rows says of its own error is never used,
 * since nothing has tested it. */
#include "analysis/process/process.h"

#include <math.h>
#include <stdlib.h>

/* What the parts of a list say at x. */
typedef struct sayings {
    const process_missed *missed;
    process_saying *guess; /* of each part */
    size_t *head;          /* of each part: the next of what it missed */
} sayings;

/* The `rank`-th largest of sign x guess + missed: what parts missed falls, so the largest that is
 * left is at the head of one. */
static double extreme(const sayings *s, double sign, size_t rank, bool plain)
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
            double off =
                plain ? part->gap[s->head[p]] : part->ratio[s->head[p]] * s->guess[p].deviation;
            if (sign * s->guess[p].value + off > last) {
                last = sign * s->guess[p].value + off;
                best = p;
            }
        }
        s->head[best]++;
    }
    return sign * last;
}

/* Between levels a process may be as sure as it is wrong: what was missed counts as it was too. */
static void span(const sayings *s, const process_saying *all, double confidence, double ends[2])
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
                     const process_saying *all, double confidence, double ends[2])
{
    size_t count = missed->part_count;
    sayings s = {missed, malloc((count + 1) * sizeof *s.guess),
                 malloc((count + 1) * sizeof *s.head)};
    int rc = s.guess && s.head ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const msw_process *fit = missed->part[i].fit;
        if (fit == p)
            s.guess[i] = *all;
        else
            rc = process_guess(fit, x, &s.guess[i]);
    }
    if (rc == 0)
        span(&s, all, confidence, ends);
    free(s.guess);
    free(s.head);
    return rc;
}
