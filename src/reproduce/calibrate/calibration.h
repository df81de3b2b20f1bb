/* SPDX-License-Identifier: MIT */
/* Private to reproduce: a calibration on its way, and what its weights and truths say. */
#ifndef MSW_REPRODUCE_CALIBRATION_H
#define MSW_REPRODUCE_CALIBRATION_H

#include "memsweep/explore/calibrate.h"
#include "memsweep/reproduce/calibrate.h"

#define MSW_SET_MOST   5U
#define MSW_SETS_SHOWN 20
#define MSW_ENOUGH     200 /* effective sample that weights should have */
#define MSW_ROUND      25  /* settings are aimed before what they taught is used */

enum { MSW_CLOSED, MSW_WHOLE, MSW_STAGES }; /* analytic; full, or what sweep files name */

/* A figure left out of what the weights are made of. */
typedef struct msw_held_out {
    const char *figure;
    double effective;
    double *weights; /* one per setting */
} msw_held_out;

/* A set that nothing met. */
typedef struct msw_unmet {
    uint64_t set;      /* bits: quantities */
    size_t best;       /* setting in which the largest of their distances is smallest */
    double distance;   /* that one, at full */
    uint64_t directed; /* of these, aimed at it */
    uint64_t asked;    /* settings at full */
} msw_unmet;

struct msw_calibration {
    msw_paper *paper;
    const msw_calibrate_options *ask;

    /* What settings are compared with. */
    size_t quantities;
    msw_quantity *quantity;     /* as compared at full */
    size_t *claim;              /* of each quantity */
    msw_correction *correction; /* by claim: of the closed form; its error is NaN: no value */
    size_t errors;              /* settings these were measured in */
    bool *asks;                 /* by claim */
    double *measured;           /* by claim, NaN: none; with its deviation */
    double *measured_error;
    bool screens; /* settings are drawn at the closed form first */

    /* The table. */
    size_t count, unknowns;
    size_t first; /* of the first wave */
    size_t wave_count;
    msw_wave *waves;
    uint64_t *levels;           /* of the unknowns; 0: a range */
    double *positions;          /* count x unknowns */
    double *values[MSW_STAGES]; /* count x claims; NaN: none */
    bool *at[MSW_STAGES];       /* whether it was computed there */
    bool *drawn;                /* of a wave, and not aimed at something */
    size_t combinations;        /* all there are, where the first wave is all of them; else 0 */
    double *density;            /* by setting: that of the waves */
    double *sampled;            /* by setting: that of those that have weights */
    /* What came out. */
    bool *left;          /* settings not ruled out at the last fidelity they were computed at */
    bool *screened;      /* nor at the closed form */
    size_t wrongly;      /* settings that full leaves and the closed form does not */
    double *distances;   /* count x quantities, there; NaN: waits for full */
    msw_worst *worst;    /* by setting */
    double share;        /* of the prior that is left */
    double closed_share; /* that the closed form left */
    size_t left_count, full_count;
    size_t nearest;       /* setting */
    double growth;        /* of the discrepancies until something is left */
    double growth_of_all; /* of those that are set aside, too */
    uint64_t aside;       /* bits: quantities that no setting meets, even alone */
    size_t unmet_count;
    uint64_t unmet_found; /* also those not shown */
    msw_unmet *unmet;
    uint64_t directed;
    size_t open; /* settings that the closed form leaves and full has not looked at */

    double *weights; /* of the settings, given all quantities */
    double effective;
    int stage; /* fidelity of the weights */
    size_t held_count;
    msw_held_out *held;

    size_t truths;
    double *truth_probability; /* by unknown, Holm's correction */
    double truth_effective;    /* median */
    bool interrupted;
};

/* quantities.c: what settings are compared with. Returns 0, or -1. */
int msw_calibration_quantities(msw_calibration *c);

/* quantities.c: reads the table of measurements. Returns 0, or -1. */
int msw_calibration_measured(msw_calibration *c);

/* table.c: draws the first wave, from the prior. Returns 0, or -1. */
int msw_calibration_first(msw_calibration *c);

/* Draws a wave and keeps it. Returns 0, or -1. */
int msw_calibration_draw(msw_calibration *c, msw_wave wave);

/* Adds settings by their positions, those left out that break a rule, and computes them at a stage;
 * `drawn`: of a wave. Returns 0, or -1. */
int msw_calibration_add(msw_calibration *c, int stage, const double *positions, size_t count,
                        bool drawn);

/* Computes the `count` settings of a list at full, where that is not done. Returns 0, or -1. */
int msw_calibration_full(msw_calibration *c, const size_t *list, size_t count);

/* The stage at which settings are drawn. */
int msw_calibration_screen(const msw_calibration *c);

/* The quantities as a setting is compared with them at a fidelity. */
msw_quantity msw_calibration_quantity(const msw_calibration *c, size_t quantity, int stage);

/* The value of a claim in a setting at a fidelity; the closed form's as full would answer. */
double msw_calibration_at(const msw_calibration *c, int stage, size_t setting, size_t claim);

/* Whether a setting can have a weight: computed at the weights' fidelity, and, at full, not ruled
 * out by the closed form before. */
bool msw_calibration_has_weight(const msw_calibration *c, size_t setting);

