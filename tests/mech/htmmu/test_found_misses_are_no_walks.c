/* SPDX-License-Identifier: MIT */
/* Defect 264. Walks of unknown end (a queue that stands in line, timed accesses) were missing in
 * the detail tables of walks, or a miss that was found when its turn came stood there as one. The
 * tables add up to the walks, wherever their ends become known. */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/ledger.h"
#include "mech/neummu/model.h"

static double logged_walks(direct *d)
{
    double walks = 0;
    msw_arena arena = {0};
    msw_detail_sink sink = {.arena = &arena};
    sink.last = &sink.first;
    d->task.details = &sink;
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    for (const msw_detail_row *row = sink.first; row; row = row->next)
        walks += row->detail == NEUMMU_TABLE_LATENCY ? row->values[2] : 0;
    d->task.details = NULL;
    msw_arena_free(&arena);
    return walks;
}

static void tables_count_walks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } SETTINGS[] = {{"queue_reprobe", 1},
                    {"walker_choice", MSW_WALKER_WARMEST},
                    {"walk_memory", NEUMMU_WALKS_SHARED},
                    {"table_lines", 64},
                    {"tlb_prefetch", NEUMMU_PREFETCH_NETWORK}};
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        direct d;
        msw_err err = {0};
        assert_ok(direct_open(&d, msw_mech_find("neummu"), "alexnet/b1", &err), err);
        direct_set(&d, "ptw_count", 8);
        direct_set(&d, "scoreboard", 0); /* many misses of a page stand in line */
        direct_set(&d, "walk_queue", 64);
        direct_set(&d, "profile_layers", 1);
        direct_set(&d, SETTINGS[i].name, SETTINGS[i].value);
        double walks = logged_walks(&d);
        assert_true(d.metrics[NEUMMU_WALKS] > 0);
        if (i == 0)
            assert_true(d.metrics[NEUMMU_REPLAYED] > 0);
        assert_relative(walks, d.metrics[NEUMMU_WALKS], 1e-9);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_count_walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
