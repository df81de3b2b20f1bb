/* SPDX-License-Identifier: MIT */
/* Defect 251. What a TLB holds can be told from the order of use with LRU alone. With other
 * policies `full` has to be one pass, and a sample of all units that same pass; with LRU units
 * stay independent. */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/model.h"
#include "memsweep/sim/assoc.h"

static void evaluate(direct *d, msw_fidelity fidelity, int64_t pilot, double *metrics)
{
    d->task.sampling.pilot = pilot; /* of units that are not predicted; a target takes all others */
    d->task.sampling.target = pilot ? 1e-9 : 0.02;
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    assert_true(pilot == 0 || d->answer.measured == d->answer.units);
    memcpy(metrics, d->metrics, NEUMMU_METRICS * sizeof *metrics);
}

static void all_units_are_full(void **state)
{
    (void)state;
    double full[NEUMMU_METRICS], again[NEUMMU_METRICS], sampled[NEUMMU_METRICS], lru = 0;
    uint64_t units = 0; /* events of units, each warmed up */
    msw_err err = {0};
    for (int policy = MSW_POLICY_LRU; policy <= MSW_POLICY_RANDOM; policy++) {
        direct d;
        assert_ok(direct_open(&d, msw_mech_find("neummu"), "googlenet/b1", &err), err);
        direct_set(&d, "npu_spm_activation", 262144);
        direct_set(&d, "npu_spm_weight", 262144);
        direct_set(&d, "tlb_entries", 512);
        direct_set(&d, "tlb_ways", 8);
        direct_set(&d, "tlb_policy", policy);
        evaluate(&d, MSW_FULL, 0, full);
        units = policy == MSW_POLICY_LRU ? d.answer.events : units;
        assert_true(policy == MSW_POLICY_LRU || d.answer.events < units / 2);
        evaluate(&d, MSW_FULL, 0, again);
        evaluate(&d, MSW_SAMPLED, 1000000, sampled);
        assert_memory_equal(full, again, sizeof full);
        assert_memory_equal(full, sampled, sizeof full);
        lru = policy == MSW_POLICY_LRU ? full[NEUMMU_WALKS] : lru;
        assert_true(policy == MSW_POLICY_LRU || full[NEUMMU_WALKS] != lru);
        direct_close(&d);
    }
}

/* Rows of details are those of the pass, once. */
static void details_are_those_of_full(void **state)
{
    (void)state;
    msw_err err = {0};
    size_t rows[2];
    for (int sampled = 0; sampled < 2; sampled++) {
        direct d;
        msw_arena arena = {0};
        msw_detail_sink sink = {.arena = &arena};
        double metrics[NEUMMU_METRICS];
        sink.last = &sink.first;
        assert_ok(direct_open(&d, msw_mech_find("neummu"), "alexnet/b1", &err), err);
        direct_set(&d, "tlb_entries", 1024);
        direct_set(&d, "tlb_ways", 8);
        direct_set(&d, "tlb_policy", MSW_POLICY_BIT);
        direct_set(&d, "profile_window", 1000);
        d.task.details = &sink;
        evaluate(&d, sampled ? MSW_SAMPLED : MSW_FULL, sampled ? 1000000 : 0, metrics);
        rows[sampled] = sink.count;
        msw_arena_free(&arena);
        direct_close(&d);
    }
    assert_true(rows[0] > 0);
    assert_int_equal(rows[0], rows[1]);
}

static void budgets_act(void **state)
{
    (void)state;
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, msw_mech_find("neummu"), "alexnet/b1", &err), err);
    direct_set(&d, "tlb_policy", MSW_POLICY_BIT);
    d.task.event_budget = 1000;
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, MSW_FAILED);
    assert_non_null(strstr(d.answer.reason, "event budget"));
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_units_are_full),
        cmocka_unit_test(details_are_those_of_full),
        cmocka_unit_test(budgets_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
