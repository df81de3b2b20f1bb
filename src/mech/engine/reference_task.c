/* SPDX-License-Identifier: MIT */
/* What is asked of a reference is asked of its config, in a task of its own. */
#include "mech/engine/evaluate.h"

#include <string.h>

uint64_t *msw_reference_config(const msw_task *task, int index, size_t head)
{
    uint64_t *words = msw_arena_take(task->arena, head * sizeof *words + task->mech->config_size);
    if (!words)
        return NULL;
    memcpy(words + head, task->config, task->mech->config_size);
    task->mech->references[index].change(words + head);
    return words;
}

int msw_reference_task(const msw_task *task, const void *config,
                       int (*inside)(msw_task *, void *, msw_err *), void *context, msw_err *err)
{
    msw_arena scratch = {0};
    msw_task own = *task;
    own.config = config;
    own.arena = &scratch;
    own.details = NULL;
    own.prediction = NULL;
    own.memo = NULL;     /* its keys would push out those of the point that waits */
    own.deadline_ns = 0; /* it is built for all who wait, not for one hurried point */
    int rc = msw_with_artifacts(&own, inside, context, err);
    msw_arena_free(&scratch);
    return rc ? -1 : 0;
}
