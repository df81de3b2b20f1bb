/* SPDX-License-Identifier: MIT */
/* What the units of forward mechanisms give: all of them at `full`, and those of a sample in
 * addition them. Says what a jump changes in the units behind it, and how few units would do if
 * they were predicted. */
#ifndef MEMSWEEP_TESTS_UNIT_VALUES_H
#define MEMSWEEP_TESTS_UNIT_VALUES_H

#include "direct.h"

/* Makes `mech` write down what its units give: of a run at full the values, of one at sampled how
 * far they are from these. Everything from earlier samples is dropped. */
void unit_values_open(msw_mech *mech);
void unit_values_close(void);

/* Of one metric, over the units of the strata that a sample need not measure whole. */
typedef struct unit_spread {
    uint64_t units, strata;           /* strata: all */
    double spread, skewness, largest; /* over the mean; the largest, too */
} unit_spread;

unit_spread unit_spread_of(int metric);

/* What the last sample's units gave more than the same at full, as it changes the estimate of the
 * total, relative to the total. */
double unit_change_of(int metric);

/* How a total may be predicted: `a` times metric x and `b` times metric y of each unit. */
typedef struct unit_forecast {
    int x, y; /* y: -1 for none */
    double a, b;
} unit_forecast;

/* The forecast of `metric` from x and y that is nearest to the units at full. */
unit_forecast unit_forecast_best(int metric, int x, int y);

/* How well a config's units are predicted. */
typedef struct unit_errors {
    double units, whole; /* all; those of strata measured whole */
    double lead;         /* units in detail before one to be measured */
    double total, sum;   /* of the metric; of the predictions of units not measured whole */
    double largest;      /* |y - z| / z that 99.9 % of units do not exceed */
    double typical;      /* root mean square of |y - z| / z */
    double spread;       /* of y - z */
    double apart;        /* share of differences that are not about equal, of `largest` */
} unit_errors;

unit_errors unit_errors_of(int metric, const unit_forecast *forecast);

/* Units over all that must be gone through in detail so that the half-width is `target` times the
 * total, if errors are known to be at most `largest` and found to be as they are. */
double unit_errors_least(const unit_errors *e, double largest, double target, double confidence);

/* The same if the number is chosen before the pass from a typical error that is stated. */
double unit_errors_ahead(const unit_errors *e, double typical, double target);

#endif
