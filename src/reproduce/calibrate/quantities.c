/* SPDX-License-Identifier: MIT */
/* Lists the quantities that settings are compared with: a paper's judged numbers, or a table of
 * measurements in place of what was published. */
#include "memsweep/base/csv.h"
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table of measurements takes the place of what was published: columns id, measured, error. */

enum { ID, MEASURED, ERROR, COLUMN_COUNT };
static const char *const COLUMNS[] = {"id", "measured", "error", NULL};

typedef struct reading {
    msw_calibration *c;
    msw_csv csv;
    size_t where[COLUMN_COUNT];
} reading;

static const char *cell(const reading *r, int column)
{
    return r->csv.fields[r->where[column]];
}

static int fail_cell(const reading *r, int column, const char *wanted)
{
    return msw_fail(r->c->paper->err, "%s:%zu: %s '%s': %s", r->csv.path, r->csv.line,
                    COLUMNS[column], cell(r, column), wanted);
}

static int read_number(const reading *r, int column, double *value)
{
    char *end;
    const char *text = cell(r, column);
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) ? 0
                                                    : fail_cell(r, column, "a number is wanted");
}

static int add(const reading *r)
{
    const msw_paper *p = r->c->paper;
    double measured, error;
    const msw_claim *claim = msw_claim_find(&p->claims, cell(r, ID), strlen(cell(r, ID)));
    if (!claim)
        return fail_cell(r, ID, "the paper's published.csv has no such row");
    size_t i = (size_t)(claim - p->claims.list);
    if (!isnan(r->c->measured[i]))
        return fail_cell(r, ID, "there is a row of this name already");
    if (claim->certainty == MSW_EXPERIMENT)
        return fail_cell(r, ID, "an experiment is not run over settings");
    if (read_number(r, MEASURED, &measured) || read_number(r, ERROR, &error))
        return -1;
    if (!(error > 0))
        return fail_cell(r, ERROR, "the standard deviation of the measurement is wanted, above 0");
    r->c->measured[i] = measured / msw_claim_scale(claim);
    r->c->measured_error[i] = error / msw_claim_scale(claim);
    return 0;
}

static int read_rows(reading *r)
{
    msw_err *err = r->c->paper->err;
    int got = 0, rc = msw_csv_header(&r->csv, COLUMNS, COLUMN_COUNT, r->where, err);
    size_t columns = r->csv.count, rows = 0;
    for (; rc == 0 && (got = msw_csv_next(&r->csv, err)) > 0; rows++)
        rc = msw_csv_check(&r->csv, columns, err) || add(r) ? -1 : 0;
    if (rc || got < 0)
        return -1;
    return rows ? 0 : msw_fail(err, "%s: no rows", r->csv.path);
}

int msw_calibration_measured(msw_calibration *c)
{
    size_t claims = c->paper->claims.count, size;
    char *text = NULL;
    reading r = {.c = c};
    c->measured = malloc((claims + 1) * sizeof *c->measured);
    c->measured_error = malloc((claims + 1) * sizeof *c->measured_error);
    if (!c->measured || !c->measured_error)
        return msw_fail_memory(c->paper->err);
    for (size_t i = 0; i < claims; i++)
        c->measured[i] = NAN;
    if (msw_read_file(c->ask->against, &text, &size, c->paper->err))
        return -1;
    msw_csv_start(&r.csv, c->ask->against, text);
    int rc = read_rows(&r);
    free(text);
    return rc;
}

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
