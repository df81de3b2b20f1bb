/* SPDX-License-Identifier: MIT */
/* The front over workloads, for any number of rows: each design by the worst of its workloads, in
 * one pass over the rows. What is kept of a design are its objectives and which workload decides,
 * where a view over workloads groups all columns of all rows. */
#include "report/over.h"

#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };
enum { POINT, ROW_ID, DESIGN, REPLICATE, WORKLOAD, FIRST };

typedef struct design {
    uint64_t point, row; /* of its first row */
    uint32_t met;        /* workloads that have all objectives */
    uint32_t decides;    /* the workload that the first objective is worst for */
} design;

typedef struct worst {
    msw_report *r;
    const msw_objectives *objectives;
    size_t count, workloads, replicates;
    design *designs;
    double *values[MSW_PARETO_OBJECTIVES];
    bool *on_front;
} worst;

static size_t find_workload(const worst *w, const char *name)
{
    size_t i = 0;
    while (i < w->workloads && strcmp(w->r->plot.outline.workload_names[i], name) != 0)
        i++;
    return i;
}

static bool is_worse(const worst *w, size_t objective, double value, double than)
{
    return w->objectives->goals[objective] == MSW_GOAL_HIGHER ? value < than : value > than;
}

/* Of workloads that are equally bad the first by name decides. */
static bool decides(const worst *w, const design *d, size_t workload, double value, double before)
{
    char **names = w->r->plot.outline.workload_names;
    return d->met == 0 || is_worse(w, 0, value, before) ||
           (value == before && strcmp(names[workload], names[d->decides]) < 0);
}

static void take_row(worst *w, size_t at, const msw_table *block, size_t row, size_t workload)
{
    design *d = &w->designs[at];
    for (size_t i = 0; i < w->objectives->count; i++)
        if (isnan(block->columns[FIRST + i].values[row]))
            return;
    double first = block->columns[FIRST].values[row];
    if (decides(w, d, workload, first, w->values[0][at]))
        d->decides = (uint32_t)workload;
    if (d->met == 0) {
        d->point = (uint64_t)block->columns[POINT].values[row];
        d->row = (uint64_t)block->columns[ROW_ID].values[row];
    }
    for (size_t i = 0; i < w->objectives->count; i++) {
        double value = block->columns[FIRST + i].values[row];
        if (d->met == 0 || is_worse(w, i, value, w->values[i][at]))
            w->values[i][at] = value;
    }
    d->met++;
}

static int take_block(void *context, const msw_table *block, msw_err *err)
{
    worst *w = context;
    const msw_column *names = &block->columns[WORKLOAD];
    for (size_t row = 0; row < block->rows; row++) {
        double at = block->columns[DESIGN].values[row] * (double)w->replicates +
                    block->columns[REPLICATE].values[row];
        size_t workload =
            names->labels ? find_workload(w, names->labels[(size_t)names->values[row]]) : SIZE_MAX;
        if (!(at >= 0 && at < (double)w->count) || workload >= w->workloads)
            return msw_fail(err, "rows that the plan does not have");
        take_row(w, (size_t)at, block, row, workload);
    }
    return 0;
}

static int allocate_worst(worst *w, msw_err *err)
{
    w->designs = calloc(w->count + 1, sizeof *w->designs);
    w->on_front = calloc(w->count + 1, sizeof *w->on_front);
    bool there = w->designs && w->on_front;
    for (size_t i = 0; i < w->objectives->count; i++) {
        w->values[i] = calloc(w->count + 1, sizeof **w->values);
        there = there && w->values[i];
    }
    return there ? 0 : msw_fail_memory(err);
}

static int read_rows(worst *w, msw_err *err)
{
    const msw_plot *p = &w->r->plot;
    msw_text columns = MSW_TEXT_EMPTY;
    msw_text_add(&columns, "point, row_id, design_index, replicate, workload");
    for (size_t i = 0; i < w->objectives->count; i++)
        msw_text_add(&columns, ", %s", w->objectives->names[i]);
    msw_query query = {.sweep = p->sweep.name,
                       .columns = msw_text_str(&columns),
                       .limit = -1,
                       .within_limits = !p->options.beyond,
                       .trusted = !p->options.doubtful};
    int rc = columns.failed ? msw_fail_memory(err)
                            : msw_store_read_blocks(p->store, &query, BLOCK, take_block, w, err);
    msw_text_free(&columns);
    return rc;
}

