/* SPDX-License-Identifier: MIT */
/* Fits regressions on standardised columns. An ordered factor is one column; an unordered one has a
 * column per label but the first. All statistics of a factor are those of its block of columns,
 * which for a single column are the usual ones. */
#include "memsweep/analysis/sensitivity.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"

#include "analysis/stats/sort.h"

#include <math.h>
#include <string.h>

typedef struct block {
    unsigned first, count; /* columns of one factor */
} block;

typedef struct regression {
    const msw_given_data *data;
    bool ranks;
    size_t n;
    uint32_t *row; /* complete rows */
    block *blocks;
    tiles x;
    double *y;
    normal fit;
    msw_arena *arena;
} regression;

static bool unordered(const msw_given_data *data, unsigned factor)
{
    return data->unordered && data->unordered[factor];
}

static bool complete(const msw_given_data *data, size_t row)
{
    bool nan = isnan(data->y[row]);
    for (unsigned j = 0; j < data->factors; j++)
        nan |= isnan(data->x[j][row]);
    return !nan;
}

static int take_rows(regression *job, msw_used *used)
{
    size_t n = job->data->n;
    job->row = msw_arena_take(job->arena, (n + 1) * sizeof *job->row);
    job->y = msw_arena_take(job->arena, (n + 1) * sizeof *job->y);
    job->blocks = msw_arena_zero(job->arena, job->data->factors, sizeof *job->blocks);
    if (!job->row || !job->y || !job->blocks)
        return -1;
    for (size_t row = 0; row < n; row++)
        if (complete(job->data, row))
            job->row[job->n++] = (uint32_t)row;
    *used = (msw_used){job->n, n - job->n};
    return 0;
}

/* Centres and scales to length 1. Returns whether the column varies. */
static bool standardize(double *value, size_t n)
{
    double mean = 0, square = 0, size = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(value[i]));
        value[i] -= mean;
        square += value[i] * value[i];
    }
    double length = sqrt(square);
    bool varies = length > 1e-13 * size * sqrt((double)n);
    for (size_t i = 0; i < n && varies; i++)
        value[i] /= length;
    return varies;
}

static int rank_values(double *value, size_t n, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    uint32_t *order = msw_arena_take(arena, (n + 1) * sizeof *order);
    double *rank = msw_arena_take(arena, (n + 1) * sizeof *rank);
    if (!order || !rank || sort_ascending(value, n, order, arena))
        return -1;
    sort_mid_ranks(value, order, n, rank);
    memcpy(value, rank, n * sizeof *value);
    msw_arena_release(arena, mark);
    return 0;
}

static unsigned labels(const regression *job, unsigned factor)
{
    double most = 0;
    for (size_t i = 0; i < job->n; i++)
        most = fmax(most, job->data->x[factor][job->row[i]]);
    return (unsigned)most + 1;
}

/* One column into `value`: the factor itself, or whether it has a label. Returns 1 if it varies, 0
 * if not, -1 without memory. */
static int fill_column(const regression *job, unsigned factor, unsigned label, double *value)
{
    const double *x = job->data->x[factor];
    for (size_t i = 0; i < job->n; i++)
        value[i] = label ? x[job->row[i]] == label : x[job->row[i]];
    if (job->ranks && label == 0 && rank_values(value, job->n, job->arena))
        return -1;
    return standardize(value, job->n);
}

static int add_column(regression *job, unsigned factor, unsigned label, double *value)
{
    int varies = fill_column(job, factor, label, value);
    if (varies <= 0)
        return varies;
    for (size_t i = 0; i < job->n; i++)
        *tiles_at(&job->x, i, job->x.columns) = value[i];
    job->x.columns++;
    job->blocks[factor].count++;
    return 0;
}

static unsigned most_columns(const regression *job)
{
    unsigned count = 0;
    for (unsigned j = 0; j < job->data->factors; j++)
        count += unordered(job->data, j) ? labels(job, j) : 1;
    return count;
}

static int fill_columns(regression *job)
{
    double *value = msw_arena_take(job->arena, (job->n + 1) * sizeof *value);
    if (!value || tiles_init(&job->x, job->n, most_columns(job), job->arena))
        return -1;
    job->x.columns = 0;
    for (unsigned j = 0; j < job->data->factors; j++) {
        bool text = unordered(job->data, j);
        unsigned last = text ? labels(job, j) - 1 : 0;
        job->blocks[j].first = job->x.columns;
        for (unsigned label = text; label <= last; label++)
            if (add_column(job, j, label, value))
                return -1;
    }
    job->x.strips = (unsigned)msw_div_up(job->x.columns, TILE);
    return 0;
}

static int fill_output(regression *job, msw_err *err)
{
    for (size_t i = 0; i < job->n; i++)
        job->y[i] = job->data->y[job->row[i]];
    if (job->ranks && rank_values(job->y, job->n, job->arena))
        return msw_fail_memory(err);
    if (!standardize(job->y, job->n))
        return msw_fail(err, "the output is the same in all %zu rows", job->n);
    return 0;
}

