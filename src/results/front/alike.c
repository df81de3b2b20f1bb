/* SPDX-License-Identifier: MIT */
/* Lines of a front that are alike become one. */
#include "memsweep/results/distinct.h"
#include "memsweep/results/front.h"

#include <stdlib.h>

static int keep_distinct(msw_front *j, const msw_query *query)
{
    size_t *kept = malloc((j->chosen_count + 1) * sizeof *kept);
    int rc =
        kept ? msw_distinct(j->store, query, &j->shown, kept, j->err) : msw_fail_memory(j->err);
    for (size_t i = 0; rc == 0 && i < j->shown.rows; i++)
        j->chosen[i] = j->chosen[kept[i]];
    if (rc == 0)
        j->chosen_count = j->shown.rows;
    free(kept);
    return rc;
}

static bool is_equal(const msw_front *j, size_t a, size_t b)
{
    bool same = !j->group || j->group[a] == j->group[b];
    for (size_t i = 0; same && i < j->objectives.count; i++) {
        const double *values = j->values.columns[MSW_FRONT_OBJECTIVES + i].values;
        same = values[a] == values[b];
    }
    return same;
}

/* A front that is thinned shows a point once: where lines of equal objectives differ otherwise, the
 * first represents them. */
static int keep_first(msw_front *j)
{
    size_t *order = malloc((j->chosen_count + 1) * sizeof *order), count = 0;
    if (!order)
        return msw_fail_memory(j->err);
    for (size_t i = 0; i < j->chosen_count; i++) {
        size_t k = 0;
        while (k < count && !is_equal(j, j->chosen[k], j->chosen[i]))
            k++;
        if (k < count)
            continue;
        order[count] = i;
        j->chosen[count++] = j->chosen[i];
    }
    j->chosen_count = count;
    int rc = msw_table_keep_rows(&j->shown, order, count, j->err);
    free(order);
    return rc;
}

int msw_front_join_alike(msw_front *j, const msw_query *query)
{
    MSW_TRY(keep_distinct(j, query));
    MSW_TRY(j->ask.thin && keep_first(j));
    return 0;
}
