/* SPDX-License-Identifier: MIT */
/* README.md, "Order of execution": the store of a step is issued before the late loads of the next
 * one where these wait for it, else when the step after that begins. */
#include "mech/neummu/machine/order.h"

static const neummu_tile *tile_of(const neummu_stream *stream, uint64_t step)
{
    return &stream->tiles[stream->steps[step].tile];
}

static bool give(const neummu_stream *stream, uint64_t step, int kind, neummu_issued *out)
{
    const neummu_tile *tile = tile_of(stream, step);
    const neummu_flow *const flows[] = {&tile->early, &tile->late, &tile->store};
    *out = (neummu_issued){.flow = flows[kind], .step = step, .kind = kind};
    return true;
}

bool neummu_issued_at(const neummu_stream *stream, uint64_t during, int part, neummu_issued *out)
{
    switch (part) {
    case NEUMMU_PART_BEHIND:
        return during > 1 && !neummu_stores_first(tile_of(stream, during - 1)) &&
               give(stream, during - 2, NEUMMU_STORE, out);
    case NEUMMU_PART_EARLY:
        return give(stream, during, NEUMMU_EARLY, out);
    case NEUMMU_PART_STORE:
        return during > 0 && neummu_stores_first(tile_of(stream, during)) &&
               give(stream, during - 1, NEUMMU_STORE, out);
    default:
        return give(stream, during, NEUMMU_LATE, out);
    }
}
