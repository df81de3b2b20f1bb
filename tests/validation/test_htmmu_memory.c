/* SPDX-License-Identifier: MIT */
/* Do htmmu's page-table accesses take what the banks of memory give them? */
#include "htmmu_configs.h"
#include "testing.h"

#include "memsweep/sim/dram.h"

#define GIB ((uint64_t)1 << 30)

enum { MISSES = 4000 };

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
    return stream_metric(d, "cycles");
}

static msw_dram_config hbm2(void)
{
    msw_err err = {0};
    const msw_dram_config *config = msw_dram_preset_find("hbm2", &err);
    assert_non_null(config);
    return *config;
}

static void open_random(direct *d, uint64_t requests)
{
    stream_open(
        d, (stream_config){
               .kind = STREAM_UNIFORM, .requests = requests, .footprint = 65536 * GIB, .seed = 3});
    direct_set(d, "memory_model", HTMMU_MEMORY_BANKS);
    direct_set(d, "page_size", 4096);
}

/* A request: 4 (first TLB) + 7 (second), then the accesses. */
static double one_walk(const uint64_t *address, double channels, double banks, double path)
{
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_GIVEN, .requests = 1, .given = address});
    direct_set(&d, "memory_model", HTMMU_MEMORY_BANKS);
    direct_set(&d, "path_cache", HTMMU_PATH_NONE);
    direct_set(&d, "memory_channels", channels);
    direct_set(&d, "memory_banks", banks);
    direct_set(&d, "memory_path", path);
    direct_set(&d, "page_size", 1073741824);
    double cycles = cycles_of(&d, MSW_FULL) - 11;
    direct_close(&d);
    return cycles;
}

/* The first access opens a row: controller + rcd + cl + bl. The tables of the second level begin
 * behind that of the first: with index 0 in both the second access is in the next 4 KiB, another
 * row of the one bank: it precharges, but not before ras. */
static void one_bank_takes_serial_latency(void **state)
{
    (void)state;
    uint64_t address = 0;
    msw_dram_timing t = hbm2().t;
    double controller = hbm2().controller, column = t.cl + t.bl, open = controller + t.rcd + column;
    double late = open + 100 + controller + t.rp + t.rcd + column;
    double precharge = fmax(open + controller, controller + t.ras);
    double second = precharge + t.rp + t.rcd + column;
    assert_true(one_walk(&address, 1, 1, 0) == second);
    assert_true(one_walk(&address, 1, 1, 100) == late + 100);
}

/* A page of 1 GiB takes two accesses. Behind table lines each looks for its line first, with fixed
 * memory as with banks; the page beside it, later, finds both lines. */
static void lines_are_looked_for_first(void **state)
{
    (void)state;
    static const uint64_t PAGES[] = {0, GIB};
    msw_dram_config c = hbm2();
    double open = c.controller + c.t.rcd + c.t.cl + c.t.bl;
    for (int model = HTMMU_MEMORY_FIXED; model <= HTMMU_MEMORY_BANKS; model++) {
        double access = model == HTMMU_MEMORY_FIXED ? 1000 : open;
        direct d;
        stream_open(&d, (stream_config){.kind = STREAM_GIVEN, .requests = 2, .given = PAGES});
        direct_set(&d, "memory_model", model);
        direct_set(&d, "path_cache", HTMMU_PATH_NONE);
        direct_set(&d, "page_size", 1073741824);
        direct_set(&d, "streams", 1);
        direct_set(&d, "outstanding", 1);
        direct_set(&d, "table_lines", 8);
        direct_set(&d, "table_line_cycles", 3);
        assert_true(cycles_of(&d, MSW_FULL) == 2 * (11 + 2 * 3) + 2 * access);
        assert_true(stream_metric(&d, "walk_accesses") == 2);
        direct_close(&d);
    }
}

static void more_lines_never_read_more(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int lines = 1; lines <= 4096; lines *= 8) {
        direct d;
        stream_open(&d,
                    (stream_config){
                        .kind = STREAM_UNIFORM, .requests = 4000, .footprint = 4 * GIB, .seed = 3});
        direct_set(&d, "page_size", 4096);
        direct_set(&d, "outstanding", 1); /* one order of accesses, whatever the lines */
        direct_set(&d, "table_lines", lines);
        cycles_of(&d, MSW_FULL);
        double reads = stream_metric(&d, "walk_accesses");
        assert_true(reads <= before);
        before = reads;
        direct_close(&d);
    }
}

