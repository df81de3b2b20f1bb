/* SPDX-License-Identifier: MIT */
/* Spans of the claims over the unknown parameters, and where in them verdicts hold. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/base/sort.h"
#include "memsweep/reproduce/region.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

msw_quantiles msw_quantiles_of(double *values, size_t n)
{
    msw_quantiles q = {0, NAN, NAN, NAN, NAN, NAN};
    msw_sort(values, n, sizeof *values, by_value);
    while (q.n < n && !isnan(values[q.n]))
        q.n++;
    if (!q.n)
        return q;
    q.min = values[0];
    q.low = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.05);
    q.median = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.5);
    q.high = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.95);
    q.max = values[q.n - 1];
    return q;
}

msw_extent msw_extent_of(const double *values, const bool *inside, size_t n, double *work)
{
    msw_extent e = {0, NAN, NAN, NAN, NAN, NAN};
    double held[2] = {0, 0}, all[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        work[i] = values[i];
    e.middle = msw_quantiles_of(work, n).median;
    for (size_t i = 0; i < n; i++) {
        int side = values[i] >= e.middle;
        all[side]++;
        if (!inside[i])
            continue;
        held[side]++;
        e.inside++;
        e.min = fmin(e.min, values[i]);
        e.max = fmax(e.max, values[i]);
    }
    e.below = all[0] > 0 ? held[0] / all[0] : NAN;
    e.above = all[1] > 0 ? held[1] / all[1] : NAN;
    return e;
}

/* Room for one number and one mark per sample. */
typedef struct region_work {
    double *values;
    bool *inside;
} region_work;

/* ---- one parameter ---- */

static void add_value(msw_text *out, const msw_param *param, double value)
{
    char text[MSW_PARAM_TEXT];
    if (isnan(value))
        msw_text_add(out, "-");
    else if (param->kind == MSW_REAL)
        msw_text_add(out, "%.3g", value);
    else if (param->kind == MSW_SIZE && value > 1048576)
        msw_text_add(out, "%.3gMiB", value / 1048576);
    else
        msw_text_add(out, "%s", msw_param_print(param, value, text));
}

static bool has_choices(const msw_unknown *u)
{
    return u->param->kind == MSW_CHOICE || u->param->kind == MSW_FLAG;
}

/* Share inside of the samples with one choice; NaN where it was never drawn. */
static double share_of(const msw_unknown *u, uint64_t level, const bool *inside, size_t samples)
{
    size_t all = 0, held = 0;
    for (size_t k = 0; k < samples; k++)
        if ((uint64_t)u->values[k] == level) {
            all++;
            held += inside[k];
        }
    return all ? (double)held / (double)all : NAN;
}

/* Choices have no order: the share inside is reported for each. */
static void add_choices(const msw_unknown *u, const bool *inside, size_t samples, msw_text *out)
{
    for (uint64_t level = 0; level < u->levels; level++) {
        double share = share_of(u, level, inside, samples);
        msw_text_add(out, "%s", level ? ", " : "");
        add_value(out, u->param, (double)level);
        if (!isnan(share))
            msw_text_add(out, " %.0f %%", 100 * share);
    }
}

static void add_halves(const msw_unknown *u, const msw_extent *e, msw_text *out)
{
    msw_text_add(out, "%.0f %% below ", 100 * (isnan(e->below) ? 0 : e->below));
    add_value(out, u->param, e->middle);
    msw_text_add(out, ", %.0f %% from there on", 100 * e->above);
}

/* ---- spans ---- */

static double share_passed(const msw_spread *s, size_t claim)
{
    size_t passed = 0;
    for (size_t i = 0; i < s->samples; i++)
        passed += s->verdicts[claim * s->samples + i] == MSW_PASS;
    return (double)passed / (double)s->samples;
}

/* How far apart the shares inside are between choices, or between the halves of a range. */
static double contrast_of(const msw_unknown *u, const bool *inside, size_t samples, double *work)
{
    if (!has_choices(u)) {
        msw_extent e = msw_extent_of(u->values, inside, samples, work);
        return fabs(e.above - e.below);
    }
    double low = 1, high = 0;
    for (uint64_t level = 0; level < u->levels; level++) {
        double share = share_of(u, level, inside, samples);
        low = fmin(low, share);
        high = fmax(high, share);
    }
    return high - low;
}

