/* SPDX-License-Identifier: MIT */
/* Proposals: what is made of the front so far, and which of it is worth an evaluation. */
#include "explore/seek/model.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARENTS = 48, /* members that changes are ranked of, in a round */
    FINE = 32,    /* a factor of more levels is stepped through by several strides */
    STRIDES = 4,
    RANKED = 40, /* changes ranked per proposal wanted, as long as there are few evaluations */
    RANKED_LATE = 2,
    LATE = 10000,          /* evaluations from which proposals have to be cheap */
    PATIENT_MOST = 400000, /* candidates times choices up to which each choice looks again */
    MODELLED = 384,        /* candidates of a model's choice, and a few more for each proposal */
    TRIES = 20
};

/* ---- whom to start from ---- */

typedef struct turn {
    double priority;
    uint32_t member;
} turn;

static int by_priority(const void *a, const void *b)
{
    return msw_compare_f64(((const turn *)b)->priority, ((const turn *)a)->priority);
}

/* Members in the order in which moves are made from them: the most isolated first, each the later
 * the more was tried from it. */
static turn *order_members(const msw_seeker *s, msw_err *err)
{
    turn *turns = malloc((s->member_count + 1) * sizeof *turns);
    if (!turns) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < s->member_count; i++) {
        const seek_member *m = &s->members[i];
        double isolation = s->method.isolated ? m->isolation : 1;
        double tried = m->tried / (double)(s->space.factor_count + 1);
        turns[i] = (turn){isolation / (1 + tried), (uint32_t)i};
    }
    msw_sort(turns, s->member_count, sizeof *turns, by_priority);
    return turns;
}

/* ---- neighbours ---- */

static uint32_t stride(uint32_t levels, unsigned i)
{
    static const uint32_t PARTS[STRIDES] = {0, 256, 32, 8};
    return i && levels / PARTS[i] > 1 ? levels / PARTS[i] : 1;
}

static unsigned neighbours_of(const msw_seek_factor *f)
{
    if (f->ordered)
        return f->levels > FINE ? 2 * STRIDES : 2;
    return f->levels - 1 < 8 ? f->levels - 1 : 8;
}

static uint32_t neighbour(const msw_seeker *s, size_t factor, uint32_t level, unsigned i)
{
    const msw_seek_factor *f = &s->space.factors[factor];
    if (!f->ordered)
        return f->levels <= 9 ? (level + 1 + i) % f->levels
                              : (uint32_t)(seek_term(factor + i, level) % f->levels);
    uint32_t by = stride(f->levels, i / 2);
    if (i % 2)
        return f->levels - 1 - level >= by ? level + by : level;
    return level >= by ? level - by : level;
}

/* The next neighbour of a member that is not known. Returns whether there is one. */
static bool next_neighbour(msw_seeker *s, seek_member *m, uint32_t *levels, uint64_t *hash)
{
    unsigned count = 0;
    const uint32_t *own = seek_levels(s, m->row);
    for (size_t f = 0; f < s->space.factor_count; f++)
        count += neighbours_of(&s->space.factors[f]);
    while (m->next < count) {
        unsigned i = (unsigned)msw_permute(m->next++, count, s->rows[m->row].hash | 1);
        size_t f = 0;
        while (i >= neighbours_of(&s->space.factors[f]))
            i -= neighbours_of(&s->space.factors[f++]);
        uint32_t to = neighbour(s, f, own[f], i);
        *hash = s->rows[m->row].hash - seek_term(f, own[f]) + seek_term(f, to);
        if (to == own[f] || msw_map_find(&s->seen, *hash))
            continue;
        memcpy(levels, own, s->space.factor_count * sizeof *levels);
        levels[f] = to;
        return true;
    }
    m->done = true;
    return false;
}

static int add_steps(msw_seeker *s, const turn *turns, uint64_t wanted, uint32_t *levels,
                     msw_err *err)
{
    uint64_t most = s->space.factor_count < wanted / 4 + 1 ? s->space.factor_count : wanted / 4 + 1;
    for (size_t t = 0; t < s->member_count && wanted; t++) {
        seek_member *m = &s->members[turns[t].member];
        for (uint64_t n = 0; n < most && wanted && !m->done;) {
            uint64_t hash;
            if (!next_neighbour(s, m, levels, &hash))
                break;
            int got = seek_add(s, levels, hash, m->row, MSW_SEEK_STEP, err);
            if (got < 0)
                return -1;
            m->tried += (uint32_t)got;
            n += (uint64_t)got;
            wanted -= (uint64_t)got;
        }
    }
    return 0;
}

/* ---- the pool: candidates that are ranked ---- */

