/* SPDX-License-Identifier: MIT */
/* Defect 570. A launch that is one unit went on to its end before anybody looked at the event
 * budget and the point timeout: some random machines took minutes where 4 s were allowed. */
#include "direct.h"
#include "testing.h"

#include "mech/mpu/model.h"

extern const msw_mech msw_mech_mpu;

static int stopped; /* units that did not go to their ends */

static int watched(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    int rc = mpu_measure(task, state, stratum, unit, out, err);
    stopped += rc != 0;
    return rc;
}

static void run(uint64_t budget, int64_t deadline_ns, msw_status status, int expected)
{
    msw_err err = {0};
    direct d;
    msw_mech mech = msw_mech_mpu;
    mech.measure = watched;
    stopped = 0;
    assert_ok(direct_open(&d, &mech, "gemv/rows=64", &err), err);
    d.task.event_budget = budget;
    d.task.deadline_ns = deadline_ns;
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, status);
    assert_int_equal(stopped, expected);
    direct_close(&d);
}

static void a_unit_keeps_the_event_budget(void **state)
{
    (void)state;
    run(100, 0, MSW_FAILED, 1);
}

static void a_unit_keeps_the_deadline(void **state)
{
    (void)state;
    run(0, 1, MSW_TIMEOUT, 1);
}

static void no_limit_stops_nothing(void **state)
{
    (void)state;
    run(0, 0, MSW_OK, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_unit_keeps_the_event_budget),
                                       cmocka_unit_test(a_unit_keeps_the_deadline),
                                       cmocka_unit_test(no_limit_stops_nothing)};
    return cmocka_run_group_tests_name("mpu limits", tests, NULL, NULL);
}
