/* SPDX-License-Identifier: MIT */
/* Profiles a workload in classes: launches of the same kernel with the same grid and block are
 * alike; of many, some at equal distances represent those between them. */
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"

#include <string.h>

enum { CLASSES_MOST = 16 };
#define MEMORY_MOST ((uint64_t)1 << 30)

static int replay_launches(const msw_task *task, const msw_simt_memory *memory,
                           mpu_profile_class *classes, uint32_t *count, msw_err *err)
{
    const msw_simt_product *p = task->product->data;
    const mpu_program *program = mpu_program_of(task);
    uint64_t number = 0, every = msw_div_up(p->launch_count, CLASSES_MOST);
    for (uint32_t s = 0; s < p->stage_count; s++) {
        if (p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH || number++ % every)
            continue;
        uint64_t left = p->launch_count - (number - 1);
        mpu_profile_class *one = &classes[(*count)++];
        one->launches = (double)(left < every ? left : every);
        if (mpu_replay(task->config, p, &program->kernels[program->of_stage[s]], s, memory, one,
                       err))
            return -1;
    }
    return 0;
}

int mpu_build_profile(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_simt_product *p = task->product->data;
    mpu_profile *profile = msw_arena_zero(arena, 1, sizeof *profile);
    mpu_profile_class *classes = msw_arena_zero(arena, CLASSES_MOST + 1, sizeof *classes);
    (void)extra;
    if (!profile || !classes)
        return msw_fail_memory(err);
    msw_simt_device *device = msw_simt_device_new(p->arrays, p->array_count, MEMORY_MOST, err);
    if (!device)
        return -1;
    profile->classes = classes;
    int rc = replay_launches(task, msw_simt_device_memory(device), classes, &profile->count, err);
    msw_simt_device_free(device);
    *root = profile;
    return rc;
}