static int pool_reserve(msw_seeker *s, size_t count, msw_err *err)
{
    size_t n = s->space.factor_count;
    if (count <= s->pool.room)
        return 0;
    free(s->pool.items);
    free(s->pool.levels);
    s->pool.room = 0;
    s->pool.items = malloc(count * sizeof *s->pool.items);
    s->pool.levels = malloc((count * n + 1) * sizeof *s->pool.levels);
    if (!s->pool.items || !s->pool.levels)
        return msw_fail_memory(err);
    s->pool.room = count;
    return 0;
}

/* What the levels of the last candidate are to become. */
static uint32_t *pool_next(msw_seeker *s, uint32_t parent)
{
    size_t n = s->space.factor_count;
    seek_candidate *c = &s->pool.items[s->pool.count];
    *c = (seek_candidate){.levels = s->pool.levels + s->pool.count * n, .parent = parent};
    memcpy(c->levels, seek_levels(s, parent), n * sizeof *c->levels);
    return c->levels;
}

/* The optimistic gap to the front; where a limit is expected to be missed, less by how far. */
static void score(const msw_seeker *s, seek_candidate *c, const seek_guess *g)
{
    unsigned m = s->space.objectives;
    const double *from = seek_costs(s, c->parent);
    for (unsigned k = 0; k <= m; k++)
        c->cost[k] = from[k] + g->mean[k] - s->method.bold * sqrt(g->variance[k]);
    double missed = c->cost[m] > 0 ? c->cost[m] : 0;
    if (!s->front_count || isnan(c->cost[0]))
        c->score = -missed - 100;
    else
        c->score = seek_gap(s, s->front, s->front_count, c->cost) - missed;
}

/* Keeps the candidate whose levels were set, unless it is known. */
static void pool_keep(msw_seeker *s)
{
    seek_candidate *c = &s->pool.items[s->pool.count];
    const uint32_t *from = seek_levels(s, c->parent);
    seek_guess g = {0};
    c->hash = s->rows[c->parent].hash;
    for (size_t f = 0; f < s->space.factor_count; f++)
        if (c->levels[f] != from[f])
            c->hash += seek_term(f, c->levels[f]) - seek_term(f, from[f]);
    if (c->hash == s->rows[c->parent].hash || msw_map_find(&s->seen, c->hash))
        return;
    for (size_t f = 0; f < s->space.factor_count; f++)
        if (c->levels[f] != from[f])
            seek_effects_add(&s->effects, &s->space, f, from[f], c->levels[f], &g);
    score(s, c, &g);
    s->pool.count++;
}

static int by_score(const void *a, const void *b)
{
    return msw_compare_f64(((const seek_candidate *)b)->score, ((const seek_candidate *)a)->score);
}

/* What is like a choice is worth less, as if that came out as hoped. */
static void expect(msw_seeker *s, const seek_candidate *chosen)
{
    for (size_t i = 0; s->front_count && i < s->pool.count; i++) {
        double gap = seek_gap(s, chosen->cost, 1, s->pool.items[i].cost);
        s->pool.items[i].score = fmin(s->pool.items[i].score, gap);
    }
}

/* Adds the best of the pool; of a large one without looking again after each choice. */
static int add_best(msw_seeker *s, uint64_t wanted, msw_seek_move move, msw_err *err)
{
    bool patient = s->pool.count * wanted <= PATIENT_MOST;
    if (!patient)
        msw_sort(s->pool.items, s->pool.count, sizeof *s->pool.items, by_score);
    for (size_t at = 0; wanted && (patient ? s->pool.count > 0 : at < s->pool.count); at++) {
        size_t best = patient ? seek_best_candidate(s) : at;
        seek_candidate c = s->pool.items[best];
        if (patient)
            s->pool.items[best] = s->pool.items[--s->pool.count];
        int got = seek_add(s, c.levels, c.hash, c.parent, move, err);
        if (got < 0)
            return -1;
        wanted -= (uint64_t)got;
        if (got && patient)
            expect(s, &c);
    }
    return 0;
}

/* ---- changes ---- */

/* Mostly a near one, of an ordered factor. */
static uint32_t other_level(msw_seeker *s, size_t factor, uint32_t from)
{
    const msw_seek_factor *f = &s->space.factors[factor];
    if (f->levels < 2)
        return from;
    if (!f->ordered || f->levels <= 4 || msw_rng_uniform(&s->rng) < 0.25) {
        uint32_t to = (uint32_t)msw_rng_below(&s->rng, f->levels - 1);
        return to + (to >= from);
    }
    double u = msw_rng_uniform(&s->rng);
    uint32_t by = 1 + (uint32_t)msw_math_pow(f->levels / 2.0, u * u) - 1;
    by = by ? by : 1;
    bool up = msw_rng_u32(&s->rng) & 1;
    if (up ? f->levels - 1 - from < by : from < by)
        up = !up;
    if (up ? f->levels - 1 - from < by : from < by)
        by = 1;
    return up ? (from + by < f->levels ? from + by : from - 1)
              : (from >= by ? from - by : from + 1);
}

