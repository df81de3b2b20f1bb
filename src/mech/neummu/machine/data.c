/* SPDX-License-Identifier: MIT */
/* Data comes back: translated requests become batches, which memory brings in order of time. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

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

neummu_batch neummu_batch_of(const neummu_machine *machine, const msw_mmu_request *request,
                             const msw_mmu_answer *answer)
{
    neummu_batch b = {.first = answer->done, .count = answer->taken};
    if (answer->kind == MSW_MMU_MERGED)
        b.gap = machine->mmu.config.walker.return_gap;
    else if (answer->kind == MSW_MMU_L1_HIT &&
             answer->done == request->time + machine->mmu.config.l1_cycles + answer->taken - 1)
        b.gap = 1;
    b.first -= (b.count - 1) * b.gap;
    return b;
}

uint64_t neummu_visit_weight(const neummu_memory *memory, const neummu_visit *visit)
{
    return memory->banks ? (uint64_t)neummu_memory_weight(memory, visit->bytes) : visit->bytes;
}
