/* SPDX-License-Identifier: MIT */
/* Two small tables over keys: numbers for keys as they come, and the keys used last in each set. */
#include "mech/htmmu/closed/profile.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/reuse.h"

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

int htmmu_parts_open(htmmu_parts *p, const htmmu_config *config, int64_t coalesce, uint64_t most,
                     msw_arena *arena, msw_err *err)
{
    *p = (htmmu_parts){.shift = msw_bits_log2((uint64_t)coalesce)};
    if (config->coalesce_fill == HTMMU_FILL_BLOCK || p->shift == 0) {
        p->shift = 0;
        return 0;
    }
    size_t bytes = (size_t)most << p->shift << 2;
    p->since = msw_arena_take(arena, bytes);
    if (!p->since)
        return msw_fail_memory(err);
    memset(p->since, 0xFF, bytes); /* MSW_REUSE_COLD */
    return htmmu_numbering_open(&p->blocks, most, arena, err);
}

uint32_t htmmu_parts_use(htmmu_parts *p, uint64_t page, uint32_t distance)
{
    if (p->shift == 0)
        return distance;
    uint32_t pages = 1u << p->shift, own = (uint32_t)(page >> 6) & (pages - 1);
    uint32_t *since =
        p->since + ((size_t)htmmu_number_of(&p->blocks, htmmu_block(page, p->shift)) << p->shift);
    for (uint32_t i = 0; i < pages; i++)
        since[i] = since[i] > distance ? since[i] : distance;
    distance = since[own];
    since[own] = 0;
    return distance;
}
