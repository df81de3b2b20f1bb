/* SPDX-License-Identifier: MIT */
/* Defect 470. A cache whose pages NPUs control: does memory see what the plans say, does everybody
 * keep to his pages, are candidates the best ones, does Algorithm 1 keep count? */
#include "camdn_rig.h"
#include "direct.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

static double planned(const camdn_rig *r)
{
    const camdn_plans *plans = r->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_plan *plan = &plans->of[0];
    double bytes = 0;
    for (uint32_t o = 0; o < plan->op_count; o++) {
        const camdn_op_plan *op = &plan->ops[o];
        const camdn_block_plan *b = &plan->blocks[op->block];
        bool block = b->end - b->first > 1 && b->pages <= plans->share &&
                     r->system->expected->block_worth[0][op->block];
        uint32_t choice = camdn_choice(r->system->expected, 0, plan, o, plans->share);
        bytes += block ? op->inside.dram_bytes : op->levels[choice].dram_bytes;
    }
    return bytes;
}

static void compare(const char *workload, int64_t blocks, int64_t pages)
{
    double t[CAMDN_METRICS];
    camdn_rig r;
    camdn_rig_open(&r, workload);
    r.config.allocation = CAMDN_EQUAL, r.config.blocks = blocks;
    r.config.npu_ways = pages;
    camdn_rig_start(&r);
    camdn_rig_measure(&r, t);
    double said = planned(&r);
    if (getenv("MEMSWEEP_SHOW"))
        printf("%s: %.4f of the plan\n", workload, t[CAMDN_TRAFFIC] / said);
    assert_true(fabs(t[CAMDN_TRAFFIC] / said - 1) < 0.01);
    assert_true(t[CAMDN_TRAFFIC] >= 0.999 * t[CAMDN_FUSED_PAGES]);
    assert_true(t[CAMDN_FUSED_PAGES] >= 0.999 * t[CAMDN_FUSED]);
    assert_true(t[CAMDN_CYCLES] == t[CAMDN_COMPUTE] + t[CAMDN_WAIT_CACHE] + t[CAMDN_WAIT_MEMORY] +
                                       t[CAMDN_WAIT_PAGES]);
    camdn_rig_close(&r);
}

static void test_memory_sees_what_plans_say(void **state)
{
    (void)state;
    compare("mix:mobilenet_v2", CAMDN_BLOCKS_TABLE, 12);
    compare("mix:mobilenet_v2", CAMDN_BLOCKS_NONE, 1);
    compare("mix:resnet50", CAMDN_BLOCKS_PAGES, 1);
    compare("mix:bert_base_s128", CAMDN_BLOCKS_NONE, 2);
}

/* ---- who may touch what ---- */

static void expect_failure(camdn_rig *r, const char *text)
{
    double t[CAMDN_METRICS] = {0};
    msw_unit_out out = {.totals = t};
    assert_int_equal(camdn_measure(&r->task, r->system, 0, 0, &out, &r->err), -1);
    if (!strstr(r->err.text, text))
        fail_msg("%s", r->err.text);
    camdn_rig_close(r);
}

static void test_a_page_of_another_is_an_error(void **state)
{
    (void)state;
    camdn_rig r;
    camdn_rig_open(&r, "mix:mobilenet_v2");
    r.config.tenants = 2, r.config.allocation = CAMDN_EQUAL;
    camdn_rig_start(&r);
    for (uint32_t i = 0; i < r.system->npus[0].ptable.count; i++)
        r.system->npus[0].ptable.page[i] = r.system->npus[1].ptable.page[i];
    expect_failure(&r, "which is owner 1's");
}

static void test_a_way_of_the_general_side_is_an_error(void **state)
{
    (void)state;
    camdn_rig r;
    camdn_rig_open(&r, "mix:mobilenet_v2");
    r.config.allocation = CAMDN_EQUAL;
    camdn_rig_start(&r);
    for (uint32_t i = 0; i < r.system->npus[0].ptable.count; i++)
        r.system->npus[0].ptable.page[i] = 0; /* way 0 */
    expect_failure(&r, "the general side's");
}

/* What has tags sees the general ways alone. */
static void test_a_tagged_access_to_a_way_of_pages_is_an_error(void **state)
{
    (void)state;
    uint64_t mask = (uint64_t)1 << 15;
    camdn_rig r;
    camdn_rig_open(&r, "mix/small");
    camdn_rig_start(&r);
    assert_int_equal(msw_shared_cache_mask(&r.system->cache, 0, &mask, &r.err), -1);
    assert_non_null(strstr(r.err.text, "holds pages"));
    camdn_rig_close(&r);
}

