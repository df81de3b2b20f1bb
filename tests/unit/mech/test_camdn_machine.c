/* SPDX-License-Identifier: MIT */
/* Does the machine ask for what the mapper's tables say, inside of the tensors, and does a small
 * case take what it takes by hand? */
#include "camdn_rig.h"
#include "direct.h"
#include "streams.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#define HEADER                                                                                     \
    "idx,name,op,block,in,out_elems,w_elems,M,N,K,count,seq,macs,vec_ops,IH,IW,IC,OH,OW,OC,KH,KW," \
    "SH,SW,groups,fuse\n"
#define GEMM                                                                                       \
    HEADER "0,x,input,a,,1024,0,0,0,0,1,1,0,0,0,0,0,32,1,32,1,1,1,1,1,0\n"                         \
           "1,y,gemm,a,0,1024,1024,32,32,32,1,1,32768,0,0,0,0,32,1,32,1,1,1,1,1,0\n"

/* A machine on a network from text, unit by unit. */
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

static void open_rig(rig *r, const char *table)
{
    static const char LIST[] = "network\nnet.csv\n";
    msw_workload_file files[2] = {{"mine.csv", LIST, sizeof LIST - 1},
                                  {"net.csv", table, strlen(table)}};
    *r = (rig){.workload = {.frontend = &msw_frontend_mix}};
    r->workload.name = msw_strdup("mix:mine.csv");
    assert_ok(msw_workload_load_files(&r->workload, files, 2, &r->err), r->err);
    msw_params_defaults(camdn_params, &r->config);
    msw_params_defaults(msw_frontend_mix.params, &r->settings);
    r->config.tenants = 1, r->config.tasks = 2, r->config.first = 0;
    r->config.requests = 1024, r->config.burst = 1;
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

/* 32 x 32 x 32 at 2 bytes: 32 lines each of weights, activations, output; one tile. Line i leaves
 * the port at i + 1, its slice at i + 2 + 30, its channel 2.5 cycles later, and is there 100 after:
 * ceil(i + 34.5) + 100. The array takes 2 x 32 + 32 + 32 - 2 - 1 = 125. Stores: i + 32 after. */
static void test_a_product_by_hand(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r, GEMM);
    start_rig(&r);
    measure(&r, 0, t);
    assert_true(t[CAMDN_CYCLES] == (63 + 35 + 100) + 125 + (31 + 32));
    assert_true(t[CAMDN_COMPUTE] == 125 && t[CAMDN_REQUESTS] == 96 && t[CAMDN_HITS] == 0);
    /* what it leaves dirty is its own to write */
    assert_true(t[CAMDN_READ] == 64 * 64 && t[CAMDN_WRITTEN] == 32 * 64);
    measure(&r, 1, t); /* everything is there */
    assert_true(t[CAMDN_CYCLES] == (63 + 32) + 125 + (31 + 32));
    assert_true(t[CAMDN_HITS] == 96 && t[CAMDN_TRAFFIC] == 0);
    close_rig(&r);
}

/* One line under way: each waits for the one before. */
static void test_one_request_at_a_time_by_hand(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r, GEMM);
    r.config.requests = 1;
    start_rig(&r);
    measure(&r, 0, t);
    assert_true(t[CAMDN_CYCLES] == 64 * 135 + 125 + 32 * 32);
    close_rig(&r);
}

/* Weights that are read once and results pass the cache: they come from and go to memory. */
static void test_streams_pass_by_when_asked_to(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r, GEMM);
    r.config.bypass = 1;
    start_rig(&r);
    measure(&r, 0, t);
    measure(&r, 1, t);
    assert_true(t[CAMDN_HITS] == 32 && t[CAMDN_READ] == 32 * 64 && t[CAMDN_WRITTEN] == 32 * 64);
    close_rig(&r);
}

/* A cache of two lines a set holds nothing of what came before. */
static void test_a_small_cache_writes_back_what_it_loses(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r, GEMM);
    r.config.cache = 2048, r.config.slices = 2, r.config.ways = 2;
    start_rig(&r);
    measure(&r, 0, t);
    measure(&r, 1, t);
    assert_true(t[CAMDN_HITS] == 0 && t[CAMDN_READ] == 64 * 64 && t[CAMDN_WRITTEN] == 32 * 64);
    close_rig(&r);
}

