/* SPDX-License-Identifier: MIT */
/* Are distances, sets that nothing meets, weights, information and ranks what can be worked out by
 * hand? */
#include "testing.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/explore/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static msw_quantity quantity(double published, double low, double high)
{
    return (msw_quantity){
        .published = published, .low = low, .high = high, .discrepancy = NAN, .growth = 1};
}

/* ---- distances ---- */

static void a_bands_end_lies_at_two_deviations(void **state)
{
    (void)state;
    msw_quantity number = quantity(3.9, 1.95, 7.8); /* half to double: two sides */
    assert_true(msw_quantity_is_number(&number));
    assert_near(msw_quantity_distance(&number, 3.9), 0, 0);
    assert_near(msw_quantity_distance(&number, 7.8), 2, 1e-12);
    assert_near(msw_quantity_distance(&number, 1.95), 2, 1e-12);
    assert_near(msw_quantity_distance(&number, 3.9 + 3 * 1.95), 3, 1e-12);
    msw_quantity range = quantity(NAN, 5, 10); /* of which nothing more is known: quarters */
    assert_near(msw_quantity_distance(&range, 7), 0, 0);
    assert_near(msw_quantity_distance(&range, 12.5), 2, 1e-12);
    msw_quantity limit = quantity(NAN, NAN, 80);
    assert_near(msw_quantity_distance(&limit, 79), 0, 0);
    assert_near(msw_quantity_distance(&limit, 96), 2, 1e-12);
    msw_quantity most = quantity(80, 0, 80); /* "under 80": the published number is the end */
    assert_false(msw_quantity_is_number(&most));
    assert_near(msw_quantity_distance(&most, 96), 2, 1e-12);
    assert_near(msw_quantity_distance(&most, 12), 0, 0);
}

static void parts_of_a_deviation_add_as_squares(void **state)
{
    (void)state;
    msw_quantity q = quantity(10, 4, 16); /* discrepancy 3 */
    q.fidelity = 4;
    assert_near(msw_quantity_deviation(&q, 11), 5, 1e-12);
    q.reading = 12;
    assert_near(msw_quantity_deviation(&q, 11), 13, 1e-12);
    q.reading = q.fidelity = 0;
    q.discrepancy = 0;
    q.step = 0.1; /* printed as 10.0: evenly spread over a tenth */
    assert_near(msw_quantity_deviation(&q, 11), 0.1 / sqrt(12), 1e-15);
    q.step = 0;
    assert_false(msw_quantity_measures(&q));
    assert_true(isinf(msw_quantity_distance(&q, 11)));
    assert_true(isinf(msw_quantity_distance(&q, NAN)));
}

static void a_quantity_waits_where_the_fidelity_errs_by_half_its_band(void **state)
{
    (void)state;
    msw_quantity q = quantity(10, 4, 16), limit = quantity(NAN, 50, NAN);
    q.fidelity = 5.9;
    assert_false(msw_quantity_waits(&q));
    q.fidelity = 6;
    assert_true(msw_quantity_waits(&q));
    q.fidelity = NAN; /* never measured */
    assert_true(msw_quantity_waits(&q));
    limit.fidelity = 9.9;
    assert_false(msw_quantity_waits(&limit));
    limit.fidelity = 10;
    assert_true(msw_quantity_waits(&limit));
    /* A count that was published exactly, and that the closed form counts exactly. */
    msw_quantity exact = {
        .published = 36, .low = 36, .high = 36, .step = 1, .discrepancy = NAN, .growth = 1};
    assert_false(msw_quantity_waits(&exact));
    exact.fidelity = 1;
    assert_true(msw_quantity_waits(&exact));
}

static void discrepancies_grow_until_a_value_is_met(void **state)
{
    (void)state;
    msw_quantity q = quantity(10, 4, 16);
    q.fidelity = 4;
    assert_near(msw_quantity_growth(&q, 20), 0, 0);     /* within 3 x 4 without any */
    assert_near(msw_quantity_growth(&q, 25), 1, 1e-12); /* 3 x 5 */
    q.growth = msw_quantity_growth(&q, 70);
    assert_near(msw_quantity_distance(&q, 70), 3, 1e-12);
    assert_true(isinf(msw_quantity_growth(&q, NAN)));
}

