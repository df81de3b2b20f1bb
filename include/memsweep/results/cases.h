/* SPDX-License-Identifier: MIT */
/* cases: rows of a file become cases, for all that asks how an output depends on factors.
 *
 * A case is a point of the design within a group. Where several workloads or replicates answer one
 * point, the case is their mean, and it has no value unless all of them have one. */
#ifndef MEMSWEEP_RESULTS_CASES_H
#define MEMSWEEP_RESULTS_CASES_H

#include "memsweep/results/grouping.h"
#include "memsweep/results/reading.h"

#include "memsweep/analysis/axis.h"
#include "memsweep/store/keeping.h"
#include "memsweep/sweep/outline.h"

/* What a user asks for; NULL where nothing was said. */
typedef struct msw_cases_options {
    const char *metric, *group_by, *filter, *factors;
    bool beyond;   /* also rows beyond the limits of the sweep */
    bool doubtful; /* also rows that are not to be trusted */
} msw_cases_options;

/* One thing that varies. Numbers are on the scale of their parameter, 0 to 1; levels count from 0
 * in rising order, labels in the order of their appearance. */
typedef struct msw_case_factor {
    char *name;
    bool constant, unordered;
    msw_axis axis;     /* of numbers */
    double low, high;  /* of the values, as they are */
    size_t levels;     /* 0: a range */
    double *values;    /* of each level; NULL for splits */
    double *positions; /* of each level; NULL for labels and splits */
    size_t column_count;
    size_t columns[16]; /* in the table read */
    double *x;          /* of each case: position, or number of the label */
    uint32_t *level;    /* of each case; NULL for a range */
    const char *const *labels;
} msw_case_factor;

typedef struct msw_cases {
    msw_cases_options ask;
    msw_store *store;
    msw_sweep_info sweep;
    msw_outline outline;
    msw_table table; /* as read */
    char *metric;    /* name or expression looked at */
    size_t factor_count;
    msw_case_factor *factors;
    size_t n;         /* cases, by group and design point */
    size_t *row;      /* first row of each case in the table */
    double *y;        /* of each case; NaN: none */
    double *noise;    /* standard deviation of its value, where rows are sampled; else NULL */
    uint64_t *design; /* its design point */
    msw_grouping grouping;
    uint32_t *group; /* of each case */
    uint32_t group_count;
    size_t *group_first;                          /* group_count + 1 */
    size_t failed, infeasible, undefined, absent; /* rows without a value, by reason */
    msw_kept_rows kept;
    char *narrowed;        /* filter that leaves the sample alone; or NULL */
    msw_left_out left_out; /* rows beyond limits, and those with a doubt */
    size_t most;           /* rows that make one case */
    msw_err *err;
} msw_cases;

/* Opens the file and finds the sweep. Returns 0, or -1. */
int msw_cases_open(const msw_context *context, const char *file, const char *sweep,
                   msw_store_mode mode, msw_cases *cases);

/* Finds what is looked at, before rows are read: outline and metric. Returns 0, or -1. */
int msw_cases_choose(msw_cases *cases);

/* Reads the rows. Returns 0, or -1. */
int msw_cases_read(msw_cases *cases);
void msw_cases_free(msw_cases *cases);

/* factors.c: which columns vary and how. Returns 0, or -1. */
int msw_cases_name_factors(msw_cases *cases);
int msw_cases_locate_factors(msw_cases *cases);
void msw_cases_free_factors(msw_cases *cases);

/* Where a value as it is written in rows is among x: its position, or the number of its label.
 * Returns it. */
double msw_case_factor_position(const msw_case_factor *factor, double value);

/* The parameter of that name, of the mechanism or of a front end. Returns it, or NULL. */
const msw_param *msw_cases_param(const msw_cases *cases, const char *name);

/* Number of the level with that value. Returns it, or -1. */
int msw_case_factor_level(const msw_case_factor *factor, double value);

/* Says, for a note, what the cases are and what has no value. */
void msw_cases_note(const msw_cases *cases, msw_text *out);

#endif
