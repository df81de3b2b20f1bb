/* SPDX-License-Identifier: MIT */
/* Do hash tables find what was added and nothing else, in the order in which it came? The naive
 * twin of each is a list that is searched from its beginning. */
#include "memsweep/base/map.h"

#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 4000, SEEDS = 6 };

/* Few keys, many keys, multiples of a power of two, the ends of the range. */
static uint64_t draw_key(msw_rng *rng, unsigned kind)
{
    uint64_t x = msw_rng_u64(rng);
    switch (kind % 5) {
    case 0:
        return x % 50;
    case 1:
        return x;
    case 2:
        return x % 4096 << 12;
    case 3:
        return x % 1000 << 52;
    default:
        return UINT64_MAX - x % 300;
    }
}

static size_t find_naive(const uint64_t *keys, size_t count, uint64_t key)
{
    size_t i = 0;
    while (i < count && keys[i] != key)
        i++;
    return i;
}

static void map_is_its_naive_twin(void **state)
{
    (void)state;
    static uint64_t keys[STEPS], values[STEPS];
    msw_err err = {0};
    for (unsigned seed = 0; seed < 2 * SEEDS; seed++) {
        msw_arena arena = {0};
        msw_map map = {.index.arena = seed % 2 ? &arena : NULL};
        size_t count = 0;
        msw_rng rng;
        msw_rng_init(&rng, seed, 0);
        for (int step = 0; step < STEPS; step++) {
            uint64_t key = draw_key(&rng, seed / 2), *value;
            size_t at = find_naive(keys, count, key);
            const uint64_t *found = msw_map_find(&map, key);
            assert_true(found ? at < count && *found == values[at] : at == count);
            if (step % 3 == 0)
                continue;
            assert_ok(msw_map_add(&map, key, &value, &err), err);
            if (at == count) {
                assert_int_equal(*value, 0);
                keys[count] = key;
                values[count++] = 0;
            }
            *value = values[at] = *value + (uint64_t)step;
        }
        assert_int_equal(map.count, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(map.entries[i].key, keys[i]);
            assert_int_equal(map.entries[i].value, values[i]);
        }
        msw_map_free(&map);
        assert_null(msw_map_find(&map, keys[0]));
        msw_arena_free(&arena);
    }
}

static void set_is_its_naive_twin(void **state)
{
    (void)state;
    static uint64_t keys[STEPS];
    uint64_t *slots = malloc(msw_set_slots(STEPS) * sizeof *slots);
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        msw_set set;
        size_t count = 0;
        msw_rng rng;
        msw_rng_init(&rng, seed, 1);
        msw_set_init(&set, slots, STEPS);
        for (int step = 0; step < STEPS; step++) {
            uint64_t key = draw_key(&rng, seed);
            bool is_new = find_naive(keys, count, key) == count;
            assert_int_equal(msw_set_has(&set, key), !is_new);
            if (step % 3 == 0)
                continue;
            assert_int_equal(msw_set_add(&set, key), is_new);
            if (is_new)
                keys[count++] = key;
        }
    }
    free(slots);
}

static void a_full_set_ends_its_search(void **state)
{
    (void)state;
    for (size_t most = 0; most < 70; most++) {
        msw_set set;
        uint64_t *slots = malloc(msw_set_slots(most) * sizeof *slots);
        msw_set_init(&set, slots, most);
        for (uint64_t key = 0; key < most; key++)
            assert_true(msw_set_add(&set, key * 64));
        for (uint64_t key = 0; key < 2 * most + 2; key++)
            assert_int_equal(msw_set_has(&set, key * 64), key < most);
        free(slots);
    }
}

static void strings_are_numbered_as_they_come(void **state)
{
    (void)state;
    enum { WORDS = 600, BYTES = 8 };
    static char words[WORDS][BYTES];
    msw_err err = {0};
    for (int where = 0; where < 2; where++) {
        msw_arena arena = {0};
        msw_strings strings = {.index.arena = where ? &arena : NULL};
        msw_rng rng;
        uint32_t number;
        msw_rng_init(&rng, 3, (uint64_t)where);
        for (int i = 0; i < WORDS; i++) {
            snprintf(words[i], BYTES, "%x", (unsigned)(msw_rng_u64(&rng) % 400));
            int first = 0;
            while (strcmp(words[first], words[i]) != 0)
                first++;
            assert_int_equal(msw_strings_find(&strings, words[i], strlen(words[i])) != MSW_NOWHERE,
                             first < i);
            size_t count = strings.count;
            assert_ok(msw_strings_add(&strings, words[i], strlen(words[i]), &number, &err), err);
            assert_int_equal(strings.count, count + (first == i));
            assert_string_equal(strings.entries[number].text, words[i]);
        }
        assert_ok(msw_strings_add(&strings, "", 0, &number, &err), err);
        assert_int_equal(number, strings.count - 1);
        assert_int_equal(msw_strings_find(&strings, words[0], 0), number);
        assert_int_equal(msw_strings_find(&strings, "a prefix", 1),
                         msw_strings_find(&strings, "a", 1));
        msw_strings_free(&strings);
        msw_arena_free(&arena);
    }
}

static void items_of_one_hash_are_all_met(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_index index = {0};
    size_t at;
    assert_int_equal(msw_index_first(&index, 7, &at), MSW_NOWHERE);
    for (uint32_t i = 0; i < 90; i++)
        assert_ok(msw_index_add(&index, i % 3 << 4, i, &err), err);
    for (uint32_t hash = 0; hash < 4; hash++) {
        uint32_t wanted = hash;
        for (uint32_t i = msw_index_first(&index, hash << 4, &at); i != MSW_NOWHERE;
             i = msw_index_next(&index, hash << 4, &at), wanted += 3)
            assert_int_equal(i % 3, hash);
        assert_int_equal(wanted, hash < 3 ? hash + 90 : hash);
    }
    msw_index_free(&index);
}

static void too_many_change_nothing(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_map map = {0};
    uint64_t *value;
    assert_ok(msw_map_add(&map, 5, &value, &err), err);
    *value = 6;
    assert_int_equal(msw_index_reserve(&map.index, SIZE_MAX, &err), -1);
    assert_true(msw_err_is_memory(&err));
    assert_int_equal(msw_index_reserve(&map.index, SIZE_MAX / 2 + 1, &err), -1);
    assert_int_equal(msw_index_reserve(&map.index, ((size_t)1 << 31) + 1, &err), -1);
    assert_int_equal(*msw_map_find(&map, 5), 6);
    assert_int_equal(map.index.slot_count, 16);
    msw_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_is_its_naive_twin),
        cmocka_unit_test(set_is_its_naive_twin),
        cmocka_unit_test(a_full_set_ends_its_search),
        cmocka_unit_test(strings_are_numbered_as_they_come),
        cmocka_unit_test(items_of_one_hash_are_all_met),
        cmocka_unit_test(too_many_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
