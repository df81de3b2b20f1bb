/* SPDX-License-Identifier: MIT */
/* Does one pass give the misses of every number of ways? */
#include "cache_streams.h"
#include "testing.h"

#include "memsweep/sim/cache.h"
#include "memsweep/sim/utility.h"

#include <stdlib.h>

enum { ACCESSES = 1500, WAYS = 20 };

static uint64_t simulated(const uint64_t *keys, uint32_t sets, uint32_t ways, uint32_t every)
{
    msw_err err;
    msw_cache cache;
    msw_cache_config config = {.line_bytes = 1, .slices = 1, .sets = sets, .ways = ways};
    void *memory = malloc(msw_cache_bytes(&config));
    uint64_t misses = 0;
    assert_ok(msw_cache_init(&cache, &config, memory, &err), err);
    for (int i = 0; i < ACCESSES; i++)
        misses += !msw_cache_ask(&cache, &(msw_cache_request){.address = keys[i]}).hit &&
                  keys[i] % sets % every == 0;
    free(memory);
    return misses;
}

static void one_pass_gives_every_size(void **state)
{
    (void)state;
    static const msw_utility_config SHAPES[] = {
        {1, WAYS, 0}, {4, WAYS, 1}, {7, WAYS, 3}, {64, WAYS, 8}};
    uint64_t keys[ACCESSES];
    for (int s = 0; s < CACHE_STREAMS; s++)
        for (int shape = s % 2; shape < 4; shape += 2) {
            msw_err err;
            msw_utility utility;
            const msw_utility_config *c = &SHAPES[shape];
            uint32_t every = c->every ? c->every : 1;
            void *memory = malloc(msw_utility_bytes(c));
            assert_ok(msw_utility_init(&utility, c, memory, &err), err);
            cache_stream(s, (uint64_t)c->sets * 10, keys, ACCESSES);
            for (int i = 0; i < ACCESSES; i++)
                msw_utility_add(&utility, (uint32_t)(keys[i] % c->sets), keys[i]);
            for (uint32_t ways = 1; ways <= WAYS; ways++)
                assert_int_equal(msw_utility_misses(&utility, ways),
                                 simulated(keys, c->sets, ways, every));
            assert_int_equal(msw_utility_misses(&utility, 0), utility.accesses);
            free(memory);
        }
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    static const msw_utility_config BAD[] = {{0, 4, 1}, {4, 0, 1}, {1u << 20, 1u << 10, 1}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_utility utility;
        msw_err err = {0};
        assert_int_equal(msw_utility_init(&utility, &BAD[i], NULL, &err), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_gives_every_size),
        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests_name("sim utility", tests, NULL, NULL);
}
