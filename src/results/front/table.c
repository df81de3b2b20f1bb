/* SPDX-License-Identifier: MIT */
/* Shows a front as a table: reads the columns of the chosen rows, puts these in order, adds what
 * the analysis found, and joins lines that are alike. */
#include "memsweep/results/front.h"

#include "memsweep/base/sort.h"
#include "memsweep/base/text_check.h"
#include "memsweep/results/distinct.h"
#include "memsweep/results/reading.h"
#include "memsweep/sweep/outline.h"

#include <stdlib.h>
#include <string.h>

static int join_same_lines(msw_front *j, const msw_query *query)
{
    size_t *kept = malloc((j->shown.count + 1) * sizeof *kept);
    int rc = kept ? msw_distinct(j->input.store, query, &j->shown.table, kept, j->err)
                  : msw_fail_memory(j->err);
    for (size_t i = 0; rc == 0 && i < j->shown.table.rows; i++)
        j->shown.rows[i] = j->shown.rows[kept[i]];
    if (rc == 0)
        j->shown.count = j->shown.table.rows;
    free(kept);
    return rc;
}

static bool is_equal(const msw_front *j, size_t a, size_t b)
{
    bool same = !j->rows.group || j->rows.group[a] == j->rows.group[b];
    for (size_t i = 0; same && i < j->input.objectives.count; i++) {
        const double *values = j->rows.values.columns[MSW_FRONT_OBJECTIVES + i].values;
        same = values[a] == values[b];
    }
    return same;
}

/* A front that is thinned shows a point once: where lines of equal objectives differ otherwise, the
 * first represents them. */
static int keep_first(msw_front *j)
{
    size_t *order = malloc((j->shown.count + 1) * sizeof *order), count = 0;
    if (!order)
        return msw_fail_memory(j->err);
    for (size_t i = 0; i < j->shown.count; i++) {
        size_t k = 0;
        while (k < count && !is_equal(j, j->shown.rows[k], j->shown.rows[i]))
            k++;
        if (k < count)
            continue;
        order[count] = i;
        j->shown.rows[count++] = j->shown.rows[i];
    }
    j->shown.count = count;
    int rc = msw_table_keep_rows(&j->shown.table, order, count, j->err);
    free(order);
    return rc;
}

static int join_alike(msw_front *j, const msw_query *query)
{
    MSW_TRY(join_same_lines(j, query));
    MSW_TRY(j->options.thin && keep_first(j));
    return 0;
}

/* The list of columns to read, and what is in it already. */
typedef struct wanted {
    msw_text *out;
    msw_text names; /* each with a line end */
} wanted;

/* Adds a column or expression that is not there yet. */
static int want(void *context, const char *part, size_t size)
{
    wanted *w = context;
    char *line = msw_strfmt("\n%.*s\n", (int)size, part);
    if (!line || strstr(msw_text_str(&w->names), line)) {
        w->out->failed = w->out->failed || !line;
        free(line);
        return line ? 0 : -1;
    }
    msw_text_add(&w->names, "%s", line);
    msw_text_add(w->out, "%s%.*s", w->out->size ? ", " : "", (int)size, part);
    free(line);
    return 0;
}

static void want_name(wanted *w, const char *name)
{
    want(w, name, strlen(name));
}

/* What varies in the sweep: its workloads and the parameters of its factors. A mechanism has tens
 * of metrics, and a front is about the objectives. Of a sweep that this memsweep does not know
 * everything of, all columns are shown. */
static int add_factors(const msw_front *j, wanted *w)
{
    msw_outline outline;
    msw_err err = {0};
    if (msw_outline_read(j->input.sweep.canonical, &outline, &err)) {
        msw_text_clear(w->out);
        return err.kind == MSW_ERR_USAGE ? 0 : msw_fail_kind(j->err, err.kind, "%s", err.text);
    }
    if (outline.workload_count > 1)
        want_name(w, "workload");
    if (j->input.sweep.over && j->input.sweep.objective_count &&
        strstr(j->input.sweep.name, "@worst"))
        want_name(w, "decided_by");
    for (size_t f = 0; f < outline.factor_count; f++)
        for (size_t t = 0; t < outline.factors[f].target_count; t++)
            want_name(w, outline.factors[f].targets[t]->name);
    static const char *const CHOSEN[] = {"role", "round", "margin"};
    for (size_t i = 0; j->input.narrowed && i < 3; i++)
        want_name(w, CHOSEN[i]);
    msw_outline_free(&outline);
    return 0;
}

