/* SPDX-License-Identifier: MIT */
/* The DMA engine where the end of a walk is not known when it is asked for: what its requests ask
 * for waits with it (events.c). */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

/* Before a request issued at `time` all has happened that can be seen when it is looked up. */
static uint64_t prepare(neummu_machine *machine, uint64_t time, uint64_t done)
{
    uint64_t next, shortest = 0;
    done = neummu_go_until(machine, time + machine->mmu.lookup_cycles, done);
    if (machine->config->table_lines == 0)
        shortest = machine->access_ticks ? machine->access_ticks : machine->memory.latency;
    next = msw_walkread_next(&machine->reads);
    machine->mmu.horizon = next < UINT64_MAX - shortest ? next + shortest : UINT64_MAX;
    return done;
}

/* When to offer a blocked request again: when a walk has ended, or a register is free. */
static uint64_t wait_blocked(neummu_machine *machine, const msw_mmu_answer *answer, uint64_t *done)
{
    uint64_t until = answer->until, lookup = machine->mmu.lookup_cycles;
    uint64_t l1 = machine->mmu.config.l1_cycles;
    while (neummu_next_event(machine) <= msw_min_u64(until, UINT64_MAX - lookup - 1) + lookup) {
        uint64_t ends = machine->mmu.ends, time = neummu_next_event(machine);
        if (machine->prefetch.stream && time > lookup)
            *done = neummu_prefetch_run(machine, time - lookup, *done);
        *done = neummu_happen(machine, neummu_next_event(machine), *done);
        if (answer->cause == MSW_BLOCK_MSHRS)
            until = msw_mshr_next(machine->mmu.mshrs) - l1;
        else if (machine->mmu.ends != ends)
            return msw_min_u64(until, machine->mmu.ended - lookup);
    }
    return until;
}

static void hold(neummu_machine *machine, const msw_mmu_answer *answer, uint64_t time,
                 uint64_t bytes)
{
    neummu_waiting *waiting = &machine->waiting[answer->entry];
    if (answer->kind == MSW_MMU_WALK)
        waiting->asked = time;
    waiting->count += answer->taken;
    waiting->bytes += bytes;
    if (answer->kind == MSW_MMU_WALK && machine->mmu.walk.kind == MSW_WALK_STARTED)
        neummu_begin_accesses(machine);
}

static uint64_t keep(neummu_machine *machine, const msw_mmu_request *rest,
                     const msw_mmu_answer *answer, uint64_t *bytes, uint64_t done)
{
    uint64_t part = neummu_share(*bytes, answer->taken, rest->count);
    *bytes -= part;
    if (answer->done == UINT64_MAX) {
        hold(machine, answer, rest->time, part);
        return done;
    }
    neummu_batch batch = neummu_batch_of(machine, rest, answer);
    batch.bytes = part;
    return neummu_put(machine, &batch, done);
}

uint64_t neummu_move_visit_waiting(neummu_machine *machine, const neummu_visit *visit,
                                   uint64_t done)
{
    msw_page page = neummu_page_of(machine->shifts, visit->page);
    msw_mmu_request rest = {.time = machine->issue, .page = page, .count = visit->requests};
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    uint64_t bytes = neummu_visit_weight(&machine->memory, visit);
    while (rest.count) {
        bool again = answer.kind == MSW_MMU_BLOCKED;
        done = prepare(machine, rest.time, done);
        answer = again ? msw_mmu_retry(&machine->mmu, &rest, answer.cause)
                       : msw_mmu_issue(&machine->mmu, &rest);
        if (answer.kind == MSW_MMU_BLOCKED) {
            uint64_t until = msw_max_u64(wait_blocked(machine, &answer, &done), rest.time);
            machine->blocked[answer.cause] += until - rest.time;
            rest.time = until;
            continue;
        }
        if (machine->bursts)
            neummu_bursts_count(machine->bursts, rest.time, answer.taken, &page);
        bool first = rest.count == visit->requests;
        if (machine->prefetch.stream && first)
            neummu_prefetch_met(machine, visit->page, answer.kind);
        done = keep(machine, &rest, &answer, &bytes, done);
        if (machine->prefetch.stream)
            done = neummu_prefetch_run(machine, rest.time + answer.taken, done);
        rest.time += answer.taken;
        rest.count -= answer.taken;
    }
    machine->issue = rest.time;
    done = neummu_go_until(machine, machine->issue, done);
    return neummu_ask_before(machine, machine->issue, done);
}
