/* Loads, computing and stores around the steps: README.md, "Order of execution". */
#include "mech/neummu/machine/timeline.h"

#include "memsweep/base/bits.h"

static const neummu_tile *tile_of(const neummu_stream *stream, uint32_t step)
{
    return &stream->tiles[stream->steps[step].tile];
}

/* Stores a step's output when it has been computed. Returns when that is over; `ready` when there
 * is nothing to store. */
static uint64_t store(neummu_machine *machine, const neummu_stream *stream, uint32_t step,
                      uint64_t ready)
{
    return step == NEUMMU_NO_STEP ? ready
                                  : neummu_transfer(machine, &tile_of(stream, step)->store, ready);
}

/* Memory and engine as they would be with every translation known. */
typedef struct shadow {
    neummu_memory memory;
    uint64_t issue, done;
} shadow;

static shadow shadow_of(const neummu_machine *machine)
{
    return (shadow){.memory = machine->memory, .issue = machine->issue};
}

static void shadow_move(shadow *s, const neummu_flow *flow, uint64_t start)
{
    if (flow->count)
        s->done = neummu_transfer_oracle(&s->memory, &s->issue, flow, start);
}

static neummu_period divide(const neummu_timeline *line, uint64_t waited, uint64_t loaded,
                            uint64_t known)
{
    neummu_period period = {
        .compute = line->end - line->start,
        .write_back = waited - line->end,
    };
    if (loaded > waited) {
        period.memory = known > waited ? known - waited : 0;
        if (period.memory > loaded - waited)
            period.memory = loaded - waited;
        period.translation = loaded - waited - period.memory;
    }
    return period;
}

neummu_period neummu_run_step(neummu_machine *machine, const neummu_stream *stream,
                              neummu_timeline *line, uint32_t step)
{
    return neummu_run_tile(machine, stream, line, step, tile_of(stream, step));
}

neummu_period neummu_run_tile(neummu_machine *machine, const neummu_stream *stream,
                              neummu_timeline *line, uint32_t step, const neummu_tile *tile)
{
    uint64_t waited = line->end, loaded;
    store(machine, stream, line->behind, line->ready);
    shadow known = shadow_of(machine);
    loaded = neummu_transfer(machine, &tile->early, line->start);
    shadow_move(&known, &tile->early, line->start);
    if (!tile->overlapped) {
        waited = store(machine, stream, line->last, line->end);
        known.memory = machine->memory;
        known.issue = machine->issue;
        loaded = msw_max_u64(loaded, neummu_transfer(machine, &tile->late, waited));
        shadow_move(&known, &tile->late, waited);
    }
    neummu_period period = divide(line, waited, loaded, known.done);
    uint64_t start = msw_max_u64(waited, loaded);
    *line = (neummu_timeline){
        .start = start,
        .end = start + tile->compute_cycles * (uint64_t)machine->config->issue_width,
        .ready = line->end,
        .last = step,
        .behind = tile->overlapped ? line->last : NEUMMU_NO_STEP,
    };
    return period;
}

neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line)
{
    store(machine, stream, line->behind, line->ready);
    uint64_t stored = store(machine, stream, line->last, line->end);
    return (neummu_period){.compute = line->end - line->start, .write_back = stored - line->end};
}
