/* SPDX-License-Identifier: MIT */
/* Merge sort from the top: halves of count / 2 and the rest, the left one first of two that are
 * equal. Scratch is on the stack for few items, else on the heap. */
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 2048, INSERTED = 16 };

/* ---- items of any size ---- */

typedef struct sorter {
    size_t size;
    msw_compare *compare; /* NULL: the other */
    msw_compare_with *compare_with;
    const void *context;
    char *scratch; /* as large as all items; NULL: none */
} sorter;

static inline bool is_after(const sorter *s, const char *a, const char *b)
{
    return (s->compare ? s->compare(a, b) : s->compare_with(a, b, s->context)) > 0;
}

static inline void copy_item(char *to, const char *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, size);
}

static void merge(const sorter *s, char *items, size_t left, size_t right)
{
    size_t size = s->size;
    char *a = items, *b = items + left * size, *to = s->scratch;
    for (; left > 0 && right > 0; to += size) {
        if (is_after(s, a, b)) {
            copy_item(to, b, size);
            b += size;
            right--;
        } else {
            copy_item(to, a, size);
            a += size;
            left--;
        }
    }
    memcpy(to, a, left * size);
    to += left * size;
    memcpy(items, s->scratch, (size_t)(to - s->scratch));
}

static void reverse(const sorter *s, char *items, size_t count)
{
    size_t size = s->size;
    char *a = items, *b = items + count * size;
    for (; count > 1; count -= 2, a += size) {
        b -= size;
        for (size_t i = 0; i < size; i++) {
            char swap = a[i];
            a[i] = b[i];
            b[i] = swap;
        }
    }
}

/* Exchanges two neighbouring runs. */
static void rotate(const sorter *s, char *items, size_t left, size_t right)
{
    reverse(s, items, left);
    reverse(s, items + left * s->size, right);
    reverse(s, items, left + right);
}

/* Finds how many of `count` sorted items come before an item: those that are equal to it too where
 * `equal`. */
static size_t count_before(const sorter *s, const char *items, size_t count, const char *item,
                           bool equal)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        const char *at = items + middle * s->size;
        if (equal ? !is_after(s, at, item) : is_after(s, item, at))
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Merges without scratch: the middle of the longer run, with what belongs before it, moves to its
 * place by exchanging runs; two smaller merges remain. */
static void merge_by_rotation(const sorter *s, char *items, size_t left, size_t right)
{
    while (left && right && left + right > 1) {
        size_t cut_left, cut_right;
        char *b = items + left * s->size;
        if (left + right == 2) {
            if (is_after(s, items, b))
                rotate(s, items, 1, 1);
            return;
        }
        if (left > right) {
            cut_left = left / 2;
            cut_right = count_before(s, b, right, items + cut_left * s->size, false);
        } else {
            cut_right = right / 2;
            cut_left = count_before(s, items, left, b + cut_right * s->size, true);
        }
        rotate(s, items + cut_left * s->size, left - cut_left, cut_right);
        merge_by_rotation(s, items, cut_left, cut_right);
        items += (cut_left + cut_right) * s->size;
        left -= cut_left;
        right -= cut_right;
    }
}

static void sort_items(const sorter *s, char *items, size_t count)
{
    if (count < 2)
        return;
    size_t left = count / 2;
    sort_items(s, items, left);
    sort_items(s, items + left * s->size, count - left);
    if (s->scratch)
        merge(s, items, left, count - left);
    else
        merge_by_rotation(s, items, left, count - left);
}

static void sort_with_scratch(sorter *s, void *items, size_t count)
{
    char few[STACK_BYTES], *many = NULL;
    if (count < 2 || !s->size)
        return;
    s->scratch = few;
    if (count > STACK_BYTES / s->size)
        s->scratch = many = malloc(count * s->size);
    sort_items(s, items, count);
    free(many);
}

void msw_sort(void *items, size_t count, size_t size, msw_compare *compare)
{
    sort_with_scratch(&(sorter){.size = size, .compare = compare}, items, count);
}

void msw_sort_with(void *items, size_t count, size_t size, msw_compare_with *compare,
                   const void *context)
{
    sort_with_scratch(&(sorter){.size = size, .compare_with = compare, .context = context}, items,
                      count);
}

