/* SPDX-License-Identifier: MIT */
/* Is sorting stable, at any size, and with memory or without? The naive twin inserts item by item,
 * behind those that are equal. */
#include "memsweep/base/sort.h"

#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct item {
    uint32_t key, number;
    uint32_t rest; /* neither 8 nor 16 bytes */
} item;

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return msw_compare_u64(x->key, y->key);
}

static int by_weight(const void *a, const void *b, const void *context)
{
    const double *weights = context;
    const item *x = a, *y = b;
    return msw_compare_f64(weights[x->key], weights[y->key]);
}

static void sort_naively(item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        item moved = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > moved.key; at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

static void draw_items(item *items, size_t count, uint32_t kinds, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (item){.key = (uint32_t)(msw_rng_u64(&rng) % kinds), .number = i};
}

static void any_items_are_sorted_as_by_insertion(void **state)
{
    (void)state;
    enum { MOST = 700 };
    static item items[MOST], wanted[MOST];
    const double weights[] = {0, 1, 2, 3, 4, 5, 6};
    for (size_t count = 0; count < MOST; count += count < 40 ? 1 : 33) {
        draw_items(items, count, 7, 1);
        memcpy(wanted, items, sizeof items);
        sort_naively(wanted, count);
        msw_sort(items, count, sizeof *items, by_key);
        assert_memory_equal(items, wanted, count * sizeof *items);
        draw_items(items, count, 7, 1);
        msw_sort_with(items, count, sizeof *items, by_weight, weights);
        assert_memory_equal(items, wanted, count * sizeof *items);
    }
}

/* ---- plain values ---- */

static void doubles_keep_zeros_apart_and_nan_last(void **state)
{
    (void)state;
    double values[] = {NAN, 0.0, -0.0, 3, -INFINITY, 0.0, NAN, INFINITY, -2};
    msw_sort_f64(values, sizeof values / sizeof *values);
    const double wanted[] = {-INFINITY, -2, 0.0, -0.0, 0.0, 3, INFINITY};
    assert_memory_equal(values, wanted, sizeof wanted);
    assert_true(isnan(values[7]) && isnan(values[8]));
    msw_sort_falling(values, sizeof values / sizeof *values);
    const double falling[] = {INFINITY, 3, 0.0, -0.0, 0.0, -2, -INFINITY};
    assert_memory_equal(values, falling, sizeof falling);
    assert_true(isnan(values[7]) && isnan(values[8]));
}

#define CHECK(suffix, type)                                                                        \
    do {                                                                                           \
        type *list = malloc((count + 1) * sizeof *list);                                           \
        for (size_t i = 0; i < count; i++)                                                         \
            list[i] = (type)keys[i];                                                               \
        msw_sort_##suffix(list, count);                                                            \
        for (size_t i = 0; i < count; i++)                                                         \
            assert_true(list[i] == (type)wanted[i].key);                                           \
        free(list);                                                                                \
    } while (0)

static void check_values(size_t count, uint32_t kinds)
{
    item *wanted = malloc((count + 1) * sizeof *wanted);
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    double *doubles = malloc((count + 1) * sizeof *doubles);
    size_t *order = malloc((count + 1) * sizeof *order);
    char(*words)[8] = malloc((count + 1) * sizeof *words);
    const char **texts = malloc((count + 1) * sizeof *texts);
    draw_items(wanted, count, kinds, 2);
    for (size_t i = 0; i < count; i++) {
        doubles[i] = (double)(keys[i] = wanted[i].key);
        snprintf(words[i], sizeof *words, "%06u", wanted[i].key);
        texts[i] = words[i];
    }
    msw_sort(wanted, count, sizeof *wanted, by_key);
    msw_order_u64(keys, count, order);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(order[i], wanted[i].number);
    msw_order_f64(doubles, count, order);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(order[i], wanted[i].number);
    CHECK(f64, double);
    CHECK(u64, uint64_t);
    CHECK(i64, int64_t);
    CHECK(u32, uint32_t);
    CHECK(size, size_t);
    msw_sort_strings(texts, count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(texts[i], words[wanted[i].number]);
    free(texts);
    free(words);
    free(order);
    free(doubles);
    free(keys);
    free(wanted);
}

static void values_and_orders_agree_with_items(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {0, 1, 2, 15, 16, 17, 33, 255, 256, 257, 513, 1024, 5000};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        check_values(COUNTS[i], 5);
        check_values(COUNTS[i], 100000);
    }
}

static void numbers_without_key_stand_last(void **state)
{
    (void)state;
    const double keys[] = {NAN, 2, NAN, 1};
    size_t order[4];
    msw_order_f64(keys, 4, order);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 0);
    assert_int_equal(order[3], 2);
}

/* ---- without memory ---- */

/* A sort of so many items asks the system for memory, of which there is none. */
static void without_memory_the_order_is_the_same(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* the sanitizers' heap ends the process */
#endif
    enum { COUNT = 1 << 20 };
    item *items = malloc(COUNT * sizeof *items), *wanted = malloc(COUNT * sizeof *items);
    double *values = malloc(COUNT * sizeof *values);
    struct rlimit before, none = {0, 0};
    draw_items(items, COUNT, 1000, 3);
    memcpy(wanted, items, COUNT * sizeof *items);
    for (size_t i = 0; i < COUNT; i++)
        values[i] = items[i].key;
    msw_sort(wanted, COUNT, sizeof *wanted, by_key);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    void *memory = malloc(COUNT * sizeof *items);
    msw_sort(items, COUNT, sizeof *items, by_key);
    msw_sort_f64(values, COUNT);
    setrlimit(RLIMIT_AS, &before);
    assert_null(memory);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(items[i].number, wanted[i].number);
        assert_true(values[i] == wanted[i].key);
    }
    free(values);
    free(wanted);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_items_are_sorted_as_by_insertion),
        cmocka_unit_test(doubles_keep_zeros_apart_and_nan_last),
        cmocka_unit_test(values_and_orders_agree_with_items),
        cmocka_unit_test(numbers_without_key_stand_last),
        cmocka_unit_test(without_memory_the_order_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
