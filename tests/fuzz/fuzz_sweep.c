/* SPDX-License-Identifier: MIT */
/* Any bytes as a sweep file: no crash, no leak, and points of what is accepted can be made. */
#include "memsweep/sweep/sweep.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const msw_plan *plan)
{
    msw_pointer *pointer;
    msw_point point;
    msw_err err;
    if (msw_pointer_new(plan, &pointer, &err))
        abort();
    uint64_t step = plan->points / 8 + 1;
    for (uint64_t i = 0; i < plan->points; i += step)
        (void)msw_pointer_at(pointer, i, true, &point, &err);
    msw_pointer_free(pointer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    if (msw_plan_parse("/nowhere/fuzz.yaml", (const char *)data, size, &OPTIONS, &plan,
                       &messages) == 0) {
        walk(plan);
        msw_plan_free(plan);
    } else if (messages.count == 0) {
        abort();
    }
    msw_text_free(&messages.text);
    return 0;
}
