/* SPDX-License-Identifier: MIT */
/* Finds the front: reads the objectives of all rows, ranks them, chooses the points to show (the
 * front, a few that represent it, those nearest to goals), and judges by their intervals which
 * rows could be on it. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/quality.h"
#include "memsweep/base/text.h"
#include "memsweep/base/text_check.h"
#include "memsweep/mech/engine.h"
#include "memsweep/sweep/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool *mark_front(const msw_front *j)
{
    bool *on_front = malloc(j->values.rows + 1);
    for (size_t r = 0; on_front && r < j->values.rows; r++)
        on_front[r] = j->rank[r] == 0;
    return on_front;
}

/* ---- thinning ---- */

static bool equals_one(const msw_front *j, const msw_points *points, const bool *kept, size_t row)
{
    for (size_t r = 0; r < points->n; r++) {
        bool same = kept[r] && (!j->group || j->group[r] == j->group[row]);
        for (unsigned i = 0; same && i < points->k; i++)
            same = points->columns[i][r] == points->columns[i][row];
        if (same)
            return true;
    }
    return false;
}

/* Rows that equal one that is kept come along, so that those alike can be shown as one. */
static int keep_equals(msw_front *j, const msw_points *points)
{
    bool *kept = malloc(points->n + 1);
    if (!kept)
        return msw_fail_memory(j->err);
    memcpy(kept, j->kept, points->n * sizeof *kept);
    for (size_t r = 0; r < points->n; r++)
        j->kept[r] = kept[r] || (j->rank[r] == 0 && equals_one(j, points, kept, r));
    free(kept);
    return 0;
}

int msw_front_thin_out(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    if (!j->ask.thin)
        return 0;
    if (j->ask.ranks > 1 || j->ask.uncertain)
        return msw_fail(j->err, "--thin is about one front: leave %s out",
                        j->ask.uncertain ? "--uncertain" : "--ranks");
    j->kept = mark_front(j);
    if (!j->kept)
        return msw_fail_memory(j->err);
    if (msw_front_thin(&points, (size_t)j->ask.thin, j->kept, &j->epsilon, j->err))
        return -1;
    return j->ask.distinct ? keep_equals(j, &points) : 0;
}

/* ---- goals ---- */

typedef struct aim {
    double goal[MSW_PARETO_OBJECTIVES], scale[MSW_PARETO_OBJECTIVES], weight[MSW_PARETO_OBJECTIVES];
} aim;

static int read_weights(const msw_front *j, aim *a)
{
    if (msw_front_values(j, "--weights", j->ask.weights ? j->ask.weights : "", a->weight))
        return -1;
    for (size_t i = 0; i < j->objectives.count; i++) {
        if (a->weight[i] < 0 || isinf(a->weight[i]))
            return msw_fail(j->err, "--weights: %s=%g: a weight is 0 or more",
                            j->objectives.names[i], a->weight[i]);
        a->weight[i] = isnan(a->weight[i]) ? 1 : a->weight[i];
    }
    return 0;
}

/* With goals: relative to them, and what has none does not count. Without: from the best of each
 * front, in ranges of it. */
static void set_aim(const msw_front *j, const aim *asked, const double *ideal, const double *range,
                    aim *a)
{
    *a = *asked;
    for (size_t i = 0; i < j->objectives.count; i++) {
        double goal = asked->goal[i];
        a->weight[i] = j->ask.goals && isnan(goal) ? 0 : asked->weight[i];
        a->goal[i] = isnan(goal) ? ideal[i] : goal;
        a->scale[i] = isnan(goal) || goal == 0 ? range[i] : fabs(goal);
    }
}

static void aim_group(msw_front *j, const msw_points *points, const bool *on_front, uint32_t group,
                      const aim *asked)
{
    double ideal[MSW_PARETO_OBJECTIVES], range[MSW_PARETO_OBJECTIVES];
    aim a;
    if (msw_front_range(points, on_front, group, ideal, range))
        return;
    set_aim(j, asked, ideal, range, &a);
    for (size_t r = 0; r < points->n; r++)
        if (on_front[r] && (!points->group || points->group[r] == group))
            j->miss[r] = msw_goal_miss(points, r, a.goal, a.scale, a.weight, &j->missed_by[r]);
}

int msw_front_aim(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    aim asked;
    if (!j->ask.goals && !j->ask.weights)
        return 0;
    if (j->ask.ranks > 1 || j->ask.uncertain)
        return msw_fail(j->err, "--goals and --weights are about one front: leave %s out",
                        j->ask.uncertain ? "--uncertain" : "--ranks");
    if (msw_front_values(j, "--goals", j->ask.goals ? j->ask.goals : "", asked.goal) ||
        read_weights(j, &asked))
        return -1;
    bool *on_front = mark_front(j);
    j->miss = malloc((j->values.rows + 1) * sizeof *j->miss);
    j->missed_by = calloc(j->values.rows + 1, sizeof *j->missed_by);
    int rc = on_front && j->miss && j->missed_by ? 0 : msw_fail_memory(j->err);
    for (uint32_t g = 0; rc == 0 && g < (j->group ? j->group_count : 1); g++)
        aim_group(j, &points, on_front, g, &asked);
    free(on_front);
    return rc;
}

