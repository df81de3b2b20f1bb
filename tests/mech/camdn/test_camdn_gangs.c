/* SPDX-License-Identifier: MIT */
/* Defect 630. Several NPUs for a task, who gets them, bandwidth by other policies, metrics of
 * service: do they do by hand what the README says? */
#include "camdn_rig.h"
#include "direct.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include <math.h>

#define NET                                                                                        \
    "idx,name,op,block,in,out_elems,w_elems,M,N,K,count,seq,macs,vec_ops,IH,IW,IC,OH,OW,OC,KH,KW," \
    "SH,SW,groups,fuse\n0,x,input,a,,8192,0,0,0,0,1,1,0,0,0,0,0,256,1,32,1,1,1,1,1,0\n"            \
    "1,y,gemm,a,0,8192,1024,256,32,32,1,1,262144,0,0,0,0,256,1,32,1,1,1,1,1,0\n"
#define LIST "network,dispatch_ms,qos_ms\nnet.csv,0,1\nnet.csv,1,1\n"

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

/* One network on four NPUs, two tasks far from one another. */
static void open_rig(rig *r)
{
    msw_workload_file files[2] = {{"mine.csv", LIST, sizeof LIST - 1},
                                  {"net.csv", NET, sizeof NET - 1}};
    *r = (rig){.workload = {.frontend = &msw_frontend_mix}};
    r->workload.name = msw_strdup("mix:mine.csv");
    assert_ok(msw_workload_load_files(&r->workload, files, 2, &r->err), r->err);
    msw_params_defaults(camdn_params, &r->config);
    msw_params_defaults(msw_frontend_mix.params, &r->settings);
    r->config.tenants = 4, r->config.arrivals = CAMDN_LIST;
    r->config.npu_policy = CAMDN_GANG_STATIC;
}

static void run(rig *r, double *totals)
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
    msw_unit_out out = {.totals = totals};
    assert_ok(camdn_measure(&r->task, r->state, 0, 0, &out, &r->err), r->err);
}

static void close_rig(rig *r)
{
    msw_arena_free(&r->arena);
    msw_workload_free(&r->workload);
}

static void measure(int64_t gang, int64_t multicast, int64_t control, double *totals)
{
    rig r;
    open_rig(&r);
    r.config.gang = gang, r.config.multicast = multicast;
    r.config.control = r.config.bypass = control;
    run(&r, totals);
    close_rig(&r);
}

/* 256 rows of 32 x 32: 8 blocks along M, one along N. Four NPUs take two blocks each, in one step:
 * 256 lines of activations, 256 of results, and 32 of weights, which three of them ask for again
 * where nothing is multicast: with bypass from memory. */
static void test_a_split_by_hand(void **state)
{
    (void)state;
    for (int control = 0; control < 2; control++) {
        double one[CAMDN_METRICS], four[CAMDN_METRICS], apart[CAMDN_METRICS];
        measure(1, 1, control, one);
        measure(4, 1, control, four);
        measure(4, 0, control, apart);
        assert_true(one[CAMDN_REQUESTS] == 544 && four[CAMDN_REQUESTS] == 544);
        assert_true(apart[CAMDN_REQUESTS] == 544 + 3 * 32);
        assert_true(four[CAMDN_COMPUTE] == floor(one[CAMDN_COMPUTE] / 4 + 0.5));
        assert_true(one[CAMDN_READ] == 288 * 64 && four[CAMDN_READ] == 288 * 64);
        assert_true(apart[CAMDN_READ] == (288 + (control ? 96 : 0)) * 64);
        assert_true(four[CAMDN_CYCLES] < one[CAMDN_CYCLES]);
    }
}

/* What stays in part of an operand with the split dimension leaves the tile as it is. */
static void test_kept_parts_keep_their_size(void **state)
{
    (void)state;
    msw_graph_tensor tensors[3] = {{.bytes = 65536}, {.bytes = 65536}, {.bytes = 65536}};
    uint32_t reads[1] = {0};
    msw_graph_op op = {.kind = MSW_GRAPH_MATRIX, .m = 1024, .n = 32, .k = 32, .count = 1, .seq = 1};
    op.read_count = 1, op.weight = 1, op.output = 2, op.touched_bytes = 2048;
    msw_graph_network net = {.ops = &op, .tensors = tensors, .reads = reads, .op_count = 1};
    camdn_array array = {.arrays = 1, .rows = 32, .cols = 32, .element_bytes = 2, .sum_bytes = 4};
    camdn_step step = {.m = 128, .n = 32, .k = 32};
    camdn_split s = camdn_split_of(&net, 0, &step, &array, 3200, 4);
    assert_true(s.step.m == 512 && s.step.n == 32 && s.cycles == 800);
    assert_int_equal(s.common, CAMDN_COMMON_W);
    step.stay[CAMDN_A] = CAMDN_STAY_PART;
    s = camdn_split_of(&net, 0, &step, &array, 3200, 4);
    assert_true(s.step.m == 128 && s.cycles == 800); /* a block of each tile */
    s = camdn_split_of(&net, 0, &step, &array, 3200, 1);
    assert_true(s.step.m == 128 && s.cycles == 3200 && s.common == CAMDN_COMMON_NONE);
}

static const double LEFT[] = {1000, 600, 400}; /* on 1, 2, 4 NPUs */