static const msw_unknown *strongest(const msw_spread *s, const bool *inside, double *work,
                                    double *contrast)
{
    const msw_unknown *best = NULL;
    *contrast = 0;
    for (size_t u = 0; u < s->unknown_count; u++) {
        double here = contrast_of(&s->unknowns[u], inside, s->samples, work);
        if (here > *contrast) {
            *contrast = here;
            best = &s->unknowns[u];
        }
    }
    return best;
}

/* Names the parameter that decides most about a verdict, where that is more than chance: three
 * standard deviations of the difference between two halves. */
static void add_decider(const msw_spread *s, size_t claim, const region_work *w, msw_text *out)
{
    double share = share_passed(s, claim), contrast;
    for (size_t k = 0; k < s->samples; k++)
        w->inside[k] = s->verdicts[claim * s->samples + k] == MSW_PASS;
    const msw_unknown *u = strongest(s, w->inside, w->values, &contrast);
    if (!u || contrast <= 3 * sqrt(4 * share * (1 - share) / (double)s->samples))
        return;
    msw_text_add(out, "%s: ", u->param->name);
    if (has_choices(u)) {
        add_choices(u, w->inside, s->samples, out);
        return;
    }
    msw_extent e = msw_extent_of(u->values, w->inside, s->samples, w->values);
    add_halves(u, &e, out);
}

static void add_span(const msw_paper *p, size_t i, const region_work *w, msw_text *out)
{
    const msw_spread *s = &p->spread;
    const msw_claim *claim = &p->claims.list[i];
    memcpy(w->values, s->values + i * s->samples, s->samples * sizeof *w->values);
    msw_quantiles q = msw_quantiles_of(w->values, s->samples);
    const double shown[] = {p->answers[i].value, q.min, q.low, q.median, q.high, q.max};
    msw_text_add(out, "| `%s` | %s |", claim->id, claim->unit);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        if (isnan(shown[k]))
            msw_text_add(out, " |");
        else
            msw_text_add(out, " %.3g |", shown[k] * msw_claim_scale(claim));
    if (!msw_is_judged(p->answers[i].verdict)) {
        msw_text_add(out, " | |\n");
        return;
    }
    msw_text_add(out, " %.0f %% | ", 100 * share_passed(s, i));
    add_decider(s, i, w, out);
    msw_text_add(out, " |\n");
}

static void add_spans(const msw_paper *p, const region_work *w, msw_text *out)
{
    msw_text_add(out, "| id | unit | at defaults | min | 5 %% | median | 95 %% | max | passes | "
                      "decided most by |\n"
                      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].wanted && p->claims.list[i].certainty != MSW_EXPERIMENT &&
            msw_claim_answers_at(&p->claims.list[i], p->spread.fidelity))
            add_span(p, i, w, out);
    msw_text_add(out, "\n");
}

/* ---- the region ---- */

/* Marks the samples in which at least `wanted` pass. Returns how many. */
static size_t mark_inside(const msw_paper *p, size_t wanted, bool *inside)
{
    size_t count = 0;
    for (size_t k = 0; k < p->spread.samples; k++) {
        inside[k] = msw_spread_passing(p, &p->spread, k) >= wanted;
        count += inside[k];
    }
    return count;
}

static size_t most_together(const msw_paper *p)
{
    size_t most = 0;
    for (size_t k = 0; k < p->spread.samples; k++) {
        size_t passed = msw_spread_passing(p, &p->spread, k);
        most = passed > most ? passed : most;
    }
    return most;
}

/* The most claims that pass together in a hundredth of the samples: one best sample alone is no
 * region. */
static size_t most_in_part(const msw_paper *p, size_t part, bool *inside)
{
    size_t wanted = most_together(p);
    while (wanted > 0 && mark_inside(p, wanted, inside) < part)
        wanted--;
    return wanted;
}

static void add_extent(const msw_unknown *u, const msw_extent *e, msw_text *out)
{
    add_value(out, u->param, e->min);
    msw_text_add(out, " .. ");
    add_value(out, u->param, e->max);
    msw_text_add(out, " of ");
    add_value(out, u->param, u->param->plausible_min);
    msw_text_add(out, " .. ");
    add_value(out, u->param, u->param->plausible_max);
}

