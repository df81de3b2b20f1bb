/* SPDX-License-Identifier: MIT */
/* Defect 255. Where a network's time goes was told for the whole of it alone, and of walkers only
 * how many walks they made. The detail tables tell it by layer, by latency and over time, at every
 * fidelity, and add up to the metrics. */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/ledger.h"
#include "mech/neummu/model.h"

typedef struct sums {
    double cycles, causes, walks, latencies, busy, busiest;
    size_t layers, windows;
} sums;

static void add_row(sums *s, const msw_detail_row *row)
{
    const double *v = row->values;
    if (row->detail == NEUMMU_TABLE_LAYERS) {
        s->cycles += v[2];
        for (int cause = 3; cause < 10; cause++)
            s->causes += v[cause];
        s->walks += v[12];
        s->layers++;
    } else if (row->detail == NEUMMU_TABLE_LATENCY) {
        assert_true(v[0] < v[1] && v[2] > 0);
        s->latencies += v[2];
    } else if (row->detail == NEUMMU_TABLE_WALKERS) {
        s->busy += v[3];
        s->busiest = v[3] > s->busiest ? v[3] : s->busiest;
        s->windows++;
    }
}

static sums run(direct *d, msw_fidelity fidelity)
{
    sums s = {0};
    msw_arena arena = {0};
    msw_detail_sink sink = {.arena = &arena};
    sink.last = &sink.first;
    d->task.details = &sink;
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    for (const msw_detail_row *row = sink.first; row; row = row->next)
        add_row(&s, row);
    d->task.details = NULL;
    msw_arena_free(&arena);
    return s;
}

static void open_network(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
    direct_set(d, "npu_spm_activation", 262144);
    direct_set(d, "npu_spm_weight", 262144);
    direct_set(d, "ptw_count", 16);
    direct_set(d, "profile_layers", 1);
}

static void tables_add_up(void **state)
{
    (void)state;
    static const double EXACT[] = {1e-9, 0.05, 1e-9};
    for (int fidelity = MSW_ANALYTIC; fidelity <= MSW_FULL; fidelity++) {
        for (int policy = 0; policy < 2; policy++) {
            direct d;
            open_network(&d, "alexnet/b1");
            direct_set(&d, "tlb_policy", policy ? MSW_POLICY_BIT : MSW_POLICY_LRU);
            sums s = run(&d, (msw_fidelity)fidelity);
            double near = EXACT[fidelity];
            assert_int_equal(s.layers, 8);
            assert_int_equal(s.windows, 0);
            assert_relative(s.cycles, d.metrics[NEUMMU_CYCLES], near);
            assert_relative(s.causes, s.cycles, 1e-9);
            assert_relative(s.walks, d.metrics[NEUMMU_WALKS], near);
            assert_relative(s.latencies, d.metrics[NEUMMU_WALKS], near);
            direct_close(&d);
        }
    }
}

/* Walkers are busy for as long as their walks read, and never more of them than there are. */
static void walkers_are_busy_with_walks(void **state)
{
    (void)state;
    for (int queue = 0; queue < 2; queue++) {
        direct d;
        open_network(&d, "googlenet/b1");
        direct_set(&d, "profile_window", 1000);
        direct_set(&d, "walk_queue", queue ? 64 : 0);
        sums s = run(&d, MSW_FULL);
        double read = d.metrics[NEUMMU_WALK_ACCESSES] * 100;
        assert_true(s.windows > 100 && s.busiest <= 16 && s.busiest > 8);
        assert_relative(1000 * s.busy, read, queue ? 0.02 : 1e-9);
        s = run(&d, MSW_ANALYTIC);
        assert_true(s.windows > 0 && s.busiest <= 16);
        direct_close(&d);
    }
}

/* Nobody asked: no rows, and the same answer. */
static void silence_is_kept(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "alexnet/b1");
    run(&d, MSW_FULL);
    double cycles = d.metrics[NEUMMU_CYCLES];
    direct_set(&d, "profile_layers", 0);
    sums s = run(&d, MSW_FULL);
    assert_true(s.layers == 0 && s.latencies == 0 && d.metrics[NEUMMU_CYCLES] == cycles);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_add_up),
        cmocka_unit_test(walkers_are_busy_with_walks),
        cmocka_unit_test(silence_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