static void the_three_worst_stand_in_order(void **state)
{
    (void)state;
    const double distances[] = {1, 4, 2, 4, 9, 0};
    msw_worst w = msw_worst_of(distances, 6);
    assert_near(w.distance[0], 9, 0);
    assert_near(w.distance[1], 4, 0);
    assert_near(w.distance[2], 4, 0);
    assert_int_equal(w.at[0], 4);
    assert_int_equal(w.at[1], 1);
    assert_int_equal(w.at[2], 3);
    w = msw_worst_of(distances, 1);
    assert_near(w.distance[1], 0, 0);
}

static void the_true_setting_is_cut_in_seven_of_a_hundred(void **state)
{
    (void)state;
    assert_near(msw_chance_of_cut(1), 0.0026997960632601866, 1e-12); /* normal tables */
    assert_near(msw_chance_of_cut(27), 0.070392729034, 1e-11);
    assert_near(msw_chance_of_cut(0), 0, 0);
}

/* ---- sets that nothing meets ---- */

static void masks_that_hold_another_are_left_out(void **state)
{
    (void)state;
    uint64_t masks[] = {0x7, 0x3, 0xc, 0x3, 0xd};
    assert_int_equal(msw_masks_minimal(masks, 5), 2);
    assert_int_equal(masks[0], 0x3);
    assert_int_equal(masks[1], 0xc);
}

static void sets_hit_every_mask_and_none_is_larger_than_needed(void **state)
{
    (void)state;
    /* Of {a, b}, {b, c}, {c, d}: {a, c}, {b, c}, {b, d}. */
    const uint64_t masks[] = {0x3, 0x6, 0xc};
    uint64_t *sets;
    size_t found;
    msw_err err = {0};
    assert_int_equal(msw_hitting_sets(masks, 3, 5, &sets, &found, &err), 0);
    assert_int_equal(found, 3);
    assert_int_equal(sets[0], 0x5);
    assert_int_equal(sets[1], 0x6);
    assert_int_equal(sets[2], 0xa);
    free(sets);
    assert_int_equal(msw_hitting_sets(masks, 3, 1, &sets, &found, &err), 0);
    assert_int_equal(found, 0);
    free(sets);
    const uint64_t met[] = {0x3, 0};
    assert_int_equal(msw_hitting_sets(met, 2, 5, &sets, &found, &err), 0);
    assert_int_equal(found, 0);
    free(sets);
}

/* The same as trying all subsets. */
static void sets_are_those_of_trying_all_subsets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        msw_rng rng;
        uint64_t masks[12], expected[2048], *sets;
        size_t found, count = 0;
        msw_err err = {0};
        msw_rng_init(&rng, seed, 0);
        for (int i = 0; i < 12; i++)
            masks[i] = 1 + msw_rng_below(&rng, 1023);
        for (uint64_t set = 1; set < 1024; set++) {
            bool hits = __builtin_popcountll(set) <= 5;
            for (int i = 0; i < 12; i++)
                hits = hits && (masks[i] & set);
            if (hits)
                expected[count++] = set;
        }
        count = msw_masks_minimal(expected, count);
        assert_int_equal(msw_hitting_sets(masks, 12, 5, &sets, &found, &err), 0);
        assert_int_equal(found, count);
        assert_memory_equal(sets, expected, count * sizeof *sets);
        free(sets);
    }
}

/* ---- weights ---- */

static void quantities_of_one_group_weigh_as_one(void **state)
{
    (void)state;
    msw_quantity q[3] = {{.group = 0}, {.group = 1}, {.group = 1}};
    const double distances[] = {1, 2, 2};
    assert_near(msw_likelihood_log(q, distances, 3), -0.5 * (1 + 4), 1e-12);
    q[2].group = 2;
    assert_near(msw_likelihood_log(q, distances, 3), -0.5 * (1 + 4 + 4), 1e-12);
}

static void weights_undo_the_density(void **state)
{
    (void)state;
    const double log[] = {0, 0, -1000, -INFINITY}, density[] = {1, 4, 1, 1};
    double weights[4];
    msw_weights_of(log, density, 4, weights);
    assert_near(weights[0], 0.8, 1e-12);
    assert_near(weights[1], 0.2, 1e-12);
    assert_near(weights[3], 0, 0);
    assert_near(msw_weights_effective(weights, 4), 1 / (0.64 + 0.04), 1e-9);
    const double never[] = {-INFINITY};
    msw_weights_of(never, NULL, 1, weights);
    assert_near(weights[0], 0, 0);
    assert_near(msw_weights_effective(weights, 1), 0, 0);
}

