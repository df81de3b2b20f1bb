/* SPDX-License-Identifier: MIT */
/* How likely settings are, given all quantities, and given all but those of a figure. */
#include "reproduce/calibrate/moves.h"
#include "reproduce/calibrate/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MORE_WAVES = 4, LEAST_INSIDE = 16, LEAST_AT_FULL = 50 };
#define BOX_WEIGHT 0.99
#define BOX_MARGIN 0.1

double msw_calibration_growth(const msw_calibration *c)
{
    if (c->grown > 0)
        return c->grown; /* full may have found nearer settings since particles were moved */
    return c->growth > 1 && isfinite(c->growth) ? c->growth : 1;
}

/* Discrepancies as they stand, or grown until a setting is left. */
static msw_quantity weighed(const msw_calibration *c, size_t q)
{
    msw_quantity quantity = msw_calibration_quantity(c, q, c->stage);
    quantity.growth = msw_calibration_growth(c);
    return quantity;
}

/* ---- what counts ---- */

typedef struct counted {
    size_t count;
    msw_quantity quantity[64];
    size_t claim[64];
} counted;

static counted count_all_but(const msw_calibration *c, const char *figure)
{
    counted in = {0};
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = weighed(c, q);
        const msw_claim *claim = &c->paper->claims.list[c->claim[q]];
        if ((c->stage == MSW_CLOSED && msw_quantity_waits(&quantity)) ||
            msw_calibration_is_aside(c, q) || (figure && strcmp(claim->figure, figure) == 0))
            continue;
        in.quantity[in.count] = quantity;
        in.claim[in.count++] = c->claim[q];
    }
    return in;
}

static double log_of(const msw_calibration *c, const counted *in, size_t setting)
{
    double distances[64];
    if (!msw_calibration_has_weight(c, setting))
        return -INFINITY;
    for (size_t q = 0; q < in->count; q++)
        distances[q] = msw_quantity_distance(
            &in->quantity[q], msw_calibration_at(c, c->stage, setting, in->claim[q]));
    return msw_likelihood_log(in->quantity, distances, in->count);
}

/* The table's own weights: of the settings of waves. */
static int weigh_table(const msw_calibration *c, const char *figure, double *weights)
{
    counted in = count_all_but(c, figure);
    double *log = malloc((c->count + 1) * sizeof *log);
    if (!log)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < c->count; k++)
        log[k] = c->drawn[k] ? log_of(c, &in, k) : -INFINITY;
    msw_weights_of(log, c->sampled, c->count, weights);
    free(log);
    return 0;
}

/* Weights of the settings that particles stand on. */
static int weigh_moved(const msw_calibration *c, const char *figure, double *weights)
{
    counted all = count_all_but(c, NULL), in = count_all_but(c, figure);
    const msw_moved *moved = &c->moved;
    double *log = malloc((moved->particles + 1) * sizeof *log);
    double *each = malloc((moved->particles + 1) * sizeof *each);
    int rc = log && each ? 0 : msw_fail_memory(c->paper->err);
    for (size_t i = 0; rc == 0 && i < moved->particles; i++)
        log[i] = log_of(c, &in, moved->setting[i]) - log_of(c, &all, moved->setting[i]);
    if (rc == 0)
        msw_weights_of(log, NULL, moved->particles, each);
    memset(weights, 0, c->count * sizeof *weights);
    for (size_t i = 0; rc == 0 && i < moved->particles; i++)
        weights[moved->setting[i]] += each[i];
    free(log);
    free(each);
    return rc;
}

/* The weights that know more: the table's, or, where there are any, those of particles. */
static int weigh(const msw_calibration *c, const char *figure, double **weights, double *effective)
{
    double *moved = c->grown > 0 ? malloc((c->count + 1) * sizeof *moved) : NULL;
    free(*weights);
    *weights = malloc((c->count + 1) * sizeof **weights);
    int rc = *weights && (moved || !(c->grown > 0)) ? weigh_table(c, figure, *weights)
                                                    : msw_fail_memory(c->paper->err);
    if (rc == 0)
        *effective = msw_weights_effective(*weights, c->count);
    if (rc == 0 && moved)
        rc = weigh_moved(c, figure, moved);
    if (rc == 0 && moved && msw_weights_effective(moved, c->count) > *effective) {
        double *table = *weights;
        *weights = moved;
        *effective = msw_weights_effective(moved, c->count);
        moved = table;
    }
    free(moved);
    return rc;
}

/* ---- more settings where the weight lies ---- */

typedef struct placed {
    double weight;
    size_t at;
} placed;

