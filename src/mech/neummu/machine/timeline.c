/* SPDX-License-Identifier: MIT */
/* Loads, computing and stores around the steps: README.md, "Order of execution". */
#include "mech/neummu/machine/timeline.h"

#include "memsweep/base/bits.h"

static const neummu_tile *tile_of(const neummu_stream *stream, uint32_t step)
{
    return &stream->tiles[stream->steps[step].tile];
}

/* The place of a flow in the order of issue: order.h. */
typedef struct position {
    uint64_t during;
    int part;
} position;

static uint64_t transfer(neummu_machine *machine, const neummu_flow *flow, position at,
                         uint64_t start)
{
    if (flow->count)
        neummu_prefetch_part(machine, at.during, at.part, start);
    return neummu_transfer(machine, flow, start);
}

/* Stores a step's output when it has been computed. Returns when that is over; `ready` when there
 * is nothing to store. */
static uint64_t store(neummu_machine *machine, const neummu_stream *stream, uint32_t step,
                      position at, uint64_t ready)
{
    return step == NEUMMU_NO_STEP ? ready
                                  : transfer(machine, &tile_of(stream, step)->store, at, ready);
}

/* Memory and engine as they would be, from the begin of a step on, with every translation known. */
typedef struct shadow {
    neummu_memory memory;
    uint64_t issue;
    uint64_t waited, loaded; /* what loads wait for is over; all loads are there */
} shadow;

static shadow shadow_of(const neummu_machine *machine, const neummu_timeline *line)
{
    return (shadow){.memory = machine->memory, .issue = machine->issue, .waited = line->end};
}

static uint64_t shadow_move(shadow *s, const neummu_flow *flow, uint64_t start)
{
    return flow->count ? neummu_transfer_oracle(&s->memory, &s->issue, flow, start) : start;
}

/* Time from the end of computing to `waited` and on to `start`; what the shadow does not take of it
 * is lost to translation, first of all in the store that loads wait for. */
static neummu_period divide(const neummu_timeline *line, uint64_t waited, uint64_t start,
                            const shadow *known)
{
    uint64_t would = msw_min_u64(msw_max_u64(known->waited, known->loaded), start);
    uint64_t stored = msw_min_u64(known->waited, would), lost = start - would;
    neummu_period period = {
        .compute = line->end - line->start,
        .write_back = stored - line->end,
        .memory = would - stored,
        .store_translation = msw_min_u64(lost, waited - stored),
    };
    period.translation = lost - period.store_translation;
    return period;
}

/* Issues what waits for the computing of the step before: its store, if that goes first, and the
 * late loads. Returns when these may begin; `loaded` and the shadow go on to their end. */
static uint64_t execute_late(neummu_machine *machine, const neummu_stream *stream,
                             const neummu_timeline *line, const neummu_tile *tile, uint32_t step,
                             shadow *known, uint64_t *loaded)
{
    uint64_t waited = line->end;
    position late = {step, NEUMMU_PART_LATE};
    if (neummu_stores_first(tile) && line->last != NEUMMU_NO_STEP) {
        position at = {step, NEUMMU_PART_STORE};
        uint64_t stored = store(machine, stream, line->last, at, line->end);
        uint64_t would = shadow_move(known, &tile_of(stream, line->last)->store, line->end);
        if (tile->boundary == NEUMMU_BOUNDARY_STORED) {
            waited = stored;
            known->waited = would;
        }
    }
    *loaded = msw_max_u64(*loaded, transfer(machine, &tile->late, late, waited));
    known->loaded = msw_max_u64(known->loaded, shadow_move(known, &tile->late, known->waited));
    return waited;
}

neummu_period neummu_execute_step(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step)
{
    return neummu_execute_tile(machine, stream, line, step, tile_of(stream, step));
}

neummu_period neummu_execute_tile(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step, const neummu_tile *tile)
{
    uint64_t waited = line->end, loaded;
    machine->prefetch.step = step;
    store(machine, stream, line->behind, (position){step, NEUMMU_PART_BEHIND}, line->ready);
    shadow known = shadow_of(machine, line);
    loaded = transfer(machine, &tile->early, (position){step, NEUMMU_PART_EARLY}, line->start);
    known.loaded = shadow_move(&known, &tile->early, line->start);
    if (!tile->overlapped)
        waited = execute_late(machine, stream, line, tile, step, &known, &loaded);
    uint64_t start = msw_max_u64(waited, loaded);
    neummu_period period = divide(line, waited, start, &known);
    *line = (neummu_timeline){
        .start = start,
        .end = start + tile->compute_cycles * (uint64_t)machine->config->issue_width,
        .ready = line->end,
        .last = step,
        .behind = neummu_stores_first(tile) ? NEUMMU_NO_STEP : line->last,
    };
    return period;
}

neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line)
{
    machine->prefetch.step = stream->step_count;
    position end = {stream->step_count, NEUMMU_PART_BEHIND};
    store(machine, stream, line->behind, end, line->ready);
    shadow known = shadow_of(machine, line);
    uint64_t stored = store(machine, stream, line->last, end, line->end);
    if (line->last != NEUMMU_NO_STEP)
        known.waited = shadow_move(&known, &tile_of(stream, line->last)->store, line->end);
    return divide(line, stored, stored, &known);
}
