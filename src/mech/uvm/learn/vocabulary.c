/* SPDX-License-Identifier: MIT */
/* Dictionaries: sorted values, searched by halves. */
#include "mech/uvm/learn/samples.h"

#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

#include <stdlib.h>

typedef struct counted {
    int64_t value;
    size_t count;
} counted;

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return msw_compare_i64(x->value, y->value);
}

static size_t count_values(const int64_t *values, size_t count, counted *made)
{
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        if (!i || values[i] != values[i - 1])
            made[kinds++] = (counted){values[i], 0};
        made[kinds - 1].count++;
    }
    return kinds;
}

/* Puts numbered values in rising order; `made` has them in order of their numbers. */
static int order(const counted *made, size_t kinds, msw_arena *arena, uvm_vocabulary *vocabulary)
{
    int64_t *values = msw_arena_take(arena, (kinds + 1) * sizeof *values);
    uint32_t *numbers = msw_arena_take(arena, (kinds + 1) * sizeof *numbers);
    if (!values || !numbers)
        return -1;
    for (size_t i = 0; i < kinds; i++)
        values[i] = made[i].value;
    msw_sort_i64(values, kinds);
    *vocabulary = (uvm_vocabulary){values, numbers, kinds};
    for (size_t i = 0; i < kinds; i++)
        numbers[msw_lower_bound_i64(values, kinds, made[i].value)] = (uint32_t)i + 1;
    return 0;
}

int uvm_vocabulary_make(int64_t *values, size_t count, size_t most, msw_arena *arena,
                        uvm_vocabulary *vocabulary, size_t *dominant)
{
    counted *made = msw_arena_take(arena, (count + 1) * sizeof *made);
    if (!made)
        return -1;
    msw_sort_i64(values, count);
    size_t kinds = count_values(values, count, made);
    msw_sort(made, kinds, sizeof *made, by_count);
    *dominant = kinds ? made[0].count : 0;
    return order(made, kinds < most ? kinds : most, arena, vocabulary);
}

/* Returns what of `made` is not in the dictionary, in its order. */
static size_t leave_known(const uvm_vocabulary *vocabulary, counted *made, size_t kinds)
{
    size_t left = 0;
    for (size_t i = 0; i < kinds; i++)
        if (!uvm_vocabulary_number(vocabulary, made[i].value))
            made[left++] = made[i];
    return left;
}

/* Merges new values into the old; `fresh` has them in order of their numbers. */
static void merge(const uvm_vocabulary *old, const uvm_vocabulary *fresh, int64_t *values,
                  uint32_t *numbers)
{
    size_t a = 0, b = 0, at = 0;
    while (a < old->count || b < fresh->count) {
        bool first = b == fresh->count || (a < old->count && old->values[a] < fresh->values[b]);
        values[at] = first ? old->values[a] : fresh->values[b];
        numbers[at++] = first ? old->numbers[a] : fresh->numbers[b] + (uint32_t)old->count;
        a += first;
        b += !first;
    }
}

int uvm_vocabulary_add(const uvm_vocabulary *vocabulary, int64_t *values, size_t count, size_t most,
                       msw_arena *arena, uvm_vocabulary *grown)
{
    counted *made = msw_arena_take(arena, (count + 1) * sizeof *made);
    size_t room = most > vocabulary->count ? most - vocabulary->count : 0;
    uvm_vocabulary fresh;
    if (!made)
        return -1;
    msw_sort_i64(values, count);
    size_t kinds = leave_known(vocabulary, made, count_values(values, count, made));
    msw_sort(made, kinds, sizeof *made, by_count);
    if (order(made, kinds < room ? kinds : room, arena, &fresh))
        return -1;
    size_t all = vocabulary->count + fresh.count;
    int64_t *sorted = msw_arena_take(arena, (all + 1) * sizeof *sorted);
    uint32_t *numbers = msw_arena_take(arena, (all + 1) * sizeof *numbers);
    if (!sorted || !numbers)
        return -1;
    merge(vocabulary, &fresh, sorted, numbers);
    *grown = (uvm_vocabulary){sorted, numbers, all};
    return 0;
}

uint32_t uvm_vocabulary_number(const uvm_vocabulary *vocabulary, int64_t value)
{
    size_t at = msw_lower_bound_i64(vocabulary->values, vocabulary->count, value);
    bool found = at < vocabulary->count && vocabulary->values[at] == value;
    return found ? vocabulary->numbers[at] : 0;
}

int64_t uvm_vocabulary_value(const uvm_vocabulary *vocabulary, uint32_t number)
{
    for (size_t i = 0; i < vocabulary->count; i++)
        if (vocabulary->numbers[i] == number)
            return vocabulary->values[i];
    return 0;
}

void uvm_vocabulary_flatten(const uvm_vocabulary *vocabulary, msw_text *bytes)
{
    msw_flat_add_u64(bytes, vocabulary->count);
    for (size_t i = 0; i < vocabulary->count; i++) {
        msw_flat_add_u64(bytes, (uint64_t)vocabulary->values[i]);
        msw_flat_add_u64(bytes, vocabulary->numbers[i]);
    }
}

/* Values rise, and no number is beyond the tables of a network. */
int uvm_vocabulary_unflatten(msw_flat *flat, msw_arena *arena, uvm_vocabulary *vocabulary)
{
    uint64_t count = msw_flat_u64(flat);
    if (count > flat->left / 16)
        return -1;
    int64_t *values = msw_arena_take(arena, (count + 1) * sizeof *values);
    uint32_t *numbers = msw_arena_take(arena, (count + 1) * sizeof *numbers);
    if (!values || !numbers)
        return -1;
    for (uint64_t i = 0; i < count; i++) {
        values[i] = (int64_t)msw_flat_u64(flat);
        uint64_t number = msw_flat_u64(flat);
        if (!number || number > count || (i && values[i] <= values[i - 1]))
            return -1;
        numbers[i] = (uint32_t)number;
    }
    *vocabulary = (uvm_vocabulary){values, numbers, count};
    return 0;
}
