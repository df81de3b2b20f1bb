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

void camdn_rig_start(camdn_rig *r)
{
    r->task = (msw_task){.config = &r->config,
                         .product = &r->s.product,
                         .artifacts = r->artifacts,
                         .arena = &r->arena};
    assert_ok(camdn_check(&r->config, &r->err), r->err);
    const void *parts[MSW_GRAPH_NETWORKS_MAX];
    r->task.part.roots = parts;
    for (r->task.part.number = 0; r->task.part.number < camdn_table_count(&r->task);
         r->task.part.number++)
        assert_ok(
            camdn_build_table(&r->task, NULL, &r->arena, &parts[r->task.part.number], &r->err),
            r->err);
    assert_ok(camdn_build_tables(&r->task, NULL, &r->arena, &r->artifacts[0], &r->err), r->err);
    assert_ok(camdn_build_levels(&r->task, NULL, &r->arena, &r->artifacts[1], &r->err), r->err);
    assert_ok(camdn_build_plans(&r->task, NULL, &r->arena, &r->artifacts[2], &r->err), r->err);
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
