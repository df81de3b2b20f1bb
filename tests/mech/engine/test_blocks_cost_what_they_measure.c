/* SPDX-License-Identifier: MIT */
/* Defect 435. Does a block of a reference cost what it measures? Before there was an index every
 * block went through all units of its stratum to find its own, in room for all of them. */
#include "direct.h"
#include "testing.h"

enum { STRATUM = 20000, SHARED = 8 };

static void blocks_take_no_stratum(void **state)
{
    (void)state;
    msw_err err = {0};
    direct d;
    int all = 0, large = 0;
    assert_ok(direct_open(&d, msw_mech_find("null"), "synth/even", &err), err);
    direct_set(&d, "synth_units", STRATUM);
    direct_set(&d, "synth_shape", 1);
    direct_set(&d, "synth_cv", 0.5);
    direct_set(&d, "unit_events", 100);
    direct_set(&d, "predict_law", 1);
    direct_set(&d, "gain", 2);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.answer.measured < d.answer.units / 10);
    for (const direct_entry *e = d.entries; e; e = e->next) {
        all++;
        large += e->arena.total >= STRATUM * sizeof(uint64_t);
    }
    printf("%d of %d artifacts have room for a stratum\n", large, all);
    assert_true(all > 4 * SHARED);
    assert_true(large <= SHARED); /* workload, predictions, the index */
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_take_no_stratum)};
    return cmocka_run_group_tests_name("blocks_cost_what_they_measure", tests, NULL, NULL);
}
