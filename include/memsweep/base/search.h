/* SPDX-License-Identifier: MIT */
/* search: bisection in sorted arrays. */
#ifndef MEMSWEEP_BASE_SEARCH_H
#define MEMSWEEP_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Sets the unsigned variable `at` to the first number of low .. high - 1 for which the condition on
 * `at` does not hold, or to `high`. The numbers for which it holds come first. */
#define MSW_SEARCH(at, low, high, condition)                                                       \
    do {                                                                                           \
        uint64_t low_ = (low), high_ = (high);                                                     \
        while (low_ < high_) {                                                                     \
            uint64_t middle_ = low_ + (high_ - low_) / 2;                                          \
            (at) = middle_;                                                                        \
            if (condition)                                                                         \
                low_ = middle_ + 1;                                                                \
            else                                                                                   \
                high_ = middle_;                                                                   \
        }                                                                                          \
        (at) = low_;                                                                               \
    } while (0)

#define MSW_SEARCH_FUNCTIONS(suffix, type)                                                         \
    static inline size_t msw_lower_bound_##suffix(const type *values, size_t count, type value)    \
    {                                                                                              \
        size_t at;                                                                                 \
        MSW_SEARCH(at, 0, count, values[at] < value);                                              \
        return at;                                                                                 \
    }                                                                                              \
    static inline size_t msw_upper_bound_##suffix(const type *values, size_t count, type value)    \
    {                                                                                              \
        size_t at;                                                                                 \
        MSW_SEARCH(at, 0, count, values[at] <= value);                                             \
        return at;                                                                                 \
    }

/* msw_lower_bound_f64(values, count, value), ... : the first of rising values that is not below a
 * value; msw_upper_bound_f64, ... : the first that is above it. Each returns its place, or `count`.
 */
MSW_SEARCH_FUNCTIONS(f64, double)
MSW_SEARCH_FUNCTIONS(u64, uint64_t)
MSW_SEARCH_FUNCTIONS(i64, int64_t)
MSW_SEARCH_FUNCTIONS(u32, uint32_t)
MSW_SEARCH_FUNCTIONS(size, size_t)
#undef MSW_SEARCH_FUNCTIONS

#endif
