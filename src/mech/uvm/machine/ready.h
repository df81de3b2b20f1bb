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

/* `soon` counts from now on. */
void uvm_rebase(const uvm_sm *sm, uvm_scheduler *s, uint64_t now);

/* The same as uvm_first_ready where all are far. */
uint64_t uvm_first_far(const uvm_sm *sm, const uvm_scheduler *s);

#endif
