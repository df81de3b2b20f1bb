/* SPDX-License-Identifier: MIT */
/* Defect 711. Where memory or TLBs are short the cheap model of uvm meets pages in another order,
 * so that what leaves is another: such programs are measured whole. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/config.h"

extern const msw_mech msw_mech_uvm;

static size_t units_of(const char *param, double value)
{
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, &msw_mech_uvm, "uvm/bicg/n=1408", &err), err);
    d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.02, .pilot = 30};
    direct_set(&d, "prefetcher", UVM_NONE);
    direct_set(&d, param, value);
    direct_run(&d, MSW_SAMPLED, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    size_t units = (size_t)d.answer.units;
    direct_close(&d);
    return units;
}

static void what_is_short_is_measured_whole(void **state)
{
    (void)state;
    assert_int_equal(units_of("tlb_entries", 256), 1);
    if (getenv("MEMSWEEP_FULL"))
        assert_int_equal(units_of("oversubscription", 1.5), 1);
    assert_true(units_of("tlb_entries", 4096) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_short_is_measured_whole)};
    return cmocka_run_group_tests_name("711_short_tlbs_are_measured_whole", tests, NULL, NULL);
}