/* One factor, a quarter of the time two. */
static void change(msw_seeker *s, uint32_t *levels)
{
    size_t f = (size_t)msw_rng_below(&s->rng, s->space.factor_count);
    levels[f] = other_level(s, f, levels[f]);
    if (msw_rng_uniform(&s->rng) < 0.25) {
        size_t g = (size_t)msw_rng_below(&s->rng, s->space.factor_count);
        levels[g] = other_level(s, g, levels[g]);
    }
}

static uint64_t pool_size(const msw_seeker *s, uint64_t wanted, unsigned early)
{
    uint64_t each = s->searched < LATE ? early : early < RANKED_LATE ? early : RANKED_LATE;
    return wanted * each + 16;
}

/* Every change of one factor of the members whose turn it is. */
static int add_effects(msw_seeker *s, turn *turns, uint64_t wanted, msw_err *err)
{
    uint64_t size = pool_size(s, wanted, RANKED);
    size_t parents = s->member_count < PARENTS ? s->member_count : PARENTS;
    if (!parents)
        return 0;
    MSW_TRY(pool_reserve(s, size, err));
    s->pool.count = 0;
    for (uint64_t i = 0; i < size; i++) {
        /* half of them of those in turn, half of any */
        size_t at =
            i % 2 ? turns[i / 2 % parents].member : (size_t)msw_rng_below(&s->rng, s->member_count);
        uint32_t *levels = pool_next(s, s->members[at].row);
        change(s, levels);
        pool_keep(s);
    }
    return add_best(s, wanted, MSW_SEEK_EFFECT, err);
}

static uint32_t any_member(msw_seeker *s)
{
    return s->members[msw_rng_below(&s->rng, s->member_count)].row;
}

static void cross(msw_seeker *s, uint32_t *levels)
{
    const uint32_t *other = seek_levels(s, any_member(s));
    size_t n = s->space.factor_count;
    /* One number decides on a factor twice: half of its bits each. */
    uint32_t part = msw_rng_u32(&s->rng) >> 16, mutated = (uint32_t)(0.7 * 65536 / (double)n);
    for (size_t f = 0; f < n; f++) {
        uint32_t draw = msw_rng_u32(&s->rng);
        if (draw >> 16 < part)
            levels[f] = other[f];
        if ((draw & 65535) < mutated)
            levels[f] = other_level(s, f, levels[f]);
    }
}

/* A gate and all that it makes act: as some member has it there, or at random. */
static void move_gate(msw_seeker *s, uint32_t *levels)
{
    const msw_seek_gate *gates = s->space.gates;
    size_t at = (size_t)msw_rng_below(&s->rng, s->space.gate_count), parent = gates[at].parent;
    if (msw_rng_uniform(&s->rng) < 0.75)
        levels[parent] = other_level(s, parent, levels[parent]);
    const uint32_t *other = NULL;
    for (int tries = 0; tries < 8 && !other; tries++) {
        other = seek_levels(s, any_member(s));
        other = other[parent] == levels[parent] ? other : NULL;
    }
    for (size_t g = 0; g < s->space.gate_count; g++) {
        size_t child = gates[g].child;
        if (gates[g].parent != parent)
            continue;
        if (other && msw_rng_uniform(&s->rng) < 0.5)
            levels[child] = other[child];
        else
            levels[child] = (uint32_t)msw_rng_below(&s->rng, s->space.factors[child].levels);
    }
}

static void jump(msw_seeker *s, uint32_t *levels)
{
    unsigned changes = 2 + (unsigned)msw_rng_below(&s->rng, 3);
    for (unsigned c = 0; c < changes; c++) {
        size_t f = (size_t)msw_rng_below(&s->rng, s->space.factor_count);
        levels[f] = other_level(s, f, levels[f]);
    }
}

static void alter(msw_seeker *s, uint32_t *levels, msw_seek_move move)
{
    if (move == MSW_SEEK_EFFECT)
        change(s, levels);
    else if (move == MSW_SEEK_CROSS)
        cross(s, levels);
    else if (move == MSW_SEEK_GATE)
        move_gate(s, levels);
    else if (move == MSW_SEEK_JUMP)
        jump(s, levels);
    else
        seek_draw(s, levels);
}

static int add_changed(msw_seeker *s, uint64_t wanted, msw_seek_move move, msw_err *err)
{
    uint64_t size = pool_size(s, wanted, 6);
    if (!s->member_count)
        return 0;
    MSW_TRY(pool_reserve(s, size, err));
    s->pool.count = 0;
    for (uint64_t i = 0; i < size; i++) {
        uint32_t *levels = pool_next(s, any_member(s));
        alter(s, levels, move);
        pool_keep(s);
    }
    return add_best(s, wanted, move, err);
}

