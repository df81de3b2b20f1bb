/* SPDX-License-Identifier: MIT */
/* Rows become cases. */
#include "memsweep/results/cases.h"
#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/format/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DESIGN, Y, STATUS, WORKLOAD, DOUBT, FIXED_COLUMNS };

/* ---- reading ---- */

static void add_targets(const msw_cases *s, msw_text *out)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (!s->ask.factors && f < s->outline.factor_count)
            for (size_t t = 0; t < s->outline.factors[f].target_count; t++)
                msw_text_add(out, ", %s", s->outline.factors[f].targets[t]->name);
        else
            msw_text_add(out, ", %s", s->factors[f].name);
}

/* A metric measured in part has a half-width; an expression of several has none. */
static bool has_half_width(const msw_cases *s)
{
    const msw_metric *metrics = s->outline.mech->metrics;
    for (size_t m = 0; s->outline.fidelity == MSW_SAMPLED && metrics[m].name; m++)
        if (strcmp(metrics[m].name, s->metric) == 0)
            return true;
    return false;
}

static int read_table(msw_cases *s)
{
    msw_text columns = MSW_TEXT_EMPTY;
    MSW_TRY(
        msw_kept_rows_sample(s->store, &s->sweep, &s->ask.filter, &s->narrowed, &s->kept, s->err));
    msw_text_add(&columns, "design_index, %s AS y_value, status, workload, " MSW_DOUBT_NAME,
                 s->metric);
    add_targets(s, &columns);
    if (has_half_width(s))
        msw_text_add(&columns, ", %s_hw AS y_half_width", s->metric);
    msw_grouping_add(&s->grouping, &columns); /* these are last */
    msw_query query = {.sweep = s->sweep.name,
                       .columns = msw_text_str(&columns),
                       .filter = s->ask.filter,
                       .limit = -1,
                       .within_limits = !s->ask.beyond};
    int rc = columns.failed ? msw_fail_memory(s->err)
                            : msw_store_read(s->store, &query, &s->table, s->err);
    if (rc == 0)
        rc = msw_store_left_out(s->store, &query, &s->left_out, s->err);
    msw_text_free(&columns);
    if (rc == 0 && s->table.columns[Y].labels)
        return msw_fail(s->err, "'%s' is a text: only numbers can be studied", s->metric);
    return rc == 0 && s->table.rows == 0
               ? msw_fail(s->err, "no rows of sweep '%s'%s", s->sweep.name,
                          s->ask.filter        ? " pass the filter"
                          : s->left_out.beyond ? " keep its limits"
                                               : " yet")
               : rc;
}

static bool has_label(const msw_column *column, size_t row, const char *label)
{
    return column->labels && !isnan(column->values[row]) &&
           strcmp(column->labels[(size_t)column->values[row]], label) == 0;
}

static bool is_doubtful(const msw_cases *s, size_t row)
{
    const msw_column *doubt = &s->table.columns[DOUBT];
    return doubt->labels && !isnan(doubt->values[row]) && !s->ask.doubtful;
}

/* They have no value, rather than no row: a mean over workloads then has none either. */
static void leave_out_doubtful(msw_cases *s)
{
    double *y = s->table.columns[Y].values;
    for (size_t r = 0; r < s->table.rows; r++)
        if (is_doubtful(s, r)) {
            s->left_out.doubtful += !isnan(y[r]);
            y[r] = NAN;
        }
}

static void count_reasons(msw_cases *s)
{
    const msw_column *status = &s->table.columns[STATUS];
    for (size_t r = 0; r < s->table.rows; r++) {
        if (!isnan(s->table.columns[Y].values[r]) || is_doubtful(s, r))
            continue;
        if (has_label(status, r, "ok"))
            s->undefined++;
        else if (has_label(status, r, "missing"))
            s->absent++;
        else if (has_label(status, r, "infeasible"))
            s->infeasible++;
        else
            s->failed++;
    }
}

/* ---- cases ---- */

typedef struct sort_key {
    uint32_t group;
    double design, extra; /* extra: the workload, where it is a factor */
    size_t row;
} sort_key;

static int compare(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->design != y->design)
        return x->design < y->design ? -1 : 1;
    if (x->extra != y->extra)
        return x->extra < y->extra ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

