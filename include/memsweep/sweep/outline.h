/* SPDX-License-Identifier: MIT */
/* outline: what a stored sweep's canonical text says about its design and factors.
 *
 * An analysis needs to know which columns vary, how, and in what structure the points lie; it
 * needs neither the workloads' contents nor the design itself, so a file can be analysed where the
 * sweep file is no longer at hand. */
#ifndef MEMSWEEP_SWEEP_OUTLINE_H
#define MEMSWEEP_SWEEP_OUTLINE_H

#include "memsweep/sweep/sweep.h"

typedef struct msw_outline_factor {
    char *name;
    size_t target_count;
    const msw_param **targets; /* parameters it sets: their names are columns */
    uint64_t levels;           /* 0: a range, or the points of a list */
    double from, to;           /* of a range; NaN otherwise */
    msw_scale scale;
    bool conditional; /* inactive where its condition does not hold */
} msw_outline_factor;

typedef struct msw_outline {
    const msw_mech *mech;
    struct msw_external *external; /* owns `mech` where the text declares it; else NULL */
    const msw_design *design;
    bool second_order;  /* saltelli with the rows for pairs */
    uint64_t scrambles; /* saltelli: base rows are dealt to so many scrambles */
    bool conditional;   /* base rows or trajectories that break `where` were left out */
    msw_fidelity fidelity;
    bool automatic;    /* at `auto`: its rows are of two fidelities */
    double confidence; /* of the half-widths at `sampled` */
    uint64_t replicates;
    size_t workload_count, frontend_count;
    const msw_frontend **frontends; /* in use, each once */
    char **workload_names;          /* in the order of the plan */
    size_t factor_count;
    msw_outline_factor *factors;
    size_t group_count; /* what the design varies on its own: factors, or groups of them */
    unsigned *group_of; /* group of each factor */
    char **group_names;
} msw_outline;

/* Reads a canonical text. Returns 0, or -1 when it names a mechanism, design or parameter that this
 * program does not have. */
int msw_outline_read(const char *canonical, msw_outline *outline, msw_err *err);

/* Points per base row or trajectory; 1 for designs without such a structure. Returns the count. */
uint64_t msw_outline_group(const msw_outline *outline);

/* Frees what the outline owns. */
void msw_outline_free(msw_outline *outline);

#endif
