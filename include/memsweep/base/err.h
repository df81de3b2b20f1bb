/* SPDX-License-Identifier: MIT */
/* err: how functions below the command line say that something went wrong.
 *
 * A function that can fail takes `msw_err *` last and returns 0 or -1; `return msw_fail(err, ...)`
 * is the whole of failing. A caller that holds nothing passes a failure on with MSW_TRY; one that
 * has something to release jumps to its label `done`. The kind decides the exit code of the
 * command. */
#ifndef MEMSWEEP_BASE_ERR_H
#define MEMSWEEP_BASE_ERR_H

#include <stdbool.h>

#define MSW_ERR_TEXT_BYTES 600

typedef enum msw_err_kind {
    MSW_ERR_NONE = 0,
    MSW_ERR_USAGE,    /* the user's input is wrong: exit code 2 */
    MSW_ERR_IO,       /* file, store or MPI trouble: exit code 3 */
    MSW_ERR_INTERNAL, /* a broken invariant of memsweep: exit code 4 */
    MSW_ERR_UNFIT,    /* nothing is wrong, but it cannot exist: a row is infeasible; exit code 2 */
} msw_err_kind;

typedef struct msw_err {
    msw_err_kind kind;
    char text[MSW_ERR_TEXT_BYTES];
} msw_err;

#if defined(__GNUC__)
#define MSW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MSW_PRINTF(fmt, args)
#endif

/* Returns -1 from the calling function where the call failed. */
#define MSW_TRY(call)                                                                              \
    do {                                                                                           \
        if (call)                                                                                  \
            return -1;                                                                             \
    } while (0)

/* Forgets what was recorded. Cheaper than `= {0}`, which clears the whole text: for hot paths. */
static inline void msw_err_clear(msw_err *err)
{
    err->kind = MSW_ERR_NONE;
    err->text[0] = '\0';
}

/* Records a usage error (the user's input). `err` may be NULL. Returns -1 always. */
int msw_fail(msw_err *err, const char *fmt, ...) MSW_PRINTF(2, 3);

/* Records an error of a given kind. `err` may be NULL. Returns -1 always. */
int msw_fail_kind(msw_err *err, msw_err_kind kind, const char *fmt, ...) MSW_PRINTF(3, 4);

/* Records that memory ran out (kind IO). Returns -1 always. */
int msw_fail_memory(msw_err *err);

/* Returns whether it is recorded that memory ran out. */
bool msw_err_is_memory(const msw_err *err);

/* Puts text in front of a message already recorded ("file.yaml: " + text). Returns -1 always. */
int msw_fail_prefix(msw_err *err, const char *fmt, ...) MSW_PRINTF(2, 3);

#endif
