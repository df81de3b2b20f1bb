/* SPDX-License-Identifier: MIT */
/* The closed form left out how walks wait for data and lines of the table, and how far translations
 * asked for ahead get: it was off by up to ten times there, and by half of what translation costs
 * in the median. Units whose loads wait for the step before began with an idle memory though a
 * store of an earlier step had begun, so the reference was slower than one pass. */
#include "space_sample.h"
#include "testing.h"

#include "mech/neummu/config.h"
#include "mech/neummu/model.h"
#include "mech/shared/rows.h"

static void open_on(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
}

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    return d->metrics[NEUMMU_CYCLES];
}

/* 404 transactions of five tiles, which formulas alone had up to 26 % off. */
static void short_streams_are_exact(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "dlrm_rm1/b1");
    direct_set(&d, "page_size", 2097152);
    for (int walkers = 2; walkers <= 128; walkers *= 4) {
        direct_set(&d, "ptw_count", walkers);
        double closed = cycles_of(&d, MSW_ANALYTIC), walks = d.metrics[NEUMMU_WALKS];
        assert_relative(closed, cycles_of(&d, MSW_FULL), 1e-9);
        assert_relative(walks, d.metrics[NEUMMU_WALKS], 1e-9);
    }
    direct_close(&d);
}

/* Four tiles: every step is simulated, so closed form and cycle model are the same. */
static void few_steps_are_exact(void **state)
{
    (void)state;
    static const char *const CHANGED[] = {"table_lines", "walk_memory", "walk_traffic",
                                          "outstanding", "walk_queue",  "tlb2_entries"};
    for (size_t i = 0; i < sizeof CHANGED / sizeof *CHANGED; i++) {
        direct d;
        open_on(&d, "workloads/npu/tiles/example.csv");
        direct_set(&d, CHANGED[i], 1);
        direct_set(&d, "tlb_entries", 4);
        direct_set(&d, "ptw_count", 2);
        double closed = cycles_of(&d, MSW_ANALYTIC), walks = d.metrics[NEUMMU_WALKS];
        assert_relative(closed, cycles_of(&d, MSW_FULL), 1e-9);
        assert_relative(walks, d.metrics[NEUMMU_WALKS], 1e-9);
        direct_close(&d);
    }
}

/* Large pages are visited a few thousand times: the cycle model is one pass over them, which costs
 * no more than to rebuild what drawn steps find. Before, these were up to half off, some of them at
 * ten times the time of full. */
static void few_visits_are_one_pass(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } CHANGED[] = {{"tlb_policy", 1}, {"tlb_policy", 3}, {"tlb_prefetch", 1}, {"tlb_prefetch", 3}};
    for (size_t i = 0; i < sizeof CHANGED / sizeof *CHANGED; i++) {
        direct d;
        open_on(&d, "googlenet/b1");
        direct_set(&d, CHANGED[i].name, CHANGED[i].value);
        direct_set(&d, "page_size", 524288);
        direct_set(&d, "tlb_entries", 8);
        direct_set(&d, "ptw_count", 1);
        double closed = cycles_of(&d, MSW_ANALYTIC), walks = d.metrics[NEUMMU_WALKS];
        assert_relative(closed, cycles_of(&d, MSW_FULL), 1e-9);
        assert_relative(walks, d.metrics[NEUMMU_WALKS], 1e-9);
        direct_close(&d);
    }
}

/* Random configs that have what formulas leave out. Before, 5 of these 24 were off by more than a
 * fifth. */
static void what_formulas_leave_out_is_seen(void **state)
{
    (void)state;
    direct d;
    int beyond = 0, run = 0;
    open_on(&d, "googlenet/b1");
    for (uint64_t draw = 0; run < 24; draw++) {
        msw_err err = {0};
        space_draw(&d, 46, draw);
        direct_set(&d, "oracle", 0);
        direct_set(&d, "walk_cycles", 0);
        direct_set(&d, "large_page_size", 0);
        direct_set(&d, "page_size", 4096 << draw % 3);
        direct_set(&d, "ptw_count", 1 << draw % 8);
        direct_set(&d, "walk_memory", draw % 2);
        if (d.mech->check(d.config, &err))
            continue;
        double closed = cycles_of(&d, MSW_ANALYTIC), slowdown = d.metrics[NEUMMU_SLOWDOWN];
        assert_true(slowdown >= 1 - 1e-9);
        double off = fabs(closed / cycles_of(&d, MSW_FULL) - 1);
        beyond += off > 0.2;
        run++;
        if (run % 8 == 0)
            direct_drop_artifacts(&d);
    }
    print_message("%d of %d beyond a fifth\n", beyond, run);
    assert_true(beyond <= 1);
    direct_close(&d);
}

/* With a TLB that holds all pages only the steps that use new ones lose anything; of these hardly
 * any was drawn, and a loss of a quarter was said to be 2 %. */
static void steps_with_new_pages_are_not_missed(void **state)
{
    static const struct {
        const char *name;
        double value;
    } SET[] = {
        {"page_size", 65536},   {"tlb_entries", 262144}, {"tlb_cycles", 1},
        {"tlb2_entries", 8},    {"tlb2_ways", 0},        {"tlb2_cycles", 27},
        {"ptw_count", 1024},    {"scoreboard", 0},       {"prmb_slots", 0},
        {"walk_queue", 128},    {"path_cache", 0},       {"walk_memory", 1},
        {"outstanding", 1024},  {"reprobe", 0},          {"walk_level_cycles", 172},
        {"dma_bytes", 1024},    {"issue_width", 1024},   {"bandwidth", 340.4654932},
        {"memory_cycles", 191}, {"boundary", 3},         {"frequency", 1.483969014},
        {"table_levels", 5},
    };
    (void)state;
    direct d;
    open_on(&d, "bert_base_s128/b1");
    for (size_t i = 0; i < sizeof SET / sizeof *SET; i++)
        direct_set(&d, SET[i].name, SET[i].value);
    cycles_of(&d, MSW_ANALYTIC);
    double closed = d.metrics[NEUMMU_SLOWDOWN] - 1;
    cycles_of(&d, MSW_FULL);
    assert_relative(closed, d.metrics[NEUMMU_SLOWDOWN] - 1, 0.5);
    direct_close(&d);
}

/* Known answer: the formulas follow all tiles in one pass and are exact without translation. */
static void the_reference_is_one_pass(void **state)
{
    (void)state;
    direct d;
    open_on(&d, "workloads/npu/tiles/example.csv");
    direct_set(&d, "oracle", 1);
    direct_set(&d, "memory_model", NEUMMU_MEMORY_BANKS);
    int64_t preset = 0;
    while (strcmp(msw_memory_choices[preset].name, "mpu_nbu") != 0)
        preset++;
    direct_set(&d, "memory_preset", (double)preset);
    direct_set(&d, "memory_channels", 2);
    double pass = cycles_of(&d, MSW_ANALYTIC);
    assert_relative(cycles_of(&d, MSW_FULL), pass, 1e-9);
    direct_set(&d, "tlb_prefetch", NEUMMU_PREFETCH_LAYER);
    assert_relative(cycles_of(&d, MSW_FULL), pass, 1e-9);
    assert_relative(d.metrics[NEUMMU_SLOWDOWN], 1, 1e-9);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_streams_are_exact),
        cmocka_unit_test(few_steps_are_exact),
        cmocka_unit_test(few_visits_are_one_pass),
        cmocka_unit_test(what_formulas_leave_out_is_seen),
        cmocka_unit_test(steps_with_new_pages_are_not_missed),
        cmocka_unit_test(the_reference_is_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
