/* SPDX-License-Identifier: MIT */
/* metric: tables that declare everything a mechanism measures. */
#ifndef MEMSWEEP_PARAM_METRIC_H
#define MEMSWEEP_PARAM_METRIC_H

#include "memsweep/base/err.h"
#include "memsweep/base/table.h"

#include <stdbool.h>
#include <stddef.h>

/* How the rows that are `least` are called. */
#define MSW_LEAST_PREFIX "least_"

typedef enum msw_metric_kind {
    MSW_TOTAL,    /* a sum over all units */
    MSW_RATIO,    /* total `num` over total `den` */
    MSW_PAIRED,   /* total `num` here over total `den` of the reference `reference` */
    MSW_QUANTILE, /* of histogram `num` (one per name), at `level` */
    MSW_MAXIMUM,  /* the largest over all units; no half-width at `sampled` */
    MSW_DERIVED   /* computed from the others by the mechanism's `derive` or `bounds`; with `num`
                     the largest `least` over it */
} msw_metric_kind;

/* How far a mechanism's prediction of a unit lies from what is measured, relative to the magnitude
 * of the prediction or to the scale that it names, of units that are not uncertain. The conformance
 * tests check it. */
typedef struct msw_metric_error {
    double largest; /* never more than this; 0: the metric is not predicted */
    double typical; /* root mean square */
    double jump;    /* forward units: largest relative change of the total by units passed over */
} msw_metric_error;

typedef struct msw_metric {
    const char *name; /* lower_case, no SQL keyword; a table ends with name NULL */
    const char *unit;
    msw_goal goal;
    msw_metric_kind kind;
    const char *num, *den, *reference; /* as the kind needs, else NULL */
    double level;                      /* MSW_QUANTILE: 0.5, 0.99 */
    bool stack;                        /* MSW_TOTAL: a cause of the cycle stack */
    bool energy;                       /* a part of energy_nj: they add up to it */
    bool least;                        /* MSW_DERIVED, called least_<resource>: cycles that the use
                                          of a resource takes at least (docs/models/bounds.md) */
    double min, max;                   /* plausible range, checked by the conformance tests */
    const char *doc;                   /* one line, no final point */
    msw_metric_error predicted;        /* MSW_TOTAL that `predict` fills */
    bool exact;                        /* the same at every fidelity, in all bits; conformance
                                          tests check it */
    bool priced;                       /* MSW_DERIVED: depends on the config alone; the record's
                                          `price` fills it, without a point being evaluated */
    bool unstated;                     /* MSW_TOTAL: analytic leaves it undefined (NaN) */
    double floor;                      /* never less at any fidelity, by proof or law; 0: unknown */
} msw_metric;

/* Counts the entries of a table. Returns the count. */
size_t msw_metrics_count(const msw_metric *table);

/* Finds an entry. Returns its index, or -1. */
int msw_metrics_find(const msw_metric *table, const char *name);

/* Checks that a table is sound: names, kinds with the names they need, ranges, docs. Returns 0, or
 * -1 with the owner and entry named. */
int msw_metrics_check(const msw_metric *table, const char *owner, msw_err *err);

/* Names of the kinds: "total", "ratio", ... */
const char *msw_metric_kind_name(msw_metric_kind kind);

#endif
