/* SPDX-License-Identifier: MIT */
/* An MMU: a request goes to the first TLB, the second TLB, the miss registers and the walkers.
 *
 * Each step takes as many of the consecutive requests as nothing can distinguish: until a walk
 * ends, or slots run out. */
#include "memsweep/sim/mmu.h"

#include "sim/block.h"
#include "sim/series.h"

#include "memsweep/base/bits.h"

/* Waiting time of requests at time, time + 1, ... for something ready at `ready`. Returns the sum.
 */
static inline uint64_t msw_series_waits(uint64_t time, uint64_t ready, uint64_t count)
{
    if (ready <= time)
        return 0;
    uint64_t waiting = ready - time < count ? ready - time : count;
    return waiting * ready - msw_series_sum(time, 1, waiting);
}

enum { PART_L1, PART_L2, PART_WALKER, PART_MSHRS, PARTS = PART_MSHRS + MSW_TLB_BANKS };

static msw_mshr_config mshr_config(const msw_mmu_config *config)
{
    return (msw_mshr_config){config->mshrs, MSW_MSHR_UNLIMITED};
}

static bool has_unknown_ends(const msw_mmu_config *config)
{
    return config->walker.timed_by_owner || config->walker.queue_waits;
}

/* One call to issue or retry. */
struct visit {
    uint64_t time; /* issue of the first request */
    uint64_t count;
    msw_page page;
    uint32_t bank, requester;
    bool missed_l1, missed_l2; /* counted for the first request before it was blocked */
};

static msw_mmu_answer block(msw_mmu *mmu, const struct visit *visit, msw_block cause,
                            uint64_t until)
{
    mmu->stats.blocked[cause]++;
    if (until < UINT64_MAX - mmu->lookup_cycles) {
        mmu->stats.blocked_cycles += until - visit->time;
        mmu->stats.latency_cycles += until - visit->time;
    } else {
        until = UINT64_MAX;
    }
    return (msw_mmu_answer){.kind = MSW_MMU_BLOCKED, .cause = cause, .until = until};
}

static size_t layout(msw_mmu *mmu, const msw_mmu_config *config, void *memory, void *parts[PARTS])
{
    msw_mshr_config mshr = mshr_config(config);
    uint32_t banks = config->l1.banks < MSW_TLB_BANKS ? config->l1.banks : MSW_TLB_BANKS;
    msw_memory_block block = {memory, 0};
    *mmu = (msw_mmu){.config = *config};
    parts[PART_L1] = msw_memory_block_take(&block, msw_tlb_bytes(&config->l1));
    if (config->has_l2)
        parts[PART_L2] = msw_memory_block_take(&block, msw_tlb_bytes(&config->l2));
    parts[PART_WALKER] = msw_memory_block_take(&block, msw_walker_bytes(&config->walker));
    if (config->mshrs == 0)
        return block.used;
    mmu->mshrs = msw_memory_block_take(&block, banks * sizeof *mmu->mshrs);
    for (uint32_t bank = 0; bank < banks; bank++)
        parts[PART_MSHRS + bank] = msw_memory_block_take(&block, msw_mshr_bytes(&mshr));
    if (has_unknown_ends(config)) {
        size_t walks = (size_t)config->walker.walkers + config->walker.queue;
        mmu->held.first = msw_memory_block_take(&block, walks * sizeof(uint32_t));
        mmu->held.next = msw_memory_block_take(&block, config->mshrs * sizeof(uint32_t));
        mmu->held.after = msw_memory_block_take(&block, config->mshrs * sizeof(uint64_t));
        if (memory)
            memset(mmu->held.first, 0xff, walks * sizeof(uint32_t));
    }
    return block.used;
}

size_t msw_mmu_bytes(const msw_mmu_config *config)
{
    msw_mmu mmu;
    void *parts[PARTS] = {NULL};
    return layout(&mmu, config, NULL, parts);
}

static int init_mshrs(msw_mmu *mmu, void *const parts[PARTS], msw_err *err)
{
    msw_mshr_config mshr = mshr_config(&mmu->config);
    if (mmu->mshrs == NULL)
        return 0;
    for (uint32_t bank = 0; bank < mmu->l1.banks; bank++)
        if (msw_mshr_init(&mmu->mshrs[bank], &mshr, parts[PART_MSHRS + bank], err))
            return msw_fail_prefix(err, "TLB miss registers: ");
    return 0;
}

