/* SPDX-License-Identifier: MIT */
/* The cycle model gathers a few batches of each stratum:
 *
 *   total = (R / sum w r) sum w y        w = N / n
 *
 *   N, n  batches of a stratum, of them gathered     r, y  requests of a batch; what is counted
 *   R     requests of all batches
 *
 * The ratio estimator of stratified samples (W. G. Cochran, Sampling Techniques, 1977, 6.11). Known
 * value: where all batches are gathered the totals are those of `full`. */
#include "mech/neummu_sparse/closed/sample.h"

#include "mech/neummu_sparse/model.h"

#include "memsweep/base/bits.h"

enum { STRATA = 64, LEAST = 2, PART = 16 }; /* so many batches of a stratum, or one in so many */

static const int COUNTED[] = {NEUMMU_SPARSE_HITS,        NEUMMU_SPARSE_MISSES,
                              NEUMMU_SPARSE_MERGED,      NEUMMU_SPARSE_WALKS,
                              NEUMMU_SPARSE_REDUNDANT,   NEUMMU_SPARSE_WALK_ACCESSES,
                              NEUMMU_SPARSE_TRANSLATION, NEUMMU_SPARSE_REQUESTS};

enum { COUNTS = sizeof COUNTED / sizeof *COUNTED };

static int gather(const msw_task *task, void *state, size_t stratum, uint64_t unit, double weight,
                  double *sums, msw_err *err)
{
    double totals[NEUMMU_SPARSE_METRICS] = {0};
    msw_unit_out out = {.totals = totals};
    if (msw_task_expired(task))
        return msw_fail(err, "out of time");
    MSW_TRY(neummu_sparse_warm(task, state, stratum, unit, err));
    MSW_TRY(neummu_sparse_measure(task, state, stratum, unit, &out, err));
    for (int i = 0; i < COUNTS; i++)
        sums[i] += weight * totals[COUNTED[i]];
    return 0;
}

/* One in so many batches of each stratum, evenly along it. */
static int gather_one_in(const msw_task *task, void *state, uint64_t part, double *sums,
                         msw_err *err)
{
    msw_stratum strata[STRATA];
    size_t count = 0;
    MSW_TRY(neummu_sparse_strata(task, strata, &count, err));
    for (size_t h = 0; h < count; h++) {
        uint64_t units = strata[h].units;
        uint64_t some = msw_min_u64(units, msw_max_u64(LEAST, units / part));
        double weight = (double)units / (double)some;
        for (uint64_t i = 0; i < some; i++)
            MSW_TRY(gather(task, state, h, (2 * i + 1) * units / (2 * some), weight, sums, err));
    }
    return 0;
}

int neummu_sparse_simulate(const msw_task *task, double *metrics, msw_err *err)
{
    double sums[COUNTS] = {0};
    void *state = msw_arena_take(task->arena, neummu_sparse_state_bytes(task));
    if (!state)
        return msw_fail_memory(err);
    MSW_TRY(neummu_sparse_begin(task, state, err));
    MSW_TRY(gather_one_in(task, state, PART, sums, err));
    if (!(sums[COUNTS - 1] > 0) && metrics[NEUMMU_SPARSE_REQUESTS] > 0)
        MSW_TRY(gather_one_in(task, state, 1, sums, err)); /* those gathered ask for nothing */
    if (!(sums[COUNTS - 1] > 0))
        return 0;
    double scale = metrics[NEUMMU_SPARSE_REQUESTS] / sums[COUNTS - 1];
    metrics[NEUMMU_SPARSE_CYCLES] -= metrics[NEUMMU_SPARSE_TRANSLATION];
    for (int i = 0; i < COUNTS - 1; i++)
        metrics[COUNTED[i]] = scale * sums[i];
    metrics[NEUMMU_SPARSE_CYCLES] += metrics[NEUMMU_SPARSE_TRANSLATION];
    return 0;
}
