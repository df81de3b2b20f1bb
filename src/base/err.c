/* SPDX-License-Identifier: MIT */
#include "memsweep/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void record(msw_err *err, msw_err_kind kind, const char *fmt, va_list args)
{
    if (!err)
        return;
    err->kind = kind;
    vsnprintf(err->text, sizeof err->text, fmt, args);
}

int msw_fail(msw_err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    record(err, MSW_ERR_USAGE, fmt, args);
    va_end(args);
    return -1;
}

int msw_fail_kind(msw_err *err, msw_err_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    record(err, kind, fmt, args);
    va_end(args);
    return -1;
}

static const char NO_MEMORY[] = "out of memory";

int msw_fail_memory(msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s", NO_MEMORY);
}

bool msw_err_is_memory(const msw_err *err)
{
    return err->kind == MSW_ERR_IO && strcmp(err->text, NO_MEMORY) == 0;
}

int msw_fail_prefix(msw_err *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    msw_err old = *err;
    va_list args;
    va_start(args, fmt);
    record(err, old.kind ? old.kind : MSW_ERR_USAGE, fmt, args);
    va_end(args);
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, "%.*s", (int)(sizeof err->text - used - 1),
             old.text);
    return -1;
}
