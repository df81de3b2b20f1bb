/* SPDX-License-Identifier: MIT */
/* Does nothing change where the length of a walk is the memory's, and does an oracle take nothing?
 * Units rebuilt their walkers' paths by walk_level_cycles although walks read the memory (0.2 % of
 * the cycles), and an oracle's look-ups paid for the TLB that it does not have. Which walker goes
 * is nothing where all are alike. */
#include "direct.h"
#include "testing.h"

#include "mech/neummu/model.h"

static void walks_that_read_memory_know_no_other_length(void **state)
{
    static const direct_setting SETTINGS[] = {{"page_size", 1048576},
                                              {"large_page_size", 4194304},
                                              {"tlb_entries", 2},
                                              {"walk_queue", 1024},
                                              {"path_cycles", 4},
                                              {"dma_bytes", 256},
                                              {"issue_width", 512},
                                              {"memory_cycles", 114},
                                              {"walk_memory", NEUMMU_WALKS_SHARED},
                                              {"table_lines", 32},
                                              {0}};
    direct d;
    msw_err err = {0};
    (void)state;
    assert_ok(direct_open_set(&d, msw_mech_find("neummu"), "ncf/b1", SETTINGS, &err), err);
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        direct_set(&d, "walk_level_cycles", i == 0 ? 1 : 62);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        cycles[i] = d.metrics[NEUMMU_CYCLES];
    }
    assert_true(cycles[0] == cycles[1]);
    direct_close(&d);
}

static void an_oracle_takes_no_energy(void **state)
{
    static const direct_setting SETTINGS[] = {{"oracle", 1}, {0}};
    direct d;
    msw_err err = {0};
    (void)state;
    assert_ok(direct_open_set(&d, msw_mech_find("neummu"), "ncf/b1", SETTINGS, &err), err);
    for (msw_fidelity fidelity = MSW_ANALYTIC; fidelity <= MSW_FULL; fidelity++) {
        direct_run(&d, fidelity, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        assert_true(d.metrics[NEUMMU_TRANSLATIONS] > 0);
        assert_true(d.metrics[NEUMMU_ENERGY] == 0 && d.metrics[NEUMMU_SRAM] == 0);
    }
    direct_close(&d);
}

/* A walker of a later transfer began its walk before the one for the transfer before had ended:
 * with one walker that was 10 % too fast, and only where the choice was the longest idle. */
static void which_of_equal_walkers_goes_changes_nothing(void **state)
{
    static const direct_setting SETTINGS[] = {{"path_cache", NEUMMU_PATH_SHARED},
                                              {"boundary", NEUMMU_BOUNDARY_ORDERED},
                                              {"ptw_count", 1},
                                              {"page_size", 4096},
                                              {"table_lines", 16},
                                              {0}};
    double cycles[MSW_WALKER_SAME_PATH + 1];
    direct d;
    msw_err err = {0};
    (void)state;
    assert_ok(direct_open_set(&d, msw_mech_find("neummu"), "dlrm_rm1/b1", SETTINGS, &err), err);
    for (int choice = 0; choice <= MSW_WALKER_SAME_PATH; choice++) {
        direct_set(&d, "walker_choice", choice);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        cycles[choice] = d.metrics[NEUMMU_CYCLES];
    }
    assert_true(cycles[MSW_WALKER_WARMEST] == cycles[MSW_WALKER_LONGEST_IDLE]);
    assert_true(cycles[MSW_WALKER_SAME_PATH] == cycles[MSW_WALKER_LONGEST_IDLE]);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_that_read_memory_know_no_other_length),
        cmocka_unit_test(an_oracle_takes_no_energy),
        cmocka_unit_test(which_of_equal_walkers_goes_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