int msw_mmu_init(msw_mmu *mmu, const msw_mmu_config *config, void *memory, msw_err *err)
{
    void *parts[PARTS] = {NULL};
    layout(mmu, config, memory, parts);
    mmu->lookup_cycles = (uint64_t)config->l1_cycles + (config->has_l2 ? config->l2_cycles : 0);
    mmu->ends_unknown = has_unknown_ends(config);
    mmu->horizon = UINT64_MAX;
    if (config->claims && (mmu->ends_unknown || config->l1.sizes != 1 || config->l1.coalesce != 1))
        return msw_fail(err, "entries claimed at the miss: walks of known end, pages of one size");
    if (mmu->ends_unknown && config->mshrs && (config->l1.banks != 1 || config->mshr_merge))
        return msw_fail(err, "miss registers held by walks of unknown end: one bank, no merging");
    if (config->has_l2 && config->l2.banks != 1)
        return msw_fail(err, "second-level TLB of %u banks: must be 1", config->l2.banks);
    if (msw_tlb_init(&mmu->l1, &config->l1, parts[PART_L1], err))
        return msw_fail_prefix(err, "first-level TLB: ");
    if (config->has_l2 && msw_tlb_init(&mmu->l2, &config->l2, parts[PART_L2], err))
        return msw_fail_prefix(err, "second-level TLB: ");
    if (init_mshrs(mmu, parts, err))
        return -1;
    return msw_walker_init(&mmu->walker, &config->walker, parts[PART_WALKER], err);
}

static void fill(msw_mmu *mmu, const msw_walk_end *end)
{
    if (end->dropped)
        return;
    if (mmu->config.has_l2)
        msw_tlb_fill(&mmu->l2, 0, end->page, 0, end->time);
    for (uint32_t bank = 0; bank < mmu->l1.banks; bank++)
        if (end->note >> bank & 1)
            msw_tlb_fill(&mmu->l1, bank, end->page, 0, end->time);
}

/* ---- walks of unknown end ---- */

/* Its requests are answered from now on: so long they hold their registers. */
static void give_registers(msw_mmu *mmu, const msw_walk_end *end)
{
    uint32_t held = mmu->mshrs ? mmu->held.first[end->entry] : UINT32_MAX;
    for (; held != UINT32_MAX; held = mmu->held.next[held])
        msw_mshr_schedule(mmu->mshrs, held, end->time + mmu->held.after[held]);
    if (mmu->mshrs)
        mmu->held.first[end->entry] = UINT32_MAX;
}

/* Does any of the TLBs that wait for the first in line hold its page? All of them are filled from
 * the second level then. */
static bool has_come(msw_mmu *mmu, uint64_t now)
{
    const msw_walker_entry *first = msw_walker_first(&mmu->walker);
    if (!mmu->config.queue_reprobe)
        return false;
    bool come = mmu->config.has_l2 && msw_tlb_probe(&mmu->l2, 0, first->page.address) != UINT64_MAX;
    for (uint32_t bank = 0; bank < mmu->l1.banks && !come; bank++)
        if (first->note >> bank & 1)
            come = msw_tlb_probe(&mmu->l1, bank, first->page.address) != UINT64_MAX;
    for (uint32_t bank = 0; bank < mmu->l1.banks && come; bank++)
        if (first->note >> bank & 1 &&
            msw_tlb_probe(&mmu->l1, bank, first->page.address) == UINT64_MAX)
            msw_tlb_fill(&mmu->l1, bank, first->page, 0, now);
    return come;
}

/* The first in line starts when a walker becomes free, which is when the last walk ended. */
static bool start_first(msw_mmu *mmu, uint64_t now)
{
    while (msw_walker_can_start(&mmu->walker)) {
        if (has_come(mmu, now)) {
            msw_walker_drop_first(&mmu->walker, now);
            mmu->stats.walked--;
            mmu->stats.replayed++;
            continue;
        }
        msw_walker_start_first(&mmu->walker, now, &mmu->walk);
        return true;
    }
    return false;
}

