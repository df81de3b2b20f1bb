/* SPDX-License-Identifier: MIT */
/* limits: which of the limits of a sweep (`subject_to`) binds, and which design comes nearest. */
#ifndef MEMSWEEP_SWEEP_LIMITS_H
#define MEMSWEEP_SWEEP_LIMITS_H

#include "memsweep/base/map.h"
#include "memsweep/base/text.h"

enum { MSW_LIMITS_MOST = 16, MSW_LIMITS_WORKLOADS = 64 };

/* A comparison: left is at most right (`below`), or at least. */
typedef struct msw_limit {
    char *left, *right;
    bool below, strict;
} msw_limit;

/* By how much one row misses the limit that it misses most. */
typedef struct msw_limit_miss {
    double by; /* relative to the limit; 0 or less: it keeps all */
    size_t limit, workload;
    double left, right;
} msw_limit_miss;

/* A design, over the rows of its workloads. */
typedef struct msw_limit_design {
    uint64_t design, rows;
    msw_limit_miss worst;
} msw_limit_design;

typedef struct msw_limits {
    size_t count;
    msw_limit list[MSW_LIMITS_MOST];
    uint64_t rows[MSW_LIMITS_WORKLOADS]; /* per workload, and those that keep a limit */
    uint64_t kept[MSW_LIMITS_WORKLOADS][MSW_LIMITS_MOST];
    msw_map numbers; /* design to number in `designs` */
    msw_limit_design *designs;
    size_t design_count, design_room;
} msw_limits;

/* Takes the column of the limits apart: comparisons joined by AND; what is no comparison is missed
 * by 1, or not. Returns 0, or -1. */
int msw_limits_read(const char *text, msw_limits *limits, msw_err *err);
void msw_limits_free(msw_limits *limits);

/* Counts a row: `sides` holds left and right of each limit, NaN where they are not known. Returns
 * 0, or -1. */
int msw_limits_add(msw_limits *limits, size_t workload, uint64_t design, const double *sides,
                   msw_err *err);

/* The design that comes nearest among those that do not keep all limits on all workloads, of those
 * with the most rows. Returns it, or NULL where there is none, or where many keep the limits. */
const msw_limit_design *msw_limits_nearest(const msw_limits *limits);

/* Appends how many designs keep all limits, which one binds where, and (`settings` of) the nearest
 * design. */
void msw_limits_note(const msw_limits *limits, const msw_limit_design *nearest,
                     const char *const *workloads, const char *settings, msw_text *out);

#endif
