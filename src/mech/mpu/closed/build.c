/* SPDX-License-Identifier: MIT */
/* The artifacts that depend on the kernels alone, or on the workload alone. */
#include "mech/mpu/model.h"

int mpu_build_program(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    mpu_program *program = msw_arena_zero(arena, 1, sizeof *program);
    (void)extra;
    if (!program)
        return msw_fail_memory(err);
    *root = program;
    return mpu_program_make(task->product->data, task->config, arena, program, err);
}

int mpu_build_v100(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err)
{
    mpu_v100 *v100 = msw_arena_zero(arena, 1, sizeof *v100);
    (void)extra;
    if (!v100)
        return msw_fail_memory(err);
    *root = v100;
    return mpu_v100_run(task->product->data, arena, v100, err);
}
