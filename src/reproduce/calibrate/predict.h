/* SPDX-License-Identifier: MIT */
/* Private to calibrate: what weights say of a column of numbers. */
#ifndef MSW_REPRODUCE_CALIBRATE_PREDICT_H
#define MSW_REPRODUCE_CALIBRATE_PREDICT_H

#include "reproduce/calibrate/calibration.h"

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

#endif
