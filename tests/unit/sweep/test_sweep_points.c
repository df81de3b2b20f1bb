/* SPDX-License-Identifier: MIT */
/* Does an index lead to the right point, and does its key hold what can change the answer? */
#include "sweep_testing.h"

static msw_point point_at(const msw_plan *plan, uint64_t index)
{
    msw_pointer *pointer;
    msw_point point;
    msw_err err = {0};
    assert_ok(msw_pointer_new(plan, &pointer, &err), err);
    assert_ok(msw_pointer_at(pointer, index, true, &point, &err), err);
    msw_pointer_free(pointer);
    point.block = NULL;
    return point;
}

static msw_digest key_of(const char *text)
{
    msw_plan *plan = plan_of(text);
    msw_digest key = point_at(plan, 0).key;
    msw_plan_free(plan);
    return key;
}

static void assert_keys(const char *a, const char *b, bool same)
{
    if (msw_digest_equal(key_of(a), key_of(b)) != same)
        fail_msg("keys %s:\n%s--\n%s", same ? "differ" : "are the same", a, b);
}

static void indices_run_replicates_first(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/even, synth/small]\n"
                                  "vary: {gain: [1, 2, 3]}\nreplicates: 2\nfidelity: full\n");
    assert_int_equal(plan->points, 12);
    msw_point p = point_at(plan, 9);
    assert_int_equal(p.workload, 1);
    assert_int_equal(p.design, 1);
    assert_int_equal(p.replicate, 1);
    assert_near(value_at(plan, 9, "gain"), 2, 0);
    assert_true(plan->distinct);
    msw_pointer *pointer;
    msw_err err = {0};
    assert_ok(msw_pointer_new(plan, &pointer, &err), err);
    assert_int_equal(msw_pointer_at(pointer, 12, false, &p, &err), -1);
    msw_pointer_free(pointer);
    msw_plan_free(plan);
}

static void streams_see_seed_workload_and_replicate_only(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "vary: {gain: [1, 2]}\nreplicates: 2\n");
    uint64_t stream = point_at(plan, 0).stream;
    assert_true(point_at(plan, 2).stream == stream); /* another config */
    assert_true(point_at(plan, 1).stream != stream); /* another replicate */
    msw_plan_free(plan);
    plan = plan_of(HEAD "vary: {gain: [1, 2]}\nseed: 2\n");
    assert_true(point_at(plan, 0).stream != stream);
    msw_plan_free(plan);
}

static void a_task_points_into_the_block(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: synth/small\nfix: {gain: 3}\nseed: 5\n");
    msw_pointer *pointer;
    msw_point point;
    msw_task task;
    msw_err err = {0};
    assert_ok(msw_pointer_new(plan, &pointer, &err), err);
    assert_ok(msw_pointer_at(pointer, 0, false, &point, &err), err);
    msw_point_task(plan, &point, &task);
    const msw_param *gain = msw_params_find(plan->mech->params, "gain");
    const msw_param *units = msw_params_find(task.workload->frontend->params, "synth_units");
    assert_near(msw_param_get(gain, task.config), 3, 0);
    assert_near(msw_param_get(units, task.workload_config), 8, 0);
    assert_true(task.stream == point.stream);
    assert_null(task.arena);
    msw_pointer_free(pointer);
    msw_plan_free(plan);
}

static void keys_hold_what_changes_the_answer(void **state)
{
    (void)state;
    static const char *const OTHER[] = {
        HEAD "fix: {gain: 2}\n", HEAD "fix: {synth_units: 251}\n",
        HEAD "fidelity: full\n", HEAD "workloads: synth/small\n",
        HEAD "seed: 2\n",
    };
    for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++)
        assert_keys(HEAD, OTHER[i], false);
    assert_keys(HEAD "fidelity: sampled\n", HEAD "fidelity: sampled\nsampling: {target: 1%}\n",
                false);
}

static void keys_hold_nothing_else(void **state)
{
    (void)state;
    static const char *const SAME[] = {
        "sweep: renamed\nmechanism: null\n",
        HEAD "vary: {gain: [1, 2]}\n", /* first point */
        HEAD "design: {kind: list, points: [{gain: 1, x1: 50%}]}\n",
        HEAD "sampling: {target: 1%}\n",      /* acts at sampled only */
        HEAD "sampling: {event_budget: 9}\n", /* acts where cycles are simulated */
        HEAD "derive: {a: \"y\"}\nobjectives: {minimize: a}\n",
        HEAD "fix: {synth_units: 250}\n", /* as the name says */
    };
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++)
        assert_keys(HEAD, SAME[i], true);
}

