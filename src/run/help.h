/* SPDX-License-Identifier: MIT */
/* Private to run: threads that wait for a build help it. */
#ifndef MSW_RUN_HELP_H
#define MSW_RUN_HELP_H

#include "run/pool.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct help_job help_job;

/* Shares lock and signal with what is waited for. */
typedef struct msw_help {
    msw_lock *lock;
    msw_signal *news;
    help_job *jobs;
    int waiting; /* threads that could help */
} msw_help;

/* Calls fn(context, i) for all i below n, here and on whoever waits. Returns when all are done. */
void msw_help_each(msw_help *help, size_t n, void (*fn)(void *context, size_t i), void *context);

/* With the lock held: gives it away to help with a build, or until there is news or some time is
 * over. */
void msw_help_wait(msw_help *help, double seconds);

#endif
