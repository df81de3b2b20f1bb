#include "analysis/surrogate/surrogate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fitting {
    msw_pce *pce;
    const msw_pce_data *data;
    uint32_t *row; /* rows that take part */
    size_t n;
    double *y; /* outputs, centred and scaled to standard deviation 1 */
    double mean, deviation;
    tiles x;
    msw_arena arena;
} fitting;

static int check(const msw_pce_data *data, const msw_pce_settings *settings, msw_err *err)
{
    if (data->factors < 1 || data->factors > MSW_PCE_FACTORS)
        return msw_fail(err, "%u factors; 1 to %d are allowed", data->factors, MSW_PCE_FACTORS);
    if (settings->degree < 1 || settings->degree > MSW_PCE_DEGREE)
        return msw_fail(err, "degree %u; 1 to %d are allowed", settings->degree, MSW_PCE_DEGREE);
    return 0;
}

static int take_rows(fitting *job)
{
    size_t n = job->data->n;
    job->row = msw_arena_take(&job->arena, (n + 1) * sizeof *job->row);
    job->y = msw_arena_take(&job->arena, (n + 1) * sizeof *job->y);
    if (!job->row || !job->y)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!isnan(job->data->y[i])) {
            job->row[job->n] = (uint32_t)i;
            job->y[job->n++] = job->data->y[i];
        }
    return 0;
}

static void standardize(fitting *job)
{
    double square = 0;
    for (size_t i = 0; i < job->n; i++)
        job->mean += job->y[i] / (double)job->n;
    for (size_t i = 0; i < job->n; i++) {
        job->y[i] -= job->mean;
        square += job->y[i] * job->y[i];
    }
    job->deviation = square > 0 ? sqrt(square / (double)job->n) : 1;
    for (size_t i = 0; i < job->n; i++)
        job->y[i] /= job->deviation;
}

static int make_bases(fitting *job, const msw_pce_settings *settings, msw_err *err)
{
    msw_pce *pce = job->pce;
    pce->bases = msw_arena_take(&pce->arena, pce->factors * sizeof *pce->bases);
    if (!pce->bases)
        return msw_fail_memory(err);
    for (unsigned j = 0; j < pce->factors; j++)
        if (basis_make(&job->data->factor[j], settings->degree, &pce->bases[j], &pce->arena, err)) {
            msw_fail_prefix(err, "factor %u: ", j);
            return -1;
        }
    return surrogate_terms(pce, settings, err);
}

/* Keeps the chosen terms and their columns. */
static int keep_chosen(fitting *job, msw_err *err)
{
    msw_pce *pce = job->pce;
    uint32_t *chosen = msw_arena_take(&job->arena, pce->terms * sizeof *chosen);
    size_t count = chosen ? surrogate_choose(&job->x, job->y, chosen, &job->arena) : 0;
    uint16_t *function = msw_arena_take(&pce->arena, (count + 1) * pce->factors * sizeof *function);
    tiles kept;
    if (count == 0 || !function || tiles_init(&kept, job->n, (unsigned)count, &job->arena))
        return msw_fail_memory(err);
    for (size_t t = 0; t < count; t++) {
        memcpy(function + t * pce->factors, pce->function + chosen[t] * pce->factors,
               pce->factors * sizeof *function);
        for (size_t i = 0; i < job->n; i++)
            *tiles_at(&kept, i, (unsigned)t) = *tiles_at(&job->x, i, chosen[t]);
    }
    pce->function = function;
    pce->terms = count;
    job->x = kept;
    return 0;
}

static int solve(fitting *job, msw_err *err)
{
    msw_pce *pce = job->pce;
    if (job->n < pce->terms)
        return msw_fail(err, "%zu rows for %zu terms: lower the degree or choose sparse", job->n,
                        pce->terms);
    int status = normal_solve(&job->x, job->y, &pce->fit, &pce->arena);
    if (status > 0)
        return msw_fail(err,
                        "the rows cannot tell all %zu terms apart: lower the degree or choose "
                        "sparse",
                        pce->terms);
    return status ? msw_fail_memory(err) : 0;
}

/* The output is standardised: its sum of squares is n (or 0 when it does not vary). */
static int judge(fitting *job, msw_pce_quality *quality)
{
    msw_pce *pce = job->pce;
    double *fitted = msw_arena_take(&job->arena, job->n * sizeof *fitted);
    double *leverage = msw_arena_take(&job->arena, job->n * sizeof *leverage);
    double squares = 0, left_out = 0, all = 0;
    if (!fitted || !leverage)
        return -1;
    normal_fitted(&job->x, pce->fit.beta, fitted);
    normal_leverage(&job->x, &pce->fit, leverage);
    for (size_t i = 0; i < job->n; i++) {
        double error = job->y[i] - fitted[i], alone = error / fmax(1 - leverage[i], 1e-12);
        squares += error * error;
        left_out += alone * alone;
        all += job->y[i] * job->y[i];
    }
    pce->freedom = (double)(job->n - pce->terms);
    pce->noise = pce->freedom > 0 ? sqrt(squares / pce->freedom) * job->deviation : NAN;
    quality->r2 = all > 0 ? 1 - squares / all : NAN;
    quality->q2 = all > 0 ? 1 - left_out / all : NAN;
    quality->terms = pce->terms;
    return 0;
}

