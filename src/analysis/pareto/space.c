/* SPDX-License-Identifier: MIT */
/* Makes points of integers, and finds their fronts and ranks.
 *
 * Divide and conquer over the objectives (the idea of Kung, Luccio and Preparata 1975 for fronts
 * and of Jensen 2003 for ranks).
 *
 * The points are halved in lexicographic order: the first half is settled, then judged against the
 * second (`cross`), then the second half is settled. `cross` knows that its left points are nowhere
 * worse in the objectives before `d`; it halves on objective d, which leaves two problems of half
 * the size and one with an objective less. When few enough objectives are left, one sweep along a
 * sorted objective with a ladder does the rest: one objective more for fronts than for ranks, as a
 * front needs no rank as the ladder's value. Every set keeps its points sorted by each objective
 * still open, so halving is a stable partition and nothing is sorted again. */
#include "analysis/pareto/rows.h"

#include "analysis/stats/sort.h"

#include <string.h>

enum { SMALL_SET = 48, SMALL_PAIRS = 512 };

typedef struct set {
    size_t n;
    uint32_t *by[MSW_PARETO_OBJECTIVES]; /* its points sorted by each open objective */
} set;

typedef struct divide {
    const int32_t *x;
    unsigned k;
    bool ranking;
    int32_t *value; /* rank so far, or 1 where dominated */
    int32_t *key;   /* the ladder key of each point in the present sweep */
    ladder steps;
    msw_arena *arena;
} divide;

static inline int32_t at(const divide *job, uint32_t point, unsigned d)
{
    return job->x[(size_t)point * job->k + d];
}

static inline bool covers(const divide *job, uint32_t a, uint32_t b, unsigned d)
{
    const int32_t *p = job->x + (size_t)a * job->k, *q = job->x + (size_t)b * job->k;
    bool covered = true;
    for (; d < job->k; d++)
        covered &= p[d] <= q[d];
    return covered;
}

/* Point a dominates point b. */
static inline void settle_pair(divide *job, uint32_t a, uint32_t b)
{
    if (!job->ranking)
        job->value[b] = 1;
    else if (job->value[b] <= job->value[a])
        job->value[b] = job->value[a] + 1;
}

/* A dominated point is of no more use to a front: whatever it dominates, its dominator does too. */
static inline bool out(const divide *job, uint32_t point)
{
    return !job->ranking && job->value[point];
}

static int set_take(const divide *job, set *part, size_t capacity, unsigned d)
{
    for (unsigned e = d; e < job->k; e++)
        if (!(part->by[e] = msw_arena_take(job->arena, (capacity + 1) * sizeof **part->by)))
            return -1;
    return 0;
}

/* Splits by `x[axis] < pivot`, or by position when axis is 0: objective 0 is the order of points.
 */
static int split(const divide *job, const set *whole, unsigned d, unsigned axis, uint32_t pivot,
                 set half[2])
{
    if (set_take(job, &half[0], whole->n, d) || set_take(job, &half[1], whole->n, d))
        return -1;
    size_t count[2] = {0, 0};
    for (unsigned e = d; e < job->k; e++) {
        count[0] = count[1] = 0;
        for (size_t i = 0; i < whole->n; i++) {
            uint32_t point = whole->by[e][i];
            uint32_t where = axis ? (uint32_t)at(job, point, axis) : point;
            half[0].by[e][count[0]] = half[1].by[e][count[1]] = point;
            bool keep = !out(job, point);
            count[0] += keep && where < pivot;
            count[1] += keep && where >= pivot;
        }
    }
    half[0].n = count[0];
    half[1].n = count[1];
    return 0;
}

static int32_t lowest(const divide *job, const set *part, unsigned d)
{
    return at(job, part->by[d][0], d);
}

static int32_t highest(const divide *job, const set *part, unsigned d)
{
    return at(job, part->by[d][part->n - 1], d);
}

