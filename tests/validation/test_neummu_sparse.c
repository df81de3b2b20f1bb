/* SPDX-License-Identifier: MIT */
/* Does the sparse case study meet what can be worked out by hand, and its own closed form? */
#include "direct.h"
#include "testing.h"

#include "mech/neummu_sparse/batch.h"
#include "mech/neummu_sparse/model.h"

#include "memsweep/base/rng.h"

static void open_on(direct *d, const char *workload)
{
    msw_err err;
    assert_ok(direct_open(d, msw_mech_find("neummu_sparse"), workload, &err), err);
    direct_set(d, "sparse_batches", 4);
}

static double run(direct *d, msw_fidelity fidelity, int metric)
{
    direct_run(d, fidelity, 5);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    return d->metrics[metric];
}

/* One device, translations known: the last of n requests is asked for at n - 1, takes its bytes
 * over the bandwidth and the latency. 64 / 600 of a cycle rounds up to one. */
static void test_one_device_is_bound_by_issue(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "dlrm/b128");
    direct_set(&d, "devices", 1);
    direct_set(&d, "oracle", 1);
    direct_set(&d, "mlp_macs", 0);
    double wanted = 4 * (128 * 26 - 1 + 1 + 100);
    assert_near(run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES), wanted, 0);
    assert_relative(run(&d, MSW_ANALYTIC, NEUMMU_SPARSE_CYCLES), wanted, 0.001);
    assert_near(d.metrics[NEUMMU_SPARSE_GATHER], d.metrics[NEUMMU_SPARSE_CYCLES], 0);
    direct_close(&d);
}

/* The same behind one walker without a path cache on a TLB of one entry, one table and one request
 * per page: walks of 4 x 100 cycles follow each other. */
static void test_one_walker_walks_one_by_one(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "strides/b500");
    static const struct {
        const char *name;
        double value;
    } SET[] = {{"devices", 1},    {"ptw_count", 1}, {"tlb_entries", 1},   {"scoreboard", 0},
               {"path_cache", 0}, {"mlp_macs", 0},  {"sparse_batches", 1}};
    for (size_t i = 0; i < sizeof SET / sizeof *SET; i++)
        direct_set(&d, SET[i].name, SET[i].value);
    /* Issue at 0, TLB 5, walk 400, blocked ones retry at the end of a walk. */
    double cycles = run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES);
    assert_near(d.metrics[NEUMMU_SPARSE_WALKS], 500, 0);
    assert_near(d.metrics[NEUMMU_SPARSE_WALK_ACCESSES], 2000, 0);
    assert_relative(cycles, 500 * 400 + 5 + 1 + 100, 0.001);
    assert_relative(run(&d, MSW_ANALYTIC, NEUMMU_SPARSE_CYCLES), cycles, 0.005);
    direct_close(&d);
}

/* 4 devices, whole tables: users' factors are here, items' on 1, and so on. Three rows of four of
 * 256 bytes go up 64 from each device, and 192 come down, at 16 bytes per cycle. */
static void test_copies_take_what_the_formula_says(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "neumf/b64");
    direct_set(&d, "mode", NEUMMU_SPARSE_COPY);
    double transfer = (64 + 192) * 256 / 16.0 + 2 * 600, cpu = 4 * 10000 + 192 * 50;
    run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES);
    assert_near(d.metrics[NEUMMU_SPARSE_TRANSFER], 4 * transfer, 0);
    assert_near(d.metrics[NEUMMU_SPARSE_CPU], 4 * cpu, 0);
    assert_near(d.metrics[NEUMMU_SPARSE_GATHER], 0, 0);
    assert_near(d.metrics[NEUMMU_SPARSE_RELATIVE], 1, 0);
    direct_close(&d);
}

/* Pages that come and bytes asked for, counted here once more from the stream. */
static void test_pages_move_once(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        direct d;
        open_on(&d, "neumf/b64");
        direct_set(&d, "mode", NEUMMU_SPARSE_DEMAND);
        direct_set(&d, "page_size", large ? 2097152 : 4096);
        run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES);
        msw_arena arena = {0};
        msw_product product;
        msw_err err;
        assert_ok(d.workload.frontend->build(NULL, d.workload.config, 5, &arena, &product, &err),
                  err);
        const msw_accesses *a = product.data;
        uint64_t remote = 0, pages = 0;
        unsigned shift = large ? 21 : 12;
        for (uint64_t i = 0; i < a->count; i++) {
            bool seen = a->addresses[i] < a->regions[1].address;
            remote += seen ? 0 : 256;
            for (uint64_t j = 0; j < i && !seen; j++)
                seen = a->addresses[j] >> shift == a->addresses[i] >> shift;
            pages += !seen;
        }
        assert_near(d.metrics[NEUMMU_SPARSE_FAULTS], (double)pages, 0);
        assert_near(d.metrics[NEUMMU_SPARSE_REMOTE_BYTES], (double)remote, 0);
        assert_near(d.metrics[NEUMMU_SPARSE_BLOAT],
                    (double)pages * (large ? 2097152 : 4096) / (double)remote, 1e-9);
        msw_arena_free(&arena);
        direct_close(&d);
    }
}

