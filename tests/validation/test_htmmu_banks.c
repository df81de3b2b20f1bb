/* SPDX-License-Identifier: MIT */
/* Do the rows of htmmu's detail table `banks` add up to its metrics? */
#include "htmmu_configs.h"
#include "testing.h"

#define GIB ((uint64_t)1 << 30)

enum { BANK, REQUESTS, HITS, MISSES, DIVERTED, BLOCKED, SHARE, COLUMNS };

typedef struct table {
    msw_arena arena;
    msw_detail_sink sink;
    double sums[COLUMNS];
} table;

static void run(direct *d, msw_fidelity fidelity, table *t)
{
    *t = (table){.sink = {.arena = &t->arena}};
    t->sink.last = &t->sink.first;
    d->task.details = &t->sink;
    direct_run(d, fidelity, 1);
    for (const msw_detail_row *row = t->sink.first; row; row = row->next)
        for (int c = 0; c < COLUMNS; c++)
            t->sums[c] += row->values[c];
    msw_arena_free(&t->arena);
}

static void assert_sums(const direct *d, const table *t)
{
    double streams = (double)((const htmmu_config *)d->config)->streams;
    assert_true((double)t->sink.count == streams);
    assert_true(t->sums[BANK] == streams * (streams - 1) / 2);
    assert_true(t->sums[REQUESTS] == d->metrics[HTMMU_REQUESTS]);
    assert_true(t->sums[HITS] == d->metrics[HTMMU_L1_HITS]);
    assert_true(t->sums[MISSES] == d->metrics[HTMMU_L1_MISSES]);
    assert_true(t->sums[DIVERTED] == d->metrics[HTMMU_DIVERTED]);
    assert_true(t->sums[BLOCKED] <= streams * d->metrics[HTMMU_CYCLES]);
    assert_relative(t->sums[SHARE], 1, 1e-9);
}

static void rows_add_up_to_the_metrics(void **state)
{
    (void)state;
    table t;
    direct d;
    stream_open(
        &d,
        (stream_config){
            .kind = STREAM_SKEWED, .requests = 20000, .run = 4, .footprint = 64 * GIB, .seed = 5});
    for (uint64_t seed = 0; seed < 20; seed++) {
        htmmu_random(&d, seed);
        direct_set(&d, "l2_entries", seed % 4 ? 512 : 0);
        run(&d, MSW_FULL, &t);
        if (d.answer.status == MSW_OK)
            assert_sums(&d, &t);
        run(&d, MSW_SAMPLED, &t);
        assert_int_equal(t.sink.count, 0);
        direct_drop_artifacts(&d);
    }
    direct_close(&d);
}

/* The first miss is answered at 3019 (table 1); the second is looked up at 5 and finds no register:
 * until then its bank takes nothing. */
static void bank_is_blocked_while_a_miss_is_parked(void **state)
{
    (void)state;
    uint64_t addresses[2] = {GIB, 8 * GIB};
    table t;
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_GIVEN, .requests = 2, .given = addresses});
    stream_preset(&d, "baseline");
    direct_set(&d, "l1_mshrs", 2);
    run(&d, MSW_FULL, &t);
    assert_true(t.sums[BLOCKED] == 0);
    direct_set(&d, "l1_mshrs", 1);
    run(&d, MSW_FULL, &t);
    assert_true(t.sums[BLOCKED] == 3019 - 5);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up_to_the_metrics),
        cmocka_unit_test(bank_is_blocked_while_a_miss_is_parked),
    };
    return cmocka_run_group_tests_name("htmmu_banks", tests, NULL, NULL);
}
