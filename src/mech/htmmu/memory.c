/* SPDX-License-Identifier: MIT */
/* Page-table accesses at the banks of memory channels (docs/models/sim-dram.md). A cycle of the MMU
 * is one of the memory, 1 ns. */
#include "mech/htmmu/memory.h"
#include "mech/shared/rows.h"

enum { CYCLE_PS = 1000 };

int htmmu_memory_config(const htmmu_config *config, msw_dram_config *dram, msw_err *err)
{
    msw_dram_config preset = msw_dram_at_clock(msw_memory_of(config->memory_preset), CYCLE_PS);
    uint32_t banks = (uint32_t)config->memory_banks, walkers = (uint32_t)config->merge_entries;
    *dram = preset;
    dram->channels = (uint32_t)config->memory_channels;
    dram->groups = banks < preset.groups ? banks : preset.groups;
    dram->banks = banks / dram->groups;
    /* A walker has one access under way: none is ever refused. */
    dram->read_depth = walkers > preset.read_depth ? walkers : preset.read_depth;
    return msw_dram_check(dram, err);
}

msw_walkread_config htmmu_read_config(const htmmu_config *config)
{
    bool banks = config->memory_model == HTMMU_MEMORY_BANKS;
    return (msw_walkread_config){.walks = (uint32_t)config->merge_entries,
                                 .lines = (uint32_t)config->table_lines,
                                 .ways = (uint32_t)config->table_line_ways,
                                 .policy = MSW_POLICY_LRU,
                                 .line_bytes = HTMMU_LINE_BYTES,
                                 .line_cycles = (uint32_t)config->table_line_cycles,
                                 .there = banks ? (uint32_t)config->memory_path / 2 : 0};
}

const char *const htmmu_lint_depends[] = {"memory_banks", "memory_preset", "memory_model", NULL};

/* The lint looks at one channel, its queue as the preset has it: how many walkers there are and
 * over how many channels they go is no matter. */
void htmmu_lint(const void *config, msw_text *lines)
{
    htmmu_config own = *(const htmmu_config *)config;
    msw_dram_config dram;
    msw_err err;
    own.merge_entries = own.memory_channels = 1;
    if (own.memory_model == HTMMU_MEMORY_BANKS && !htmmu_memory_config(&own, &dram, &err))
        msw_memory_lint(&dram, lines);
}

int htmmu_memory_init(htmmu_memory *memory, const htmmu_config *config, msw_err *err)
{
    msw_dram_config dram;
    msw_walkread_config reads = htmmu_read_config(config);
    memory->timed = true;
    memory->fixed = (uint64_t)config->level_cycles;
    if (msw_walkread_init(&memory->reads, &reads, memory->parts[1], err))
        return -1;
    if (config->memory_model == HTMMU_MEMORY_FIXED)
        return 0;
    if (htmmu_memory_config(config, &dram, err))
        return -1;
    memory->dram = msw_dram_init(memory->parts[0], &dram, err);
    memory->there = reads.there;
    memory->back = (uint64_t)config->memory_path - memory->there;
    memory->idle =
        (uint64_t)config->memory_path + dram.controller + dram.t.rcd + dram.t.cl + dram.t.bl;
    return memory->dram ? 0 : -1;
}

uint64_t htmmu_memory_mean(const htmmu_memory *memory)
{
    const htmmu_memory_stats *stats = &memory->stats;
    return stats->reads ? stats->cycles / stats->reads + 1 : memory->idle;
}

void htmmu_memory_take(htmmu_memory *memory, msw_walker *walker, uint64_t now)
{
    msw_walkread_read read;
    while (msw_walkread_take(&memory->reads, walker, now, &read))
        if (memory->dram)
            msw_dram_push(memory->dram, now, read.address, read.bytes, false, read.walk);
        else
            msw_walkread_answer(&memory->reads, walker, read.walk, now + memory->fixed);
    memory->stats.saved = memory->reads.stats.line_hits + memory->reads.stats.line_waits;
}

bool htmmu_memory_answer(htmmu_memory *memory, msw_walker *walker, uint64_t limit)
{
    msw_dram_completion done;
    if (!memory->dram || !msw_dram_next(memory->dram, limit, &done))
        return false;
    uint64_t time = done.time + memory->back;
    memory->latest = done.time;
    memory->stats.reads++;
    memory->stats.row_hits += done.outcome == MSW_DRAM_HIT;
    memory->stats.cycles += time - done.arrival + memory->there;
    msw_walkread_answer(&memory->reads, walker, (uint32_t)done.tag, time);
    return true;
}
