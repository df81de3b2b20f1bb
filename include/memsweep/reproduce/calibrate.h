/* SPDX-License-Identifier: MIT */
/* calibrate: the parameters a paper does not state, as a region, weights, or sets of numbers that
 * nothing meets.
 *
 * A table of settings x quantities is drawn, run and asked with the means of reproduce (paper.h);
 * what is concluded from it are pure functions (memsweep/explore/calibrate.h). Definitions:
 * docs/models/calibrate.md. */
#ifndef MEMSWEEP_REPRODUCE_CALIBRATE_H
#define MEMSWEEP_REPRODUCE_CALIBRATE_H

#include "memsweep/reproduce/paper.h"

/* What a user asks for in addition to the paper's options. */
typedef struct msw_calibrate_options {
    const char *hold_out; /* only this figure is held out; NULL: each in turn */
    const char *against;  /* table of measurements, or NULL */
    int64_t waves, samples;
    int64_t inner;    /* settings for each one of what changes an artifact */
    int64_t errors;   /* settings at both fidelities */
    int64_t full;     /* settings left that are computed at full, most */
    int64_t directed; /* settings at full against each set that nothing meets, most */
    int64_t aimed;    /* against all of them, most */
    int64_t truths;   /* settings kept out of the table to test it; 0: none */
    bool trends;      /* yes/no rows rule settings out, too */
} msw_calibrate_options;

typedef struct msw_calibration msw_calibration;

/* Finds the paper and does all that is asked for. Returns 0 and the result, also when it was
 * interrupted, or -1. The caller frees it, and the paper after it. */
int msw_calibrate(msw_paper *paper, const char *name, const msw_calibrate_options *ask,
                  msw_calibration **calibration);
void msw_calibration_free(msw_calibration *calibration);

/* Tables of what came out, in this order. */
typedef enum msw_calibrate_table {
    MSW_CALIBRATED_SUMMARY,    /* one row: counts, shares, the nearest setting's distances */
    MSW_CALIBRATED_UNKNOWNS,   /* per unknown: where the region is, weights, bits */
    MSW_CALIBRATED_QUANTITIES, /* per quantity: s, at the nearest setting, predictions, held out */
    MSW_CALIBRATED_PAIRS,      /* pairs of unknowns that say more together */
    MSW_CALIBRATED_SETS,       /* sets that nothing meets */
    MSW_CALIBRATED_ASK,        /* answers to the question that says most */
    MSW_CALIBRATED_TRUTHS,     /* the test with known truths */
    MSW_CALIBRATED_COUNT
} msw_calibrate_table;

/* The heading of a table. */
const char *msw_calibrated_title(msw_calibrate_table which);

/* Appends the rows of a table. */
void msw_calibrated_rows(const msw_calibration *calibration, msw_calibrate_table which,
                         msw_table_builder *builder);

/* Appends what came out in a few sentences, one a line. */
void msw_calibrated_words(const msw_calibration *calibration, msw_text *out);

/* Writes the page <docs>/<paper>-region.md with its figure and the table of settings beside it.
 * Returns 0, or -1. */
int msw_calibrated_page(msw_calibration *calibration);

#endif
