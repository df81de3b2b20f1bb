/* SPDX-License-Identifier: MIT */
/* The MMU that a config describes. */
#include "mech/neummu/config.h"
#include "mech/shared/rules.h"

static msw_tlb_config tlb_config(int64_t entries, int64_t ways, int64_t policy,
                                 neummu_shifts shifts)
{
    int64_t set = msw_ways_of(entries, ways);
    return (msw_tlb_config){
        .banks = 1,
        .sets = (uint32_t)(entries / set),
        .ways = (uint32_t)set,
        .policy = (msw_policy)policy,
        .sizes = shifts.large ? 2 : 1,
        .page_shift = {(uint8_t)shifts.small, (uint8_t)shifts.large},
        .coalesce = 1,
    };
}

static msw_walkcache_config walkcache_config(const neummu_config *config)
{
    static const msw_walkcache_kind KINDS[] = {MSW_WALKCACHE_NONE, MSW_WALKCACHE_REGISTER,
                                               MSW_WALKCACHE_PATH, MSW_WALKCACHE_TABLE,
                                               MSW_WALKCACHE_LEVELS};
    return (msw_walkcache_config){
        .kind = KINDS[config->path_cache],
        .entries = (uint32_t)config->path_entries,
        .ways = (uint32_t)msw_ways_of(config->path_entries, config->path_ways),
        .policy = MSW_POLICY_LRU,
        .levels = MSW_PAGETABLE_LEVELS,
        .leaves = true,
        .level_entries = {[5] = (uint32_t)config->path_l5_entries,
                          [4] = (uint32_t)config->path_l4_entries,
                          [3] = (uint32_t)config->path_l3_entries,
                          [2] = (uint32_t)config->path_l2_entries},
    };
}

static msw_walker_config walker_config(const neummu_config *config)
{
    int64_t width = config->issue_width;
    msw_walker_config walker = {
        .walkers = (uint32_t)config->ptw_count,
        .choice = (msw_walker_choice)config->walker_choice,
        .queue = (uint32_t)config->walk_queue,
        .queue_waits = neummu_queue_waits(config),
        .timed_by_owner = neummu_times_accesses(config),
        .scoreboard = config->scoreboard,
        .slots = (uint32_t)config->prmb_slots,
        .walk_when_full = config->slots_full == NEUMMU_SLOTS_WALK,
        .return_gap = (uint32_t)(config->return_cycles * width),
        .level_cycles = (uint32_t)(config->walk_level_cycles * width),
        .walk_cycles = (uint32_t)(config->walk_cycles * width),
        .lookup_cycles = (uint32_t)(config->path_cycles * width),
        .cache = walkcache_config(config),
        .table = msw_pagetable_x86(),
    };
    walker.table.address_bits = config->table_levels == 5 ? 57 : 48;
    return walker;
}

msw_mmu_config neummu_mmu_config(const neummu_config *config)
{
    neummu_shifts shifts = neummu_shifts_of(config);
    int64_t width = config->issue_width;
    msw_mmu_config mmu = {
        .l1 = tlb_config(config->tlb_entries, config->tlb_ways, config->tlb_policy, shifts),
        .l1_cycles = (uint32_t)(config->tlb_cycles * width),
        .has_l2 = config->tlb2_entries > 0,
        .l2_cycles = (uint32_t)(config->tlb2_cycles * width),
        .mshrs = (uint32_t)config->outstanding,
        .reprobe = config->reprobe,
        .queue_reprobe = config->queue_reprobe,
        .walker = walker_config(config),
    };
    if (mmu.has_l2)
        mmu.l2 = tlb_config(config->tlb2_entries, config->tlb2_ways, config->tlb_policy, shifts);
    return mmu;
}

msw_walkread_config neummu_read_config(const neummu_config *config)
{
    return (msw_walkread_config){
        .walks = (uint32_t)(config->ptw_count + config->walk_queue),
        .lines = (uint32_t)config->table_lines,
        .ways = (uint32_t)config->table_line_ways,
        .policy = MSW_POLICY_LRU,
        .line_bytes = NEUMMU_LINE_BYTES,
        .line_cycles = (uint32_t)(config->table_line_cycles * config->issue_width),
    };
}
