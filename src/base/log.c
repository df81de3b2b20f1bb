/* SPDX-License-Identifier: MIT */
#include "memsweep/base/log.h"
#include "memsweep/base/quote.h"

#include <stdarg.h>
#include <stdio.h>

void msw_log_line(const msw_log *log, msw_log_level level, const char *fmt, ...)
{
    if (!log || level > log->level)
        return;
    /* One write per line: lines of several ranks must not mix. */
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add_visible_lines(&text, line);
    fprintf(stderr, "memsweep: %s%s\n", level == MSW_LOG_WARN ? "warning: " : "",
            text.failed ? line : msw_text_str(&text));
    msw_text_free(&text);
}
