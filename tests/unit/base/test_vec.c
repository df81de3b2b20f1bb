/* SPDX-License-Identifier: MIT */
/* Do arrays grow without losing an item, and does nothing change where they cannot? */
#include "memsweep/base/vec.h"

#include "testing.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t a, b;
} pair;

static void items_stay_while_it_grows(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_arena arena = {0};
    MSW_VEC(pair) heap = {0}, scratch = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        assert_ok(MSW_VEC_PUSH(&heap, ((pair){i, i * i}), &err), err);
        assert_ok(MSW_VEC_PUSH_IN(&arena, &scratch, ((pair){i, i * i}), &err), err);
        assert_true(heap.count <= heap.room && scratch.count <= scratch.room);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(heap.items[i].b, i * i);
        assert_int_equal(scratch.items[i].b, i * i);
    }
    free(heap.items);
    msw_arena_free(&arena);
}

static void room_at_least_doubles(void **state)
{
    (void)state;
    msw_err err = {0};
    MSW_VEC(double) v = {0};
    assert_ok(MSW_VEC_RESERVE(&v, 100, &err), err);
    assert_int_equal(v.room, 100);
    assert_ok(MSW_VEC_RESERVE(&v, 100, &err), err);
    assert_int_equal(v.room, 100);
    assert_ok(MSW_VEC_RESERVE(&v, 101, &err), err);
    assert_int_equal(v.room, 200);
    assert_ok(MSW_VEC_RESERVE(&v, 1000, &err), err);
    assert_int_equal(v.room, 1000);
    free(v.items);
}

static void no_room_for_nothing(void **state)
{
    (void)state;
    MSW_VEC(int) v = {0};
    assert_int_equal(MSW_VEC_RESERVE(&v, 0, NULL), 0);
    assert_null(v.items);
}

static void room_is_given_back(void **state)
{
    (void)state;
    msw_err err = {0};
    MSW_VEC(uint32_t) v = {0};
    for (uint32_t i = 0; i < 100; i++)
        assert_ok(MSW_VEC_PUSH(&v, i, &err), err);
    msw_vec_trim(&v.items, &v.room, v.count, sizeof *v.items);
    assert_int_equal(v.room, 100);
    assert_int_equal(v.items[99], 99);
    assert_ok(MSW_VEC_PUSH(&v, 100, &err), err);
    assert_int_equal(v.items[100], 100);
    free(v.items);
    uint32_t *none = NULL;
    size_t room = 0;
    msw_vec_trim(&none, &room, 0, sizeof *none);
    assert_null(none);
}

static void what_cannot_be_changes_nothing(void **state)
{
    (void)state;
    static const size_t SIZES[] = {SIZE_MAX / sizeof(pair), SIZE_MAX / sizeof(pair) / 2 + 1,
                                   SIZE_MAX, SIZE_MAX / 4 / sizeof(pair) + 1};
    msw_arena arena = {0};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        msw_err err = {0};
        MSW_VEC(pair) heap = {0}, scratch = {0};
        assert_int_equal(MSW_VEC_PUSH(&heap, ((pair){1, 2}), &err), 0);
        assert_int_equal(MSW_VEC_PUSH_IN(&arena, &scratch, ((pair){1, 2}), &err), 0);
        const pair *items = heap.items, *others = scratch.items;
        size_t room = heap.room;
        assert_int_equal(MSW_VEC_RESERVE(&heap, SIZES[i], &err), -1);
        assert_true(msw_err_is_memory(&err));
        assert_int_equal(MSW_VEC_RESERVE_IN(&arena, &scratch, SIZES[i], &err), -1);
        assert_ptr_equal(heap.items, items);
        assert_ptr_equal(scratch.items, others);
        assert_int_equal(heap.room, room);
        assert_int_equal(scratch.room, room);
        assert_int_equal(heap.items[0].b, 2);
        free(heap.items);
    }
    msw_arena_free(&arena);
}

static void one_more_needs_no_stored_room(void **state)
{
    (void)state;
    msw_err err = {0};
    uint32_t *list = NULL;
    for (uint32_t count = 0; count < 3000; count++) {
        assert_ok(msw_vec_extend(&list, count, sizeof *list, &err), err);
        list[count] = 3 * count;
    }
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(list[i], 3 * i);
    const uint32_t *before = list;
    assert_int_equal(msw_vec_extend(&list, (size_t)1 << 62, sizeof *list, &err), -1);
    assert_ptr_equal(list, before);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_while_it_grows),
        cmocka_unit_test(room_at_least_doubles),
        cmocka_unit_test(no_room_for_nothing),
        cmocka_unit_test(room_is_given_back),
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(one_more_needs_no_stored_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
