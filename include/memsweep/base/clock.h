/* SPDX-License-Identifier: MIT */
/* clock: the clocks of the system, read in one place. */
#ifndef MEMSWEEP_BASE_CLOCK_H
#define MEMSWEEP_BASE_CLOCK_H

#include <stdint.h>

/* Return the time since some moment that stays: this clock is never set back. */
double msw_now(void);
int64_t msw_now_ns(void);

/* Returns nanoseconds of UTC since 1970. */
int64_t msw_utc_ns(void);

/* Return the seconds of processor time that the calling thread, and that the process, has taken. */
double msw_thread_seconds(void);
double msw_process_seconds(void);

#endif