bool msw_mmu_step(msw_mmu *mmu, uint64_t now, msw_mmu_event *event)
{
    if (start_first(mmu, mmu->ended)) {
        event->kind = MSW_MMU_STARTED;
        return true;
    }
    if (msw_mmu_next(mmu) > now || !msw_walker_retire(&mmu->walker, now, &event->end))
        return false;
    event->kind = MSW_MMU_ENDED;
    mmu->ended = event->end.time;
    mmu->ends++;
    fill(mmu, &event->end);
    give_registers(mmu, &event->end);
    return true;
}

void msw_mmu_settle(msw_mmu *mmu, uint64_t now)
{
    msw_walk_end end;
    if (mmu->ends_unknown) /* the owner has to hear of each */
        return;
    while (msw_mmu_next(mmu) <= now && msw_walker_retire(&mmu->walker, now, &end))
        fill(mmu, &end);
}

/* Requests, from `time` on, that are issued before anything changes at `change`. */
static uint64_t quiet(uint64_t count, uint64_t time, uint64_t change)
{
    return change == UINT64_MAX ? count : msw_min_u64(count, change - time);
}

/* When something may change that is not known yet, or is. */
static uint64_t next_change(const msw_mmu *mmu)
{
    return msw_min_u64(msw_walker_next(&mmu->walker), mmu->horizon);
}

static void count_l1_misses(msw_mmu *mmu, const struct visit *visit, uint64_t misses)
{
    misses -= visit->missed_l1;
    mmu->stats.requests += misses;
    mmu->stats.l1_misses += misses;
    msw_tlb_count(&mmu->l1, visit->bank, 0, misses);
}

static void count_misses(msw_mmu *mmu, const struct visit *visit, uint64_t misses)
{
    count_l1_misses(mmu, visit, misses);
    if (mmu->config.has_l2)
        msw_tlb_count(&mmu->l2, 0, 0, misses - visit->missed_l2);
}

/* With miss registers, a miss holds one until it is answered; UINT64_MAX: that is not known yet.
 * Returns the register. */
static uint32_t hold_register(msw_mmu *mmu, const struct visit *visit, uint64_t done)
{
    if (mmu->mshrs == NULL)
        return MSW_MSHR_NONE;
    msw_mshr *mshr = &mmu->mshrs[visit->bank];
    uint32_t held = msw_mshr_open(mshr, msw_page_key(visit->page));
    if (done != UINT64_MAX)
        msw_mshr_schedule(mshr, held, done);
    return held;
}

static msw_mmu_answer l1_hit(msw_mmu *mmu, const struct visit *visit, uint64_t ready)
{
    uint64_t hit = visit->time + mmu->config.l1_cycles;
    uint64_t count = quiet(visit->count, visit->time + mmu->lookup_cycles, next_change(mmu));
    mmu->stats.requests += count;
    mmu->stats.l1_hits += count;
    msw_tlb_count(&mmu->l1, visit->bank, count, 0);
    mmu->stats.latency_cycles +=
        count * mmu->config.l1_cycles + msw_series_waits(hit, ready, count);
    return (msw_mmu_answer){
        .kind = MSW_MMU_L1_HIT, .taken = count, .done = msw_max_u64(hit + count - 1, ready)};
}

/* A retried request that finds its page is answered where it is. */
static msw_mmu_answer replay(msw_mmu *mmu, const struct visit *visit, uint64_t ready)
{
    uint64_t stands = visit->missed_l2 ? mmu->lookup_cycles : mmu->config.l1_cycles;
    uint64_t done = msw_max_u64(visit->time + stands, ready);
    mmu->stats.replayed++;
    mmu->stats.latency_cycles += done - visit->time;
    return (msw_mmu_answer){.kind = MSW_MMU_REPLAYED, .taken = 1, .done = done};
}

static msw_mmu_answer l2_hit(msw_mmu *mmu, const struct visit *visit)
{
    uint64_t done = visit->time + mmu->lookup_cycles;
    count_l1_misses(mmu, visit, 1);
    mmu->stats.l2_hits++;
    mmu->stats.latency_cycles += mmu->lookup_cycles;
    msw_tlb_count(&mmu->l2, 0, 1, 0);
    msw_tlb_fill(&mmu->l1, visit->bank, visit->page, 0, done);
    hold_register(mmu, visit, done);
    return (msw_mmu_answer){.kind = MSW_MMU_L2_HIT, .taken = 1, .done = done};
}

