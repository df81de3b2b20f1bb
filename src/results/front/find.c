/* SPDX-License-Identifier: MIT */
/* Finds the front: reads the objectives of all rows, ranks them, chooses the points to show (the
 * front, a few that represent it, those nearest to goals), and judges by their intervals which
 * rows could be on it. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/quality.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/base/text_check.h"
#include "memsweep/mech/engine.h"
#include "memsweep/results/reading.h"
#include "memsweep/sweep/errors.h"
#include "memsweep/sweep/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows that take part ---- */

/* Adds the half-widths there are to a list of columns; NULL for an objective without one. */
static void add_halves(const msw_front_input *input, const msw_table *there, msw_text *columns)
{
    for (size_t i = 0; i < input->objectives.count; i++) {
        msw_text_add(columns, ", ");
        if (!msw_half_width_add(there, input->sweep.canonical, input->objectives.names[i], true,
                                columns))
            msw_text_add(columns, "NULL");
        msw_text_add(columns, " AS half_%zu", i);
    }
}

static int add_intervals(const msw_front_input *input, msw_text *columns, msw_err *err)
{
    msw_table there = {0};
    msw_query names = {.sweep = input->sweep.name, .no_rows = true};
    int rc = msw_store_read(input->store, &names, &there, err);
    if (rc == 0)
        add_halves(input, &there, columns);
    msw_table_free(&there);
    return rc;
}

/* Where nobody asks for rows behind the front they need not be held. */
enum { SIEVED = 1 << 15 };

static int read_values(msw_front *j, const msw_query *query)
{
    const msw_front_options *o = &j->options;
    bool sieved = o->sieved && o->ranks <= 1 && !o->uncertain && !o->exclusive;
    return sieved ? msw_store_read_sieved(j->input.store, query, SIEVED, msw_front_sieve, j,
                                          &j->rows.values, j->err)
                  : msw_store_read(j->input.store, query, &j->rows.values, j->err);
}

static int read_rows(msw_front *j)
{
    const msw_front_options *options = &j->options;
    const msw_front_input *input = &j->input;
    msw_err *err = j->err;
    msw_text columns = MSW_TEXT_EMPTY;
    msw_text_add(&columns, "row_id, point");
    for (size_t i = 0; i < input->objectives.count; i++)
        msw_text_add(&columns, ", %s", input->objectives.names[i]);
    bool named = !options->uncertain || add_intervals(input, &columns, err) == 0;
    msw_grouping_add(&input->grouping, &columns);
    msw_query query = {.sweep = input->sweep.name,
                       .columns = msw_text_str(&columns),
                       .filter = options->filter,
                       .limit = -1,
                       .within_limits = !options->beyond,
                       .trusted = !options->doubtful};
    int rc = -1;
    if (!named || msw_text_check(&columns, err) || read_values(j, &query) ||
        (!options->uncounted && msw_store_left_out(input->store, &query, &j->rows.left_out, err)))
        goto done;
    rc = 0;
done:
    msw_text_free(&columns);
    return rc;
}

static int check_numbers(const msw_front_rows *rows, const msw_objectives *objectives, msw_err *err)
{
    for (size_t i = 0; i < objectives->count; i++)
        if (rows->values.columns[MSW_FRONT_OBJECTIVES + i].labels)
            return msw_fail(err, "'%s' is a text: only numbers can be objectives",
                            objectives->names[i]);
    return 0;
}

/* No rows have no groups: they are one, that is empty. */
static int find_groups(msw_grouping *grouping, msw_front_rows *rows, msw_err *err)
{
    if (!grouping->count || !rows->values.rows)
        return 0;
    rows->group = malloc((rows->values.rows + 1) * sizeof *rows->group);
    if (!rows->group)
        return msw_fail_memory(err);
    int rc = msw_grouping_number(grouping, &rows->values, rows->group, err);
    rows->group_count = grouping->groups;
    return rc;
}

/* ---- ranking ---- */

static int rank_all(const msw_points *points, int64_t wanted, msw_front_ranks *ranks, msw_err *err)
{
    ranks->rank = malloc((points->n + 1) * sizeof *ranks->rank);
    if (!ranks->rank)
        return msw_fail_memory(err);
    if (wanted > 1)
        return msw_pareto_rank(points, ranks->rank, &ranks->count, err);
    bool *on_front = malloc(points->n + 1);
    int rc =
        on_front ? msw_pareto_front(points, on_front, &ranks->count, err) : msw_fail_memory(err);
    for (size_t r = 0; rc == 0 && r < points->n; r++)
        ranks->rank[r] = on_front[r] ? 0 : MSW_RANK_NONE;
    free(on_front);
    return rc;
}

