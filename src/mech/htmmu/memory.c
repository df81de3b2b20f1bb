/* Page-table accesses at the banks of memory channels (docs/models/sim-dram.md). A cycle of the MMU
 * is one of the memory, 1 ns. */
#include "mech/htmmu/memory.h"
#include "mech/shared/memories.h"

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
