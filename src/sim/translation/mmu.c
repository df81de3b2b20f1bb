#include "memsweep/sim/mmu.h"

#include "sim/block.h"

enum { PART_L1, PART_L2, PART_WALKER, PART_MSHRS, PARTS = PART_MSHRS + MSW_TLB_BANKS };

static msw_mshr_config mshr_config(const msw_mmu_config *config)
{
    return (msw_mshr_config){config->mshrs, MSW_MSHR_UNLIMITED};
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
    if (config->walker.timed_by_owner)
        return msw_fail(err, "an mmu needs walks of known length: timed_by_owner must be off");
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
    if (mmu->config.has_l2)
        msw_tlb_fill(&mmu->l2, 0, end->page, 0, end->time);
    for (uint32_t bank = 0; bank < mmu->l1.banks; bank++)
        if (end->note >> bank & 1)
            msw_tlb_fill(&mmu->l1, bank, end->page, 0, end->time);
}

void msw_mmu_settle(msw_mmu *mmu, uint64_t now)
{
    msw_walk_end end;
    while (msw_walker_next(&mmu->walker) <= now && msw_walker_retire(&mmu->walker, now, &end))
        fill(mmu, &end);
}
