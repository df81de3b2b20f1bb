/* tasks: the pieces of one computation on all processors allowed.
 *
 * A task writes only what is its own, and what comes of all of them is put together afterwards in
 * the order of their numbers: the bits are the same for any number of threads. */
#ifndef MEMSWEEP_RUN_TASKS_H
#define MEMSWEEP_RUN_TASKS_H

#include <stddef.h>

/* Runs task(context, 0 .. count - 1), each once, in any order, on OMP_NUM_THREADS threads or as
 * many as CPUs are allowed; within a task, or a worker of a run, one after the other. */
void msw_tasks(size_t count, void (*task)(void *context, size_t number), void *context);

#endif
