/* SPDX-License-Identifier: MIT */
/* What points of all workloads share: README.md. */
#include "mech/null/instrument.h"

bool null_needs_series(const void *config)
{
    return ((const null_config *)config)->terms > 0;
}

int null_build_series(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const null_config *c = task->config;
    double *sum = msw_arena_zero(arena, 1, sizeof *sum);
    if (!sum)
        return msw_fail_memory(err);
    for (int64_t i = 1; i <= c->terms; i++)
        *sum += 1 / ((double)i * (double)i);
    *root = sum;
    return 0;
}

double null_shared(const msw_task *task)
{
    const double *series = task->artifacts[NULL_SERIES];
    const null_lesson *lesson = task->artifacts[NULL_LESSON];
    return (series ? *series : 0) + (lesson ? null_lesson_learned(lesson) : 0);
}
