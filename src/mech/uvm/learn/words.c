/* SPDX-License-Identifier: MIT */
/* Dictionaries: sorted values, searched by halves. */
#include "mech/uvm/learn/words.h"

#include <stdlib.h>

typedef struct counted {
    int64_t value;
    size_t count;
} counted;

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return by_value(&x->value, &y->value);
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

/* Puts words in order of their values; `made` has them in order of their numbers. */
static int order(const counted *made, size_t kinds, msw_arena *arena, uvm_words *words)
{
    int64_t *values = msw_arena_take(arena, (kinds + 1) * sizeof *values);
    uint32_t *numbers = msw_arena_take(arena, (kinds + 1) * sizeof *numbers);
    if (!values || !numbers)
        return -1;
    for (size_t i = 0; i < kinds; i++)
        values[i] = made[i].value;
    qsort(values, kinds, sizeof *values, by_value);
    *words = (uvm_words){values, numbers, kinds};
    for (size_t i = 0; i < kinds; i++) {
        const int64_t *at = bsearch(&made[i].value, values, kinds, sizeof *values, by_value);
        numbers[at - values] = (uint32_t)i + 1;
    }
    return 0;
}

int uvm_words_of(int64_t *values, size_t count, size_t most, msw_arena *arena, uvm_words *words,
                 size_t *dominant)
{
    counted *made = msw_arena_take(arena, (count + 1) * sizeof *made);
    if (!made)
        return -1;
    qsort(values, count, sizeof *values, by_value);
    size_t kinds = count_values(values, count, made);
    qsort(made, kinds, sizeof *made, by_count);
    *dominant = kinds ? made[0].count : 0;
    return order(made, kinds < most ? kinds : most, arena, words);
}

/* Returns what of `made` is not in the dictionary, in its order. */
static size_t leave_known(const uvm_words *words, counted *made, size_t kinds)
{
    size_t left = 0;
    for (size_t i = 0; i < kinds; i++)
        if (!uvm_word(words, made[i].value))
            made[left++] = made[i];
    return left;
}

/* Merges new words, by value, into the old; `fresh` has them in order of their numbers. */
static void merge(const uvm_words *old, const uvm_words *fresh, int64_t *values, uint32_t *numbers)
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

int uvm_words_add(const uvm_words *words, int64_t *values, size_t count, size_t most,
                  msw_arena *arena, uvm_words *grown)
{
    counted *made = msw_arena_take(arena, (count + 1) * sizeof *made);
    size_t room = most > words->count ? most - words->count : 0;
    uvm_words fresh;
    if (!made)
        return -1;
    qsort(values, count, sizeof *values, by_value);
    size_t kinds = leave_known(words, made, count_values(values, count, made));
    qsort(made, kinds, sizeof *made, by_count);
    if (order(made, kinds < room ? kinds : room, arena, &fresh))
        return -1;
    size_t all = words->count + fresh.count;
    int64_t *sorted = msw_arena_take(arena, (all + 1) * sizeof *sorted);
    uint32_t *numbers = msw_arena_take(arena, (all + 1) * sizeof *numbers);
    if (!sorted || !numbers)
        return -1;
    merge(words, &fresh, sorted, numbers);
    *grown = (uvm_words){sorted, numbers, all};
    return 0;
}

uint32_t uvm_word(const uvm_words *words, int64_t value)
{
    const int64_t *at =
        words->count ? bsearch(&value, words->values, words->count, sizeof value, by_value) : NULL;
    return at ? words->numbers[at - words->values] : 0;
}

int64_t uvm_word_value(const uvm_words *words, uint32_t number)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->numbers[i] == number)
            return words->values[i];
    return 0;
}

void uvm_words_flatten(const uvm_words *words, msw_text *bytes)
{
    msw_flat_add_u64(bytes, words->count);
    for (size_t i = 0; i < words->count; i++) {
        msw_flat_add_u64(bytes, (uint64_t)words->values[i]);
        msw_flat_add_u64(bytes, words->numbers[i]);
    }
}

/* Values rise, and no number is beyond the tables of a network. */
int uvm_words_unflatten(msw_flat *flat, msw_arena *arena, uvm_words *words)
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
    *words = (uvm_words){values, numbers, count};
    return 0;
}