/* Sum of squares that the regression would lose without a block: b' C^-1 b, where C is the block's
 * part of (X'X)^-1. */
static double lost_without(const regression *job, block own)
{
    msw_arena_mark mark = msw_arena_now(job->arena);
    unsigned m = own.count, failed;
    double *lower = msw_arena_take(job->arena, (size_t)m * m * sizeof *lower), sum = 0;
    double *z = msw_arena_take(job->arena, m * sizeof *z);
    if (!lower || !z)
        return NAN;
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j <= i; j++)
            lower[i * m + j] = normal_covariance(&job->fit, own.first + i, own.first + j);
    if (normal_cholesky(lower, m, &failed))
        return NAN;
    for (unsigned i = 0; i < m; i++) {
        z[i] = job->fit.beta[own.first + i];
        for (unsigned j = 0; j < i; j++)
            z[i] -= lower[i * m + j] * z[j];
        z[i] /= lower[i * m + i];
        sum += z[i] * z[i];
    }
    msw_arena_release(job->arena, mark);
    return sum;
}

/* Size of what a block of columns contributes; columns have length 1, so has the output. */
static double contribution(const regression *job, block own)
{
    if (own.count == 1)
        return job->fit.beta[own.first];
    double square = 0;
    for (size_t i = 0; i < job->n; i++) {
        double sum = 0;
        for (unsigned c = own.first; c < own.first + own.count; c++)
            sum += job->fit.beta[c] * *tiles_at(&job->x, i, c);
        square += sum * sum;
    }
    return sqrt(square);
}

/* Interval of Fisher's transform; other columns take degrees of freedom. */
static msw_estimate partial(const regression *job, block own, double residual, double confidence)
{
    double lost = lost_without(job, own), value = sqrt(lost / (lost + residual));
    double freedom = (double)job->n - 3 - (double)(job->x.columns - own.count);
    if (own.count == 1)
        value = copysign(value, job->fit.beta[own.first]);
    msw_estimate estimate = {value, NAN, NAN, NAN};
    if (freedom > 0 && fabs(value) < 1) {
        double half = msw_math_normal_quantile(0.5 + confidence / 2) / sqrt(freedom);
        estimate.low = msw_math_tanh(msw_math_atanh(value) - half);
        estimate.high = msw_math_tanh(msw_math_atanh(value) + half);
        estimate.half = (estimate.high - estimate.low) / 2;
    }
    return estimate;
}

static double residual_squares(const regression *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->n; i++) {
        double fitted = 0;
        for (unsigned c = 0; c < job->x.columns; c++)
            fitted += job->fit.beta[c] * *tiles_at(&job->x, i, c);
        sum += (job->y[i] - fitted) * (job->y[i] - fitted);
    }
    return sum;
}

/* Names the factor whose columns depend on those of others. */
static void blame(const regression *job, msw_err *err)
{
    const char *const *names = job->data->names;
    for (unsigned j = 0; j < job->data->factors; j++) {
        if (job->fit.failed - job->blocks[j].first >= job->blocks[j].count)
            continue;
        if (names)
            msw_fail(err,
                     "in these rows '%s' is a combination of the factors before it: leave it out "
                     "(--factors), or use --method pce",
                     names[j]);
        else
            msw_fail(err, "factor %u is a combination of the factors before it", j);
    }
}

static int solve(regression *job, msw_err *err)
{
    int status = -1;
    if (job->x.columns == 0) {
        msw_fail(err, "no factor varies");
    } else if (job->n <= job->x.columns + 1) {
        msw_fail(err, "%zu complete rows for %u columns: too few", job->n, job->x.columns);
    } else {
        status = normal_solve(&job->x, job->y, &job->fit, job->arena);
        if (status < 0)
            msw_fail_memory(err);
        else if (status > 0)
            blame(job, err);
    }
    return status ? -1 : 0;
}

static int prepare_columns(regression *job, msw_used *used, msw_err *err)
{
    if (take_rows(job, used) || fill_columns(job))
        msw_fail_memory(err);
    else if (job->n < 3)
        msw_fail(err, "%zu complete rows: too few", job->n);
    else if (fill_output(job, err) == 0)
        return solve(job, err);
    return -1;
}

int msw_regression(const msw_given_data *data, bool ranks, double confidence,
                   msw_regression_index *index, double *r2, msw_used *used, msw_err *err)
{
    msw_arena arena = {0};
    regression job = {.data = data, .ranks = ranks, .arena = &arena};
    int rc = -1;
    if (prepare_columns(&job, used, err))
        goto done;
    double residual = residual_squares(&job);
    *r2 = 1 - residual;
    for (unsigned j = 0; j < data->factors; j++) {
        block own = job.blocks[j];
        index[j] = (msw_regression_index){NAN, {NAN, NAN, NAN, NAN}};
        if (own.count > 0)
            index[j] = (msw_regression_index){contribution(&job, own),
                                              partial(&job, own, residual, confidence)};
    }
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc;
}
