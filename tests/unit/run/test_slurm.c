/* SPDX-License-Identifier: MIT */
/* Is a template filled as it says? */
#include "memsweep/run/slurm.h"
#include "testing.h"

#include <string.h>

static void slots_are_filled(void **state)
{
    (void)state;
    msw_text out = MSW_TEXT_EMPTY;
    msw_err err = {0};
    const msw_slot slots[] = {{"NAME", "x y"}, {"MORE", ""}, {"N", "120"}, {NULL, NULL}};
    assert_ok(
        msw_template_fill("job @NAME@\nsignal=B:USR1@@N@\n@MORE@\na@b $@\n", slots, &out, &err),
        err);
    assert_string_equal(msw_text_str(&out), "job x y\nsignal=B:USR1@120\na@b $@\n");
    msw_text_free(&out);
}

static void unknown_slots_are_refused(void **state)
{
    (void)state;
    msw_text out = MSW_TEXT_EMPTY;
    msw_err err = {0};
    const msw_slot slots[] = {{"NAME", "x"}, {NULL, NULL}};
    assert_int_equal(msw_template_fill("@NAMES@", slots, &out, &err), -1);
    assert_non_null(strstr(err.text, "@NAMES@"));
    msw_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_filled),
        cmocka_unit_test(unknown_slots_are_refused),
    };
    return cmocka_run_group_tests_name("slurm", tests, NULL, NULL);
}
