/* SPDX-License-Identifier: MIT */
/* Private to uvm: which warp of a scheduler can issue. For each warp by age there is a small
 * number, when it is ready; all of them are compared at once. The warp that runs is not among them,
 * as its time changes with everything that it issues: what has just been written cannot be compared
 * with its neighbours without waiting for it. */
#ifndef MSW_MECH_UVM_READY_H
#define MSW_MECH_UVM_READY_H

#include "mech/uvm/machine/machine.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { UVM_FAR = INT16_MAX, UVM_REBASE = 1 << 14 };

/* A time as `soon` has it. */
static inline int16_t uvm_soon(const uvm_scheduler *s, uint64_t time)
{
    uint64_t from = time > s->base ? time - s->base : 0;
    return from < UVM_FAR ? (int16_t)from : UVM_FAR;
}

/* A warp can issue from `time` on; UINT64_MAX: not. */
static inline void uvm_set_ready(uvm_sm *sm, uvm_scheduler *s, uint32_t warp, uint64_t time)
{
    sm->ready[warp] = time;
    if (s->warp != warp)
        s->soon[sm->age[warp]] = uvm_soon(s, time);
}

/* Which of a row are ready, as bits. */
#if defined(__SSE2__)
static inline uint64_t uvm_due(const int16_t *soon, int16_t now)
{
    const __m128i *rows = (const __m128i *)(const void *)soon, limit = _mm_set1_epi16(now);
    uint64_t late = 0;
    for (int i = 0; i < UVM_ROW / 16; i++) {
        __m128i low = _mm_cmpgt_epi16(_mm_load_si128(rows + 2 * i), limit);
        __m128i high = _mm_cmpgt_epi16(_mm_load_si128(rows + 2 * i + 1), limit);
        late |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << 16 * i;
    }
    return ~late & msw_bits_mask(UVM_ROW);
}
#else
static inline uint64_t uvm_due(const int16_t *soon, int16_t now)
{
    uint64_t due = 0;
    for (int i = 0; i < UVM_ROW; i++)
        due |= (uint64_t)(soon[i] <= now) << i;
    return due;
}
#endif

static inline int16_t uvm_first(const int16_t *soon)
{
    int16_t first = soon[0];
    for (int i = 1; i < UVM_ROW; i++)
        first = soon[i] < first ? soon[i] : first;
    return first;
}

/* Makes the warp that runs one of them again. */
static inline void uvm_put_back(const uvm_sm *sm, uvm_scheduler *s)
{
    if (s->warp != UVM_MOST_WARPS)
        s->soon[sm->age[s->warp]] = uvm_soon(s, sm->ready[s->warp]);
    s->warp = UVM_MOST_WARPS;
}

/* ages.c: `soon` counts from now on. */
void uvm_rebase(const uvm_sm *sm, uvm_scheduler *s, uint64_t now);

/* ages.c: the same as uvm_first_ready where all are far. */
uint64_t uvm_first_far(const uvm_sm *sm, const uvm_scheduler *s);

/* When the first warp is ready that does not run. */
static inline uint64_t uvm_first_ready(const uvm_sm *sm, const uvm_scheduler *s)
{
    int16_t first = uvm_first(s->soon);
    for (uint32_t r = 1; r < s->rows; r++) {
        int16_t other = uvm_first(s->soon + r * UVM_ROW);
        first = other < first ? other : first;
    }
    return first < UVM_FAR ? s->base + (uint64_t)first : uvm_first_far(sm, s);
}

/* The oldest warp that is ready now becomes the one that runs. Returns whether there is one; else
 * *earliest says when there will be. */
static inline bool uvm_choose(const uvm_sm *sm, uvm_scheduler *s, uint64_t *earliest)
{
    uint64_t own = s->warp == UVM_MOST_WARPS ? UINT64_MAX : sm->ready[s->warp];
    if (s->now - s->base >= UVM_REBASE)
        uvm_rebase(sm, s, s->now);
    int16_t now = (int16_t)(s->now - s->base);
    uint64_t due = uvm_due(s->soon, now);
    for (uint32_t r = 1; r < s->rows; r++)
        due |= uvm_due(s->soon + r * UVM_ROW, now) << r * UVM_ROW;
    if (own <= s->now)
        due |= (uint64_t)1 << sm->age[s->warp];
    if (!due) {
        *earliest = msw_min_u64(own, uvm_first_ready(sm, s));
        return false;
    }
    uint32_t age = msw_bits_lowest(due);
    uvm_put_back(sm, s);
    s->warp = s->by_age[age];
    s->soon[age] = UVM_FAR;
    return true;
}

#endif
