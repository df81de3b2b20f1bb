/* SPDX-License-Identifier: MIT */
#include "sweep_testing.h"

msw_plan *plan_of(const char *text)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    if (msw_plan_parse("test.yaml", text, strlen(text), &OPTIONS, &plan, &messages))
        fail_msg("%s", msw_text_str(&messages.text));
    msw_text_free(&messages.text);
    return plan;
}

void assert_refused(const char *text, const char *wanted)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    assert_int_equal(msw_plan_parse("test.yaml", text, strlen(text), &OPTIONS, &plan, &messages),
                     -1);
    assert_string_equal(msw_text_str(&messages.text), wanted);
    msw_text_free(&messages.text);
}

double value_at(const msw_plan *plan, uint64_t index, const char *name)
{
    msw_pointer *pointer;
    msw_point point;
    msw_err err = {0};
    assert_ok(msw_pointer_new(plan, &pointer, &err), err);
    assert_ok(msw_pointer_at(pointer, index, false, &point, &err), err);
    int i = msw_schema_find(&plan->schema, name);
    assert_true(i >= 0);
    double value = msw_schema_get(&plan->schema, (size_t)i, point.block);
    msw_pointer_free(pointer);
    return value;
}
