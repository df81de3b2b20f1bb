/* SPDX-License-Identifier: MIT */
/* Defect 550. Tasks that come from outside, memory with banks, tiles by Gemmini's rule, batch
 * means: do they do by hand what the README says? */
#include "camdn_rig.h"
#include "direct.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#define NET                                                                                        \
    "idx,name,op,block,in,out_elems,w_elems,M,N,K,count,seq,macs,vec_ops,IH,IW,IC,OH,OW,OC,KH,KW," \
    "SH,SW,groups,fuse\n0,x,input,a,,1024,0,0,0,0,1,1,0,0,0,0,0,32,1,32,1,1,1,1,1,0\n"             \
    "1,y,gemm,a,0,1024,1024,32,32,32,1,1,32768,0,0,0,0,32,1,32,1,1,1,1,1,0\n"

typedef struct rig {
    msw_workload workload;
    camdn_config config;
    msw_mix_config settings;
    msw_product product;
    msw_arena arena;
    msw_task task;
    const void *artifacts[CAMDN_ARTIFACTS];
    void *state;
    msw_err err;
} rig;

static int load_list(rig *r, const char *list)
{
    msw_workload_file files[2] = {{"mine.csv", list, strlen(list)},
                                  {"net.csv", NET, sizeof NET - 1}};
    *r = (rig){.workload = {.frontend = &msw_frontend_mix}};
    r->workload.name = msw_strdup("mix:mine.csv");
    msw_params_defaults(camdn_params, &r->config);
    msw_params_defaults(msw_frontend_mix.params, &r->settings);
    r->config.tenants = 1, r->config.tasks = 2, r->config.first = 0;
    r->config.requests = 1024, r->config.burst = 1;
    return msw_workload_load_files(&r->workload, files, 2, &r->err);
}

static void start_rig(rig *r)
{
    assert_ok(msw_frontend_mix.build(r->workload.content, &r->settings, 0, &r->arena, &r->product,
                                     &r->err),
              r->err);
    r->task = (msw_task){.config = &r->config,
                         .product = &r->product,
                         .artifacts = r->artifacts,
                         .arena = &r->arena};
    camdn_rig_artifacts(&r->task, r->artifacts);
    r->state = msw_arena_take(&r->arena, camdn_state_bytes(&r->task));
    assert_ok(camdn_begin(&r->task, r->state, &r->err), r->err);
}

static void measure(rig *r, uint64_t unit, double *totals)
{
    msw_unit_out out = {.totals = totals};
    assert_ok(camdn_measure(&r->task, r->state, 0, unit, &out, &r->err), r->err);
}

static void close_rig(rig *r)
{
    msw_arena_free(&r->arena);
    msw_workload_free(&r->workload);
}

/* A cold task takes 386 cycles, a warm one 283 (README): the second waits for the first, the third
 * comes to a free NPU. Targets: 1000, 500 and 283 cycles; only less than that is in time. */
static void test_a_list_is_replayed_as_it_is(void **state)
{
    (void)state;
    static const double CYCLES[] = {386, 386 + 283, 283}, WAITED[] = {0, 386, 0},
                        GOOD[] = {1, 0, 0};
    double t[CAMDN_METRICS];
    msw_stratum strata[1];
    size_t count;
    rig r;
    assert_ok(load_list(&r, "network,dispatch_ms,qos_ms\nnet.csv,0,0.001\nnet.csv,0,0.0005\n"
                            "net.csv,0.01,0.000283\n"),
              r.err);
    r.config.arrivals = CAMDN_LIST;
    start_rig(&r);
    assert_ok(camdn_strata(&r.task, strata, &count, &r.err), r.err);
    assert_int_equal(strata[0].units, 3);
    for (uint64_t u = 0; u < 3; u++) {
        measure(&r, u, t);
        assert_true(t[CAMDN_CYCLES] == CYCLES[u] && t[CAMDN_WAIT_START] == WAITED[u]);
        assert_true(t[CAMDN_TARGETED] == 1 && t[CAMDN_IN_TIME] == GOOD[u]);
    }
    close_rig(&r);
}

static void test_the_score_chooses(void **state)
{
    (void)state;
    camdn_job list[] = {{.time = 0, .priority = 0, .expected = 100},
                        {.time = 10, .priority = 5, .expected = 100},
                        {.time = 20, .priority = 5, .expected = 10},
                        {.time = 900, .priority = 11, .expected = 1}};
    camdn_jobs jobs = {.list = list, .count = 4, .scored = true};
    assert_int_equal(camdn_jobs_take(&jobs, 100), 2); /* 5 + 8 against 5 + 0.9 and 1 */
    assert_int_equal(camdn_jobs_take(&jobs, 100), 1);
    assert_int_equal(camdn_jobs_take(&jobs, 100), 0);
    assert_true(camdn_jobs_take(&jobs, 100) == UINT64_MAX && camdn_jobs_time(&jobs) == 900);
    for (int i = 0; i < 4; i++)
        list[i].taken = false;
    jobs = (camdn_jobs){.list = list, .count = 4};
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(camdn_jobs_take(&jobs, 1000), i);
}

