/* SPDX-License-Identifier: MIT */
/* Fits a Gaussian process to rows and predicts with it: docs/models/analysis.md. */
#include "analysis/process/process.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 10, ROWS_MIN = 10 };

static const likelihood_effort EFFORT = {MSW_PROCESS_TUNING_ROWS, 2, 15};
static const likelihood_effort EFFORT_QUICK = {150, 1, 8};

/* ---- the rows ---- */

static size_t count_rows(const msw_pce_data *data)
{
    size_t n = 0;
    for (size_t i = 0; i < data->n; i++)
        n += !isnan(data->y[i]);
    return n;
}

static int check_data(const msw_pce_data *data, msw_err *err)
{
    size_t n = count_rows(data);
    if (data->factors < 1 || data->factors > MSW_PCE_FACTORS)
        return msw_fail(err, "%u factors; 1 to %d are allowed", data->factors, MSW_PCE_FACTORS);
    if (n < ROWS_MIN || n > MSW_PROCESS_ROWS)
        return msw_fail(err, "%zu rows; a process needs %d to %d", n, ROWS_MIN, MSW_PROCESS_ROWS);
    for (size_t i = 0; i < data->n; i++)
        if (isinf(data->y[i]))
            return msw_fail(err, "the output is infinite in row %zu", i);
    return 0;
}

static int take_memory(msw_process *p, size_t n, bool noise, bool shared)
{
    kernel_rows *rows = &p->rows;
    rows->x = msw_arena_take(&p->arena, (n * rows->factors + 1) * sizeof *rows->x);
    rows->y = msw_arena_take(&p->arena, (n + 1) * sizeof *rows->y);
    p->fold = msw_arena_take(&p->arena, (n + 1) * sizeof *p->fold);
    if (noise)
        rows->noise = msw_arena_take(&p->arena, (n + 1) * sizeof *rows->noise);
    if (shared)
        rows->shared = msw_arena_take(&p->arena, (n + 1) * sizeof *rows->shared);
    return rows->x && rows->y && p->fold && (!noise || rows->noise) && (!shared || rows->shared)
               ? 0
               : -1;
}

/* Where numbers begin and end: they lie between 0 and 1; labels stay what they are. */
static void set_axes(msw_process *p, const msw_pce_data *data)
{
    p->rows.factors = data->factors;
    for (unsigned f = 0; f < data->factors; f++) {
        const msw_pce_factor *from = &data->factor[f];
        size_t last = from->levels ? from->levels - 1 : 0;
        p->low[f] = !from->levels ? from->low : from->values ? from->values[0] : 0;
        p->high[f] = !from->levels ? from->high : from->values ? from->values[last] : (double)last;
        if (from->unordered)
            p->rows.labels |= (uint32_t)1 << f;
        else if (from->levels)
            p->ordered |= (uint32_t)1 << f;
    }
}

/* Three levels or fewer: nothing between them is predicted. */
static void set_gaps(msw_process *p, const msw_pce_data *data)
{
    enum { LEAST = 4 };
    for (unsigned f = 0; f < data->factors; f++) {
        const msw_pce_factor *from = &data->factor[f];
        if (!(p->ordered >> f & 1) || from->levels < LEAST)
            continue;
        for (size_t l = 1; l < from->levels; l++) {
            double gap = from->values ? from->values[l] - from->values[l - 1] : 1;
            p->gap[f] = fmax(p->gap[f], gap / (p->high[f] - p->low[f]));
        }
    }
}

double process_position(const msw_process *p, unsigned f, double x)
{
    if (p->rows.labels >> f & 1)
        return x;
    return p->high[f] > p->low[f] ? (x - p->low[f]) / (p->high[f] - p->low[f]) : 0;
}

static bool has_noise(const msw_pce_data *data, const msw_process_noise *noise)
{
    for (size_t i = 0; noise && noise->deviation && i < data->n; i++)
        if (!isnan(data->y[i]) && noise->deviation[i] > 0)
            return true;
    return false;
}

