/* SPDX-License-Identifier: MIT */
/* effects: from the cases of a group to rows of a table: how the output depends on the factors. One
 * function per method, and one that chooses between them. */
#ifndef MEMSWEEP_RESULTS_EFFECTS_H
#define MEMSWEEP_RESULTS_EFFECTS_H

#include "memsweep/results/fit.h"

#include "memsweep/analysis/sensitivity.h"

typedef enum msw_effects_method {
    MSW_METHOD_OAT,
    MSW_METHOD_MORRIS,
    MSW_METHOD_SOBOL,
    MSW_METHOD_ANOVA,
    MSW_METHOD_REGRESSION,
    MSW_METHOD_PCE,
    MSW_METHOD_CORRELATION,
    MSW_METHOD_CLASSES,
    MSW_METHOD_SHAPLEY,
    MSW_METHOD_GIVEN /* regression and pce */
} msw_effects_method;

typedef struct msw_effects_options {
    double confidence;
    int64_t resamples, seed, interactions, degree;
    bool one_way; /* sobol: BA rows serve pairs alone, as in SALib */
    msw_sobol_first estimator;
    bool convergence; /* sobol: rows for a quarter, half and all base rows */
    const char *baseline, *groups, *method;
} msw_effects_options;

typedef struct msw_effects {
    msw_cases *cases;
    const msw_cases *control; /* rows of a cheaper fidelity that sharpen the indices; or NULL */
    msw_effects_options ask;
    msw_table_builder *builder;
    msw_text *note;       /* what a reader of the numbers must know */
    msw_used last, total; /* of this group, of all */
    size_t absent, cut;   /* base rows or trajectories not looked at: as a whole, in part */
    bool summarised;      /* from the summary of all points */
    const char *unit;     /* of what is used and dropped: "base rows" */
} msw_effects;

/* "auto", "oat", ...: how a user names a method; ended by NULL. */
extern const char *const msw_effects_methods[];

/* Looks at every group with the method asked for, or the one that fits its design and rows. Returns
 * 0, or -1. */
int msw_effects_find(msw_effects *job);

/* Looks at the summary of all points instead of rows, where the sweep has one of a complete grid
 * that answers what is asked. Returns 1; 0 when rows have to be read; or -1. */
int msw_effects_from_summary(msw_effects *job);

/* Puts what was looked at before the note: cases, used, dropped. */
void msw_effects_note(const msw_effects *job, msw_text *note);

/* Warns where what was dropped or is missing may bias the result. */
void msw_effects_warn(const msw_effects *job, const msw_log *log);

/* Starts a row for a factor (or several, joined) of a group. */
void msw_effects_row(msw_effects *job, const msw_slice *slice, const char *name);

/* The same for a name that was put together, of which memory may have lost a part. */
void msw_effects_made_row(msw_effects *job, const msw_slice *slice, const msw_text *name);

/* Ends the row: used and dropped. */
void msw_effects_used(msw_effects *job, const msw_used *used);

/* "a", "a * b", ... of the factors whose bits are set. */
void msw_effects_factor_names(const msw_slice *slice, uint32_t set, msw_text *out);

/* Shares of the variance for any set of factors. */
typedef struct msw_shares {
    const void *context;
    const msw_used *used;
    double (*closed)(const void *context, uint32_t set);
    void (*finish)(msw_effects *job, const struct msw_shares *shares); /* the row's last cells */
} msw_shares;

/* One row for each of the groups asked for. Returns 0, or -1. */
int msw_effects_groups(msw_effects *job, const msw_slice *slice, const msw_shares *shares);

/* All return 0, or -1. */
int msw_effects_sobol(msw_effects *job, const msw_slice *slice);
int msw_effects_control(msw_effects *job, const msw_slice *slice);
int msw_effects_morris(msw_effects *job, const msw_slice *slice);
int msw_effects_anova(msw_effects *job, const msw_slice *slice);
int msw_effects_oat(msw_effects *job, const msw_slice *slice);
int msw_effects_correlation(msw_effects *job, const msw_slice *slice);
int msw_effects_classes(msw_effects *job, const msw_slice *slice);
int msw_effects_shapley(msw_effects *job, const msw_slice *slice);
int msw_effects_given(msw_effects *job, const msw_slice *slice, bool regression, bool pce);

/* Whether the cases of a group fill a grid of the levels of all factors, each cell once. */
bool msw_effects_anova_fits(const msw_cases *cases, const msw_slice *slice);

/* Whether no case differs from the baseline in more than one factor. */
bool msw_effects_oat_fits(const msw_cases *cases, const msw_slice *slice);

#endif