static void add_unknown(const msw_unknown *u, const bool *inside, size_t samples, double *work,
                        msw_text *out)
{
    msw_text_add(out, "| %s | ", u->param->name);
    if (has_choices(u)) {
        msw_text_add(out, "| ");
        add_choices(u, inside, samples, out);
    } else {
        msw_extent e = msw_extent_of(u->values, inside, samples, work);
        add_extent(u, &e, out);
        msw_text_add(out, " | ");
        add_halves(u, &e, out);
    }
    msw_text_add(out, " |\n");
}

static void add_region(const msw_paper *p, const bool *inside, double *work, msw_text *out)
{
    const msw_spread *s = &p->spread;
    msw_text_add(out, "| parameter | inside | share inside |\n| --- | --- | --- |\n");
    for (size_t u = 0; u < s->unknown_count; u++)
        add_unknown(&s->unknowns[u], inside, s->samples, work, out);
    msw_text_add(out, "\n");
}

static void add_share(msw_text *out, size_t part, size_t samples)
{
    msw_text_add(out, "%zu of %zu samples (%.0f %%)", part, samples,
                 100 * (double)part / (double)samples);
}

static size_t count_sought(const msw_paper *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->claims.count; i++)
        count += msw_claim_seeks(p, i);
    return count;
}

static void add_regions(const msw_paper *p, const region_work *w, msw_text *out)
{
    size_t samples = p->spread.samples, most = most_together(p);
    msw_text_add(
        out, "Of the %zu verdicts that do not follow from others at most %zu pass together, in ",
        count_sought(p), most);
    add_share(out, mark_inside(p, most, w->inside), samples);
    size_t wanted = most_in_part(p, (samples + 99) / 100, w->inside);
    msw_text_add(out, "; at least %zu in ", wanted);
    add_share(out, mark_inside(p, wanted, w->inside), samples);
    msw_text_add(out, ". Where these are:\n\n");
    add_region(p, w->inside, w->values, out);
}

/* How the samples were drawn, beyond the hypercube. */
static void add_draws(const msw_spread *s, msw_text *out)
{
    bool any = false;
    for (size_t u = 0; u < s->unknown_count; u++)
        any = any || s->unknowns[u].shapes;
    if (any && s->shapes < s->samples && !s->combinations)
        msw_text_add(out,
                     "Parameters of front ends, and what artifacts depend on, take %zu settings, "
                     "each for samples in a row.\n\n",
                     s->shapes);
    if (s->redrawn)
        msw_text_add(out,
                     "%zu of them broke a rule and were drawn again, as with: %s. %zu still break "
                     "one and have no answer.\n\n",
                     s->redrawn, s->rule.text, s->broken);
    else if (s->broken)
        msw_text_add(out, "%zu of them break a rule and have no answer, as with: %s.\n\n",
                     s->broken, s->rule.text);
}

static void add_about(const msw_paper *p, msw_text *out)
{
    const msw_spread *s = &p->spread;
    msw_text_add(out, "## Over the unknown parameters\n\n");
    if (s->combinations)
        msw_text_add(out, "All %zu combinations of the levels (fidelity %s)", s->samples,
                     s->fidelity);
    else
        msw_text_add(out, "%zu samples (seed %lld, latin hypercube, fidelity %s)", s->samples,
                     (long long)p->ask->seed, s->fidelity);
    msw_text_add(out,
                 " of the %zu parameters %s and that the sweeps leave open, over the ranges of "
                 "their tables. Where one does not act it keeps its default.\n\n",
                 s->unknown_count,
                 p->ask->unknowns ? "that were asked for" : "whose source is unknown or inferred");
    if (s->idle)
        msw_text_add(out, "%zu further ones act at no point of the sweeps.\n\n", s->idle);
}

void msw_spread_page(const msw_paper *p, msw_text *out)
{
    const msw_spread *s = &p->spread;
    region_work w = {malloc(s->samples * sizeof *w.values), malloc(s->samples * sizeof *w.inside)};
    out->failed |= !w.values || !w.inside;
    add_about(p, out);
    add_draws(s, out);
    if (!out->failed) {
        add_spans(p, &w, out);
        add_regions(p, &w, out);
        msw_confirm_page(p, out);
    }
    free(w.values);
    free(w.inside);
}