static void copy_row(msw_process *p, const msw_pce_data *data, const msw_process_noise *noise,
                     size_t i)
{
    kernel_rows *rows = &p->rows;
    for (unsigned f = 0; f < rows->factors; f++)
        rows->x[rows->n * rows->factors + f] = process_position(p, f, data->x[f][i]);
    rows->y[rows->n] = data->y[i];
    if (rows->noise)
        rows->noise[rows->n] = noise->deviation[i] > 0 ? noise->deviation[i] : 0;
    if (rows->shared)
        rows->shared[rows->n] = noise->shared[i];
    rows->n++;
}

static int take_rows(msw_process *p, const msw_pce_data *data, const msw_process_noise *noise)
{
    bool known = has_noise(data, noise);
    set_axes(p, data);
    set_gaps(p, data);
    if (take_memory(p, count_rows(data), known, known && noise->shared))
        return -1;
    for (size_t i = 0; i < data->n; i++)
        if (!isnan(data->y[i]))
            copy_row(p, data, noise, i);
    return 0;
}

static void standardize(msw_process *p)
{
    kernel_rows *rows = &p->rows;
    double n = (double)rows->n, squares = 0;
    for (size_t i = 0; i < rows->n; i++)
        p->mean += rows->y[i] / n;
    for (size_t i = 0; i < rows->n; i++)
        squares += (rows->y[i] - p->mean) * (rows->y[i] - p->mean);
    p->deviation = squares > 0 ? sqrt(squares / n) : 1;
    for (size_t i = 0; i < rows->n; i++) {
        rows->y[i] = (rows->y[i] - p->mean) / p->deviation;
        if (rows->noise) {
            rows->noise[i] /= p->deviation;
            p->noise += rows->noise[i] * rows->noise[i] / n;
        }
    }
}

/* Blocks are left out as a whole, in an order drawn at random. Returns the folds, or 0 without
 * memory. */
static size_t set_folds(msw_process *p, const msw_pce_data *data, uint64_t seed)
{
    size_t *block = malloc((p->rows.n + 1) * sizeof *block), blocks = 0, at = 0;
    size_t *fold = malloc((p->rows.n + 1) * sizeof *fold);
    uint64_t last = 0;
    for (size_t i = 0; block && fold && i < data->n; i++) {
        if (isnan(data->y[i]))
            continue;
        uint64_t own = data->block ? data->block[i] : i;
        if (at == 0 || own != last)
            blocks++;
        last = own;
        block[at++] = blocks - 1;
    }
    size_t folds = blocks < FOLDS ? blocks : FOLDS;
    for (size_t r = 0; block && fold && r < blocks; r++)
        fold[msw_permute(r, blocks, seed)] = r % folds;
    for (size_t i = 0; block && fold && i < p->rows.n; i++)
        p->fold[i] = fold[block[i]];
    folds = block && fold ? folds : 0;
    free(block);
    free(fold);
    return folds;
}

/* ---- fitting ---- */

static void describe_fit(const msw_process *p, const msw_pce_data *data,
                         const process_missed *missed, msw_process_quality *quality)
{
    static const double SMOOTHNESS[KERNEL_FAMILIES] = {0.5, 1.5, 2.5};
    *quality =
        (msw_process_quality){.used = p->rows.n,
                              .dropped = data->n - p->rows.n,
                              .q2 = p->q2,
                              .left_out_q2 = missed->q2,
                              .covered = missed->covered,
                              .smoothness = SMOOTHNESS[p->k.family],
                              .nugget = p->k.nugget / (p->k.nugget + p->k.variance + p->noise),
                              .common = p->k.common,
                              .exact = p->exact};
}

static int fit(msw_process *p, const msw_pce_data *data, const msw_process_noise *noise,
               uint64_t seed, msw_process_quality *quality)
{
    p->seed = seed;
    if (take_rows(p, data, noise))
        return -1;
    standardize(p);
    size_t folds = set_folds(p, data, seed);
    if (!folds || likelihood_tune(&p->rows, &EFFORT, seed, &p->k))
        return -1;
    if (p->rows.n <= MSW_PROCESS_EXACT ? process_relate(p) : process_condition(p, seed))
        return -1;
    const process_missed *missed = p->of_rows = process_leave_out(p, 0);
    if (!missed || process_cross(p, folds))
        return -1;
    if (quality)
        describe_fit(p, data, missed, quality);
    return 0;
}

