/* SPDX-License-Identifier: MIT */
/* Does a search find fronts that are known, propose the same from the same answers, take no design
 * twice, and get through gates, limits and small spaces? */
#include "memsweep/base/rng.h"
#include "memsweep/explore/seek.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 8, LEVELS = 33, START = 16 };

typedef struct world {
    uint32_t levels, looked;
    bool gated;
    msw_seek_factor factors[FACTORS];
    msw_seek_gate gates[2];
    msw_seek_space space;
    void (*answer)(const struct world *w, const uint32_t *x, msw_seek_answer *a);
} world;

/* Behind a gate that is shut two factors do not act. */
static int look(void *context, const uint32_t *levels, msw_digest *identity, msw_err *err)
{
    world *w = context;
    uint32_t acting[FACTORS];
    (void)err;
    memcpy(acting, levels, sizeof acting);
    if (w->gated && !acting[0])
        acting[1] = acting[2] = 0;
    *identity = msw_hash_bytes(acting, sizeof acting);
    w->looked++;
    return 1;
}

static double unit(const world *w, uint32_t level)
{
    return level / (w->levels - 1.0);
}

/* ZDT1 (Zitzler, Deb, Thiele 2000), moved above 0: the front has x2 = x3 = ... = 0 and
 * f2 = 2 - sqrt(f1). */
static void zdt1(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    double g = 1, f = unit(w, x[0]);
    for (int i = 1; i < FACTORS; i++)
        g += 9 * unit(w, x[i]) / (FACTORS - 1);
    a->value[0] = f + 0.01;
    a->value[1] = g * (1 - sqrt(f / g)) + 1;
}

/* DTLZ2 (Deb et al. 2002) with three objectives: the front is an eighth of a sphere, where all but
 * the first two factors are in the middle. */
static void dtlz2(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    double g = 0, u = unit(w, x[0]) * acos(0), v = unit(w, x[1]) * acos(0);
    for (int i = 2; i < FACTORS; i++)
        g += pow(unit(w, x[i]) - 0.5, 2);
    a->value[0] = (1 + g) * cos(u) * cos(v) + 1;
    a->value[1] = (1 + g) * cos(u) * sin(v) + 1;
    a->value[2] = (1 + g) * sin(u) + 1;
}

/* Opening the gate alone is worse; with both factors behind it at 3 or more it halves the cost. */
static void gate(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    zdt1(w, x, a);
    if (x[0])
        a->value[1] *= x[1] >= 3 && x[2] >= 3 ? 0.5 : 1.2;
    a->value[0] = 1;
    for (int i = 3; i < FACTORS; i++)
        a->value[0] += unit(w, x[i]);
}

/* Plateaus: a fifth of a factor's range changes nothing, and two factors change nothing at all, so
 * that most designs equal another in their values. */
static void plateau(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    double g = 1;
    for (int i = 1; i < FACTORS - 2; i++)
        g += ceil(5 * unit(w, x[i])) / 5;
    a->value[0] = ceil(10 * unit(w, x[0])) / 10 + 1;
    a->value[1] = g * (3 - a->value[0]);
}

/* A jump: rows and columns (factors 1 and 2) gain where both are the same, and lose where one of
 * them is ahead. */
static void jump(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    double apart = fabs(unit(w, x[1]) - unit(w, x[2])), other = 0;
    for (int i = 3; i < FACTORS; i++)
        other += unit(w, x[i]);
    a->value[0] = 1 + unit(w, x[0]);
    a->value[1] = (3 - a->value[0]) * (1 + other) * (1 + 4 * apart) * (2 - unit(w, x[1]));
}

/* A ten-thousandth of the space keeps the limits, and half of the front without them. */
static void limit(const world *w, const uint32_t *x, msw_seek_answer *a)
{
    double sum = 0;
    zdt1(w, x, a);
    for (int i = 0; i < FACTORS; i++)
        sum += unit(w, x[i]);
    a->slack = fmax(log(sum / 1.3), log((unit(w, x[0]) + 0.01) / 0.51));
}

