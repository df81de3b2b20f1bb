/* SPDX-License-Identifier: MIT */
/* Does one pass over a stream count the hits of simulated caches? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/cache.h"
#include "memsweep/sim/reuse.h"
#include "testing.h"

#include <stdlib.h>

enum { KEYS = 2000, ACCESSES = 200000 };

/* Running sums of Zipf popularities. */
static void zipf(double exponent, double upto[KEYS])
{
    double sum = 0;
    for (int i = 0; i < KEYS; i++)
        sum += pow(i + 1, -exponent);
    for (int i = 0; i < KEYS; i++)
        upto[i] = pow(i + 1, -exponent) / sum + (i ? upto[i - 1] : 0);
}

static uint64_t draw(msw_rng *rng, const double upto[KEYS])
{
    double u = msw_rng_uniform(rng);
    int low = 0, high = KEYS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (upto[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return msw_permute((uint64_t)low, KEYS, 5); /* so that sets do not follow popularity */
}

static uint64_t *zipf_stream(double exponent)
{
    double upto[KEYS];
    uint64_t *stream = malloc(ACCESSES * sizeof *stream);
    msw_rng rng;
    msw_rng_init(&rng, 12, 0);
    zipf(exponent, upto);
    for (int i = 0; i < ACCESSES; i++)
        stream[i] = draw(&rng, upto);
    return stream;
}

static uint64_t simulated_hits(const uint64_t *stream, uint32_t lines)
{
    msw_err err;
    msw_cache_config config = {.line_bytes = 1, .slices = 1, .sets = 1, .ways = lines};
    msw_cache cache;
    void *memory = malloc(msw_cache_bytes(&config));
    assert_ok(msw_cache_init(&cache, &config, memory, &err), err);
    for (int i = 0; i < ACCESSES; i++)
        msw_cache_ask(&cache, &(msw_cache_request){.address = stream[i]});
    uint64_t hits = cache.stats[0].hits;
    free(memory);
    return hits;
}

static void profile_of(msw_reuse *reuse, const uint64_t *stream, void **memory)
{
    msw_err err;
    *memory = malloc(msw_reuse_bytes(KEYS));
    assert_ok(msw_reuse_init(reuse, KEYS, *memory, &err), err);
    for (int i = 0; i < ACCESSES; i++)
        assert_ok(msw_reuse_add(reuse, stream[i], &err), err);
}

/* One pass gives the exact hits of every fully associative size. */
static void stack_distances_are_exact(void **state)
{
    (void)state;
    uint64_t *stream = zipf_stream(0.8);
    msw_reuse reuse;
    void *memory;
    profile_of(&reuse, stream, &memory);
    for (uint32_t lines = 1; lines <= KEYS; lines = lines * 3 / 2 + 1)
        assert_int_equal(msw_reuse_hits(&reuse, lines), simulated_hits(stream, lines));
    assert_int_equal(msw_reuse_hits(&reuse, KEYS) + reuse.cold, ACCESSES);
    free(memory);
    free(stream);
}

/* A cycle over n keys: distance n - 1 for ever, so all or nothing. */
static void cyclic_stream_is_all_or_nothing(void **state)
{
    (void)state;
    msw_err err;
    msw_reuse reuse;
    void *memory = malloc(msw_reuse_bytes(100));
    assert_ok(msw_reuse_init(&reuse, 100, memory, &err), err);
    for (uint64_t i = 0; i < 5000; i++)
        assert_ok(msw_reuse_add(&reuse, i % 100, &err), err);
    assert_int_equal(msw_reuse_hits(&reuse, 99), 0);
    assert_int_equal(msw_reuse_hits(&reuse, 100), 4900);
    assert_int_equal(msw_reuse_add(&reuse, 100, &err), -1);
    assert_int_equal(msw_reuse_init(&reuse, 0, memory, &err), -1);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_distances_are_exact),
        cmocka_unit_test(cyclic_stream_is_all_or_nothing),
    };
    return cmocka_run_group_tests_name("sim reuse", tests, NULL, NULL);
}