/* The answers come when the walk ends. */
static msw_mmu_answer accept_unknown(msw_mmu *mmu, const struct visit *visit, const msw_walk *walk)
{
    bool merged = walk->kind == MSW_WALK_MERGED;
    uint64_t before = merged ? walk->before + 1 : 0;
    uint32_t held = hold_register(mmu, visit, UINT64_MAX);
    count_misses(mmu, visit, walk->taken);
    *(merged ? &mmu->stats.merged : &mmu->stats.walked) += walk->taken;
    if (held != MSW_MSHR_NONE) {
        mmu->held.after[held] = before * mmu->config.walker.return_gap;
        mmu->held.next[held] = mmu->held.first[walk->entry];
        mmu->held.first[walk->entry] = held;
    }
    return (msw_mmu_answer){.kind = merged ? MSW_MMU_MERGED : MSW_MMU_WALK,
                            .taken = walk->taken,
                            .done = UINT64_MAX,
                            .before = before,
                            .entry = walk->entry};
}

/* A run of `taken` requests is answered at first, first + gap, ...; issued at time, time + 1, ...
 * The latencies are summed as two series. */
static msw_mmu_answer accept_walk(msw_mmu *mmu, const struct visit *visit, const msw_walk *walk)
{
    uint64_t gap = mmu->config.walker.return_gap, first = walk->done;
    bool merged = walk->kind == MSW_WALK_MERGED;
    if (mmu->ends_unknown)
        return accept_unknown(mmu, visit, walk);
    if (merged)
        first += (walk->before + 1) * gap;
    uint64_t last = first + (walk->taken - 1) * gap;
    count_misses(mmu, visit, walk->taken);
    *(merged ? &mmu->stats.merged : &mmu->stats.walked) += walk->taken;
    mmu->stats.latency_cycles +=
        msw_series_sum(first, gap, walk->taken) - msw_series_sum(visit->time, 1, walk->taken);
    hold_register(mmu, visit, last);
    return (msw_mmu_answer){
        .kind = merged ? MSW_MMU_MERGED : MSW_MMU_WALK, .taken = walk->taken, .done = last};
}

/* The walk begins when what its entry holds has come; requests behind it hit, and wait. */
static msw_mmu_answer claim(msw_mmu *mmu, const struct visit *visit, msw_walk_request *request)
{
    uint64_t free;
    uint32_t entry = msw_tlb_claim(&mmu->l1, visit->bank, visit->page, &free);
    request->time = msw_max_u64(request->time, free);
    request->count = 1;
    request->note = 0;
    msw_walker_request(&mmu->walker, request, &mmu->walk);
    mmu->l1.ready[entry] = mmu->walk.done + mmu->config.l1_cycles;
    return accept_walk(mmu, visit, &mmu->walk);
}

static msw_mmu_answer to_walkers(msw_mmu *mmu, const struct visit *visit)
{
    uint64_t arrival = visit->time + mmu->lookup_cycles;
    msw_walk_request request = {.time = arrival,
                                .page = visit->page,
                                .count =
                                    mmu->mshrs ? 1 : quiet(visit->count, arrival, next_change(mmu)),
                                .note = (uint64_t)1 << visit->bank,
                                .requester = visit->requester};
    msw_walk *walk = &mmu->walk;
    if (mmu->config.claims && mmu->walker.board.free_count)
        return claim(mmu, visit, &request);
    if (msw_walker_request(&mmu->walker, &request, walk) != MSW_WALK_BLOCKED)
        return accept_walk(mmu, visit, walk);
    count_misses(mmu, visit, 1);
    return block(mmu, visit, walk->cause, walk->done - mmu->lookup_cycles);
}

