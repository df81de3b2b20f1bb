/* SPDX-License-Identifier: MIT */
/* Do the detail tables of mpu add up to what it answers? */
#include "direct.h"
#include "testing.h"

#include <string.h>

enum { LAUNCHES, BANKS, KINDS };

static double sum_of(const msw_detail_sink *sink, int table, int column)
{
    double sum = 0;
    for (const msw_detail_row *row = sink->first; row; row = row->next)
        sum += row->detail == table ? row->values[column] : 0;
    return sum;
}

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static void tables_add_up(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    msw_arena arena = {0};
    msw_detail_sink sink = {.arena = &arena};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "hist/n=16Ki", &err), err);
    sink.last = &sink.first;
    d.task.details = &sink;
    direct_run(&d, MSW_FULL, 1);
    d.task.details = NULL;
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(sum_of(&sink, LAUNCHES, 1) == metric(&d, "cycles"));
    assert_true(sum_of(&sink, LAUNCHES, 2) == metric(&d, "instructions"));
    assert_true(sum_of(&sink, LAUNCHES, 4) == metric(&d, "dram_bytes"));
    assert_true(sum_of(&sink, BANKS, 3) == metric(&d, "dram_reads"));
    assert_true(sum_of(&sink, BANKS, 4) == metric(&d, "dram_writes"));
    assert_true(sum_of(&sink, BANKS, 5) == metric(&d, "row_hits"));
    assert_true(sum_of(&sink, KINDS, 1) == metric(&d, "near_instructions"));
    assert_true(sum_of(&sink, KINDS, 2) == metric(&d, "far_instructions"));
    direct_close(&d);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_add_up)};
    return cmocka_run_group_tests_name("mpu details", tests, NULL, NULL);
}
