/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/pareto.h"

#include "memsweep/base/arena.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <string.h>

/* In one task: rows that rivals are looked for, and of all draws so many parts. */
enum { ROWS = 256, PARTS = 16 };

typedef struct judging {
    const msw_uncertain *table;
    const msw_points *points;
    double z;       /* half-widths are this many standard deviations */
    bool *measured; /* the front of the measured values */
    uint32_t *front;
    size_t front_count;
    msw_standing *standing;
    uint32_t *open; /* rows that are not excluded */
    size_t open_count;
    msw_arena arena;
} judging;

static double deviation(const judging *job, unsigned j, size_t row)
{
    const double *half = job->table->half ? job->table->half[j] : NULL;
    return half && !isnan(half[row]) ? half[row] / job->z : 0;
}

static bool same_group(const msw_points *points, size_t a, size_t b)
{
    return !points->group || points->group[a] == points->group[b];
}

/* Probability that row a is nowhere worse than row b; 0 once it is known to be below `enough`. Two
 * exact rows that are equal do not exclude each other. */
static double dominance(const judging *job, size_t a, size_t b, double enough)
{
    const msw_points *points = job->points;
    double probability = 1;
    bool differs = false;
    for (unsigned j = 0; j < points->k; j++) {
        double gap = points->columns[j][b] - points->columns[j][a];
        double width = msw_math_hypot(deviation(job, j, a), deviation(job, j, b));
        if (points->goals && points->goals[j] == MSW_GOAL_HIGHER)
            gap = -gap;
        differs |= gap != 0 || width > 0;
        probability *= width > 0 ? msw_math_normal(gap / width) : gap >= 0;
        if (probability < enough)
            return 0;
    }
    return differs ? probability : 0;
}

/* Finds the rival of a row: the first that excludes it, else the strongest. */
static void find_rival(judging *job, size_t row)
{
    msw_standing *own = &job->standing[row];
    double most = 0;
    own->rival = row;
    for (size_t i = 0; i < job->front_count && most < job->table->confidence; i++) {
        size_t other = job->front[i];
        if (other == row || !same_group(job->points, other, row))
            continue;
        double probability = dominance(job, other, row, most);
        if (probability > most) {
            most = probability;
            own->rival = other;
        }
    }
    own->probability = 1 - most;
    own->verdict = most >= job->table->confidence ? MSW_FRONT_EXCLUDED : MSW_FRONT_OPEN;
}

static bool takes_part(const msw_points *points, size_t row)
{
    bool nan = points->valid && !points->valid[row];
    for (unsigned j = 0; j < points->k; j++)
        nan |= isnan(points->columns[j][row]);
    return !nan;
}

static void judge_rows(void *context, size_t number)
{
    judging *job = context;
    for (size_t row = number * ROWS; row < (number + 1) * ROWS && row < job->points->n; row++) {
        job->standing[row] = (msw_standing){.probability = NAN, .rival = row};
        if (takes_part(job->points, row))
            find_rival(job, row);
    }
}

static void exclude(judging *job)
{
    size_t n = job->points->n;
    msw_tasks_if(n * (job->front_count + 1) >= 10000, msw_div_up(n, ROWS), judge_rows, job);
    for (size_t row = 0; row < n; row++)
        if (takes_part(job->points, row) && job->standing[row].verdict == MSW_FRONT_OPEN)
            job->open[job->open_count++] = (uint32_t)row;
}

/* Some of the draws: the rows still open, with room for drawn objectives. */
typedef struct drawing {
    double *columns[MSW_PARETO_OBJECTIVES];
    msw_points sample;
    bool *front;
    uint32_t *hits; /* of each row still open */
    int status;
    msw_err err;
} drawing;

typedef struct drawings {
    judging *job;
    uint32_t *group;
    drawing part[PARTS];
} drawings;

static int start_part(const drawings *all, drawing *part)
{
    judging *job = all->job;
    size_t n = job->open_count;
    part->front = msw_arena_take(&job->arena, n + 1);
    part->hits = msw_arena_zero(&job->arena, n + 1, sizeof *part->hits);
    if (!part->front || !part->hits)
        return -1;
    for (unsigned j = 0; j < job->points->k; j++)
        if (!(part->columns[j] = msw_arena_take(&job->arena, (n + 1) * sizeof(double))))
            return -1;
    part->sample = *job->points;
    part->sample.n = n;
    part->sample.columns = (const double *const *)part->columns;
    part->sample.valid = NULL;
    part->sample.group = all->group;
    return 0;
}