/* Sets aside the quantities that no setting at full meets even alone, and judges again: what is
 * left, near and likely is told of the others. Returns 0, or -1. */
int msw_calibration_set_aside(msw_calibration *c);
bool msw_calibration_is_aside(const msw_calibration *c, size_t quantity);

/* judge.c: distances of the settings, who is left. Returns 0, or -1. */
int msw_calibration_judge(msw_calibration *c);

/* Whether all combinations were run and have an answer: what none of them meets nothing can. */
bool msw_calibration_proves(const msw_calibration *c);

/* waves.c: errors of the closed form, all waves, full on what is left. Returns 0, or -1. */
int msw_calibration_waves(msw_calibration *c);

/* sets.c: sets that nothing meets. Returns 0, or -1. */
int msw_calibration_sets(msw_calibration *c);

/* The largest distance of a set's quantities in a setting, of those that are known. */
double msw_calibration_distance_of(const msw_calibration *c, uint64_t set, size_t setting);

/* sets.c: adds up to `count` settings at full near those that come nearest to a set. Returns 0, or
 * -1. */
int msw_calibration_aim(msw_calibration *c, uint64_t set, uint64_t round, size_t count);

/* posterior.c: lays a wave around what is likely so far. Returns 0, or -1; the caller frees it in
 * any case. */
int msw_calibration_around(const msw_calibration *c, msw_wave *wave);

/* Weights at a stage. Returns 0, or -1. */
int msw_calibration_weigh_at(msw_calibration *c, int stage);

/* What discrepancies are multiplied with where settings are weighed; 1: they stay. */
double msw_calibration_growth(const msw_calibration *c);

/* Weights and held-out figures. Returns 0, or -1. */
int msw_calibration_weigh(msw_calibration *c);

/* proof.c: truths kept out of the table. Returns 0, or -1. */
int msw_calibration_prove(msw_calibration *c);

/* make.c: appends the command that makes this calibration. */
void msw_calibration_command(const msw_calibration *c, msw_text *out);

/* figure.c: keeps what `reproduce` shows of it in the paper's database. Returns 0, or -1. */
int msw_calibration_keep(const msw_calibration *c);

/* figure.c: keeps the table of settings in the paper's database and draws it; images of the page go
 * to the paper's. Returns 0, or -1. */
int msw_calibration_figures(msw_calibration *c, const char *stem);

/* The value of a claim in a setting at the last fidelity it was computed at. */
double msw_calibration_value(const msw_calibration *c, size_t setting, size_t claim);

/* What weights say of a column of numbers. */

typedef struct msw_predicted {
    double low, median, high; /* 5 %, 50 %, 95 % of the weight; NaN: none */
} msw_predicted;

/* Of a claim's values under weights; NULL: the prior. NaN without memory. */
msw_predicted msw_predict_claim(const msw_calibration *c, size_t claim, const double *weights);

/* Of an unknown's values. */
msw_predicted msw_predict_unknown(const msw_calibration *c, size_t unknown, const double *weights);

/* Value of an unknown in a setting. */
double msw_setting_value(const msw_calibration *c, size_t setting, size_t unknown);

/* Bits that the quantities tell of an unknown, and of a pair beyond its two. */
double msw_learned(const msw_calibration *c, size_t unknown);
double msw_learned_together(const msw_calibration *c, size_t a, size_t b);

/* Bits that an unknown would tell of the quantity it decides most; which claim that is. */
double msw_would_tell(const msw_calibration *c, size_t unknown, size_t *claim);

/* Bits say something of weights with an effective sample of so many or more. */
#define MSW_FEW_FOR_BITS 20.0
bool msw_tells_bits(const msw_calibration *c);

/* The unknown that would tell most, or c->unknowns where none tells enough. */
size_t msw_number_to_ask(const msw_calibration *c);

/* Verdict of an interval against a claim's band. */
msw_judgement msw_predicted_verdict(const msw_claim *claim, const msw_predicted *predicted);

/* A claim predicted without its figure, and by the prior. */
enum { MSW_FEW_HELD = 50 };
typedef struct msw_held_claim {
    msw_predicted held, prior;
    double effective; /* sample of the weights; NaN: it was not held out */
    bool there;       /* there are weights */
    bool few;         /* under MSW_FEW_HELD */
    bool narrow;      /* under half of the prior's spread */
} msw_held_claim;
msw_held_claim msw_predict_held(const msw_calibration *c, size_t claim);

/* What truths are compared by. */

enum { MSW_MOST_COMPARED = 64 };

/* One member of each group of evidence is compared, all of them as numbers. */
typedef struct msw_compared {
    size_t count;
    size_t claim[MSW_MOST_COMPARED];
    double deviation[MSW_MOST_COMPARED];
} msw_compared;

msw_compared msw_calibration_compared(const msw_calibration *c);

/* Whether a setting begins an outer one: what changes an artifact is not that of the one before. */
bool msw_calibration_begins(const msw_calibration *c, size_t setting);

/* What would have been published of a truth; `key` tells streams of noise apart. */
void msw_compared_publish(const msw_calibration *c, const msw_compared *in, size_t truth,
                          uint64_t key, double *published);

/* Logarithm of the likelihood of a setting, given that. */
double msw_compared_log(const msw_calibration *c, const msw_compared *in, size_t setting,
                        const double *published);

#endif