static int find_knees(const msw_points *points, msw_front_ranks *ranks, msw_err *err)
{
    uint32_t groups = points->group ? points->group_count : 1;
    ranks->knees = malloc((groups + 1) * sizeof *ranks->knees);
    if (!ranks->knees)
        return msw_fail_memory(err);
    for (uint32_t g = 0; g < groups; g++) {
        msw_knee *knee = &ranks->knees[g];
        if (msw_pareto_knee(points, ranks->rank, g, knee, NULL) || knee->distance <= 0)
            knee->row = SIZE_MAX;
    }
    return 0;
}

typedef struct ranked_row {
    const msw_points *points;
    size_t row;
} ranked_row;

static int compare_objectives(const void *a, const void *b)
{
    const ranked_row *x = a, *y = b;
    const msw_points *points = x->points;
    if (points->group && points->group[x->row] != points->group[y->row])
        return points->group[x->row] < points->group[y->row] ? -1 : 1;
    for (unsigned i = 0; i < points->k; i++) {
        double p = points->columns[i][x->row], q = points->columns[i][y->row];
        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

static int count_repeats(const msw_points *points, msw_front_ranks *ranks, msw_err *err)
{
    ranked_row *rows = malloc((ranks->count.front + 1) * sizeof *rows);
    size_t n = 0;
    if (!rows)
        return msw_fail_memory(err);
    for (size_t r = 0; r < points->n; r++)
        if (ranks->rank[r] == 0)
            rows[n++] = (ranked_row){points, r};
    msw_sort(rows, n, sizeof *rows, compare_objectives);
    for (size_t i = 1; i < n; i++)
        ranks->repeats += compare_objectives(&rows[i - 1], &rows[i]) == 0;
    free(rows);
    return 0;
}

static bool *mark_front(const msw_front_ranks *ranks, size_t rows)
{
    bool *on_front = malloc(rows + 1);
    for (size_t r = 0; on_front && r < rows; r++)
        on_front[r] = ranks->rank[r] == 0;
    return on_front;
}

/* ---- thinning ---- */

static bool equals_one(const msw_points *points, const bool *kept, size_t row)
{
    for (size_t r = 0; r < points->n; r++) {
        bool same = kept[r] && (!points->group || points->group[r] == points->group[row]);
        for (unsigned i = 0; same && i < points->k; i++)
            same = points->columns[i][r] == points->columns[i][row];
        if (same)
            return true;
    }
    return false;
}

/* Rows that equal one that is kept come along, so that those alike can be shown as one. */
static int keep_equals(const msw_points *points, msw_front_ranks *ranks, msw_err *err)
{
    bool *kept = malloc(points->n + 1);
    if (!kept)
        return msw_fail_memory(err);
    memcpy(kept, ranks->kept, points->n * sizeof *kept);
    for (size_t r = 0; r < points->n; r++)
        ranks->kept[r] = kept[r] || (ranks->rank[r] == 0 && equals_one(points, kept, r));
    free(kept);
    return 0;
}

static int thin_out(const msw_front_options *options, const msw_points *points,
                    msw_front_ranks *ranks, msw_err *err)
{
    if (!options->thin)
        return 0;
    if (options->ranks > 1 || options->uncertain)
        return msw_fail(err, "--thin is about one front: leave %s out",
                        options->uncertain ? "--uncertain" : "--ranks");
    ranks->kept = mark_front(ranks, points->n);
    if (!ranks->kept)
        return msw_fail_memory(err);
    MSW_TRY(msw_front_thin(points, (size_t)options->thin, ranks->kept, &ranks->epsilon, err));
    return options->distinct ? keep_equals(points, ranks, err) : 0;
}

/* ---- goals ---- */

typedef struct aim {
    double goal[MSW_PARETO_OBJECTIVES], scale[MSW_PARETO_OBJECTIVES], weight[MSW_PARETO_OBJECTIVES];
} aim;

static int read_weights(const msw_front_options *options, const msw_objectives *objectives, aim *a,
                        msw_err *err)
{
    MSW_TRY(msw_objectives_values(objectives, "--weights", options->weights ? options->weights : "",
                                  a->weight, err));
    for (size_t i = 0; i < objectives->count; i++) {
        if (a->weight[i] < 0 || isinf(a->weight[i]))
            return msw_fail(err, "--weights: %s=%g: a weight is 0 or more", objectives->names[i],
                            a->weight[i]);
        a->weight[i] = isnan(a->weight[i]) ? 1 : a->weight[i];
    }
    return 0;
}

/* With goals: relative to them, and what has none does not count. Without: from the best of each
 * front, in ranges of it. */
static void set_aim(const aim *asked, bool goals, unsigned objectives, const double *ideal,
                    const double *range, aim *a)
{
    *a = *asked;
    for (unsigned i = 0; i < objectives; i++) {
        double goal = asked->goal[i];
        a->weight[i] = goals && isnan(goal) ? 0 : asked->weight[i];
        a->goal[i] = isnan(goal) ? ideal[i] : goal;
        a->scale[i] = isnan(goal) || goal == 0 ? range[i] : fabs(goal);
    }
}

static void aim_group(const msw_points *points, const bool *on_front, uint32_t group,
                      const aim *asked, bool goals, msw_front_ranks *ranks)
{
    double ideal[MSW_PARETO_OBJECTIVES], range[MSW_PARETO_OBJECTIVES];
    aim a;
    if (msw_front_range(points, on_front, group, ideal, range))
        return;
    set_aim(asked, goals, points->k, ideal, range, &a);
    for (size_t r = 0; r < points->n; r++)
        if (on_front[r] && (!points->group || points->group[r] == group))
            ranks->miss[r] =
                msw_goal_miss(points, r, a.goal, a.scale, a.weight, &ranks->missed_by[r]);
}

static int find_misses(const msw_front_options *options, const msw_objectives *objectives,
                       const msw_points *points, msw_front_ranks *ranks, msw_err *err)
{
    aim asked;
    if (!options->goals && !options->weights)
        return 0;
    if (options->ranks > 1 || options->uncertain)
        return msw_fail(err, "--goals and --weights are about one front: leave %s out",
                        options->uncertain ? "--uncertain" : "--ranks");
    MSW_TRY(msw_objectives_values(objectives, "--goals", options->goals ? options->goals : "",
                                  asked.goal, err));
    MSW_TRY(read_weights(options, objectives, &asked, err));
    bool *on_front = mark_front(ranks, points->n);
    ranks->miss = malloc((points->n + 1) * sizeof *ranks->miss);
    ranks->missed_by = calloc(points->n + 1, sizeof *ranks->missed_by);
    int rc = on_front && ranks->miss && ranks->missed_by ? 0 : msw_fail_memory(err);
    for (uint32_t g = 0; rc == 0 && g < (points->group ? points->group_count : 1); g++)
        aim_group(points, on_front, g, &asked, options->goals != NULL, ranks);
    free(on_front);
    return rc;
}

/* ---- what intervals show ---- */

/* Confidence of the stored half-widths. */
static int half_confidence(const msw_sweep_info *sweep, double *confidence, msw_err *err)
{
    msw_outline outline;
    MSW_TRY(msw_outline_read(sweep->canonical, &outline, err));
    *confidence = outline.fidelity == MSW_ANALYTIC ? MSW_ERRORS_CONFIDENCE : outline.confidence;
    msw_outline_free(&outline);
    return 0;
}

/* Of the probabilities: they are known to a hundredth. */
enum { DRAWS = 2000 };

static int judge_rows(const msw_front *j, const msw_points *points, msw_standing **standing)
{
    const double *half[MSW_PARETO_OBJECTIVES];
    msw_uncertain table = {.points = points,
                           .half = half,
                           .confidence = j->options.confidence,
                           .draws = DRAWS,
                           .seed = 1};
    for (size_t i = 0; i < points->k; i++)
        half[i] = j->rows.values.columns[MSW_FRONT_OBJECTIVES + points->k + i].values;
    *standing = calloc(points->n + 1, sizeof **standing);
    if (!*standing)
        return msw_fail_memory(j->err);
    MSW_TRY(half_confidence(&j->input.sweep, &table.half_confidence, j->err));
    return msw_pareto_uncertain(&table, *standing, j->err);
}

bool msw_front_is_uncertain(const msw_standing *s)
{
    return s->verdict == MSW_FRONT_OPEN || s->verdict == MSW_FRONT_CERTAIN || s->sample_more;
}

/* ---- the front ---- */

static int rank_rows(msw_front *j)
{
    const msw_front_options *options = &j->options;
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(&j->rows, &j->input.objectives, columns);
    MSW_TRY(rank_all(&points, options->ranks, &j->ranks, j->err));
    j->ranks.count.ranked += j->rows.dropped.ranked;
    j->ranks.count.left_out += j->rows.dropped.left_out;
    if (options->knee)
        MSW_TRY(find_knees(&points, &j->ranks, j->err));
    MSW_TRY(count_repeats(&points, &j->ranks, j->err));
    MSW_TRY(thin_out(options, &points, &j->ranks, j->err));
    MSW_TRY(find_misses(options, &j->input.objectives, &points, &j->ranks, j->err));
    if (options->exclusive)
        MSW_TRY(msw_front_shares(j));
    return options->uncertain ? judge_rows(j, &points, &j->ranks.standing) : 0;
}

static bool is_chosen(const msw_front_ranks *ranks, const msw_front_options *options, size_t r)
{
    if (ranks->kept)
        return ranks->kept[r];
    return options->uncertain ? msw_front_is_uncertain(&ranks->standing[r])
                              : ranks->rank[r] >= 0 && ranks->rank[r] < options->ranks;
}

static int choose_rows(msw_front *j)
{
    msw_front_shown *shown = &j->shown;
    size_t n = j->rows.values.rows, k = 0;
    for (size_t r = 0; r < n; r++)
        shown->count += is_chosen(&j->ranks, &j->options, r);
    shown->rows = malloc((shown->count + 1) * sizeof *shown->rows);
    if (!shown->rows)
        return msw_fail_memory(j->err);
    for (size_t r = 0; r < n; r++)
        if (is_chosen(&j->ranks, &j->options, r))
            shown->rows[k++] = r;
    return 0;
}

static bool has_own_objectives(const msw_front_input *input)
{
    size_t same = 0;
    for (size_t i = 0; i < input->objectives.count; i++)
        for (size_t k = 0; k < input->sweep.objective_count; k++)
            same += strcmp(input->objectives.names[i], input->sweep.objectives[k].name) == 0 &&
                    input->objectives.goals[i] == input->sweep.objectives[k].goal;
    return same == input->objectives.count && same == input->sweep.objective_count;
}

/* Of a sweep that keeps the rows near its front, that front alone is known. */
static int check_kept(msw_front *j)
{
    const msw_front_options *o = &j->options;
    const msw_sweep_info *sweep = &j->input.sweep;
    msw_kept_rows *kept = &j->input.kept;
    MSW_TRY(msw_kept_rows_read(j->input.store, sweep, kept, j->err));
    if (!kept->chosen)
        return 0;
    MSW_TRY(msw_kept_rows_done(kept, sweep, j->err));
    bool other_groups = o->group_by && strcmp(o->group_by, "workload") != 0;
    const char *asked = !kept->front                     ? "for a front"
                        : o->filter                      ? "for the front of some points"
                        : !has_own_objectives(&j->input) ? "for other objectives"
                        : o->beyond                      ? "for rows beyond the limits"
                        : o->doubtful                    ? "for doubtful rows"
                        : o->uncertain                   ? "--uncertain"
                        : o->ranks > 1                   ? "for what is behind the front"
                        : other_groups                   ? "for other groups"
                                                         : NULL;
    return !asked ? 0
                  : msw_kept_rows_need(kept, sweep, asked,
                                       !kept->front ? "keep: {..., front: 5%}"
                                       : o->filter  ? "where: \"...\""
                                       : !has_own_objectives(&j->input)
                                           ? "objectives: {minimize: [...]}"
                                           : "keep: all",
                                       j->err);
}

int msw_front_find(msw_front *j)
{
    msw_front_input *input = &j->input;
    MSW_TRY(check_kept(j));
    MSW_TRY(msw_grouping_read(j->options.group_by, &input->grouping, j->err));
    MSW_TRY(read_rows(j));
    MSW_TRY(check_numbers(&j->rows, &input->objectives, j->err));
    MSW_TRY(find_groups(&input->grouping, &j->rows, j->err));
    MSW_TRY(rank_rows(j));
    return choose_rows(j);
}

void msw_front_free(msw_front *j)
{
    msw_grouping_free(&j->input.grouping);
    msw_table_free(&j->rows.values);
    msw_table_free(&j->shown.table);
    msw_sweep_info_free(&j->input.sweep);
    msw_objectives_free(&j->input.objectives);
    free(j->rows.group);
    free(j->ranks.rank);
    free(j->ranks.kept);
    free(j->ranks.miss);
    free(j->ranks.missed_by);
    free(j->ranks.share);
    free(j->ranks.standing);
    free(j->ranks.knees);
    free(j->shown.rows);
    free(j->input.narrowed);
}
