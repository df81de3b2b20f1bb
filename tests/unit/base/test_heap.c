/* SPDX-License-Identifier: MIT */
/* Does the first item leave a heap first, as from a list in which it is looked for? */
#include "memsweep/base/heap.h"

#include "memsweep/base/rng.h"
#include "testing.h"

typedef struct event {
    uint32_t time, number;
} event;

/* `context` is -1 where the latest comes first. */
static inline bool is_before(int context, const event *a, const event *b)
{
    if (a->time != b->time)
        return context < 0 ? a->time > b->time : a->time < b->time;
    return a->number < b->number;
}

MSW_HEAP(events, event, int, is_before)

enum { MOST = 300 };

static size_t find_first(const event *list, size_t count, int order)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        if (is_before(order, &list[i], &list[first]))
            first = i;
    return first;
}

static void a_heap_is_its_naive_twin(void **state)
{
    (void)state;
    event heap[MOST], list[MOST];
    for (unsigned seed = 0; seed < 20; seed++) {
        int order = seed % 2 ? -1 : 1;
        size_t count = 0;
        msw_rng rng;
        msw_rng_init(&rng, seed, 0);
        for (uint32_t step = 0; step < 5000; step++) {
            uint64_t x = msw_rng_u64(&rng);
            event item = {(uint32_t)(x >> 40) % 64, step};
            size_t first = find_first(list, count, order);
            if (x % 8 < 4 && count < MOST) {
                events_push(order, heap, count, item);
                list[count++] = item;
            } else if (x % 8 == 4 && count) {
                events_replace(order, heap, count, item);
                list[first] = item;
            } else if (count) {
                event left = events_pop(order, heap, count);
                assert_int_equal(left.number, list[first].number);
                assert_int_equal(heap[count - 1].number, left.number);
                list[first] = list[--count];
            }
            if (count)
                assert_int_equal(heap[0].number, list[find_first(list, count, order)].number);
        }
    }
}

static void made_from_any_order_it_sorts(void **state)
{
    (void)state;
    for (size_t count = 0; count < 70; count++) {
        event heap[70];
        msw_rng rng;
        msw_rng_init(&rng, count, 1);
        for (uint32_t i = 0; i < count; i++)
            heap[i] = (event){(uint32_t)(msw_rng_u64(&rng) % 10), i};
        events_make(1, heap, count);
        for (size_t left = count; left > 0; left--)
            events_pop(1, heap, left);
        for (size_t i = 1; i < count; i++) /* what has left stands from the end */
            assert_true(is_before(1, &heap[i], &heap[i - 1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_is_its_naive_twin),
        cmocka_unit_test(made_from_any_order_it_sorts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