static bool same_case(const sort_key *a, const sort_key *b)
{
    return a->group == b->group && a->design == b->design && a->extra == b->extra;
}

static bool workload_is_factor(const msw_cases *s)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (strcmp(s->factors[f].name, "workload") == 0)
            return true;
    return false;
}

static int find_groups(msw_cases *s, uint32_t *group)
{
    if (msw_grouping_number(&s->grouping, &s->table, group, s->err))
        return -1;
    s->group_count = s->grouping.groups;
    return 0;
}

static int sort_rows(msw_cases *s, sort_key *sort_keys)
{
    size_t n = s->table.rows;
    bool apart = workload_is_factor(s);
    uint32_t *group = malloc((n + 1) * sizeof *group);
    int rc = group ? find_groups(s, group) : msw_fail_memory(s->err);
    for (size_t r = 0; rc == 0 && r < n; r++)
        sort_keys[r] = (sort_key){group[r], s->table.columns[DESIGN].values[r],
                                  apart ? s->table.columns[WORKLOAD].values[r] : 0, r};
    if (rc == 0)
        msw_sort(sort_keys, n, sizeof *sort_keys, compare);
    free(group);
    return rc;
}

static size_t case_end(const sort_key *sort_keys, size_t n, size_t first)
{
    size_t end = first + 1;
    while (end < n && same_case(&sort_keys[first], &sort_keys[end]))
        end++;
    return end;
}

/* The mean of an incomplete case would be one of other workloads than its neighbours'. */
static void add_case(msw_cases *s, const sort_key *sort_keys, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += s->table.columns[Y].values[sort_keys[i].row];
    s->absent += s->most - (end - first);
    s->row[s->n] = sort_keys[first].row;
    s->y[s->n] = end - first < s->most ? NAN : sum / (double)(end - first);
    s->design[s->n] = (uint64_t)sort_keys[first].design;
    s->group[s->n++] = sort_keys[first].group;
}

/* Workloads and replicates draw from streams of their own: the mean's variance is theirs, shared.
 */
static void add_noise(msw_cases *s, const sort_key *sort_keys, size_t first, size_t end)
{
    double squares = 0, count = (double)(end - first);
    double normal = msw_math_normal_quantile((1 + s->outline.confidence) / 2);
    size_t column = s->table.column_count - s->grouping.count - 1;
    for (size_t i = first; i < end; i++) {
        double half = s->table.columns[column].values[sort_keys[i].row];
        squares += isnan(half) ? 0 : half * half;
    }
    s->noise[s->n] = sqrt(squares) / count / normal;
}

static void make_cases(msw_cases *s, const sort_key *sort_keys)
{
    size_t n = s->table.rows;
    for (size_t i = 0, end; i < n; i = end) {
        end = case_end(sort_keys, n, i);
        s->most = end - i > s->most ? end - i : s->most;
    }
    for (size_t i = 0, end; i < n; i = end) {
        end = case_end(sort_keys, n, i);
        if (s->noise)
            add_noise(s, sort_keys, i, end);
        add_case(s, sort_keys, i, end);
    }
}

static int find_cases(msw_cases *s)
{
    size_t n = s->table.rows + 1;
    sort_key *sort_keys = malloc(n * sizeof *sort_keys);
    s->row = malloc(n * sizeof *s->row);
    s->y = malloc(n * sizeof *s->y);
    s->noise = has_half_width(s) ? malloc(n * sizeof *s->noise) : NULL;
    s->design = malloc(n * sizeof *s->design);
    s->group = malloc(n * sizeof *s->group);
    bool there =
        sort_keys && s->row && s->y && s->design && s->group && (s->noise || !has_half_width(s));
    int rc = there ? sort_rows(s, sort_keys) : msw_fail_memory(s->err);
    if (rc == 0)
        make_cases(s, sort_keys);
    free(sort_keys);
    return rc;
}

static int find_group_ends(msw_cases *s)
{
    s->group_first = calloc(s->group_count + 1, sizeof *s->group_first);
    if (!s->group_first)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < s->n; i++)
        s->group_first[s->group[i] + 1] = i + 1;
    return 0;
}

/* ---- all of it ---- */

