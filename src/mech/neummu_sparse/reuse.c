/* SPDX-License-Identifier: MIT */
/* Visits, LRU stack distances and segments of a stream, for the closed form. The distance of a
 * visit is the number of pages used since the last visit on its page. */
#include "mech/neummu_sparse/stream.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/lru_stack.h"

enum { FAR_BIN = 9, AREA_2M = 21, HISTORY = 1024 };

typedef struct profile {
    const neummu_sparse_stream *stream;
    msw_lru_stack used;        /* a time is a visit */
    uint32_t *last;            /* by page: its last visit, from 1; 0: none */
    uint64_t history[HISTORY]; /* page numbers of the last far visits */
    uint64_t fars;
    neummu_sparse_segment *segments;
    uint64_t count;
} profile;

static unsigned bin_of(uint32_t distance)
{
    return (unsigned)msw_min_u64(msw_bits_width(distance), NEUMMU_SPARSE_DEPTHS - 1);
}

static void add_far(profile *p, neummu_sparse_segment *s, uint64_t number)
{
    unsigned shift = p->stream->page_shift;
    s->far++;
    for (unsigned k = 0; k < NEUMMU_SPARSE_LAGS && p->fars >= (uint64_t)1 << 2 * k; k++) {
        uint64_t other = p->history[(p->fars - ((uint64_t)1 << 2 * k)) % HISTORY];
        for (unsigned area = 0; area < NEUMMU_SPARSE_AREAS; area++) {
            unsigned bits = AREA_2M + 9 * area;
            s->shared[k][area] +=
                bits >= shift && number >> (bits - shift) == other >> (bits - shift);
        }
    }
    p->history[p->fars++ % HISTORY] = number;
}

static void add_visit(profile *p, neummu_sparse_segment *s, uint32_t page)
{
    uint32_t last = p->last[page], bin = NEUMMU_SPARSE_DEPTHS;
    if (last) {
        bin = bin_of(msw_lru_stack_since(&p->used, last));
        s->reused[bin]++;
    } else {
        s->cold++;
        s->faults += p->stream->homes[page] != 0;
    }
    p->last[page] = msw_lru_stack_use(&p->used, last);
    s->visits++;
    if (bin >= FAR_BIN)
        add_far(p, s, p->stream->numbers[page]);
}

static void add_batch(profile *p, neummu_sparse_batch *batch)
{
    const neummu_sparse_stream *stream = p->stream;
    uint32_t before = UINT32_MAX;
    batch->segment_first = p->count;
    for (uint64_t i = batch->first; i < batch->first + batch->count; i++) {
        uint32_t page = stream->pages[i];
        bool begins = p->count == batch->segment_first ||
                      (page != before && p->segments[p->count - 1].visits == NEUMMU_SPARSE_VISITS);
        if (begins)
            p->segments[p->count++] = (neummu_sparse_segment){0};
        neummu_sparse_segment *s = &p->segments[p->count - 1];
        if (page != before)
            add_visit(p, s, page);
        uint64_t bytes = neummu_sparse_bytes(stream->accesses, i);
        bool remote = stream->homes[page] != 0;
        s->requests++;
        s->bytes += bytes;
        s->remote += remote;
        s->remote_bytes += remote ? bytes : 0;
        before = page;
    }
    batch->segment_count = p->count - batch->segment_first;
}

/* Every batch begins a visit. */
static uint64_t count_visits(const neummu_sparse_stream *stream)
{
    uint64_t visits = 0;
    for (uint64_t n = 0; n < stream->batch_count; n++) {
        const neummu_sparse_batch *b = &stream->batches[n];
        for (uint64_t i = b->first; i < b->first + b->count; i++)
            visits += i == b->first || stream->pages[i] != stream->pages[i - 1];
    }
    return visits;
}

int neummu_sparse_profile(neummu_sparse_stream *stream, neummu_sparse_batch *batches,
                          msw_arena *arena, msw_err *err)
{
    uint64_t visits = count_visits(stream);
    if (visits >= UINT32_MAX)
        return msw_fail(err, "%llu page visits: at most 2^32 - 2", (unsigned long long)visits);
    profile p = {.stream = stream};
    p.segments = msw_arena_take(arena, (visits / NEUMMU_SPARSE_VISITS + stream->batch_count) *
                                           sizeof *p.segments);
    msw_arena_mark now = msw_arena_now(arena);
    uint32_t *times = msw_arena_zero(arena, msw_lru_stack_words((uint32_t)visits), sizeof *times);
    p.last = msw_arena_zero(arena, stream->page_count, sizeof *p.last);
    if (!p.segments || !times || !p.last)
        return msw_fail_memory(err);
    msw_lru_stack_init(&p.used, (uint32_t)visits, times);
    for (uint64_t n = 0; n < stream->batch_count; n++)
        add_batch(&p, &batches[n]);
    stream->segments = p.segments;
    stream->segment_count = p.count;
    msw_arena_release(arena, now);
    return 0;
}
