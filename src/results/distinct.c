/* SPDX-License-Identifier: MIT */
/* What can be said of all points: which designs differ in nothing, and how metrics are distributed.
 * */
#include "memsweep/results/distinct.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text_check.h"
#include "memsweep/results/density.h"
#include "memsweep/store/summary.h"
#include "memsweep/sweep/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what has to be equal ---- */

static int list_metrics(msw_store *store, const msw_query *query, msw_text *columns, msw_err *err)
{
    msw_query none = {.sweep = query->sweep, .no_rows = true};
    msw_sweep_info info;
    msw_table table = {0};
    if (msw_store_sweep(store, query->sweep, &info, err))
        return -1;
    msw_outline outline = {0};
    int result = msw_outline_read(info.canonical, &outline, err);
    if (result == 0)
        result = msw_store_read(store, &none, &table, err);
    msw_text_add(columns, "workload, status");
    for (size_t c = 0; c < table.column_count; c++)
        if (msw_metrics_find(outline.mech->metrics, table.columns[c].name) >= 0)
            msw_text_add(columns, ", %s", table.columns[c].name);
    msw_table_free(&table);
    msw_outline_free(&outline);
    msw_sweep_info_free(&info);
    return result;
}

static int read_metrics(msw_store *store, const msw_query *query, msw_table *metrics, msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_query same = *query;
    int result = list_metrics(store, query, &columns, err);
    same.columns = msw_text_str(&columns);
    if (result == 0)
        result = msw_text_check(&columns, err);
    if (result == 0)
        result = msw_store_read(store, &same, metrics, err);
    msw_text_free(&columns);
    return result;
}

/* ---- which rows are alike ---- */

typedef struct mark {
    msw_digest digest;
    size_t row;
} mark;