/* No left point can be nowhere worse than a right one. */
static bool apart(const divide *job, const set *left, const set *right, unsigned d)
{
    for (unsigned e = d; e < job->k; e++)
        if (lowest(job, left, e) > highest(job, right, e))
            return true;
    return false;
}

static void cross_pairs(divide *job, const set *left, const set *right, unsigned d)
{
    const uint32_t *a = left->by[job->k - 1], *b = right->by[job->k - 1];
    for (size_t i = 0; i < left->n; i++)
        for (size_t j = 0; j < right->n; j++)
            if (covers(job, a[i], b[j], d))
                settle_pair(job, a[i], b[j]);
}

/* Ladder keys: the place of a left point along objective d; for a right point, the last place that
 * is not above it. */
static void make_keys(divide *job, const set *left, const set *right, unsigned d)
{
    size_t taken = 0;
    for (size_t j = 0; j < right->n; j++) {
        int32_t limit = at(job, right->by[d][j], d);
        for (; taken < left->n && at(job, left->by[d][taken], d) <= limit; taken++)
            job->key[left->by[d][taken]] = (int32_t)taken;
        job->key[right->by[d][j]] = (int32_t)taken - 1;
    }
    for (; taken < left->n; taken++)
        job->key[left->by[d][taken]] = (int32_t)taken;
}

static inline void judge(divide *job, uint32_t point, int32_t best)
{
    if (best == INT32_MAX)
        return;
    if (!job->ranking)
        job->value[point] |= best <= at(job, point, job->k - 1);
    else if (job->value[point] < 1 - best)
        job->value[point] = 1 - best;
}

static inline int32_t ladder_value(const divide *job, uint32_t point)
{
    return job->ranking ? -job->value[point] : at(job, point, job->k - 1);
}

/* Two objectives left (three for a front): sweep along d, ladder along d + 1. */
static void sweep_ladder(divide *job, const set *left, const set *right, unsigned d)
{
    make_keys(job, left, right, d + 1);
    ladder_reset(&job->steps, left->n);
    size_t taken = 0;
    for (size_t j = 0; j < right->n; j++) {
        uint32_t point = right->by[d][j];
        for (; taken < left->n && at(job, left->by[d][taken], d) <= at(job, point, d); taken++)
            ladder_put(&job->steps, job->key[left->by[d][taken]],
                       ladder_value(job, left->by[d][taken]));
        judge(job, point, ladder_lowest(&job->steps, job->key[point]));
    }
}

/* One objective left (two for a front): the ladder has a single step. */
static void sweep_lowest(divide *job, const set *left, const set *right, unsigned d)
{
    int32_t best = INT32_MAX;
    size_t taken = 0;
    for (size_t j = 0; j < right->n; j++) {
        uint32_t point = right->by[d][j];
        for (; taken < left->n && at(job, left->by[d][taken], d) <= at(job, point, d); taken++) {
            int32_t value = ladder_value(job, left->by[d][taken]);
            best = value < best ? value : best;
        }
        judge(job, point, best);
    }
}

/* The middle of objective d over both sets, and above its minimum. */
static int32_t middle(const divide *job, const set *left, const set *right, unsigned d)
{
    const set *larger = left->n > right->n ? left : right;
    int32_t pivot = at(job, larger->by[d][larger->n / 2], d);
    int32_t low = lowest(job, left, d), other = lowest(job, right, d);
    low = other < low ? other : low;
    return pivot > low ? pivot : low + 1;
}

static int cross(divide *job, const set *left, const set *right, unsigned d);

static int cross_halves(divide *job, const set *left, const set *right, unsigned d)
{
    msw_arena_mark mark = msw_arena_now(job->arena);
    uint32_t pivot = (uint32_t)middle(job, left, right, d);
    set a[2], b[2];
    int status = -1;
    if (split(job, left, d, d, pivot, a) == 0 && split(job, right, d, d, pivot, b) == 0)
        status = cross(job, &a[0], &b[0], d) || cross(job, &a[1], &b[1], d) ||
                 cross(job, &a[0], &b[1], d + 1);
    msw_arena_release(job->arena, mark);
    return status ? -1 : 0;
}

