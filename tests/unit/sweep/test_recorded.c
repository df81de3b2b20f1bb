/* SPDX-License-Identifier: MIT */
/* Does reading the text of a stored sweep give its workloads and derived columns, and only that? */
#include "testing.h"

#include "memsweep/sweep/recorded.h"

static void names_and_texts_are_read(void **state)
{
    (void)state;
    msw_recorded r;
    msw_err err = {0};
    assert_ok(msw_recorded_read("sweep: a\nmechanism: {name: of another version}\nworkloads:\n"
                                "  - {name: \"b/c's\", front: d}\n  - {name: e}\nderive:\n"
                                "  edp: \"x * \\\"y\\\"\"\n  two: \"2\"\nobjectives:\n",
                                &r, &err),
              err);
    assert_int_equal(r.workload_count, 2);
    assert_string_equal(r.workloads[0], "b/c's");
    assert_string_equal(r.workloads[1], "e");
    assert_int_equal(r.derived_count, 2);
    assert_string_equal(r.derived[0].name, "edp");
    assert_string_equal(r.derived[0].text, "x * \"y\"");
    msw_recorded_free(&r);
    assert_ok(msw_recorded_read("workloads: [{name: a}]\nderive:\n", &r, &err), err);
    assert_int_equal(r.derived_count, 0);
    msw_recorded_free(&r);
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {"",
                                      "a",
                                      "- a",
                                      "{{{",
                                      "workloads: a",
                                      "workloads: []",
                                      "workloads: [a]",
                                      "workloads: [{front: a}]",
                                      "workloads: [{name: [a]}]",
                                      "workloads: [{name: a}]\nderive: [a]",
                                      "workloads: [{name: a}]\nderive: {b: [c]}"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_recorded r;
        msw_err err = {0};
        if (msw_recorded_read(BAD[i], &r, &err) != -1)
            fail_msg("taken: %s", BAD[i]);
        assert_int_equal(err.kind, MSW_ERR_IO);
        assert_null(r.workloads);
        assert_null(r.derived);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts_are_read),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