/* The second tenant begins when the first one's operator, its whole task, has ended. */
static void test_tenants_take_turns_by_hand(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    rig r;
    open_rig(&r, GEMM);
    r.config.tenants = 2, r.config.npus = 1, r.config.tasks = 1;
    start_rig(&r);
    measure(&r, 0, t);
    assert_true(t[CAMDN_CYCLES] == 386 && t[CAMDN_WAIT_NPU] == 0);
    measure(&r, 1, t);
    assert_true(t[CAMDN_CYCLES] == 2 * 386 && t[CAMDN_WAIT_NPU] == 386);
    close_rig(&r);
}

/* One tenant goes round over six lines of each set, the other one sees every line once: it keeps
 * one way, the first one has all others. Then the other way round. */
static void test_ways_go_where_they_bring_hits(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, GEMM);
    r.config.tenants = 2, r.config.share = CAMDN_SHARE_UTILITY;
    start_rig(&r);
    camdn_system *s = r.state;
    uint64_t sets = s->npus[0].utility.sets;
    for (uint32_t loser = 1, round = 0; round < 2; round++, loser = 0) {
        for (uint64_t i = 0; i < 60 * sets; i++) {
            camdn_utility_add(s, 1 - loser, i % (6 * sets));
            camdn_utility_add(s, loser, i + (round + 1) * 1000 * sets);
        }
        camdn_utility_deal(s, s->next_deal);
        assert_int_equal(s->npus[0].ways + s->npus[1].ways, 16);
        assert_true(s->npus[1 - loser].ways >= 6);
        if (round == 0)
            assert_int_equal(s->npus[1 - loser].ways, 15);
    }
    close_rig(&r);
}

/* Windows of 100 cycles, 10 lines each: 16 lines carry 6 over, half a window; 20 more make 11 with
 * the one that is left, a whole one; then the carry of 1 is no reason to stop. */
static void test_windows_stop_a_dma_by_hand(void **state)
{
    (void)state;
    camdn_npu n = {
        .dma = {.phase = CAMDN_LOADS}, .time = 40, .throttle = {.window = 100, .limit = 10}};
    camdn_throttle_stop(&n, 8);
    assert_int_equal(n.time, 40);
    n.time = 100;
    camdn_throttle_stop(&n, 8);
    assert_int_equal(n.time, 150);
    n.time = 250;
    camdn_throttle_stop(&n, 20);
    assert_int_equal(n.time, 350);
    n.time = 450;
    camdn_throttle_stop(&n, 10);
    assert_int_equal(n.time, 450);
    assert_int_equal(n.task.now.stopped, 150);
    n.dma.phase = CAMDN_STORES; /* stores are not counted */
    n.time = 1000;
    camdn_throttle_stop(&n, 1000);
    assert_int_equal(n.time, 1000);
}

/* ---- what walks ask for ---- */

static uint64_t lines_of(const camdn_run *run, uint64_t from, uint64_t bytes)
{
    uint64_t lines = 0;
    for (uint64_t r = 0; run->bytes && r < run->rows; r++) {
        uint64_t start = run->address + r * run->stride, end = start + run->bytes;
        assert_true(start >= from && end <= from + bytes);
        lines += msw_div_up(end, 64) - msw_div_up(start, 64);
    }
    return lines;
}

static uint64_t walked_lines(const msw_graph_network *net, uint32_t op, const camdn_step *step,
                             const camdn_array *array, uint64_t *cycles)
{
    camdn_walk w;
    camdn_memory memory = {.line = 64, .sums = (uint64_t)1 << 60};
    camdn_run run;
    uint64_t lines = 0;
    *cycles = 0;
    camdn_walk_start(&w, net, op, step, array, &memory);
    do {
        uint64_t far = memory.sums;
        for (uint32_t part = 0; camdn_walk_load(&w, part, &run); part++)
            lines += run.address >= far ? lines_of(&run, far, far) : lines_of(&run, 0, net->bytes);
        for (uint32_t part = 0; camdn_walk_store(&w, part, &run); part++)
            lines += run.address >= far ? lines_of(&run, far, far) : lines_of(&run, 0, net->bytes);
        *cycles += camdn_walk_cycles(&w);
    } while (camdn_walk_next(&w));
    return lines;
}

