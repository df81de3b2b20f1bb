/* SPDX-License-Identifier: MIT */
/* Defect 250. TLBs of few ways were rebuilt between units as if they were fully associative: what
 * `full` told did not depend on ways, and cycles were up to 15 % off. Here the past is simulated
 * in one pass; the units of `full` have to find the same misses. */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/machine/timeline.h"

#include <math.h>
#include <stdlib.h>

static const neummu_stream *stream_of(const direct *d)
{
    /* Artifacts are kept newest first and the product is the first thing built. */
    for (direct_entry *e = d->entries; e; e = e->next)
        if (e->next && msw_digest_equal(e->next->key, d->task.product_key))
            return e->root;
    return NULL;
}

/* Sums of one pass. */
static void run_in_order(direct *d, double *sums)
{
    neummu_execution x = {0};
    msw_err err = {0};
    const void *artifacts[] = {stream_of(d)};
    uint64_t steps = ((const neummu_stream *)artifacts[0])->step_count;
    void *memory = aligned_alloc(64, (neummu_machine_bytes(d->config) + 63) / 64 * 64);
    double *totals = calloc(steps, NEUMMU_UNIT_METRICS * sizeof *totals);
    uint64_t *events = calloc(steps, sizeof *events);
    msw_task task = d->task;
    task.artifacts = artifacts;
    task.config = d->config;
    task.event_budget = 0;
    task.deadline_ns = 0;
    assert_ok(neummu_price(d->config, &x.prices, &err), err);
    assert_ok(neummu_machine_init(&x.machine, d->config, memory, &err), err);
    assert_ok(neummu_total_pass(&x, &task, totals, events, &err), err);
    memset(sums, 0, NEUMMU_UNIT_METRICS * sizeof *sums);
    for (uint64_t i = 0; i < steps * NEUMMU_UNIT_METRICS; i++)
        sums[i % NEUMMU_UNIT_METRICS] += totals[i];
    free(memory);
    free(totals);
    free(events);
}

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static void full(direct *d)
{
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
}

static void compare(direct *d, const char *what, double walks_within, double cycles_within)
{
    double sums[NEUMMU_UNIT_METRICS];
    full(d);
    run_in_order(d, sums);
    double walks = metric(d, "walks") / sums[NEUMMU_WALKS] - 1;
    double second = metric(d, "tlb2_hits") - sums[NEUMMU_TLB2_HITS];
    double cycles = metric(d, "cycles") / sums[NEUMMU_CYCLES] - 1;
    if (getenv("MEMSWEEP_SHOW"))
        printf("%-40s walks %8.0f in order %8.0f  tlb2 hits %8.0f %8.0f  cycles %+.4f %%\n", what,
               metric(d, "walks"), sums[NEUMMU_WALKS], metric(d, "tlb2_hits"),
               sums[NEUMMU_TLB2_HITS], 100 * cycles);
    if (fabs(walks) > walks_within || fabs(cycles) > cycles_within ||
        fabs(second) > walks_within * metric(d, "tlb_misses"))
        fail_msg("%s: walks %+.3f %%, cycles %+.3f %% of one pass; %.0f more hits in the second "
                 "TLB",
                 what, 100 * walks, 100 * cycles, second);
}

/* ---- by hand ---- */

/* Pages 0 .. 2047, then 16,384 even ones, then pages 0 .. 2047 again: whatever the ways, the even
 * pages drive the first ones out of the even sets alone. With one set all are gone. */
static void pages_stay_in_sets_not_used(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(
        direct_open(&d, msw_mech_find("neummu"), "tests/validation/data/neummu_sets.csv", &err),
        err);
    for (int level = 1; level <= 2; level++) {
        for (double ways = 0; ways <= 8; ways = ways > 0 ? 2 * ways : 1) {
            direct_set(&d, "tlb_entries", level == 1 ? 8192 : 64);
            direct_set(&d, "tlb_ways", ways);
            direct_set(&d, "tlb2_entries", level == 1 ? 0 : 8192);
            direct_set(&d, "tlb2_ways", ways);
            full(&d);
            assert_true(metric(&d, "walks") == 2048 + 16384 + (ways > 0 ? 1024 : 2048));
        }
    }
    direct_close(&d);
}

/* ---- networks ---- */

typedef struct tlbs {
    double entries, ways, entries2, ways2;
} tlbs;

static void units_rebuild_sets(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"alexnet/b1", "googlenet/b1", "mobilenet_v2/b1",
                                           "efficientnet_b0/b1"};
    static const tlbs TLBS[] = {
        {1024, 1, 0, 0},  {1024, 2, 0, 0},  {1024, 4, 0, 0},   {1024, 8, 0, 0},
        {64, 1, 4096, 1}, {64, 2, 4096, 2}, {256, 4, 2048, 4}, {256, 8, 2048, 8},
    };
    for (size_t n = 0; n < sizeof NETWORKS / sizeof *NETWORKS; n++) {
        direct d;
        msw_err err = {0};
        assert_ok(direct_open(&d, msw_mech_find("neummu"), NETWORKS[n], &err), err);
        direct_set(&d, "npu_spm_activation", 262144);
        direct_set(&d, "npu_spm_weight", 262144);
        for (size_t t = 0; t < sizeof TLBS / sizeof *TLBS; t++) {
            char what[80];
            direct_set(&d, "tlb_entries", TLBS[t].entries);
            direct_set(&d, "tlb_ways", TLBS[t].ways);
            direct_set(&d, "tlb2_entries", TLBS[t].entries2);
            direct_set(&d, "tlb2_ways", TLBS[t].ways2);
            snprintf(what, sizeof what, "%s %.0f/%.0f %.0f/%.0f", NETWORKS[n], TLBS[t].entries,
                     TLBS[t].ways, TLBS[t].entries2, TLBS[t].ways2);
            compare(&d, what, 0.02, 0.01);
        }
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_stay_in_sets_not_used),
        cmocka_unit_test(units_rebuild_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