/* ---- candidates ---- */

static double cost_of(const camdn_level *all, const uint32_t *at, uint32_t count, uint32_t pages)
{
    double cost = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = i + 1 < count ? all[at[i + 1]].pages : pages + 1;
        cost += all[at[i]].dram_bytes * (double)(end - all[at[i]].pages);
    }
    return cost;
}

/* Whether the three levels that are chosen are no worse than any two or three of all. Returns how
 * many there were to choose from. */
static uint32_t check_levels(const camdn_rig *r, const camdn_planner *p, uint32_t op)
{
    camdn_op_levels all = {0}, three = {0};
    camdn_config config = r->config;
    camdn_planner q = *p;
    q.config = &config;
    config.levels = CAMDN_LEVELS_MAX;
    assert_int_equal(camdn_levels_choose(&q, op, &all), 0);
    config.levels = 3;
    assert_int_equal(camdn_levels_choose(&q, op, &three), 0);
    assert_int_equal(three.levels[0].pages, 0);
    uint32_t at[3] = {0, 1, 2};
    double got = cost_of(three.levels, at, three.count, p->pages);
    for (at[1] = 1; at[1] < all.count; at[1]++)
        for (at[2] = at[1]; at[2] < all.count; at[2]++) {
            uint32_t count = at[2] == at[1] ? 2 : 3;
            assert_true(got <= cost_of(all.levels, at, count, p->pages) * (1 + 1e-12));
        }
    return all.count;
}

static void test_levels_are_the_best_of_all_sets(void **state)
{
    (void)state;
    camdn_rig r;
    camdn_rig_open(&r, "mix:bert_base_s128");
    camdn_rig_start(&r);
    const msw_graph_product *mix = r.s.product.data;
    camdn_planner p = camdn_planner_of(&r.task, &r.arena, &r.arena);
    assert_int_equal(camdn_planner_turn(&p, 0), 0);
    uint32_t most = 0;
    for (uint32_t o = 0; o < mix->networks[0].op_count; o++)
        most = (uint32_t)msw_max_u64(most, check_levels(&r, &p, o));
    assert_true(most > 3);
    camdn_rig_close(&r);
}

/* ---- Algorithm 1 ---- */

static uint32_t counted_pages(const camdn_system *s)
{
    uint32_t pages = s->pool.idle_count;
    for (uint32_t i = 0; i < s->count; i++)
        pages += s->npus[i].ptable.count;
    return pages;
}

static void test_pages_are_neither_lost_nor_made(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    camdn_rig r;
    camdn_rig_open(&r, "mix:mobilenet_v2+efficientnet_b0");
    r.config.tenants = 4, r.config.npu_ways = 2; /* 64 pages: they have to wait */
    camdn_rig_start(&r);
    assert_int_equal(counted_pages(r.system), 64);
    camdn_rig_measure(&r, t);
    assert_int_equal(counted_pages(r.system), 64);
    assert_true(t[CAMDN_WAIT_PAGES] > 0);
    assert_true(r.system->pool.tickets > 0);
    camdn_rig_close(&r);
}

/* Nobody waits longer than his time-outs, one for each level. */
static void test_without_patience_nobody_waits(void **state)
{
    (void)state;
    double t[CAMDN_METRICS];
    camdn_rig r;
    camdn_rig_open(&r, "mix:mobilenet_v2");
    r.config.tenants = 4, r.config.npu_ways = 1, r.config.timeout = 0, r.config.page_cycles = 0;
    camdn_rig_start(&r);
    camdn_rig_measure(&r, t);
    assert_true(t[CAMDN_WAIT_PAGES] == 0);
    camdn_rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_sees_what_plans_say),
        cmocka_unit_test(test_a_page_of_another_is_an_error),
        cmocka_unit_test(test_a_way_of_the_general_side_is_an_error),
        cmocka_unit_test(test_a_tagged_access_to_a_way_of_pages_is_an_error),
        cmocka_unit_test(test_levels_are_the_best_of_all_sets),
        cmocka_unit_test(test_pages_are_neither_lost_nor_made),
        cmocka_unit_test(test_without_patience_nobody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
