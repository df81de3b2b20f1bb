/* SPDX-License-Identifier: MIT */
/* The front so far, and designs near it that stand in where it is small. */
#include "explore/seek/seek.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_LEAST = 24, PAIRWISE_MOST = 400 };

/* ---- costs ---- */

double seek_cost(const msw_seeker *s, unsigned k, double value)
{
    double cost = s->plain[k] ? value : msw_math_log(value);
    return s->space.higher[k] ? -cost : cost;
}

static void fill_costs(msw_seeker *s, uint32_t row)
{
    const msw_seek_answer *a = &s->rows[row].answer;
    double *cost = s->costs + (size_t)row * SEEK_COSTS;
    for (unsigned k = 0; k < s->space.objectives; k++)
        cost[k] = a->state == MSW_SEEK_OK ? seek_cost(s, k, a->value[k]) : NAN;
    cost[s->space.objectives] = a->slack;
}

/* Logarithms, until an objective has a value that has none: then it is compared as it is. */
static void note_plain(msw_seeker *s)
{
    bool changed = false;
    for (size_t r = s->round_first; r < s->row_count; r++)
        for (unsigned k = 0; k < s->space.objectives; k++)
            if (s->rows[r].answer.state == MSW_SEEK_OK && !s->plain[k] &&
                !(s->rows[r].answer.value[k] > 0))
                changed = s->plain[k] = true;
    for (size_t r = changed ? 0 : s->round_first; r < s->row_count; r++)
        fill_costs(s, (uint32_t)r);
    for (size_t i = 0; changed && i < s->front_count; i++)
        memcpy(s->front + i * s->space.objectives, seek_costs(s, s->members[i].row),
               s->space.objectives * sizeof *s->front);
}

/* ---- the front ---- */

double seek_gap(const msw_seeker *s, const double *front, size_t count, const double *cost)
{
    unsigned m = s->space.objectives;
    double least = HUGE_VAL, scale[SEEK_COSTS];
    for (unsigned k = 0; k < m; k++)
        scale[k] = 1 / s->range[k];
    for (size_t i = 0; i < count; i++) {
        const double *f = front + i * m;
        double most = (f[0] - cost[0]) * scale[0];
        for (unsigned k = 1; k < m && most < least; k++) {
            double d = (f[k] - cost[k]) * scale[k];
            most = d > most ? d : most;
        }
        least = most < least ? most : least;
    }
    return least;
}

static bool is_feasible(const seek_row *r)
{
    return r->answer.state == MSW_SEEK_OK && !(r->answer.slack > 0);
}

/* -1: a is no better than b anywhere (or equal); 1: b is worse or equal everywhere, and not equal;
 * 0: neither. */
static int compare(const double *a, const double *b, unsigned m)
{
    bool better = false, worse = false;
    for (unsigned k = 0; k < m; k++) {
        better = better || a[k] < b[k];
        worse = worse || a[k] > b[k];
    }
    return !better ? -1 : !worse ? 1 : 0;
}

static int add_member(msw_seeker *s, size_t at, uint32_t row, msw_err *err)
{
    MSW_TRY(msw_vec_reserve(&s->members, &s->room.members, s->member_count + 1, sizeof *s->members,
                            err));
    if (at < s->member_count)
        s->members[s->member_count] = s->members[at];
    s->members[at] = (seek_member){.row = row};
    s->member_count++;
    return 0;
}

/* Members that a row dominates become stand-ins. Returns 1 where the row joins. */
static int join_front(msw_seeker *s, uint32_t row, msw_err *err)
{
    unsigned m = s->space.objectives;
    const double *cost = seek_costs(s, row);
    size_t kept = 0;
    for (size_t i = 0; i < s->front_count; i++)
        if (compare(cost, s->front + i * m, m) < 0)
            return 0;
    for (size_t i = 0; i < s->front_count; i++) {
        if (compare(cost, s->front + i * m, m) > 0)
            continue;
        seek_member member = s->members[kept];
        s->members[kept] = s->members[i];
        s->members[i] = member;
        memmove(s->front + kept++ * m, s->front + i * m, m * sizeof *s->front);
    }
    s->front_count = kept;
    MSW_TRY(msw_vec_reserve(&s->front, &s->room.front, (kept + 1) * m, sizeof *s->front, err));
    MSW_TRY(add_member(s, kept, row, err));
    memcpy(s->front + kept * m, cost, m * sizeof *s->front);
    s->front_count++;
    return 1;
}