static void test_auroras_rules_by_hand(void **state)
{
    (void)state;
    camdn_claim c = {.left = LEFT, .width = 1};
    static const struct {
        double slack;
        uint32_t size;
    } CASES[] = {{399, 1}, {500, 4}, {599, 4}, {600, 2}, {899, 2}, {900, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        c.slack = CASES[i].slack;
        assert_int_equal(camdn_aurora_size(&c, false), CASES[i].size);
    }
    assert_int_equal(camdn_aurora_size(&c, true), 2);
    assert_true(camdn_aurora_score(&c) == 90);
    /* takes from who has time: twice the score, and nobody richer holds more than one */
    camdn_claim poor = {.slack = 400, .left = LEFT, .width = 1}; /* score 40 */
    camdn_claim rich = {.slack = 2000, .left = LEFT, .width = 2};
    camdn_claim own = {.slack = 900, .left = LEFT, .width = 2}; /* score 150 */
    assert_int_equal(camdn_aurora_change(&own, &poor, 1, 8), 1);
    camdn_claim both[] = {poor, rich};
    assert_int_equal(camdn_aurora_change(&own, both, 2, 0), 2);
    own.slack = 399; /* hopeless: gives while few are idle */
    assert_int_equal(camdn_aurora_change(&own, NULL, 0, 3), 1);
    assert_int_equal(camdn_aurora_change(&own, NULL, 0, 4), 2);
    own.slack = 2401; /* 400.2: relaxed */
    assert_int_equal(camdn_aurora_change(&own, NULL, 0, 1), 1);
    assert_int_equal(camdn_aurora_change(&own, NULL, 0, 2), 4);
    own.slack = 700; /* 117: a later one is served first, one with more time is not */
    camdn_claim later = {.slack = 700, .left = LEFT, .width = 1};
    assert_int_equal(camdn_aurora_change(&own, &later, 1, 8), 2);
    later.slack = 1200;
    assert_int_equal(camdn_aurora_change(&own, &later, 1, 8), 4);
    assert_int_equal(camdn_equal_size(16, 4, 4), 4);
    assert_int_equal(camdn_equal_size(16, 5, 4), 2);
    assert_int_equal(camdn_equal_size(16, 40, 4), 1);
}

static void test_bandwidth_is_split(void **state)
{
    (void)state;
    static const double OTHERS[] = {10, 90, 80};
    assert_true(camdn_rate_equal(5, OTHERS, 3) == 5);
    assert_true(fabs(camdn_rate_equal(70, OTHERS, 3) - 30) < 1e-9);
    assert_true(camdn_rate_equal(10, OTHERS, 1) == 10);
    assert_true(camdn_rate_aurora(50, 10, 70, 700) == 50);
    assert_true(camdn_rate_aurora(50, 10, 90, 1500) == 50 - 20 * 1500.0 / 2000);
    assert_true(camdn_rate_aurora(50, 1, 500, 50000) == 5);
}

static void test_service_by_hand(void **state)
{
    (void)state;
    camdn_served n[3] = {{.tasks = 4, .targeted = 4, .in_time = 1, .cycles = 400, .alone = 50},
                         {.tasks = 1, .targeted = 1, .in_time = 1, .cycles = 80, .alone = 20},
                         {.tasks = 0}};
    camdn_service s = camdn_service_of(n, 3);
    assert_true(s.stp == 0.75 && s.fairness == 0.5 && s.sla == 0.4 && s.unmet == 0);
    assert_true(fabs(s.sla_geomean - 0.5) < 1e-12 && s.networks == 2);
    n[0].in_time = 0;
    s = camdn_service_of(n, 3);
    assert_true(s.sla_geomean == 0 && s.unmet == 1 && s.sla == 0.2);
}

static void test_urgency_leaves_the_hopeless(void **state)
{
    (void)state;
    camdn_job list[] = {{.time = 0, .target = 150, .expected = 100},
                        {.time = 40, .target = 400, .expected = 100},
                        {.time = 50, .target = 400, .expected = 20}};
    camdn_jobs jobs = {.list = list, .count = 3, .scored = true, .urgent = true};
    assert_int_equal(camdn_jobs_take(&jobs, 100), 2); /* 2.5 against 0.6; the first has 50 left */
    assert_int_equal(camdn_jobs_take(&jobs, 100), 1);
    assert_int_equal(camdn_jobs_take(&jobs, 100), 0);
}

/* 544 lines asked for, 288 read, 256 left dirty: bytes x 160 pJ; 262,144 products. */
static void test_energy_by_hand(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    measure(1, 1, 0, t);
    assert_true(fabs(t[CAMDN_ENERGY_MEMORY] - 544 * 64 * 0.16) < 1e-6);
    assert_true(t[CAMDN_ENERGY_NPU] > 262144 * 0.002 && t[CAMDN_ENERGY_CACHE] > 0);
    assert_true(fabs(t[CAMDN_ENERGY] - t[CAMDN_ENERGY_MEMORY] - t[CAMDN_ENERGY_CACHE] -
                     t[CAMDN_ENERGY_NPU]) < 1e-9);
}

/* Who waits for a task asks for no bandwidth: it had counted among the others' needs until its next
 * task began. Its NPUs are idle, too. */
static void test_who_is_idle_asks_for_nothing(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r);
    r.config.throttle = 1;
    run(&r, t);
    const camdn_system *s = r.state;
    assert_int_equal(s->npus[0].stage, CAMDN_IDLE);
    assert_true(s->npus[0].throttle.own == 0);
    assert_int_equal(s->free_npus, 4);
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_split_by_hand),
        cmocka_unit_test(test_kept_parts_keep_their_size),
        cmocka_unit_test(test_auroras_rules_by_hand),
        cmocka_unit_test(test_bandwidth_is_split),
        cmocka_unit_test(test_service_by_hand),
        cmocka_unit_test(test_urgency_leaves_the_hopeless),
        cmocka_unit_test(test_energy_by_hand),
        cmocka_unit_test(test_who_is_idle_asks_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
