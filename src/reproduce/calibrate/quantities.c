/* SPDX-License-Identifier: MIT */
/* Lists the quantities that settings are compared with: a paper's judged numbers, or measurements.
 */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* they are bits of a mask */

static bool is_law(const msw_claim *claim)
{
    return strcmp(claim->depends, MSW_DEPENDS_LAW) == 0;
}

/* Whether a claim is looked at at all: trends, too, are listed. */
static bool is_looked_at(const msw_calibration *c, size_t i)
{
    const msw_paper *p = c->paper;
    const msw_claim *claim = &p->claims.list[i];
    if (c->measured)
        return p->answers[i].wanted && !isnan(c->measured[i]);
    return p->answers[i].wanted && msw_is_judged(p->answers[i].verdict) && !is_law(claim);
}

/* Claims of one chain of `depends` repeat one another. */
static size_t group_of(const msw_paper *p, size_t i)
{
    const char *depends = p->claims.list[i].depends;
    const msw_claim *root = *depends ? msw_claim_find(&p->claims, depends, strlen(depends)) : NULL;
    return root ? (size_t)(root - p->claims.list) : i;
}

static msw_quantity make(const msw_calibration *c, size_t i)
{
    const msw_claim *claim = &c->paper->claims.list[i];
    msw_quantity q = {.published = claim->published,
                      .low = claim->low,
                      .high = claim->high,
                      .step = claim->step,
                      .reading = claim->reading,
                      .discrepancy = claim->discrepancy,
                      .growth = 1,
                      .group = group_of(c->paper, i)};
    if (c->measured) {
        q.published = c->measured[i];
        q.low = q.high = NAN;
        q.step = 0;
        q.discrepancy = c->measured_error[i];
    }
    return q;
}

static int make_room(msw_calibration *c)
{
    size_t claims = c->paper->claims.count;
    c->quantity = calloc(claims + 1, sizeof *c->quantity);
    c->claim = calloc(claims + 1, sizeof *c->claim);
    c->correction = calloc(claims + 1, sizeof *c->correction);
    c->asks = calloc(claims + 1, sizeof *c->asks);
    for (size_t i = 0; c->correction && i < claims; i++)
        c->correction[i].slope = 1; /* as it is */
    return c->quantity && c->claim && c->correction && c->asks ? 0 : msw_fail_memory(c->paper->err);
}

/* Refuses a figure to hold out that no quantity stands in. */
static int check_held(const msw_calibration *c)
{
    msw_text known = MSW_TEXT_EMPTY;
    const char *last = "";
    bool found = !c->ask->hold_out;
    for (size_t q = 0; q < c->quantities; q++) {
        const char *figure = c->paper->claims.list[c->claim[q]].figure;
        found = found || strcmp(figure, c->ask->hold_out) == 0;
        if (strcmp(figure, last) != 0)
            msw_text_add(&known, "%s%s", *last ? ", " : "", figure);
        last = figure;
    }
    int rc = found ? 0
                   : msw_fail(c->paper->err, "--hold-out '%s': none of %s", c->ask->hold_out,
                              msw_text_str(&known));
    msw_text_free(&known);
    return rc;
}

int msw_calibration_quantities(msw_calibration *c)
{
    const msw_paper *p = c->paper;
    if (make_room(c))
        return -1;
    for (size_t i = 0; i < p->claims.count; i++) {
        if (!is_looked_at(c, i))
            continue;
        c->asks[i] = true;
        msw_quantity q = make(c, i);
        if ((msw_claim_is_trend(&p->claims.list[i]) && !c->ask->trends) ||
            !msw_quantity_measures(&q))
            continue;
        if (c->quantities == MOST)
            return msw_fail(p->err,
                            "%s: more than %d rows to compare settings with: choose some "
                            "with --figure",
                            p->folder, MOST);
        c->quantity[c->quantities] = q;
        c->claim[c->quantities++] = i;
    }
    return c->quantities ? check_held(c)
                         : msw_fail(p->err,
                                    "%s: no row is a number with a band, so there is "
                                    "nothing to compare settings with",
                                    p->folder);
}
