/* SPDX-License-Identifier: MIT */
/* law: what must hold between the answers of two configs that differ in a known way, whatever the
 * right answers are (metamorphic relations). mechanism.h includes it; authors need no other header.
 */
#ifndef MEMSWEEP_MECH_LAW_H
#define MEMSWEEP_MECH_LAW_H

#include "memsweep/param/param.h"

typedef enum msw_fidelity { MSW_ANALYTIC, MSW_SAMPLED, MSW_FULL, MSW_FIDELITY_COUNT } msw_fidelity;

/* What is set in a config: to a value as in a sweep file, or to a multiple of what it was. */
typedef struct msw_law_change {
    const char *param; /* of the mechanism or of the workload; a list ends with param NULL */
    const char *to;    /* NULL: multiplied by `times` */
    double times;
} msw_law_change;

typedef enum msw_law_relation {
    MSW_LAW_EQUAL,
    MSW_LAW_NOT_ABOVE,
    MSW_LAW_NOT_BELOW
} msw_law_relation;

/* `metric` of the changed config has the `relation` to `than`, which is worked out from the
 * config before the change. The conformance tests draw configs over all parameters, as for
 * msw_agreement, and leave out pairs that cannot be answered or of which both are the same. A law
 * without a change is about one config. */
typedef struct msw_law {
    const char *name; /* lower_case; a list ends with name NULL */
    const char *doc;  /* one line, no final point */
    msw_fidelity fidelity;
    const char *workloads;        /* names, paths or globs ('*' crosses '/'), with commas; NULL: the
                                     mechanism's list of them (`law_workloads`) */
    const char *region;           /* expression over parameters: the configs it is about; or NULL */
    const msw_law_change *fixed;  /* set on both sides; or NULL */
    const msw_law_change *change; /* set on the other side; or NULL */
    const char *metric;
    msw_law_relation relation;
    const char *than;      /* expression over parameters and metrics; NULL: the metric itself */
    double tolerance;      /* relative; a difference of rounding is always allowed */
    double share;          /* of the pairs, how many may violate it */
    const char *exception; /* where some may: why, by the rule in the mechanism's README */
} msw_law;

#endif