static world make(unsigned objectives, uint32_t levels,
                  void (*answer)(const world *w, const uint32_t *x, msw_seek_answer *a))
{
    world w = {.levels = levels, .answer = answer, .gated = answer == gate};
    for (int f = 0; f < FACTORS; f++)
        w.factors[f] = (msw_seek_factor){levels, true};
    w.gates[0] = (msw_seek_gate){0, 1};
    w.gates[1] = (msw_seek_gate){0, 2};
    w.space = (msw_seek_space){.factor_count = FACTORS,
                               .gate_count = w.gated ? 2 : 0,
                               .objectives = objectives,
                               .look = look};
    return w;
}

/* Tells the designs of a round last first where `backwards`. */
static msw_seeker *run(world *w, uint64_t evaluations, uint64_t patience, bool backwards)
{
    uint32_t start[START * FACTORS];
    msw_seek_rules rules = {.evaluations = evaluations,
                            .batch = START,
                            .patience = patience,
                            .audit = 100,
                            .seed = 3,
                            .confidence = 0.95};
    msw_seeker *s = NULL;
    msw_seek_round round;
    msw_rng rng;
    msw_err err;
    int got;
    w->space.factors = w->factors;
    w->space.gates = w->gates;
    w->space.context = w;
    msw_rng_init(&rng, 5, 1);
    for (int i = 0; i < START * FACTORS; i++)
        start[i] = (uint32_t)msw_rng_below(&rng, w->levels);
    assert_int_equal(msw_seeker_new(&w->space, &rules, start, START, &s, &err), 0);
    while ((got = msw_seeker_next(s, &round, &err)) > 0)
        for (uint64_t i = 0; i < round.count; i++) {
            uint64_t slot = round.first + (backwards ? round.count - 1 - i : i);
            msw_seek_answer a = {.state = MSW_SEEK_OK};
            w->answer(w, msw_seeker_levels(s, slot), &a);
            msw_seeker_tell(s, slot, &a);
        }
    assert_int_equal(got, 0);
    return s;
}

/* The mean of how far the front's designs are from where the true front is. */
static double distance(const world *w, const msw_seeker *s, uint64_t count, int first, double at)
{
    double sum = 0, n = 0;
    for (uint64_t slot = 0; slot < count; slot++)
        for (int f = first; f < FACTORS && msw_seeker_on_front(s, slot); f++, n++)
            sum += fabs(unit(w, msw_seeker_levels(s, slot)[f]) - at);
    return n > 0 ? sum / n : 1;
}

/* 1.4e12 designs each. */
static void known_fronts(void **state)
{
    (void)state;
    world w = make(2, LEVELS, zdt1);
    msw_seeker *s = run(&w, 1500, 0, false);
    msw_seek_statement t;
    msw_seeker_statement(s, &t);
    assert_int_equal(t.end, MSW_SEEK_SPENT);
    assert_true(t.evaluated <= 1500 && t.evaluated >= 1400);
    assert_true(t.front >= LEVELS - 1);
    assert_true(distance(&w, s, t.evaluated, 1, 0) < 0.002);
    assert_true(t.draws == 100 && t.found == 0);
    assert_near(t.missed, 1 - pow(0.05, 0.01), 1e-4); /* none of 100 with 95 % */
    msw_seek_growth growth[10];
    msw_err err;
    int count = msw_seeker_growth(s, growth, 10, &err);
    assert_true(count > 5 && growth[count - 1].hypervolume == 1);
    for (int i = 1; i < count; i++)
        assert_true(growth[i].hypervolume >= growth[i - 1].hypervolume);
    msw_seeker_free(s);
    w = make(3, LEVELS, dtlz2);
    s = run(&w, 3000, 0, false);
    msw_seeker_statement(s, &t);
    assert_true(t.front > 300);
    assert_true(distance(&w, s, t.evaluated, 2, 0.5) < 0.03);
    msw_seeker_free(s);
}

/* What is told in another order is proposed the same. */
static void same_proposals(void **state)
{
    (void)state;
    world w = make(2, LEVELS, zdt1), x = w;
    msw_seeker *a = run(&w, 400, 0, false), *b = run(&x, 400, 0, true), *c = run(&x, 800, 0, false);
    size_t bytes = FACTORS * sizeof(uint32_t);
    for (uint64_t i = 0; i < 352; i++) { /* 22 whole rounds */
        assert_memory_equal(msw_seeker_levels(a, i), msw_seeker_levels(b, i), bytes);
        assert_memory_equal(msw_seeker_levels(a, i), msw_seeker_levels(c, i), bytes);
    }
    msw_seeker_free(a);
    msw_seeker_free(b);
    msw_seeker_free(c);
}

