/* SPDX-License-Identifier: MIT */
/* A clock that goes a little further with every look at it, and the same process number in every
 * trial: then equal trials leave equal files, and what was found of one holds for all. */
#include "inject.h"

#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static const int64_t START_NS = INT64_C(1700000000000000000), LOOK_NS = 1000;
static int64_t now_ns;

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __real_nanosleep(const struct timespec *wanted, struct timespec *left);
time_t __real_time(time_t *t);
pid_t __real_getpid(void);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
time_t __wrap_time(time_t *t);
pid_t __wrap_getpid(void);

void fault_clock_begin(void)
{
    now_ns = START_NS;
}

int64_t fault_clock_now_ns(void)
{
    return __atomic_add_fetch(&now_ns, LOOK_NS, __ATOMIC_RELAXED);
}

void fault_clock_sleep(double seconds)
{
    __atomic_add_fetch(&now_ns, (int64_t)(seconds * 1e9), __ATOMIC_RELAXED);
}

int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    if (!fault_is_on() || !fault_threads_by_turns())
        return __real_clock_gettime(id, t);
    int64_t ns = fault_clock_now_ns();
    *t = (struct timespec){ns / 1000000000, ns % 1000000000};
    return 0;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (!fault_is_on() || !fault_threads_by_turns())
        return __real_nanosleep(wanted, left);
    fault_clock_sleep((double)wanted->tv_sec + 1e-9 * (double)wanted->tv_nsec);
    return 0;
}

time_t __wrap_time(time_t *t)
{
    if (!fault_is_on() || !fault_threads_by_turns())
        return __real_time(t);
    time_t now = (time_t)(fault_clock_now_ns() / 1000000000);
    if (t)
        *t = now;
    return now;
}

pid_t __wrap_getpid(void)
{
    return fault_is_on() && fault_threads_by_turns() ? 4242 : __real_getpid();
}
