/* SPDX-License-Identifier: MIT */
/* Defect 260. Every miss took a register of its bank, so that few requests of one page could meet
 * in the merge buffer. Does `register_holds` tell the two readings of a register apart, request by
 * request, and does the closed form follow both? */
#include "htmmu_configs.h"
#include "testing.h"

#define GIB ((uint64_t)1 << 30)

static void run(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
}

static void expect(const direct *d, const char *name, double value)
{
    if (stream_metric(d, name) != value)
        fail_msg("%s: %g, not %g", name, stream_metric(d, name), value);
}

static void open_given(direct *d, const uint64_t *addresses, uint64_t requests)
{
    stream_open(d, (stream_config){.kind = STREAM_GIVEN, .requests = requests, .given = addresses});
    stream_preset(d, "baseline");
    direct_set(d, "l1_mshrs", 1);
}

/* Six requests of one page and one register. `miss`: the second parks until the walk ends, at 4 + 7
 * + 8 + 3000, and finds its page in the second TLB; the rest hit. `page`: all six meet at the walk.
 */
static void one_page_takes_one_register(void **state)
{
    (void)state;
    static const uint64_t ADDRESSES[6] = {GIB, GIB, GIB, GIB, GIB, GIB};
    direct d;
    open_given(&d, ADDRESSES, 6);
    direct_set(&d, "merge_items", 8);
    direct_set(&d, "register_holds", HTMMU_HOLDS_MISS);
    run(&d, MSW_FULL);
    expect(&d, "l1_hits", 4);
    expect(&d, "l2_hits", 1);
    expect(&d, "merged", 0);
    expect(&d, "walks", 1);
    direct_set(&d, "register_holds", HTMMU_HOLDS_PAGE);
    run(&d, MSW_FULL);
    expect(&d, "l1_hits", 0);
    expect(&d, "l2_hits", 0);
    expect(&d, "merged", 5);
    expect(&d, "walks", 1);
    expect(&d, "cycles", 4 + 7 + 8 + 3000);
    direct_set(&d, "merge_items", 2); /* the fourth finds no item and walks, two join it */
    run(&d, MSW_FULL);
    expect(&d, "merged", 4);
    expect(&d, "redundant_walks", 1);
    direct_close(&d);
}

/* Another page needs a register of its own: it parks, and the bank takes nothing behind it. */
static void another_page_waits_for_a_register(void **state)
{
    (void)state;
    static const uint64_t ADDRESSES[5] = {GIB, GIB, 3 * GIB, GIB, GIB};
    direct d;
    open_given(&d, ADDRESSES, 5);
    direct_set(&d, "register_holds", HTMMU_HOLDS_PAGE);
    run(&d, MSW_FULL);
    expect(&d, "merged", 1);
    expect(&d, "walks", 2);
    expect(&d, "l1_hits", 2); /* the page has come when the bank goes on */
    direct_set(&d, "l1_mshrs", 2);
    run(&d, MSW_FULL);
    expect(&d, "merged", 3);
    expect(&d, "l1_hits", 0);
    direct_close(&d);
}

/* A miss without a register is none of the register's bank to give back: the parked miss of another
 * page goes on when the walk of the first ends, not before and not twice. */
static void only_the_register_is_given_back(void **state)
{
    (void)state;
    static const uint64_t ADDRESSES[8] = {GIB, GIB, GIB, 3 * GIB, 3 * GIB, 5 * GIB, 3 * GIB, GIB};
    direct d;
    for (int l2 = 0; l2 <= 512; l2 += 512) {
        open_given(&d, ADDRESSES, 8);
        direct_set(&d, "l2_entries", l2);
        direct_set(&d, "register_holds", HTMMU_HOLDS_PAGE);
        run(&d, MSW_FULL);
        expect(&d, "walks", 3);
        expect(&d, "merged", 3);
        expect(&d, "l1_hits", 2);
        direct_close(&d);
    }
}

/* Runs of many requests on pages all over the place: the readings are far apart, at both
 * fidelities. */
static void closed_form_follows(void **state)
{
    (void)state;
    direct d;
    double cycles[2][2];
    stream_open(
        &d,
        (stream_config){
            .kind = STREAM_SKEWED, .requests = 60000, .footprint = 64 * GIB, .run = 8, .seed = 5});
    stream_preset(&d, "baseline");
    direct_set(&d, "l1_mshrs", 2);
    for (int holds = 0; holds <= 1; holds++) {
        direct_set(&d, "register_holds", holds);
        run(&d, MSW_ANALYTIC);
        cycles[holds][0] = stream_metric(&d, "cycles");
        run(&d, MSW_FULL);
        cycles[holds][1] = stream_metric(&d, "cycles");
    }
    direct_close(&d);
    print_message("miss: %g, full %g; page: %g, full %g\n", cycles[0][0], cycles[0][1],
                  cycles[1][0], cycles[1][1]);
    for (int full = 0; full <= 1; full++)
        assert_true(cycles[0][full] > 1.3 * cycles[1][full]);
    for (int holds = 0; holds <= 1; holds++)
        assert_relative(cycles[holds][0], cycles[holds][1], 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_page_takes_one_register),
        cmocka_unit_test(another_page_waits_for_a_register),
        cmocka_unit_test(only_the_register_is_given_back),
        cmocka_unit_test(closed_form_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
