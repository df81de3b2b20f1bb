/* SPDX-License-Identifier: MIT */
#include "analysis/sensitivity/sobol.h"

#include <math.h>

size_t sobol_row_length(const msw_sobol_design *design)
{
    return 2 + (design->second_order ? 2 : 1) * (size_t)design->factors;
}

/* Columns of one factor: the total effect and the sums of its first-order estimator. */
static unsigned factor_columns(const msw_sobol_design *design)
{
    return design->estimator == MSW_SOBOL_JANON ? 4 : 2;
}

static unsigned first_column(const sobol *job, unsigned factor)
{
    return SOBOL_FACTORS + factor * factor_columns(job->design);
}

bool sobol_complete(const double *y, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (isnan(y[i]))
            return false;
    return true;
}

/* Mean and standard deviation of all outputs of complete base rows. */
void sobol_measure_outputs(sobol *job, msw_used *used)
{
    size_t length = sobol_row_length(job->design), count = 0;
    double mean = 0, squares = 0;
    for (size_t i = 0; i < job->design->base_rows; i++) {
        const double *y = job->design->y + i * length;
        if (!sobol_complete(y, length)) {
            used->dropped++;
            continue;
        }
        used->used++;
        for (size_t j = 0; j < length; j++) {
            /* Welford's update: one pass over the outputs, without the loss of digits of sums of
             * squares. */
            double gap = y[j] - mean;
            mean += gap / (double)++count;
            squares += gap * (y[j] - mean);
        }
    }
    double deviation = count ? sqrt(squares / (double)count) : 0;
    job->center = mean;
    job->scale = deviation > 0 ? 1 / deviation : 1;
    job->shift = job->design->raw ? mean * job->scale : 0;
}

/* Adds one first-order estimator; b and ab share the factor, a and ab all others. */
static void add_factor(const sobol *job, size_t unit, unsigned column, double a, double b,
                       double ab, double share)
{
    *tiles_at(&job->table, unit, column) += share * (a - ab) * (a - ab);
    double *first = tiles_at(&job->table, unit, column + 1);
    switch (job->design->estimator) {
    case MSW_SOBOL_SALTELLI:
        *first += share * (b + job->shift) * (ab - a);
        break;
    case MSW_SOBOL_JANSEN:
        *first += share * (b - ab) * (b - ab);
        break;
    case MSW_SOBOL_JANON:
        *first += share * b * ab;
        *tiles_at(&job->table, unit, column + 2) += share * (b + ab) / 2;
        *tiles_at(&job->table, unit, column + 3) += share * (b * b + ab * ab) / 2;
        break;
    }
}

/* With BA rows, A and B in each other's part give the same sums once more. */
static void fill_factor(const sobol *job, size_t unit, unsigned factor, const double *z)
{
    double a = z[0], b = z[sobol_row_length(job->design) - 1], ab = z[1 + factor];
    unsigned column = first_column(job, factor);
    bool both = job->design->both && job->design->second_order;
    add_factor(job, unit, column, a, b, ab, both ? 0.5 : 1);
    if (both)
        add_factor(job, unit, column, b, a, z[1 + job->design->factors + factor], 0.5);
}

static void fill_pairs(const sobol *job, size_t unit, const double *z)
{
    unsigned d = job->design->factors, column = job->table.columns - job->pairs;
    double a = z[0] + job->shift, b = z[2 * d + 1] + job->shift;
    for (unsigned i = 0; i < d; i++)
        for (unsigned j = i + 1; j < d; j++)
            *tiles_at(&job->table, unit, column++) =
                (z[1 + d + i] + job->shift) * (z[1 + j] + job->shift) - a * b;
}

static void fill_unit(const sobol *job, size_t unit, const double *z)
{
    double a = z[0], b = z[sobol_row_length(job->design) - 1];
    *tiles_at(&job->table, unit, SOBOL_SUM) = (a + b) / 2;
    *tiles_at(&job->table, unit, SOBOL_SQUARES) = (a * a + b * b) / 2;
    for (unsigned factor = 0; factor < job->design->factors; factor++)
        fill_factor(job, unit, factor, z);
    if (job->pairs)
        fill_pairs(job, unit, z);
}