msw_process *msw_process_fit(const msw_pce_data *data, const msw_process_noise *noise,
                             uint64_t seed, msw_process_quality *quality, msw_err *err)
{
    if (check_data(data, err))
        return NULL;
    msw_process *p = calloc(1, sizeof *p);
    if (p && fit(p, data, noise, seed, quality) == 0)
        return p;
    msw_process_free(p);
    msw_fail_memory(err);
    return NULL;
}

/* ---- to choose by ---- */

static int fit_quick(msw_process *p, const msw_pce_data *data, const msw_process *like,
                     uint64_t seed)
{
    p->seed = seed;
    if (take_rows(p, data, NULL))
        return -1;
    standardize(p);
    if (like)
        p->k = like->k;
    else if (likelihood_tune(&p->rows, &EFFORT_QUICK, seed, &p->k))
        return -1;
    return process_relate(p);
}

msw_process *msw_process_fit_quick(const msw_pce_data *data, const msw_process *like, uint64_t seed,
                                   msw_err *err)
{
    if (check_data(data, err))
        return NULL;
    msw_process *p = calloc(1, sizeof *p);
    if (p && fit_quick(p, data, like, seed) == 0)
        return p;
    msw_process_free(p);
    msw_fail_memory(err);
    return NULL;
}

/* ---- between levels ---- */

/* Rows at levels cannot tell a length far below the gap from any other: with it all between levels
 * falls back to the centre, which lies anywhere. */
static bool has_short_length(const msw_process *p)
{
    for (unsigned f = 0; f < p->rows.factors; f++)
        if (p->k.rate[f] * p->gap[f] > sqrt(2 * p->k.family + 1.))
            return true;
    return false;
}

/* The same rows with lengths that reach the next level. Returns it, or NULL without memory. */
static msw_process *fit_between(const msw_process *p)
{
    msw_process *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (msw_process){.rows = p->rows, .noise = p->noise, .seed = p->seed};
    b->rows.gap = p->gap;
    if (likelihood_tune(&b->rows, &EFFORT, b->seed, &b->k) == 0 &&
        (p->exact ? process_relate(b) : process_condition(b, b->seed)) == 0)
        return b;
    msw_process_free(b);
    return NULL;
}

/* The process that predicts between levels, made when first needed. Returns it, or NULL without
 * memory. */
static msw_process *find_between(msw_process *p)
{
    if (!p->between)
        p->between = has_short_length(p) ? fit_between(p) : p;
    return p->between;
}

/* ---- predicting ---- */

/* Factors between two of whose listed levels x lies. */
static uint32_t between(const msw_process *p, const double *x)
{
    uint32_t set = p->ordered;
    for (unsigned f = 0; f < p->rows.factors; f++)
        for (size_t i = 0; set >> f & 1 && i < p->rows.n; i++)
            if (fabs(p->rows.x[i * p->rows.factors + f] - x[f]) <= 1e-12)
                set &= ~((uint32_t)1 << f);
    return set;
}

int msw_process_predict(msw_process *p, const double *at, double confidence, msw_prediction *out,
                        msw_err *err)
{
    double x[MSW_PCE_FACTORS];
    for (unsigned f = 0; f < p->rows.factors; f++)
        x[f] = process_position(p, f, at[f]);
    uint32_t levels = between(p, x);
    msw_process *by = levels ? find_between(p) : p;
    const process_missed *missed = !by ? NULL : levels ? process_cut(by, levels) : p->of_rows;
    process_prediction all;
    double ends[2];
    if (!missed || process_predict(by, x, &all) ||
        process_interval(by, x, missed, &all, confidence, ends))
        return msw_fail_memory(err);
    out->value = p->mean + p->deviation * all.value;
    out->low = p->mean + p->deviation * ends[0];
    out->high = p->mean + p->deviation * ends[1];
    out->q2 = levels ? missed->q2 : p->q2;
    out->residuals = missed->count;
    out->between = levels != 0;
    return 0;
}
