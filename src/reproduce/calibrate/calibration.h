/* SPDX-License-Identifier: MIT */
/* Private to reproduce: a calibration on its way. */
#ifndef MSW_REPRODUCE_CALIBRATION_H
#define MSW_REPRODUCE_CALIBRATION_H

#include "memsweep/explore/calibrate.h"
#include "memsweep/reproduce/calibrate.h"

#define MSW_SET_MOST   5U
#define MSW_SETS_SHOWN 20

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
    double distance;   /* that one, at full where it was computed */
    uint64_t directed; /* settings at full that were aimed at it */
} msw_unmet;

struct msw_conclusions; /* conclusions.h */

struct msw_calibration {
    msw_paper *paper;
    const msw_calibrate_options *ask;

    /* What settings are compared with. */
    size_t quantities;
    msw_quantity *quantity; /* as compared at full */
    size_t *claim;          /* of each quantity */
    double *error;          /* of each at the closed form: root mean square; NaN: no value */
    size_t errors;          /* settings these were measured in */
    bool *asks;             /* by claim */
    double *measured;       /* by claim, NaN: none; with its deviation */
    double *measured_error;
    bool screens; /* settings are drawn at the closed form first */

    /* The table. */
    size_t count, unknowns;
    size_t idle; /* unknowns that act nowhere, left out */
    size_t wave_count;
    msw_wave *waves;
    uint64_t *levels;           /* of the unknowns; 0: a range */
    double *positions;          /* count x unknowns */
    double *values[MSW_STAGES]; /* count x claims; NaN: none */
    bool *at[MSW_STAGES];       /* whether it was computed there */
    bool *drawn;                /* of a wave, and not aimed at something */
    double *density;            /* by setting: that of the waves */
    /* What came out. */
    bool *left;          /* settings not ruled out at the last fidelity they were computed at */
    bool *screened;      /* nor at the closed form */
    size_t wrongly;      /* settings that full leaves and the closed form does not */
    double *distances;   /* count x quantities, there; NaN: waits for full */
    msw_worst *worst;    /* by setting */
    double share;        /* of the prior that is left */
    double closed_share; /* that the closed form left */
    size_t left_count, full_count;
    size_t nearest; /* setting */
    double growth;  /* of the discrepancies until something is left */
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
    double *truth_probability;           /* by unknown, Holm's correction */
    double truth_effective;              /* median */
    struct msw_conclusions *conclusions; /* NULL: none were asked for */
    bool interrupted;
};

/* quantities.c: what settings are compared with. Returns 0, or -1. */
int msw_calibration_quantities(msw_calibration *c);

/* measured.c: reads the table of measurements. Returns 0, or -1. */
int msw_calibration_measured(msw_calibration *c);

/* idle.c: forgets unknowns that act at no point of any sweep. Returns 0, or -1. */
int msw_calibration_drop_idle(msw_calibration *c);

/* needed.c: marks the rows that values are taken from. Returns 0, or -1. */
int msw_calibration_needs(msw_calibration *c);

/* table.c: adds a wave of settings in a box (NULL: the prior) at the first fidelity. Returns 0, or
 * -1. */
int msw_calibration_draw(msw_calibration *c, const double *low, const double *high);

/* Adds settings by their positions, those left out that break a rule; how many were is told by
 * c->count. Returns 0, or -1. */
int msw_calibration_add(msw_calibration *c, const double *positions, size_t count);

/* Makes a spread of the `count` settings of a list at a stage; the caller frees it. Returns 0, or
 * -1. */
int msw_calibration_spread(const msw_calibration *c, int stage, const size_t *list, size_t count,
                           msw_spread *spread);

/* Computes the `count` settings of a list at full, where that is not done. Returns 0, or -1. */
int msw_calibration_full(msw_calibration *c, const size_t *list, size_t count);

/* The quantities as a setting is compared with them at a fidelity. */
msw_quantity msw_calibration_quantity(const msw_calibration *c, size_t quantity, int stage);

/* judge.c: distances of the settings, who is left. Returns 0, or -1. */
int msw_calibration_judge(msw_calibration *c);

/* waves.c: errors of the closed form, all waves, full on what is left. Returns 0, or -1. */
int msw_calibration_waves(msw_calibration *c);

/* sets.c: sets that nothing meets. Returns 0, or -1. */
int msw_calibration_sets(msw_calibration *c);

/* Full on what the closed form leaves, and on the nearest. Returns 0, or -1. */
int msw_calibration_full_on_left(msw_calibration *c);

/* posterior.c: draws more settings where the weight lies, while there are too few. Returns 0, or
 * -1.
 */
int msw_calibration_draw_weight(msw_calibration *c);

/* Weights and held-out figures. Returns 0, or -1. */
int msw_calibration_weigh(msw_calibration *c);

/* proof.c: truths kept out of the table. Returns 0, or -1. */
int msw_calibration_prove(msw_calibration *c);

/* conclusions.c: fronts and factors of the paper's sweeps over settings. Returns 0, or -1. */
int msw_calibration_conclude(msw_calibration *c);
void msw_calibration_free_conclusions(struct msw_conclusions *conclusions);

/* changes.c: their tables and sentences. */
void msw_calibrated_fronts(const msw_calibration *c, msw_table_builder *builder);
void msw_calibrated_factors(const msw_calibration *c, msw_table_builder *builder);
void msw_calibrated_conclusions(const msw_calibration *c, msw_text *out);

/* command.c: appends the command that makes this calibration. */
void msw_calibration_command(const msw_calibration *c, msw_text *out);

/* kept.c: keeps what `reproduce` shows of it in the paper's database. Returns 0, or -1. */
int msw_calibration_keep(const msw_calibration *c);

/* figure.c: keeps the table of settings in the paper's database and draws it; images of the page go
 * to the paper's. Returns 0, or -1. */
int msw_calibration_figures(msw_calibration *c, const char *stem);

/* The value of a claim in a setting at the last fidelity it was computed at. */
double msw_calibration_value(const msw_calibration *c, size_t setting, size_t claim);

#endif
