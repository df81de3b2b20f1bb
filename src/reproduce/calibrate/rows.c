/* SPDX-License-Identifier: MIT */
/* Makes the tables of a calibration's results. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *msw_calibrated_title(msw_calibrate_table which)
{
    static const char *const TITLES[] = {
        [MSW_CALIBRATED_SUMMARY] = "in short",
        [MSW_CALIBRATED_UNKNOWNS] = "unknowns",
        [MSW_CALIBRATED_QUANTITIES] = "quantities",
        [MSW_CALIBRATED_PAIRS] = "pairs of unknowns that the quantities bind together",
        [MSW_CALIBRATED_SETS] = "sets of quantities that nothing meets",
        [MSW_CALIBRATED_ASK] = "the number to ask the authors for",
        [MSW_CALIBRATED_TRUTHS] = "truths kept out of the table",
    };
    return TITLES[which];
}

/* ---- cells ---- */

static void value_cell(msw_table_builder *b, const char *column, const msw_param *param,
                       double value)
{
    char text[MSW_PARAM_TEXT];
    if (isnan(value)) {
        msw_builder_text(b, column, NULL);
    } else if (param->kind == MSW_REAL) {
        snprintf(text, sizeof text, "%.4g", value);
        msw_builder_text(b, column, text);
    } else {
        msw_builder_text(b, column, msw_param_print(param, value, text));
    }
}

static void span_cell(msw_table_builder *b, const char *column, const msw_claim *claim,
                      const msw_predicted *p)
{
    msw_text text = MSW_TEXT_EMPTY;
    if (!isnan(p->median)) {
        double scale = msw_claim_scale(claim);
        msw_text_add(&text, "%.4g (%.4g .. %.4g)", p->median * scale, p->low * scale,
                     p->high * scale);
    }
    msw_builder_made(b, column, &text);
    msw_text_free(&text);
}

static double rounded(double value, double step)
{
    return isfinite(value) ? floor(value / step + 0.5) * step : value;
}

static const char *id_of(const msw_calibration *c, size_t quantity)
{
    return c->paper->claims.list[c->claim[quantity]].id;
}

/* ---- in short ---- */

static void add_summary(const msw_calibration *c, msw_table_builder *b)
{
    const msw_worst *nearest = c->full_count ? &c->worst[c->nearest] : NULL;
    msw_builder_row(b);
    msw_builder_count(b, "settings", c->count);
    msw_builder_count(b, "at full", c->full_count);
    msw_builder_count(b, "quantities", c->quantities);
    msw_builder_number(b, "chance that the true one is cut, %",
                       rounded(100 * msw_chance_of_cut(c->quantities), 0.1));
    msw_builder_number(b, "left by the closed form, %",
                       c->screens ? rounded(100 * c->closed_share, 1e-3) : NAN);
    msw_builder_number(b, "of the prior left, %", rounded(100 * c->share, 1e-3));
    msw_builder_count(b, "settings left", c->left_count);
    for (int i = 0; nearest && i < 3; i++) {
        static const char *const NAMES[] = {"nearest: largest", "second", "third"};
        static const char *const WHICH[] = {"of", "second of", "third of"};
        msw_builder_number(b, NAMES[i], rounded(nearest->distance[i], 0.01));
        msw_builder_text(b, WHICH[i], id_of(c, nearest->at[i]));
    }
    msw_builder_number(b, "discrepancies must grow by", rounded(c->growth, 0.01));
    msw_builder_number(b, "effective sample", rounded(c->effective, 0.1));
}

/* ---- unknowns ---- */

static void left_cells(const msw_calibration *c, size_t u, msw_table_builder *b)
{
    const msw_param *param = c->paper->spread.unknowns[u].param;
    double low = NAN, high = NAN;
    for (size_t k = 0; k < c->count; k++)
        if (c->left[k] && c->at[MSW_WHOLE][k]) {
            low = fmin(low, msw_setting_value(c, k, u));
            high = fmax(high, msw_setting_value(c, k, u));
        }
    value_cell(b, "left from", param, low);
    value_cell(b, "to", param, high);
}

