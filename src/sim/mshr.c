#include "memsweep/mshr.h"

#include "sim/carve.h"

static uint32_t chain_count(uint32_t entries)
{
    uint32_t count = 4;
    while (count < 2 * entries)
        count *= 2;
    return count;
}

static size_t layout(msw_mshr *mshr, const msw_mshr_config *config, void *memory)
{
    uint32_t chains = chain_count(config->entries);
    msw_carve carve = {memory, 0};
    *mshr = (msw_mshr){.capacity = config->entries,
                       .chain_mask = chains - 1,
                       .slots = config->slots,
                       .merge = config->merge,
                       .free_count = config->entries};
    mshr->entries = msw_carve_take(&carve, config->entries * sizeof *mshr->entries);
    mshr->free = msw_carve_take(&carve, config->entries * sizeof *mshr->free);
    mshr->chains = msw_carve_take(&carve, chains * sizeof *mshr->chains);
    msw_event_init(&mshr->ready, config->entries,
                   msw_carve_take(&carve, msw_event_bytes(config->entries)));
    return carve.used;
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
    memset(mshr->chains, 0xff, ((size_t)mshr->chain_mask + 1) * sizeof *mshr->chains);
    return 0;
}

static uint32_t *chain_of(const msw_mshr *mshr, uint64_t key)
{
    return &mshr->chains[(uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mshr->chain_mask];
}

uint32_t msw_mshr_find(const msw_mshr *mshr, uint64_t key)
{
    if (!mshr->merge)
        return MSW_MSHR_NONE;
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

static void chain_add(msw_mshr *mshr, uint32_t entry)
{
    uint32_t *first = chain_of(mshr, mshr->entries[entry].key);
    if (*first != MSW_MSHR_NONE)
        mshr->entries[*first].prev = entry;
    mshr->entries[entry].next = *first;
    mshr->entries[entry].prev = MSW_MSHR_NONE;
    *first = entry;
}

static void chain_remove(msw_mshr *mshr, const msw_mshr_entry *entry)
{
    if (entry->next != MSW_MSHR_NONE)
        mshr->entries[entry->next].prev = entry->prev;
    *(entry->prev == MSW_MSHR_NONE ? chain_of(mshr, entry->key)
                                   : &mshr->entries[entry->prev].next) = entry->next;
}

uint32_t msw_mshr_open(msw_mshr *mshr, uint64_t key)
{
    if (mshr->free_count == 0)
        return MSW_MSHR_NONE;
    uint32_t entry = mshr->free[mshr->free_first];
    if (++mshr->free_first == mshr->capacity)
        mshr->free_first = 0;
    mshr->free_count--;
    mshr->entries[entry] = (msw_mshr_entry){.key = key, .ready = UINT64_MAX};
    if (mshr->merge)
        chain_add(mshr, entry);
    return entry;
}

void msw_mshr_schedule(msw_mshr *mshr, uint32_t entry, uint64_t ready)
{
    mshr->entries[entry].ready = ready;
    msw_event_push(&mshr->ready, ready, entry);
}

bool msw_mshr_close(msw_mshr *mshr, uint64_t now, msw_mshr_closed *closed)
{
    msw_event event;
    if (msw_mshr_next(mshr) > now || !msw_event_pop(&mshr->ready, &event))
        return false;
    uint32_t entry = (uint32_t)event.data;
    *closed = (msw_mshr_closed){mshr->entries[entry].key, event.time, entry,
                                mshr->entries[entry].merged};
    if (mshr->merge)
        chain_remove(mshr, &mshr->entries[entry]);
    uint32_t last = mshr->free_first + mshr->free_count++;
    mshr->free[last < mshr->capacity ? last : last - mshr->capacity] = entry;
    return true;
}
