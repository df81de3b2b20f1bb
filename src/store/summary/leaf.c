/* SPDX-License-Identifier: MIT */
/* Summarises a leaf, point after point. Factors that do not change for long (of a grid those before
 * the last) are counted once for a block of points between which they are the same. */
#include "memsweep/store/leaf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of a block of a grid, at most: its inner factors have so many combinations. */
enum { BLOCK_MOST = 4096 };

struct msw_scan {
    const msw_plan *plan;
    const msw_census_shape *shape;
    msw_deciding *deciding;
    size_t inner;              /* the first factor that changes within a block */
    double *metrics;           /* and half-widths */
    double *objectives, *last; /* last: coordinates of the point before */
    uint64_t level[MSW_KEEP_FACTORS];
    uint64_t pair_first[MSW_KEEP_FACTORS][MSW_KEEP_FACTORS];
    msw_census_cell *block; /* metric by metric, the cells that change within a block, and all */
    msw_census_pair *block_pairs;
    msw_histogram *block_bins; /* by metric: of all points of the block */
    uint64_t in_block;
    msw_census *summary;
    msw_front_filter filter;
};

/* Of a grid in order the last factors change fastest; of other designs all change at once. */
static size_t first_inner(const msw_plan *plan)
{
    size_t f = plan->space.factor_count;
    uint64_t points = 1;
    if (strcmp(plan->design.kind->name, "grid") != 0)
        return 0;
    while (f > 0 && points * plan->space.factors[f - 1].levels <= BLOCK_MOST)
        points *= plan->space.factors[--f].levels;
    return f;
}

static int make_cells(msw_scan *s, msw_err *err)
{
    const msw_census_shape *shape = s->shape;
    size_t metrics = msw_metrics_count(s->plan->mech->metrics);
    s->metrics = calloc(2 * metrics + 1, sizeof *s->metrics);
    s->objectives = calloc(shape->objectives + 1, sizeof *s->objectives);
    s->last = calloc(shape->factors + 1, sizeof *s->last);
    s->block = calloc(shape->metrics * shape->cells + 1, sizeof *s->block);
    s->block_pairs = calloc(shape->metrics * shape->pairs + 1, sizeof *s->block_pairs);
    s->block_bins = calloc(shape->metrics + 1, sizeof *s->block_bins);
    return s->metrics && s->objectives && s->last && s->block && s->block_pairs && s->block_bins
               ? 0
               : msw_fail_memory(err);
}

int msw_scan_new(const msw_plan *plan, const msw_census_shape *shape, msw_scan **scan, msw_err *err)
{
    msw_scan *s = calloc(1, sizeof *s);
    if (!s)
        return msw_fail_memory(err);
    s->plan = plan;
    s->shape = shape;
    s->inner = first_inner(plan);
    for (size_t f = 0; f < shape->factors; f++)
        for (size_t g = f + 1; g < shape->factors; g++)
            s->pair_first[f][g] = msw_census_first_pair(shape, f, g);
    if (make_cells(s, err) || msw_deciding_new(plan, &s->deciding, err)) {
        msw_scan_free(s);
        return -1;
    }
    *scan = s;
    return 0;
}

void msw_scan_free(msw_scan *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->block_bins && i < s->shape->metrics; i++)
        msw_map_free(&s->block_bins[i]);
    msw_deciding_free(s->deciding);
    free(s->metrics);
    free(s->objectives);
    free(s->last);
    free(s->block);
    free(s->block_pairs);
    free(s->block_bins);
    free(s);
}

/* ---- a point ---- */

static uint64_t bin_of(const msw_scan *s, size_t f, double coord)
{
    uint64_t levels = s->plan->space.factors[f].levels, bins = s->shape->bins[f];
    double share =
        s->plan->design.kind->coords == MSW_COORDS_LEVEL ? (coord + 0.5) / (double)levels : coord;
    uint64_t bin = (s->shape->levelled >> f & 1) && s->plan->design.kind->coords == MSW_COORDS_LEVEL
                       ? (uint64_t)coord
                       : (uint64_t)(share * (double)bins);
    return bin < bins ? bin : bins - 1;
}

static void add_value(msw_census_cell *cell, double y, const msw_sum *square)
{
    if (!cell->n) {
        cell->least = cell->most = y;
    } else {
        cell->least = y < cell->least ? y : cell->least;
        cell->most = y > cell->most ? y : cell->most;
    }
    cell->n++;
    msw_sum_add(&cell->sum, y);
    msw_sum_join(&cell->squares, square);
}