static void add_unknown(const msw_calibration *c, size_t u, msw_table_builder *b)
{
    const msw_param *param = c->paper->spread.unknowns[u].param;
    bool any = c->effective > 0;
    msw_predicted p = any ? msw_predict_unknown(c, u, c->weights) : (msw_predicted){NAN, NAN, NAN};
    size_t claim;
    bool bits = msw_tells_bits(c);
    double learned = bits ? msw_learned(c, u) : NAN,
           told = bits ? msw_would_tell(c, u, &claim) : NAN;
    msw_builder_row(b);
    msw_builder_text(b, "unknown", param->name);
    value_cell(b, "prior from", param, msw_unknown_value(&c->paper->spread.unknowns[u], 0));
    value_cell(b, "prior to", param, msw_unknown_value(&c->paper->spread.unknowns[u], 1 - 0x1p-53));
    left_cells(c, u, b);
    value_cell(b, "nearest", param, c->full_count ? msw_setting_value(c, c->nearest, u) : NAN);
    value_cell(b, "5 %", param, p.low);
    value_cell(b, "median", param, p.median);
    value_cell(b, "95 %", param, p.high);
    msw_builder_number(b, "bits gained", rounded(learned, 1e-3));
    msw_builder_text(b, "identified",
                     isnan(learned)                 ? NULL
                     : learned < MSW_NOT_IDENTIFIED ? "not identified"
                                                    : "yes");
    msw_builder_number(b, "would tell, bits", rounded(told, 1e-3));
    msw_builder_text(b, "most of", told > 0 ? c->paper->claims.list[claim].id : NULL);
}

/* ---- quantities ---- */

static double least_distance(const msw_calibration *c, size_t q)
{
    double least = NAN;
    for (size_t k = 0; k < c->count; k++)
        if (c->at[MSW_WHOLE][k])
            least = fmin(least, c->distances[k * c->quantities + q]);
    return least;
}

/* Where its band is met: two deviations. */
#define BAND_END 2.0

/* Whether a setting at full, one that is left where that is asked, meets a quantity's band. */
static bool meets(const msw_calibration *c, size_t q, bool left)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->at[MSW_WHOLE][k] && (c->left[k] || !left) &&
            c->distances[k * c->quantities + q] <= BAND_END)
            return true;
    return false;
}

/* Where a quantity is met: with all others, in a set that nothing meets, or without them. */
static void met_cell(const msw_calibration *c, size_t q, msw_table_builder *b)
{
    msw_text text = MSW_TEXT_EMPTY;
    if (meets(c, q, true))
        msw_text_add(&text, "with the others");
    for (size_t i = 0; text.size == 0 && i < c->unmet_count; i++)
        if (c->unmet[i].set >> q & 1)
            msw_text_add(&text, "not with set %zu", i + 1);
    if (text.size == 0)
        msw_text_add(&text, "%s", meets(c, q, false) ? "without the others" : "nowhere");
    msw_builder_made(b, "band met", &text);
    msw_text_free(&text);
}

static void held_cells(const msw_calibration *c, size_t claim, msw_table_builder *b)
{
    const msw_claim *it = &c->paper->claims.list[claim];
    msw_held_claim h = msw_predict_held(c, claim);
    span_cell(b, "prior", it, &h.prior);
    span_cell(b, "held out", it, &h.held);
    msw_builder_text(b, "verdict held out", msw_judgement_name(msw_predicted_verdict(it, &h.held)));
    msw_builder_number(b, "effective held out", rounded(h.effective, 0.1));
    msw_builder_text(b, "counts",
                     !h.there || isnan(h.held.median) ? NULL
                     : h.few                          ? "too few"
                     : h.narrow                       ? "independent"
                                                      : "too wide");
}

static bool is_corrected(const msw_calibration *c, size_t q)
{
    const msw_correction *correction = &c->correction[c->claim[q]];
    return correction->offset != 0 || correction->slope != 1;
}

