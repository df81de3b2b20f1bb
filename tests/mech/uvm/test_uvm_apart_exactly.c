/* SPDX-License-Identifier: MIT */
/* Defect 591. SMs that may run past each other's walks give what they give in step, to the bit: the
 * same rules in the same order of time, only looked at less often. A limit on registers that is
 * never reached keeps them in step. A slow link hides what SMs do, so every other round has a fast
 * one; few places for CTAs make them come and go. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/model.h"

extern const msw_mech msw_mech_uvm;

static const char *const METRICS[] = {
    "cycles",   "bytes_in", "far_faults",      "walks",  "walk_hits", "pages_touched",    "lines",
    "tlb_hits", "memory",   "late_prefetches", "joined", "busy",      "fault_wait_cycles"};
enum { COUNT = sizeof METRICS / sizeof *METRICS };

static void answers_of(direct *d, bool in_step, double *found)
{
    direct_set(d, "fault_registers", in_step ? 1 << 20 : 0);
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    for (size_t i = 0; i < COUNT; i++)
        found[i] = stream_metric(d, METRICS[i]);
}

static void compare(const char *name, int round)
{
    double step[COUNT], apart[COUNT];
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, &msw_mech_uvm, name, &err), err);
    direct_set(&d, "sms", round / 4 ? 3 : 28);
    direct_set(&d, "schedulers", round / 3 % 3 ? 2 * (round / 3 % 3) : 1);
    direct_set(&d, "sm_ctas", round % 3 ? 32 : 2);
    direct_set(&d, "prefetcher", round % 2 ? UVM_TREE : UVM_NONE);
    direct_set(&d, "cta_end", round / 2 % 2 ? UVM_END_LINK : UVM_END_ACCESSES);
    direct_set(&d, "fault_charge", round % 3 ? UVM_BATCHED : UVM_EXCLUDED);
    direct_set(&d, "issue_cycles", 1 + 5 * (round % 2));
    direct_set(&d, "link", round % 2 ? UVM_FIXED : UVM_PCIE3);
    direct_set(&d, "link_bandwidth", 1000);
    answers_of(&d, true, step);
    answers_of(&d, false, apart);
    for (size_t i = 0; i < COUNT; i++)
        if (step[i] != apart[i])
            fail_msg("%s, round %d: %s %g in step, %g apart", name, round, METRICS[i], step[i],
                     apart[i]);
    direct_close(&d);
}

static void apart_is_exactly_as_in_step(void **state)
{
    (void)state;
    static const char *const NAMES[] = {
        "uvm/streamtriad/n=64Ki", "uvm/bicg/n=64",   "uvm/nw/n=64",
        "uvm/hotspot/side=128",   "uvm/2dconv/h=64", "uvm/srad_v2/side=128"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        for (int round = 0; round < 9; round++)
            compare(NAMES[i], round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apart_is_exactly_as_in_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
