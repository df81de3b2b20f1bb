/* SPDX-License-Identifier: MIT */
/* Are the distances of the LRU stack those of a list that moves what is used to its front? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/lru_stack.h"
#include "testing.h"

#include <string.h>

enum { KEYS = 300, USES = 6000, COLD = KEYS };

/* The list: the keys used so far, the last one first. Returns the distance, COLD for a new key. */
typedef struct list {
    uint32_t keys[KEYS], count;
} list;

static uint32_t list_use(list *l, uint32_t key)
{
    uint32_t at = 0;
    while (at < l->count && l->keys[at] != key)
        at++;
    uint32_t distance = at < l->count ? at : COLD;
    l->count += distance == COLD;
    memmove(l->keys + 1, l->keys, at * sizeof *l->keys);
    l->keys[0] = key;
    return distance;
}

/* The stack, with what its callers keep. */
typedef struct subject {
    msw_lru_stack stack;
    uint32_t memory[USES + 1], last[KEYS];
} subject;

static void subject_init(subject *s, uint32_t times)
{
    memset(s, 0, sizeof *s);
    assert_true(msw_lru_stack_words(times) <= USES + 1);
    msw_lru_stack_init(&s->stack, times, s->memory);
}

static void renumber(subject *s, const list *l)
{
    msw_lru_stack_renumber(&s->stack);
    assert_int_equal(s->stack.now, l->count);
    for (uint32_t at = 0; at < l->count; at++)
        s->last[l->keys[at]] = l->count - at;
}

static uint32_t subject_use(subject *s, uint32_t key)
{
    uint32_t before = s->last[key];
    uint32_t distance = before ? msw_lru_stack_since(&s->stack, before) : COLD;
    s->last[key] = msw_lru_stack_use(&s->stack, before);
    return distance;
}

/* Streams of different habits: at random, round and round, back and forth, mostly near. */
static uint32_t next_key(int habit, uint32_t use, msw_rng *rng)
{
    uint32_t drawn = (uint32_t)(msw_rng_uniform(rng) * KEYS), phase = use % (2 * KEYS);
    switch (habit) {
    case 0:
        return drawn;
    case 1:
        return use % KEYS;
    case 2:
        return phase < KEYS ? phase : 2 * KEYS - 1 - phase;
    default:
        return drawn % 4 ? use / 64 % KEYS : drawn;
    }
}

static void compare(int habit, uint32_t times)
{
    static subject s;
    list l = {.count = 0};
    msw_rng rng;
    msw_rng_init(&rng, 7, (uint64_t)habit);
    subject_init(&s, times);
    for (uint32_t use = 0; use < USES; use++) {
        uint32_t key = next_key(habit, use, &rng);
        if (s.stack.now == times)
            renumber(&s, &l);
        assert_int_equal(subject_use(&s, key), list_use(&l, key));
        assert_int_equal(s.stack.keys, l.count);
    }
}

static void distances_are_those_of_a_list(void **state)
{
    (void)state;
    for (int habit = 0; habit < 4; habit++)
        compare(habit, USES);
}

static void they_stay_so_when_times_are_renumbered(void **state)
{
    (void)state;
    static const uint32_t TIMES[] = {KEYS + 1, 512, 1000};
    for (int habit = 0; habit < 4; habit++)
        for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++)
            compare(habit, TIMES[i]);
}

/* A time may be asked for that no key was used at last: the path of a walk begins like others'. */
static void any_time_can_be_asked_for(void **state)
{
    (void)state;
    static subject s;
    subject_init(&s, 10);
    for (int use = 0; use < 8; use++)
        subject_use(&s, (uint32_t)use % 3); /* last uses: 1 at 8, 0 at 7, 2 at 6 */
    static const uint32_t SINCE[] = {3, 3, 3, 3, 3, 3, 2, 1, 0};
    for (uint32_t time = 0; time <= 8; time++)
        assert_int_equal(msw_lru_stack_since(&s.stack, time), SINCE[time]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_list),
        cmocka_unit_test(they_stay_so_when_times_are_renumbered),
        cmocka_unit_test(any_time_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