static int note_name(void *context, const char *part, size_t size)
{
    wanted *w = context;
    msw_text_add(&w->names, "\n%.*s\n", (int)size, part);
    return 0;
}

/* Leaves `out` empty for all columns. Where there are several fronts, what distinguishes them stays
 * in; what the user lists is left as it is. */
static int add_columns_wanted(const msw_front *j, msw_text *out)
{
    wanted w = {.out = out};
    int rc = 0;
    if (j->options.columns && strcmp(j->options.columns, "all") == 0)
        return 0;
    want_name(&w, "point");
    for (size_t i = 0; i < j->input.objectives.count; i++)
        want_name(&w, j->input.objectives.names[i]);
    if (j->options.columns)
        msw_list_each(j->options.columns, note_name, &w);
    for (size_t i = 0; i < j->input.grouping.count && j->rows.group_count > 1; i++)
        want_name(&w, j->input.grouping.names[i]);
    if (j->options.columns)
        msw_text_add(out, ", %s", j->options.columns);
    else
        rc = add_factors(j, &w);
    if (rc == 0)
        rc = msw_text_check(&w.names, j->err);
    if (rc == 0)
        rc = msw_text_check(out, j->err);
    msw_text_free(&w.names);
    return rc;
}

static msw_row_id *chosen_row_ids(const msw_front *j)
{
    msw_row_id *row_ids = malloc((j->shown.count + 1) * sizeof *row_ids);
    for (size_t i = 0; row_ids && i < j->shown.count; i++) {
        size_t r = j->shown.rows[i];
        row_ids[i] = (msw_row_id){(uint64_t)j->rows.values.columns[MSW_FRONT_POINT].values[r],
                                  (uint64_t)j->rows.values.columns[MSW_FRONT_ROW_ID].values[r]};
    }
    return row_ids;
}

/* They come in the order of the plan, which is that of `chosen`. */
static int read_shown(msw_front *j)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_row_id *row_ids = chosen_row_ids(j);
    int rc = row_ids ? add_columns_wanted(j, &columns) : msw_fail_memory(j->err);
    msw_query query = {.sweep = j->input.sweep.name,
                       .columns = columns.size ? columns.data : NULL,
                       .limit = -1,
                       .row_ids = row_ids,
                       .row_id_count = j->shown.count};
    if (rc == 0)
        rc = msw_store_read(j->input.store, &query, &j->shown.table, j->err);
    if (rc == 0 && j->shown.table.rows != j->shown.count)
        rc = msw_fail_kind(j->err, MSW_ERR_IO, "the file changed while it was read: try again");
    if (rc == 0 && j->options.distinct)
        rc = join_alike(j, &query);
    msw_text_free(&columns);
    free(row_ids);
    return rc;
}

static int add_column(msw_front *j, const char *name, size_t to,
                      double (*value)(const msw_front *, size_t))
{
    int c = msw_table_add_column(&j->shown.table, name, "", MSW_GOAL_NONE, j->err);
    if (c < 0)
        return -1;
    for (size_t i = 0; i < j->shown.count; i++)
        j->shown.table.columns[c].values[i] = value(j, j->shown.rows[i]);
    msw_table_move_column(&j->shown.table, (size_t)c, to);
    return 0;
}

static double rank_of(const msw_front *j, size_t row)
{
    return j->ranks.rank[row];
}

static double knee_of(const msw_front *j, size_t row)
{
    return j->ranks.knees[j->rows.group ? j->rows.group[row] : 0].row == row;
}

static double miss_of(const msw_front *j, size_t row)
{
    return j->ranks.miss[row];
}

static double share_of(const msw_front *j, size_t row)
{
    return j->ranks.share[row];
}

static double probability_of(const msw_front *j, size_t row)
{
    return j->ranks.standing[row].probability;
}

static double certain_of(const msw_front *j, size_t row)
{
    return j->ranks.standing[row].verdict == MSW_FRONT_CERTAIN;
}