/* Candidates of all moves and some drawn at random, for the model to choose from. */
static void fill_mixed(msw_seeker *s, turn *turns, uint64_t size)
{
    static const uint8_t MIX[] = {MSW_SEEK_EFFECT, MSW_SEEK_CROSS, MSW_SEEK_EFFECT,
                                  MSW_SEEK_JUMP,   MSW_SEEK_CROSS, MSW_SEEK_EFFECT,
                                  MSW_SEEK_GATE,   MSW_SEEK_START};
    s->pool.count = 0;
    for (uint64_t i = 0; i < size; i++) {
        msw_seek_move move = (msw_seek_move)MIX[i % sizeof MIX];
        size_t at = i / sizeof MIX % s->member_count;
        uint32_t parent = i & 1 ? any_member(s) : s->members[turns[at].member].row;
        uint32_t *levels = pool_next(s, parent);
        if (move == MSW_SEEK_GATE && !s->space.gate_count)
            move = MSW_SEEK_JUMP;
        alter(s, levels, move);
        s->pool.items[s->pool.count].move = (uint8_t)move;
        pool_keep(s);
    }
}

static int add_modelled(msw_seeker *s, turn *turns, uint64_t wanted, msw_err *err)
{
    uint64_t size = MODELLED + 8 * wanted;
    if (!s->member_count)
        return 0;
    MSW_TRY(pool_reserve(s, size, err));
    fill_mixed(s, turns, size);
    return seek_model_add(s, wanted, err);
}

/* What no move finds, chance may. */
static int add_drawn(msw_seeker *s, uint64_t wanted, uint32_t *levels, msw_err *err)
{
    for (uint64_t tries = 0; wanted && tries < TRIES * 100; tries++) {
        seek_draw(s, levels);
        int got = seek_add(s, levels, seek_hash(s, levels), MSW_NOWHERE, MSW_SEEK_START, err);
        if (got < 0)
            return -1;
        wanted -= (uint64_t)got;
    }
    return 0;
}

/* ---- a round ---- */

static void find_quotas(const msw_seeker *s, uint64_t count, uint64_t *quota)
{
    double share[MSW_SEEK_MOVES], sum = 0, rate = 0, weight = 0, carry = 0;
    for (int m = 0; m < MSW_SEEK_MOVES; m++) {
        bool able = m != MSW_SEEK_GATE || s->space.gate_count;
        share[m] = able ? s->method.share[m] : 0;
        rate += share[m] * s->credit[m];
        weight += share[m];
    }
    rate /= weight;
    for (int m = 0; m < MSW_SEEK_MOVES; m++) {
        if (s->method.adapt && rate > 0)
            share[m] *= 0.5 + 0.5 * fmin(s->credit[m] / rate, 5);
        sum += share[m];
    }
    for (int m = 0; m < MSW_SEEK_MOVES; m++) {
        carry += share[m] / sum * (double)count;
        quota[m] = (uint64_t)(carry + 0.5);
        carry -= (double)quota[m];
    }
}

static int propose(msw_seeker *s, turn *turns, uint64_t count, uint32_t *levels, msw_err *err)
{
    uint64_t quota[MSW_SEEK_MOVES];
    size_t first = s->row_count;
    bool model;
    MSW_TRY(seek_model_fit(s, &model, err));
    MSW_TRY(model && add_modelled(s, turns, count, err));
    count -= s->row_count - first;
    first = s->row_count;
    find_quotas(s, count, quota);
    MSW_TRY(add_steps(s, turns, quota[MSW_SEEK_STEP], levels, err));
    for (int m = MSW_SEEK_CROSS; m <= MSW_SEEK_JUMP; m++)
        MSW_TRY(quota[m] && add_changed(s, quota[m], (msw_seek_move)m, err));
    uint64_t left = count - (s->row_count - first);
    left -= left < quota[MSW_SEEK_START] ? left : quota[MSW_SEEK_START];
    MSW_TRY(left && add_effects(s, turns, left, err));
    for (int tries = 0; tries < TRIES && s->row_count - first < count; tries++)
        MSW_TRY(add_changed(s, count - (s->row_count - first),
                            tries % 2 ? MSW_SEEK_JUMP : MSW_SEEK_CROSS, err));
    return add_drawn(s, count - (s->row_count - first), levels, err);
}

int seek_propose(msw_seeker *s, uint64_t count, msw_err *err)
{
    turn *turns = order_members(s, err);
    uint32_t *levels = malloc((s->space.factor_count + 1) * sizeof *levels);
    int rc = turns && levels ? propose(s, turns, count, levels, err) : msw_fail_memory(err);
    free(turns);
    free(levels);
    return rc;
}
