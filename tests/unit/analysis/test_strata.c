/* SPDX-License-Identifier: MIT */
/* Does the tree find what makes errors large, and does an interval hold for groups that it was not
 * made from? */
#include "memsweep/analysis/strata.h"
#include "memsweep/base/rng.h"
#include "testing.h"

enum { ROWS = 800, GROUPS = 12, PER_GROUP = 60, TRIALS = 60 };

typedef struct data {
    double useless[ROWS], regime[ROWS], error[ROWS];
    uint32_t group[ROWS];
} data;

static double value(const void *context, size_t feature)
{
    return ((const double *)context)[feature];
}

static msw_strata_rows rows_of(const data *d, const double *const features[2],
                               const double *const targets[1])
{
    return (msw_strata_rows){.n = ROWS,
                             .features = 2,
                             .targets = 1,
                             .feature = features,
                             .target = targets,
                             .group = d->group,
                             .least = 40,
                             .least_groups = 4};
}

/* Errors are 20 times larger above 3, and 1 more; the other feature is noise. */
static void a_regime_is_found(void **state)
{
    static data d;
    msw_err err = {0};
    msw_rng rng;
    msw_tree tree;
    (void)state;
    msw_rng_init(&rng, 7, 1);
    for (size_t i = 0; i < ROWS; i++) {
        d.useless[i] = msw_rng_uniform(&rng);
        d.regime[i] = floor(6 * msw_rng_uniform(&rng));
        d.error[i] = msw_rng_normal(&rng) * (d.regime[i] > 3 ? 0.2 : 0.01) + (d.regime[i] > 3);
        d.group[i] = (uint32_t)(i % GROUPS);
    }
    const double *const features[] = {d.useless, d.regime}, *const targets[] = {d.error};
    msw_strata_rows rows = rows_of(&d, features, targets);
    assert_ok(msw_tree_grow(&rows, &tree, &err), err);
    assert_int_equal(tree.count, 3);
    assert_int_equal(tree.nodes[0].feature, 1);
    assert_float_equal(tree.nodes[0].threshold, 3.5, 0);
    assert_int_equal(msw_tree_find(&tree, value, (const double[]){0, 3}), tree.nodes[0].left);
    assert_int_equal(msw_tree_find(&tree, value, (const double[]){0, NAN}), tree.nodes[0].right);
}

/* What only one group has is no regime: nobody else's errors are known from it. */
static void a_group_alone_is_no_stratum(void **state)
{
    static data d;
    msw_err err = {0};
    msw_rng rng;
    msw_tree tree;
    (void)state;
    msw_rng_init(&rng, 7, 2);
    for (size_t i = 0; i < ROWS; i++) {
        d.group[i] = (uint32_t)(i % GROUPS);
        d.regime[i] = d.group[i] < 3;
        d.useless[i] = 0;
        d.error[i] = msw_rng_normal(&rng) * 0.01 + (d.group[i] < 3);
    }
    const double *const features[] = {d.useless, d.regime}, *const targets[] = {d.error};
    msw_strata_rows rows = rows_of(&d, features, targets);
    assert_ok(msw_tree_grow(&rows, &tree, &err), err);
    assert_int_equal(tree.count, 1);
}

/* Each group has a shift of its own, as large as the spread within: an interval of the rows' own
 * quantiles holds for 90 % of them, and for fewer of a new group. */
static void new_groups_are_covered(void **state)
{
    static double errors[GROUPS * PER_GROUP];
    static uint32_t groups[GROUPS * PER_GROUP];
    size_t held = 0, naive = 0, asked = 0;
    msw_rng rng;
    (void)state;
    msw_rng_init(&rng, 11, 3);
    for (int t = 0; t < TRIALS; t++) {
        msw_error_interval interval;
        msw_errors_of rows = {GROUPS * PER_GROUP, errors, groups};
        double shift = 0;
        for (size_t i = 0; i < rows.n; i++) {
            if (i % PER_GROUP == 0)
                shift = msw_rng_normal(&rng);
            groups[i] = (uint32_t)(i / PER_GROUP);
            errors[i] = shift + 0.3 * msw_rng_normal(&rng);
        }
        assert_true(msw_error_calibrate(&rows, 0.9, 4, &interval));
        assert_true(interval.covered >= 0.9 && interval.groups == GROUPS);
        for (int g = 0; g < 20; g++, asked++) {
            double error = msw_rng_normal(&rng) + 0.3 * msw_rng_normal(&rng);
            held += error >= interval.low && error <= interval.high;
            naive += fabs(error) < interval.need / 2;
        }
    }
    print_message("held %.3f, rows' own quantiles %.3f\n", (double)held / (double)asked,
                  (double)naive / (double)asked);
    assert_true((double)held >= 0.88 * (double)asked);
    assert_true(naive < held);
}

static void few_groups_have_none(void **state)
{
    static const double ERRORS[] = {0, 0, 0, 0, 0, 0};
    static const uint32_t THREE[] = {0, 0, 1, 1, 2, 2};
    msw_error_interval interval;
    (void)state;
    assert_false(msw_error_calibrate(&(msw_errors_of){6, ERRORS, THREE}, 0.9, 4, &interval));
    assert_true(msw_error_calibrate(&(msw_errors_of){6, ERRORS, THREE}, 0.9, 3, &interval));
    assert_false(msw_error_calibrate(&(msw_errors_of){0, ERRORS, THREE}, 0.9, 0, &interval));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regime_is_found),
        cmocka_unit_test(a_group_alone_is_no_stratum),
        cmocka_unit_test(new_groups_are_covered),
        cmocka_unit_test(few_groups_have_none),
    };
    return cmocka_run_group_tests_name("strata", tests, NULL, NULL);
}
