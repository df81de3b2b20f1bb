/* SPDX-License-Identifier: MIT */
/* Defect 600. Samples of uvm: large programs take fewer events and keep what is always simulated
 * exactly; what is small, cut or reads the host's memory is measured whole, with the bits of full.
 */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/config.h"
#include "mech/uvm/metrics.h"

#include <math.h>

extern const msw_mech msw_mech_uvm;

static const int EXACT[] = {UVM_WARP_INSTRUCTIONS, UVM_INSTRUCTIONS, UVM_ACCESSES,
                            UVM_LINES_ASKED,       UVM_TOUCHED,      UVM_LAUNCH};

static void open_config(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, &msw_mech_uvm, workload, &err), err);
    d->task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.02, .pilot = 30};
}

static void a_large_program_takes_fewer_events(void **state)
{
    (void)state;
    double full[UVM_METRICS];
    direct d;
    open_config(&d, "uvm/bicg/n=1536");
    direct_set(&d, "prefetcher", UVM_NONE);
    direct_run(&d, MSW_FULL, 1);
    double events = (double)d.answer.events;
    memcpy(full, d.metrics, sizeof full);
    direct_run(&d, MSW_SAMPLED, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.answer.measured < d.answer.units);
    assert_true((double)d.answer.events < 0.6 * events);
    for (size_t i = 0; i < sizeof EXACT / sizeof *EXACT; i++) {
        assert_true(d.metrics[EXACT[i]] == full[EXACT[i]]);
        assert_true(d.half_widths[EXACT[i]] == 0);
    }
    assert_true(d.half_widths[UVM_CYCLES] > 0);
    assert_true(fabs(d.metrics[UVM_CYCLES] / full[UVM_CYCLES] - 1) < 0.15);
    assert_true(fabs(d.metrics[UVM_BYTES_IN] - full[UVM_BYTES_IN]) <=
                d.half_widths[UVM_BYTES_IN] + 0.5);
    assert_true(fabs(d.metrics[UVM_FAULTS] - full[UVM_FAULTS]) <= d.half_widths[UVM_FAULTS] + 0.5);
    direct_close(&d);
}

static void compare(direct *d)
{
    double full[UVM_METRICS];
    direct_run(d, MSW_FULL, 1);
    uint64_t events = d->answer.events;
    memcpy(full, d->metrics, sizeof full);
    direct_run(d, MSW_SAMPLED, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    assert_int_equal(d->answer.measured, d->answer.units);
    assert_int_equal(d->answer.events, events);
    assert_memory_equal(full, d->metrics, sizeof full);
    for (int m = 0; m < UVM_METRICS; m++)
        assert_true(d->half_widths[m] == 0);
}

static void others_are_measured_whole(void **state)
{
    (void)state;
    direct d;
    open_config(&d, "uvm/streamtriad/n=64Ki");
    compare(&d);
    direct_close(&d);
    open_config(&d, "uvm/bicg/n=1536");
    direct_set(&d, "run_share", 0.1);
    compare(&d);
    direct_set(&d, "run_share", 1);
    direct_set(&d, "migration", UVM_COUNTERS);
    direct_set(&d, "prefetcher", UVM_NONE);
    compare(&d);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_program_takes_fewer_events),
        cmocka_unit_test(others_are_measured_whole),
    };
    return cmocka_run_group_tests_name("600_uvm_samples", tests, NULL, NULL);
}
