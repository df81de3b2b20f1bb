/* SPDX-License-Identifier: MIT */
/* Defect 461. A CTA makes room for the next one, and a launch ends, when nothing is on the link
 * any more: what a fault brings beside its page counts. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/model.h"

extern const msw_mech msw_mech_uvm;

static double cycles_over_link(int end)
{
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, &msw_mech_uvm, "uvm/addvectors/n=32", &err), err);
    direct_set(&d, "prefetcher", UVM_BLOCK);
    direct_set(&d, "sync", UVM_SYNC_WAITS);
    direct_set(&d, "cta_end", end);
    direct_run(&d, MSW_FULL, 1);
    double over = stream_metric(&d, "cycles") - stream_metric(&d, "link_in_cycles");
    direct_close(&d);
    return over;
}

static void the_launch_outlasts_its_transfers(void **state)
{
    (void)state;
    assert_true(cycles_over_link(UVM_END_LINK) >= 0);
    assert_true(cycles_over_link(UVM_END_ACCESSES) < -5000); /* 60 KiB that none waits for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_launch_outlasts_its_transfers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
