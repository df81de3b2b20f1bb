/* SPDX-License-Identifier: MIT */
/* Events of the machine: answers in order of time, the data that they bring, and walks whose end
 * is not known when they are asked for.
 *
 * Answers in order of time. They come almost so: those of a page after those of the page before,
 * hits among walks. Each lane is in order; an answer joins the first lane whose last one is not
 * later, and is sorted into the last lane where there is none.
 *
 * Data comes back: translated requests become batches, which memory brings in order of time.
 *
 * Walks whose end is not known when they are asked for: page-table accesses are timed one by one
 * (reads of the memory that carries the data, or behind a cache of table lines), or misses wait
 * in line for a walker. What the requests of such a walk ask for waits with it. Walks, accesses
 * and data go on in order of time, up to what the DMA engine does next. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

size_t neummu_answers_bytes(size_t capacity)
{
    return NEUMMU_LANES * msw_max_u64(64, msw_bits_power(capacity)) * sizeof(neummu_batch);
}

void neummu_answers_init(neummu_answers *answers, size_t capacity, void *memory)
{
    *answers = (neummu_answers){.mask = (uint32_t)msw_max_u64(64, msw_bits_power(capacity)) - 1};
    for (int l = 0; l < NEUMMU_LANES; l++)
        answers->lanes[l].ring = (neummu_batch *)memory + (size_t)l * (answers->mask + 1);
}

static neummu_batch *at(const neummu_answers *answers, const neummu_lane *lane, uint32_t position)
{
    return &lane->ring[position & answers->mask];
}

static bool follows(const neummu_answers *answers, const neummu_lane *lane, uint64_t time)
{
    return lane->head == lane->tail || at(answers, lane, lane->tail - 1)->first <= time;
}

/* Keeps a batch. Returns false, and keeps nothing, when there is no room. */
static bool neummu_answers_put(neummu_answers *answers, const neummu_batch *batch)
{
    int l = 0;
    while (l + 1 < NEUMMU_LANES && !follows(answers, &answers->lanes[l], batch->first))
        l++;
    neummu_lane *lane = &answers->lanes[l];
    if (lane->tail - lane->head > answers->mask)
        return false;
    uint32_t position = lane->tail++;
    for (; position != lane->head && at(answers, lane, position - 1)->first > batch->first;
         position--)
        *at(answers, lane, position) = *at(answers, lane, position - 1);
    *at(answers, lane, position) = *batch;
    return true;
}

/* Takes the earliest batch that starts by `now`. Returns whether there was one. */
static bool neummu_answers_take(neummu_answers *answers, uint64_t now, neummu_batch *batch)
{
    neummu_lane *best = NULL;
    uint64_t time = now;
    for (int l = 0; l < NEUMMU_LANES; l++) {
        neummu_lane *lane = &answers->lanes[l];
        if (lane->head == lane->tail || at(answers, lane, lane->head)->first > time)
            continue;
        if (best && at(answers, lane, lane->head)->first == time)
            continue;
        best = lane;
        time = at(answers, lane, lane->head)->first;
    }
    if (best)
        *batch = *at(answers, best, best->head++);
    return best;
}

static uint64_t ask(neummu_machine *machine, const neummu_batch *batch, uint64_t done)
{
    return msw_max_u64(neummu_memory_serve(&machine->memory, batch), done);
}

uint64_t neummu_ask_until(neummu_machine *machine, uint64_t now, uint64_t done)
{
    neummu_batch batch;
    while (neummu_answers_take(&machine->answers, now, &batch))
        done = ask(machine, &batch, done);
    return done;
}

uint64_t neummu_put(neummu_machine *machine, const neummu_batch *batch, uint64_t done)
{
    neummu_batch earliest;
    if (batch->count == 0 || neummu_answers_put(&machine->answers, batch))
        return done;
    if (neummu_answers_take(&machine->answers, UINT64_MAX, &earliest))
        done = ask(machine, &earliest, done);
    return neummu_put(machine, batch, done);
}

uint64_t neummu_visit_weight(const neummu_memory *memory, const neummu_visit *visit)
{
    return memory->banks ? (uint64_t)neummu_memory_weight(memory, visit->bytes) : visit->bytes;
}

uint64_t neummu_walk_accesses(const neummu_machine *machine)
{
    const msw_walkread_stats *lines = &machine->stage.reads.stats;
    return machine->stage.mmu.walker.stats.accesses - lines->line_hits - lines->line_waits;
}

/* ---- accesses and data in order of time ---- */

/* Asks for what of a batch is translated by `now`; the rest waits. */
static uint64_t ask_part(neummu_machine *machine, neummu_batch *batch, uint64_t now, uint64_t done)
{
    uint64_t last = batch->first + (batch->count - 1) * batch->gap;
    if (last > now) {
        neummu_batch rest = *batch;
        batch->count = (now - batch->first) / batch->gap + 1;
        batch->bytes = neummu_share(batch->bytes, batch->count, rest.count);
        rest.first += batch->count * batch->gap;
        rest.count -= batch->count;
        rest.bytes -= batch->bytes;
        done = neummu_put(machine, &rest, done);
    }
    return msw_max_u64(neummu_memory_serve(&machine->memory, batch), done);
}

uint64_t neummu_ask_before(neummu_machine *machine, uint64_t now, uint64_t done)
{
    neummu_batch batch;
    while (neummu_answers_take(&machine->answers, now, &batch))
        done = ask_part(machine, &batch, now, done);
    return done;
}

/* An access that reaches memory comes after all data asked for by then. */
static uint64_t read_table(neummu_machine *machine, const msw_walkread_read *read, uint64_t done)
{
    uint64_t there = read->time + machine->access_ticks;
    if (machine->access_ticks == 0) {
        done = neummu_ask_before(machine, read->time, done);
        there = neummu_memory_read(&machine->memory, read->time, NEUMMU_LINE_BYTES);
    }
    msw_translate_answer(&machine->stage, read->walk, there);
    return done;
}

/* Data of a walk that has ended is asked for as its answers are given back. */
static uint64_t let_go(neummu_machine *machine, const msw_walk_end *end, uint64_t done)
{
    neummu_waiting *waiting = &machine->waiting[end->entry];
    if (machine->walks && !end->dropped) /* what was found is no walk */
        neummu_walk_log_add(machine->walks, waiting->asked, machine->stage.mmu.lookup_cycles,
                            end->time);
    neummu_batch batch = {.first = end->time,
                          .gap = machine->stage.mmu.config.walker.return_gap,
                          .count = waiting->count,
                          .bytes = waiting->bytes};
    *waiting = (neummu_waiting){0};
    return neummu_put(machine, &batch, done);
}

uint64_t neummu_happen(neummu_machine *machine, uint64_t now, uint64_t done)
{
    msw_translate_event event = msw_translate_happen(&machine->stage, now);
    if (event.kind == MSW_TRANSLATE_ENDED)
        return let_go(machine, &event.end, done);
    return event.kind == MSW_TRANSLATE_READ ? read_table(machine, &event.read, done) : done;
}

uint64_t neummu_go_until(neummu_machine *machine, uint64_t now, uint64_t done)
{
    while (neummu_next_event(machine) <= now)
        done = neummu_happen(machine, msw_min_u64(now, neummu_next_event(machine)), done);
    return done;
}

uint64_t neummu_finish_waiting(neummu_machine *machine, uint64_t done)
{
    while (neummu_next_event(machine) < UINT64_MAX)
        done = neummu_happen(machine, neummu_next_event(machine), done);
    return neummu_ask_until(machine, UINT64_MAX, done);
}
