/* SPDX-License-Identifier: MIT */
/* Does an exploration find what there is to find, say what is true, and decide the same again? */
#include "explore_space.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>

static msw_explore_rules rules(const explore_space *s, double budget)
{
    uint64_t points = (uint64_t)(budget * (double)s->space.units);
    return (msw_explore_rules){.budget = points,
                               .audit = points * 3 / 10,
                               .batch = 16,
                               .confidence = 0.95,
                               .tolerance = 0.01,
                               .seed = 1};
}

/* The error is a law of two factors: a few full rows are enough to know it. */
static void law_is_learnt(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(1, 9, 0, 0, 1);
    msw_explore_rules r = rules(s, 0.1);
    msw_explorer *e = explore_space_run(s, &r);
    msw_explore_statement st;
    assert_non_null(e);
    msw_explorer_statement(e, &st);
    assert_int_equal(explore_space_wrong(s, e, r.tolerance), 0);
    assert_int_equal(st.found, 0);
    assert_int_equal(st.searched + st.audited <= r.budget, 1);
    assert_int_equal(st.discarded + st.searched + st.audited, s->space.units);
    msw_explorer_free(e);
    explore_space_free(s);
}

/* Told in another order, choices and statement stay. */
static void order_of_answers_does_not_matter(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(2, 6, 0.01, 0.5, 3);
    msw_explore_rules r = rules(s, 0.2);
    msw_explorer *a = explore_space_run(s, &r), *b;
    msw_explore_round round;
    msw_err err = {0};
    assert_non_null(a);
    assert_ok(msw_explorer_new(&s->space, &r, &b, &err), err);
    while (msw_explorer_next(b, &round, &err) > 0)
        for (size_t i = round.count; i-- > 0;) {
            uint32_t u = round.units[i];
            msw_explore_answer answer = {
                .state = MSW_EXPLORE_OK, .exact = {s->exact[u]}, .open = {s->full[u]}};
            msw_explorer_tell(b, u, &answer);
        }
    msw_explore_statement x, y;
    msw_explorer_statement(a, &x);
    msw_explorer_statement(b, &y);
    assert_int_equal(x.wrong, y.wrong);
    assert_int_equal(x.rounds, y.rounds);
    for (uint32_t u = 0; u < s->space.units; u++)
        assert_int_equal(msw_explorer_standing(a, u), msw_explorer_standing(b, u));
    msw_explorer_free(a);
    msw_explorer_free(b);
    explore_space_free(s);
}

/* Another seed audits others; the search is drawn in its first round alone. */
static void seed_decides_the_audit(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(1, 7, 0, 0, 1);
    msw_explore_rules r = rules(s, 0.1);
    msw_explorer *a = explore_space_run(s, &r);
    r.seed = 2;
    msw_explorer *b = explore_space_run(s, &r);
    size_t differs = 0;
    for (uint32_t u = 0; u < s->space.units; u++)
        differs += (msw_explorer_standing(a, u) == MSW_EXPLORE_OPEN) !=
                   (msw_explorer_standing(b, u) == MSW_EXPLORE_OPEN);
    assert_true(differs > r.audit);
    msw_explorer_free(a);
    msw_explorer_free(b);
    explore_space_free(s);
}

/* A unit whose least possible value is covered is never run, and not counted as discarded. */
static void floors_settle(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(1, 7, 0, 0, 1);
    s->space.floor[0] = 0; /* 1 + time is never less than 1 */
    double least = INFINITY;
    for (size_t u = 0; u < s->space.units; u++)
        least = fmin(least, s->full[u]);
    s->space.floor[0] = least;
    msw_explore_rules r = rules(s, 0.1);
    msw_explorer *e = explore_space_run(s, &r);
    msw_explore_statement st;
    msw_explorer_statement(e, &st);
    assert_true(st.proven > 0);
    assert_int_equal(explore_space_wrong(s, e, r.tolerance), 0);
    msw_explorer_free(e);
    explore_space_free(s);
}

