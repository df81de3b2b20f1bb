/* SPDX-License-Identifier: MIT */
/* The artifact of the link between host and device. */
#include "mech/uvm/config.h"
#include "mech/uvm/model.h"

#include "memsweep/sim/link_curve.h"

/* The curve of the link, NULL for a fixed bandwidth. */
int uvm_build_link(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err)
{
    const uvm_config *c = task->config;
    (void)extra;
    *root = NULL;
    if (c->link == UVM_FIXED)
        return 0;
    static const char *const NAMES[] = {"pcie3_x16", "pcie4_x16", "pcie5_x16"};
    const msw_named_curve *named = msw_link_curve_find(NAMES[c->link], err);
    msw_link_curve *curve = msw_arena_take(arena, sizeof *curve);
    if (!curve)
        return msw_fail_memory(err);
    if (!named || msw_link_curve_init(curve, named->points, named->count, c->clock_ghz, err))
        return -1;
    *root = curve;
    return 0;
}