/* Histograms of inner factors' levels are those of the leaf: a level comes a few times a block. */
static int add_metric(msw_scan *s, size_t m, double y, msw_err *err)
{
    const msw_census_shape *shape = s->shape;
    msw_census_cell *cells = s->block + m * shape->cells;
    msw_histogram *bins = s->summary->histograms + m * shape->cells;
    int32_t code = msw_histogram_code(y == 0 ? 0 : y);
    if (isnan(y))
        return 0;
    msw_sum square = msw_sum_product(y, y);
    add_value(&cells[0], y, &square);
    MSW_TRY(msw_histogram_add(&s->block_bins[m], code, 1, err));
    for (size_t f = s->inner; f < shape->factors; f++) {
        size_t cell = shape->first[f] + s->level[f];
        add_value(&cells[cell], y, &square);
        MSW_TRY(msw_histogram_add(&bins[cell], code, 1, err));
        for (size_t g = f + 1; shape->pairs && g < shape->factors; g++) {
            msw_census_pair *pair = s->block_pairs + m * shape->pairs + s->pair_first[f][g] +
                                    s->level[f] * shape->bins[g] + s->level[g];
            pair->n++;
            msw_sum_add(&pair->sum, y);
        }
    }
    return 0;
}

/* ---- a block ---- */

static int fold_bins(msw_histogram *to, const msw_histogram *from, msw_err *err)
{
    for (size_t i = 0; i < from->count; i++)
        if (from->entries[i].value)
            MSW_TRY(
                msw_histogram_add(to, (int32_t)from->entries[i].key, from->entries[i].value, err));
    return 0;
}

/* Of all points of the block. */
static int fold_all(msw_scan *s, size_t m, size_t to, msw_err *err)
{
    size_t at = m * s->shape->cells;
    msw_census_cell_join(&s->summary->moments[at + to], &s->block[at]);
    return fold_bins(&s->summary->histograms[at + to], &s->block_bins[m], err);
}

static void fold_pair(msw_scan *s, size_t m, size_t f, size_t g, uint64_t a, uint64_t b,
                      const msw_census_cell *cell)
{
    msw_census_pair *pair =
        s->summary->pairs + m * s->shape->pairs + s->pair_first[f][g] + a * s->shape->bins[g] + b;
    pair->n += cell->n;
    msw_sum_join(&pair->sum, &cell->sum);
}

/* Factor f did not change: its pairs are those of whole levels, or of the whole block. */
static void fold_pairs_of(msw_scan *s, size_t m, size_t f)
{
    const msw_census_shape *shape = s->shape;
    const msw_census_cell *cells = s->block + m * shape->cells;
    for (size_t g = f + 1; g < s->inner; g++)
        fold_pair(s, m, f, g, s->level[f], s->level[g], cells);
    for (size_t g = s->inner; g < shape->factors; g++)
        for (uint64_t b = 0; b < shape->bins[g]; b++)
            fold_pair(s, m, f, g, s->level[f], b, &cells[shape->first[g] + b]);
}

static void fold_inner_pairs(msw_scan *s, size_t m)
{
    const msw_census_shape *shape = s->shape;
    for (size_t f = s->inner; f < shape->factors; f++)
        for (size_t g = f + 1; g < shape->factors; g++) {
            msw_census_pair *from = s->block_pairs + m * shape->pairs + s->pair_first[f][g];
            msw_census_pair *to = s->summary->pairs + m * shape->pairs + s->pair_first[f][g];
            for (uint64_t i = 0; i < shape->bins[f] * shape->bins[g]; i++) {
                to[i].n += from[i].n;
                msw_sum_join(&to[i].sum, &from[i].sum);
                from[i] = (msw_census_pair){0};
            }
        }
}

/* What changes within a block is folded and emptied. */
static int fold_metric(msw_scan *s, size_t m, msw_err *err)
{
    const msw_census_shape *shape = s->shape;
    size_t at = m * shape->cells;
    size_t first = s->inner < shape->factors ? shape->first[s->inner] : shape->cells;
    MSW_TRY(fold_all(s, m, 0, err));
    for (size_t f = 0; f < s->inner; f++)
        MSW_TRY(fold_all(s, m, shape->first[f] + s->level[f], err));
    if (shape->pairs) {
        for (size_t f = 0; f < s->inner; f++)
            fold_pairs_of(s, m, f);
        fold_inner_pairs(s, m);
    }
    s->block[at] = (msw_census_cell){0};
    for (size_t cell = at + first; cell < at + shape->cells; cell++) {
        msw_census_cell_join(&s->summary->moments[cell], &s->block[cell]);
        s->block[cell] = (msw_census_cell){0};
    }
    for (size_t i = 0; i < s->block_bins[m].count; i++)
        s->block_bins[m].entries[i].value = 0;
    return 0;
}

static int end_block(msw_scan *s, msw_err *err)
{
    if (!s->in_block)
        return 0;
    s->in_block = 0;
    for (size_t m = 0; m < s->shape->metrics; m++)
        MSW_TRY(fold_metric(s, m, err));
    return 0;
}

/* ---- a leaf ---- */

static int locate(msw_scan *s, const double *coords, msw_err *err)
{
    if (s->in_block && memcmp(coords, s->last, s->inner * sizeof *coords) != 0)
        MSW_TRY(end_block(s, err));
    size_t first = s->in_block ? s->inner : 0;
    for (size_t f = first; f < s->shape->factors; f++)
        s->level[f] = bin_of(s, f, coords[f]);
    memcpy(s->last, coords, s->shape->factors * sizeof *coords);
    s->in_block++;
    return 0;
}

