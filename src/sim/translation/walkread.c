/* SPDX-License-Identifier: MIT */
/* Reads of page-table lines by walks, through a cache of lines, in the order of time. */
#include "memsweep/sim/walkread.h"

#include "sim/block.h"

#define NONE UINT32_MAX

/* What happens to a walk next: its access looks for the line, reaches the memory, is back. */
enum { LOOK, REACH, BACK, KINDS };

static uint64_t event_of(uint32_t walk, uint64_t kind)
{
    return (uint64_t)walk * KINDS + kind;
}

static msw_assoc_config line_config(const msw_walkread_config *config)
{
    uint32_t ways = config->ways && config->ways < config->lines ? config->ways : config->lines;
    return (msw_assoc_config){.sets = ways ? config->lines / ways : 0,
                              .ways = ways,
                              .policy = config->policy,
                              .seed = config->seed};
}

static void *layout(msw_walkread *reads, const msw_walkread_config *config, void *memory,
                    size_t *bytes)
{
    msw_assoc_config lines = line_config(config);
    msw_memory_block block = {memory, 0};
    void *tags = NULL;
    *reads = (msw_walkread){.config = *config};
    msw_event_init(&reads->events, config->walks,
                   msw_memory_block_take(&block, msw_event_bytes(config->walks)));
    reads->walks = msw_memory_block_take(&block, config->walks * sizeof *reads->walks);
    if (config->lines) {
        reads->reader = msw_memory_block_take(&block, config->lines * sizeof *reads->reader);
        tags = msw_memory_block_take(&block, msw_assoc_bytes(&lines));
    }
    *bytes = block.used;
    return tags;
}

size_t msw_walkread_bytes(const msw_walkread_config *config)
{
    msw_walkread reads;
    size_t bytes;
    layout(&reads, config, NULL, &bytes);
    return bytes;
}

int msw_walkread_init(msw_walkread *reads, const msw_walkread_config *config, void *memory,
                      msw_err *err)
{
    size_t bytes;
    void *tags = layout(reads, config, memory, &bytes);
    msw_assoc_config lines = line_config(config);
    if (config->lines == 0)
        return 0;
    if (lines.sets == 0 || config->lines % lines.ways)
        return msw_fail(err, "%u table lines in %u ways: lines must be a multiple", config->lines,
                        config->ways);
    if (config->line_bytes < MSW_PAGETABLE_ENTRY_BYTES ||
        (config->line_bytes & (config->line_bytes - 1)))
        return msw_fail(err, "table lines of %u bytes: must be a power of two from %d",
                        config->line_bytes, MSW_PAGETABLE_ENTRY_BYTES);
    memset(reads->reader, 0xff, config->lines * sizeof *reads->reader);
    return msw_assoc_init(&reads->lines, &lines, tags, err);
}

/* The next access of a walk begins at `time`, or the walk ends. */
static void go_on(msw_walkread *reads, msw_walker *pool, uint32_t number, uint64_t time)
{
    const msw_walkread_walk *walk = &reads->walks[number];
    const msw_walkread_config *config = &reads->config;
    if (walk->next == walk->count)
        msw_walker_finish(pool, number, time);
    else if (config->lines)
        msw_event_push(&reads->events, time + config->line_cycles, event_of(number, LOOK));
    else
        msw_event_push(&reads->events, time + config->there, event_of(number, REACH));
}

void msw_walkread_begin(msw_walkread *reads, msw_walker *pool, const msw_walk *walk)
{
    msw_walkread_walk *own = &reads->walks[walk->entry];
    own->next = 0;
    own->count = walk->accesses;
    own->waiter = NONE;
    for (uint32_t i = 0; i < walk->accesses; i++)
        own->address[i] = walk->access[i];
    go_on(reads, pool, walk->entry, walk->start);
}

/* ---- the cache of lines ---- */

/* The line is there, or on its way: then the walk waits with its reader. */
static void use_line(msw_walkread *reads, msw_walker *pool, uint32_t number, uint32_t line,
                     uint64_t now)
{
    msw_walkread_walk *walk = &reads->walks[number];
    uint32_t reader = reads->reader[line];
    if (reader == NONE) {
        reads->stats.line_hits++;
        walk->next++;
        go_on(reads, pool, number, now);
        return;
    }
    reads->stats.line_waits++;
    walk->behind = NONE;
    msw_walkread_walk *first = &reads->walks[reader];
    *(first->waiter == NONE ? &first->waiter : &reads->walks[first->last].behind) = number;
    first->last = number;
}

