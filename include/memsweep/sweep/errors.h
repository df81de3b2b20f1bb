/* SPDX-License-Identifier: MIT */
/* errors: how far closed forms are from full, learned beforehand, as a table.
 *
 * A table is text that belongs to one mechanism and one version of its models: a tree of questions
 * about a row of the closed form, and for each leaf (a stratum) and metric the factors between
 * which full lies. A row keeps its stratum and the table's number in 31 bits (column
 * `error_stratum`); the view of a sweep makes intervals of them. */
#ifndef MEMSWEEP_SWEEP_ERRORS_H
#define MEMSWEEP_SWEEP_ERRORS_H

#include "memsweep/base/text.h"
#include "memsweep/sweep/sweep.h"

/* Files keep tables as records of msw_analysis: of the first kind as they came with a mechanism, of
 * the second as `agree` found them on rows of the file. */
#define MSW_ERRORS_KIND "errors"
#define MSW_ERRORS_OWN  "own errors"

/* Of the intervals that tables give. */
#define MSW_ERRORS_CONFIDENCE 0.9

/* Strata that no leaf is. */
enum {
    MSW_STRATUM_OWN,     /* a workload of a kind that the table was not learned from */
    MSW_STRATUM_LARGER,  /* a longer run than any it was learned from */
    MSW_STRATUM_EARLIER, /* the table is of another model, so that it has no number here */
    MSW_STRATUM_FIRST
};
enum { MSW_STRATA_MAX = 64, MSW_ERRORS_NODES = 127 };

/* What is asked of a row. */
typedef enum msw_feature_kind {
    MSW_FEATURE_PARAM, /* of the mechanism */
    MSW_FEATURE_METRIC,
    MSW_FEATURE_SHARE /* of a metric in the run's cycles */
} msw_feature_kind;
typedef struct msw_feature {
    msw_feature_kind kind;
    int index;
} msw_feature;

typedef struct msw_errors_node {
    msw_feature feature;
    double threshold;
    uint32_t left, right; /* nodes; left 0: a leaf */
    uint32_t stratum;
} msw_errors_node;

/* Full lies between `low` and `high` times the closed form's answer. */
typedef struct msw_error_range {
    uint32_t stratum;
    int metric;
    uint64_t rows;
    double low, high;
} msw_error_range;

typedef struct msw_errors {
    const msw_mech *mech;
    char *text;
    uint32_t number; /* of the text, below 2^23 */
    bool current;    /* learned with the models of this program */
    double confidence;
    double largest;  /* cycles of the longest run learned from */
    char *frontends; /* that its workloads came from: names with commas */
    int total;       /* the metric that shares are of: that of the run's cycles */
    size_t node_count;
    msw_errors_node nodes[MSW_ERRORS_NODES];
    uint64_t known; /* bit s: stratum s has a range of the run's cycles */
    size_t range_count;
    msw_error_range *ranges;
} msw_errors;

/* Reads a table, which may come from anywhere. Returns 0, or -1. */
int msw_errors_parse(const char *text, size_t size, msw_errors **errors, msw_err *err);
void msw_errors_free(msw_errors *errors);

/* Appends the first lines of a table: whose it is, and of which versions. */
void msw_errors_head(const msw_mech *mech, msw_text *out);

/* Whether a workload is of a kind that the table was learned from: no file of a user. */
bool msw_errors_know(const msw_errors *errors, const msw_workload *workload);

/* What a row's column holds: parameters of the mechanism come first in `params`. */
uint32_t msw_errors_stratum(const msw_errors *errors, bool known, const double *params,
                            const double *metrics);

/* The same of a known stratum. */
uint32_t msw_errors_code(const msw_errors *errors, uint32_t stratum);

/* The range of a metric in a stratum, as rows hold it. Returns it, or NULL: unknown. */
const msw_error_range *msw_errors_range(const msw_errors *errors, uint32_t stratum, int metric);

/* The metric that is the run's cycles: the primary one, or what it is a ratio of; or -1. */
int msw_errors_total(const msw_mech *mech);

/* Whether a metric has a range of its own: it is open at the closed form and has a goal. */
bool msw_errors_has(const msw_mech *mech, int metric);

/* The name of a feature: "param x", "metric x", "share x". */
void msw_feature_name(const msw_mech *mech, msw_feature feature, msw_text *out);
double msw_feature_value(msw_feature feature, int total, const double *params,
                         const double *metrics);

/* Found on a user's own points: of one workload, at one version of the closed form. */
typedef struct msw_own_error {
    char workload[96];
    int version, metric;
    uint64_t rows;
    double low, high;
} msw_own_error;

/* Reads lines "own WORKLOAD VERSION METRIC LOW HIGH ROWS" and appends them; others are left out.
 * Returns 0, or -1. */
int msw_own_errors_parse(const char *text, const msw_mech *mech, msw_own_error **list,
                         size_t *count, msw_err *err);

/* Why the errors of a row are unknown, as the column `errors_from` says it behind "unknown: ". */
#define MSW_ERRORS_COLUMN     "errors_from"
#define MSW_STRATUM_COLUMN    "error_stratum"
#define MSW_ERRORS_UNKNOWN    "unknown: "
#define MSW_ERRORS_OWN_POINTS "own points"
#define MSW_UNKNOWN_OWN       "own workload"
#define MSW_UNKNOWN_LARGER    "a longer run than any learned from"
#define MSW_UNKNOWN_FEW       "too few points like it"
#define MSW_UNKNOWN_NONE      "no table of errors"
#define MSW_UNKNOWN_EARLIER   "table of an earlier model"

/* Of rows as a batch has them (1 + what is stored, 0: nothing), with the table of its plan or NULL:
 * whether the errors of the run's cycles are known, and else why not, in words. */
bool msw_errors_are_known(const msw_errors *errors, uint32_t stratum);
const char *msw_errors_why(const msw_errors *errors, uint32_t stratum);

#endif
