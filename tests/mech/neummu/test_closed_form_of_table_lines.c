/* SPDX-License-Identifier: MIT */
/* Defect 256. The closed form had all but the last access of a walk answered by lines of the
 * table, walked a page again as slowly as the first time, let all requests of an adaptive router
 * go to the bank that they name however long that stood, and took random replacement for LRU. Is
 * it near the cycle model where each of these decides? */
#include "htmmu_configs.h"
#include "testing.h"

#define MIB ((uint64_t)1 << 20)

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

/* One walk after the other, nothing shared but the lines. */
static void open_serial(direct *d, stream_kind kind, uint64_t footprint)
{
    stream_open(d, (stream_config){.kind = kind,
                                   .requests = 40000,
                                   .footprint = footprint,
                                   .pages = 128,
                                   .run = 4,
                                   .seed = 3});
    direct_set(d, "page_size", 4096);
    direct_set(d, "streams", 1);
    direct_set(d, "merge_entries", 1);
    direct_set(d, "l2_entries", 64);
    direct_set(d, "policy", MSW_POLICY_LRU);
}

static void lines_answer_what_they_hold(void **state)
{
    (void)state;
    static const double LINES[] = {1, 16, 64, 1024};
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        direct d;
        char what[64];
        open_serial(&d, STREAM_UNIFORM, 4 * MIB);
        direct_set(&d, "path_cache", HTMMU_PATH_NONE);
        direct_set(&d, "table_lines", LINES[i]);
        snprintf(what, sizeof what, "%g lines", LINES[i]);
        compare(&d, what, 0.1);
    }
}

static void a_small_unified_cache_keeps_nothing(void **state)
{
    (void)state;
    direct d;
    open_serial(&d, STREAM_UNIFORM, 4 * MIB);
    direct_set(&d, "path_cache", HTMMU_PATH_UNIFIED);
    direct_set(&d, "tpc_entries", 8);
    direct_set(&d, "tpc_ways", 2);
    compare(&d, "unified, two ways", 0.1);
}

/* All four requests of a visit miss and walk, one after the other. */
static void a_page_is_walked_again(void **state)
{
    (void)state;
    direct d;
    open_serial(&d, STREAM_SKEWED, 256 * MIB);
    direct_set(&d, "merge_items", 0);
    direct_set(&d, "items_full", HTMMU_FULL_WAIT);
    direct_set(&d, "table_lines", 64);
    compare(&d, "walked again", 0.1);
}

/* Nearly all misses stand before one walker: requests go to whichever bank does not. */
static void requests_go_to_banks_that_do_not_stand(void **state)
{
    (void)state;
    direct d;
    open_serial(&d, STREAM_SKEWED, 4 * MIB);
    direct_set(&d, "streams", 8);
    direct_set(&d, "l1_entries", 8192);
    direct_set(&d, "l1_mshrs", 1);
    direct_set(&d, "l2_entries", 4);
    direct_set(&d, "router", HTMMU_ROUTER_ADAPTIVE);
    direct_set(&d, "divert", HTMMU_DIVERT_STALLED);
    compare(&d, "banks that stand", 0.36); /* was half */
}

static void random_replacement_keeps_some_of_a_loop(void **state)
{
    (void)state;
    direct d;
    open_serial(&d, STREAM_CYCLE, 0);
    direct_set(&d, "page_size", 2 * MIB);
    direct_set(&d, "l1_entries", 1);
    direct_set(&d, "l2_ways", 0);
    direct_set(&d, "l2_entries", 64);
    direct_set(&d, "policy", MSW_POLICY_RANDOM);
    compare(&d, "a loop, at random", 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_answer_what_they_hold),
        cmocka_unit_test(a_small_unified_cache_keeps_nothing),
        cmocka_unit_test(a_page_is_walked_again),
        cmocka_unit_test(requests_go_to_banks_that_do_not_stand),
        cmocka_unit_test(random_replacement_keeps_some_of_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
