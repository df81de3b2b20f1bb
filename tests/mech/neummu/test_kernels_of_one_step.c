/* SPDX-License-Identifier: MIT */
/* Defect 254. Recurrent networks ran as whole sequences only, whose weights are read again in
 * every step; what is published are kernels of one step. There no TLB can find a weight a second
 * time. */
#include "networks.h"
#include "neummu_configs.h"
#include "testing.h"

static void steps_are_counted(void **state)
{
    (void)state;
    static const int64_t STEPS[] = {0, 1, 2, 25, 40};
    for (int i = 0; i < 5; i++) {
        network n;
        uint64_t wanted = STEPS[i] ? (uint64_t)STEPS[i] : 25, repeats = 0;
        assert_ok(network_load(&n, "rnn2/b1"), n.err);
        n.config.steps = STEPS[i];
        assert_ok(network_build(&n), n.err);
        assert_null(network_fault(n.p));
        for (uint64_t l = 0; l < n.p->layer_count; l++)
            repeats += n.p->layers[l].repeat;
        assert_int_equal(repeats, wanted);
        assert_int_equal(n.p->macs, 8388608 * wanted);
        network_close(&n);
    }
}

static void other_networks_have_none(void **state)
{
    (void)state;
    uint64_t bytes[2];
    for (int steps = 0; steps < 2; steps++) {
        network n;
        assert_ok(network_load(&n, "alexnet/b1"), n.err);
        n.config.steps = steps;
        assert_ok(network_build(&n), n.err);
        bytes[steps] = n.p->load_bytes + n.p->tiles_run;
        network_close(&n);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

static double cycles(direct *d, double steps, double entries)
{
    direct_set(d, "npu_steps", steps);
    direct_set(d, "tlb_entries", entries);
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[0];
}

static void kernels_gain_nothing_from_a_larger_tlb(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("neummu"), "rnn3/b1", &err), err);
    direct_set(&d, "ptw_count", 8);
    direct_set(&d, "scoreboard", 0);
    direct_set(&d, "path_cache", 0);
    assert_relative(cycles(&d, 1, 2048), cycles(&d, 1, 131072), 0.001);
    assert_true(cycles(&d, 0, 2048) > 5 * cycles(&d, 0, 131072));
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(other_networks_have_none),
        cmocka_unit_test(kernels_gain_nothing_from_a_larger_tlb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
