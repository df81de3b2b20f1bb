/* SPDX-License-Identifier: MIT */
/* neummu's walkers: do walks of unknown end give what walks of known end give where both have the
 * same length, do they queue behind the tile's data, and do table lines and level caches keep their
 * laws? */
#include "direct.h"
#include "testing.h"

#include "mech/neummu/config.h"
#include "mech/neummu/model.h"

#include <math.h>

static const char *const NETWORKS[] = {"ncf/b1", "googlenet/b1", "alexnet/b1"};
enum { COUNT = sizeof NETWORKS / sizeof *NETWORKS };

static void open_network(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
}

static double run(direct *d, int metric)
{
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[metric];
}

/* Without paths it does not matter which walker walks: a queue that books walkers and one in which
 * walks wait give the same walks, and the same cycles but for ties. */
static void waiting_walks_are_as_booked_ones(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        direct_set(&d, "path_cache", NEUMMU_PATH_NONE);
        direct_set(&d, "walk_queue", 64);
        for (int walkers = 8; walkers <= 128; walkers *= 4) {
            direct_set(&d, "ptw_count", walkers);
            direct_set(&d, "walker_choice", MSW_WALKER_LONGEST_IDLE);
            double booked = run(&d, NEUMMU_CYCLES), walks = d.metrics[NEUMMU_WALKS];
            direct_set(&d, "walker_choice", MSW_WALKER_WARMEST);
            assert_relative(run(&d, NEUMMU_CYCLES), booked, 1e-4);
            assert_true(d.metrics[NEUMMU_WALKS] == walks);
        }
        direct_close(&d);
    }
}

/* A memory that is never busy answers an access in memory_cycles, and one more for what is left of
 * a tick: as long as walk_level_cycles of that number. */
static void idle_memory_gives_walks_of_fixed_length(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        direct_set(&d, "bandwidth", 16384);
        direct_set(&d, "memory_cycles", 99);
        double fixed = run(&d, NEUMMU_CYCLES), walks = d.metrics[NEUMMU_WALKS];
        direct_set(&d, "walk_memory", NEUMMU_WALKS_SHARED);
        assert_relative(run(&d, NEUMMU_CYCLES), fixed, 2e-3);
        assert_relative(d.metrics[NEUMMU_WALKS], walks, 1e-9);
        direct_close(&d);
    }
}

/* Cycles lost to translation, beside a memory of so many GB/s. */
static double lost(direct *d, int walk_memory)
{
    direct_set(d, "walk_memory", walk_memory);
    run(d, NEUMMU_CYCLES);
    return d->metrics[NEUMMU_LAYER_START] + d->metrics[NEUMMU_TRANSLATION];
}

/* 4 walkers that merge are just not enough; beside data that keeps memory busy each access waits.
 */
static void walks_queue_behind_the_data(void **state)
{
    (void)state;
    for (int model = NEUMMU_MEMORY_FLAT; model <= NEUMMU_MEMORY_BANKS; model++) {
        direct d;
        open_network(&d, "alexnet/b1");
        direct_set(&d, "memory_model", model);
        direct_set(&d, "bandwidth", 100);
        direct_set(&d, "memory_channels", 2);
        direct_set(&d, "path_cache", NEUMMU_PATH_NONE);
        if (model == NEUMMU_MEMORY_BANKS)
            direct_set(&d, "walk_level_cycles", 30); /* HBM2: some 25 ns on a closed row */
        double fixed = lost(&d, NEUMMU_WALKS_FIXED), shared = lost(&d, NEUMMU_WALKS_SHARED);
        assert_true(shared > 1.2 * fixed);
        direct_close(&d);
    }
}

static void more_table_lines_never_read_more(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        double before = run(&d, NEUMMU_WALK_ACCESSES), none = before;
        for (int lines = 1; lines <= 256; lines *= 4) {
            direct_set(&d, "table_lines", lines);
            double reads = run(&d, NEUMMU_WALK_ACCESSES);
            assert_true(reads <= before);
            before = reads;
        }
        /* 8 entries in a line, and but few lines above */
        assert_true(before < none / 2);
        direct_close(&d);
    }
}

/* Entries of one level alone save that level and all above it; more of them never read more. */
static void levels_are_kept_one_by_one(void **state)
{
    (void)state;
    static const char *const LEVELS[] = {"path_l4_entries", "path_l3_entries", "path_l2_entries"};
    direct d;
    open_network(&d, "googlenet/b1");
    direct_set(&d, "path_cache", NEUMMU_PATH_LEVELS);
    for (int level = 0; level < 3; level++)
        direct_set(&d, LEVELS[level], 0);
    double before = run(&d, NEUMMU_WALK_ACCESSES), walks = d.metrics[NEUMMU_WALKS];
    assert_true(before == d.metrics[NEUMMU_WALK_STEPS]);
    for (int level = 0; level < 3; level++) {
        direct_set(&d, LEVELS[level], 16);
        double reads = run(&d, NEUMMU_WALK_ACCESSES);
        assert_true(reads < before - 0.5 * walks && reads >= (3 - level) * walks);
        before = reads;
    }
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_walks_are_as_booked_ones),
        cmocka_unit_test(idle_memory_gives_walks_of_fixed_length),
        cmocka_unit_test(walks_queue_behind_the_data),
        cmocka_unit_test(more_table_lines_never_read_more),
        cmocka_unit_test(levels_are_kept_one_by_one),
    };
    return cmocka_run_group_tests_name("neummu walkers", tests, NULL, NULL);
}
