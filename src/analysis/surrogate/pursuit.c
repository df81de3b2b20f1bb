/* SPDX-License-Identifier: MIT */
/* The chosen columns are made orthonormal without touching the rows: with q_i the i-th direction
 * and v_i its products with all columns, lower[i][j] = v_j[chosen i] is the triangular factor of
 * the normal equations, and residual products fall by weight_i v_i. */
#include "analysis/surrogate/surrogate.h"

#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- products of columns ---- */

static void strip_products(const tiles *x, unsigned strip, const double *vector, size_t from,
                           size_t end, double sum[TILE])
{
    const double *data = x->data + strip * x->rows * TILE;
    memset(sum, 0, TILE * sizeof *sum);
    for (size_t i = from; i < end; i++)
        for (int c = 0; c < TILE; c++)
            sum[c] += data[TILE * i + c] * vector[i];
}

typedef struct product_task {
    const pursuit_table *table;
    const double *vector;
    double *out;
} product_task;

static void multiply_strip(void *context, size_t strip)
{
    const product_task *p = context;
    const pursuit_table *t = p->table;
    for (unsigned b = 0; b < t->bins; b++) {
        double sum[TILE];
        unsigned first = (unsigned)strip * TILE;
        strip_products(&t->x, (unsigned)strip, p->vector, t->start[b], t->start[b + 1], sum);
        for (unsigned c = first; c < first + TILE && c < t->x.columns; c++)
            p->out[b * t->x.columns + c] = sum[c - first];
    }
}

/* Products of all columns with a vector, bin by bin. */
static void products_with(const pursuit_table *t, const double *vector, double *out)
{
    msw_tasks_if(t->x.rows * t->x.columns >= 1000000, t->x.strips, multiply_strip,
                 &(product_task){t, vector, out});
}

static void add_squares(const pursuit_table *t, unsigned bin)
{
    for (size_t i = t->start[bin]; i < t->start[bin + 1]; i++)
        for (unsigned c = 0; c < t->x.columns; c++) {
            double value = *tiles_at(&t->x, i, c);
            t->square[bin * t->x.columns + c] += value * value;
        }
}

int pursuit_start(pursuit_table *t)
{
    size_t p = t->x.columns;
    t->products = msw_arena_zero(t->arena, p, sizeof *t->products);
    t->moment = msw_arena_take(t->arena, t->bins * p * sizeof *t->moment);
    t->square = msw_arena_zero(t->arena, t->bins * p, sizeof *t->square);
    if (!t->products || !t->moment || !t->square)
        return -1;
    products_with(t, t->y, t->moment);
    for (unsigned b = 0; b < t->bins; b++) {
        add_squares(t, b);
        t->spread[b] = 0;
        for (size_t i = t->start[b]; i < t->start[b + 1]; i++)
            t->spread[b] += t->y[i] * t->y[i];
    }
    return 0;
}

/* Fits side by side may need one column at the same time: both compute it, to the same bits, and
 * the first to be done leaves it for all. */
static const double *pursuit_products(pursuit_table *t, unsigned column)
{
    double *there = atomic_load(&t->products[column]);
    if (there)
        return there;
    double *out = malloc(t->bins * t->x.columns * sizeof *out);
    double *vector = malloc((t->x.rows + 1) * sizeof *vector);
    for (size_t i = 0; out && vector && i < t->x.rows; i++)
        vector[i] = *tiles_at(&t->x, i, column);
    if (out && vector) {
        products_with(t, vector, out);
        if (!atomic_compare_exchange_strong(&t->products[column], &there, out)) {
            free(out);
            out = there;
        }
    } else {
        free(out);
        out = NULL;
    }
    free(vector);
    return out;
}

void pursuit_end(pursuit_table *t)
{
    for (unsigned c = 0; t->products && c < t->x.columns; c++)
        free(atomic_load(&t->products[c]));
}

/* Held rows that are looked at on the way: enough to see where to stop. */
enum { MOST_COLUMNS = 400, HELD_ROWS = 500 };

/* Below this share of its square a column is a combination of those chosen; below that share of the
 * output's square nothing is left to explain. */
#define DEPENDENT    1e-9
#define NOTHING_LEFT 1e-25

