/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/belady.h"

#include "memsweep/sim/assoc.h"
#include "sim/block.h"

static size_t table_size(size_t count)
{
    return (size_t)msw_bits_power(2 * (uint64_t)count + 2);
}

size_t msw_belady_next_bytes(size_t count)
{
    return table_size(count) * sizeof(uint32_t);
}

int msw_belady_next(const uint64_t *keys, size_t count, void *memory, uint64_t *next, msw_err *err)
{
    size_t mask = table_size(count) - 1;
    uint32_t *seen = memory; /* by hash of a key: its earliest access so far from the end + 1 */
    if (count >= (size_t)1 << 30)
        return msw_fail(err, "a stream of %zu accesses: must be below 2^30", count);
    memset(seen, 0, msw_belady_next_bytes(count));
    for (size_t i = count; i-- > 0;) {
        size_t at = (size_t)(keys[i] * 0x9E3779B97F4A7C15u >> 32) & mask;
        while (seen[at] && keys[seen[at] - 1] != keys[i])
            at = (at + 1) & mask;
        next[i] = seen[at] ? seen[at] - 1 : MSW_ASSOC_NEVER;
        seen[at] = (uint32_t)i + 1;
    }
    return 0;
}

static msw_assoc_config lines_config(const msw_belady_config *config)
{
    return (msw_assoc_config){.sets = config->sets,
                              .ways = config->ways,
                              .policy = MSW_POLICY_BELADY,
                              .may_bypass = config->may_bypass};
}

typedef struct parts {
    uint64_t *next;
    void *table, *lines;
} parts;

static size_t layout(parts *p, const msw_belady_config *config, size_t count, void *memory)
{
    msw_assoc_config lines = lines_config(config);
    msw_memory_block block = {memory, 0};
    p->next = msw_memory_block_take(&block, count * sizeof *p->next);
    p->table = msw_memory_block_take(&block, msw_belady_next_bytes(count));
    p->lines = msw_memory_block_take(&block, msw_assoc_bytes(&lines));
    return block.used;
}

size_t msw_belady_bytes(const msw_belady_config *config, size_t count)
{
    parts p;
    return layout(&p, config, count, NULL);
}

int msw_belady_misses(const msw_belady_config *config, const uint64_t *keys, size_t count,
                      void *memory, uint64_t *misses, msw_err *err)
{
    msw_assoc_config shape = lines_config(config);
    msw_assoc lines;
    parts p;
    layout(&p, config, count, memory);
    if (msw_belady_next(keys, count, p.table, p.next, err) ||
        msw_assoc_init(&lines, &shape, p.lines, err))
        return -1;
    *misses = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t set = msw_assoc_set(&lines, keys[i]);
        uint32_t line = msw_assoc_find(&lines, set, keys[i]);
        msw_assoc_entry entry = {.key = keys[i], .until = p.next[i]};
        uint64_t evicted;
        if (line != MSW_ASSOC_NONE) {
            msw_assoc_touch_until(&lines, line, p.next[i]);
        } else {
            msw_assoc_enter(&lines, set, &entry, &evicted);
            ++*misses;
        }
    }
    return 0;
}