static int cross(divide *job, const set *left, const set *right, unsigned d)
{
    if (left->n == 0 || right->n == 0 || apart(job, left, right, d))
        return 0;
    if (left->n * right->n <= SMALL_PAIRS || left->n < 3 || right->n < 3) {
        cross_pairs(job, left, right, d);
        return 0;
    }
    unsigned open = job->k - d, swept = job->ranking ? 1 : 2;
    if (open <= swept)
        sweep_lowest(job, left, right, d);
    else if (open == swept + 1)
        sweep_ladder(job, left, right, d);
    else if (highest(job, left, d) <= lowest(job, right, d))
        return cross(job, left, right, d + 1);
    else
        return cross_halves(job, left, right, d);
    return 0;
}

static void solve_small(divide *job, uint32_t first, uint32_t end)
{
    for (uint32_t a = first; a < end; a++)
        for (uint32_t b = a + 1; b < end && !out(job, a); b++)
            if (covers(job, a, b, 1))
                settle_pair(job, a, b);
}

/* Settles the points first .. end-1 among themselves; `whole` holds those still of use. */
static int solve(divide *job, const set *whole, uint32_t first, uint32_t end)
{
    if (end - first <= SMALL_SET) {
        solve_small(job, first, end);
        return 0;
    }
    msw_arena_mark mark = msw_arena_now(job->arena);
    uint32_t mid = first + (end - first) / 2;
    set half[2];
    int status = -1;
    if (split(job, whole, 1, 0, mid, half) == 0)
        status = solve(job, &half[0], first, mid) || cross(job, &half[0], &half[1], 1) ||
                 solve(job, &half[1], mid, end);
    msw_arena_release(job->arena, mark);
    return status ? -1 : 0;
}

static int sort_all(divide *job, const pareto_space *space, set *whole)
{
    whole->n = space->count;
    if (set_take(job, whole, space->count, 1))
        return -1;
    for (unsigned e = 1; e < job->k; e++) {
        for (size_t i = 0; i < space->count; i++)
            whole->by[e][i] = (uint32_t)i;
        if (sort_by_key(job->x + e, job->k, space->distinct[e], whole->by[e], space->count,
                        job->arena))
            return -1;
    }
    return 0;
}

static int run_division(const pareto_space *space, bool ranking, int32_t *value, msw_arena *arena)
{
    divide job = {.x = space->x, .k = space->k, .ranking = ranking, .value = value, .arena = arena};
    set whole;
    memset(value, 0, space->count * sizeof *value);
    job.key = msw_arena_take(arena, space->count * sizeof *job.key);
    if (!job.key || ladder_init(&job.steps, space->count, arena) || sort_all(&job, space, &whole))
        return -1;
    return solve(&job, &whole, 0, (uint32_t)space->count);
}

static int pareto_divide_front(const pareto_space *space, int32_t *dominated, msw_arena *arena)
{
    return run_division(space, false, dominated, arena);
}

static int pareto_divide_rank(const pareto_space *space, int32_t *rank, msw_arena *arena)
{
    return run_division(space, true, rank, arena);
}

/* ---- points of integers ---- */

/* Dense ranks of one objective into `ranks` (n x k, row by row). The order of the first objective
 * is what the lexicographic order starts from. */
static int rank_objective(const pareto_rows *list, const uint32_t *rows, pareto_space *space,
                          unsigned j, int32_t *ranks, msw_arena *arena)
{
    msw_arena_mark mark;
    double *table = msw_arena_take(arena, space->n * sizeof *table);
    mark = msw_arena_now(arena);
    double *value = msw_arena_take(arena, space->n * sizeof *value);
    uint32_t *order = j ? msw_arena_take(arena, space->n * sizeof *order) : space->row;
    if (!table || !value || !order)
        return -1;
    for (size_t i = 0; i < space->n; i++)
        value[i] = pareto_value(list, j, rows[i]);
    if (sort_ascending(value, space->n, order, arena))
        return -1;
    size_t distinct = 0;
    for (size_t i = 0; i < space->n; i++) {
        double v = value[order[i]];
        if (distinct == 0 || table[distinct - 1] != v)
            table[distinct++] = v;
        ranks[order[i] * space->k + j] = (int32_t)distinct - 1;
    }
    space->values[j] = table;
    space->distinct[j] = distinct;
    msw_arena_release(arena, mark);
    return 0;
}

