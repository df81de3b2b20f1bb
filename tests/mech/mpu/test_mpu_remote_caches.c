/* SPDX-License-Identifier: MIT */
/* remote_cache_bytes, a predicate's bytes and "all near" of the authors' released simulator were
 * read by nobody or not offered. Do caches save what crosses the TSVs for other cores, alike in
 * both models, and are narrow TSVs and rows allowed? */
#include "direct.h"
#include "testing.h"

typedef struct saved {
    double reads, tsv, links, lines, moves, near;
} saved;

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static saved run(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return (saved){metric(d, "dram_reads"),    metric(d, "tsv_data"),
                   metric(d, "on_chip_bytes"), metric(d, "remote_lines"),
                   metric(d, "tsv_move"),      metric(d, "near_instructions")};
}

static void open_with(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("mpu"), workload, &err), err);
    direct_set(d, "processors", 1);
    direct_set(d, "processor_columns", 1);
}

/* All cores read one vector: its 32 lines cross the TSVs of their core for each of the others, or
 * once, or, where they wait for each other, a few times. */
static void caches_save_what_crosses(void **state)
{
    (void)state;
    direct d;
    for (msw_fidelity f = MSW_ANALYTIC; f <= MSW_FULL; f += MSW_FULL - MSW_ANALYTIC) {
        open_with(&d, "gemv/rows=64");
        saved without = run(&d, f);
        direct_set(&d, "remote_cache_bytes", 32768);
        saved with = run(&d, f);
        assert_true(with.tsv < without.tsv);
        assert_true(with.links <= without.links);
        assert_relative(with.lines, without.lines, 1e-9);
        /* what is not read does not cross: a request and 32 bytes each */
        assert_relative(without.tsv - with.tsv, 32 * (without.reads - with.reads), 1e-6);
        direct_close(&d);
    }
}

static void both_models_save_alike(void **state)
{
    (void)state;
    direct d;
    open_with(&d, "kmeans/natural/n=4Ki");
    direct_set(&d, "remote_cache_bytes", 32768);
    saved closed = run(&d, MSW_ANALYTIC), full = run(&d, MSW_FULL);
    assert_relative(closed.reads, full.reads, 0.15);
    direct_set(&d, "remote_cache_bytes", 0);
    assert_true(run(&d, MSW_FULL).links > 2 * full.links);
    direct_close(&d);
}

static void released_moves_and_hints_are_offered(void **state)
{
    (void)state;
    direct d;
    open_with(&d, "nw/pairs=64");
    saved bits = run(&d, MSW_FULL);
    direct_set(&d, "predicate_bytes", 32);
    assert_true(run(&d, MSW_FULL).moves >= bits.moves);
    direct_set(&d, "policy", 2);
    saved near = run(&d, MSW_FULL);
    direct_set(&d, "policy", 4); /* all_near_released */
    assert_true(run(&d, MSW_FULL).near != near.near);
    direct_close(&d);
}

static void narrow_tsvs_and_rows_are_allowed(void **state)
{
    (void)state;
    direct d;
    open_with(&d, "axpy/n=4Ki");
    direct_set(&d, "row_bytes", 32);
    direct_set(&d, "tsv_bits", 32);
    for (msw_fidelity f = MSW_ANALYTIC; f <= MSW_FULL; f += MSW_FULL - MSW_ANALYTIC)
        run(&d, f);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_save_what_crosses),
        cmocka_unit_test(both_models_save_alike),
        cmocka_unit_test(released_moves_and_hints_are_offered),
        cmocka_unit_test(narrow_tsvs_and_rows_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
