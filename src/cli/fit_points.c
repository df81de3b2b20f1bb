#include "fit_points.h"

#include <math.h>
#include <stdlib.h>

typedef struct answer {
    const char *source;
    msw_prediction p;
} answer;

/* ---- rows ---- */

/* The case that stands at x, or SIZE_MAX. */
static size_t find_case(const cli_slice *slice, const double *x)
{
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        size_t f = 0;
        while (f < slice->factor_count && fabs(slice->factors[f]->x[i] - x[f]) <= 1e-12)
            f++;
        if (f == slice->factor_count)
            return i;
    }
    return SIZE_MAX;
}

/* A row is known, so nothing is predicted; a sampled one has a half-width of its own. */
static answer stored(const cli_study *s, size_t at)
{
    double y = s->y[at], end = s->outline.fidelity == MSW_SAMPLED ? NAN : y;
    return (answer){isnan(y) ? "no value" : "row",
                    {.value = y, .low = end, .high = end, .q2 = NAN}};
}

/* ---- showing ---- */

static void show_place(const cli_predictions *p, const cli_slice *slice, size_t row)
{
    const cli_study *s = p->study;
    cli_fit_row(s, slice, p->sheet);
    for (size_t f = 0; f < s->factor_count; f++) {
        double value = p->places->value[row * s->factor_count + f];
        if (s->factors[f].labels)
            cli_sheet_text(p->sheet, s->factors[f].name,
                           isnan(value) ? NULL : s->factors[f].labels[(size_t)value]);
        else
            cli_sheet_number(p->sheet, s->factors[f].name, value);
    }
}

static void show(cli_predictions *p, const cli_slice *slice, size_t row, const answer *a)
{
    show_place(p, slice, row);
    cli_sheet_number(p->sheet, "predicted", a->p.value);
    cli_sheet_number(p->sheet, "low", a->p.low);
    cli_sheet_number(p->sheet, "high", a->p.high);
    cli_sheet_text(p->sheet, "from", a->source);
    cli_sheet_number(p->sheet, "q2", a->p.q2);
    if (a->p.residuals)
        cli_sheet_count(p->sheet, "left_out", a->p.residuals);
}

/* ---- the fit ---- */

static msw_pce *fit(cli_predictions *p, const cli_slice *slice)
{
    char reason[128];
    cli_fit_ask ask = p->ask;
    msw_pce_quality quality;
    if (cli_slice_reason(p->study, slice, 3, reason)) {
        msw_fail(p->study->err, "%s is %s: there is nothing to predict from", p->study->metric,
                 reason);
        return NULL;
    }
    ask.degree = ask.degree ? ask.degree : cli_fit_highest(slice);
    p->cases = slice->n > p->cases ? slice->n : p->cases;
    return cli_fit(p->study, slice, &ask, &quality);
}

/* Fits when the first point asks for it. Returns 0, or -1. */
static int predict_one(cli_predictions *p, const cli_slice *slice, size_t row, msw_pce **pce)
{
    const cli_study *s = p->study;
    double x[MSW_PCE_FACTORS];
    for (size_t f = 0; f < slice->factor_count; f++) {
        const cli_factor *factor = slice->factors[f];
        x[f] = cli_factor_place(
            factor, p->places->value[row * s->factor_count + (size_t)(factor - s->factors)]);
    }
    size_t at = find_case(slice, x);
    answer a = at == SIZE_MAX ? (answer){.source = "rows left out"} : stored(s, at);
    if (at == SIZE_MAX) {
        if (!*pce && !(*pce = fit(p, slice)))
            return -1;
        if (msw_pce_predict(*pce, x, p->confidence, &a.p, s->err))
            return -1;
        if (a.p.between)
            a.source = "levels left out";
        p->without += isnan(a.p.low);
    }
    p->stored += at != SIZE_MAX;
    p->fitted += at == SIZE_MAX;
    show(p, slice, row, &a);
    return 0;
}

int cli_predict(void *context, const cli_slice *slice)
{
    cli_predictions *p = context;
    msw_pce *pce = NULL;
    int rc =
        slice->factor_count > MSW_PCE_FACTORS
            ? msw_fail(p->study->err, "a surrogate needs 1 to %d factors that vary; there are %zu",
                       MSW_PCE_FACTORS, slice->factor_count)
            : 0;
    for (size_t row = 0; row < p->places->n && rc == 0; row++)
        rc = predict_one(p, slice, row, &pce);
    msw_pce_free(pce);
    return rc;
}

/* ---- what must be known of it ---- */

void cli_predictions_note(const cli_predictions *p, msw_text *out)
{
    if (cli_fit_note(p->cases, p->ask.seed, out))
        msw_text_add(out, "\n");
    if (p->stored)
        msw_text_add(out, "from row: the point was evaluated, its row is the answer%s\n",
                     p->study->outline.fidelity == MSW_SAMPLED
                         ? " (its own half-width: memsweep query)"
                         : "");
    if (p->without)
        msw_text_add(out, "no interval: %g %% takes %zu residuals (column left_out)\n",
                     100 * p->confidence, msw_pce_residuals(p->confidence));
    if (p->fitted)
        msw_text_add(out,
                     "low, high, q2: from predicting what was left out of choosing and fitting; "
                     "they hold for points named beforehand, not for those picked because their "
                     "prediction looks best (a least value, a front): evaluate these\n");
}
