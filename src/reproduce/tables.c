/* SPDX-License-Identifier: MIT */
/* Makes the result tables: one for each published figure to read, one of all for programs. */
#include "memsweep/base/table_builder.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- cells ---- */

/* Four digits, but no exponent for what is easily read without. */
static void add_scaled(const msw_claim *claim, double value, msw_text *out)
{
    double scaled = value * msw_claim_scale(claim);
    bool large = fabs(scaled) >= 1e4 && fabs(scaled) < 1e9;
    msw_text_add(out, large ? "%.0f" : "%.4g", scaled);
    msw_text_add(out, "%s%s", *claim->unit ? " " : "", claim->unit);
}

void msw_claim_number(const msw_claim *claim, double value, msw_text *out)
{
    if (isnan(value))
        return;
    if (msw_claim_is_trend(claim))
        msw_text_add(out, "%s", value != 0 ? "yes" : "no");
    else
        add_scaled(claim, value, out);
}

void msw_claim_band(const msw_claim *claim, msw_text *out)
{
    double low = claim->low * msw_claim_scale(claim), high = claim->high * msw_claim_scale(claim);
    if (msw_claim_is_trend(claim))
        msw_text_add(out, "%s", isnan(low) ? "" : "yes");
    else if (!isnan(low) && low == high)
        msw_text_add(out, "%.4g", low);
    else if (!isnan(low) && !isnan(high))
        msw_text_add(out, "%.4g .. %.4g", low, high);
    else if (!isnan(low) || !isnan(high))
        msw_text_add(out, "%s %.4g", isnan(low) ? "<=" : ">=", isnan(low) ? high : low);
}

static void number_cell(msw_table_builder *builder, const char *column, const msw_claim *claim,
                        double value)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_claim_number(claim, value, &text);
    msw_builder_made(builder, column, &text);
    msw_text_free(&text);
}

static double ratio(const msw_claim *claim, const msw_claim_answer *a)
{
    return claim->published != 0 ? a->value / claim->published : NAN;
}

/* ---- for the eye ---- */

static void ratio_cell(msw_table_builder *builder, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    msw_builder_text(builder, "ratio", isnan(value) ? "" : text);
}

static void add_row(msw_table_builder *builder, const msw_claim *claim, const msw_claim_answer *a)
{
    msw_text band = MSW_TEXT_EMPTY, counts = MSW_TEXT_EMPTY;
    msw_claim_band(claim, &band);
    msw_builder_row(builder);
    msw_builder_text(builder, "quantity", claim->quantity);
    number_cell(builder, "published", claim, claim->published);
    msw_builder_text(builder, "certainty", msw_certainty_name(claim->certainty));
    number_cell(builder, "model", claim, a->value);
    if (a->half_width > 0)
        msw_builder_number(builder, "half-width", a->half_width * msw_claim_scale(claim));
    ratio_cell(builder, ratio(claim, a));
    msw_builder_made(builder, "band", &band);
    msw_builder_text(builder, "verdict", msw_judgement_name(a->verdict));
    msw_claim_counts_as(claim, a, &counts);
    msw_builder_made(builder, "counts", &counts);
    msw_text_free(&counts);
    msw_text_free(&band);
}

static void add_told(msw_text *out, const msw_claim *claim, const msw_claim_answer *a)
{
    msw_text_add(out, "%s: ", claim->quantity);
    msw_claim_number(claim, a->value, out);
    if (a->shown)
        msw_text_add(out, "; %s", a->shown);
    msw_text_add(out, "\n");
}

static void tell_reason(void *context, const msw_claim *claim, const msw_claim_answer *a)
{
    msw_text *out = context;
    msw_text_add(out, "    because ");
    add_told(out, claim, a);
}

static void tell_row(const msw_paper *p, const msw_claim *claim, const msw_claim_answer *a,
                     msw_text *out)
{
    bool deviates = a->verdict == MSW_MISS || a->verdict == MSW_UNCLEAR;
    if (!a->shown && !deviates && (a->verdict == MSW_PASS || !*claim->explain))
        return;
    msw_text_add(out, "  ");
    add_told(out, claim, a);
    if (a->verdict != MSW_PASS)
        msw_paper_explain(p, claim, tell_reason, out);
    if (a->verdict == MSW_MISS && !*claim->explain)
        msw_text_add(out, "    no experiment explains it\n");
}

void msw_paper_explain(const msw_paper *p, const msw_claim *claim, msw_explain_fn tell,
                       void *context)
{
    const char *at = claim->explain;
    for (const msw_claim *other; (other = msw_claim_next(&p->claims, &at));)
        tell(context, other, &p->answers[other - p->claims.list]);
}

size_t msw_paper_figure(const msw_paper *p, size_t first, msw_table_builder *builder,
                        msw_text *reasons)
{
    const char *figure = p->claims.list[first].figure;
    size_t i = first;
    for (; i < p->claims.count && strcmp(p->claims.list[i].figure, figure) == 0; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (!p->answers[i].wanted || claim->certainty == MSW_EXPERIMENT)
            continue;
        add_row(builder, claim, &p->answers[i]);
        tell_row(p, claim, &p->answers[i], reasons);
    }
    return i;
}

/* ---- for programs ---- */

static void add_flat(msw_table_builder *builder, const msw_claim *claim, const msw_claim_answer *a)
{
    double scale = msw_claim_scale(claim);
    msw_builder_row(builder);
    msw_builder_text(builder, "id", claim->id);
    msw_builder_text(builder, "figure", claim->figure);
    msw_builder_text(builder, "quantity", claim->quantity);
    msw_builder_text(builder, "unit", claim->unit);
    msw_builder_number(builder, "published", claim->published * scale);
    msw_builder_text(builder, "certainty", msw_certainty_name(claim->certainty));
    msw_builder_number(builder, "model", a->value * scale);
    msw_builder_number(builder, "half_width", a->half_width * scale);
    msw_builder_number(builder, "closed_form", a->closed * scale);
    msw_builder_number(builder, "ratio", ratio(claim, a));
    msw_builder_number(builder, "low", claim->low * scale);
    msw_builder_number(builder, "high", claim->high * scale);
    msw_builder_text(builder, "verdict", msw_judgement_name(a->verdict));
    msw_builder_text(builder, "counts",
                     msw_is_judged(a->verdict) ? msw_weight_name(a->weight) : "");
    msw_builder_text(builder, "depends", claim->depends);
    msw_builder_text(builder, "judged_if", claim->judged_if);
    msw_builder_text(builder, "shown", a->shown);
    msw_builder_text(builder, "explain", claim->explain);
}

void msw_paper_rows(const msw_paper *p, msw_table_builder *builder)
{
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].wanted)
            add_flat(builder, &p->claims.list[i], &p->answers[i]);
}
