/* SPDX-License-Identifier: MIT */
/* Drops rows that cannot be on the front while rows are read. Of each group its first row stays,
 * whatever it is: groups, and the order in which they are found, are those of all rows. */
#include "memsweep/results/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sieve {
    bool *kept, *met; /* of each row, of each group */
    size_t *order;
} sieve;

static int number_groups(msw_front *j, msw_front_rows *held)
{
    msw_grouping *grouping = &j->input.grouping;
    if (!grouping->count)
        return 0;
    held->group = malloc((held->values.rows + 1) * sizeof *held->group);
    if (!held->group)
        return msw_fail_memory(j->err);
    int rc = msw_grouping_number(grouping, &held->values, held->group, j->err);
    held->group_count = grouping->groups;
    return rc;
}

static bool is_whole(const msw_points *points, size_t row)
{
    for (unsigned i = 0; i < points->k; i++)
        if (isnan(points->columns[i][row]))
            return false;
    return true;
}

/* Lists the rows to keep, and counts the others as ranked or left out. Returns how many stay. */
static size_t choose(const msw_points *points, sieve *s, msw_pareto_count *dropped)
{
    size_t count = 0;
    for (size_t r = 0; r < points->n; r++) {
        bool *met = &s->met[points->group ? points->group[r] : 0];
        bool whole = is_whole(points, r);
        if (s->kept[r] || !*met)
            s->order[count++] = r;
        else {
            dropped->ranked += whole;
            dropped->left_out += !whole;
        }
        *met = true;
    }
    return count;
}

static int drop(msw_front *j, const msw_points *points, sieve *s, msw_table *table)
{
    s->kept = malloc(points->n + 1);
    s->met = calloc((size_t)points->group_count + 1, sizeof *s->met);
    s->order = malloc((points->n + 1) * sizeof *s->order);
    if (!s->kept || !s->met || !s->order)
        return msw_fail_memory(j->err);
    MSW_TRY(msw_pareto_front(points, s->kept, NULL, j->err));
    size_t count = choose(points, s, &j->rows.dropped);
    return msw_table_keep_rows(table, s->order, count, j->err);
}

int msw_front_sieve(void *context, msw_table *table, msw_err *err)
{
    msw_front *j = context;
    msw_front_rows held = {.values = *table};
    const double *columns[MSW_PARETO_OBJECTIVES];
    sieve s = {0};
    (void)err;
    int rc = number_groups(j, &held);
    if (rc == 0) {
        msw_points points = msw_front_points(&held, &j->input.objectives, columns);
        rc = drop(j, &points, &s, table);
    }
    free(held.group);
    free(s.kept);
    free(s.met);
    free(s.order);
    return rc;
}
