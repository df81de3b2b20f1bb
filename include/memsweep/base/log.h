/* SPDX-License-Identifier: MIT */
/* log: the one way in which code below the command line may print (to standard error). */
#ifndef MEMSWEEP_BASE_LOG_H
#define MEMSWEEP_BASE_LOG_H

#include "memsweep/base/err.h"

typedef enum msw_log_level {
    MSW_LOG_QUIET,
    MSW_LOG_WARN,
    MSW_LOG_INFO,
    MSW_LOG_DEBUG
} msw_log_level;

/* Passed to code that may print; NULL means silence. */
typedef struct msw_log {
    msw_log_level level;
} msw_log;

/* Writes one line "memsweep: ..." to standard error when `level` is wanted. */
void msw_log_line(const msw_log *log, msw_log_level level, const char *fmt, ...) MSW_PRINTF(3, 4);

#endif
