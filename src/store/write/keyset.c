/* SPDX-License-Identifier: MIT */
#include "store/write/keyset.h"

#include <stdbool.h>
#include <stdlib.h>

/* Linear probing from a slot taken from the upper half of the key: no division, any capacity. */
static size_t first_slot(const msw_keyset *set, uint64_t high)
{
    return (size_t)(((high >> 32) * (uint64_t)set->capacity) >> 32);
}

static msw_keyset_entry *probe(const msw_keyset *set, uint64_t high, uint32_t low)
{
    for (size_t slot = first_slot(set, high);; slot = slot + 1 < set->capacity ? slot + 1 : 0) {
        msw_keyset_entry *entry = &set->entries[slot];
        if (!entry->value || (entry->high == high && entry->low == low))
            return entry;
    }
}

static int resize(msw_keyset *set, size_t capacity, msw_err *err)
{
    if (capacity > UINT32_MAX)
        return msw_fail(err, "more than %u keys at once", UINT32_MAX / 4 * 3);
    msw_keyset bigger = {calloc(capacity, sizeof *bigger.entries), capacity, set->count};
    if (!bigger.entries)
        return msw_fail_memory(err);
    for (size_t i = 0; i < set->capacity; i++) {
        const msw_keyset_entry *entry = &set->entries[i];
        if (entry->value)
            *probe(&bigger, entry->high, entry->low) = *entry;
    }
    free(set->entries);
    *set = bigger;
    return 0;
}

int msw_keyset_reserve(msw_keyset *set, size_t count, msw_err *err)
{
    size_t capacity = count + count / 3 + 8;
    return capacity > set->capacity ? resize(set, capacity, err) : 0;
}

uint32_t *msw_keyset_find(const msw_keyset *set, msw_digest key)
{
    if (!set->capacity)
        return NULL;
    msw_keyset_entry *entry = probe(set, key.hi, (uint32_t)key.lo);
    return entry->value ? &entry->value : NULL;
}

int msw_keyset_add(msw_keyset *set, msw_digest key, uint32_t **value, msw_err *err)
{
    /* A quarter of the slots stays free, or probing would crawl. */
    if (set->count + 1 > set->capacity / 4 * 3 && resize(set, set->capacity * 2 + 16, err))
        return -1;
    msw_keyset_entry *entry = probe(set, key.hi, (uint32_t)key.lo);
    if (!entry->value) {
        entry->high = key.hi;
        entry->low = (uint32_t)key.lo;
        set->count++;
    }
    *value = &entry->value;
    return 0;
}

msw_digest msw_keyset_number(uint64_t number)
{
    return (msw_digest){number * 0x9e3779b97f4a7c15u, number};
}

void msw_keyset_free(msw_keyset *set)
{
    free(set->entries);
    *set = (msw_keyset){0};
}
