/* SPDX-License-Identifier: MIT */
/* Defect 120. A closed loop of fewer requests than may be outstanding waited for a part of the
 * time it takes: one request of 4,019 cycles for 1,006. Is the closed form's mean wait exact for
 * one request, and near that of the cycle model for a few? */
#include "htmmu_configs.h"
#include "testing.h"

enum { REQUESTS = 64 };

static double wait_of(direct *d, msw_fidelity fidelity, double *cycles)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
    *cycles = stream_metric(d, "cycles");
    return stream_metric(d, "mean_wait");
}

/* 4 (first TLB) + 7 (second) + 8 (path cache) + levels x 1000. */
static void one_request_waits_for_all_of_it(void **state)
{
    (void)state;
    uint64_t address = (uint64_t)5 << 30;
    for (int outstanding = 1; outstanding <= 64; outstanding *= 8) {
        direct d;
        double cycles;
        stream_open(&d, (stream_config){.kind = STREAM_GIVEN, .requests = 1, .given = &address});
        direct_set(&d, "page_size", 4096);
        direct_set(&d, "outstanding", outstanding);
        assert_true(wait_of(&d, MSW_ANALYTIC, &cycles) == 4019);
        assert_true(cycles == 4019);
        assert_true(wait_of(&d, MSW_FULL, &cycles) == 4019);
        direct_close(&d);
    }
}

/* Of the cycles that the closed form says: those have errors of their own. Requests that come to
 * other pages are answered in batches of a walker each, not evenly. */
static void compare(stream_kind kind, double page, uint64_t requests, int outstanding)
{
    direct d;
    double cycles, all;
    stream_open(&d, (stream_config){.kind = kind,
                                    .requests = requests,
                                    .footprint = (uint64_t)1 << 26,
                                    .seed = requests});
    direct_set(&d, "page_size", page);
    direct_set(&d, "outstanding", outstanding);
    double wait = wait_of(&d, MSW_ANALYTIC, &cycles), known = wait_of(&d, MSW_FULL, &all);
    double error = wait / cycles / (known / all) - 1;
    if (!(fabs(error) < (requests <= 16 && outstanding >= 16 ? 0.01 : 0.25)))
        fail_msg("%g requests, %d outstanding, pages of %g: a mean wait of %g in %g cycles; full: "
                 "%g in %g",
                 (double)requests, outstanding, page, wait, cycles, known, all);
    direct_close(&d);
}

static void few_requests_wait_as_in_the_cycle_model(void **state)
{
    (void)state;
    for (uint64_t requests = 1; requests <= REQUESTS; requests++)
        for (int outstanding = 4; outstanding <= 256; outstanding *= 4)
            for (double page = 4096; page <= 2097152; page *= 512) {
                compare(STREAM_SEQUENTIAL, page, requests, outstanding);
                compare(STREAM_UNIFORM, page, requests, outstanding);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_waits_for_all_of_it),
        cmocka_unit_test(few_requests_wait_as_in_the_cycle_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