/* With banks enough both accesses open a row that nobody holds. */
static void idle_latency_is_that_of_a_closed_row(void **state)
{
    (void)state;
    uint64_t address = 0;
    msw_dram_config c = hbm2();
    double open = c.controller + c.t.rcd + c.t.cl + c.t.bl;
    assert_true(one_walk(&address, 8, 16, 0) == 2 * open);
}

/* The second walk finds the row of the first open: controller + cl + bl. */
static void near_entries_hit_the_open_row(void **state)
{
    (void)state;
    uint64_t address[] = {0, 1 * GIB};
    msw_dram_config c = hbm2();
    double open = c.controller + c.t.rcd + c.t.cl + c.t.bl, hit = c.controller + c.t.cl + c.t.bl;
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_GIVEN, .requests = 2, .given = address});
    direct_set(&d, "memory_model", HTMMU_MEMORY_BANKS);
    direct_set(&d, "path_cache", HTMMU_PATH_NONE);
    direct_set(&d, "outstanding", 1);
    direct_set(&d, "page_size", 1073741824);
    assert_true(cycles_of(&d, MSW_FULL) == 22 + 2 * open + 2 * hit);
    assert_true(stream_metric(&d, "row_hit_rate") == 0.5);
    assert_true(stream_metric(&d, "memory_latency") == (open + hit) / 2);
    assert_relative(stream_metric(&d, "memory_busy"),
                    4 * c.t.bl / (8 * stream_metric(&d, "cycles")), 1e-9);
    direct_close(&d);
}

/* A long way makes memory as slow as its fixed time was, and banks matter no more. */
static void long_path_gives_the_fixed_model(void **state)
{
    (void)state;
    direct d;
    open_random(&d, MISSES);
    direct_set(&d, "l1_mshrs", 4);
    direct_set(&d, "memory_path", 100000);
    double banks = cycles_of(&d, MSW_FULL);
    direct_set(&d, "memory_model", HTMMU_MEMORY_FIXED);
    direct_set(&d, "level_cycles", 100000);
    double fixed = cycles_of(&d, MSW_FULL);
    assert_true(banks > fixed && banks < 1.002 * fixed);
    direct_close(&d);
}

/* Every access is answered, whatever the memory. */
static void counts_are_those_of_the_walks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        direct d;
        open_random(&d, MISSES);
        htmmu_random(&d, seed);
        direct_set(&d, "path_cache", (double)(seed % 4));
        direct_run(&d, MSW_FULL, 1);
        if (d.answer.status == MSW_OK) {
            assert_true(stream_metric(&d, "l1_hits") + stream_metric(&d, "l1_misses") == MISSES);
            assert_true(stream_metric(&d, "walk_accesses") <= stream_metric(&d, "walk_steps"));
            assert_true(stream_metric(&d, "cycles") > 0);
            assert_true(stream_metric(&d, "memory_reads") == stream_metric(&d, "walk_accesses"));
        }
        direct_close(&d);
    }
}

/* What only banks of memory have is not there without them; with them the closed form has it too.
 */
static void rows_are_not_defined_for_fixed_memory(void **state)
{
    (void)state;
    direct d;
    open_random(&d, MISSES);
    for (int fidelity = MSW_ANALYTIC; fidelity <= MSW_FULL; fidelity++) {
        direct_set(&d, "memory_model", HTMMU_MEMORY_BANKS);
        cycles_of(&d, (msw_fidelity)fidelity);
        assert_in_range(stream_metric(&d, "memory_latency"), 31, 1000);
        assert_true(stream_metric(&d, "row_hit_rate") >= 0);
        assert_true(stream_metric(&d, "memory_busy") > 0);
        direct_set(&d, "memory_model", HTMMU_MEMORY_FIXED);
        cycles_of(&d, (msw_fidelity)fidelity);
        assert_true(isnan(stream_metric(&d, "memory_latency")));
        assert_true(isnan(stream_metric(&d, "row_hit_rate")));
        assert_true(isnan(stream_metric(&d, "memory_busy")));
    }
    direct_close(&d);
}

