/* SPDX-License-Identifier: MIT */
/* Defect 621. Does a line of a tensor whose rows are cut lie in one place, however many lines
 * leave together? Lines of a row lie in a ring; a group that ran over its end wrote over the next
 * row's. */
#include "camdn_rig.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include "memsweep/base/hash.h"

/* Which lines of the pages are dirty when a task has run. */
static msw_digest dirty_with(int64_t burst)
{
    stream s;
    msw_arena arena = {0};
    msw_err err = {0};
    camdn_config config;
    const void *artifacts[CAMDN_ARTIFACTS];
    assert_ok(stream_named(&s, "mix:mobilenet_v2"), s.err);
    assert_ok(stream_build(&s, 1), s.err);
    msw_params_defaults(camdn_params, &config);
    config.control = CAMDN_PAGED, config.allocation = CAMDN_EQUAL, config.bypass = 1;
    config.tenants = 1, config.tasks = 1, config.first = 0, config.burst = burst;
    msw_task task = {
        .config = &config, .product = &s.product, .artifacts = artifacts, .arena = &arena};
    camdn_rig_artifacts(&task, artifacts);
    camdn_system *system = msw_arena_take(&arena, camdn_state_bytes(&task));
    assert_ok(camdn_begin(&task, system, &err), err);
    assert_non_null(camdn_system_run(system, &task, 0, &err));
    const msw_shared_cache *cache = &system->cache;
    msw_digest dirty =
        msw_hash_bytes(cache->dirty, (size_t)cache->pages * cache->words * sizeof *cache->dirty);
    msw_arena_free(&arena);
    stream_close(&s);
    return dirty;
}

static void places_do_not_depend_on_groups(void **state)
{
    (void)state;
    msw_digest one = dirty_with(1), four = dirty_with(4), many = dirty_with(32);
    assert_memory_equal(&one, &four, sizeof one);
    assert_memory_equal(&one, &many, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_do_not_depend_on_groups)};
    return cmocka_run_group_tests_name("camdn_cut_rows", tests, NULL, NULL);
}
