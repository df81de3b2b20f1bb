/* SPDX-License-Identifier: MIT */
/* Private to mech: the rows of a mechanism's table of laws, whose fields follow by name. */
#ifndef MSW_MECH_SHARED_LAWS_H
#define MSW_MECH_SHARED_LAWS_H

#include "memsweep/mech/law.h"

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

#endif