static void find_ranges(msw_seeker *s)
{
    unsigned m = s->space.objectives;
    for (unsigned k = 0; k < m; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < s->front_count; i++) {
            low = fmin(low, s->front[i * m + k]);
            high = fmax(high, s->front[i * m + k]);
        }
        s->range[k] = high - low > 1e-9 ? high - low : 1;
    }
}

/* ---- how isolated a member is ---- */

static void isolate_pairwise(msw_seeker *s)
{
    unsigned m = s->space.objectives;
    for (size_t i = 0; i < s->front_count; i++)
        s->members[i].isolation = HUGE_VAL;
    for (size_t i = 0; i < s->front_count; i++)
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (unsigned k = 0; k < m; k++) {
                double d = (s->front[i * m + k] - s->front[j * m + k]) / s->range[k];
                sum += d * d;
            }
            s->members[i].isolation = fmin(s->members[i].isolation, sum);
            s->members[j].isolation = fmin(s->members[j].isolation, sum);
        }
    for (size_t i = 0; i < s->front_count; i++)
        s->members[i].isolation = sqrt(fmin(s->members[i].isolation, m));
}

/* Of many, the sum of the gaps along each objective. */
static int isolate_sorted(msw_seeker *s, msw_err *err)
{
    unsigned m = s->space.objectives;
    size_t n = s->front_count, *order = malloc(n * sizeof *order);
    double *keys = malloc(n * sizeof *keys);
    int rc = order && keys ? 0 : msw_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        s->members[i].isolation = 0;
    for (unsigned k = 0; rc == 0 && k < m; k++) {
        for (size_t i = 0; i < n; i++)
            keys[i] = s->front[i * m + k];
        msw_order_f64(keys, n, order);
        for (size_t i = 0; i < n; i++) {
            double before = keys[order[i ? i - 1 : i]], after = keys[order[i + 1 < n ? i + 1 : i]];
            s->members[order[i]].isolation += (after - before) / s->range[k];
        }
    }
    free(order);
    free(keys);
    return rc;
}

/* ---- stand-ins ---- */

typedef struct near {
    seek_member member;
    double depth;
} near;

static int by_depth(const void *a, const void *b)
{
    return msw_compare_f64(((const near *)a)->depth, ((const near *)b)->depth);
}

/* How far a design is from being on the front. */
static double depth_of(const msw_seeker *s, uint32_t row)
{
    const seek_row *r = &s->rows[row];
    if (!is_feasible(r))
        return r->answer.slack + (s->front_count ? 10 : 0);
    return fmax(0, -seek_gap(s, s->front, s->front_count, seek_costs(s, row)));
}

static bool is_member(const msw_seeker *s, uint32_t row)
{
    for (size_t i = 0; i < s->member_count; i++)
        if (s->members[i].row == row)
            return true;
    return false;
}

static int find_stand_ins(msw_seeker *s, msw_err *err)
{
    size_t wanted = s->front_count < MEMBERS_LEAST ? MEMBERS_LEAST - s->front_count : 0, count = 0;
    size_t most = s->member_count - s->front_count + s->row_count - s->round_first;
    near *list = wanted ? malloc((most + 1) * sizeof *list) : NULL;
    if (wanted && !list)
        return msw_fail_memory(err);
    for (size_t i = s->front_count; wanted && i < s->member_count; i++)
        list[count++] = (near){s->members[i], depth_of(s, s->members[i].row)};
    for (size_t r = s->round_first; wanted && r < s->row_count; r++)
        if (s->rows[r].answer.state != MSW_SEEK_FAILED && !is_member(s, (uint32_t)r))
            list[count++] = (near){{.row = (uint32_t)r}, depth_of(s, (uint32_t)r)};
    if (count)
        msw_sort(list, count, sizeof *list, by_depth);
    s->member_count = s->front_count;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count && i < wanted; i++) {
        rc = msw_vec_reserve(&s->members, &s->room.members, s->member_count + 1, sizeof *s->members,
                             err);
        if (rc == 0) {
            list[i].member.isolation = 0.05 / (1 + list[i].depth);
            s->members[s->member_count++] = list[i].member;
        }
    }
    free(list);
    return rc;
}