static int compare(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    int order = memcmp(&x->digest, &y->digest, sizeof x->digest);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Text by its number, which is the same for the same text; a row that is not ok is like no other.
 */
static void mark_rows(const msw_table *metrics, double *values, mark *marks)
{
    for (size_t r = 0; r < metrics->rows; r++) {
        const msw_column *status = &metrics->columns[1];
        bool ok = status->labels && !isnan(status->values[r]) &&
                  strcmp(status->labels[(size_t)status->values[r]], "ok") == 0;
        for (size_t c = 0; c < metrics->column_count; c++)
            values[c] = metrics->columns[c].values[r];
        values[1] = ok ? -1 : (double)r;
        marks[r] = (mark){msw_hash_bytes(values, metrics->column_count * sizeof *values), r};
    }
    msw_sort(marks, metrics->rows, sizeof *marks, compare);
}

static bool is_alike(const mark *a, const mark *b)
{
    return memcmp(&a->digest, &b->digest, sizeof a->digest) == 0;
}

/* ---- one line of them ---- */

static void blank_differences(msw_table *rows, size_t kept, size_t other, size_t own)
{
    for (size_t c = 0; c < own; c++) {
        msw_column *column = &rows->columns[c];
        if (column->values[kept] != column->values[other] && strcmp(column->name, "point") != 0 &&
            strcmp(column->name, "row_id") != 0)
            column->values[kept] = NAN;
    }
}

/* The marks of alike rows are neighbours, the first row first. */
static int join(msw_table *rows, const mark *marks, size_t *kept, msw_err *err)
{
    size_t own = rows->column_count, count = 0;
    int alike = msw_table_add_column(rows, "alike", "", MSW_GOAL_NONE, err);
    if (alike < 0)
        return -1;
    rows->columns[alike].integer = true;
    for (size_t i = 0, next; i < rows->rows; i = next) {
        for (next = i + 1; next < rows->rows && is_alike(&marks[i], &marks[next]); next++)
            blank_differences(rows, marks[i].row, marks[next].row, own);
        rows->columns[alike].values[marks[i].row] = (double)(next - i);
        kept[count++] = marks[i].row;
    }
    msw_sort_size(kept, count);
    return msw_table_keep_rows(rows, kept, count, err);
}

static int find_and_join(const msw_table *metrics, msw_table *rows, size_t *out, msw_err *err)
{
    size_t n = rows->rows;
    if (metrics->rows != n)
        return msw_fail_kind(err, MSW_ERR_IO, "the file changed while it was read: try again");
    mark *marks = malloc((n + 1) * sizeof *marks);
    size_t *kept = malloc((n + 1) * sizeof *kept);
    double *values = malloc((metrics->column_count + 1) * sizeof *values);
    int result = marks && kept && values ? 0 : msw_fail_memory(err);
    if (result == 0) {
        mark_rows(metrics, values, marks);
        result = join(rows, marks, kept, err);
        if (result == 0 && out)
            memcpy(out, kept, rows->rows * sizeof *out);
    }
    free(marks);
    free(kept);
    free(values);
    return result;
}

int msw_distinct(msw_store *store, const msw_query *query, msw_table *rows, size_t *kept,
                 msw_err *err)
{
    msw_table metrics = {0};
    if (read_metrics(store, query, &metrics, err))
        return -1;
    int result = find_and_join(&metrics, rows, kept, err);
    msw_table_free(&metrics);
    return result;
}

static const struct {
    const char *name;
    double share;
} QUANTILES[] = {{"p1", 0.01},  {"p5", 0.05},  {"p25", 0.25}, {"median", 0.5},
                 {"p75", 0.75}, {"p95", 0.95}, {"p99", 0.99}};

static void add_row(msw_table_builder *b, const char *workload, const char *metric, size_t size,
                    const msw_census_cell *cell, const msw_histogram *histogram)
{
    msw_text name = MSW_TEXT_EMPTY;
    double n = (double)cell->n;
    msw_text_add(&name, "%.*s", (int)size, metric);
    msw_builder_row(b);
    msw_builder_text(b, "workload", workload);
    msw_builder_made(b, "metric", &name);
    msw_builder_count(b, "points", cell->n);
    msw_text_free(&name);
    if (!cell->n)
        return;
    msw_builder_number(b, "mean", msw_sum_mean(&cell->sum, cell->n));
    msw_builder_number(b, "deviation",
                       sqrt(msw_sum_about_mean(&cell->sum, &cell->squares, cell->n) / n));
    msw_builder_number(b, "least", cell->least);
    for (size_t q = 0; q < sizeof QUANTILES / sizeof *QUANTILES; q++)
        msw_builder_number(
            b, QUANTILES[q].name,
            fmin(fmax(msw_histogram_quantile(histogram, QUANTILES[q].share), cell->least),
                 cell->most));
    msw_builder_number(b, "most", cell->most);
}

static int add_workload(const msw_forest *forest, size_t workload, const char *name,
                        const char *canonical, msw_table_builder *builder, msw_err *err)
{
    const msw_census_shape *shape = &forest->shape;
    msw_census *all = msw_forest_whole(forest, workload, err);
    size_t size;
    if (!all)
        return -1;
    for (size_t m = 0; m < shape->metrics; m++) {
        const char *metric = msw_keep_summarised(canonical, m, &size);
        if (metric)
            add_row(builder, name, metric, size, &all->moments[m * shape->cells],
                    &all->histograms[m * shape->cells]);
    }
    msw_census_free(all);
    return 0;
}

int msw_density_find(msw_store *store, const msw_sweep_info *sweep, char *const *workloads,
                     size_t workload_count, msw_table_builder *builder, msw_err *err)
{
    msw_forest forest = {0};
    int rc = msw_forest_read(&forest, store, sweep->id, workload_count, err);
    for (size_t w = 0; rc == 0 && w < workload_count; w++)
        rc = add_workload(&forest, w, workloads[w], sweep->canonical, builder, err);
    msw_forest_close(&forest);
    return rc || builder->failed ? -1 : 0;
}
