/* SPDX-License-Identifier: MIT */
/* Derives intervals, bits of information and the next number to ask for from weights. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double msw_setting_value(const msw_calibration *c, size_t setting, size_t unknown)
{
    return msw_unknown_value(&c->paper->spread.unknowns[unknown],
                             c->positions[setting * c->unknowns + unknown]);
}

static double *prior_weights(const msw_calibration *c)
{
    double *weights = malloc((c->count + 1) * sizeof *weights);
    for (size_t k = 0; weights && k < c->count; k++)
        weights[k] = c->drawn[k] && msw_calibration_has_weight(c, k) ? 1 / c->sampled[k] : 0;
    return weights;
}

static msw_predicted predict(const msw_calibration *c, const double *values, const double *weights)
{
    double *prior = weights ? NULL : prior_weights(c);
    size_t *order = malloc((c->count + 1) * sizeof *order);
    msw_predicted p = {NAN, NAN, NAN};
    weights = weights ? weights : prior;
    if (order && weights && msw_weights_order(values, c->count, order, c->paper->err) == 0) {
        p.low = msw_weights_quantile(values, weights, order, c->count, 0.05);
        p.median = msw_weights_quantile(values, weights, order, c->count, 0.5);
        p.high = msw_weights_quantile(values, weights, order, c->count, 0.95);
    }
    free(order);
    free(prior);
    return p;
}

static double *column(const msw_calibration *c, size_t claim)
{
    double *values = malloc((c->count + 1) * sizeof *values);
    for (size_t k = 0; values && k < c->count; k++)
        values[k] = msw_calibration_at(c, c->stage, k, claim);
    return values;
}

msw_predicted msw_predict_claim(const msw_calibration *c, size_t claim, const double *weights)
{
    double *values = column(c, claim);
    msw_predicted p = values ? predict(c, values, weights) : (msw_predicted){NAN, NAN, NAN};
    free(values);
    return p;
}

msw_predicted msw_predict_unknown(const msw_calibration *c, size_t unknown, const double *weights)
{
    double *values = malloc((c->count + 1) * sizeof *values);
    msw_predicted p = {NAN, NAN, NAN};
    for (size_t k = 0; values && k < c->count; k++)
        values[k] = msw_setting_value(c, k, unknown);
    if (values)
        p = predict(c, values, weights);
    free(values);
    return p;
}

/* ---- bits ---- */

static size_t *classes_of(const msw_calibration *c, size_t unknown)
{
    size_t *classes = malloc((c->count + 1) * sizeof *classes);
    for (size_t k = 0; classes && k < c->count; k++)
        classes[k] = msw_class_of(c->positions[k * c->unknowns + unknown], c->levels[unknown]);
    return classes;
}

double msw_learned(const msw_calibration *c, size_t unknown)
{
    size_t *classes = classes_of(c, unknown);
    double bits =
        classes && c->effective > 0
            ? msw_bits_gained(classes, msw_class_count(c->levels[unknown]), c->weights, c->count)
            : NAN;
    free(classes);
    return bits;
}

double msw_learned_together(const msw_calibration *c, size_t a, size_t b)
{
    size_t *of_a = classes_of(c, a), *of_b = classes_of(c, b);
    double bits = of_a && of_b && c->effective > 0
                      ? msw_bits_shared(of_a, msw_class_count(c->levels[a]), of_b,
                                        msw_class_count(c->levels[b]), c->weights, c->count)
                      : NAN;
    free(of_a);
    free(of_b);
    return bits;
}

static double tells_of(const msw_calibration *c, const size_t *classes, size_t count, size_t claim)
{
    double *values = column(c, claim), bits = 0;
    size_t *order = malloc((c->count + 1) * sizeof *order);
    size_t *quarters = malloc((c->count + 1) * sizeof *quarters);
    if (values && order && quarters &&
        msw_weights_order(values, c->count, order, c->paper->err) == 0) {
        msw_classes_of_weight(values, c->weights, order, c->count, quarters);
        bits = msw_bits_shared(classes, count, quarters, 4, c->weights, c->count);
    }
    free(values);
    free(order);
    free(quarters);
    return bits;
}

double msw_would_tell(const msw_calibration *c, size_t unknown, size_t *claim)
{
    size_t *classes = classes_of(c, unknown), count = msw_class_count(c->levels[unknown]);
    double most = 0;
    *claim = c->paper->claims.count;
    for (size_t i = 0; classes && c->effective > 0 && i < c->paper->claims.count; i++) {
        double bits = c->asks[i] ? tells_of(c, classes, count, i) : 0;
        if (bits > most) {
            most = bits;
            *claim = i;
        }
    }
    free(classes);
    return most;
}

bool msw_tells_bits(const msw_calibration *c)
{
    return c->effective >= MSW_FEW_FOR_BITS;
}

size_t msw_number_to_ask(const msw_calibration *c)
{
    size_t best = c->unknowns, claim;
    double most = MSW_NOT_IDENTIFIED;
    for (size_t u = 0; msw_tells_bits(c) && u < c->unknowns; u++) {
        double bits = msw_would_tell(c, u, &claim);
        if (bits > most) {
            most = bits;
            best = u;
        }
    }
    return best;
}

/* ---- verdicts ---- */

msw_judgement msw_predicted_verdict(const msw_claim *claim, const msw_predicted *p)
{
    if (isnan(p->median))
        return MSW_NO_VERDICT;
    return msw_claim_judge(claim, (p->low + p->high) / 2, (p->high - p->low) / 2);
}

msw_held_claim msw_predict_held(const msw_calibration *c, size_t claim)
{
    const char *figure = c->paper->claims.list[claim].figure;
    msw_predicted none = {NAN, NAN, NAN};
    msw_held_claim h = {.held = none, .prior = msw_predict_claim(c, claim, NULL), .effective = NAN};
    for (size_t i = 0; i < c->held_count && isnan(h.effective); i++) {
        if (strcmp(c->held[i].figure, figure) != 0)
            continue;
        h.effective = c->held[i].effective;
        h.there = h.effective > 0;
        if (h.there)
            h.held = msw_predict_claim(c, claim, c->held[i].weights);
    }
    h.few = h.effective < MSW_FEW_HELD;
    h.narrow = h.held.high - h.held.low < (h.prior.high - h.prior.low) / 2;
    return h;
}
