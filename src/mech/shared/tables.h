/* SPDX-License-Identifier: MIT */
/* Private to mech: the rows of a mechanism's tables of laws and of metrics, whose fields follow
 * by name: TOTAL(.name = "cycles", ...). */
#ifndef MSW_MECH_SHARED_TABLES_H
#define MSW_MECH_SHARED_TABLES_H

#include "memsweep/mech/law.h"
#include "memsweep/param/metric.h"
#include "memsweep/param/param.h"

#define FULL_LAW(...)   MSW_ROW(.fidelity = MSW_FULL, __VA_ARGS__)
#define CLOSED_LAW(...) MSW_ROW(.fidelity = MSW_ANALYTIC, __VA_ARGS__)

/* A list of changes: CHANGES(TWICE("bandwidth"), SET("oracle", "off")). */
#define CHANGES(...)                                                                               \
    (const msw_law_change[])                                                                       \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define TWICE(name)      MSW_ROW(.param = name, .times = 2)
#define HALF(name)       MSW_ROW(.param = name, .times = 0.5)
#define SET(name, value) MSW_ROW(.param = name, .to = value)

/* More of one thing, and not more of `metric`. */
#define MORE_OF(name) .change = CHANGES(TWICE(name)), .relation = MSW_LAW_NOT_ABOVE

#define TOTAL(...)    MSW_ROW(.kind = MSW_TOTAL, .max = 1e18, __VA_ARGS__)
#define RATIO(...)    MSW_ROW(.kind = MSW_RATIO, __VA_ARGS__)
#define MAXIMUM(...)  MSW_ROW(.kind = MSW_MAXIMUM, __VA_ARGS__)
#define QUANTILE(...) MSW_ROW(.kind = MSW_QUANTILE, __VA_ARGS__)
#define DERIVED(...)  MSW_ROW(.kind = MSW_DERIVED, __VA_ARGS__)

/* Part of the cycle stack. */
#define CAUSE(...) TOTAL(.unit = "cycles", .stack = true, __VA_ARGS__)

/* Cycles that the use of a resource takes at least, and how near the cycles came to the largest of
 * them (docs/models/bounds.md). */
#define LEAST(...) DERIVED(.unit = "cycles", .max = 1e18, .least = true, __VA_ARGS__)
#define BOUND_SHARE                                                                                \
    DERIVED(.name = "bound_share", .unit = "", .num = "cycles", .max = 1.5,                        \
            .doc = "largest least_... over the cycles: 1 is as fast as that resource allows")

/* Energy of a part of the chip, of all, and times the time (docs/models/costs.md). */
#define ENERGY_PART(...) DERIVED(.unit = "nJ", .max = 1e18, .energy = true, __VA_ARGS__)
#define ENERGY_ALL(...)                                                                            \
    DERIVED(.name = "energy_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER, .max = 1e18, __VA_ARGS__)
#define EDP                                                                                        \
    DERIVED(.name = "edp", .unit = "J s", .goal = MSW_GOAL_LOWER, .max = 1e18,                     \
            .doc = "energy_nj times the time")

/* Over the same of a reference. */
#define PAIRED(...) MSW_ROW(.kind = MSW_PAIRED, .unit = "", .goal = MSW_GOAL_LOWER, __VA_ARGS__)

#endif
