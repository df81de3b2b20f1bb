/* SPDX-License-Identifier: MIT */
#include "memsweep/results/density.h"

#include "memsweep/store/summary.h"

#include <math.h>

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
