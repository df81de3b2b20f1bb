/* Private to mech: words for the rows of a mechanism's table of metrics. */
#ifndef MSW_MECH_METRICS_H
#define MSW_MECH_METRICS_H

#include "memsweep/param/metric.h"

#define TOTAL(name, unit, goal, doc)                                                               \
    {                                                                                              \
        name, unit, goal, MSW_TOTAL, NULL, NULL, NULL, 0, false, 0, 1e18, doc                      \
    }
/* Part of the cycle stack. */
#define CAUSE(name, doc)                                                                           \
    {                                                                                              \
        name, "cycles", MSW_GOAL_NONE, MSW_TOTAL, NULL, NULL, NULL, 0, true, 0, 1e18, doc          \
    }
#define RATIO(name, unit, goal, num, den, max, doc)                                                \
    {                                                                                              \
        name, unit, goal, MSW_RATIO, num, den, NULL, 0, false, 0, max, doc                         \
    }

#endif
