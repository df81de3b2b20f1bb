/* SPDX-License-Identifier: MIT */
/* Private to reproduce: a calibration on its way. */
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
    uint64_t directed; /* settings at full that were aimed at it */
    uint64_t asked;    /* settings at full that were asked for all of it */
    uint64_t may_meet; /* the others, where nothing that is known forbids it */
} msw_unmet;

/* Particles that were moved (moves.c). */
typedef struct msw_moved {
    size_t particles, *setting; /* which setting each stands on at last */
    size_t families;            /* settings of the start that have descendants */
    double start, phi;          /* power of the likelihood at first, and at last */
    size_t tempers;             /* how often it was raised */
    uint64_t steps, proposed, accepted;
    uint64_t computed; /* settings */
    bool reached;      /* the power is 1, and there were steps at it or before */
} msw_moved;
struct msw_conclusions; /* conclusions.h */

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
    size_t wave_count;
    msw_wave *waves;
    uint64_t *levels;           /* of the unknowns; 0: a range */
    double *positions;          /* count x unknowns */
    double *values[MSW_STAGES]; /* count x claims; NaN: none */
    bool *at[MSW_STAGES];       /* whether it was computed there */
    bool *drawn;                /* of a wave, and not aimed at something */
    uint64_t *asked;            /* by setting: bits of the quantities asked at full alone */
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
    size_t part_count;    /* settings computed at full for some quantities alone */
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
    msw_moved moved;
    double grown; /* growth the particles were moved with; 0: the weights are the table's */
    double table_effective; /* effective sample of the table's own weights */
    size_t held_count;
    msw_held_out *held;

    size_t truths;
    double *truth_probability; /* by unknown, Holm's correction */
    double truth_effective;    /* median */
    size_t move_truths, unreached;
    double *move_probability;            /* by unknown, Holm's correction */
    double move_effective;               /* median */
    struct msw_conclusions *conclusions; /* NULL: none were asked for */
    bool interrupted;
};

/* quantities.c: what settings are compared with. Returns 0, or -1. */
int msw_calibration_quantities(msw_calibration *c);

/* measured.c: reads the table of measurements. Returns 0, or -1. */
int msw_calibration_measured(msw_calibration *c);

/* needed.c: marks the rows that values are taken from. Returns 0, or -1. */
int msw_calibration_needs(msw_calibration *c);

/* table.c: adds a wave of settings in a box (NULL: the prior) at the first fidelity. Returns 0, or
 * -1. */
int msw_calibration_draw(msw_calibration *c, const double *low, const double *high);

/* Adds settings by their positions, those left out that break a rule, and computes at full the
 * rows behind a set of quantities (bits); how many were added is told by c->count. Returns 0, or
 * -1. */
int msw_calibration_add_for(msw_calibration *c, const double *positions, size_t count,
                            uint64_t set);

/* The closed form of a set of quantities at positions that are not settings: `values` are count x
 * claims; `broken`: positions that break a rule. Returns 0, or -1. */
int msw_calibration_guess(msw_calibration *c, const double *positions, size_t count, uint64_t set,
                          double *values, bool *broken);

/* The same at a fidelity; tells which are left out. */
int msw_calibration_add_at(msw_calibration *c, int stage, const double *positions, size_t count,
                           bool *broken);

/* Makes a spread of the `count` settings of a list at a stage; the caller frees it. Returns 0, or
 * -1. */
int msw_calibration_spread(const msw_calibration *c, int stage, const size_t *list, size_t count,
                           msw_spread *spread);

/* Computes the `count` settings of a list at full, where that is not done. Returns 0, or -1. */
int msw_calibration_full(msw_calibration *c, const size_t *list, size_t count);

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

/* Bits of the quantities that a setting was asked for at full. */
uint64_t msw_calibration_known(const msw_calibration *c, size_t setting);

/* Whether that is some of them only. */
bool msw_calibration_in_part(const msw_calibration *c, size_t setting);

/* Whether all combinations were run and have an answer: what none of them meets nothing can. */
bool msw_calibration_proves(const msw_calibration *c);

/* waves.c: settings by their largest distance. Returns the list, to be freed, or NULL. */
typedef struct msw_placed {
    double distance;
    size_t at;
} msw_placed;
msw_placed *msw_calibration_by_worst(const msw_calibration *c);

/* waves.c: errors of the closed form, all waves, full on what is left. Returns 0, or -1. */
int msw_calibration_waves(msw_calibration *c);

/* sets.c: sets that nothing meets. Returns 0, or -1. */
int msw_calibration_sets(msw_calibration *c);

/* The largest distance of a set's quantities in a setting, of those that are known. */
double msw_calibration_distance_of(const msw_calibration *c, uint64_t set, size_t setting);

/* aim.c: adds up to `count` settings aimed at a set, at full for its quantities. Returns 0, or -1.
 */
int msw_calibration_aim(msw_calibration *c, uint64_t set, uint64_t round, size_t count);

/* Full on what the closed form leaves, and on the nearest. Returns 0, or -1. */
int msw_calibration_full_on_left(msw_calibration *c);

/* posterior.c: draws more settings where the weight lies, while there are too few, and moves
 * particles there. Returns 0, or -1. */
int msw_calibration_draw_weight(msw_calibration *c);

/* What discrepancies are multiplied with where settings are weighed; 1: they stay. */
double msw_calibration_growth(const msw_calibration *c);

/* Weights and held-out figures. Returns 0, or -1. */
int msw_calibration_weigh(msw_calibration *c);

/* proof.c: truths kept out of the table. Returns 0, or -1. */
int msw_calibration_prove(msw_calibration *c);

/* proof_moves.c: truths that particles are moved to. Returns 0, or -1. */
int msw_calibration_prove_moves(msw_calibration *c);
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