static void add_quantity(const msw_calibration *c, size_t q, msw_table_builder *b)
{
    const msw_claim *claim = &c->paper->claims.list[c->claim[q]];
    msw_quantity whole = msw_calibration_quantity(c, q, MSW_WHOLE);
    msw_quantity closed = msw_calibration_quantity(c, q, MSW_CLOSED);
    double scale = msw_claim_scale(claim),
           middle = isnan(whole.published) ? whole.high : whole.published;
    msw_predicted p = {NAN, NAN, NAN};
    if (c->effective > 0)
        p = msw_predict_claim(c, c->claim[q], c->weights);
    msw_builder_row(b);
    msw_builder_text(b, "quantity", claim->id);
    msw_builder_text(b, "figure", claim->figure);
    msw_builder_text(b, "unit", claim->unit);
    msw_builder_number(b, "published", whole.published * scale);
    msw_builder_number(b, "s",
                       msw_quantity_deviation(&whole, isnan(middle) ? whole.low : middle) * scale);
    msw_builder_number(b, "error of closed form", c->screens ? closed.fidelity * scale : NAN);
    msw_builder_text(b, "closed form",
                     !c->screens                   ? "not used"
                     : msw_quantity_waits(&closed) ? "waits for full"
                     : is_corrected(c, q)          ? "used, corrected"
                                                   : "used");
    msw_builder_number(b, "at nearest",
                       c->full_count ? msw_calibration_value(c, c->nearest, c->claim[q]) * scale
                                     : NAN);
    msw_builder_number(b, "distance",
                       c->full_count ? rounded(c->distances[c->nearest * c->quantities + q], 0.01)
                                     : NAN);
    msw_builder_number(b, "least distance", rounded(least_distance(c, q), 0.01));
    met_cell(c, q, b);
    msw_builder_text(b, "set aside", msw_calibration_is_aside(c, q) ? "yes" : NULL);
    span_cell(b, "predicted", claim, &p);
    msw_builder_text(b, "verdict predicted", msw_judgement_name(msw_predicted_verdict(claim, &p)));
    held_cells(c, c->claim[q], b);
}

/* A yes/no row: in how much of the weight it holds. */
static void add_trend(const msw_calibration *c, size_t claim, msw_table_builder *b)
{
    const msw_claim *it = &c->paper->claims.list[claim];
    double yes = 0, sum = 0;
    for (size_t k = 0; c->weights && k < c->count; k++) {
        double value = msw_calibration_at(c, c->stage, k, claim);
        if (isnan(value))
            continue;
        sum += c->weights[k];
        yes += msw_claim_judge(it, value, 0) == MSW_PASS ? c->weights[k] : 0;
    }
    msw_text text = MSW_TEXT_EMPTY;
    if (sum > 0)
        msw_text_add(&text, "yes in %.0f %%", 100 * yes / sum);
    msw_builder_row(b);
    msw_builder_text(b, "quantity", it->id);
    msw_builder_text(b, "figure", it->figure);
    msw_builder_text(b, "unit", it->unit);
    msw_builder_made(b, "predicted", &text);
    msw_text_free(&text);
}

static void add_quantities(const msw_calibration *c, msw_table_builder *b)
{
    for (size_t q = 0; q < c->quantities; q++)
        add_quantity(c, q, b);
    for (size_t i = 0; !c->ask->trends && i < c->paper->claims.count; i++)
        if (c->asks[i] && msw_claim_is_trend(&c->paper->claims.list[i]))
            add_trend(c, i, b);
}

/* ---- pairs, sets, the number to ask for, truths ---- */

static void add_pairs(const msw_calibration *c, msw_table_builder *b)
{
    for (size_t u = 0; c->effective > 0 && u < c->unknowns; u++)
        for (size_t v = u + 1; v < c->unknowns; v++) {
            double bits = msw_learned_together(c, u, v);
            if (!(bits >= MSW_NOT_IDENTIFIED))
                continue;
            msw_builder_row(b);
            msw_builder_text(b, "unknown", c->paper->spread.unknowns[u].param->name);
            msw_builder_text(b, "with", c->paper->spread.unknowns[v].param->name);
            msw_builder_number(b, "bits together", rounded(bits, 1e-3));
        }
}