/* DDR4-3200 at 1 GHz, one line under way: the first of the 64 finds a closed row and takes 1 + 1 +
 * 30 and controller + rcd + cl + bl (1 + 14 + 14 + 3: times are rounded up); none takes less than a
 * hit in an open row, and a warm task does not see the memory at all. */
static void test_banks_take_their_time(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    char map[CAMDN_MAP_BYTES];
    rig r;
    assert_ok(load_list(&r, "network\nnet.csv\n"), r.err);
    r.config.memory = CAMDN_MEMORY_BANKS;
    r.config.requests = 1;
    msw_dram_config dram = camdn_banks_of(&r.config, map);
    assert_string_equal(map + strlen(map) - 3, " ch");
    start_rig(&r);
    measure(&r, 0, t);
    double hit = 32 + dram.controller + dram.t.cl + dram.t.bl, rest = 125 + 32 * 32;
    assert_true(t[CAMDN_READ] == 64 * 64 && t[CAMDN_HITS] == 0);
    assert_true(t[CAMDN_CYCLES] >= 64 * hit + rest);
    assert_true(t[CAMDN_CYCLES] <= 64 * (hit + dram.t.rcd + dram.t.rp + 2) + rest + dram.t.rfc);
    measure(&r, 1, t);
    assert_true(t[CAMDN_CYCLES] == 64 * 32 + 125 + 32 * 32 && t[CAMDN_HITS] == 96);
    close_rig(&r);
}

/* Everything that is found is found with banks, too, whatever lies in the memory's queues. */
static void test_banks_move_the_same(void **state)
{
    (void)state;
    double tasks[2][2][CAMDN_METRICS]; /* without and with banks; cold and warm */
    for (int paged = 0; paged < 2; paged++) {
        for (int banks = 0; banks < 2; banks++) {
            rig r;
            assert_ok(load_list(&r, "network\nnet.csv\n"), r.err);
            r.config.control = paged, r.config.bypass = paged;
            r.config.memory = banks;
            start_rig(&r);
            for (uint64_t u = 0; u < 2; u++)
                measure(&r, u, tasks[banks][u]);
            close_rig(&r);
        }
        for (int u = 0; u < 2; u++) {
            assert_true(tasks[0][u][CAMDN_HITS] == tasks[1][u][CAMDN_HITS]);
            assert_true(tasks[0][u][CAMDN_TRAFFIC] == tasks[1][u][CAMDN_TRAFFIC]);
        }
        assert_true(tasks[0][0][CAMDN_TRAFFIC] > 0);
    }
}

/* 1024 cubed at 2 bytes: accumulators hold 8 blocks in a buffer, so 2 x 2 of them, and 64 x 512 of
 * either operand fills a quarter of the scratchpad: nothing can grow. */
static void test_tiles_by_gemminis_rule(void **state)
{
    (void)state;
    camdn_array array = {.arrays = 1,
                         .rows = 32,
                         .cols = 32,
                         .scratchpad = 262144,
                         .accumulator = 65536,
                         .element_bytes = 2,
                         .sum_bytes = 4};
    camdn_product p = {.size = {1024, 1024, 1024},
                       .block = {32, 32, 32},
                       .bytes = {2097152, 2097152, 2097152},
                       .sums_share = 2,
                       .instances = 1,
                       .steps = 1};
    camdn_step step;
    assert_true(camdn_gemmini(&p, &array, &step));
    assert_true(step.m == 64 && step.n == 64 && step.k == 512);
    array.scratchpad = 1024;
    assert_false(camdn_gemmini(&p, &array, &step));
}

static void expect_refused(const char *list, const char *wanted)
{
    rig r;
    assert_int_equal(load_list(&r, list), -1);
    if (!strstr(r.err.text, wanted))
        fail_msg("wanted '%s' in '%s'", wanted, r.err.text);
    close_rig(&r);
}

static void test_wrong_lists_are_refused(void **state)
{
    (void)state;
    expect_refused("network,dispatch_ms\nnet.csv,2\nnet.csv,1\n", "the order of time");
    expect_refused("network,weight,dispatch_ms\nnet.csv,2,1\n", "one of them");
    expect_refused("network,dispatch_ms\n", "no task");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_is_replayed_as_it_is),
        cmocka_unit_test(test_the_score_chooses),
        cmocka_unit_test(test_banks_take_their_time),
        cmocka_unit_test(test_banks_move_the_same),
        cmocka_unit_test(test_tiles_by_gemminis_rule),
        cmocka_unit_test(test_wrong_lists_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
