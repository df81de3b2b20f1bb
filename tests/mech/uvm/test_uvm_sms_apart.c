/* SPDX-License-Identifier: MIT */
/* Defect 520. SMs that run apart from each other give what they give in step: the same pages, and
 * nearly the same time; the parts of the time add up to it. A limit on registers that is never
 * reached keeps them in step. */
#include "direct.h"
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/uvm/config.h"

extern const msw_mech msw_mech_uvm;

typedef struct answers {
    double cycles, parts, touched, bytes, lines;
} answers;

static answers answers_of(direct *d, bool in_step)
{
    direct_set(d, "fault_registers", in_step ? 1 << 20 : 0);
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    answers a = {.cycles = stream_metric(d, "cycles"),
                 .touched = stream_metric(d, "pages_touched"),
                 .bytes = stream_metric(d, "bytes_in"),
                 .lines = stream_metric(d, "lines")};
    static const char *const PARTS[] = {"busy", "memory", "fault_wait_cycles", "launch", "host"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        assert_true(stream_metric(d, PARTS[i]) >= 0);
        a.parts += stream_metric(d, PARTS[i]);
    }
    return a;
}

static void apart_is_as_in_step(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"uvm/streamtriad/n=16Ki", "uvm/bicg/n=64", "uvm/nw/n=64",
                                        "uvm/hotspot/side=128", "uvm/2dconv/h=64"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        for (int end = UVM_END_ACCESSES; end <= UVM_END_LINK; end++) {
            direct d;
            msw_err err = {0};
            assert_ok(direct_open(&d, &msw_mech_uvm, NAMES[i], &err), err);
            direct_set(&d, "cta_end", end);
            direct_set(&d, "fault_charge", end == UVM_END_LINK ? UVM_BATCHED : UVM_EXCLUDED);
            answers step = answers_of(&d, true), apart = answers_of(&d, false);
            assert_true(apart.touched == step.touched && apart.lines == step.lines);
            assert_true(apart.parts == apart.cycles);
            if (fabs(apart.cycles - step.cycles) > 0.05 * step.cycles ||
                fabs(apart.bytes - step.bytes) > 0.02 * step.bytes)
                fail_msg("%s: %g cycles, %g bytes, not %g, %g", NAMES[i], apart.cycles, apart.bytes,
                         step.cycles, step.bytes);
            direct_close(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apart_is_as_in_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
