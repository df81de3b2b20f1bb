/* SPDX-License-Identifier: MIT */
/* Miss registers: requests that wait for one answer, and answers in the order of their times. */
#include "memsweep/sim/mshr.h"

#include "sim/block.h"

#include "memsweep/base/bits.h"

#include <assert.h>

/* Many more than entries: a look-up for a key that is not in flight then finds its chain empty,
 * nearly always, which the processor can predict. */
static uint32_t chain_count(uint32_t entries)
{
    uint64_t wanted = msw_max_u64(8 * (uint64_t)entries, 4);
    return (uint32_t)msw_min_u64(msw_bits_power(wanted), (uint64_t)1 << 31);
}

static size_t layout(msw_mshr *mshr, const msw_mshr_config *config, void *memory)
{
    uint32_t chains = chain_count(config->entries);
    msw_memory_block block = {memory, 0};
    *mshr = (msw_mshr){.capacity = config->entries,
                       .chain_mask = chains - 1,
                       .slots = config->slots,
                       .free_count = config->entries,
                       .next = UINT64_MAX};
    mshr->entries = msw_memory_block_take(&block, config->entries * sizeof *mshr->entries);
    mshr->free = msw_memory_block_take(&block, config->entries * sizeof *mshr->free);
    mshr->chains = msw_memory_block_take(&block, chains * sizeof *mshr->chains);
    msw_event_init(&mshr->rest, config->entries,
                   msw_memory_block_take(&block, msw_event_bytes(config->entries)));
    return block.used;
}

size_t msw_mshr_bytes(const msw_mshr_config *config)
{
    msw_mshr mshr;
    return layout(&mshr, config, NULL);
}

int msw_mshr_init(msw_mshr *mshr, const msw_mshr_config *config, void *memory, msw_err *err)
{
    if (config->entries == 0 || config->entries > 1u << 20)
        return msw_fail(err, "%u misses in flight: must be from 1 to 1048576", config->entries);
    layout(mshr, config, memory);
    for (uint32_t i = 0; i < config->entries; i++)
        mshr->free[i] = i;
    for (int i = 0; i < MSW_MSHR_LANES; i++)
        mshr->lanes[i].head_ready = UINT64_MAX;
    memset(mshr->chains, 0xff, ((size_t)mshr->chain_mask + 1) * sizeof *mshr->chains);
    return 0;
}

