/* SPDX-License-Identifier: MIT */
/* Visits that neither TLB holds, by both of their stack distances: the joint histogram. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/model.h"

#include "memsweep/base/bits.h"

/* From counts by both bins to counts of those in both bins or farther. */
static void add_up(float (*count)[HTMMU_FAR])
{
    for (int near = HTMMU_FAR - 1; near >= 0; near--)
        for (int far = HTMMU_FAR - 1; far >= 0; far--) {
            if (near + 1 < HTMMU_FAR)
                count[near][far] += count[near + 1][far];
            if (far + 1 < HTMMU_FAR)
                count[near][far] += count[near][far + 1];
            if (near + 1 < HTMMU_FAR && far + 1 < HTMMU_FAR)
                count[near][far] -= count[near + 1][far + 1];
        }
}

int htmmu_build_joint(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    const htmmu_banks *banks = task->artifacts[HTMMU_ARTIFACT_BANKS];
    htmmu_joint *joint = msw_arena_zero(arena, 1, sizeof *joint);
    *root = joint;
    if (!joint)
        return msw_fail_memory(err);
    for (int deal = 0; deal < HTMMU_DEALS && banks->bins[deal]; deal++) {
        for (uint64_t visit = 0; visit < stream->visit_count; visit++) {
            uint8_t near = banks->bins[deal][visit], far = profile->bins[visit];
            joint->visits[deal][near][far]++;
            uint64_t requests = stream->visits[visit].requests;
            joint->few[deal][near][far] += (float)msw_min_u64(requests, HTMMU_FEW);
            joint->many[deal][near][far] += (float)msw_min_u64(requests, HTMMU_MANY);
        }
        add_up(joint->visits[deal]);
        add_up(joint->few[deal]);
        add_up(joint->many[deal]);
    }
    return 0;
}

double htmmu_position_of(const htmmu_distances *d, double missing)
{
    double beyond = d->cold;
    int bin = HTMMU_BINS - 1;
    if (missing <= beyond)
        return HTMMU_BINS;
    while (bin > 0 && beyond + d->count[bin] < missing)
        beyond += d->count[bin--];
    if (d->count[bin] <= 0)
        return bin;
    double part = (missing - beyond) / d->count[bin];
    return bin + 1 - (part < 1 ? part : 1);
}

double htmmu_beyond(const htmmu_distances *d, double position)
{
    double beyond = d->cold;
    for (int bin = HTMMU_BINS - 1; bin >= 0 && bin + 1 > position; bin--)
        beyond += d->count[bin] * (bin >= position ? 1 : bin + 1 - position);
    return beyond;
}

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

static double value_at(const float *row, double far)
{
    int low = far < HTMMU_FAR - 1 ? (int)far : HTMMU_FAR - 2;
    return between(row[low], row[low + 1], far - low);
}

double htmmu_joint_at(const float (*sums)[HTMMU_FAR], double near, double far)
{
    int low = near < HTMMU_FAR - 1 ? (int)near : HTMMU_FAR - 2;
    return between(value_at(sums[low], far), value_at(sums[low + 1], far), near - low);
}
