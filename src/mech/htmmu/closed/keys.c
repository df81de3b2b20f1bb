/* Two small tables over keys: numbers for keys as they come, and the keys used last in each set. */
#include "mech/htmmu/closed/profile.h"

#include "memsweep/base/bits.h"

#include <string.h>

int htmmu_numbering_open(htmmu_numbering *n, uint64_t most, msw_arena *arena, msw_err *err)
{
    *n = (htmmu_numbering){.mask = msw_max_u64(16, msw_bits_power(2 * most + 1)) - 1};
    n->keys = msw_arena_take(arena, (n->mask + 1) * sizeof *n->keys);
    n->numbers = msw_arena_zero(arena, n->mask + 1, sizeof *n->numbers);
    return n->keys && n->numbers ? 0 : msw_fail_memory(err);
}

/* Where a key is, or would be. */
static uint64_t slot_of(const htmmu_numbering *n, uint64_t key)
{
    uint64_t slot = (key * 0x9E3779B97F4A7C15u >> 20) & n->mask;
    while (n->numbers[slot] && n->keys[slot] != key)
        slot = (slot + 1) & n->mask;
    return slot;
}

bool htmmu_has_number(const htmmu_numbering *n, uint64_t key, uint32_t *number)
{
    uint64_t slot = slot_of(n, key);
    *number = n->numbers[slot] - 1;
    return n->numbers[slot] != 0;
}

uint32_t htmmu_number_of(htmmu_numbering *n, uint64_t key)
{
    uint64_t slot = slot_of(n, key);
    if (n->numbers[slot] == 0) {
        n->keys[slot] = key;
        n->numbers[slot] = ++n->count;
    }
    return n->numbers[slot] - 1;
}

int htmmu_stacks_open(htmmu_stacks *s, unsigned numbers, msw_arena *arena, msw_err *err)
{
    s->numbers = numbers;
    for (unsigned i = 0; i < numbers; i++) {
        s->keys[i] = msw_arena_zero(arena, (size_t)HTMMU_WAYS << i, sizeof *s->keys[i]);
        if (!s->keys[i])
            return msw_fail_memory(err);
    }
    return 0;
}

/* Moves a key to the front of its set. Returns how many were used since. */
static int to_front(uint64_t *keys, uint64_t key)
{
    int at = 0;
    while (at < HTMMU_WAYS - 1 && keys[at] != key && keys[at])
        at++;
    int distance = keys[at] == key ? at : HTMMU_WAYS;
    memmove(keys + 1, keys, (size_t)at * sizeof *keys);
    keys[0] = key;
    return distance;
}

/* The key used last in its set is so in the smaller sets that this one is divided into. */
void htmmu_stacks_use(htmmu_stacks *s, uint64_t page, htmmu_sets *counts)
{
    int distance = HTMMU_WAYS;
    for (unsigned i = 0; i < s->numbers; i++) {
        uint64_t set = page >> 6 & (((uint64_t)1 << i) - 1);
        if (distance)
            distance = to_front(s->keys[i] + set * HTMMU_WAYS, page + 1);
        counts->count[i][distance]++;
    }
}