/* No two designs differ only in what does not act; both sides of the gate are found. */
static void through_the_gate(void **state)
{
    (void)state;
    world w = make(2, 6, gate);
    msw_seeker *s = run(&w, 1000, 0, false);
    msw_seek_statement t;
    msw_seeker_statement(s, &t);
    uint64_t shut = 0, open = 0;
    for (uint64_t i = 0; i < t.evaluated; i++) {
        const uint32_t *x = msw_seeker_levels(s, i);
        for (uint64_t j = 0; j < i && !x[0]; j++) {
            const uint32_t *y = msw_seeker_levels(s, j);
            assert_true(y[0] || memcmp(x + 3, y + 3, (FACTORS - 3) * sizeof *x) != 0);
        }
        shut += msw_seeker_on_front(s, i) && !x[0];
        open += msw_seeker_on_front(s, i) && x[0] && x[1] >= 3 && x[2] >= 3;
    }
    assert_true(open > 0 && t.made[MSW_SEEK_GATE] > 0);
    msw_seeker_free(s);
}

static void within_limits(void **state)
{
    (void)state;
    world w = make(2, LEVELS, limit);
    msw_seeker *s = run(&w, 1500, 0, false);
    msw_seek_statement t;
    msw_seeker_statement(s, &t);
    assert_true(t.infeasible > 0);
    assert_true(t.front >= 15 && t.front <= 17);
    assert_true(distance(&w, s, t.evaluated, 1, 0) < 0.01);
    for (uint64_t i = 0; i < t.evaluated; i++) {
        msw_seek_answer a;
        limit(&w, msw_seeker_levels(s, i), &a);
        assert_true(!msw_seeker_on_front(s, i) || a.slack <= 0);
    }
    msw_seeker_free(s);
}

/* Every value of the first objective is reached, at the least of the second. */
static void over_plateaus_and_jumps(void **state)
{
    (void)state;
    world w = make(2, LEVELS, plateau);
    msw_seeker *s = run(&w, 1500, 0, false);
    msw_seek_statement t;
    msw_seeker_statement(s, &t);
    assert_int_equal(t.front, 11);
    for (uint64_t i = 0; i < t.evaluated; i++)
        for (int f = 1; f < FACTORS - 2 && msw_seeker_on_front(s, i); f++)
            assert_int_equal(msw_seeker_levels(s, i)[f], 0);
    msw_seeker_free(s);
    w = make(2, 9, jump);
    s = run(&w, 3000, 0, false);
    msw_seeker_statement(s, &t);
    assert_int_equal(t.front, 9);
    for (uint64_t i = 0; i < t.evaluated; i++)
        for (int f = 1; f < FACTORS && msw_seeker_on_front(s, i); f++)
            assert_int_equal(msw_seeker_levels(s, i)[f], f < 3 ? 8 : 0);
    msw_seeker_free(s);
}

/* 256 designs; and a search that finds nothing more ends with its patience. */
static void ends(void **state)
{
    (void)state;
    world w = make(2, 2, zdt1);
    msw_seeker *s = run(&w, 5000, 0, false);
    msw_seek_statement t;
    msw_seeker_statement(s, &t);
    assert_int_equal(t.end, MSW_SEEK_EMPTY);
    assert_int_equal(t.evaluated, 256);
    msw_seeker_free(s);
    w = make(1, LEVELS, zdt1);
    s = run(&w, 50000, 300, false);
    msw_seeker_statement(s, &t);
    assert_int_equal(t.end, MSW_SEEK_PATIENT);
    assert_int_equal(t.front, 1);
    assert_true(t.evaluated < 5000);
    msw_seeker_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_fronts),
        cmocka_unit_test(same_proposals),
        cmocka_unit_test(through_the_gate),
        cmocka_unit_test(within_limits),
        cmocka_unit_test(over_plateaus_and_jumps),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