/* ---- a round ---- */

static void learn(msw_seeker *s, uint32_t row)
{
    const seek_row *r = &s->rows[row];
    double difference[SEEK_COSTS];
    if (r->parent == MSW_NOWHERE || s->rows[r->parent].answer.state != MSW_SEEK_OK ||
        r->answer.state != MSW_SEEK_OK)
        return;
    for (unsigned k = 0; k <= s->space.objectives; k++)
        difference[k] = seek_costs(s, row)[k] - seek_costs(s, r->parent)[k];
    seek_effects_learn(&s->effects, &s->space, seek_levels(s, r->parent), seek_levels(s, row),
                       difference);
}

int seek_archive_take(msw_seeker *s, msw_err *err)
{
    note_plain(s);
    double made[MSW_SEEK_MOVES] = {0}, gained[MSW_SEEK_MOVES] = {0};
    for (size_t r = s->round_first; r < s->row_count; r++) {
        const seek_row *row = &s->rows[r];
        int joined = is_feasible(row) ? join_front(s, (uint32_t)r, err) : 0;
        if (joined < 0)
            return -1;
        if (joined)
            s->last_gain = r + 1;
        made[row->move]++;
        gained[row->move] += joined;
        s->statement.made[row->move]++;
        s->statement.gained[row->move] += (uint64_t)joined;
        s->statement.failed += row->answer.state == MSW_SEEK_FAILED;
        s->statement.infeasible += row->answer.state == MSW_SEEK_INFEASIBLE ||
                                   (row->answer.state == MSW_SEEK_OK && row->answer.slack > 0);
        learn(s, (uint32_t)r);
    }
    for (int m = 0; m < MSW_SEEK_MOVES; m++)
        if (made[m] > 0)
            s->credit[m] += 0.3 * (gained[m] / made[m] - s->credit[m]);
    find_ranges(s);
    if (s->front_count <= PAIRWISE_MOST)
        isolate_pairwise(s);
    else
        MSW_TRY(isolate_sorted(s, err));
    return find_stand_ins(s, err);
}

/* ---- adding ---- */

int seek_add(msw_seeker *s, const uint32_t *levels, uint64_t hash, uint32_t parent,
             msw_seek_move move, msw_err *err)
{
    size_t n = s->space.factor_count;
    msw_digest identity;
    uint64_t *there;
    if (msw_map_find(&s->seen, hash))
        return 0;
    MSW_TRY(msw_map_add(&s->seen, hash, &there, err));
    int belongs = s->space.look(s->space.context, levels, &identity, err);
    if (belongs <= 0)
        return belongs;
    if (msw_map_find(&s->known, identity.lo))
        return 0;
    MSW_TRY(msw_map_add(&s->known, identity.lo, &there, err));
    MSW_TRY(msw_vec_reserve(&s->rows, &s->room.rows, s->row_count + 1, sizeof *s->rows, err));
    MSW_TRY(msw_vec_reserve(&s->levels, &s->room.levels, (s->row_count + 1) * n, sizeof *s->levels,
                            err));
    MSW_TRY(msw_vec_reserve(&s->costs, &s->room.costs, (s->row_count + 1) * SEEK_COSTS,
                            sizeof *s->costs, err));
    memcpy(s->levels + s->row_count * n, levels, n * sizeof *levels);
    s->rows[s->row_count++] =
        (seek_row){.hash = hash, .parent = parent, .round = s->round, .move = (uint8_t)move};
    return 1;
}

void seek_draw(msw_seeker *s, uint32_t *levels)
{
    for (size_t f = 0; f < s->space.factor_count; f++)
        levels[f] = (uint32_t)msw_rng_below(&s->rng, s->space.factors[f].levels);
}

size_t seek_best_candidate(const msw_seeker *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->pool.count; i++)
        if (s->pool.items[i].score > s->pool.items[best].score)
            best = i;
    return best;
}
