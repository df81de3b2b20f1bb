/* SPDX-License-Identifier: MIT */
/* Defect 718. A point may not fill memory with rows of detail tables: beyond those that its sink
 * takes it fails and names the table. */
#include "testing.h"

#include "memsweep/mech/engine.h"

#include <string.h>

extern const msw_mech msw_mech_uvm;

static void rows_of_a_point(void **state)
{
    (void)state;
    msw_arena arena = {0};
    msw_err err = {0};
    msw_detail_sink sink = {.arena = &arena, .most = 3};
    msw_task task = {.mech = &msw_mech_uvm, .details = &sink};
    double row[16] = {0};
    sink.last = &sink.first;
    for (int i = 0; i < 3; i++)
        assert_ok(msw_detail_add(&task, 0, row, &err), err);
    assert_int_not_equal(msw_detail_add(&task, 0, row, &err), 0);
    assert_non_null(strstr(err.text, "more than 3 rows"));
    assert_int_equal(sink.count, 3);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_a_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
