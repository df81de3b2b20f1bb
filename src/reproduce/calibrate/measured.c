/* SPDX-License-Identifier: MIT */
/* A table of measurements takes the place of what was published: columns id, measured, error. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
