/* SPDX-License-Identifier: MIT */
/* Is every design a good citizen: the same points for the same seed, in any order and beside other
 * instances, in range, with every level equally often, and honest about constraints? */
#include "design/design_private.h"
#include "testing.h"

#include <string.h>

enum { FACTORS = 4 };

static const double SEVEN[] = {0, 1, 2, 3, 4, 5, 6};
static const uint64_t LEVELS[FACTORS] = {4, 3, 2, 5}, MIXED[FACTORS] = {4, 0, 2, 7};

typedef struct subject {
    const msw_design *design;
    int64_t config[8]; /* every setting of a design is an integer or a choice */
    uint8_t codes[FACTORS][120];
    msw_list_column columns[FACTORS];
    msw_design_input input;
    msw_design_state state;
} subject;

static void fill_list(subject *s)
{
    for (size_t i = 0; i < 120; i++)
        for (size_t j = 0; j < FACTORS; j++)
            s->codes[j][i] = (uint8_t)(i * (j + 1) % 7);
    for (size_t j = 0; j < FACTORS; j++)
        s->columns[j] = (msw_list_column){SEVEN, s->codes[j], 1};
}

static void begin(subject *s, const msw_design *design, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->design = design;
    msw_params_defaults(design->params, s->config);
    fill_list(s);
    s->input = (msw_design_input){.factor_count = FACTORS,
                                  .levels = design->needs_levels ? LEVELS : MIXED,
                                  .seed = seed,
                                  .config = s->config,
                                  .list_columns = s->columns,
                                  .list_rows = 120};
}

static void prepare(subject *s)
{
    msw_err err;
    assert_ok(msw_design_prepare(s->design, &s->input, &s->state, &err), err);
}

static void start(subject *s, const msw_design *design, uint64_t seed)
{
    begin(s, design, seed);
    prepare(s);
}

static void end(subject *s)
{
    msw_design_release(s->design, &s->state);
}

static void get(const subject *s, uint64_t i, double coords[FACTORS])
{
    msw_design_point(s->design, &s->input, &s->state, i, coords);
}

static void records_are_whole(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        const msw_design *design = msw_designs[d];
        assert_ptr_equal(msw_design_find(design->name), design);
        assert_non_null(design->title);
        assert_true(design->version >= 1);
        assert_non_null(design->point);
        assert_non_null(design->wanted);
        assert_non_null(design->raw_count);
        assert_int_equal(design->constrained == MSW_CONSTRAINED_REFUSE,
                         design->conditional != NULL);
    }
    assert_null(msw_design_find("gird"));
}

static void tables_are_sound(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        msw_err err;
        assert_ok(msw_params_check(msw_designs[d]->params, msw_designs[d]->name,
                                   msw_designs[d]->config_size, &err),
                  err);
    }
}

static void any_order_gives_the_same_points(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject forward, backward;
        start(&forward, msw_designs[d], 7);
        start(&backward, msw_designs[d], 7);
        uint64_t count = forward.state.count;
        assert_true(count > 0 && count == backward.state.count);
        double walk[FACTORS], jump[FACTORS], other[FACTORS];
        for (uint64_t i = 0; i < count; i++) {
            get(&forward, i, walk);
            get(&backward, count - 1 - i, other); /* disturbs, where state hides */
            get(&backward, i, jump);
            assert_memory_equal(walk, jump, sizeof walk);
        }
        end(&forward);
        end(&backward);
    }
}

static bool is_random(const msw_design *design)
{
    return design->coords == MSW_COORDS_UNIT;
}

static void another_seed_gives_other_points(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject one, two;
        start(&one, msw_designs[d], 1);
        start(&two, msw_designs[d], 2);
        uint64_t same = 0;
        for (uint64_t i = 0; i < one.state.count; i++) {
            double a[FACTORS], b[FACTORS];
            get(&one, i, a);
            get(&two, i, b);
            same += memcmp(a, b, sizeof a) == 0;
        }
        if (is_random(msw_designs[d]) && !msw_designs[d]->searches) /* a run chooses its points */
            assert_true(same < one.state.count / 4);
        else
            assert_int_equal(same, one.state.count);
        end(&one);
        end(&two);
    }
}

static void coordinates_are_in_range(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject s;
        start(&s, msw_designs[d], 3);
        for (uint64_t i = 0; s.design->coords != MSW_COORDS_VALUE && i < s.state.count; i++) {
            double u[FACTORS];
            get(&s, i, u);
            for (size_t j = 0; j < FACTORS; j++) {
                double levels = (double)s.input.levels[j];
                bool unit = s.design->coords == MSW_COORDS_UNIT;
                assert_true(u[j] >= 0 && u[j] <= (unit ? 1 : levels - 1));
                if (unit && levels > 0)
                    assert_true(floor(u[j] * levels) < levels);
                if (!unit)
                    assert_true(u[j] == floor(u[j]));
            }
        }
        end(&s);
    }
}

