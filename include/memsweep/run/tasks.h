/* SPDX-License-Identifier: MIT */
/* tasks: the pieces of one computation on all processors allowed.
 *
 * A task writes only what is its own, and what comes of all of them is put together afterwards in
 * the order of their numbers: the bits are the same for any number of threads. */
#ifndef MEMSWEEP_RUN_TASKS_H
#define MEMSWEEP_RUN_TASKS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs task(context, 0 .. count - 1), each once, in any order, on OMP_NUM_THREADS threads or as
 * many as CPUs are allowed; within a task, or a worker of a run, one after the other. */
void msw_tasks(size_t count, void (*task)(void *context, size_t number), void *context);

/* The same where that is worth it: threads that wait for one another for less than some 100 us only
 * take processors from others. Else one task after the other. */
static inline void msw_tasks_if(bool worth, size_t count,
                                void (*task)(void *context, size_t number), void *context)
{
    if (worth)
        msw_tasks(count, task, context);
    else
        for (size_t i = 0; i < count; i++)
            task(context, i);
}

#endif
