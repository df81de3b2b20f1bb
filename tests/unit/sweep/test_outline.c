/* SPDX-License-Identifier: MIT */
/* Does the outline say what the sweep file said, read back from the canonical text? */
#include "memsweep/sweep/outline.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

static msw_plan *plan_of(const char *text)
{
    msw_plan *plan = NULL;
    msw_messages messages = {0};
    msw_plan_options options = {.seed = -1};
    if (msw_plan_parse("test.yaml", text, strlen(text), &options, &plan, &messages))
        fail_msg("%s", msw_text_str(&messages.text));
    msw_text_free(&messages.text);
    return plan;
}

/* Reads the outline of a sweep; the caller frees it. */
static msw_outline outline_of(const char *text)
{
    msw_err err = {0};
    msw_outline outline;
    msw_plan *plan = plan_of(text);
    assert_ok(msw_outline_read(plan->canonical, &outline, &err), err);
    assert_int_equal(outline.factor_count, plan->space.factor_count);
    for (size_t f = 0; f < outline.factor_count; f++) {
        const msw_factor *planned = &plan->space.factors[f];
        assert_string_equal(outline.factors[f].name, planned->name);
        assert_int_equal(outline.factors[f].levels, planned->levels);
        assert_int_equal(outline.factors[f].target_count, planned->target_count);
        for (size_t t = 0; t < planned->target_count; t++)
            assert_ptr_equal(outline.factors[f].targets[t],
                             plan->schema.params[planned->targets[t]]);
    }
    assert_int_equal(plan->design.state.group ? plan->design.state.group : 1,
                     msw_outline_group(&outline));
    msw_plan_free(plan);
    return outline;
}

static void ranges_levels_and_scales(void **state)
{
    (void)state;
    msw_outline o = outline_of("sweep: a\nmechanism: null\nworkloads: [synth/small]\n"
                               "design: {kind: sobol, points: 8}\n"
                               "vary:\n  gain: {from: 1, to: 8, scale: log}\n"
                               "  x1: {from: 0.25, to: 0.75}\n  function: [linear, zdt1]\n"
                               "  carry: {values: [0, 0.1], when: \"gain > 2\"}\n");
    for (size_t f = 0; f < o.factor_count; f++) {
        const msw_outline_factor *factor = &o.factors[f];
        bool gain = strcmp(factor->name, "gain") == 0;
        assert_int_equal(factor->conditional, strcmp(factor->name, "carry") == 0);
        if (factor->levels)
            continue;
        assert_int_equal(factor->scale, gain ? MSW_LOG : MSW_LINEAR);
        assert_true(factor->from == (gain ? 1 : 0.25) && factor->to == (gain ? 8 : 0.75));
    }
    assert_int_equal(o.workload_count, 1);
    assert_string_equal(o.frontends[0]->name, "synth");
    msw_outline_free(&o);
}

/* Two orders of writing are one sweep; who is in no group is one of its own. */
static void groups_of_factors(void **state)
{
    (void)state;
    static const char TEXT[] = "sweep: a\nmechanism: null\nworkloads: [synth/small]\n"
                               "design: {kind: saltelli, base_rows: 4, groups: {%s}}\n"
                               "vary: {gain: {from: 1, to: 8}, carry: {from: 0, to: 1},\n"
                               "       x1: {from: 0, to: 1}}\n";
    char one[400], two[400];
    snprintf(one, sizeof one, TEXT, "both: [x1, carry], scale: gain");
    snprintf(two, sizeof two, TEXT, "scale: [gain], both: [carry, x1]");
    msw_plan *first = plan_of(one), *second = plan_of(two);
    assert_string_equal(first->canonical, second->canonical);
    msw_plan_free(first);
    msw_plan_free(second);
    msw_outline o = outline_of(one);
    assert_int_equal(o.group_count, 2);
    for (size_t f = 0; f < o.factor_count; f++)
        assert_string_equal(o.group_names[o.group_of[f]],
                            strcmp(o.factors[f].name, "gain") ? "both" : "scale");
    assert_int_equal(msw_outline_group(&o), 4);
    msw_outline_free(&o);
}

static void groups_of_points(void **state)
{
    (void)state;
    msw_outline o = outline_of("sweep: a\nmechanism: null\nreplicates: 3\n"
                               "workloads: [synth/small, synth/even]\n"
                               "design: {kind: saltelli, base_rows: 4, second_order: on}\n"
                               "vary: {gain: {from: 1, to: 8}, x1: {from: 0, to: 1}}\n");
    assert_true(o.second_order && !o.conditional);
    assert_int_equal(msw_outline_group(&o), 6);
    assert_int_equal(o.replicates, 3);
    assert_int_equal(o.frontend_count, 1);
    msw_outline_free(&o);
    o = outline_of("sweep: a\nmechanism: null\nworkloads: [synth/small]\n"
                   "design: {kind: morris, trajectories: 4, constrained: conditional}\n"
                   "vary: {gain: {from: 1, to: 8}, x1: {from: 0, to: 1}}\n"
                   "where: \"gain * x1 <= 4\"\n");
    assert_true(o.conditional);
    assert_int_equal(msw_outline_group(&o), 3);
    msw_outline_free(&o);
}

static void splits_and_lists(void **state)
{
    (void)state;
    msw_outline o = outline_of("sweep: a\nmechanism: null\nworkloads: [synth/small]\n"
                               "split: {budget: {total: 2, parts: 4, over: {x1: 2, x2: 2}}}\n");
    assert_int_equal(o.factors[0].target_count, 2);
    msw_outline_free(&o);
    o = outline_of("sweep: a\nmechanism: null\nworkloads: [synth/small]\n"
                   "design: {kind: list, points: [{gain: 1, x1: 0}, {gain: 2, x1: 1}]}\n");
    assert_int_equal(o.factor_count, 2);
    msw_outline_free(&o);
}

static void texts_that_are_none(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "",
        "a",
        "mechanism: {name: nothing}\n",
        "[1, 2]",
        "mechanism: {name: null}\ndesign: {kind: none}\n",
        "mechanism: {name: null}\ndesign: {kind: grid}\nworkloads:\n  - {front: none}\n",
        "mechanism: {name: null}\ndesign: {kind: grid}\nvary:\n  ways: {values: [1]}\n",
        "mechanism: {name: null}\ndesign: {kind: grid}\nvary:\n  gain: {from: x, to: 1}\n",
        "mechanism: {name: null}\ndesign: {kind: grid}\nvary:\n  gain: {of: [], values: []}\n",
        "mechanism: {name: null}\ndesign: {kind: grid}\nvary:\n  gain: 3\n"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        msw_err err = {0};
        msw_outline outline;
        if (msw_outline_read(TEXTS[i], &outline, &err) == 0)
            msw_outline_free(&outline);
        else
            assert_true(err.kind != MSW_ERR_NONE && err.text[0]);
        if (i < 5)
            assert_true(err.kind != MSW_ERR_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_levels_and_scales), cmocka_unit_test(groups_of_factors),
        cmocka_unit_test(groups_of_points),         cmocka_unit_test(splits_and_lists),
        cmocka_unit_test(texts_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