/* Objective 0 is sorted already; only ties in it need the other objectives, last one first. */
static int sort_lexicographically(pareto_space *space, const int32_t *ranks, msw_arena *arena)
{
    if (space->distinct[0] == space->n)
        return 0;
    for (unsigned j = space->k; j-- > 0;)
        if (sort_by_key(ranks + j, space->k, space->distinct[j], space->row, space->n, arena))
            return -1;
    return 0;
}

/* Copies the ranks in lexicographic order, equal points once, and turns positions into rows. */
static void collapse(pareto_space *space, const uint32_t *rows, const int32_t *ranks)
{
    size_t bytes = space->k * sizeof *ranks;
    space->count = 0;
    for (size_t i = 0; i < space->n; i++) {
        const int32_t *point = ranks + (size_t)space->row[i] * space->k;
        int32_t *end = space->x + space->count * space->k;
        if (space->count == 0 || memcmp(end - space->k, point, bytes) != 0) {
            memcpy(end, point, bytes);
            space->count++;
        }
        space->position[i] = (uint32_t)space->count - 1;
        space->row[i] = rows[space->row[i]];
    }
}

int pareto_space_make(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_space *space,
                      msw_arena *arena)
{
    unsigned k = list->points->k;
    *space = (pareto_space){.n = n, .k = k};
    space->x = msw_arena_take(arena, n * k * sizeof *space->x);
    space->row = msw_arena_take(arena, n * sizeof *space->row);
    space->position = msw_arena_take(arena, n * sizeof *space->position);
    space->values = msw_arena_take(arena, k * sizeof *space->values);
    space->distinct = msw_arena_take(arena, k * sizeof *space->distinct);
    int32_t *ranks = msw_arena_take(arena, n * k * sizeof *ranks);
    if (!space->x || !space->row || !space->position || !space->values || !space->distinct ||
        !ranks)
        return -1;
    for (unsigned j = 0; j < k; j++)
        if (rank_objective(list, rows, space, j, ranks, arena))
            return -1;
    if (sort_lexicographically(space, ranks, arena))
        return -1;
    collapse(space, rows, ranks);
    return 0;
}

/* Sweeps along objective 0; the ladder knows the lowest objective 2 up to each objective 1. */
static int front_of_three(const pareto_space *space, int32_t *dominated, msw_arena *arena)
{
    ladder steps;
    if (ladder_init(&steps, space->distinct[1], arena))
        return -1;
    for (size_t i = 0; i < space->count; i++) {
        const int32_t *x = space->x + 3 * i;
        dominated[i] = ladder_lowest(&steps, x[1]) <= x[2];
        if (!dominated[i])
            ladder_put(&steps, x[1], x[2]);
    }
    return 0;
}

int pareto_space_front(const pareto_space *space, int32_t *dominated, msw_arena *arena)
{
    if (space->k == 1) {
        for (size_t i = 0; i < space->count; i++)
            dominated[i] = i > 0;
        return 0;
    }
    if (space->k == 3)
        return front_of_three(space, dominated, arena);
    return pareto_divide_front(space, dominated, arena);
}

int pareto_space_rank(const pareto_space *space, int32_t *rank, msw_arena *arena)
{
    if (space->k == 1) {
        for (size_t i = 0; i < space->count; i++)
            rank[i] = (int32_t)i;
        return 0;
    }
    return pareto_divide_rank(space, rank, arena);
}
