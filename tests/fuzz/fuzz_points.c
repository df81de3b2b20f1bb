/* SPDX-License-Identifier: MIT */
/* Any bytes are a table of points (design `list`), or are refused with a message; points of what is
 * accepted can be made. The first byte chooses the mechanism. */
#include "memsweep/sweep/sweep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const SWEEPS[] = {
    "sweep: s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n"
    "design: {kind: list, file: t.csv}\n",
    "sweep: s\nmechanism: template\nworkloads: [synth/even, synth/small]\nfidelity: analytic\n"
    "design: {kind: list, file: t.csv}\nwhere: ways < 8\n",
};

typedef struct table {
    const uint8_t *data;
    size_t size;
} table;

static bool exists(void *context, const char *path)
{
    (void)context;
    return strstr(path, "t.csv") != NULL;
}

static int read_table(void *context, const char *path, size_t most, char **data, size_t *size,
                      msw_err *err)
{
    const table *t = context;
    (void)path, (void)most;
    *size = t->size;
    *data = malloc(t->size + 1);
    if (!*data)
        return msw_fail_memory(err);
    memcpy(*data, t->data, t->size);
    (*data)[t->size] = '\0';
    return 0;
}

static void walk(const msw_plan *plan)
{
    msw_pointer *pointer;
    msw_point point;
    msw_err err;
    if (msw_pointer_new(plan, &pointer, &err))
        abort();
    for (uint64_t i = 0; i < plan->points && i < 50; i++)
        if (msw_pointer_at(pointer, i, true, &point, &err))
            abort();
    msw_pointer_free(pointer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    table t = {data + 1, size - 1};
    msw_file_source source = {.context = &t, .exists = exists, .read = read_table};
    const msw_plan_options options = {.seed = -1, .files = &source};
    const char *sweep = SWEEPS[data[0] & 1];
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    if (msw_plan_parse("/nowhere/s.yaml", sweep, strlen(sweep), &options, &plan, &messages) == 0) {
        walk(plan);
        msw_plan_free(plan);
    } else if (messages.count == 0) {
        abort();
    }
    msw_text_free(&messages.text);
    return 0;
}
