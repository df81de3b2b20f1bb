/* SPDX-License-Identifier: MIT */
/* Truths that are known: settings kept out of the table stand for what was published, with noise as
 * large as their s. Where the weights are right each unknown's true value has a rank among the
 * weighted settings that is evenly spread. This tests the machinery, not the discrepancies. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPARED = 64 };

/* One member of each group of evidence is compared, all of them as numbers. */
typedef struct compared {
    size_t count;
    size_t claim[MOST_COMPARED];
    double deviation[MOST_COMPARED];
} compared;

typedef struct proof {
    msw_calibration *c;
    compared compared;
    bool *truth; /* by setting */
    double *log, *weights, *values, *ranks;
    double *effective;
} proof;

static compared compare(const msw_calibration *c)
{
    compared in = {0};
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, c->stage);
        bool first = true;
        for (size_t other = 0; other < q; other++)
            first = first && c->quantity[other].group != quantity.group;
        if (!first || (c->stage == MSW_CLOSED && msw_quantity_waits(&quantity)))
            continue;
        double at = isnan(quantity.published) ? quantity.high : quantity.published;
        in.claim[in.count] = c->claim[q];
        in.deviation[in.count++] = msw_quantity_deviation(&quantity, isnan(at) ? quantity.low : at);
    }
    return in;
}

/* Whether a set begins an outer one: what changes an artifact is not that of the one before. */
static bool begins(const msw_calibration *c, size_t setting)
{
    bool any = false, differs = setting == 0;
    for (size_t u = 0; u < c->unknowns; u++) {
        if (!c->paper->spread.unknowns[u].shapes)
            continue;
        any = true;
        differs = differs || c->positions[setting * c->unknowns + u] !=
                                 c->positions[(setting - 1) * c->unknowns + u];
    }
    return differs || !any;
}

/* The settings of whole outer ones, of the first wave: their siblings would know them. */
static void choose_truths(proof *p, size_t wanted)
{
    const msw_calibration *c = p->c;
    size_t first = c->first, groups = 0, taken, group = 0;
    for (size_t k = 0; k < first; k++)
        groups += begins(c, k);
    taken = first ? (size_t)msw_div_up(wanted * groups, first) : 0;
    taken = taken < groups / 2 ? taken : groups / 2;
    for (size_t k = 0; k < first; k++) {
        group += begins(c, k);
        p->truth[k] = (group - 1) * taken / groups != group * taken / groups &&
                      msw_calibration_has_weight(c, k);
    }
}

static double value_at(const msw_calibration *c, size_t setting, size_t unknown)
{
    return msw_unknown_value(&c->paper->spread.unknowns[unknown],
                             c->positions[setting * c->unknowns + unknown]);
}

/* What would have been published of a truth. */
static void publish(const msw_calibration *c, const compared *in, size_t truth, double *published)
{
    msw_rng rng;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed + 77, truth);
    for (size_t q = 0; q < in->count; q++) {
        double value = msw_calibration_at(c, c->stage, truth, in->claim[q]);
        published[q] = value + in->deviation[q] * msw_rng_normal(&rng);
    }
}

static double log_of(const msw_calibration *c, const compared *in, size_t setting,
                     const double *published)
{
    double sum = 0;
    if (!msw_calibration_has_weight(c, setting))
        return -INFINITY;
    for (size_t q = 0; q < in->count; q++) {
        double value = msw_calibration_at(c, c->stage, setting, in->claim[q]);
        if (isnan(value) != isnan(published[q]))
            return -INFINITY;
        double distance = isnan(value) ? 0 : (value - published[q]) / in->deviation[q];
        sum += distance * distance;
    }
    return -sum / 2;
}

static void weigh(const proof *p, size_t truth)
{
    double published[MOST_COMPARED];
    publish(p->c, &p->compared, truth, published);
    for (size_t k = 0; k < p->c->count; k++)
        p->log[k] =
            p->truth[k] || !p->c->drawn[k] ? -INFINITY : log_of(p->c, &p->compared, k, published);
    msw_weights_of(p->log, p->c->sampled, p->c->count, p->weights);
}

/* Ranks of one truth, NaN where its siblings' unknowns were ranked already. */
static void rank(const proof *p, size_t truth, size_t number, bool first_of_group)
{
    const msw_calibration *c = p->c;
    msw_rng rng;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed + 78, truth);
    weigh(p, truth);
    p->effective[number] = msw_weights_effective(p->weights, c->count);
    for (size_t u = 0; u < c->unknowns; u++) {
        double key = msw_rng_uniform(&rng);
        for (size_t k = 0; k < c->count; k++)
            p->values[k] = value_at(c, k, u);
        bool counts = first_of_group || !c->paper->spread.unknowns[u].shapes;
        p->ranks[u * c->truths + number] =
            counts ? msw_rank_of(value_at(c, truth, u), p->values, p->weights, c->count, key) : NAN;
    }
}

static void rank_all(const proof *p)
{
    const msw_calibration *c = p->c;
    size_t number = 0;
    for (size_t k = 0; k < c->count; k++)
        if (p->truth[k]) {
            rank(p, k, number, begins(c, k));
            number++;
        }
}

static void find_probabilities(const proof *p)
{
    msw_calibration *c = p->c;
    for (size_t u = 0; u < c->unknowns; u++) {
        double *ranks = &p->ranks[u * c->truths];
        size_t there = 0;
        for (size_t t = 0; t < c->truths; t++)
            if (!isnan(ranks[t]))
                ranks[there++] = ranks[t];
        c->truth_probability[u] = there >= 50 ? msw_rank_probability(ranks, there) : NAN;
    }
}

static int make_room(proof *p)
{
    msw_calibration *c = p->c;
    size_t settings = c->count + 1;
    p->truth = calloc(settings, sizeof *p->truth);
    p->log = malloc(settings * sizeof *p->log);
    p->weights = malloc(settings * sizeof *p->weights);
    p->values = malloc(settings * sizeof *p->values);
    p->ranks = malloc(settings * (c->unknowns + 1) * sizeof *p->ranks);
    p->effective = malloc(settings * sizeof *p->effective);
    c->truth_probability = calloc(c->unknowns + 1, sizeof *c->truth_probability);
    return p->truth && p->log && p->weights && p->values && p->ranks && p->effective &&
                   c->truth_probability
               ? 0
               : msw_fail_memory(c->paper->err);
}

static int median_effective(const proof *p)
{
    msw_calibration *c = p->c;
    size_t *order = malloc((c->truths + 1) * sizeof *order);
    int rc = order ? msw_weights_order(p->effective, c->truths, order, c->paper->err)
                   : msw_fail_memory(c->paper->err);
    c->truth_effective = rc == 0 && c->truths ? p->effective[order[c->truths / 2]] : NAN;
    free(order);
    return rc;
}

int msw_calibration_prove(msw_calibration *c)
{
    proof p = {.c = c};
    int rc = make_room(&p);
    if (rc == 0) {
        p.compared = compare(c);
        choose_truths(&p, (size_t)c->ask->truths);
        for (size_t k = 0; k < c->count; k++)
            c->truths += p.truth[k];
        rank_all(&p);
        find_probabilities(&p);
        rc = median_effective(&p) || msw_holm(c->truth_probability, c->unknowns, c->paper->err);
    }
    free(p.truth);
    free(p.log);
    free(p.weights);
    free(p.values);
    free(p.ranks);
    free(p.effective);
    return rc ? -1 : 0;
}
