/* SPDX-License-Identifier: MIT */
/* heap: binary heaps in an array of the caller, as inline functions for one type and one order. */
#ifndef MEMSWEEP_BASE_HEAP_H
#define MEMSWEEP_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* MSW_HEAP(name, type, context_type, before) defines for an order that the inline function
 *     bool before(context_type context, const type *a, const type *b)
 * gives (whether `a` leaves before `b`; it decides ties, so that nothing depends on the heap):
 *
 *     name_make(context, items, count)         puts any items in the order of a heap
 *     name_push(context, items, count, item)   adds an item to `count`; there is room for it
 *     name_pop(context, items, count)          returns the first of `count` items; it is in the
 *                                              array's last place afterwards
 *     name_replace(context, items, count, item) puts an item in the place of the first one
 *
 * items[0] is the first one. The caller changes its count. */
#define MSW_HEAP(name, type, context_type, before)                                                 \
    static inline void name##_sink(context_type context, type *items, size_t count, size_t at,     \
                                   type item)                                                      \
    {                                                                                              \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                       \
            if (child + 1 < count && before(context, &items[child + 1], &items[child]))            \
                child++;                                                                           \
            if (!before(context, &items[child], &item))                                            \
                break;                                                                             \
            items[at] = items[child];                                                              \
            at = child;                                                                            \
        }                                                                                          \
        items[at] = item;                                                                          \
    }                                                                                              \
    static inline void name##_make(context_type context, type *items, size_t count)                \
    {                                                                                              \
        for (size_t at = count / 2; at-- > 0;)                                                     \
            name##_sink(context, items, count, at, items[at]);                                     \
    }                                                                                              \
    static inline void name##_push(context_type context, type *items, size_t count, type item)     \
    {                                                                                              \
        size_t at = count;                                                                         \
        for (; at > 0 && before(context, &item, &items[(at - 1) / 2]); at = (at - 1) / 2)          \
            items[at] = items[(at - 1) / 2];                                                       \
        items[at] = item;                                                                          \
    }                                                                                              \
    static inline type name##_pop(context_type context, type *items, size_t count)                 \
    {                                                                                              \
        type first = items[0];                                                                     \
        name##_sink(context, items, count - 1, 0, items[count - 1]);                               \
        items[count - 1] = first;                                                                  \
        return first;                                                                              \
    }                                                                                              \
    static inline void name##_replace(context_type context, type *items, size_t count, type item)  \
    {                                                                                              \
        name##_sink(context, items, count, 0, item);                                               \
    }

#endif
