/* SPDX-License-Identifier: MIT */
/* The DMA engine: issues page visits through the MMU, in order, and has the data brought as
 * translations come back, in the order in which they do. Where the end of a walk is not known
 * when it is asked for, what its requests ask for waits with it (events.c).
 *
 * The detail table `bursts`: how many translations are asked for in each window of time, and for
 * which addresses, from the moment the loads of a step may begin. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Whether the end of a walk is not known when it is asked for. */
static inline bool neummu_ends_unknown(const neummu_config *config)
{
    return !config->oracle && (neummu_times_accesses(config) || neummu_queue_waits(config));
}

void neummu_bursts_start(neummu_bursts *b, const msw_task *task, uint64_t origin, uint32_t step)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    *b = (neummu_bursts){
        .task = task,
        .origin = origin,
        .length = (uint64_t)(config->profile_window * config->issue_width),
        .step = step,
        .layer = stream->steps[step].layer,
    };
}

int neummu_bursts_flush(neummu_bursts *b, msw_err *err)
{
    double row[] = {b->step,        b->layer,       (double)b->window, (double)b->requests,
                    (double)b->low, (double)b->high};
    if (b->requests == 0)
        return 0;
    b->requests = 0;
    return msw_detail_add(b->task, 0, row, err);
}

static void add(neummu_bursts *b, uint64_t count, const msw_page *page)
{
    uint64_t end = page->address + ((uint64_t)1 << page->shift);
    if (b->requests == 0) {
        b->low = page->address;
        b->high = end;
    }
    b->low = msw_min_u64(page->address, b->low);
    b->high = msw_max_u64(end, b->high);
    b->requests += count;
}

/* Counts translations asked for one per tick. */
static void neummu_bursts_count(neummu_bursts *b, uint64_t time, uint64_t count,
                                const msw_page *page)
{
    time = time > b->origin ? time - b->origin : 0;
    while (count && !b->failed) {
        uint64_t window = time / b->length, left = (window + 1) * b->length - time;
        uint64_t part = msw_min_u64(count, left);
        if (window != b->window)
            b->failed = neummu_bursts_flush(b, &b->err) != 0;
        b->window = window;
        add(b, part, page);
        time += part;
        count -= part;
    }
}

/* Before a request issued at `time` all has happened that can be seen when it is looked up. */
static uint64_t prepare(neummu_machine *machine, uint64_t time, uint64_t done)
{
    uint64_t shortest = 0;
    done = neummu_go_until(machine, time + machine->stage.mmu.lookup_cycles, done);
    if (machine->config->table_lines == 0)
        shortest = neummu_access_least(machine);
    msw_translate_look_ahead(&machine->stage, shortest);
    return done;
}