static int by_weight(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void mark_heavy(const msw_calibration *c, placed *list, bool *inside)
{
    double sum = 0;
    for (size_t k = 0; k < c->count; k++)
        list[k] = (placed){c->weights[k], k};
    qsort(list, c->count, sizeof *list, by_weight);
    for (size_t k = 0; k < c->count && (sum < BOX_WEIGHT || k < LEAST_INSIDE); k++) {
        inside[list[k].at] = list[k].weight > 0;
        sum += list[k].weight;
    }
}

static int draw_more(msw_calibration *c)
{
    placed *list = malloc((c->count + 1) * sizeof *list);
    bool *inside = calloc(c->count + 1, sizeof *inside);
    double *box = malloc(2 * c->unknowns * sizeof *box + 1);
    int rc = list && inside && box ? 0 : msw_fail_memory(c->paper->err);
    if (rc == 0) {
        mark_heavy(c, list, inside);
        msw_wave_box(c->positions, inside, c->count, c->unknowns, c->levels, BOX_MARGIN, box,
                     box + c->unknowns);
        rc = msw_calibration_draw(c, box, box + c->unknowns);
    }
    free(list);
    free(inside);
    free(box);
    return rc || c->interrupted ? rc : msw_calibration_judge(c);
}

/* ---- figures left out ---- */

static bool is_held(const msw_calibration *c, const char *figure)
{
    for (size_t i = 0; i < c->held_count; i++)
        if (strcmp(c->held[i].figure, figure) == 0)
            return true;
    return c->ask->hold_out && strcmp(c->ask->hold_out, figure) != 0;
}

static int hold_out(msw_calibration *c)
{
    c->held = calloc(c->quantities + 1, sizeof *c->held);
    if (!c->held)
        return msw_fail_memory(c->paper->err);
    for (size_t q = 0; q < c->quantities; q++) {
        const char *figure = c->paper->claims.list[c->claim[q]].figure;
        if (is_held(c, figure))
            continue;
        msw_held_out *held = &c->held[c->held_count++];
        held->figure = figure;
        if (weigh(c, figure, &held->weights, &held->effective))
            return -1;
    }
    return 0;
}

int msw_calibration_weigh(msw_calibration *c)
{
    MSW_TRY(weigh(c, NULL, &c->weights, &c->effective));
    return hold_out(c);
}

/* ---- moves ---- */

typedef struct likelihood {
    const msw_calibration *c;
    counted in;
} likelihood;

static double log_in(const void *context, size_t setting)
{
    const likelihood *l = context;
    return log_of(l->c, &l->in, setting);
}

/* Moves particles to where the weight is; the settings they went through stay in the table. */
static int move(msw_calibration *c)
{
    double grown = msw_calibration_growth(c);
    likelihood l = {c, count_all_but(c, NULL)};
    msw_move_ask ask = {.log = log_in,
                        .context = &l,
                        .seed = (uint64_t)c->paper->ask->seed,
                        .most = msw_calibration_moves_most(c)};
    c->table_effective = c->effective;
    if (ask.most == 0 || msw_calibration_move(c, &ask, &c->moved))
        return ask.most == 0 ? 0 : -1;
    if (c->interrupted)
        return 0;
    if (c->moved.reached)
        c->grown = grown;
    if (msw_calibration_judge(c))
        return -1;
    return c->screens ? msw_calibration_full_on_left(c) : 0;
}

/* Weights are of the closed form, unless it is silent about most of what is compared and full has
 * looked at enough settings, or at all of them. */
static int choose_stage(const msw_calibration *c)
{
    size_t compared = 0, silent = 0, seen = 0;
    if (!c->screens || c->combinations)
        return MSW_WHOLE;
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        if (msw_calibration_is_aside(c, q))
            continue;
        compared++;
        silent += msw_quantity_waits(&quantity);
    }
    for (size_t k = 0; k < c->count; k++)
        seen += c->drawn[k] && c->screened[k] && c->at[MSW_WHOLE][k];
    return 2 * silent > compared && seen >= LEAST_AT_FULL ? MSW_WHOLE : MSW_CLOSED;
}

static int weigh_at(msw_calibration *c, int stage)
{
    c->stage = stage;
    MSW_TRY(msw_calibration_judge(c));
    return weigh(c, NULL, &c->weights, &c->effective);
}

int msw_calibration_draw_weight(msw_calibration *c)
{
    int rc = weigh_at(c, choose_stage(c));
    if (rc == 0 && c->screens && !c->combinations && c->stage == MSW_WHOLE && !msw_tells_bits(c))
        rc = weigh_at(c, MSW_CLOSED);
    bool more_drawn = c->ask->waves > 1 && !c->combinations;
    bool costly = c->screens && c->stage == MSW_WHOLE;
    int most = more_drawn && !costly ? MORE_WAVES : 0;
    for (int more = 0; rc == 0 && !c->interrupted && more < most && c->effective < MSW_ENOUGH;
         more++)
        rc = draw_more(c) || c->interrupted ? -1 : weigh(c, NULL, &c->weights, &c->effective);
    if (rc == 0 && most && c->screens) /* the closed form may leave some of what is new */
        rc = msw_calibration_full_on_left(c);
    bool moves =
        (more_drawn || (c->ask->moves && !c->combinations)) && c->ask->particles && !c->interrupted;
    if (rc == 0 && moves)
        rc = weigh(c, NULL, &c->weights, &c->effective);
    if (rc == 0 && moves && c->effective < MSW_ENOUGH)
        rc = move(c);
    return c->interrupted ? 0 : rc;
}
