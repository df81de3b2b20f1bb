/* SPDX-License-Identifier: MIT */
#include "camdn_rig.h"

#include "testing.h"

#include <string.h>

void camdn_rig_open(camdn_rig *r, const char *workload)
{
    *r = (camdn_rig){0};
    assert_ok(stream_named(&r->s, workload), r->s.err);
    assert_ok(stream_build(&r->s, 1), r->s.err);
    msw_params_defaults(camdn_params, &r->config);
    r->config.control = CAMDN_PAGED, r->config.bypass = 1;
    r->config.tenants = 1, r->config.tasks = 1, r->config.first = 0;
}

void camdn_rig_artifacts(msw_task *task, const void **artifacts)
{
    const void *parts[MSW_GRAPH_NETWORKS_MAX];
    msw_err err = {0};
    task->part.roots = parts;
    for (task->part.number = 0; task->part.number < camdn_table_count(task); task->part.number++)
        assert_ok(camdn_build_table(task, NULL, task->arena, &parts[task->part.number], &err), err);
    assert_ok(camdn_build_tables(task, NULL, task->arena, &artifacts[0], &err), err);
    assert_ok(camdn_build_levels(task, NULL, task->arena, &artifacts[1], &err), err);
    assert_ok(camdn_build_plans(task, NULL, task->arena, &artifacts[2], &err), err);
}

void camdn_rig_start(camdn_rig *r)
{
    r->task = (msw_task){.config = &r->config,
                         .product = &r->s.product,
                         .artifacts = r->artifacts,
                         .arena = &r->arena};
    assert_ok(camdn_check(&r->config, &r->err), r->err);
    camdn_rig_artifacts(&r->task, r->artifacts);
    r->system = msw_arena_take(&r->arena, camdn_state_bytes(&r->task));
    assert_ok(camdn_begin(&r->task, r->system, &r->err), r->err);
}

void camdn_rig_measure(camdn_rig *r, double *totals)
{
    memset(totals, 0, CAMDN_METRICS * sizeof *totals);
    for (int64_t t = 0; t < r->config.tenants; t++) {
        msw_unit_out out = {.totals = totals};
        double one[CAMDN_METRICS] = {0};
        out.totals = one;
        assert_ok(camdn_measure(&r->task, r->system, 0, (uint64_t)t, &out, &r->err), r->err);
        for (int m = 0; m < CAMDN_METRICS; m++)
            totals[m] += one[m];
    }
}

void camdn_rig_close(camdn_rig *r)
{
    msw_arena_free(&r->arena);
    stream_close(&r->s);
}