int msw_cases_open(const msw_context *context, const char *file, const char *sweep,
                   msw_store_mode mode, msw_cases *s)
{
    MSW_TRY(msw_open_database(context, file, mode, &s->store, s->err));
    return msw_store_sweep(s->store, sweep, &s->sweep, s->err);
}

/* Without a word: the only objective of the sweep, or what sampling settles. */
static int choose_metric(msw_cases *s)
{
    const char *metric = s->ask.metric;
    if (!metric)
        metric =
            s->sweep.objective_count == 1 ? s->sweep.objectives[0].name : s->outline.mech->primary;
    s->metric = msw_strdup(metric);
    return s->metric ? 0 : msw_fail_memory(s->err);
}

/* Where points at full are mixed with points by the closed form, the difference of the models would
 * pass for an effect of the factors. */
static int refuse_mixed(const msw_cases *s)
{
    if (!s->outline.automatic)
        return 0;
    return msw_fail(
        s->err,
        "%s: its rows are of two fidelities, from which no effect can be computed: take "
        "those of the closed form, -s %.*s@auto-analytic",
        s->sweep.name, (int)strcspn(s->sweep.name, "@"), s->sweep.name);
}

int msw_cases_choose(msw_cases *s)
{
    if (s->metric)
        return 0;
    MSW_TRY(msw_outline_read(s->sweep.canonical, &s->outline, s->err));
    MSW_TRY(refuse_mixed(s));
    return choose_metric(s);
}

/* Of 10^7 rows these are 400 MB, and all that they say is in the cases by now. */
static void drop_fixed_columns(msw_cases *s)
{
    for (int c = 0; c < FIXED_COLUMNS; c++) {
        free(s->table.columns[c].values);
        s->table.columns[c].values = NULL;
    }
}

int msw_cases_read(msw_cases *s)
{
    if (msw_cases_choose(s) || msw_grouping_read(s->ask.group_by, &s->grouping, s->err) ||
        msw_cases_name_factors(s) || read_table(s))
        return -1;
    leave_out_doubtful(s); /* before their values go into cases */
    if (find_cases(s) || find_group_ends(s))
        return -1;
    count_reasons(s);
    drop_fixed_columns(s);
    return msw_cases_locate_factors(s);
}

void msw_cases_free(msw_cases *s)
{
    free(s->narrowed);
    msw_cases_free_factors(s);
    msw_grouping_free(&s->grouping);
    msw_outline_free(&s->outline);
    msw_sweep_info_free(&s->sweep);
    msw_table_free(&s->table);
    free(s->metric);
    free(s->row);
    free(s->y);
    free(s->noise);
    free(s->design);
    free(s->group);
    free(s->group_first);
}

static void add_count(size_t count, const char *what, const char **before, msw_text *out)
{
    char text[32];
    if (!count)
        return;
    msw_text_add(out, "%s%s %s", *before, msw_count_text(count, text), what);
    *before = ", ";
}

void msw_cases_note(const msw_cases *s, msw_text *out)
{
    if (s->kept.chosen) {
        msw_kept_rows_note(&s->kept, out);
        msw_text_add(out, "; the random ones are looked at\n");
    }
    char rows[32], cases[32];
    const char *before = "; without a value: ";
    msw_text_add(out, "%s of %s: %s rows", s->metric, s->sweep.name,
                 msw_count_text(s->table.rows, rows));
    if (s->most > 1)
        msw_text_add(out, ", %s points, each the mean over %zu workloads or replicates",
                     msw_count_text(s->n, cases), s->most);
    add_count(s->failed, "failed", &before, out);
    add_count(s->infeasible, "infeasible", &before, out);
    add_count(s->undefined, "not defined", &before, out);
    add_count(s->absent, "not there", &before, out);
    if (s->left_out.beyond)
        msw_text_add(out, "; %s beyond the limits of the sweep left out",
                     msw_count_text(s->left_out.beyond, rows));
    msw_doubtful_note(s->left_out.doubtful, out);
    msw_unknown_note(&s->left_out, out);
    if (s->sweep.over)
        msw_text_add(out, "; rows are designs over their workloads (%s)",
                     msw_sweep_over_word(&s->sweep));
    if (s->outline.conditional)
        msw_text_add(out, "\nsampling is conditional: base rows or trajectories that break 'where' "
                          "were left out, so the indices hold for what remains and factors in it "
                          "may depend on one another");
}
