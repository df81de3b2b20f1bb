/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/mmu.h"

#include "sim/block.h"

enum { PART_L1, PART_L2, PART_WALKER, PART_MSHRS, PARTS = PART_MSHRS + MSW_TLB_BANKS };

static msw_mshr_config mshr_config(const msw_mmu_config *config)
{
    return (msw_mshr_config){config->mshrs, MSW_MSHR_UNLIMITED};
}

static bool has_unknown_ends(const msw_mmu_config *config)
{
    return config->walker.timed_by_owner || config->walker.queue_waits;
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
