/* SPDX-License-Identifier: MIT */
/* Defect 591. Where nothing but the pager joins SMs, i.e. each has one scheduler and all CTAs have
 * a place from the start, SMs that run apart give exactly what they give in step, but for the
 * parts of the time. A limit on registers that is never reached keeps them in step. A slow link
 * hides what SMs do, so every other round has a fast one. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/config.h"

extern const msw_mech msw_mech_uvm;

static const char *const METRICS[] = {"cycles",    "bytes_in", "far_faults",      "walks",
                                      "walk_hits", "tlb_hits", "late_prefetches", "joined"};
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
    direct_set(&d, "sms", 80);
    direct_set(&d, "schedulers", 1);
    direct_set(&d, "sm_registers", 1000000);
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
        "uvm/streamtriad/n=128Ki", "uvm/bicg/n=64",   "uvm/nw/n=64",
        "uvm/hotspot/side=256",    "uvm/2dconv/h=64", "uvm/srad_v2/side=256"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        for (int round = 0; round < 4; round++)
            compare(NAMES[i], round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apart_is_exactly_as_in_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
