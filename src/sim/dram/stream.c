/* SPDX-License-Identifier: MIT */
/* dram_stream: replays a whole stream of requests through a memory. */
#include "sim/dram/state.h"

typedef struct walk {
    msw_dram *dram;
    uint64_t now;  /* cycle at which the next burst is offered */
    uint64_t last; /* latest completion taken */
    size_t open;
} walk;

static bool take_one(walk *w, uint64_t limit)
{
    msw_dram_completion done;
    if (!msw_dram_next(w->dram, limit, &done))
        return false;
    w->last = msw_max_u64(w->last, done.time);
    w->open--;
    return true;
}

static void offer(walk *w, uint64_t address, uint32_t bytes, bool is_write)
{
    while (!msw_dram_push(w->dram, w->now, address, bytes, is_write, 0)) {
        uint64_t room = msw_dram_room(w->dram, address, is_write);
        if (room == MSW_DRAM_NEVER)
            take_one(w, MSW_DRAM_NEVER);
        else
            w->now = msw_max_u64(w->now, room);
    }
    w->open++;
}

static void wait_for_window(walk *w, uint32_t window)
{
    while (w->open >= window) {
        take_one(w, MSW_DRAM_NEVER);
        w->now = msw_max_u64(w->now, w->last);
    }
}

static inline void offer_burst(walk *w, const msw_dram_stream *stream, uint64_t address,
                               uint32_t bytes, bool is_write)
{
    if (!stream->arrival && stream->window && w->open >= stream->window)
        wait_for_window(w, stream->window);
    offer(w, address, bytes, is_write);
    w->now += !stream->arrival;
}

static inline void offer_request(walk *w, const msw_dram_stream *stream, size_t i)
{
    uint32_t burst = w->dram->rules.config.burst_bytes;
    bool is_write = stream->is_write && stream->is_write[i];
    uint64_t at = stream->address[i], left = stream->bytes;
    if (stream->arrival)
        w->now = msw_max_u64(w->now, stream->arrival[i]);
    uint32_t room = burst - (uint32_t)(at & (burst - 1));
    if (left - 1 < room) {
        offer_burst(w, stream, at, (uint32_t)left, is_write);
        return;
    }
    while (left) {
        room = burst - (uint32_t)(at & (burst - 1));
        uint32_t bytes = left < room ? (uint32_t)left : room;
        offer_burst(w, stream, at, bytes, is_write);
        at += bytes;
        left -= bytes;
    }
}

uint64_t msw_dram_replay(msw_dram *dram, const msw_dram_stream *stream, uint64_t start)
{
    walk w = {.dram = dram, .now = start};
    for (size_t i = 0; i < stream->count; i++)
        offer_request(&w, stream, i);
    while (take_one(&w, MSW_DRAM_NEVER))
        ;
    return msw_max_u64(w.last, msw_dram_drain(dram));
}