/* ---- plain values, and numbers by their keys ---- */

static inline bool f64_after(double a, double b)
{
    return a > b || (isnan(a) && !isnan(b));
}

/* SORT(name, type of item, type of key, whether item `a` comes after item `b`): a sort whose
 * comparison is not called but inlined. */
#define SORT(name, type, key, after)                                                               \
    static bool name##_after(type a, type b, const key *keys)                                      \
    {                                                                                              \
        (void)keys;                                                                                \
        return after;                                                                              \
    }                                                                                              \
    static int name##_compare(const void *left, const void *right, const void *keys)               \
    {                                                                                              \
        type a = *(const type *)left, b = *(const type *)right;                                    \
        return name##_after(a, b, keys) - name##_after(b, a, keys);                                \
    }                                                                                              \
    static void name##_insert(type *items, size_t count, const key *keys)                          \
    {                                                                                              \
        for (size_t i = 1; i < count; i++) {                                                       \
            type item = items[i];                                                                  \
            size_t at = i;                                                                         \
            for (; at > 0 && name##_after(items[at - 1], item, keys); at--)                        \
                items[at] = items[at - 1];                                                         \
            items[at] = item;                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void name##_part(type *items, size_t count, type *scratch, const key *keys)             \
    {                                                                                              \
        if (count <= INSERTED) {                                                                   \
            name##_insert(items, count, keys);                                                     \
            return;                                                                                \
        }                                                                                          \
        size_t left = count / 2, a = 0, b = left, to = 0;                                          \
        name##_part(items, left, scratch, keys);                                                   \
        name##_part(items + left, count - left, scratch, keys);                                    \
        if (!name##_after(items[left - 1], items[left], keys))                                     \
            return;                                                                                \
        memcpy(scratch, items, left * sizeof *items);                                              \
        while (a < left && b < count)                                                              \
            items[to++] = name##_after(scratch[a], items[b], keys) ? items[b++] : scratch[a++];    \
        memcpy(items + to, scratch + a, (left - a) * sizeof *items);                               \
    }                                                                                              \
    static void name(type *items, size_t count, const key *keys)                                   \
    {                                                                                              \
        type few[STACK_BYTES / sizeof(type)], *many = NULL;                                        \
        if (count / 2 > sizeof few / sizeof *few)                                                  \
            many = malloc(count / 2 * sizeof *many);                                               \
        if (many || count / 2 <= sizeof few / sizeof *few)                                         \
            name##_part(items, count, many ? many : few, keys);                                    \
        else                                                                                       \
            msw_sort_with(items, count, sizeof *items, name##_compare, keys);                      \
        free(many);                                                                                \
    }

typedef const char *string;

SORT(sort_f64, double, void, f64_after(a, b))
SORT(sort_falling, double, void, a < b || (isnan(a) && !isnan(b)))
SORT(sort_u64, uint64_t, void, a > b)
SORT(sort_i64, int64_t, void, a > b)
SORT(sort_u32, uint32_t, void, a > b)
SORT(sort_size, size_t, void, a > b)
SORT(order_f64, size_t, double, f64_after(keys[a], keys[b]))
SORT(order_u64, size_t, uint64_t, keys[a] > keys[b])

void msw_sort_f64(double *values, size_t count)
{
    sort_f64(values, count, NULL);
}

void msw_sort_falling(double *values, size_t count)
{
    sort_falling(values, count, NULL);
}

void msw_sort_u64(uint64_t *values, size_t count)
{
    sort_u64(values, count, NULL);
}

void msw_sort_i64(int64_t *values, size_t count)
{
    sort_i64(values, count, NULL);
}

void msw_sort_u32(uint32_t *values, size_t count)
{
    sort_u32(values, count, NULL);
}

void msw_sort_size(size_t *values, size_t count)
{
    sort_size(values, count, NULL);
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void msw_sort_strings(void *strings, size_t count)
{
    msw_sort(strings, count, sizeof(char *), compare_strings);
}

static void number_items(size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
}

void msw_order_f64(const double *keys, size_t count, size_t *order)
{
    number_items(order, count);
    order_f64(order, count, keys);
}

void msw_order_u64(const uint64_t *keys, size_t count, size_t *order)
{
    number_items(order, count);
    order_u64(order, count, keys);
}
