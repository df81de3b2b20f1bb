/* SPDX-License-Identifier: MIT */
/* Is what is kept built by one rank at a time, told to all that wait, and dealt out again when its
 * builder gives up or is gone? */
#include "run/kept.h"
#include "testing.h"

static msw_kept_owners_entry *entry_of(msw_kept_owners *owners, const char *name)
{
    msw_kept_owners_entry *entry = msw_kept_owners_find(owners, msw_hash_string(name));
    assert_non_null(entry);
    return entry;
}

static void one_builds_others_wait(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_kept_owners owners = {.ranks = 3};
    msw_kept_owners_entry *a = entry_of(&owners, "a"), *b = entry_of(&owners, "b");
    assert_ptr_equal(entry_of(&owners, "a"), a);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 1), MSW_LEDGER_BUILD);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 0), MSW_LEDGER_WAIT);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 0), MSW_LEDGER_WAIT); /* once in the list */
    assert_int_equal(msw_kept_owners_ask(&owners, a, 2), MSW_LEDGER_WAIT);
    assert_int_equal(msw_kept_owners_ask(&owners, b, 2), MSW_LEDGER_BUILD);
    assert_ok(msw_kept_owners_take(a, false, "part", 4, &err), err);
    assert_int_equal(a->builder, 1);
    assert_ok(msw_kept_owners_take(a, true, "whole", 5, &err), err);
    assert_string_equal(msw_text_str(&a->bytes), "whole");
    assert_int_equal(msw_kept_owners_next(a), 0);
    assert_int_equal(msw_kept_owners_next(a), 2);
    assert_int_equal(msw_kept_owners_next(a), -1);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 1), MSW_LEDGER_BYTES);
    msw_kept_owners_close(&owners);
}

static void lost_builds_are_dealt_again(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_kept_owners owners = {.ranks = 3};
    msw_kept_owners_entry *a = entry_of(&owners, "a");
    assert_int_equal(msw_kept_owners_ask(&owners, a, 2), MSW_LEDGER_BUILD);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 1), MSW_LEDGER_WAIT);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 0), MSW_LEDGER_WAIT);
    assert_ok(msw_kept_owners_take(a, false, "part", 4, &err), err);
    assert_int_equal(msw_kept_owners_give_back(a, 0), -1); /* not its builder */
    assert_int_equal(msw_kept_owners_forget(a, 2), 1);
    assert_int_equal(msw_kept_owners_forget(a, 0), -1); /* waits no longer */
    assert_string_equal(msw_text_str(&a->bytes), "part");
    assert_int_equal(msw_kept_owners_give_back(a, 1), -1);
    assert_int_equal(msw_kept_owners_ask(&owners, a, 0), MSW_LEDGER_BUILD);
    msw_kept_owners_close(&owners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_builds_others_wait),
        cmocka_unit_test(lost_builds_are_dealt_again),
    };
    return cmocka_run_group_tests_name("owners", tests, NULL, NULL);
}