struct pursuit {
    pursuit_table *table;
    const pursuit_request *request;
    double *residual; /* per column: its product with what is not explained */
    double *left;     /* per column: square of what is independent of the chosen */
    double *whole;    /* per column: its square */
    double *v;        /* steps x columns */
    double *lower;    /* steps x most */
    double *weight;   /* per step: product of direction and output */
    uint32_t *chosen;
    size_t count;
    double *error; /* of the held rows */
    double *q;     /* steps x held rows */
    size_t held;
    double spread; /* squares of the output */
    msw_arena arena;
};

/* ---- sets of bins ---- */

static void add_bins(const pursuit_table *t, uint32_t set, const double *of, double *sum)
{
    memset(sum, 0, t->x.columns * sizeof *sum);
    for (unsigned b = 0; b < t->bins; b++)
        for (unsigned c = 0; set >> b & 1 && c < t->x.columns; c++)
            sum[c] += of[b * t->x.columns + c];
}

static size_t rows_of(const pursuit_table *t, uint32_t set)
{
    size_t rows = 0;
    for (unsigned b = 0; b < t->bins; b++)
        rows += set >> b & 1 ? t->start[b + 1] - t->start[b] : 0;
    return rows;
}

size_t pursuit_most(const pursuit_table *t, uint32_t train)
{
    size_t most = rows_of(t, train) * 4 / 5;
    most = most < t->x.columns ? most : t->x.columns;
    return most < 1 ? 1 : most > MOST_COLUMNS ? MOST_COLUMNS : most;
}

/* ---- steps ---- */

static int take_memory(pursuit *job)
{
    msw_arena *arena = &job->arena;
    size_t p = job->table->x.columns, most = job->request->most;
    job->residual = msw_arena_take(arena, p * sizeof *job->residual);
    job->left = msw_arena_take(arena, p * sizeof *job->left);
    job->whole = msw_arena_take(arena, p * sizeof *job->whole);
    job->v = msw_arena_take(arena, most * p * sizeof *job->v);
    job->lower = msw_arena_zero(arena, most * most, sizeof *job->lower);
    job->weight = msw_arena_take(arena, most * sizeof *job->weight);
    job->chosen = msw_arena_take(arena, most * sizeof *job->chosen);
    job->error = msw_arena_take(arena, (job->held + 1) * sizeof *job->error);
    job->q = msw_arena_take(arena, (most * job->held + 1) * sizeof *job->q);
    return job->residual && job->left && job->whole && job->v && job->lower && job->weight &&
                   job->chosen && job->error && job->q
               ? 0
               : -1;
}

static int begin(pursuit *job)
{
    const pursuit_table *t = job->table;
    if (job->request->held >= 0) {
        size_t rows = t->start[job->request->held + 1] - t->start[job->request->held];
        job->held = rows < HELD_ROWS ? rows : HELD_ROWS;
    }
    if (take_memory(job))
        return -1;
    add_bins(t, job->request->train, t->moment, job->residual);
    add_bins(t, job->request->train, t->square, job->whole);
    memcpy(job->left, job->whole, t->x.columns * sizeof *job->left);
    if (job->held)
        memcpy(job->error, t->y + t->start[job->request->held], job->held * sizeof *job->error);
    for (unsigned b = 0; b < t->bins; b++)
        job->spread += job->request->train >> b & 1 ? t->spread[b] : 0;
    return 0;
}

static bool is_free(const pursuit *job, unsigned c)
{
    return (!job->request->allowed || job->request->allowed[c]) &&
           job->left[c] > DEPENDENT * job->whole[c];
}

/* The column that explains most; -1: none explains anything. The constant always comes first. */
static int64_t best_column(const pursuit *job)
{
    double best = NOTHING_LEFT * job->spread;
    int64_t choice = -1;
    if (job->count == 0)
        return 0;
    for (unsigned c = 0; c < job->table->x.columns; c++) {
        double gain = job->residual[c] * job->residual[c];
        if (gain > best * job->left[c] && is_free(job, c)) {
            best = gain / job->left[c];
            choice = c;
        }
    }
    return choice;
}

/* The same step of Gram-Schmidt for the held rows: the column made orthogonal to those before it,
 * by the coefficients of the training rows. The error there shows when more columns stop helping.
 * */