static msw_mmu_answer hold(msw_mmu *mmu, const struct visit *visit, uint32_t entry)
{
    msw_mshr *mshr = &mmu->mshrs[visit->bank];
    uint64_t count = quiet(visit->count, visit->time + mmu->config.l1_cycles, msw_mshr_next(mshr));
    count = quiet(count, visit->time + mmu->lookup_cycles, msw_walker_next(&mmu->walker));
    uint64_t ready = mshr->entries[entry].ready;
    count_l1_misses(mmu, visit, count);
    mmu->stats.held += count;
    mmu->stats.latency_cycles += count * ready - msw_series_sum(visit->time, 1, count);
    return (msw_mmu_answer){.kind = MSW_MMU_HELD, .taken = count, .done = ready};
}

/* The order of a miss: a register of the same page, then a free register, then the second TLB, then
 * a walker. A register or a walker that is missing blocks the request. */
static msw_mmu_answer after_l1(msw_mmu *mmu, const struct visit *visit)
{
    if (mmu->mshrs) {
        msw_mshr *mshr = &mmu->mshrs[visit->bank];
        msw_mshr_closed closed;
        while (msw_mshr_close(mshr, visit->time + mmu->config.l1_cycles, &closed))
            ;
        uint32_t same = msw_mshr_find(mshr, msw_page_key(visit->page));
        if (mmu->config.mshr_merge && same != MSW_MSHR_NONE)
            return hold(mmu, visit, same);
        if (mshr->free_count == 0) {
            count_l1_misses(mmu, visit, 1);
            return block(mmu, visit, MSW_BLOCK_MSHRS, msw_mshr_next(mshr) - mmu->config.l1_cycles);
        }
    }
    if (mmu->config.has_l2 && msw_tlb_probe(&mmu->l2, 0, visit->page.address) != UINT64_MAX)
        return l2_hit(mmu, visit);
    return to_walkers(mmu, visit);
}

static struct visit visit_of(const msw_mmu_request *request)
{
    return (struct visit){.time = request->time,
                          .count = request->count,
                          .page = request->page,
                          .bank = request->bank,
                          .requester = request->requester};
}

msw_mmu_answer msw_mmu_issue(msw_mmu *mmu, const msw_mmu_request *request)
{
    struct visit visit = visit_of(request);
    if (msw_walker_next(&mmu->walker) <= visit.time + mmu->lookup_cycles)
        msw_mmu_settle(mmu, visit.time + mmu->lookup_cycles);
    uint64_t ready = msw_tlb_probe(&mmu->l1, visit.bank, visit.page.address);
    return ready != UINT64_MAX ? l1_hit(mmu, &visit, ready) : after_l1(mmu, &visit);
}

msw_mmu_answer msw_mmu_retry(msw_mmu *mmu, const msw_mmu_request *request, msw_block cause)
{
    struct visit visit = visit_of(request);
    visit.missed_l1 = true;
    visit.missed_l2 = cause != MSW_BLOCK_MSHRS;
    msw_mmu_settle(mmu, visit.time + mmu->lookup_cycles);
    uint64_t ready = UINT64_MAX;
    if (mmu->config.reprobe)
        ready = msw_tlb_probe(&mmu->l1, visit.bank, visit.page.address);
    if (ready != UINT64_MAX)
        return replay(mmu, &visit, ready);
    if (cause == MSW_BLOCK_MSHRS)
        return after_l1(mmu, &visit);
    if (mmu->config.reprobe && mmu->config.has_l2 &&
        msw_tlb_probe(&mmu->l2, 0, visit.page.address) != UINT64_MAX) {
        msw_tlb_fill(&mmu->l1, visit.bank, visit.page, 0, visit.time + mmu->lookup_cycles);
        return replay(mmu, &visit, 0);
    }
    return to_walkers(mmu, &visit);
}

msw_mmu_series_result msw_mmu_series(msw_mmu *mmu, const msw_mmu_request *request)
{
    msw_mmu_request rest = *request;
    msw_mmu_series_result result = {request->time, request->time};
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    while (rest.count) {
        answer = answer.kind == MSW_MMU_BLOCKED ? msw_mmu_retry(mmu, &rest, answer.cause)
                                                : msw_mmu_issue(mmu, &rest);
        rest.time = answer.kind == MSW_MMU_BLOCKED ? answer.until : rest.time + answer.taken;
        rest.count -= answer.taken;
        result.done = msw_max_u64(result.done, answer.done);
    }
    result.next = rest.time;
    return result;
}