/* A design has a value only where every workload has one. */
static int find_front(worst *w, size_t *count, msw_err *err)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    bool *valid = calloc(w->count + 1, sizeof *valid);
    msw_pareto_count counts = {0};
    if (!valid)
        return msw_fail_memory(err);
    for (size_t i = 0; i < w->objectives->count; i++)
        columns[i] = w->values[i];
    for (size_t at = 0; at < w->count; at++)
        valid[at] = w->designs[at].met == w->workloads;
    msw_points points = {.n = w->count,
                         .k = (unsigned)w->objectives->count,
                         .columns = columns,
                         .goals = w->objectives->goals,
                         .valid = valid};
    int rc = msw_pareto_front(&points, w->on_front, &counts, err);
    *count = counts.front;
    free(valid);
    return rc;
}

/* ---- the table ---- */

typedef struct line {
    size_t at;
    double value;
    uint64_t point;
} line;

static int compare(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static line *sort_front(const worst *w, size_t count)
{
    double sign = w->objectives->goals[0] == MSW_GOAL_HIGHER ? -1 : 1;
    line *lines = malloc((count + 1) * sizeof *lines);
    size_t n = 0;
    for (size_t at = 0; lines && at < w->count && n < count; at++)
        if (w->on_front[at])
            lines[n++] = (line){at, sign * w->values[0][at], w->designs[at].point};
    if (lines)
        msw_sort(lines, n, sizeof *lines, compare);
    return lines;
}

/* What the designs are: the factors of their first rows, by point. */
static int read_factors(const worst *w, const line *lines, size_t n, msw_table *factors,
                        msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_row_id *ids = malloc((n + 1) * sizeof *ids);
    msw_text_add(&columns, "point");
    for (size_t c = 0; c < w->r->chosen.table.column_count; c++)
        if (msw_report_is_factor(w->r, w->r->chosen.table.columns[c].name))
            msw_text_add(&columns, ", %s", w->r->chosen.table.columns[c].name);
    for (size_t i = 0; ids && i < n; i++)
        ids[i] = (msw_row_id){w->designs[lines[i].at].point, w->designs[lines[i].at].row};
    msw_query query = {.sweep = w->r->plot.sweep.name,
                       .columns = msw_text_str(&columns),
                       .row_ids = ids,
                       .row_id_count = n};
    int rc = !ids || columns.failed ? msw_fail_memory(err)
                                    : msw_store_read(w->r->plot.store, &query, factors, err);
    msw_text_free(&columns);
    free(ids);
    return rc;
}

static void add_factors(const msw_table *factors, uint64_t point, msw_table_builder *builder)
{
    size_t row = 0;
    while (row < factors->rows && (uint64_t)factors->columns[0].values[row] != point)
        row++;
    for (size_t c = 1; c < factors->column_count && row < factors->rows; c++)
        msw_builder_cell(builder, &factors->columns[c], row);
}

static int add_lines(const worst *w, const line *lines, size_t n, msw_table_builder *builder)
{
    msw_table factors = {0};
    if (read_factors(w, lines, n, &factors, builder->err))
        return -1;
    for (size_t i = 0; i < n; i++) {
        const design *d = &w->designs[lines[i].at];
        msw_builder_row(builder);
        for (size_t o = 0; o < w->objectives->count; o++)
            msw_builder_number(builder, w->objectives->names[o], w->values[o][lines[i].at]);
        msw_builder_count(builder, "point", d->point);
        msw_builder_text(builder, "decided_by", w->r->plot.outline.workload_names[d->decides]);
        add_factors(&factors, d->point, builder);
    }
    msw_table_free(&factors);
    return builder->failed ? -1 : 0;
}

int report_over_find(msw_report *r, const msw_objectives *objectives, size_t most,
                     msw_table_builder *builder, size_t *count)
{
    worst w = {.r = r,
               .objectives = objectives,
               .workloads = r->plot.workloads,
               .replicates = r->plot.outline.replicates ? r->plot.outline.replicates : 1};
    w.count = (size_t)(r->plot.sweep.points / w.workloads);
    line *lines = NULL;
    int rc = allocate_worst(&w, builder->err) || read_rows(&w, builder->err) ||
             find_front(&w, count, builder->err);
    if (!rc && !(lines = sort_front(&w, *count)))
        rc = msw_fail_memory(builder->err);
    if (!rc)
        rc = add_lines(&w, lines, *count < most ? *count : most, builder);
    free(lines);
    free(w.designs);
    free(w.on_front);
    for (size_t i = 0; i < objectives->count; i++)
        free(w.values[i]);
    return rc ? -1 : 0;
}