/* Fibonacci hashing: the product's upper half mixes all bits of the key. */
static uint32_t *chain_of(const msw_mshr *mshr, uint64_t key)
{
    return &mshr->chains[(uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mshr->chain_mask];
}

uint32_t msw_mshr_find(const msw_mshr *mshr, uint64_t key)
{
    uint32_t entry = *chain_of(mshr, key);
    while (entry != MSW_MSHR_NONE && mshr->entries[entry].key != key)
        entry = mshr->entries[entry].next;
    return entry;
}

uint32_t msw_mshr_merge(msw_mshr *mshr, uint32_t entry, uint32_t count)
{
    uint32_t before = mshr->entries[entry].merged;
    mshr->entries[entry].merged += count;
    return before;
}

/* Newest first: a look-up meets the newest entry of its key before the others. */
static void chain_add(msw_mshr *mshr, uint32_t entry, uint64_t key)
{
    uint32_t *first = chain_of(mshr, key);
    mshr->entries[entry] =
        (msw_mshr_entry){.key = key, .ready = UINT64_MAX, .named = first, .next = *first};
    if (*first != MSW_MSHR_NONE)
        mshr->entries[*first].named = &mshr->entries[entry].next;
    *first = entry;
}

/* `named` points at whatever points at the entry, so it is taken out without a search. */
static void chain_remove(msw_mshr *mshr, const msw_mshr_entry *entry)
{
    *entry->named = entry->next;
    if (entry->next != MSW_MSHR_NONE)
        mshr->entries[entry->next].named = entry->named;
}

uint32_t msw_mshr_open(msw_mshr *mshr, uint64_t key)
{
    if (mshr->free_count == 0)
        return MSW_MSHR_NONE;
    uint32_t entry = mshr->free[mshr->free_first];
    if (++mshr->free_first == mshr->capacity)
        mshr->free_first = 0;
    mshr->free_count--;
    chain_add(mshr, entry, key);
    return entry;
}

static void join_lane(msw_mshr *mshr, msw_mshr_lane *lane, uint32_t entry)
{
    uint64_t ready = mshr->entries[entry].ready;
    if (lane->head_ready == UINT64_MAX) {
        lane->head = entry;
        lane->head_ready = ready;
    } else {
        mshr->entries[lane->tail].behind = entry;
    }
    lane->tail = entry;
    lane->tail_ready = ready;
}

/* Most answers are due later than those before them. Each lane is a queue in rising order of time;
 * an answer goes to the first lane that it keeps in order, and to a heap only when none is. So most
 * operations cost no heap. */
void msw_mshr_schedule(msw_mshr *mshr, uint32_t entry, uint64_t ready)
{
    mshr->entries[entry].ready = ready;
    mshr->entries[entry].order = mshr->scheduled++;
    mshr->next = ready < mshr->next ? ready : mshr->next;
    for (int i = 0; i < MSW_MSHR_LANES; i++)
        if (mshr->lanes[i].tail_ready <= ready) {
            join_lane(mshr, &mshr->lanes[i], entry);
            mshr->lanes_used = i < mshr->lanes_used ? mshr->lanes_used : i + 1;
            return;
        }
    msw_event_push(&mshr->rest, ready, entry);
}

/* Whether `entry` is answered before `other`, both being due at the same time. */
static bool scheduled_before(const msw_mshr *mshr, uint32_t entry, uint32_t other)
{
    return mshr->entries[entry].order < mshr->entries[other].order;
}

/* Takes the entry due at `mshr->next`; of several the one scheduled first. */
static uint32_t take_next(msw_mshr *mshr)
{
    msw_mshr_lane *from = NULL;
    msw_event event;
    for (int i = 0; i < mshr->lanes_used; i++)
        if (mshr->lanes[i].head_ready == mshr->next &&
            (!from || scheduled_before(mshr, mshr->lanes[i].head, from->head)))
            from = &mshr->lanes[i];
    if (msw_event_next(&mshr->rest) == mshr->next &&
        (!from || scheduled_before(mshr, (uint32_t)mshr->rest.heap[0].data, from->head))) {
        msw_event_pop(&mshr->rest, &event);
        return (uint32_t)event.data;
    }
    assert(from);
    uint32_t entry = from->head;
    if (entry == from->tail) {
        *from = (msw_mshr_lane){.head_ready = UINT64_MAX};
    } else {
        from->head = mshr->entries[entry].behind;
        from->head_ready = mshr->entries[from->head].ready;
    }
    return entry;
}

static uint64_t earliest(const msw_mshr *mshr)
{
    uint64_t next = msw_event_next(&mshr->rest);
    for (int i = 0; i < mshr->lanes_used; i++)
        next = mshr->lanes[i].head_ready < next ? mshr->lanes[i].head_ready : next;
    return next;
}

bool msw_mshr_close(msw_mshr *mshr, uint64_t now, msw_mshr_closed *closed)
{
    if (mshr->next > now || mshr->next == UINT64_MAX)
        return false;
    uint32_t entry = take_next(mshr);
    *closed =
        (msw_mshr_closed){mshr->entries[entry].key, mshr->next, entry, mshr->entries[entry].merged};
    chain_remove(mshr, &mshr->entries[entry]);
    uint32_t last = mshr->free_first + mshr->free_count++;
    mshr->free[last < mshr->capacity ? last : last - mshr->capacity] = entry;
    mshr->next = earliest(mshr);
    return true;
}
