/* Orthogonal matching pursuit. The term that is most like the residual is made orthonormal to those
 * chosen before; residual and leverages then follow by one update, and with them the leave-one-out
 * error of the fit so far, which tells where to stop. */
#include "analysis/surrogate/surrogate.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 20 };

typedef struct pursuit {
    const tiles *x;
    double *norm;     /* length of each column */
    double *q;        /* chosen columns, orthonormal, one after the other */
    double *residual; /* of the fit so far */
    double *leverage;
    bool *taken;
    size_t count;
} pursuit;

/* Four columns at a time: the strip is read once. */
static void strip_dot(const tiles *x, unsigned strip, const double *vector, double sum[TILE])
{
    const double *data = x->data + strip * x->rows * TILE;
    memset(sum, 0, TILE * sizeof *sum);
    for (size_t i = 0; i < x->rows; i++)
        for (int c = 0; c < TILE; c++)
            sum[c] += data[TILE * i + c] * vector[i];
}

static int64_t most_alike(const pursuit *job)
{
    double best = 0, sum[TILE];
    int64_t choice = -1;
    for (unsigned s = 0; s < job->x->strips; s++) {
        strip_dot(job->x, s, job->residual, sum);
        for (unsigned c = s * TILE; c < (s + 1) * TILE && c < job->x->columns; c++) {
            double like = job->taken[c] ? 0 : fabs(sum[c - s * TILE]) / job->norm[c];
            if (like > best) {
                best = like;
                choice = c;
            }
        }
    }
    return choice;
}

/* Makes a column orthonormal to those chosen. Returns whether anything of it is left. */
static bool orthonormalize(const pursuit *job, unsigned column, double *q)
{
    size_t n = job->x->rows;
    for (size_t i = 0; i < n; i++)
        q[i] = *tiles_at(job->x, i, column);
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < job->count; k++) {
            const double *other = job->q + k * n;
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += other[i] * q[i];
            for (size_t i = 0; i < n; i++)
                q[i] -= dot * other[i];
        }
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += q[i] * q[i];
    if (!(sqrt(square) > 1e-6 * job->norm[column]))
        return false;
    for (size_t i = 0; i < n; i++)
        q[i] /= sqrt(square);
    return true;
}

/* Takes a column into the fit. Returns whether it was independent of the others. */
static bool take(pursuit *job, unsigned column)
{
    size_t n = job->x->rows;
    double *q = job->q + job->count * n, dot = 0;
    job->taken[column] = true;
    if (!orthonormalize(job, column, q))
        return false;
    for (size_t i = 0; i < n; i++)
        dot += q[i] * job->residual[i];
    for (size_t i = 0; i < n; i++) {
        job->residual[i] -= dot * q[i];
        job->leverage[i] += q[i] * q[i];
    }
    job->count++;
    return true;
}

/* Sum of squared errors when each row is predicted without itself, raised for the terms already
 * chosen by looking (Chapelle, Vapnik and Bengio 2002: (n / (n - p)) (1 + tr (X'X / n)^-1 / n),
 * which is (n + p) / (n - p) for orthonormal columns). */
static double left_out_error(const pursuit *job)
{
    double sum = 0, n = (double)job->x->rows, p = (double)job->count;
    for (size_t i = 0; i < job->x->rows; i++) {
        double error = job->residual[i] / fmax(1 - job->leverage[i], 1e-9);
        sum += error * error;
    }
    return sum * (n + p) / (n - p);
}

static size_t pursue(pursuit *job, uint32_t *chosen, size_t most)
{
    double least = INFINITY;
    size_t best = 1;
    int64_t column = 0; /* the constant always takes part */
    while (column >= 0 && job->count < most && job->count < best + PATIENCE) {
        if (take(job, (unsigned)column)) {
            chosen[job->count - 1] = (uint32_t)column;
            double error = left_out_error(job);
            if (error < least) {
                least = error;
                best = job->count;
            }
            if (error <= 1e-26 * (double)job->x->rows)
                break;
        }
        column = most_alike(job);
    }
    return best;
}

size_t surrogate_choose(const tiles *x, const double *y, uint32_t *chosen, msw_arena *arena)
{
    size_t n = x->rows, most = n / 2 < x->columns ? n / 2 : x->columns;
    most = most < 1 ? 1 : most > 400 ? 400 : most;
    pursuit job = {.x = x,
                   .norm = msw_arena_take(arena, x->columns * sizeof(double)),
                   .q = msw_arena_take(arena, n * most * sizeof(double)),
                   .residual = msw_arena_take(arena, n * sizeof(double)),
                   .leverage = msw_arena_zero(arena, n, sizeof(double)),
                   .taken = msw_arena_zero(arena, x->columns, sizeof(bool))};
    if (!job.norm || !job.q || !job.residual || !job.leverage || !job.taken)
        return 0;
    memcpy(job.residual, y, n * sizeof *y);
    for (unsigned c = 0; c < x->columns; c++) {
        double square = 0;
        for (size_t i = 0; i < n; i++)
            square += *tiles_at(x, i, c) * *tiles_at(x, i, c);
        job.norm[c] = sqrt(square);
        job.taken[c] = square == 0;
    }
    return pursue(&job, chosen, most);
}