static void quantiles_follow_the_weights(void **state)
{
    (void)state;
    const double values[] = {30, NAN, 10, 20}, weights[] = {0.2, 0.4, 0.1, 0.3};
    size_t order[4];
    msw_err err = {0};
    assert_int_equal(msw_weights_order(values, 4, order, &err), 0);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[3], 1);
    assert_near(msw_weights_quantile(values, weights, order, 4, 0.1), 10, 0);
    assert_near(msw_weights_quantile(values, weights, order, 4, 0.5), 20, 0);
    assert_near(msw_weights_quantile(values, weights, order, 4, 0.95), 30, 0);
}

/* ---- information ---- */

static void one_of_four_levels_is_two_bits(void **state)
{
    (void)state;
    enum { N = 400 };
    size_t classes[N];
    double weights[N], even[N];
    for (size_t k = 0; k < N; k++) {
        classes[k] = k % 4;
        weights[k] = k % 4 == 1 ? 4.0 / N : 0;
        even[k] = 1.0 / N;
    }
    /* Less (4 - 1) / (2 ln 2 x 100) for chance. */
    assert_near(msw_bits_gained(classes, 4, weights, N), 2 - 3 / (200 * M_LN2), 1e-12);
    assert_near(msw_bits_gained(classes, 4, even, N), 0, 0);
    assert_near(msw_bits_shared(classes, 4, classes, 4, even, N), 2 - 9 / (800 * M_LN2), 1e-12);
    assert_int_equal(msw_class_of(0.99999, 5), 4);
    assert_int_equal(msw_class_of(1, 5), 4);
    assert_int_equal(msw_class_of(0.5, 0), 4);
    assert_int_equal(msw_class_count(64), 8);
}

static void values_are_cut_into_quarters_of_the_weight(void **state)
{
    (void)state;
    const double values[] = {4, 3, 2, 1, 1}, weights[] = {0.25, 0.25, 0.25, 0.125, 0.125};
    size_t order[5], classes[5];
    msw_err err = {0};
    assert_int_equal(msw_weights_order(values, 5, order, &err), 0);
    msw_classes_of_weight(values, weights, order, 5, classes);
    const size_t expected[] = {3, 2, 1, 0, 0};
    assert_memory_equal(classes, expected, sizeof expected);
}

/* ---- ranks ---- */

static void chi_squared_is_that_of_the_tables(void **state)
{
    (void)state;
    /* Abramowitz and Stegun, table 26.8. */
    assert_near(msw_chi_squared_above(16.9190, 9), 0.05, 1e-6);
    assert_near(msw_chi_squared_above(21.6660, 9), 0.01, 1e-6);
    assert_near(msw_chi_squared_above(3.84146, 1), 0.05, 1e-6);
    assert_near(msw_chi_squared_above(9.48773, 4), 0.05, 1e-6);
    assert_near(msw_chi_squared_above(0, 9), 1, 0);
}

static void holm_corrects_the_smallest_most(void **state)
{
    (void)state;
    /* Holm 1979, by hand: 4 x 0.01, 3 x 0.02, then no less than those before. */
    double p[] = {0.03, 0.01, NAN, 0.04, 0.02};
    msw_err err = {0};
    assert_int_equal(msw_holm(p, 5, &err), 0);
    assert_near(p[1], 0.04, 1e-12);
    assert_near(p[4], 0.06, 1e-12);
    assert_near(p[0], 0.06, 1e-12);
    assert_near(p[3], 0.06, 1e-12);
    assert_true(isnan(p[2]));
}

/* x is uniform, y = x + noise of 0.1: does the table of 4,000 settings rank 500 truths evenly, and
 * does it show where the noise is said to be half of what it is? */
static double ranks_of_line(double said)
{
    enum { N = 4000, TRUTHS = 500 };
    static double x[N], log[N], weights[N], ranks[TRUTHS];
    msw_rng rng;
    msw_rng_init(&rng, 7, 0);
    for (size_t k = 0; k < N; k++)
        x[k] = msw_rng_uniform(&rng);
    for (size_t t = 0; t < TRUTHS; t++) {
        double truth = msw_rng_uniform(&rng), seen = truth + 0.1 * msw_rng_normal(&rng);
        for (size_t k = 0; k < N; k++)
            log[k] = -0.5 * (x[k] - seen) * (x[k] - seen) / (said * said);
        msw_weights_of(log, NULL, N, weights);
        ranks[t] = msw_rank_of(truth, x, weights, N, msw_rng_uniform(&rng));
    }
    return msw_rank_probability(ranks, TRUTHS);
}

static void truths_are_ranked_evenly_where_the_noise_is_right(void **state)
{
    (void)state;
    assert_true(ranks_of_line(0.1) > 0.01);
    assert_true(ranks_of_line(0.05) < 1e-6);
}