static void add_set(const msw_calibration *c, size_t number, msw_table_builder *b)
{
    const msw_unmet *unmet = &c->unmet[number];
    msw_text names = MSW_TEXT_EMPTY;
    for (size_t q = 0; q < c->quantities; q++)
        if (unmet->set >> q & 1)
            msw_text_add(&names, "%s%s", names.size ? ", " : "", id_of(c, q));
    msw_builder_row(b);
    msw_builder_count(b, "set", number + 1);
    msw_builder_made(b, "quantities", &names);
    msw_builder_count(b, "not met in", unmet->asked);
    msw_builder_count(b, "aimed at it", unmet->directed);
    msw_builder_number(b, "best", rounded(unmet->distance, 0.01));
    if (msw_calibration_proves(c))
        msw_builder_text(b, "proof", "all combinations were run");
    msw_text_free(&names);
}

/* The nearest setting with the number within 10 % of an answer. */
static size_t nearest_with(const msw_calibration *c, size_t u, double answer)
{
    size_t best = c->count;
    for (size_t k = 0; k < c->count; k++) {
        double value = msw_setting_value(c, k, u);
        bool close = c->levels[u] ? value == answer : fabs(value - answer) <= 0.1 * fabs(answer);
        if (close && c->at[MSW_WHOLE][k] &&
            (best == c->count || c->worst[k].distance[0] < c->worst[best].distance[0]))
            best = k;
    }
    return best;
}

static void add_answers(const msw_calibration *c, msw_table_builder *b)
{
    size_t u = msw_number_to_ask(c);
    if (u == c->unknowns)
        return;
    const msw_unknown *unknown = &c->paper->spread.unknowns[u];
    size_t answers = c->levels[u] && c->levels[u] <= MSW_MOST_CLASSES ? (size_t)c->levels[u] : 5;
    for (size_t i = 0; i < answers; i++) {
        double answer = msw_unknown_value(unknown, ((double)i + 0.5) / (double)answers);
        size_t k = nearest_with(c, u, answer);
        msw_builder_row(b);
        msw_builder_text(b, "number", unknown->param->name);
        value_cell(b, "were it", unknown->param, answer);
        msw_builder_number(b, "nearest: largest distance",
                           k < c->count ? rounded(c->worst[k].distance[0], 0.01) : NAN);
        msw_builder_text(b, "of", k < c->count ? id_of(c, c->worst[k].at[0]) : NULL);
        value_cell(b, "with it at", unknown->param,
                   k < c->count ? msw_setting_value(c, k, u) : NAN);
    }
}

static void add_truths(const msw_calibration *c, msw_table_builder *b)
{
    for (size_t u = 0; c->truths && u < c->unknowns; u++) {
        msw_builder_row(b);
        msw_builder_text(b, "unknown", c->paper->spread.unknowns[u].param->name);
        msw_builder_count(b, "truths", c->truths);
        msw_builder_number(b, "effective sample", rounded(c->truth_effective, 0.1));
        msw_builder_number(b, "probability of such ranks", rounded(c->truth_probability[u], 1e-4));
    }
}

void msw_calibrated_rows(const msw_calibration *c, msw_calibrate_table which, msw_table_builder *b)
{
    switch (which) {
    case MSW_CALIBRATED_SUMMARY:
        add_summary(c, b);
        break;
    case MSW_CALIBRATED_UNKNOWNS:
        for (size_t u = 0; u < c->unknowns; u++)
            add_unknown(c, u, b);
        break;
    case MSW_CALIBRATED_QUANTITIES:
        add_quantities(c, b);
        break;
    case MSW_CALIBRATED_PAIRS:
        add_pairs(c, b);
        break;
    case MSW_CALIBRATED_SETS:
        for (size_t i = 0; i < c->unmet_count; i++)
            add_set(c, i, b);
        break;
    case MSW_CALIBRATED_ASK:
        add_answers(c, b);
        break;
    default:
        add_truths(c, b);
    }
}