/* When to offer a blocked request again: when a walk has ended, or a register is free. */
static uint64_t wait_blocked(neummu_machine *machine, const msw_mmu_answer *answer, uint64_t *done)
{
    uint64_t until = answer->until, lookup = machine->stage.mmu.lookup_cycles;
    uint64_t l1 = machine->stage.mmu.config.l1_cycles;
    while (neummu_next_event(machine) <= msw_min_u64(until, UINT64_MAX - lookup - 1) + lookup) {
        uint64_t ends = machine->stage.mmu.ends, time = neummu_next_event(machine);
        if (machine->prefetch.stream && time > lookup)
            *done = neummu_prefetch_run(machine, time - lookup, *done);
        *done = neummu_happen(machine, neummu_next_event(machine), *done);
        if (answer->cause == MSW_BLOCK_MSHRS)
            until = msw_mshr_next(machine->stage.mmu.mshrs) - l1;
        else if (machine->stage.mmu.ends != ends)
            return msw_min_u64(until, machine->stage.mmu.ended - lookup);
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
}

static neummu_batch batch_of(const neummu_machine *machine, const msw_mmu_request *request,
                             const msw_mmu_answer *answer, uint64_t bytes)
{
    msw_translated t = msw_translate_times(&machine->stage, request, answer);
    return (neummu_batch){t.first, t.gap, t.count, bytes};
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
    neummu_batch batch = batch_of(machine, rest, answer, part);
    return neummu_put(machine, &batch, done);
}

/* Moves a visit. Returns when its data has arrived as far as it is known, or `done`. */
static uint64_t neummu_move_visit_waiting(neummu_machine *machine, const neummu_visit *visit,
                                          uint64_t done)
{
    msw_page page = neummu_page_of(machine->shifts, visit->page);
    msw_mmu_request rest = {.time = machine->issue, .page = page, .count = visit->requests};
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    uint64_t bytes = neummu_visit_weight(&machine->memory, visit);
    while (rest.count) {
        done = prepare(machine, rest.time, done);
        answer = msw_translate_issue(&machine->stage, &rest, &answer);
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

static msw_translate_config stage_config(const neummu_config *config)
{
    return (msw_translate_config){neummu_mmu_config(config), neummu_read_config(config)};
}

/* Answers wait for the walks under way, a few batches each; beyond that the earliest go first. */
static size_t answers_of(const neummu_config *config)
{
    return 1024 + 4 * (size_t)(config->ptw_count + config->walk_queue);
}

/* Memory of the parts, one behind the other; without memory it only adds up. */
static size_t layout(neummu_machine *machine, const neummu_config *config, char *memory)
{
    msw_translate_config stage = stage_config(config);
    size_t at = msw_align_line(msw_translate_bytes(&stage));
    machine->stage_memory = memory;
    if (memory)
        neummu_answers_init(&machine->answers, answers_of(config), memory + at);
    at += msw_align_line(neummu_answers_bytes(answers_of(config)));
    if (!neummu_ends_unknown(config))
        return at;
    machine->waiting = memory ? (neummu_waiting *)(memory + at) : NULL;
    return at + msw_align_line(stage.reads.walks * sizeof *machine->waiting);
}

size_t neummu_machine_bytes(const neummu_config *config)
{
    neummu_machine machine;
    return layout(&machine, config, NULL);
}

int neummu_machine_init(neummu_machine *machine, const neummu_config *config, void *memory,
                        msw_err *err)
{
    *machine = (neummu_machine){.config = config, .shifts = neummu_shifts_of(config)};
    layout(machine, config, memory);
    if (config->walk_memory == NEUMMU_WALKS_FIXED)
        machine->access_ticks = (uint64_t)(config->walk_level_cycles * config->issue_width);
    if (neummu_memory_init(&machine->memory, config, err))
        return -1;
    return neummu_machine_reset(machine, err);
}

int neummu_machine_reset(neummu_machine *machine, msw_err *err)
{
    msw_translate_config stage = stage_config(machine->config);
    machine->issue = machine->visits = machine->requests = machine->walk_accesses = 0;
    memset(machine->blocked, 0, sizeof machine->blocked);
    machine->memory.free = 0;
    neummu_prefetch_reset(&machine->prefetch);
    if (machine->config->oracle)
        return 0;
    if (machine->waiting) /* no walk is under way */
        memset(machine->waiting, 0, stage.reads.walks * sizeof *machine->waiting);
    return msw_translate_init(&machine->stage, &stage, machine->stage_memory, err);
}

/* ---- one visit ---- */

static msw_mmu_answer offer(neummu_machine *machine, const msw_mmu_request *request,
                            const msw_mmu_answer *before)
{
    if (before->kind == MSW_MMU_BLOCKED)
        machine->blocked[before->cause] += request->time - before->done;
    return msw_translate_issue(&machine->stage, request, before);
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

static uint64_t move_visit(neummu_machine *machine, const neummu_visit *visit, uint64_t done)
{
    msw_page page = neummu_page_of(machine->shifts, visit->page);
    msw_mmu_request rest = {.time = machine->issue, .page = page, .count = visit->requests};
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    neummu_batch open = {.count = 0};
    uint64_t bytes = neummu_visit_weight(&machine->memory, visit);
    while (rest.count) {
        answer = offer(machine, &rest, &answer);
        if (answer.kind == MSW_MMU_BLOCKED) {
            answer.done = rest.time; /* blocked since */
            if (machine->prefetch.stream)
                neummu_prefetch_run(machine, answer.until, 0);
            rest.time = answer.until;
            continue;
        }
        uint64_t part = neummu_share(bytes, answer.taken, rest.count);
        neummu_batch next = batch_of(machine, &rest, &answer, part);
        bytes -= part;
        if (!extend(&open, &next)) {
            done = neummu_put(machine, &open, done);
            open = next;
        }
        if (machine->walks && answer.kind == MSW_MMU_WALK)
            neummu_walk_log_add(machine->walks, rest.time, machine->stage.mmu.lookup_cycles,
                                answer.done);
        if (machine->bursts)
            neummu_bursts_count(machine->bursts, rest.time, answer.taken, &page);
        if (machine->prefetch.stream) {
            if (rest.count == visit->requests)
                neummu_prefetch_met(machine, visit->page, answer.kind);
            neummu_prefetch_run(machine, rest.time + answer.taken, 0);
        }
        rest.time += answer.taken;
        rest.count -= answer.taken;
    }
    machine->issue = rest.time;
    done = neummu_put(machine, &open, done);
    return neummu_ask_until(machine, machine->issue, done);
}

static void charge_walks(neummu_machine *machine)
{
    uint64_t accesses = neummu_walk_accesses(machine);
    neummu_memory_occupy(&machine->memory, machine->issue,
                         (accesses - machine->walk_accesses) * NEUMMU_LINE_BYTES);
    machine->walk_accesses = accesses;
}

uint64_t neummu_transfer(neummu_machine *machine, const neummu_flow *flow, uint64_t start)
{
    uint64_t done = start, first = neummu_prefetch_first(&machine->prefetch, flow);
    if (machine->issue < start)
        machine->issue = start;
    machine->visits += flow->count;
    machine->requests += flow->requests;
    if (machine->config->oracle)
        return neummu_transfer_oracle(&machine->memory, &machine->issue, flow, start);
    bool charged = machine->config->walk_traffic && !neummu_reads_memory(machine->config);
    for (uint64_t r = 0; r < flow->count; r++) {
        const neummu_visit *visit = &flow->visits[r];
        if (machine->prefetch.stream)
            neummu_prefetch_visit(&machine->prefetch, visit, first + r, machine->issue);
        done = machine->waiting ? neummu_move_visit_waiting(machine, visit, done)
                                : move_visit(machine, visit, done);
        if (charged)
            charge_walks(machine);
    }
    if (machine->waiting)
        return neummu_finish_waiting(machine, done);
    return neummu_ask_until(machine, UINT64_MAX, done);
}

uint64_t neummu_transfer_oracle(neummu_memory *memory, uint64_t *issue, const neummu_flow *flow,
                                uint64_t start)
{
    uint64_t done = start;
    if (*issue < start)
        *issue = start;
    for (uint64_t r = 0; r < flow->count; r++) {
        const neummu_visit *visit = &flow->visits[r];
        neummu_batch batch = {*issue, 1, visit->requests, neummu_visit_weight(memory, visit)};
        done = neummu_memory_serve(memory, &batch);
        *issue += visit->requests;
    }
    return done;
}

neummu_counts neummu_count(const neummu_machine *machine)
{
    neummu_counts counts = {.visits = machine->visits};
    if (machine->config->oracle) {
        counts.mmu.requests = counts.mmu.l1_hits = machine->requests;
    } else {
        counts.mmu = machine->stage.mmu.stats;
        counts.walker = machine->stage.mmu.walker.stats;
        counts.walker.accesses = neummu_walk_accesses(machine);
    }
    counts.lookups = machine->prefetch.lookups;
    counts.prefetches = machine->prefetch.walks;
    counts.useful = machine->prefetch.useful;
    counts.late = machine->prefetch.late;
    memcpy(counts.blocked, machine->blocked, sizeof counts.blocked);
    return counts;
}
