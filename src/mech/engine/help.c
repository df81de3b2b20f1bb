/* SPDX-License-Identifier: MIT */
/* Help for a build: other threads and saved states, where there are any. */
#include "memsweep/mech/engine.h"

void msw_task_each(const msw_task *task, size_t n, void (*fn)(void *context, size_t i),
                   void *context)
{
    if (task->help && task->help->each) {
        task->help->each(task->help->context, n, fn, context);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fn(context, i);
}

int msw_task_pause(const msw_task *task, msw_flatten_fn save, const void *state, msw_err *err)
{
    return task->help && task->help->pause
               ? task->help->pause(task->help->context, save, state, err)
               : 0;
}

const char *msw_task_saved(const msw_task *task, size_t *size)
{
    *size = task->help ? task->help->saved_size : 0;
    return task->help ? task->help->saved : NULL;
}
