/* SPDX-License-Identifier: MIT */
/* Defect 710. How far SMs run ahead of the clock is a matter of memory and speed: what full
 * answers is the same to the bit, the split of waiting time too. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/machine/machine.h"
#include "mech/uvm/model.h"

extern const msw_mech msw_mech_uvm;

static uint64_t span;

static int measure_in_spans(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                            msw_unit_out *out, msw_err *err)
{
    uvm_machine *m = msw_arena_take(task->arena, sizeof *m);
    (void)state;
    (void)stratum;
    (void)unit;
    assert_ok(uvm_machine_init(m, task, err), *err);
    m->span = span;
    return uvm_machine_measure(m, out);
}

static void compare(const char *workload, int prefetcher, int cta_end)
{
    static const uint64_t SPANS[] = {UVM_SPAN, 512, 1000, 16384};
    double first[UVM_METRICS];
    msw_mech mech = msw_mech_uvm;
    direct d;
    msw_err err = {0};
    mech.measure = measure_in_spans;
    assert_ok(direct_open(&d, &mech, workload, &err), err);
    direct_set(&d, "prefetcher", prefetcher);
    direct_set(&d, "cta_end", cta_end);
    for (size_t i = 0; i < sizeof SPANS / sizeof *SPANS; i++) {
        span = SPANS[i];
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        for (int m = 0; m < UVM_METRICS && i; m++)
            if (d.metrics[m] != first[m] && !(d.metrics[m] != d.metrics[m]))
                fail_msg("%s: %s %g, in spans of %d cycles %g", workload, uvm_metrics[m].name,
                         first[m], (int)span, d.metrics[m]);
        if (!i)
            memcpy(first, d.metrics, sizeof first);
    }
    direct_close(&d);
}

static void spans_change_nothing(void **state)
{
    (void)state;
    compare("uvm/srad_v2/side=256", UVM_TREE, UVM_END_ACCESSES);
    compare("uvm/srad_v2/side=256", UVM_NONE, UVM_END_LINK);
    compare("uvm/backprop/inputs=16368", UVM_TREE, UVM_END_ACCESSES);
    compare("uvm/streamtriad/n=64Ki", UVM_TREE, UVM_END_LINK);
    compare("uvm/bicg/n=128", UVM_NONE, UVM_END_ACCESSES);
    if (!getenv("MEMSWEEP_FULL"))
        return;
    compare("uvm/srad_v2", UVM_TREE, UVM_END_ACCESSES);
    compare("uvm/backprop", UVM_TREE, UVM_END_ACCESSES);
    compare("uvm/hotspot", UVM_NONE, UVM_END_ACCESSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_change_nothing)};
    return cmocka_run_group_tests_name("710_spans_change_nothing", tests, NULL, NULL);
}
