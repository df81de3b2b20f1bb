/* SPDX-License-Identifier: MIT */
/* sched_getaffinity is an extension of Linux. */
#define _GNU_SOURCE

#include "cli/cli.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 4096 };

/* "8" or "8,2": the first number is for the outer level, which is ours. */
int cli_threads_asked(void)
{
    const char *set = getenv("OMP_NUM_THREADS");
    long count = set ? strtol(set, NULL, 10) : 0;
    return count > 0 && count <= THREADS_MAX ? (int)count : 0;
}

int cli_allowed_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int cli_default_threads(void)
{
    int count = cli_threads_asked();
    return count ? count : cli_allowed_cpus();
}

bool cli_may_use_all(void)
{
    return cli_allowed_cpus() >= sysconf(_SC_NPROCESSORS_ONLN);
}