static int start_parts(drawings *all)
{
    judging *job = all->job;
    const uint32_t *group = job->points->group;
    all->group = group ? msw_arena_take(&job->arena, (job->open_count + 1) * sizeof *group) : NULL;
    if (group && !all->group)
        return -1;
    for (size_t i = 0; group && i < job->open_count; i++)
        all->group[i] = group[job->open[i]];
    for (int p = 0; p < PARTS; p++)
        if (start_part(all, &all->part[p]))
            return -1;
    return 0;
}

/* Draw number d uses the random stream d. */
static void draw_sample(const judging *job, unsigned number, double **columns)
{
    msw_rng rng;
    msw_rng_init(&rng, job->table->seed, number);
    for (size_t i = 0; i < job->open_count; i++)
        for (unsigned j = 0; j < job->points->k; j++) {
            size_t row = job->open[i];
            double noise = msw_rng_normal(&rng) * deviation(job, j, row);
            columns[j][i] = job->points->columns[j][row] + noise;
        }
}

static void run_part(void *context, size_t number)
{
    drawings *all = context;
    drawing *part = &all->part[number];
    const judging *job = all->job;
    for (size_t d = number; d < job->table->draws && part->status == 0; d += PARTS) {
        draw_sample(job, (unsigned)d, part->columns);
        part->status = msw_pareto_front(&part->sample, part->front, NULL, &part->err);
        for (size_t i = 0; i < job->open_count; i++)
            part->hits[i] += part->front[i];
    }
}

static void judge_open(judging *job, const drawings *all)
{
    for (size_t i = 0; i < job->open_count; i++) {
        msw_standing *own = &job->standing[job->open[i]];
        uint32_t hits = 0;
        for (int p = 0; p < PARTS; p++)
            hits += all->part[p].hits[i];
        own->probability = (double)hits / job->table->draws;
        if (own->probability >= job->table->confidence)
            own->verdict = MSW_FRONT_CERTAIN;
    }
}

static int monte_carlo(judging *job, msw_err *err)
{
    drawings *all = msw_arena_zero(&job->arena, 1, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    all->job = job;
    if (start_parts(all))
        return msw_fail_memory(err);
    msw_tasks_if(job->open_count * job->table->draws >= 10000, PARTS, run_part, all);
    for (int p = 0; p < PARTS; p++)
        if (all->part[p].status)
            return *err = all->part[p].err, -1;
    judge_open(job, all);
    return 0;
}

static bool inexact(const judging *job, size_t row)
{
    for (unsigned j = 0; j < job->points->k; j++)
        if (deviation(job, j, row) > 0)
            return true;
    return false;
}

static void ask_for_samples(judging *job)
{
    for (size_t i = 0; i < job->open_count; i++) {
        size_t row = job->open[i], rival = job->standing[row].rival;
        if (job->standing[row].verdict != MSW_FRONT_OPEN)
            continue;
        job->standing[row].sample_more |= inexact(job, row);
        job->standing[rival].sample_more |= inexact(job, rival);
    }
}

static int check_table(const msw_uncertain *table, msw_err *err)
{
    if (!(table->confidence > 0.5 && table->confidence < 1) ||
        !(table->half_confidence > 0 && table->half_confidence < 1))
        return msw_fail(err, "confidence %g (of half-widths %g) must lie between 0.5 (0) and 1",
                        table->confidence, table->half_confidence);
    if (table->draws == 0)
        return msw_fail(err, "0 draws: at least 1 is needed");
    return 0;
}

static int start_judging(judging *job, msw_err *err)
{
    size_t n = job->points->n;
    job->measured = msw_arena_take(&job->arena, n + 1);
    job->front = msw_arena_take(&job->arena, (n + 1) * sizeof *job->front);
    job->open = msw_arena_take(&job->arena, (n + 1) * sizeof *job->open);
    if (!job->measured || !job->front || !job->open)
        return msw_fail_memory(err);
    if (msw_pareto_front(job->points, job->measured, NULL, err))
        return -1;
    for (size_t row = 0; row < n; row++)
        if (job->measured[row])
            job->front[job->front_count++] = (uint32_t)row;
    return 0;
}

int msw_pareto_uncertain(const msw_uncertain *table, msw_standing *standing, msw_err *err)
{
    if (check_table(table, err))
        return -1;
    judging job = {.table = table,
                   .points = table->points,
                   .z = msw_math_normal_quantile(0.5 + table->half_confidence / 2),
                   .standing = standing};
    int rc = -1;
    if (start_judging(&job, err))
        goto done;
    exclude(&job);
    if (monte_carlo(&job, err))
        goto done;
    ask_for_samples(&job);
    rc = 0;
done:
    msw_arena_free(&job.arena);
    return rc;
}