static void ties_are_spread_by_their_key(void **state)
{
    (void)state;
    const double values[] = {1, 2, 2, 3}, weights[] = {0.25, 0.25, 0.25, 0.25};
    assert_near(msw_rank_of(2, values, weights, 4, 0), 0.25, 0);
    assert_near(msw_rank_of(2, values, weights, 4, 0.5), 0.5, 0);
    assert_near(msw_rank_of(9, values, weights, 4, 0.5), 1, 0);
}

/* ---- the closed form as full would answer ---- */

static void a_closed_form_is_corrected_by_what_foretells_most(void **state)
{
    (void)state;
    double closed[40], full[40];
    for (int i = 0; i < 40; i++) {
        closed[i] = i;
        full[i] = i % 2 ? i + 1 : i - 1; /* nothing to correct but noise of 1 */
    }
    msw_correction c = msw_correction_of(closed, full, 40);
    assert_true(c.offset == 0 && c.slope == 1 && c.error == 1);
    for (int i = 0; i < 40; i++)
        full[i] = i + 7;
    c = msw_correction_of(closed, full, 40);
    assert_true(fabs(c.offset - 7) < 1e-12 && c.slope == 1 && c.error < 1e-12);
    for (int i = 0; i < 40; i++)
        full[i] = 3 - 2.0 * i;
    c = msw_correction_of(closed, full, 40);
    assert_true(fabs(c.offset - 3) < 1e-9 && fabs(c.slope + 2) < 1e-12 && c.error < 1e-9);
    assert_true(fabs(msw_correct(&c, 10) + 17) < 1e-9);
}

/* Known: differences 0 (20 times) and 2 (20 times); the mean of the 39 others is 40 / 39 or 38 /
 * 39, so each is missed by 40 / 39. */
static void what_is_left_is_measured_on_pairs_left_out(void **state)
{
    (void)state;
    double closed[40] = {0}, full[40];
    for (int i = 0; i < 40; i++)
        full[i] = i % 2 ? 2 : 0;
    msw_correction c = msw_correction_of(closed, full, 40);
    assert_true(c.offset == 1 && c.slope == 1);
    assert_true(fabs(c.error - 40.0 / 39) < 1e-12);
}

static void few_pairs_and_lonely_ones_correct_nothing(void **state)
{
    (void)state;
    double closed[40] = {0}, full[40] = {0};
    closed[7] = 1; /* a line through it would foretell it exactly */
    full[7] = 100;
    msw_correction c = msw_correction_of(closed, full, 40);
    assert_true(c.slope == 1);
    assert_true(c.error > 15);
    for (int i = 0; i < 19; i++)
        full[i] = closed[i] + 5;
    c = msw_correction_of(closed, full, 19);
    assert_true(c.offset == 0 && c.slope == 1 && c.error == 5);
    assert_true(isnan(msw_correction_of(closed, full, 0).error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bands_end_lies_at_two_deviations),
        cmocka_unit_test(parts_of_a_deviation_add_as_squares),
        cmocka_unit_test(a_closed_form_is_corrected_by_what_foretells_most),
        cmocka_unit_test(what_is_left_is_measured_on_pairs_left_out),
        cmocka_unit_test(few_pairs_and_lonely_ones_correct_nothing),
        cmocka_unit_test(a_quantity_waits_where_the_fidelity_errs_by_half_its_band),
        cmocka_unit_test(discrepancies_grow_until_a_value_is_met),
        cmocka_unit_test(the_three_worst_stand_in_order),
        cmocka_unit_test(the_true_setting_is_cut_in_seven_of_a_hundred),
        cmocka_unit_test(masks_that_hold_another_are_left_out),
        cmocka_unit_test(sets_hit_every_mask_and_none_is_larger_than_needed),
        cmocka_unit_test(sets_are_those_of_trying_all_subsets),
        cmocka_unit_test(quantities_of_one_group_weigh_as_one),
        cmocka_unit_test(weights_undo_the_density),
        cmocka_unit_test(quantiles_follow_the_weights),
        cmocka_unit_test(one_of_four_levels_is_two_bits),
        cmocka_unit_test(values_are_cut_into_quarters_of_the_weight),
        cmocka_unit_test(chi_squared_is_that_of_the_tables),
        cmocka_unit_test(holm_corrects_the_smallest_most),
        cmocka_unit_test(truths_are_ranked_evenly_where_the_noise_is_right),
        cmocka_unit_test(ties_are_spread_by_their_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
