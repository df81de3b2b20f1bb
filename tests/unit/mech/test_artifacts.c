/* SPDX-License-Identifier: MIT */
/* Is what points share built for those that need it, as often as its record says, and of nothing
 * that its key does not hold? */
#include "direct.h"
#include "mech/null/instrument.h"
#include "testing.h"

#include <string.h>

/* Counts what is built on its way to the source of a direct evaluation. */
typedef struct counted {
    direct *inner;
    int *builds, *with_workload;
} counted;

static int count_and_get(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
                         const void *extra, const void **root, void **handle, msw_err *err)
{
    counted *c = context;
    const direct_entry *newest = c->inner->entries;
    int rc = direct_get(c->inner, key, build, task, extra, root, handle, err);
    if (build == null_build_series && c->inner->entries != newest) {
        ++*c->builds;
        *c->with_workload += task->workload || task->product || task->artifacts[NULL_TILT];
    }
    return rc;
}

/* Sum of 1/i^2 over i = 1 .. 4: 205/144. */
static void series_is_built_once_for_all_workloads(void **state)
{
    (void)state;
    static const char *const WORKLOADS[] = {"synth/even", "synth/small"};
    int builds = 0, with_workload = 0;
    direct first, d;
    msw_err err = {0};
    assert_ok(direct_open(&first, msw_mech_find("null"), "synth/even", &err), err);
    for (int w = 0; w < 2; w++) {
        assert_ok(direct_open(&d, msw_mech_find("null"), WORKLOADS[w], &err), err);
        counted c = {&first, &builds, &with_workload};
        d.task.source =
            &(msw_artifact_source){.context = &c, .get = count_and_get, .put = direct_put};
        d.task.arena = &d.arena;
        d.task.map = &d.map;
        for (int terms = 0; terms <= 4; terms += 4) {
            direct_set(&d, "terms", terms);
            direct_run(&d, MSW_ANALYTIC, 7);
            assert_int_equal(d.answer.status, MSW_OK);
            assert_relative(d.answer.metrics[NULL_Y], 5 + (terms ? 205.0 / 144 : 0), 1e-15);
        }
        direct_close(&d);
    }
    assert_int_equal(builds, 1);
    assert_int_equal(with_workload, 0);
    direct_close(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_is_built_once_for_all_workloads),
    };
    return cmocka_run_group_tests_name("artifacts", tests, NULL, NULL);
}