/* ---- said ---- */

static size_t count_reached(const msw_front *j)
{
    size_t count = 0;
    for (size_t i = 0; i < j->chosen_count; i++)
        count += j->miss[j->chosen[i]] <= 0;
    return count;
}

void msw_front_wanted_note(const msw_front *j, msw_text *note)
{
    if (j->kept)
        msw_text_add(note,
                     "thinned to %zu of %zu points: each one left out is matched by one shown but "
                     "for %.3g %% of the range of an objective\n",
                     j->chosen_count, j->count.front, 100 * j->epsilon);
    if (j->miss && j->ask.goals)
        msw_text_add(note,
                     "%zu of %zu points reach all goals; miss: by how much of its goal the "
                     "worst objective fails (missed_by), below 0 the reserve\n",
                     count_reached(j), j->chosen_count);
    else if (j->miss)
        msw_text_add(note, "miss: weighted distance from the best of each objective, in ranges of "
                           "the front, in the worst of them (missed_by)\n");
}

static bool has_half_width(const msw_mech *mech, const char *name)
{
    int m = mech ? msw_metrics_find(mech->metrics, name) : -1;
    return m >= 0 && mech->metrics[m].kind != MSW_MAXIMUM;
}

/* A sweep that cannot be read is reported by msw_front_judge. */
void msw_front_add_halves(const msw_front *j, msw_text *columns)
{
    msw_outline outline = {0};
    msw_outline_read(j->sweep.canonical, &outline, NULL);
    for (size_t i = 0; i < j->objectives.count; i++)
        if (has_half_width(outline.mech, j->objectives.names[i]))
            msw_text_add(columns, ", %s_hw", j->objectives.names[i]);
        else
            msw_text_add(columns, ", NULL AS half_%zu", i);
    msw_outline_free(&outline);
}

/* Confidence of the stored half-widths. */
static int half_confidence(msw_front *j, double *confidence)
{
    msw_outline outline;
    if (msw_outline_read(j->sweep.canonical, &outline, j->err))
        return -1;
    *confidence = outline.confidence;
    msw_outline_free(&outline);
    return 0;
}

int msw_front_judge(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES], *half[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    msw_uncertain table = {.points = &points,
                           .half = half,
                           .confidence = j->ask.confidence,
                           .draws = (unsigned)j->ask.draws,
                           .seed = (uint64_t)j->ask.seed};
    for (size_t i = 0; i < j->objectives.count; i++)
        half[i] = j->values.columns[MSW_FRONT_OBJECTIVES + j->objectives.count + i].values;
    j->standing = calloc(j->values.rows + 1, sizeof *j->standing);
    if (!j->standing)
        return msw_fail_memory(j->err);
    MSW_TRY(half_confidence(j, &table.half_confidence));
    MSW_TRY(msw_pareto_uncertain(&table, j->standing, j->err));
    return 0;
}

bool msw_front_is_uncertain(const msw_front *j, size_t row)
{
    const msw_standing *s = &j->standing[row];
    return s->verdict == MSW_FRONT_OPEN || s->verdict == MSW_FRONT_CERTAIN || s->sample_more;
}

static void add_exact(const msw_front *j, msw_text *out)
{
    const char *before = "taken as exact, for want of a half-width: ";
    for (size_t i = 0; i < j->objectives.count; i++) {
        const double *half =
            j->values.columns[MSW_FRONT_OBJECTIVES + j->objectives.count + i].values;
        bool any = false;
        for (size_t r = 0; r < j->values.rows && !any; r++)
            any = half[r] > 0;
        if (any)
            continue;
        msw_text_add(out, "%s%s", before, j->objectives.names[i]);
        before = ", ";
    }
    if (*before == ',')
        msw_text_add(out, "\n");
}

void msw_front_uncertain_note(const msw_front *j, msw_text *out)
{
    size_t count[4] = {0}, more = 0;
    char text[4][32];
    for (size_t r = 0; r < j->values.rows; r++) {
        count[j->standing[r].verdict]++;
        more += j->standing[r].sample_more;
    }
    add_exact(j, out);
    msw_text_add(out,
                 "at %g %%: %s certainly on it, %s open, %s excluded; more samples of %s points "
                 "(sample_more) would settle it\n",
                 100 * j->ask.confidence, msw_count_text(count[MSW_FRONT_CERTAIN], text[0]),
                 msw_count_text(count[MSW_FRONT_OPEN], text[1]),
                 msw_count_text(count[MSW_FRONT_EXCLUDED], text[2]), msw_count_text(more, text[3]));
}

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
