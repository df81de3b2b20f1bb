/* SPDX-License-Identifier: MIT */
/* Defect 402. May the artifacts of a mechanism depend on many parameters together, and does a
 * record that goes too far say how far and where? The limit was 64 for all artifacts, and met as
 * "too much". */
#include "memsweep/mech/engine.h"
#include "testing.h"

#include <string.h>

enum { MOST = MSW_DEPENDS_MAX, EACH = MSW_DEPENDS_MAX / 2 };

static int init(size_t in_third, msw_err *err)
{
    const char *half[EACH + 1], *rest[2] = {in_third ? "x1" : NULL, NULL};
    for (int i = 0; i < EACH; i++)
        half[i] = "gain";
    half[EACH] = NULL;
    const msw_artifact artifacts[] = {
        {.name = "a", .depends = half},
        {.name = "b", .depends = half},
        {.name = "c", .depends = rest},
        {0},
    };
    msw_mech mech = *msw_mech_find("null");
    msw_metric_map map;
    mech.artifacts = artifacts;
    return msw_metric_map_init(&map, &mech, err);
}

static void limit_is_reached_and_told(void **state)
{
    (void)state;
    msw_err err = {0};
    assert_true(MOST >= 256);
    assert_ok(init(0, &err), err);
    assert_int_equal(init(1, &err), -1);
    assert_non_null(strstr(err.text, "more than 256 parameters together: x1 of c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limit_is_reached_and_told)};
    return cmocka_run_group_tests_name("dependencies_counted", tests, NULL, NULL);
}
