/* SPDX-License-Identifier: MIT */
/* Do the detail tables of mpu add up to what it answers? */
#include "direct.h"
#include "testing.h"

#include <string.h>

enum { LAUNCHES, BANKS, KINDS, LINES };

/* Columns of `lines`. */
enum { KERNEL, LINE, PLACE, ALL, NEAR, WHOLE, UP, DOWN, ACCESSES, REMOTE, LANES, SHARE };

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

/* Runs a workload at full for its tables. */
static void run(const char *workload, direct *d, msw_arena *arena, msw_detail_sink *sink)
{
    msw_err err = {0};
    *sink = (msw_detail_sink){.arena = arena};
    assert_ok(direct_open(d, msw_mech_find("mpu"), workload, &err), err);
    sink->last = &sink->first;
    d->task.details = sink;
    direct_run(d, MSW_FULL, 1);
    d->task.details = NULL;
    assert_int_equal(d->answer.status, MSW_OK);
}

static void tables_add_up(void **state)
{
    (void)state;
    direct d;
    msw_arena arena = {0};
    msw_detail_sink sink;
    run("hist/n=16Ki", &d, &arena, &sink);
    assert_true(sum_of(&sink, LAUNCHES, 1) == metric(&d, "cycles"));
    assert_true(sum_of(&sink, LAUNCHES, 2) == metric(&d, "instructions"));
    assert_true(sum_of(&sink, LAUNCHES, 4) == metric(&d, "dram_bytes"));
    assert_true(sum_of(&sink, BANKS, 3) == metric(&d, "dram_reads"));
    assert_true(sum_of(&sink, BANKS, 4) == metric(&d, "dram_writes"));
    assert_true(sum_of(&sink, BANKS, 5) == metric(&d, "row_hits"));
    assert_true(sum_of(&sink, KINDS, 1) == metric(&d, "near_instructions"));
    assert_true(sum_of(&sink, KINDS, 2) == metric(&d, "far_instructions"));
    assert_true(sum_of(&sink, LINES, ALL) == metric(&d, "instructions"));
    assert_true(sum_of(&sink, LINES, NEAR) == metric(&d, "near_instructions"));
    assert_true(sum_of(&sink, LINES, UP) == metric(&d, "moves_near"));
    assert_true(sum_of(&sink, LINES, DOWN) == metric(&d, "moves_far"));
    assert_true(sum_of(&sink, LINES, WHOLE) ==
                metric(&d, "whole_loads") + metric(&d, "whole_stores"));
    assert_true(metric(&d, "moves_near") > 0 && metric(&d, "moves_far") > 0);
    double working = 1 - metric(&d, "idle") / metric(&d, "cycles");
    assert_in_range(1e9 * sum_of(&sink, LINES, SHARE), 1e9 * working - 1, 1e9 + 1);
    direct_close(&d);
    msw_arena_free(&arena);
}

static const msw_detail_row *row_of(const msw_detail_sink *sink, double line)
{
    const msw_detail_row *row = sink->first;
    while (row && (row->detail != LINES || row->values[LINE] != line))
        row = row->next;
    assert_non_null(row);
    return row;
}

/* 64 Ki elements, one of each thread, are 2048 warps: every instruction is executed so often, in
 * the order of the PTX. The array's lines of 128 bytes are those of the warps and lie in their own
 * units: 4 accesses of 32 bytes that go over whole. The sum of two loaded values that is stored is
 * all that may run near. */
static void lines_of_axpy(void **state)
{
    enum { FIRST = 28, LOAD = 52, ADD = 54, STORE = 55, LAST = 66, WARPS = 2048 };
    (void)state;
    direct d;
    msw_arena arena = {0};
    msw_detail_sink sink;
    run("axpy/n=64Ki", &d, &arena, &sink);
    assert_true(sum_of(&sink, LINES, NEAR) == WARPS);
    assert_true(sum_of(&sink, LINES, UP) + sum_of(&sink, LINES, DOWN) == 0);
    assert_true(row_of(&sink, FIRST)->values[ALL] == WARPS);
    assert_true(row_of(&sink, LAST)->values[ALL] == WARPS);
    assert_true(row_of(&sink, ADD)->values[PLACE] == 1);
    assert_true(row_of(&sink, ADD)->values[ACCESSES] == 0);
    for (int line = LOAD; line <= STORE; line += line == LOAD ? 1 : 2) {
        const double *values = row_of(&sink, line)->values;
        assert_true(values[PLACE] == 2 && values[NEAR] == 0);
        assert_true(values[WHOLE] == WARPS && values[ACCESSES] == 4 * WARPS);
        assert_true(values[LANES] == 32 * WARPS && values[REMOTE] == 0);
    }
    direct_close(&d);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_add_up),
                                       cmocka_unit_test(lines_of_axpy)};
    return cmocka_run_group_tests_name("mpu details", tests, NULL, NULL);
}