static void take_line(msw_walkread *reads, uint32_t number, uint32_t set, uint64_t line)
{
    uint64_t evicted;
    reads->walks[number].line = line;
    reads->walks[number].waiter = NONE;
    reads->reader[msw_assoc_insert(&reads->lines, set, line, MSW_WAYS_ALL, &evicted)] = number;
}

static void look(msw_walkread *reads, msw_walker *pool, uint32_t number, uint64_t now)
{
    const msw_walkread_walk *walk = &reads->walks[number];
    uint64_t line = walk->address[walk->next] / reads->config.line_bytes;
    uint32_t set = msw_assoc_set(&reads->lines, line),
             at = msw_assoc_find(&reads->lines, set, line);
    if (at != MSW_ASSOC_NONE) {
        msw_assoc_touch(&reads->lines, set, at);
        use_line(reads, pool, number, at, now);
        return;
    }
    take_line(reads, number, set, line);
    msw_event_push(&reads->events, now + reads->config.there, event_of(number, REACH));
}

/* A line that was evicted meanwhile has another reader, or none: those that wait for it have it. */
static void bring_line(msw_walkread *reads, msw_walker *pool, uint32_t number, uint64_t now)
{
    msw_walkread_walk *walk = &reads->walks[number];
    uint32_t set = msw_assoc_set(&reads->lines, walk->line), waiter = walk->waiter;
    uint32_t at = msw_assoc_find(&reads->lines, set, walk->line);
    if (at != MSW_ASSOC_NONE && reads->reader[at] == number)
        reads->reader[at] = NONE;
    walk->next++;
    go_on(reads, pool, number, now);
    while (waiter != NONE) {
        uint32_t behind = reads->walks[waiter].behind;
        reads->walks[waiter].next++;
        go_on(reads, pool, waiter, now);
        waiter = behind;
    }
}

/* ---- what happens ---- */

static void reach(msw_walkread *reads, uint32_t number, uint64_t time, msw_walkread_read *read)
{
    const msw_walkread_walk *walk = &reads->walks[number];
    uint64_t address = walk->address[walk->next];
    uint32_t bytes = MSW_PAGETABLE_ENTRY_BYTES;
    if (reads->config.lines) {
        bytes = reads->config.line_bytes;
        address &= ~(uint64_t)(bytes - 1);
    }
    reads->stats.reads++;
    *read = (msw_walkread_read){time, address, bytes, number};
}

bool msw_walkread_take(msw_walkread *reads, msw_walker *pool, uint64_t now, msw_walkread_read *read)
{
    msw_event event;
    while (msw_event_next(&reads->events) <= now && msw_event_pop(&reads->events, &event)) {
        uint32_t number = (uint32_t)(event.data / KINDS);
        if (event.data % KINDS == REACH) {
            reach(reads, number, event.time, read);
            return true;
        }
        if (event.data % KINDS == LOOK)
            look(reads, pool, number, event.time);
        else
            bring_line(reads, pool, number, event.time);
    }
    return false;
}

void msw_walkread_answer(msw_walkread *reads, msw_walker *pool, uint32_t number, uint64_t time)
{
    if (reads->config.lines) {
        msw_event_push(&reads->events, time, event_of(number, BACK));
        return;
    }
    reads->walks[number].next++;
    go_on(reads, pool, number, time);
}

void msw_walkread_warm(msw_walkread *reads, const msw_pagetable *table, msw_page page)
{
    unsigned leaf = msw_pagetable_leaf(table, page.shift);
    for (unsigned level = table->levels; level >= leaf && reads->config.lines; level--) {
        uint64_t entry = msw_pagetable_entry(table, page.address, level);
        uint64_t line = entry / reads->config.line_bytes, evicted;
        uint32_t set = msw_assoc_set(&reads->lines, line);
        uint32_t at = msw_assoc_find(&reads->lines, set, line);
        if (at != MSW_ASSOC_NONE)
            msw_assoc_touch(&reads->lines, set, at);
        else
            reads->reader[msw_assoc_insert(&reads->lines, set, line, MSW_WAYS_ALL, &evicted)] =
                NONE;
    }
}
