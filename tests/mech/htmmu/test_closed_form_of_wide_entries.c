/* SPDX-License-Identifier: MIT */
/* Defect 263. The closed form took a single burst for an endless stream, entries that hold only
 * walked pages for small ones, last-level entries for unknown to a unified cache, and walks one
 * after the other for walks at once. Is it near the cycle model where each of these decides? */
#include "htmmu_configs.h"
#include "testing.h"

#define GIB ((uint64_t)1 << 30)

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
    return stream_metric(d, "cycles");
}

static void compare(direct *d, const char *what, double tolerance)
{
    double closed = cycles_of(d, MSW_ANALYTIC), full = cycles_of(d, MSW_FULL);
    print_message("%s: %g cycles, full %g\n", what, closed, full);
    if (!(fabs(closed / full - 1) <= tolerance))
        fail_msg("%s: %g cycles, full %g", what, closed, full);
    direct_close(d);
}

static void one_burst_is_not_spread_over_the_next(void **state)
{
    (void)state;
    direct d;
    stream_open(&d,
                (stream_config){.kind = STREAM_UNIFORM, .requests = 8000, .footprint = GIB / 64});
    direct_set(&d, "requester", HTMMU_OPEN);
    direct_set(&d, "rate", 0.001);
    direct_set(&d, "burst", 16384);
    direct_set(&d, "peak_rate", 0.125);
    compare(&d, "one burst", 0.1);
}

static void open_skewed(direct *d, double entries, double coalesce)
{
    stream_open(
        d,
        (stream_config){
            .kind = STREAM_SKEWED, .requests = 60000, .footprint = GIB / 4, .run = 4, .seed = 3});
    direct_set(d, "page_size", 65536);
    direct_set(d, "coalesce_fill", HTMMU_FILL_PAGE);
    direct_set(d, "l2_entries", entries);
    direct_set(d, "l2_coalesce", coalesce);
    direct_set(d, "policy", MSW_POLICY_LRU);
}

static void entries_hold_several_walked_pages(void **state)
{
    (void)state;
    direct d;
    open_skewed(&d, 4096, 8); /* 512 entries, all 4096 pages */
    compare(&d, "entries of eight pages", 0.25);
}

static void unified_caches_know_last_levels(void **state)
{
    (void)state;
    direct d;
    open_skewed(&d, 64, 1);
    direct_set(&d, "path_cache", HTMMU_PATH_UNIFIED);
    direct_set(&d, "tpc_entries", 16384);
    compare(&d, "a unified cache of all entries", 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_burst_is_not_spread_over_the_next),
        cmocka_unit_test(entries_hold_several_walked_pages),
        cmocka_unit_test(unified_caches_know_last_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