/* Back to the units of the output. */
static void unscale(fitting *job)
{
    double *beta = job->pce->fit.beta;
    for (size_t t = 0; t < job->pce->terms; t++)
        beta[t] *= job->deviation;
    beta[0] += job->mean;
}

static int fit(fitting *job, const msw_pce_settings *settings, msw_pce_quality *quality,
               msw_err *err)
{
    if (take_rows(job))
        return msw_fail_memory(err);
    if (job->n == 0)
        return msw_fail(err, "no row has an output");
    standardize(job);
    if (make_bases(job, settings, err))
        return -1;
    *quality = (msw_pce_quality){
        .used = job->n, .dropped = job->data->n - job->n, .candidates = job->pce->terms};
    if (tiles_init(&job->x, job->n, (unsigned)job->pce->terms, &job->arena))
        return msw_fail_memory(err);
    if (surrogate_evaluate(job->pce, job->data, job->row, &job->x, &job->arena, err))
        return -1;
    if (settings->sparse && keep_chosen(job, err))
        return -1;
    if (solve(job, err))
        return -1;
    if (judge(job, quality))
        return msw_fail_memory(err);
    unscale(job);
    return 0;
}

msw_pce *msw_pce_fit(const msw_pce_data *data, const msw_pce_settings *settings,
                     msw_pce_quality *quality, msw_err *err)
{
    if (check(data, settings, err))
        return NULL;
    msw_pce_quality own;
    msw_pce *pce = calloc(1, sizeof *pce);
    if (!pce) {
        msw_fail_memory(err);
        return NULL;
    }
    pce->factors = data->factors;
    fitting job = {.pce = pce, .data = data};
    int status = fit(&job, settings, &own, err);
    msw_arena_free(&job.arena);
    if (status) {
        msw_pce_free(pce);
        return NULL;
    }
    if (quality)
        *quality = own;
    return pce;
}

void msw_pce_free(msw_pce *pce)
{
    if (pce)
        msw_arena_free(&pce->arena);
    free(pce);
}

int msw_pce_predict(const msw_pce *pce, const double *x, double confidence, double *value,
                    double *half, msw_err *err)
{
    unsigned stride = surrogate_stride(pce);
    double *function = malloc((stride * pce->factors + pce->terms) * sizeof *function);
    double *row = function + stride * pce->factors;
    if (!function)
        return msw_fail_memory(err);
    int status = 0;
    for (unsigned j = 0; j < pce->factors && status == 0; j++)
        if (basis_at(&pce->bases[j], x[j], function + j * stride))
            status = msw_fail(err, "%g is not a level of factor %u", x[j], j);
    if (status == 0) {
        *value = 0;
        for (size_t t = 0; t < pce->terms; t++) {
            row[t] = surrogate_term(pce, t, function, stride);
            *value += pce->fit.beta[t] * row[t];
        }
        if (half)
            *half = pce->freedom > 0
                        ? msw_math_student_quantile(0.5 + confidence / 2, pce->freedom) *
                              pce->noise * sqrt(1 + normal_leverage_of(&pce->fit, row))
                        : NAN;
    }
    free(function);
    return status;
}

double msw_pce_mean(const msw_pce *pce)
{
    return pce->fit.beta[0];
}

static uint32_t factors_of(const msw_pce *pce, size_t term)
{
    uint32_t mask = 0;
    for (unsigned j = 0; j < pce->factors; j++)
        if (pce->function[term * pce->factors + j])
            mask |= (uint32_t)1 << j;
    return mask;
}

double msw_pce_variance(const msw_pce *pce)
{
    double sum = 0;
    for (size_t t = 1; t < pce->terms; t++)
        sum += pce->fit.beta[t] * pce->fit.beta[t];
    return sum;
}

double msw_pce_part(const msw_pce *pce, uint32_t factors)
{
    double sum = 0, variance = msw_pce_variance(pce);
    for (size_t t = 1; t < pce->terms; t++)
        if (factors_of(pce, t) == factors)
            sum += pce->fit.beta[t] * pce->fit.beta[t];
    return variance > 0 ? sum / variance : NAN;
}

double msw_pce_closed(const msw_pce *pce, uint32_t factors)
{
    double sum = 0, variance = msw_pce_variance(pce);
    for (size_t t = 1; t < pce->terms; t++)
        if (!(factors_of(pce, t) & ~factors))
            sum += pce->fit.beta[t] * pce->fit.beta[t];
    return variance > 0 ? sum / variance : NAN;
}

double msw_pce_total(const msw_pce *pce, unsigned factor)
{
    double sum = 0, variance = msw_pce_variance(pce);
    for (size_t t = 1; t < pce->terms; t++)
        if (pce->function[t * pce->factors + factor])
            sum += pce->fit.beta[t] * pce->fit.beta[t];
    return variance > 0 ? sum / variance : NAN;
}
