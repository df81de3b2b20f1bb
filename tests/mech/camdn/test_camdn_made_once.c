/* SPDX-License-Identifier: MIT */
/* Defect 815. Do tables, levels, plans and visits depend on what they are said to depend on, and on
 * nothing else? A parameter that is left out would give a point the plans of another one; one that
 * is there for nothing makes them anew for every point, as bandwidth, latencies and lines under
 * way did. */
#include "camdn_rig.h"
#include "testing.h"

#include "mech/camdn/closed/visits.h"
#include "mech/camdn/plan/plan.h"

#include "memsweep/base/hash.h"

#include <stdio.h>
#include <string.h>

typedef struct rig {
    stream s;
    camdn_config config;
    const void *artifacts[CAMDN_ARTIFACTS];
} rig;

static void add(msw_digest *d, const void *bytes, size_t size)
{
    *d = msw_hash_pair(*d, msw_hash_bytes(bytes, size));
}

static void digest_tables(const camdn_tables *tables, msw_digest *d)
{
    for (uint32_t i = 0; i < tables->count; i++)
        add(d, tables->of[i], camdn_table_bytes(tables->of[i]));
}

static void digest_levels(const camdn_levels *levels, const msw_graph_product *mix, msw_digest *d)
{
    for (uint32_t i = 0; i < mix->count; i++) {
        for (uint32_t o = 0; o < mix->networks[i].op_count; o++)
            add(d, levels->of[i][o].levels, levels->of[i][o].count * sizeof(camdn_level));
        add(d, &levels->fused_pages[i], sizeof levels->fused_pages[i]);
    }
}

static void digest_plan(const camdn_plan *plan, msw_digest *d)
{
    add(d, plan->blocks, plan->block_count * sizeof *plan->blocks);
    for (uint32_t o = 0; o < plan->op_count; o++) {
        const camdn_op_plan *op = &plan->ops[o];
        add(d, op->levels, op->count * sizeof *op->levels);
        add(d, &op->inside, sizeof op->inside);
        add(d, &op->block, sizeof op->block);
    }
}

static void digest_plans(const camdn_plans *plans, const msw_graph_product *mix, msw_digest *d)
{
    const uint32_t numbers[] = {plans->pages, plans->share, plans->page_lines};
    add(d, numbers, sizeof numbers);
    for (uint32_t i = 0; i < mix->count; i++) {
        digest_plan(&plans->of[i], d);
        add(d, &plans->limits[i], sizeof plans->limits[i]);
    }
}

/* Digests of all, made for a config. */
static void make(const rig *r, const camdn_config *config, msw_digest *made)
{
    const void *artifacts[CAMDN_ARTIFACTS];
    const msw_graph_product *mix = r->s.product.data;
    msw_arena arena = {0};
    msw_err err = {0};
    msw_task task = {
        .config = config, .product = &r->s.product, .artifacts = artifacts, .arena = &arena};
    camdn_rig_artifacts(&task, artifacts);
    assert_ok(camdn_visits_build(&task, NULL, &arena, &artifacts[3], &err), err);
    memset(made, 0, CAMDN_ARTIFACTS * sizeof *made);
    digest_tables(artifacts[0], &made[0]);
    digest_levels(artifacts[1], mix, &made[1]);
    digest_plans(artifacts[2], mix, &made[2]);
    const camdn_visits *visits = artifacts[3];
    for (uint32_t i = 0; i < mix->count; i++)
        add(&made[3], visits->of[i], mix->networks[i].op_count * sizeof *visits->of[i]);
    msw_arena_free(&arena);
}

static bool is_in(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* Of a parameter that differs from a config's the n-th value to try; NAN: no more. */
static double value_of(const msw_param *p, const camdn_config *config, int n)
{
    double now = msw_param_get(p, config), found[4], all[] = {p->min, 2 * now, now / 2, p->max};
    int count = 0;
    if (p->kind == MSW_FLAG)
        return n == 0 ? 1 - now : NAN;
    if (p->kind == MSW_CHOICE)
        return n < (int)msw_param_choices(p) ? n : NAN;
    for (int i = 0; i < 4; i++)
        if (all[i] >= p->min && all[i] <= p->max && (i != 2 || fmod(now, 2) == 0))
            found[count++] = all[i];
    return n < count ? found[n] : NAN;
}

static const char *const *const DEPENDS[] = {camdn_tables_depends, camdn_levels_depends,
                                             camdn_plans_depends, camdn_visits_depends};

static void open_rig(rig *r)
{
    *r = (rig){0};
    assert_ok(stream_named(&r->s, "mix:mobilenet_v2"), r->s.err);
    assert_ok(stream_build(&r->s, 1), r->s.err);
    msw_params_defaults(camdn_params, &r->config);
    r->config.cache = 1 << 20; /* else everything fits */
    r->config.pages = 256;
}

static void test_what_is_not_named_changes_nothing(void **state)
{
    (void)state;
    rig r;
    msw_digest base[CAMDN_ARTIFACTS], now[CAMDN_ARTIFACTS];
    open_rig(&r);
    make(&r, &r.config, base);
    for (const msw_param *p = camdn_params; p->name; p++) {
        double value;
        if (is_in(camdn_tables_depends, p->name) && is_in(camdn_plans_depends, p->name))
            continue; /* of all */
        for (int n = 0; !isnan(value = value_of(p, &r.config, n)); n++) {
            camdn_config config = r.config;
            msw_param_set(p, &config, value);
            if (is_in(camdn_plans_depends, p->name) && camdn_check(&config, &(msw_err){0}))
                continue; /* no such cache */
            make(&r, &config, now);
            for (int a = 0; a < CAMDN_ARTIFACTS; a++)
                if (!is_in(DEPENDS[a], p->name) && !msw_digest_equal(now[a], base[a]))
                    fail_msg("artifact %d depends on %s", a, p->name);
        }
    }
    stream_close(&r.s);
}

/* Each name of the lists of levels and plans, but for those of the NPU, is there for something. */
static void test_what_is_named_changes_something(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        int first; /* artifact */
    } CHANGES[] = {{"cache_size", 2 << 20, 1}, {"cache_ways", 32, 1},
                   {"cache_line", 128, 1},     {"npu_ways", 4, 1},
                   {"cache_pages", 64, 1},     {"levels", 1, 1},
                   {"tenants", 3, 2},          {"blocks", CAMDN_BLOCKS_PAGES, 2},
                   {"page_size", 65536, 3}};
    rig r;
    msw_digest base[CAMDN_ARTIFACTS], now[CAMDN_ARTIFACTS];
    open_rig(&r);
    make(&r, &r.config, base);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        camdn_config config = r.config;
        msw_param_set(msw_params_find(camdn_params, CHANGES[i].name), &config, CHANGES[i].value);
        make(&r, &config, now);
        for (int a = 0; a < CAMDN_ARTIFACTS; a++) {
            bool named = a < CAMDN_ARTIFACT_VISITS ? a >= CHANGES[i].first
                                                   : is_in(camdn_visits_depends, CHANGES[i].name);
            if (named == msw_digest_equal(now[a], base[a]))
                fail_msg("artifact %d and %s", a, CHANGES[i].name);
        }
    }
    stream_close(&r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_not_named_changes_nothing),
                                       cmocka_unit_test(test_what_is_named_changes_something)};
    return cmocka_run_group_tests_name("camdn_made_once", tests, NULL, NULL);
}
