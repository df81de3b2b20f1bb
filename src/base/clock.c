/* SPDX-License-Identifier: MIT */
#include "memsweep/base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static double read_seconds(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double msw_now(void)
{
    return read_seconds(CLOCK_MONOTONIC);
}

int64_t msw_now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

int64_t msw_utc_ns(void)
{
    return read_ns(CLOCK_REALTIME);
}

double msw_thread_seconds(void)
{
    return read_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double msw_process_seconds(void)
{
    return read_seconds(CLOCK_PROCESS_CPUTIME_ID);
}