/* A row of the table holds, for one base row, the terms of all sums. An index is then a function of
 * column means, and the bootstrap only has to weight rows differently. */
int sobol_fill_table(sobol *job, size_t units)
{
    size_t length = sobol_row_length(job->design), unit = 0;
    unsigned columns =
        SOBOL_FACTORS + job->design->factors * factor_columns(job->design) + job->pairs;
    double *z = msw_arena_take(job->arena, length * sizeof *z);
    if (!z || tiles_init(&job->table, units, columns, job->arena))
        return -1;
    for (size_t i = 0; i < job->design->base_rows; i++) {
        const double *y = job->design->y + i * length;
        if (!sobol_complete(y, length))
            continue;
        for (size_t j = 0; j < length; j++)
            z[j] = (y[j] - job->center) * job->scale;
        if (job->scramble)
            job->scramble[unit] = (uint32_t)(i % job->design->scrambles);
        fill_unit(job, unit++, z);
    }
    return 0;
}

static double variance_of(const double *mean)
{
    double variance = mean[SOBOL_SQUARES] - mean[SOBOL_SUM] * mean[SOBOL_SUM];
    return variance > 0 ? variance : NAN;
}

/* First-order variance and what it is a share of: Janon has a variance of its own. */
static double first_part(const sobol *job, const double *mean, unsigned factor, double *of)
{
    const double *own = mean + first_column(job, factor) + 1;
    *of = variance_of(mean);
    switch (job->design->estimator) {
    case MSW_SOBOL_SALTELLI:
        return own[0];
    case MSW_SOBOL_JANSEN:
        return *of - own[0] / 2;
    default:
        *of = own[2] - own[1] * own[1];
        return own[0] - own[1] * own[1];
    }
}

static double first_of(const sobol *job, const double *mean, unsigned factor)
{
    const double *own = mean + first_column(job, factor) + 1;
    double of, part = first_part(job, mean, factor, &of);
    return job->design->estimator == MSW_SOBOL_JANSEN ? 1 - own[0] / (2 * of) : part / of;
}

static double total_of(const sobol *job, const double *mean, unsigned factor)
{
    return mean[first_column(job, factor)] / (2 * variance_of(mean));
}

void sobol_parts(const sobol *job, const double *mean, double *part)
{
    unsigned d = job->design->factors;
    double of;
    part[0] = mean[SOBOL_SQUARES] - mean[SOBOL_SUM] * mean[SOBOL_SUM];
    for (unsigned i = 0; i < d; i++) {
        part[1 + i] = first_part(job, mean, i, &of);
        part[1 + d + i] = mean[first_column(job, i)] / 2;
    }
}

/* All indices of one set of means: first, total, pairs. */
static void indices_of(const sobol *job, const double *mean, double *index)
{
    unsigned d = job->design->factors, pair = 0;
    for (unsigned i = 0; i < d; i++) {
        index[i] = first_of(job, mean, i);
        index[d + i] = total_of(job, mean, i);
    }
    const double *pairs = mean + job->table.columns - job->pairs;
    for (unsigned i = 0; i < d && job->pairs; i++)
        for (unsigned j = i + 1; j < d; j++, pair++)
            index[2 * d + pair] = pairs[pair] / variance_of(mean) - index[i] - index[j];
}

static msw_estimate *slot(const sobol *job, const msw_sobol_indices *indices, unsigned number)
{
    unsigned d = job->design->factors;
    if (number < d)
        return &indices->first[number];
    return number < 2 * d ? &indices->total[number - d] : &indices->second[number - 2 * d];
}

/* Values of every index in every resample, index by index. */
static int resample(const sobol *job, unsigned count, double *values)
{
    size_t resamples = job->how->resamples;
    unsigned columns = job->table.columns;
    double *mean = msw_arena_take(job->arena, resamples * columns * sizeof *mean);
    double *index = msw_arena_take(job->arena, count * sizeof *index);
    if (!mean || !index || bootstrap_means(&job->table, job->how, mean, job->arena))
        return -1;
    for (size_t r = 0; r < resamples; r++) {
        indices_of(job, mean + r * columns, index);
        for (unsigned i = 0; i < count; i++)
            values[i * resamples + r] = index[i];
    }
    return 0;
}

/* ---- the spread between scrambles ---- */

