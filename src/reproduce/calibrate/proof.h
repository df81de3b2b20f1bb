/* SPDX-License-Identifier: MIT */
/* Private to calibrate: what truths are compared by. */
#ifndef MSW_REPRODUCE_CALIBRATE_PROOF_H
#define MSW_REPRODUCE_CALIBRATE_PROOF_H

#include "reproduce/calibrate/calibration.h"

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