/* One round by hand: 4 designs of equal cost, closed form 8 4 2 1, full 1 4 2 1. */
static void by_hand(void **state)
{
    (void)state;
    const double exact[] = {1, 1, 1, 1}, full[] = {0, 2, 1, 0};
    const double closed[] = {3 * 0.7, 2 * 0.7, 0.7, 0};
    const uint32_t zero[4] = {0};
    const uint8_t level[] = {0, 1, 2, 3};
    const msw_explore_factor factor = {level, 4, true};
    msw_explore_space space = {.units = 4,
                               .groups = 1,
                               .group = zero,
                               .stratum = zero,
                               .strata = 1,
                               .exact_count = 1,
                               .open_count = 1,
                               .exact = {exact},
                               .open = {closed},
                               .floor = {-INFINITY},
                               .factor_count = 1,
                               .factors = &factor};
    msw_explore_rules r = {4, 3, 1, 0.95, 0.01, 1};
    msw_explorer *e;
    msw_explore_round round;
    msw_err err = {0};
    assert_ok(msw_explorer_new(&space, &r, &e, &err), err);
    assert_int_equal(msw_explorer_next(e, &round, &err), 1);
    assert_int_equal(round.count, 1); /* the closed form's best */
    assert_int_equal(round.units[0], 3);
    msw_explorer_tell(e, 3,
                      &(msw_explore_answer){.state = MSW_EXPLORE_OK, .exact = {1}, .open = {0.5}});
    assert_int_equal(msw_explorer_next(e, &round, &err), 1);
    assert_int_equal(round.role, MSW_EXPLORE_AUDIT);
    assert_int_equal(round.count, 3);
    for (uint32_t u = 0; u < 3; u++)
        msw_explorer_tell(
            e, u,
            &(msw_explore_answer){.state = u == 2 ? MSW_EXPLORE_FAILED : MSW_EXPLORE_OK,
                                  .exact = {1},
                                  .open = {full[u]}});
    assert_int_equal(msw_explorer_next(e, &round, &err), 0);
    msw_explore_statement st;
    msw_explorer_statement(e, &st);
    assert_int_equal(st.discarded, 1); /* unit 2: of the others the answer is known */
    assert_int_equal(st.found, 2);     /* unit 0 beats the front, unit 2 might */
    assert_int_equal(st.wrong, 1);     /* unit 0 is announced now */
    assert_int_equal(st.failed, 1);
    assert_near(st.surplus, exp(0.5) - 1, 1e-12);
    assert_int_equal(msw_explorer_standing(e, 0), MSW_EXPLORE_FRONT);
    assert_int_equal(msw_explorer_standing(e, 3), MSW_EXPLORE_COVERED);
    assert_near(msw_explorer_margin(e, 3), exp(-0.5) - 1, 1e-12);
    msw_explorer_free(e);
}

/* Units whose closed form is doubtful: their number decides nothing, and the search buys them while
 * its budget lasts, so that the best design is found although its number was useless. */
static void doubtful_units_are_bought(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(1, 5, 0, 0, 1);
    bool *doubtful = calloc(s->space.units, 1);
    uint32_t best = 0;
    for (uint32_t u = 0; u < s->space.units; u++)
        best = s->full[u] < s->full[best] ? u : best;
    for (uint32_t u = 0; u < s->space.units; u++) {
        doubtful[u] = u == best || u % 20 == 0;
        s->closed[u] = doubtful[u] ? NAN : s->closed[u];
    }
    s->space.doubtful = doubtful;
    msw_explore_rules r = rules(s, 0.4);
    msw_explorer *e = explore_space_run(s, &r);
    size_t open = 0;
    for (uint32_t u = 0; u < s->space.units; u++)
        open += doubtful[u] && msw_explorer_standing(e, u) == MSW_EXPLORE_OPEN;
    assert_int_equal(open, 0);
    assert_int_equal(msw_explorer_standing(e, best), MSW_EXPLORE_FRONT);
    assert_int_equal(explore_space_wrong(s, e, r.tolerance), 0);
    msw_explorer_free(e);
    explore_space_free(s);
    free(doubtful);
}

/* Units that fail, in the search and in the audit: all of them count as wrong. */
static void failures_count(void **state)
{
    (void)state;
    explore_space *s = explore_space_new(1, 6, 0, 0, 1);
    msw_explore_rules r = rules(s, 0.2);
    msw_explorer *e;
    msw_explore_round round;
    msw_err err = {0};
    uint64_t failed = 0;
    assert_ok(msw_explorer_new(&s->space, &r, &e, &err), err);
    while (msw_explorer_next(e, &round, &err) > 0)
        for (size_t i = 0; i < round.count; i++) {
            uint32_t u = round.units[i];
            msw_explore_answer a = {
                .state = u % 5 ? MSW_EXPLORE_OK : MSW_EXPLORE_FAILED, {s->exact[u]}, {s->full[u]}};
            failed += u % 5 == 0;
            msw_explorer_tell(e, u, &a);
        }
    msw_explore_statement st;
    msw_explorer_statement(e, &st);
    assert_true(failed > 0 && st.failed == failed && st.lost > 0 && st.lost < failed);
    assert_true(st.wrong >= failed);
    assert_true(explore_space_wrong(s, e, r.tolerance) <= st.wrong);
    msw_explorer_free(e);
    explore_space_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_is_learnt),
        cmocka_unit_test(order_of_answers_does_not_matter),
        cmocka_unit_test(seed_decides_the_audit),
        cmocka_unit_test(floors_settle),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(doubtful_units_are_bought),
        cmocka_unit_test(failures_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
