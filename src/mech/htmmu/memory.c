/* Page-table accesses at the banks of HBM2 channels (docs/models/sim-dram.md). A cycle of the MMU
 * is one of the memory, 1 ns. */
#include "mech/htmmu/memory.h"

int htmmu_memory_config(const htmmu_config *config, msw_dram_config *dram, msw_err *err)
{
    const msw_dram_config *hbm2 = msw_dram_preset_find("hbm2", err);
    uint32_t banks = (uint32_t)config->memory_banks, walkers = (uint32_t)config->merge_entries;
    if (!hbm2)
        return -1;
    *dram = *hbm2;
    dram->channels = (uint32_t)config->memory_channels;
    dram->groups = banks < hbm2->groups ? banks : hbm2->groups;
    dram->banks = banks / dram->groups;
    /* A walker has one access under way: none is ever refused. */
    dram->read_depth = walkers > hbm2->read_depth ? walkers : hbm2->read_depth;
    return msw_dram_check(dram, err);
}

int htmmu_memory_init(htmmu_memory *memory, const htmmu_config *config, msw_err *err)
{
    msw_dram_config dram;
    if (htmmu_memory_config(config, &dram, err))
        return -1;
    memory->dram = msw_dram_init(memory->parts[0], &dram, err);
    msw_event_init(&memory->asked, (size_t)config->merge_entries, memory->parts[1]);
    memory->there = (uint64_t)config->memory_path / 2;
    memory->back = (uint64_t)config->memory_path - memory->there;
    memory->idle = (uint64_t)config->memory_path + dram.front + dram.t.rcd + dram.t.cl + dram.t.bl;
    return memory->dram ? 0 : -1;
}

void htmmu_memory_walk(htmmu_memory *memory, const msw_walk *walk)
{
    htmmu_reads *reads = &memory->reads[walk->entry];
    reads->next = 0;
    reads->count = walk->accesses;
    for (uint32_t i = 0; i < walk->accesses; i++)
        reads->address[i] = walk->access[i];
    msw_event_push(&memory->asked, walk->start + memory->there, walk->entry);
}

uint64_t htmmu_memory_mean(const htmmu_memory *memory)
{
    const htmmu_memory_stats *stats = &memory->stats;
    return stats->reads ? stats->cycles / stats->reads + 1 : memory->idle;
}

void htmmu_memory_take(htmmu_memory *memory, uint64_t now)
{
    msw_event event;
    while (msw_event_next(&memory->asked) <= now && msw_event_pop(&memory->asked, &event)) {
        const htmmu_reads *reads = &memory->reads[event.data];
        msw_dram_push(memory->dram, now, reads->address[reads->next], MSW_PAGETABLE_ENTRY_BYTES,
                      false, event.data);
    }
}

bool htmmu_memory_answer(htmmu_memory *memory, msw_walker *walker, uint64_t limit)
{
    msw_dram_completion done;
    if (!msw_dram_next(memory->dram, limit, &done))
        return false;
    htmmu_reads *reads = &memory->reads[done.tag];
    uint64_t time = done.time + memory->back;
    memory->latest = done.time;
    memory->stats.reads++;
    memory->stats.row_hits += done.outcome == MSW_DRAM_HIT;
    memory->stats.cycles += time - done.arrival + memory->there;
    if (++reads->next == reads->count)
        msw_walker_finish(walker, (uint32_t)done.tag, time);
    else
        msw_event_push(&memory->asked, time + memory->there, done.tag);
    return true;
}