/* Sixteen walkers to 256 over one channel to sixteen, random pages. */
static void with_channels(msw_fidelity fidelity, double *cycles)
{
    for (double walkers = 16; walkers <= 256; walkers *= 4) {
        direct d;
        open_random(&d, MISSES);
        direct_set(&d, "merge_entries", walkers);
        direct_set(&d, "l1_mshrs", 64);
        direct_set(&d, "outstanding", 1024);
        for (double channels = 1; channels <= 16; channels *= 2) {
            direct_set(&d, "memory_channels", channels);
            *cycles++ = cycles_of(&d, fidelity);
        }
        direct_close(&d);
    }
}

static void more_channels_are_never_slower(void **state)
{
    (void)state;
    double cycles[2][15];
    with_channels(MSW_ANALYTIC, cycles[0]);
    with_channels(MSW_FULL, cycles[1]);
    for (int fidelity = 0; fidelity < 2; fidelity++)
        for (int i = 1; i < 15; i++)
            assert_true(i % 5 == 0 || cycles[fidelity][i] < cycles[fidelity][i - 1]);
    for (int i = 0; i < 15; i++) {
        double error = cycles[0][i] / cycles[1][i] - 1;
        if (getenv("MEMSWEEP_VERBOSE"))
            printf("%3d walkers, %2d channels: closed form %+.1f %%\n", 16 << 2 * (i / 5),
                   1 << i % 5, 100 * error);
        assert_true(fabs(error) < (i < 5 ? 0.06 : i < 10 ? 0.10 : 0.15));
    }
}

/* A bank gives at most one row per rc: 48 cycles. */
static void one_bank_is_bound_by_its_row_cycle(void **state)
{
    (void)state;
    direct d;
    open_random(&d, MISSES);
    direct_set(&d, "path_cache", HTMMU_PATH_NONE);
    direct_set(&d, "memory_channels", 1);
    direct_set(&d, "memory_banks", 1);
    double one = cycles_of(&d, MSW_FULL);
    direct_set(&d, "memory_banks", 16);
    double sixteen = cycles_of(&d, MSW_FULL);
    assert_true(one > (double)hbm2().t.rc * MISSES);
    assert_true(sixteen < one / 2);
    direct_close(&d);
}

/* Samples lie near the whole, and measuring every unit gives the same bits. */
static void samples_agree(void **state)
{
    (void)state;
    direct d;
    open_random(&d, 60000);
    direct_set(&d, "l1_mshrs", 16);
    double full = cycles_of(&d, MSW_FULL);
    d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.2, .pilot = 12};
    assert_true(fabs(cycles_of(&d, MSW_SAMPLED) / full - 1) < 0.05);
    assert_true(d.answer.measured < d.answer.units / 2);
    d.task.sampling.pilot = 1000000;
    assert_true(cycles_of(&d, MSW_SAMPLED) == full);
    direct_close(&d);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Over random configs half of the errors of the closed form lie below what README.md says. */
static void closed_form_agrees(void **state)
{
    (void)state;
    int configs = getenv("MEMSWEEP_FULL") ? 200 : 20, count = 0;
    double errors[200];
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, &msw_mech_htmmu, "dlrm/b128", &err), err);
    direct_set(&d, "memory_model", HTMMU_MEMORY_BANKS);
    for (uint64_t seed = 100; count < configs; seed++) {
        htmmu_random(&d, seed);
        direct_set(&d, "memory_channels", (double)(1 << seed % 4));
        direct_run(&d, MSW_FULL, 1);
        if (d.answer.status != MSW_OK)
            continue;
        double full = stream_metric(&d, "cycles");
        errors[count++] = fabs(cycles_of(&d, MSW_ANALYTIC) / full - 1);
        direct_drop_artifacts(&d);
    }
    qsort(errors, (size_t)count, sizeof *errors, compare_doubles);

    assert_true(errors[count / 2] < 0.15);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_bank_takes_serial_latency),
        cmocka_unit_test(idle_latency_is_that_of_a_closed_row),
        cmocka_unit_test(lines_are_looked_for_first),
        cmocka_unit_test(more_lines_never_read_more),
        cmocka_unit_test(near_entries_hit_the_open_row),
        cmocka_unit_test(long_path_gives_the_fixed_model),
        cmocka_unit_test(counts_are_those_of_the_walks),
        cmocka_unit_test(rows_are_not_defined_for_fixed_memory),
        cmocka_unit_test(more_channels_are_never_slower),
        cmocka_unit_test(one_bank_is_bound_by_its_row_cycle),
        cmocka_unit_test(samples_agree),
        cmocka_unit_test(closed_form_agrees),
    };
    return cmocka_run_group_tests_name("htmmu_memory", tests, NULL, NULL);
}