static double measured_of(const msw_front *j, size_t row)
{
    return j->ranks.rank[row] == 0;
}

static double sample_of(const msw_front *j, size_t row)
{
    return j->ranks.standing[row].sample_more;
}

static int add_uncertain(msw_front *j, size_t *front)
{
    MSW_TRY(add_column(j, "probability", (*front)++, probability_of));
    MSW_TRY(add_column(j, "certain", (*front)++, certain_of));
    MSW_TRY(add_column(j, "measured_front", (*front)++, measured_of));
    MSW_TRY(add_column(j, "sample_more", (*front)++, sample_of));
    return 0;
}

/* The objective that decides by how much a row misses its goals. */
static int add_missed_by(msw_front *j, size_t to)
{
    if (msw_table_text_column(&j->shown.table, "missed_by", j->err))
        return -1;
    size_t c = j->shown.table.column_count - 1;
    msw_column *column = &j->shown.table.columns[c];
    for (size_t i = 0; i < j->shown.count; i++) {
        int label = msw_column_label(
            column, j->input.objectives.names[j->ranks.missed_by[j->shown.rows[i]]], j->err);
        if (label < 0)
            return -1;
        column->values[i] = label;
    }
    msw_table_move_column(&j->shown.table, c, to);
    return 0;
}

static int add_miss(msw_front *j, size_t *front)
{
    MSW_TRY(add_column(j, "miss", (*front)++, miss_of));
    return add_missed_by(j, (*front)++);
}

/* Objectives lead, after what the analysis adds. */
static int add_columns(msw_front *j)
{
    size_t front = 0;
    if ((j->options.ranks > 1 && add_column(j, "rank", front++, rank_of)) ||
        (j->options.knee && add_column(j, "knee", front++, knee_of)) ||
        (j->ranks.miss && add_miss(j, &front)) ||
        (j->options.exclusive && add_column(j, "exclusive", front++, share_of)) ||
        (j->options.uncertain && add_uncertain(j, &front)))
        return -1;
    for (size_t i = 0; i < j->input.objectives.count; i++) {
        int c = msw_table_find(&j->shown.table, j->input.objectives.names[i]);
        if (c >= (int)front)
            msw_table_move_column(&j->shown.table, (size_t)c, front++);
    }
    return 0;
}

/* ---- order ---- */

typedef struct sort_key {
    uint32_t group;
    int32_t rank;
    double value;
    size_t at; /* in `chosen` */
} sort_key;

static int compare(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static void find_keys(const msw_front *j, sort_key *row_ids)
{
    double sign = j->input.objectives.goals[0] == MSW_GOAL_HIGHER ? -1 : 1;
    for (size_t i = 0; i < j->shown.count; i++) {
        size_t r = j->shown.rows[i];
        row_ids[i] = (sort_key){
            j->rows.group ? j->rows.group[r] : 0, j->options.uncertain ? 0 : j->ranks.rank[r],
            j->ranks.miss ? j->ranks.miss[r]
                          : sign * j->rows.values.columns[MSW_FRONT_OBJECTIVES].values[r],
            i};
    }
    msw_sort(row_ids, j->shown.count, sizeof *row_ids, compare);
}

static int sort_rows(msw_front *j)
{
    size_t n = j->shown.count;
    sort_key *row_ids = malloc((n + 1) * sizeof *row_ids);
    size_t *order = malloc((n + 1) * sizeof *order), *chosen = malloc((n + 1) * sizeof *chosen);
    int rc = row_ids && order && chosen ? 0 : msw_fail_memory(j->err);
    if (rc == 0) {
        find_keys(j, row_ids);
        for (size_t i = 0; i < n; i++) {
            order[i] = row_ids[i].at;
            chosen[i] = j->shown.rows[row_ids[i].at];
        }
        rc = msw_table_keep_rows(&j->shown.table, order, n, j->err);
        free(j->shown.rows);
        j->shown.rows = chosen;
        chosen = NULL;
    }
    free(row_ids);
    free(order);
    free(chosen);
    return rc;
}

int msw_front_show(msw_front *j)
{
    MSW_TRY(read_shown(j));
    MSW_TRY(sort_rows(j));
    MSW_TRY(add_columns(j));
    return 0;
}