static void follow_held(pursuit *job, unsigned column)
{
    size_t step = job->count, from = job->held ? job->table->start[job->request->held] : 0;
    const double *lower = job->lower + step * job->request->most;
    double *q = job->q + step * job->held;
    for (size_t h = 0; h < job->held; h++)
        q[h] = *tiles_at(&job->table->x, from + h, column);
    for (size_t i = 0; i < step; i++)
        for (size_t h = 0; h < job->held; h++)
            q[h] -= lower[i] * job->q[i * job->held + h];
    for (size_t h = 0; h < job->held; h++) {
        q[h] /= lower[step];
        job->error[h] -= job->weight[step] * q[h];
    }
}

/* Takes a column into the model. Returns 0, or -1 without memory. */
static int take_column(pursuit *job, unsigned column)
{
    size_t p = job->table->x.columns, step = job->count;
    const double *products = pursuit_products(job->table, column);
    double *lower = job->lower + step * job->request->most, *v = job->v + step * p;
    if (!products)
        return -1;
    add_bins(job->table, job->request->train, products, v);
    /* A step of Cholesky on the matrix of products of columns: v is the product of the new
     * orthogonal column with all others. Rows are only needed for the products of the new column,
     * which all fits share. */
    double square = v[column];
    for (size_t i = 0; i < step; i++) {
        const double *before = job->v + i * p;
        lower[i] = before[column];
        square -= lower[i] * lower[i];
        for (size_t c = 0; c < p; c++)
            v[c] -= lower[i] * before[c];
    }
    /* Rounding may leave a square near or below 0 for a column that others nearly explain. */
    lower[step] = sqrt(fmax(square, DEPENDENT * job->whole[column] / 16));
    job->weight[step] = job->residual[column] / lower[step];
    for (size_t c = 0; c < p; c++) {
        v[c] /= lower[step];
        job->residual[c] -= job->weight[step] * v[c];
        job->left[c] -= v[c] * v[c];
    }
    job->left[column] = 0;
    job->chosen[step] = column;
    follow_held(job, column);
    job->count++;
    return 0;
}

/* ---- fits ---- */

pursuit *pursuit_new(pursuit_table *table, const pursuit_request *request)
{
    pursuit *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->table = table;
    job->request = request;
    if (begin(job) == 0)
        return job;
    pursuit_free(job);
    return NULL;
}

void pursuit_free(pursuit *job)
{
    if (job)
        msw_arena_free(&job->arena);
    free(job);
}

int pursuit_step(pursuit *job)
{
    int64_t column = job->count < job->request->most ? best_column(job) : -1;
    if (column < 0)
        return 0;
    return take_column(job, (unsigned)column) ? -1 : 1;
}

double pursuit_error(const pursuit *job)
{
    double sum = 0;
    for (size_t h = 0; h < job->held; h++)
        sum += job->error[h] * job->error[h];
    return sum;
}

/* Coefficients of the columns themselves, from those of the orthonormal directions. */
static void solve(const pursuit *job, pursuit_model *model)
{
    for (size_t i = job->count; i-- > 0;) {
        double sum = job->weight[i];
        for (size_t k = i + 1; k < job->count; k++)
            sum -= job->lower[k * job->request->most + i] * model->beta[k];
        model->beta[i] = sum / job->lower[i * job->request->most + i];
    }
    model->count = job->count;
    memcpy(model->column, job->chosen, job->count * sizeof *model->column);
}

int pursuit_fit(pursuit_table *table, const pursuit_request *request, pursuit_model *model,
                msw_arena *arena)
{
    pursuit_request alone = *request;
    alone.held = -1;
    pursuit *job = pursuit_new(table, &alone);
    model->column = msw_arena_take(arena, request->most * sizeof *model->column);
    model->beta = msw_arena_take(arena, request->most * sizeof *model->beta);
    int rc = -1, moved = 1;
    if (!job || !model->column || !model->beta)
        goto done;
    while (moved > 0)
        moved = pursuit_step(job);
    if (moved < 0)
        goto done;
    solve(job, model);
    rc = 0;
done:
    pursuit_free(job);
    return rc;
}

double pursuit_predict(const pursuit_table *table, const pursuit_model *model, size_t row)
{
    double sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += model->beta[i] * *tiles_at(&table->x, row, model->column[i]);
    return sum;
}
