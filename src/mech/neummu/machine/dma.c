/* The DMA engine: issues runs of transactions through the MMU, in order, and has the data brought
 * as translations come back, in the order in which they do. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Answers wait for the walks under way, a few batches each; beyond that the earliest go first. */
static size_t answers_of(const neummu_config *config)
{
    return 1024 + 4 * (size_t)(config->ptw_count + config->walk_queue);
}

size_t neummu_machine_bytes(const neummu_config *config)
{
    msw_mmu_config mmu = neummu_mmu_config(config);
    return msw_align_line(msw_mmu_bytes(&mmu)) + neummu_answers_bytes(answers_of(config));
}

int neummu_machine_init(neummu_machine *machine, const neummu_config *config, void *memory,
                        msw_err *err)
{
    msw_mmu_config mmu = neummu_mmu_config(config);
    *machine = (neummu_machine){
        .config = config, .mmu_memory = memory, .shifts = neummu_shifts_of(config)};
    neummu_answers_init(&machine->answers, answers_of(config),
                        (char *)memory + msw_align_line(msw_mmu_bytes(&mmu)));
    if (neummu_memory_init(&machine->memory, config, err))
        return -1;
    return neummu_machine_reset(machine, err);
}

int neummu_machine_reset(neummu_machine *machine, msw_err *err)
{
    msw_mmu_config mmu = neummu_mmu_config(machine->config);
    machine->issue = machine->runs = machine->requests = machine->walk_accesses = 0;
    memset(machine->blocked, 0, sizeof machine->blocked);
    machine->memory.free = 0;
    return machine->config->oracle ? 0
                                   : msw_mmu_init(&machine->mmu, &mmu, machine->mmu_memory, err);
}

/* ---- data comes back ---- */

static uint64_t ask(neummu_machine *machine, const neummu_batch *batch, uint64_t done)
{
    return msw_max_u64(neummu_memory_serve(&machine->memory, batch), done);
}

/* Asks for everything translated by `now`. Returns when the last of it arrives, or `done`. */
static uint64_t ask_until(neummu_machine *machine, uint64_t now, uint64_t done)
{
    neummu_batch batch;
    while (neummu_answers_take(&machine->answers, now, &batch))
        done = ask(machine, &batch, done);
    return done;
}

static uint64_t put(neummu_machine *machine, const neummu_batch *batch, uint64_t done)
{
    neummu_batch earliest;
    if (batch->count == 0 || neummu_answers_put(&machine->answers, batch))
        return done;
    if (neummu_answers_take(&machine->answers, UINT64_MAX, &earliest))
        done = ask(machine, &earliest, done);
    return put(machine, batch, done);
}

/* When the requests of an answer were translated. */
static neummu_batch batch_of(const neummu_machine *machine, const msw_mmu_request *request,
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

/* ---- one run ---- */

static msw_mmu_answer offer(neummu_machine *machine, const msw_mmu_request *request,
                            const msw_mmu_answer *before)
{
    if (before->kind != MSW_MMU_BLOCKED)
        return msw_mmu_issue(&machine->mmu, request);
    machine->blocked[before->cause] += request->time - before->done;
    return msw_mmu_retry(&machine->mmu, request, before->cause);
}

/* Bytes of `part` of the requests left, such that all parts add up. */
static uint64_t share(uint64_t bytes, uint64_t part, uint64_t left)
{
    return part == left ? bytes : bytes / left * part;
}

/* Adds a batch to one that it continues. Returns whether it does. */
static bool extend(neummu_batch *open, const neummu_batch *next)
{
    uint64_t gap = open->count == 1 ? next->first - open->first : open->gap;
    if (open->count == 0 || next->first < open->first || gap > next->gap + 1 ||
        (next->count > 1 && gap != next->gap) || next->first != open->first + open->count * gap)
        return false;
    open->gap = gap;
    open->count += next->count;
    open->bytes += next->bytes;
    return true;
}

static uint64_t weight_of(const neummu_memory *memory, const neummu_run *run)
{
    return memory->banks ? (uint64_t)neummu_memory_weight(memory, run->bytes) : run->bytes;
}

static uint64_t move_run(neummu_machine *machine, const neummu_run *run, uint64_t done)
{
    msw_page page = neummu_page_of(machine->shifts, run->page);
    msw_mmu_request rest = {.time = machine->issue, .page = page, .count = run->requests};
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    neummu_batch open = {.count = 0};
    uint64_t bytes = weight_of(&machine->memory, run);
    while (rest.count) {
        answer = offer(machine, &rest, &answer);
        if (answer.kind == MSW_MMU_BLOCKED) {
            answer.done = rest.time; /* blocked since */
            rest.time = answer.until;
            continue;
        }
        neummu_batch next = batch_of(machine, &rest, &answer);
        next.bytes = share(bytes, answer.taken, rest.count);
        bytes -= next.bytes;
        if (!extend(&open, &next)) {
            done = put(machine, &open, done);
            open = next;
        }
        if (machine->walks && answer.kind == MSW_MMU_WALK)
            neummu_walk_log_add(machine->walks, rest.time, machine->mmu.lookup_cycles, answer.done);
        if (machine->bursts)
            neummu_bursts_count(machine->bursts, rest.time, answer.taken, &page);
        rest.time += answer.taken;
        rest.count -= answer.taken;
    }
    machine->issue = rest.time;
    done = put(machine, &open, done);
    return ask_until(machine, machine->issue, done);
}

static void charge_walks(neummu_machine *machine)
{
    uint64_t accesses = machine->mmu.walker.stats.accesses;
    neummu_memory_occupy(&machine->memory, machine->issue,
                         (accesses - machine->walk_accesses) * NEUMMU_WALK_BYTES);
    machine->walk_accesses = accesses;
}

uint64_t neummu_transfer(neummu_machine *machine, const neummu_flow *flow, uint64_t start)
{
    uint64_t done = start;
    if (machine->issue < start)
        machine->issue = start;
    machine->runs += flow->count;
    machine->requests += flow->requests;
    if (machine->config->oracle)
        return neummu_transfer_oracle(&machine->memory, &machine->issue, flow, start);
    for (uint64_t r = 0; r < flow->count; r++) {
        done = move_run(machine, &flow->runs[r], done);
        if (machine->config->walk_traffic)
            charge_walks(machine);
    }
    return ask_until(machine, UINT64_MAX, done);
}

uint64_t neummu_transfer_oracle(neummu_memory *memory, uint64_t *issue, const neummu_flow *flow,
                                uint64_t start)
{
    uint64_t done = start;
    if (*issue < start)
        *issue = start;
    for (uint64_t r = 0; r < flow->count; r++) {
        const neummu_run *run = &flow->runs[r];
        neummu_batch batch = {*issue, 1, run->requests, weight_of(memory, run)};
        done = neummu_memory_serve(memory, &batch);
        *issue += run->requests;
    }
    return done;
}

neummu_counts neummu_count(const neummu_machine *machine)
{
    neummu_counts counts = {.runs = machine->runs};
    if (machine->config->oracle) {
        counts.mmu.requests = counts.mmu.l1_hits = machine->requests;
    } else {
        counts.mmu = machine->mmu.stats;
        counts.walker = machine->mmu.walker.stats;
    }
    memcpy(counts.blocked, machine->blocked, sizeof counts.blocked);
    return counts;
}
