/* SPDX-License-Identifier: MIT */
/* A page is missed where `ways` others of its set were used since (LRU): the TLB itself shows,
 * visit by visit in the order of issue. A walk that is under way counts as over. */
#include "mech/neummu/machine/misses.h"

#include <string.h>

typedef struct finder {
    neummu_misses *misses;
    const neummu_stream *stream;
    msw_tlb tlb;
    uint32_t *last; /* by page: 1 + the step during which it was missed last; 0: never */
    uint32_t during;
} finder;

static uint64_t number_visits(const neummu_stream *stream, uint64_t *first_visit)
{
    uint64_t visits = 0;
    for (uint64_t i = 0; i < stream->step_count; i++) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i].tile];
        first_visit[i] = visits;
        visits += tile->early.count + tile->late.count + tile->store.count;
    }
    return visits;
}

uint64_t neummu_misses_first(const neummu_misses *misses, const neummu_stream *stream,
                             const neummu_issued *issued)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[issued->step].tile];
    uint64_t first = misses->first_visit[issued->step];
    first += issued->kind > NEUMMU_EARLY ? tile->early.count : 0;
    return first + (issued->kind > NEUMMU_LATE ? tile->late.count : 0);
}

static void miss(finder *f, uint64_t step, uint64_t visit, uint64_t page)
{
    uint32_t *last = &f->last[(page & ~NEUMMU_LARGE) - f->stream->first_page];
    if (*last && *last - 1 < f->misses->oldest[step])
        f->misses->oldest[step] = *last - 1;
    *last = f->during + 1;
    f->misses->bits[visit >> 6] |= (uint64_t)1 << (visit & 63);
}

static void pass_flow(finder *f, const neummu_issued *issued)
{
    uint64_t visit = neummu_misses_first(f->misses, f->stream, issued);
    for (uint64_t r = 0; r < issued->flow->count; r++) {
        uint64_t number = issued->flow->visits[r].page;
        msw_page page = neummu_page_of(f->stream->shifts, number);
        if (msw_tlb_probe(&f->tlb, 0, page.address) != UINT64_MAX)
            continue;
        msw_tlb_fill(&f->tlb, 0, page, 0, 0);
        miss(f, issued->step, visit + r, number);
    }
}

static void pass_all(finder *f)
{
    neummu_issued issued;
    for (uint64_t i = 0; i < f->stream->step_count; i++)
        f->misses->oldest[i] = (uint32_t)i;
    for (uint64_t i = 0; i < f->stream->step_count; i++) {
        f->during = (uint32_t)i;
        for (int part = 0; part < NEUMMU_PARTS; part++)
            if (neummu_issued_at(f->stream, i, part, &issued))
                pass_flow(f, &issued);
    }
}

int neummu_find_misses(neummu_misses *misses, const neummu_stream *stream,
                       const msw_tlb_config *tlb, msw_arena *arena, msw_err *err)
{
    finder f = {.misses = misses, .stream = stream};
    misses->first_visit =
        msw_arena_take(arena, stream->step_count * sizeof *misses->first_visit + 1);
    misses->oldest = msw_arena_take(arena, stream->step_count * sizeof *misses->oldest + 1);
    if (!misses->first_visit || !misses->oldest)
        return msw_fail_memory(err);
    uint64_t visits = number_visits(stream, misses->first_visit);
    misses->bits = msw_arena_zero(arena, visits / 64 + 1, sizeof *misses->bits);
    msw_arena_mark mark = msw_arena_now(arena);
    void *memory = msw_arena_take(arena, msw_tlb_bytes(tlb));
    f.last = msw_arena_zero(arena, stream->page_count, sizeof *f.last);
    if (!misses->bits || !memory || !f.last)
        return msw_fail_memory(err);
    int rc = msw_tlb_init(&f.tlb, tlb, memory, err);
    if (rc == 0)
        pass_all(&f);
    msw_arena_release(arena, mark);
    return rc;
}