/* Chi-square of level counts summed over 64 seeds; independent draws give L - 1 on average, and
 * balanced designs less. A bound of 40 lies beyond a probability of 1e-5 for up to six degrees of
 * freedom; group designs repeat a row's level in each of its points, so counts are divided by that.
 */
static void levels_are_equally_likely(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        if (msw_designs[d]->coords == MSW_COORDS_VALUE || msw_designs[d]->searches)
            continue;
        double counts[FACTORS][8] = {{0}}, total = 0, repeats = 1;
        subject s;
        for (uint64_t seed = 0; seed < 64; seed++) {
            start(&s, msw_designs[d], seed);
            for (uint64_t i = 0; i < s.state.count; i++, total++) {
                double u[FACTORS];
                get(&s, i, u);
                for (size_t j = 0; j < FACTORS; j++) {
                    double levels = (double)s.input.levels[j];
                    bool unit = s.design->coords == MSW_COORDS_UNIT;
                    counts[j][(int)(unit ? u[j] * levels : u[j])]++;
                }
            }
            repeats = s.state.group ? (double)s.state.group : 1;
            end(&s);
        }
        for (size_t j = 0; j < FACTORS; j++) {
            double levels = (double)s.input.levels[j], square = 0;
            for (int l = 0; l < levels; l++)
                square += pow(counts[j][l] - total / levels, 2) / (total / levels) / repeats;
            if (levels > 0 && square > 40)
                fail_msg("%s, factor %zu: chi-square %g", s.design->name, j, square);
        }
    }
}

/* Every trajectory of morris crosses the middle of each factor, so a bound on one factor alone
 * would leave none. */
static int not_both_high(void *context, const double *coords, msw_err *err)
{
    (void)err;
    ++*(uint64_t *)context;
    return coords[0] < 0.5 || coords[1] < 0.5;
}

static void constraints_leave_points_that_pass(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject s;
        uint64_t asked = 0;
        if (msw_designs[d]->searches)
            continue; /* never asks: its lattice does */
        begin(&s, msw_designs[d], 5);
        s.input.accept = not_both_high;
        s.input.accept_context = &asked;
        const msw_param *constrained = msw_params_find(s.design->params, "constrained");
        if (constrained)
            msw_param_set(constrained, s.config, 1);
        prepare(&s);
        assert_true(s.state.drawn > s.state.count && asked > 0);
        if (s.design->constrained != MSW_CONSTRAINED_FILTER)
            assert_int_equal(s.state.count, s.design->wanted(&s.input));
        assert_int_equal(s.state.conditional, s.design->constrained == MSW_CONSTRAINED_REFUSE);
        for (uint64_t i = 0; i < s.state.count; i++) {
            double u[FACTORS];
            get(&s, i, u);
            assert_true(u[0] < 0.5 || u[1] < 0.5);
        }
        end(&s);
    }
}

static int nothing_passes(void *context, const double *coords, msw_err *err)
{
    (void)context;
    (void)coords;
    (void)err;
    return 0;
}

static void constraints_that_let_nothing_through_are_refused(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject s;
        msw_err err = {0};
        begin(&s, msw_designs[d], 5);
        s.input.accept = nothing_passes;
        assert_int_equal(msw_design_prepare(s.design, &s.input, &s.state, &err), -1);
        assert_non_null(strstr(err.text, s.design->name));
        assert_null(s.state.raw);
        assert_null(s.state.data);
    }
}

static int fails(void *context, const double *coords, msw_err *err)
{
    (void)context;
    (void)coords;
    return msw_fail(err, "no such column");
}

static void errors_of_constraints_come_through(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject s;
        msw_err err = {0};
        begin(&s, msw_designs[d], 5);
        s.input.accept = fails;
        assert_int_equal(msw_design_prepare(s.design, &s.input, &s.state, &err), -1);
        if (s.design->constrained != MSW_CONSTRAINED_REFUSE)
            assert_string_equal(err.text, "no such column");
    }
}

static void nothing_to_vary_is_refused_or_one_point(void **unused)
{
    (void)unused;
    for (size_t d = 0; msw_designs[d]; d++) {
        subject s;
        msw_err err = {0};
        begin(&s, msw_designs[d], 5);
        s.input.factor_count = 0;
        s.input.list_rows = 1;
        int rc = msw_design_prepare(s.design, &s.input, &s.state, &err);
        if (is_random(s.design))
            assert_int_equal(rc, -1);
        else
            assert_int_equal(s.state.count, 1);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_whole),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(any_order_gives_the_same_points),
        cmocka_unit_test(another_seed_gives_other_points),
        cmocka_unit_test(coordinates_are_in_range),
        cmocka_unit_test(levels_are_equally_likely),
        cmocka_unit_test(constraints_leave_points_that_pass),
        cmocka_unit_test(constraints_that_let_nothing_through_are_refused),
        cmocka_unit_test(errors_of_constraints_come_through),
        cmocka_unit_test(nothing_to_vary_is_refused_or_one_point),
    };
    return cmocka_run_group_tests_name("designs", tests, NULL, NULL);
}