static int add_to_front(msw_scan *s, const msw_point *point, const msw_answer *answer, msw_err *err)
{
    int within = msw_deciding_within(s->deciding, point, answer, err);
    if (within <= 0) {
        s->summary->counts.beyond++;
        return within;
    }
    if (!s->shape->front)
        return 0;
    MSW_TRY(msw_deciding_objectives(s->deciding, point, answer, s->objectives, err));
    return msw_front_filter_add(&s->filter, point->index, s->objectives, err);
}

static int add_point(msw_scan *s, const msw_answerer *who, const msw_point *point,
                     const msw_answer *answer, msw_err *err)
{
    msw_census_counts *c = &s->summary->counts;
    c->failed += answer->status == MSW_FAILED || answer->status == MSW_TIMEOUT;
    c->infeasible += answer->status == MSW_INFEASIBLE;
    if (answer->status != MSW_OK)
        return 0;
    c->ok++;
    if (answer->doubt[0]) {
        c->doubtful++;
        return 0;
    }
    if (s->shape->metrics)
        MSW_TRY(locate(s, who->coords(who->context), err));
    for (size_t m = 0; m < s->shape->metrics; m++)
        MSW_TRY(add_metric(s, m, answer->metrics[s->plan->keep.summary[m]], err));
    return add_to_front(s, point, answer, err);
}

static int refuse(void *context, const msw_point *point, msw_err *err)
{
    msw_scan *s = context;
    int excluded = msw_deciding_excludes(s->deciding, point, err);
    s->summary->counts.excluded += excluded > 0;
    return excluded;
}

static int summarise(msw_scan *s, const msw_answerer *who, uint64_t leaf, double timeout_s,
                     msw_err *err)
{
    const msw_census_shape *shape = s->shape;
    uint64_t first = leaf % shape->leaves * shape->leaf, end = first + shape->leaf;
    uint64_t base = leaf / shape->leaves * shape->points;
    msw_worker_ask ask = {timeout_s, s->metrics, refuse, s};
    msw_point point;
    msw_answer *answer;
    for (uint64_t i = first; i < end && i < shape->points; i++) {
        int got = who->answer(who->context, base + i, &ask, &point, &answer, err);
        if (got < 0 || (got > 0 && add_point(s, who, &point, answer, err)))
            return -1;
    }
    return end_block(s, err);
}

/* The bytes lie in the details of a row: their number, then themselves. */
static int add_bytes(msw_batch *batch, const msw_text *bytes, msw_err *err)
{
    size_t values = 1 + (bytes->size + sizeof(double) - 1) / sizeof(double);
    double *room = calloc(values, sizeof *room);
    if (!room)
        return msw_fail_memory(err);
    room[0] = (double)bytes->size;
    memcpy(room + 1, msw_text_str(bytes), bytes->size);
    int rc = msw_batch_detail(batch, 0, room, values) ? msw_fail_memory(err) : 0;
    free(room);
    return rc;
}

int msw_scan_leaf(msw_scan *s, const msw_answerer *who, uint64_t leaf, double timeout_s,
                  msw_batch *batch, msw_err *err)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    s->summary = msw_census_new(s->shape);
    if (!s->summary)
        return msw_fail_memory(err);
    s->filter = (msw_front_filter){.kept = &s->summary->front, .within = s->shape->within};
    int rc = summarise(s, who, leaf, timeout_s, err);
    msw_front_filter_end(&s->filter);
    if (rc == 0)
        rc = msw_census_flatten(s->summary, &bytes, err);
    msw_row *row = rc == 0 ? msw_batch_add(batch) : NULL;
    if (row) {
        row->index = leaf;
        rc = add_bytes(batch, &bytes, err);
    } else if (rc == 0) {
        rc = msw_fail_memory(err);
    }
    msw_text_free(&bytes);
    msw_census_free(s->summary);
    s->summary = NULL;
    return rc;
}

const void *msw_scan_bytes(const msw_batch *batch, size_t *at, uint64_t *leaf, size_t *size)
{
    if (*at >= batch->detail_size)
        return NULL;
    const double *record = batch->details + *at;
    *at += MSW_DETAIL_HEAD + (size_t)record[MSW_DETAIL_WIDTH];
    *leaf = batch->rows[(size_t)record[MSW_DETAIL_ROW]].index;
    *size = (size_t)record[MSW_DETAIL_HEAD];
    return record + MSW_DETAIL_HEAD + 1;
}

bool msw_scan_is_of(const msw_batch *batch, const msw_forest *forest)
{
    uint64_t leaf;
    size_t at = 0, size, rows = 0;
    while (at < batch->detail_size) {
        double width = batch->details[at + MSW_DETAIL_WIDTH];
        if (width < 1 || !msw_scan_bytes(batch, &at, &leaf, &size) ||
            (double)size > (width - 1) * sizeof(double) ||
            leaf >= forest->workloads * forest->shape.leaves)
            return false;
        rows++;
    }
    return rows == batch->count;
}