/* synth/small and synth/even differ in strata and units only. */
static void equal_keys_are_foreseen(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/small, synth/even]\n"
                                  "fix: {synth_units: 4, synth_strata: 4}\n");
    assert_false(plan->distinct);
    assert_true(msw_digest_equal(point_at(plan, 0).key, point_at(plan, 1).key));
    msw_plan_free(plan);
    plan = plan_of(HEAD "design: {kind: random, points: 50}\nvary: {gain: [1, 2]}\n");
    assert_false(plan->distinct);
    msw_plan_free(plan);
}

/* ---- what of the code is in a key ---- */

static const msw_part TOY_PART = {"toy part", 1}, NEW_PART = {"toy part", 2};
static const msw_part *const USES[] = {&TOY_PART, NULL}, *const USES_NEW[] = {&NEW_PART, NULL};

/* Whether another record gives other keys at each fidelity. */
static void assert_models(const msw_mech *a, const msw_mech *b, bool analytic, bool simulated)
{
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        bool differ = f == MSW_ANALYTIC ? analytic : simulated;
        bool equal = msw_digest_equal(msw_mech_model(a, (msw_fidelity)f),
                                      msw_mech_model(b, (msw_fidelity)f));
        if (equal == differ)
            fail_msg("at %s: %s", msw_fidelity_name((msw_fidelity)f), equal ? "same" : "other");
    }
}

static void keys_know_the_model_that_answers(void **state)
{
    (void)state;
    const msw_mech old = {.name = "toy",
                          .version_closed = 1,
                          .version_machine = 1,
                          .parts_closed = USES,
                          .parts_machine = USES};
    msw_mech changed = old;
    changed.version_closed = 2;
    assert_models(&old, &changed, true, false);
    changed = old;
    changed.version_machine = 2;
    assert_models(&old, &changed, false, true);
    changed = old;
    changed.parts_machine = USES_NEW;
    assert_models(&old, &changed, false, true);
    changed = old;
    changed.parts_closed = NULL;
    assert_models(&old, &changed, true, false);
    changed = old;
    changed.name = "other";
    assert_models(&old, &changed, true, true);
    /* The sampler's version is in the keys of sampled points alone. */
    assert_false(
        msw_digest_equal(msw_mech_model(&old, MSW_SAMPLED), msw_mech_model(&old, MSW_FULL)));
}

static void keys_hold_the_model(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "fidelity: full\n");
    msw_digest key = point_at(plan, 0).key;
    plan->model.lo ^= 1;
    assert_false(msw_digest_equal(point_at(plan, 0).key, key));
    msw_plan_free(plan);
}

static void parts_are_listed_once_and_known(void **state)
{
    (void)state;
    static const msw_part *const TWICE[] = {&msw_part_dram, &msw_part_dram, NULL};
    msw_err err = {0};
    msw_mech mech = *msw_mech_find("null");
    mech.parts_machine = USES;
    assert_int_equal(msw_mech_check(&mech, &err), -1);
    assert_non_null(strstr(err.text, "not in msw_parts"));
    mech.parts_machine = TWICE;
    assert_int_equal(msw_mech_check(&mech, &err), -1);
    assert_non_null(strstr(err.text, "part dram twice"));
    mech = *msw_mech_find("null");
    mech.version_machine = 0;
    assert_int_equal(msw_mech_check(&mech, &err), -1);
    assert_non_null(strstr(err.text, "start at 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_run_replicates_first),
        cmocka_unit_test(streams_see_seed_workload_and_replicate_only),
        cmocka_unit_test(a_task_points_into_the_block),
        cmocka_unit_test(keys_hold_what_changes_the_answer),
        cmocka_unit_test(keys_hold_nothing_else),
        cmocka_unit_test(equal_keys_are_foreseen),
        cmocka_unit_test(keys_know_the_model_that_answers),
        cmocka_unit_test(keys_hold_the_model),
        cmocka_unit_test(parts_are_listed_once_and_known),
    };
    return cmocka_run_group_tests_name("sweep_points", tests, NULL, NULL);
}