/* Values of every index without one scramble after the other, index by index. */
static int leave_out(const sobol *job, const double *mean, unsigned count, double *values)
{
    size_t scrambles = job->design->scrambles, rows = job->table.rows;
    unsigned columns = job->table.columns;
    double *sum = msw_arena_zero(job->arena, scrambles * columns, sizeof *sum);
    double *units = msw_arena_zero(job->arena, scrambles, sizeof *units);
    double *rest = msw_arena_take(job->arena, columns * sizeof *rest);
    double *index = msw_arena_take(job->arena, count * sizeof *index);
    if (!sum || !units || !rest || !index)
        return -1;
    scrambles_sums(&job->table, job->scramble, sum, units);
    for (size_t s = 0; s < scrambles; s++) {
        for (unsigned c = 0; c < columns; c++)
            rest[c] = (mean[c] * (double)rows - sum[s * columns + c]) / ((double)rows - units[s]);
        indices_of(job, rest, index);
        for (unsigned i = 0; i < count; i++)
            values[i * scrambles + s] = index[i];
    }
    return 0;
}

static int spread(const sobol *job, const double *mean, const double *index,
                  msw_sobol_indices *indices)
{
    unsigned count = 2 * job->design->factors + job->pairs;
    size_t scrambles = job->design->scrambles;
    double *values = msw_arena_take(job->arena, scrambles * count * sizeof *values);
    if (!values || leave_out(job, mean, count, values))
        return -1;
    for (unsigned i = 0; i < count; i++) {
        msw_estimate *to = slot(job, indices, i);
        to->value = index[i];
        scrambles_interval(values + i * scrambles, scrambles, job->how->confidence, to);
    }
    return 0;
}

/* ---- all of it ---- */

static void set_moments(const sobol *job, const double *mean, msw_sobol_indices *indices)
{
    indices->mean = mean[SOBOL_SUM] / job->scale + job->center;
    indices->variance =
        (mean[SOBOL_SQUARES] - mean[SOBOL_SUM] * mean[SOBOL_SUM]) / (job->scale * job->scale);
}

static int estimate(const sobol *job, msw_sobol_indices *indices)
{
    unsigned count = 2 * job->design->factors + job->pairs;
    size_t resamples = job->how->resamples;
    double *mean = msw_arena_take(job->arena, job->table.columns * sizeof *mean);
    double *index = msw_arena_take(job->arena, count * sizeof *index);
    double *values = msw_arena_take(job->arena, (resamples + 1) * count * sizeof *values);
    if (!mean || !index || !values)
        return -1;
    tiles_means(&job->table, mean);
    indices_of(job, mean, index);
    set_moments(job, mean, indices);
    if (job->scramble && resamples)
        return spread(job, mean, index, indices);
    if (resamples && resample(job, count, values))
        return -1;
    for (unsigned i = 0; i < count; i++) {
        msw_estimate *to = slot(job, indices, i);
        to->value = index[i];
        bootstrap_interval(values + i * resamples, job->how, to);
    }
    return 0;
}

int msw_sobol(const msw_sobol_design *design, const msw_resampling *resampling,
              msw_sobol_indices *indices, msw_used *used, msw_err *err)
{
    msw_arena arena = {0};
    unsigned pairs = design->second_order ? design->factors * (design->factors - 1) / 2 : 0;
    msw_resampling none = *resampling;
    sobol job = {.design = design, .how = resampling, .pairs = pairs, .arena = &arena};
    none.resamples = 0;
    if (bootstrap_check(resampling, err))
        return -1;
    *used = (msw_used){0};
    sobol_measure_outputs(&job, used);
    if (used->used < 2)
        return msw_fail(err, "%zu of %zu base rows are complete; at least 2 are needed", used->used,
                        design->base_rows);
    if (design->scrambles >= MSW_SCRAMBLES_MIN &&
        used->used < MSW_SCRAMBLE_ROWS_MIN * design->scrambles)
        job.how = &none;
    else if (design->scrambles >= MSW_SCRAMBLES_MIN)
        job.scramble = msw_arena_take(&arena, used->used * sizeof *job.scramble);
    int status = sobol_fill_table(&job, used->used) || estimate(&job, indices);
    msw_arena_free(&arena);
    return status ? msw_fail_memory(err) : 0;
}
