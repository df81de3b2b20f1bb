/* SPDX-License-Identifier: MIT */
/* Do the closed forms of caching agree with simulated caches? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/cache.h"
#include "memsweep/sim/reuse.h"
#include "testing.h"

#include <stdlib.h>

enum { KEYS = 2000, ACCESSES = 200000 };

/* Zipf popularities and their running sums. */
static void zipf(double exponent, double popularity[KEYS], double upto[KEYS])
{
    double sum = 0;
    for (int i = 0; i < KEYS; i++)
        sum += popularity[i] = pow(i + 1, -exponent);
    for (int i = 0; i < KEYS; i++) {
        popularity[i] /= sum;
        upto[i] = popularity[i] + (i ? upto[i - 1] : 0);
    }
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

static uint64_t *zipf_stream(double exponent, double popularity[KEYS])
{
    double upto[KEYS];
    uint64_t *stream = malloc(ACCESSES * sizeof *stream);
    msw_rng rng;
    msw_rng_init(&rng, 12, 0);
    zipf(exponent, popularity, upto);
    for (int i = 0; i < ACCESSES; i++)
        stream[i] = draw(&rng, upto);
    return stream;
}

static uint64_t simulated_hits(const uint64_t *stream, uint32_t sets, uint32_t ways,
                               msw_policy policy)
{
    msw_err err;
    msw_cache_config config = {
        .line_bytes = 1, .slices = 1, .sets = sets, .ways = ways, .policy = policy};
    msw_cache cache;
    void *memory = malloc(msw_cache_bytes(&config));
    assert_ok(msw_cache_init(&cache, &config, memory, &err), err);
    for (int i = 0; i < ACCESSES; i++)
        msw_cache_access(&cache, 0, stream[i], false);
    uint64_t hits = msw_cache_total(&cache).hits;
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
    double popularity[KEYS];
    uint64_t *stream = zipf_stream(0.8, popularity);
    msw_reuse reuse;
    void *memory;
    profile_of(&reuse, stream, &memory);
    for (uint32_t lines = 1; lines <= KEYS; lines = lines * 3 / 2 + 1)
        assert_int_equal(msw_reuse_hits(&reuse, lines),
                         simulated_hits(stream, 1, lines, MSW_POLICY_LRU));
    assert_int_equal(msw_reuse_hits(&reuse, KEYS) + reuse.cold, ACCESSES);
    free(memory);
    free(stream);
}

static void set_associative_estimate(void **state)
{
    (void)state;
    static const uint32_t SHAPES[][2] = {{64, 1}, {64, 4}, {16, 16}, {100, 2}, {128, 8}};
    double popularity[KEYS], scratch[16];
    uint64_t *stream = zipf_stream(0.8, popularity);
    msw_reuse reuse;
    void *memory;
    profile_of(&reuse, stream, &memory);
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        double simulated =
            (double)simulated_hits(stream, SHAPES[s][0], SHAPES[s][1], MSW_POLICY_LRU) / ACCESSES;
        assert_near(msw_reuse_hit_rate(&reuse, SHAPES[s][0], SHAPES[s][1], scratch), simulated,
                    0.02);
    }
    /* One set is the exact case. */
    assert_near(msw_reuse_hit_rate(&reuse, 1, 16, scratch),
                (double)msw_reuse_hits(&reuse, 16) / ACCESSES, 1e-12);
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

static void characteristic_time_is_close(void **state)
{
    (void)state;
    static const double EXPONENTS[] = {0.6, 0.9, 1.2};
    static const uint32_t LINES[] = {20, 100, 500, 1500};
    double popularity[KEYS];
    for (size_t e = 0; e < 3; e++) {
        uint64_t *stream = zipf_stream(EXPONENTS[e], popularity);
        for (size_t i = 0; i < 4; i++) {
            double lru = (double)simulated_hits(stream, 1, LINES[i], MSW_POLICY_LRU) / ACCESSES;
            double fifo = (double)simulated_hits(stream, 1, LINES[i], MSW_POLICY_FIFO) / ACCESSES;
            /* Cold misses are not in the closed form. */
            double cold = (double)LINES[i] / ACCESSES;
            assert_near(msw_che_hit_rate(popularity, KEYS, LINES[i], MSW_CHE_LRU), lru + cold / 2,
                        0.01);
            assert_near(msw_che_hit_rate(popularity, KEYS, LINES[i], MSW_CHE_FIFO_OR_RANDOM),
                        fifo + cold / 2, 0.01);
        }
        free(stream);
    }
}

/* Equal popularity: the hit rate is lines / keys whatever the policy. */
static void equal_popularity(void **state)
{
    (void)state;
    double popularity[KEYS];
    for (int i = 0; i < KEYS; i++)
        popularity[i] = 1.0 / KEYS;
    assert_near(msw_che_hit_rate(popularity, KEYS, 500, MSW_CHE_LRU), 0.25, 1e-9);
    assert_near(msw_che_hit_rate(popularity, KEYS, 500, MSW_CHE_FIFO_OR_RANDOM), 0.25, 1e-9);
    assert_near(msw_che_hit_rate(popularity, KEYS, KEYS, MSW_CHE_LRU), 1, 0);
    assert_near(msw_che_hit_rate(popularity, KEYS, 0, MSW_CHE_LRU), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_distances_are_exact),
        cmocka_unit_test(set_associative_estimate),
        cmocka_unit_test(cyclic_stream_is_all_or_nothing),
        cmocka_unit_test(characteristic_time_is_close),
        cmocka_unit_test(equal_popularity),
    };
    return cmocka_run_group_tests_name("sim reuse", tests, NULL, NULL);
}