static void walk_network(const msw_graph_network *net, const camdn_array *array)
{
    msw_arena kept = {0}, scratch = {0};
    msw_err err = {0};
    double asked = 0, said = 0;
    const camdn_table *table = camdn_map(net, array, &kept, &scratch, &err);
    assert_ok(table ? 0 : -1, err);
    for (uint32_t o = 0; o < net->op_count; o++) {
        const camdn_step *step = camdn_step_within(table, o, 0, 0);
        uint64_t cycles, lines = walked_lines(net, o, step, array, &cycles);
        /* lines that two cuts share, rows at the edge of an image */
        if (fabs(64. * (double)lines / (double)step->npu_bytes - 1) > 0.25 && lines > 2000)
            fail_msg("%s %s: %llu lines, %llu bytes", net->name, net->ops[o].name,
                     (unsigned long long)lines, (unsigned long long)step->npu_bytes);
        assert_int_equal(cycles, camdn_layers(table)[o].cycles);
        asked += 64. * (double)lines;
        said += (double)step->npu_bytes;
    }
    if (getenv("MEMSWEEP_SHOW"))
        printf("%s: asked %.4f of what the table says\n", net->name, asked / said);
    assert_true(fabs(asked / said - 1) < 0.05);
    msw_arena_free(&kept);
    msw_arena_free(&scratch);
}

static void test_walks_ask_for_what_tables_say(void **state)
{
    (void)state;
    stream s;
    camdn_config config;
    msw_params_defaults(camdn_params, &config);
    assert_ok(stream_named(&s, "mix:mobilenet_v2+efficientnet_b0+resnet50+bert_base_s128+gnmt_s1+"
                               "wav2vec2_base_1s+vit_b16"),
              s.err);
    assert_ok(stream_build(&s, 1), s.err);
    const msw_graph_product *p = s.product.data;
    camdn_array array = camdn_array_of(&config, p->element_bytes);
    for (uint32_t n = 0; n < p->count; n++)
        walk_network(&p->networks[n], &array);
    stream_close(&s);
}

/* ---- draws ---- */

static void test_a_deck_holds_every_network_once(void **state)
{
    (void)state;
    msw_graph_network networks[5] = {{.weight = 1}, {.weight = 0}, {.weight = 2}, {.weight = 1}};
    msw_graph_product mix = {.networks = networks, .count = 5, .element_bytes = 2};
    camdn_draws deck = {&mix, 7, CAMDN_DRAW_DECK, 4, 4, mix.count, UINT32_MAX}, any = deck;
    any.draw = CAMDN_DRAW_RANDOM;
    int count[5] = {0};
    for (uint32_t tenant = 0; tenant < 4; tenant++)
        for (uint64_t first = 0; first < 50; first += 5) {
            unsigned seen = 0;
            for (uint64_t k = 0; k < 5; k++)
                seen |= 1U << camdn_draw(&deck, tenant, first + k);
            assert_int_equal(seen, 31);
        }
    for (uint64_t k = 0; k < 4000; k++)
        count[camdn_draw(&any, 3, k)]++;
    assert_int_equal(count[1] + count[4], 0);
    assert_true(abs(count[2] - 2000) < 150 && abs(count[0] - 1000) < 150);
}

/* ---- against the closed form ---- */

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static void test_the_closed_form_moves_the_same_bytes(void **state)
{
    (void)state;
    static const char *const WORKLOADS[] = {"mix:mobilenet_v2", "mix:efficientnet_b0"};
    for (size_t i = 0; i < 2; i++) {
        direct d;
        msw_err err = {0};
        assert_ok(direct_open(&d, msw_mech_find("camdn"), WORKLOADS[i], &err), err);
        direct_set(&d, "tenants", 1 + (double)i);
        direct_set(&d, "tasks", 1);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        double traffic = metric(&d, "traffic"), cycles = metric(&d, "cycles");
        direct_run(&d, MSW_ANALYTIC, 1);
        if (getenv("MEMSWEEP_SHOW"))
            printf("%s: traffic %.4f, cycles %.4f of full\n", WORKLOADS[i],
                   metric(&d, "traffic") / traffic, metric(&d, "cycles") / cycles);
        assert_true(fabs(metric(&d, "traffic") / traffic - 1) < 0.02);
        assert_true(fabs(metric(&d, "cycles") / cycles - 1) < 0.25);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_product_by_hand),
        cmocka_unit_test(test_one_request_at_a_time_by_hand),
        cmocka_unit_test(test_streams_pass_by_when_asked_to),
        cmocka_unit_test(test_a_small_cache_writes_back_what_it_loses),
        cmocka_unit_test(test_tenants_take_turns_by_hand),
        cmocka_unit_test(test_ways_go_where_they_bring_hits),
        cmocka_unit_test(test_windows_stop_a_dma_by_hand),
        cmocka_unit_test(test_walks_ask_for_what_tables_say),
        cmocka_unit_test(test_a_deck_holds_every_network_once),
        cmocka_unit_test(test_the_closed_form_moves_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
