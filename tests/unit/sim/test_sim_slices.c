/* SPDX-License-Identifier: MIT */
/* Are lines spread over slices by the stated hashes, and do slices take their time? */
#include "testing.h"

#include "memsweep/sim/cache.h"
#include "memsweep/sim/slices.h"

#include <stdlib.h>
#include <string.h>

static msw_cache *cache_new(const msw_cache_config *config)
{
    msw_err err;
    msw_cache *cache = malloc(sizeof *cache + 64 + msw_cache_bytes(config));
    assert_ok(msw_cache_init(cache, config, (char *)cache + (sizeof *cache + 63) / 64 * 64, &err),
              err);
    return cache;
}

/* The definitions, bit by bit. Maurice et al. 2015 give the bits of the address. */
static uint32_t plain_slice(msw_slice_hash hash, uint32_t bits, uint64_t address)
{
    static const int BITS[3][24] = {
        {6, 10, 12, 14, 16, 17, 18, 20, 22, 24, 25, 26, 27, 28, 30, 32, 33, 35, 36},
        {7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 24, 26, 28, 29, 31, 33, 34, 35, 37},
        {8, 12, 13, 16, 19, 22, 23, 26, 27, 30, 31, 34, 35, 36, 37}};
    uint32_t slice = 0;
    uint64_t line = address / 64;
    if (hash == MSW_SLICE_MODULO)
        return (uint32_t)(line % (1u << bits));
    if (hash == MSW_SLICE_FOLD) {
        for (; line; line >>= bits)
            slice ^= (uint32_t)(line % (1u << bits));
        return slice;
    }
    for (uint32_t i = 0; i < bits; i++)
        for (int j = 0; BITS[i][j]; j++)
            slice ^= (uint32_t)(address >> BITS[i][j] & 1) << i;
    return slice;
}

static void hashes_are_as_stated(void **state)
{
    (void)state;
    for (msw_slice_hash hash = 0; hash <= MSW_SLICE_PARITY; hash++)
        for (uint32_t bits = 1; bits <= (hash == MSW_SLICE_PARITY ? 3 : 6); bits++) {
            msw_cache_config config = {
                .line_bytes = 64, .slices = 1u << bits, .sets = 6, .ways = 2, .hash = hash};
            msw_cache *cache = cache_new(&config);
            uint32_t count[64] = {0};
            for (uint64_t i = 0; i < 6400; i++) {
                uint64_t address = i < 4096 ? i * 64 : msw_hash_bytes(&i, sizeof i).lo >> 16;
                uint32_t slice = msw_cache_slice(cache, address);
                assert_int_equal(slice, plain_slice(hash, bits, address));
                count[slice] += i < 4096;
            }
            for (uint32_t slice = 0; slice < config.slices; slice++)
                assert_int_equal(count[slice], 4096 >> bits);
            free(cache);
        }
}

/* Lines of a slice compete in the set (line / slices) mod sets and with no others. */
static void sets_are_those_of_the_slice(void **state)
{
    (void)state;
    for (msw_slice_hash hash = 0; hash <= MSW_SLICE_PARITY; hash++) {
        msw_cache_config config = {
            .line_bytes = 64, .slices = 4, .sets = 6, .ways = 1, .hash = hash};
        msw_cache *cache = cache_new(&config);
        uint64_t held[4][6];
        memset(held, 0xff, sizeof held);
        for (uint64_t i = 0; i < 20000; i++) {
            uint64_t line = msw_hash_bytes(&i, sizeof i).lo % 200;
            uint32_t slice = plain_slice(hash, 2, line * 64), set = (uint32_t)(line / 4 % 6);
            assert_int_equal(msw_cache_access(cache, 0, line * 64, false).hit,
                             held[slice][set] == line);
            held[slice][set] = line;
        }
        free(cache);
    }
}

/* A stride that modulo sends to one slice reaches all under the hashes. */
static void hashes_spread_strides(void **state)
{
    (void)state;
    for (msw_slice_hash hash = 0; hash <= MSW_SLICE_PARITY; hash++)
        for (uint64_t stride = 512; stride <= 65536; stride *= 2) {
            msw_cache_config config = {
                .line_bytes = 64, .slices = 8, .sets = 64, .ways = 16, .hash = hash};
            msw_cache *cache = cache_new(&config);
            uint32_t count[8] = {0}, most = 0;
            for (uint64_t i = 0; i < 4096; i++)
                count[msw_cache_slice(cache, i * stride)]++;
            for (int slice = 0; slice < 8; slice++)
                most = count[slice] > most ? count[slice] : most;
            assert_int_equal(most, hash == MSW_SLICE_MODULO ? 4096 : 512);
            free(cache);
        }
}

/* 48 bytes per cycle: a line of 64 takes 4/3 cycles. */
static void slices_take_their_time(void **state)
{
    (void)state;
    msw_err err;
    msw_slices slices;
    msw_slices_config config = {.slices = 3, .bytes = 48, .cycles = 1, .latency_cycles = 20};
    void *memory = malloc(msw_slices_bytes(&config));
    assert_ok(msw_slices_init(&slices, &config, memory, &err), err);
    assert_int_equal(msw_slices_pass(&slices, 0, 100, 1, 64), 122);   /* 101 1/3 */
    assert_int_equal(msw_slices_pass(&slices, 0, 100, 1, 64), 123);   /* 102 2/3 */
    assert_int_equal(msw_slices_pass(&slices, 0, 100, 1, 64), 124);   /* 104 */
    assert_int_equal(msw_slices_pass(&slices, 1, 100, 1, 64), 122);   /* its neighbour is idle */
    assert_int_equal(msw_slices_pass(&slices, 0, 200, 1, 64), 222);   /* idle again */
    assert_int_equal(msw_slices_pass(&slices, 2, 0, 3000, 64), 4020); /* its bandwidth, exactly */
    assert_int_equal(msw_slices_passed(&slices, 2), 3000 * 64);
    config.slices = 0;
    assert_int_equal(msw_slices_init(&slices, &config, memory, &err), -1);
    config = (msw_slices_config){.slices = 1, .bytes = 0, .cycles = 1};
    assert_int_equal(msw_slices_init(&slices, &config, memory, &err), -1);
    free(memory);
}

static void bad_hashes_are_refused(void **state)
{
    (void)state;
    static const msw_cache_config BAD[] = {
        {.line_bytes = 64, .slices = 6, .sets = 4, .ways = 4, .hash = MSW_SLICE_FOLD},
        {.line_bytes = 64, .slices = 2048, .sets = 4, .ways = 4, .hash = MSW_SLICE_FOLD},
        {.line_bytes = 64, .slices = 16, .sets = 4, .ways = 4, .hash = MSW_SLICE_PARITY},
        {.line_bytes = 32, .slices = 8, .sets = 4, .ways = 4, .hash = MSW_SLICE_PARITY},
        {.line_bytes = 64, .slices = 0, .sets = 4, .ways = 4}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_cache cache;
        msw_err err = {0};
        assert_int_equal(msw_cache_init(&cache, &BAD[i], NULL, &err), -1);
        assert_true(err.text[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_as_stated),   cmocka_unit_test(sets_are_those_of_the_slice),
        cmocka_unit_test(hashes_spread_strides),  cmocka_unit_test(slices_take_their_time),
        cmocka_unit_test(bad_hashes_are_refused),
    };
    return cmocka_run_group_tests_name("sim slices", tests, NULL, NULL);
}
