/* SPDX-License-Identifier: MIT */
#include "memsweep/run/builds.h"

#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>

/* What a larger plan needs beyond what so many of its points do is built when it is met. */
#define POINTS_LOOKED (UINT64_C(1) << 20)

static bool has_kept(const msw_mech *mech)
{
    for (const msw_artifact *a = mech->artifacts; a && a->name; a++)
        if (a->flatten)
            return true;
    return false;
}

/* Neighbouring points mostly need the same: the one added last is looked at first. */
static bool is_listed(const msw_builds *b, msw_digest key)
{
    for (size_t i = b->count; i > 0; i--)
        if (msw_digest_equal(b->all[i - 1].key, key))
            return true;
    return false;
}

static int add(msw_builds *b, const msw_kept_need *need, uint64_t index, msw_err *err)
{
    if (is_listed(b, need->key))
        return 0;
    MSW_TRY(msw_vec_extend(&b->all, b->count, sizeof *b->all, err));
    b->all[b->count++] = (msw_build){need->key, index, need->cost * 1e-6};
    if (isnan(need->cost))
        b->unknown++;
    else
        b->seconds += need->cost * 1e-6;
    return 0;
}

static int look_at(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                   uint64_t index, msw_builds *b, msw_err *err)
{
    msw_kept_need needs[MSW_ARTIFACTS_MAX];
    msw_point point;
    msw_task task;
    if (msw_pointer_at(pointer, index, false, &point, NULL))
        return 0; /* a row that says so */
    msw_point_task(plan, &point, &task);
    task.map = map;
    size_t count = msw_mech_kept(&task, needs);
    int rc = 0;
    for (size_t n = 0; n < count && rc == 0; n++)
        rc = add(b, &needs[n], index, err);
    return rc;
}

static int by_cost(const void *a, const void *b)
{
    const msw_build *x = a, *y = b;
    double left = isnan(x->seconds) ? INFINITY : x->seconds;
    double right = isnan(y->seconds) ? INFINITY : y->seconds;
    if (left != right)
        return left > right ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

int msw_builds_find(const msw_plan *plan, const uint64_t *bitmap, msw_builds *builds, msw_err *err)
{
    msw_pointer *pointer = NULL;
    msw_metric_map map;
    uint64_t step = plan->points / POINTS_LOOKED + 1;
    *builds = (msw_builds){.more = step > 1};
    if (!has_kept(plan->mech) || !plan->points)
        return 0;
    int rc = msw_metric_map_init(&map, plan->mech, err) || msw_pointer_new(plan, &pointer, err);
    for (uint64_t i = 0; rc == 0 && i < plan->points; i += step)
        if (!bitmap || bitmap[i / 64] >> i % 64 & 1)
            rc = look_at(plan, &map, pointer, i, builds, err);
    msw_pointer_free(pointer);
    if (builds->count)
        msw_sort(builds->all, builds->count, sizeof *builds->all, by_cost);
    return rc ? -1 : 0;
}

void msw_builds_free(msw_builds *builds)
{
    free(builds->all);
    *builds = (msw_builds){0};
}

void msw_builds_describe(const msw_builds *b, msw_text *out)
{
    char text[32];
    if (!b->count)
        return;
    msw_text_add(out, "artifacts  %s%zu to be kept, built before the points",
                 b->more ? "at least " : "", b->count);
    if (b->unknown < b->count)
        msw_text_add(out, ": about %s of one thread", msw_duration_text(b->seconds, text));
    if (b->unknown)
        msw_text_add(out, "; of %zu it is not known", b->unknown);
    msw_text_add(out, "\n");
}
