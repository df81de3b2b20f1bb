/* SPDX-License-Identifier: MIT */
/* Defect 352. The pages of a bank's registers are compared eight at a time. Is a page found in
 * whichever register holds it, however many there are, and only while it is missed? */
#include "htmmu_configs.h"
#include "testing.h"

enum { REGISTERS_MOST = 64 };

static uint64_t address_of(int page)
{
    return (uint64_t)(2 * page + 1) << 30;
}

static void expect(const direct *d, const char *name, double value)
{
    if (stream_metric(d, name) != value)
        fail_msg("%s: %g, not %g", name, stream_metric(d, name), value);
}

static void open_given(direct *d, const uint64_t *addresses, int requests, int registers)
{
    stream_open(d, (stream_config){
                       .kind = STREAM_GIVEN, .requests = (uint64_t)requests, .given = addresses});
    stream_preset(d, "baseline");
    direct_set(d, "outstanding", 1024);
    direct_set(d, "l1_mshrs", registers);
    direct_set(d, "merge_entries", REGISTERS_MOST);
    direct_set(d, "merge_items", 128);
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
}

/* As many pages as registers, each twice: none of the second round needs a register. */
static void in_every_register(void **state)
{
    (void)state;
    static const int REGISTERS[] = {1, 2, 7, 8, 9, 16, 17, 63, 64};
    uint64_t addresses[2 * REGISTERS_MOST];
    direct d;
    for (size_t i = 0; i < sizeof REGISTERS / sizeof *REGISTERS; i++) {
        int count = REGISTERS[i];
        for (int page = 0; page < count; page++)
            addresses[page] = addresses[2 * count - 1 - page] = address_of(page);
        open_given(&d, addresses, 2 * count, count);
        expect(&d, "l1_hits", 0);
        expect(&d, "stall_mshr", 0);
        expect(&d, "walks", count);
        expect(&d, "merged", count);
        direct_close(&d);
    }
}

/* One page more than registers: it holds up the bank until the first walk ends and takes that
 * register, where it is found by the last request; the others' pages have come by then. */
static void in_a_register_taken_again(void **state)
{
    (void)state;
    uint64_t addresses[2 * REGISTERS_MOST];
    direct d;
    for (int count = 3; count <= 20; count += 17) {
        for (int page = 0; page <= count; page++)
            addresses[page] = addresses[count + 1 + page] = address_of(page);
        open_given(&d, addresses, 2 * (count + 1), count);
        expect(&d, "walks", count + 1);
        expect(&d, "l1_hits", count);
        expect(&d, "merged", 1);
        direct_close(&d);
    }
}

/* Three registers. The first walk ends and another page takes its register while the walks of two
 * go on: requests of the later one find it and hold up nobody. */
static void after_one_was_given_back(void **state)
{
    (void)state;
    enum { AHEAD = 100, ALL = AHEAD + 5 };
    static const int BEHIND[ALL - AHEAD] = {1, 2, 3, 2, 2};
    uint64_t addresses[ALL];
    double stalled[2];
    direct d;
    for (int i = 0; i < ALL; i++)
        addresses[i] = address_of(i < AHEAD ? 0 : BEHIND[i - AHEAD]);
    for (int again = 0; again <= 1; again++) {
        open_given(&d, addresses, again ? ALL : AHEAD + 4, 3);
        stalled[again] = stream_metric(&d, "stall_mshr");
        expect(&d, "l1_hits", 0);
        expect(&d, "walks", 4);
        direct_close(&d);
    }
    assert_true(stalled[0] > 0);
    assert_true(stalled[0] == stalled[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_every_register),
                                       cmocka_unit_test(in_a_register_taken_again),
                                       cmocka_unit_test(after_one_was_given_back)};
    return cmocka_run_group_tests_name("every register is searched", tests, NULL, NULL);
}
