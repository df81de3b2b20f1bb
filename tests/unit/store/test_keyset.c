/* SPDX-License-Identifier: MIT */
/* Does the key map find every key it was given, and none other, while it grows? */
#include "store/write/keyset.h"
#include "testing.h"

static msw_digest key(uint64_t i)
{
    return msw_hash_bytes(&i, sizeof i);
}

static void finds_what_was_added_and_nothing_else(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    msw_keyset set = {0};
    msw_err err = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *value;
        assert_ok(msw_keyset_add(&set, key(i), &value, &err), err);
        assert_int_equal(*value, 0);
        *value = i + 1;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *value = msw_keyset_find(&set, key(i));
        assert_non_null(value);
        assert_int_equal(*value, i + 1);
        assert_null(msw_keyset_find(&set, key(COUNT + i)));
    }
    assert_int_equal(set.count, COUNT);
    msw_keyset_free(&set);
}

static void adding_again_finds_the_first(void **state)
{
    (void)state;
    msw_keyset set = {0};
    uint32_t *value;
    assert_int_equal(msw_keyset_add(&set, key(1), &value, NULL), 0);
    *value = 17;
    assert_int_equal(msw_keyset_add(&set, key(1), &value, NULL), 0);
    assert_int_equal(*value, 17);
    assert_int_equal(set.count, 1);
    msw_keyset_free(&set);
}

static void keys_that_differ_only_in_the_low_half_differ(void **state)
{
    (void)state;
    msw_keyset set = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *value;
        assert_int_equal(msw_keyset_add(&set, (msw_digest){42, i}, &value, NULL), 0);
        assert_int_equal(*value, 0);
        *value = i + 1;
    }
    msw_keyset_free(&set);
}

static void reserving_is_enough_for_all(void **state)
{
    (void)state;
    msw_keyset set = {0};
    assert_int_equal(msw_keyset_reserve(&set, 30000, NULL), 0);
    const msw_keyset_entry *before = set.entries;
    for (uint32_t i = 0; i < 30000; i++) {
        uint32_t *value;
        assert_int_equal(msw_keyset_add(&set, msw_keyset_number(i), &value, NULL), 0);
        *value = 1;
    }
    assert_ptr_equal(before, set.entries);
    assert_true(set.capacity * sizeof *set.entries <= 30000 * 22 + 1000);
    msw_keyset_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added_and_nothing_else),
        cmocka_unit_test(adding_again_finds_the_first),
        cmocka_unit_test(keys_that_differ_only_in_the_low_half_differ),
        cmocka_unit_test(reserving_is_enough_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