/* Rows alone, one device's link, no translation: bytes over bandwidth where that is slower than one
 * request per cycle. */
static void test_the_link_bounds_reading_in_place(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "neumf/b2048");
    direct_set(&d, "oracle", 1);
    direct_set(&d, "mode", NEUMMU_SPARSE_NUMA_SLOW);
    double bytes = 3 * 2048 * 256.0;
    /* The first remote row is asked for behind 2048 local ones. */
    double wanted = 4 * (2048 + bytes / 16 + 600);
    run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES);
    double gathered = d.metrics[NEUMMU_SPARSE_CYCLES] - d.metrics[NEUMMU_SPARSE_MLP];
    assert_relative(gathered, wanted, 0.001);
    direct_close(&d);
}

static void check_stack(const direct *d)
{
    double sum = 0;
    for (int m = NEUMMU_SPARSE_TRANSLATION; m <= NEUMMU_SPARSE_MLP; m++) {
        assert_true(d->metrics[m] >= 0);
        sum += d->metrics[m];
    }
    assert_relative(sum, d->metrics[NEUMMU_SPARSE_CYCLES], 1e-9);
    assert_near(d->metrics[NEUMMU_SPARSE_HITS] + d->metrics[NEUMMU_SPARSE_MISSES],
                d->metrics[NEUMMU_SPARSE_REQUESTS], 1e-6 * d->metrics[NEUMMU_SPARSE_REQUESTS]);
}

static int by_size(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* Choices, powers of two and rates drawn from plausible ranges. */
static void draw(direct *d, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 3);
    static const char *const FLAGS[] = {"placement", "scoreboard", "page_link"};
    for (size_t f = 0; f < sizeof FLAGS / sizeof *FLAGS; f++)
        direct_set(d, FLAGS[f], (double)msw_rng_below(&rng, 2));
    direct_set(d, "mode", (double)msw_rng_below(&rng, 4));
    direct_set(d, "path_cache", (double)msw_rng_below(&rng, 2));
    direct_set(d, "devices", ldexp(1, (int)msw_rng_below(&rng, 5)));
    direct_set(d, "page_size", msw_rng_below(&rng, 2) ? 4096 : 2097152);
    direct_set(d, "tlb_entries", ldexp(1, 6 + (int)msw_rng_below(&rng, 7)));
    direct_set(d, "ptw_count", ldexp(1, (int)msw_rng_below(&rng, 11)));
    direct_set(d, "prmb_slots", ldexp(1, (int)msw_rng_below(&rng, 6)));
    direct_set(d, "walk_level_cycles", 25 + (double)msw_rng_below(&rng, 200));
    direct_set(d, "fast_bandwidth", 20 + (double)msw_rng_below(&rng, 400));
    direct_set(d, "fault_parallel", ldexp(1, (int)msw_rng_below(&rng, 8)));
    direct_set(d, "sparse_zipf", msw_rng_uniform(&rng) * 1.3);
    direct_set(d, "sparse_ids", (double)msw_rng_below(&rng, 2));
    direct_set(d, "sparse_order", (double)msw_rng_below(&rng, 2));
}

/* Also: causes add up at both fidelities. */
static void test_closed_form_over_random_settings(void **state)
{
    (void)state;
    enum { DEFAULT_CASES = 240, MOST = 2000 };
    static const char *const WORKLOADS[] = {"dlrm/b32", "neumf/b128", "deepfm/b32", "kgcn/b16"};
    double errors[MOST];
    size_t cases = getenv("MEMSWEEP_FULL") ? MOST : DEFAULT_CASES;
    for (size_t i = 0; i < cases; i++) {
        direct d;
        open_on(&d, WORKLOADS[i % 4]);
        draw(&d, i);
        double full = run(&d, MSW_FULL, NEUMMU_SPARSE_CYCLES);
        check_stack(&d);
        double closed = run(&d, MSW_ANALYTIC, NEUMMU_SPARSE_CYCLES);
        check_stack(&d);
        errors[i] = fabs(closed / full - 1);
        direct_close(&d);
    }
    qsort(errors, cases, sizeof *errors, by_size);
    printf("closed form against full over %zu settings: median %.2f %%, 95 %% below %.1f %%, "
           "largest %.1f %%\n",
           cases, 100 * errors[cases / 2], 100 * errors[cases * 95 / 100], 100 * errors[cases - 1]);
    assert_true(errors[cases / 2] < 0.02);
    assert_true(errors[cases * 95 / 100] < 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_device_is_bound_by_issue),
        cmocka_unit_test(test_one_walker_walks_one_by_one),
        cmocka_unit_test(test_copies_take_what_the_formula_says),
        cmocka_unit_test(test_pages_move_once),
        cmocka_unit_test(test_the_link_bounds_reading_in_place),
        cmocka_unit_test(test_closed_form_over_random_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
