/* SPDX-License-Identifier: MIT */
/* The objectives of a front as the analysis takes them. */
#include "memsweep/base/text.h"
#include "memsweep/results/front.h"

#include <stdlib.h>

msw_points msw_front_points(const msw_front *j, const double *columns[MSW_PARETO_OBJECTIVES])
{
    for (size_t i = 0; i < j->objectives.count; i++)
        columns[i] = j->values.columns[MSW_FRONT_OBJECTIVES + i].values;
    return (msw_points){.n = j->values.rows,
                        .k = (unsigned)j->objectives.count,
                        .columns = columns,
                        .goals = j->objectives.goals,
                        .group = j->group,
                        .group_count = j->group_count};
}
