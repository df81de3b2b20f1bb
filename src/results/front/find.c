/* SPDX-License-Identifier: MIT */
/* Which rows are on the front. */
#include "memsweep/results/front.h"

#include "memsweep/base/text.h"
#include "memsweep/base/text_check.h"

#include <stdlib.h>

/* ---- what takes part ---- */

static int read_values(msw_front *j)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_text_add(&columns, "row_id, point");
    for (size_t i = 0; i < j->objectives.count; i++)
        msw_text_add(&columns, ", %s", j->objectives.names[i]);
    if (j->ask.uncertain)
        msw_front_add_halves(j, &columns);
    msw_grouping_add(&j->grouping, &columns);
    msw_query query = {.sweep = j->sweep.name,
                       .columns = msw_text_str(&columns),
                       .filter = j->ask.filter,
                       .limit = -1,
                       .within_limits = !j->ask.beyond};
    int rc = -1;
    if (msw_text_check(&columns, j->err) || msw_store_read(j->store, &query, &j->values, j->err) ||
        msw_store_beyond_limits(j->store, &query, &j->beyond, j->err))
        goto done;
    rc = 0;
done:
    msw_text_free(&columns);
    return rc;
}

static int check_numbers(const msw_front *j)
{
    for (size_t i = 0; i < j->objectives.count; i++)
        if (j->values.columns[MSW_FRONT_OBJECTIVES + i].labels)
            return msw_fail(j->err, "'%s' is a text: only numbers can be objectives",
                            j->objectives.names[i]);
    return 0;
}

/* No rows have no groups: they are one, that is empty. */
static int find_groups(msw_front *j)
{
    if (!j->grouping.count || !j->values.rows)
        return 0;
    j->group = malloc((j->values.rows + 1) * sizeof *j->group);
    if (!j->group)
        return msw_fail_memory(j->err);
    int rc = msw_grouping_number(&j->grouping, &j->values, j->group, j->err);
    j->group_count = j->grouping.groups;
    return rc;
}

/* ---- ranking ---- */

static int rank_all(msw_front *j, const msw_points *points)
{
    size_t n = j->values.rows;
    j->rank = malloc((n + 1) * sizeof *j->rank);
    if (!j->rank)
        return msw_fail_memory(j->err);
    if (j->ask.ranks > 1)
        return msw_pareto_rank(points, j->rank, &j->count, j->err);
    bool *on_front = malloc(n + 1);
    int rc =
        on_front ? msw_pareto_front(points, on_front, &j->count, j->err) : msw_fail_memory(j->err);
    for (size_t r = 0; rc == 0 && r < n; r++)
        j->rank[r] = on_front[r] ? 0 : MSW_RANK_NONE;
    free(on_front);
    return rc;
}

static int find_crowding(msw_front *j, const msw_points *points)
{
    if (!j->ask.crowding)
        return 0;
    j->crowding = malloc((j->values.rows + 1) * sizeof *j->crowding);
    return j->crowding ? msw_pareto_crowding(points, j->rank, j->crowding, j->err)
                       : msw_fail_memory(j->err);
}

static int find_knees(msw_front *j, const msw_points *points)
{
    uint32_t groups = j->group ? j->group_count : 1;
    if (!j->ask.knee)
        return 0;
    j->knees = malloc((groups + 1) * sizeof *j->knees);
    if (!j->knees)
        return msw_fail_memory(j->err);
    for (uint32_t g = 0; g < groups; g++)
        if (msw_pareto_knee(points, j->rank, g, &j->knees[g], NULL) || j->knees[g].distance <= 0)
            j->knees[g].row = SIZE_MAX;
    return 0;
}

static int rank_rows(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    if (rank_all(j, &points) || find_crowding(j, &points) || find_knees(j, &points) ||
        msw_front_repeats(j) || msw_front_thin_out(j) || msw_front_aim(j))
        return -1;
    MSW_TRY(j->ask.exclusive && msw_front_shares(j));
    MSW_TRY(j->ask.uncertain && msw_front_judge(j));
    return 0;
}

static bool is_chosen(const msw_front *j, size_t r)
{
    if (j->kept)
        return j->kept[r];
    return j->ask.uncertain ? msw_front_is_uncertain(j, r)
                            : j->rank[r] >= 0 && j->rank[r] < j->ask.ranks;
}

static int choose_rows(msw_front *j)
{
    size_t n = j->values.rows;
    for (size_t r = 0; r < n; r++)
        j->chosen_count += is_chosen(j, r);
    j->chosen = malloc((j->chosen_count + 1) * sizeof *j->chosen);
    if (!j->chosen)
        return msw_fail_memory(j->err);
    size_t k = 0;
    for (size_t r = 0; r < n; r++)
        if (is_chosen(j, r))
            j->chosen[k++] = r;
    return 0;
}

int msw_front_find(msw_front *j)
{
    MSW_TRY(msw_grouping_read(j->ask.group_by, &j->grouping, j->err));
    MSW_TRY(read_values(j));
    MSW_TRY(check_numbers(j));
    MSW_TRY(find_groups(j));
    MSW_TRY(rank_rows(j));
    return choose_rows(j);
}

void msw_front_free(msw_front *j)
{
    msw_grouping_free(&j->grouping);
    msw_table_free(&j->values);
    msw_table_free(&j->shown);
    msw_sweep_info_free(&j->sweep);
    msw_objectives_free(&j->objectives);
    free(j->group);
    free(j->rank);
    free(j->crowding);
    free(j->kept);
    free(j->miss);
    free(j->missed_by);
    free(j->share);
    free(j->standing);
    free(j->knees);
    free(j->chosen);
    free(j->narrowed);
}
