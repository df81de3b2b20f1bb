/* SPDX-License-Identifier: MIT */
/* Misses by number of ways: the newest keys of each watched set in their order of use. */
#include "memsweep/sim/utility.h"

#include "sim/block.h"

static uint32_t spacing(const msw_utility_config *config)
{
    return config->every ? config->every : 1;
}

static size_t layout(msw_utility *utility, const msw_utility_config *config, void *memory)
{
    size_t watched = ((size_t)config->sets + spacing(config) - 1) / spacing(config);
    msw_memory_block block = {memory, 0};
    *utility = (msw_utility){.sets = config->sets, .ways = config->ways, .every = spacing(config)};
    utility->keys = msw_memory_block_take(&block, watched * config->ways * sizeof *utility->keys);
    utility->held = msw_memory_block_zero(&block, watched * sizeof *utility->held);
    utility->hits = msw_memory_block_zero(&block, config->ways * sizeof *utility->hits);
    return block.used;
}

size_t msw_utility_bytes(const msw_utility_config *config)
{
    msw_utility utility;
    return layout(&utility, config, NULL);
}

int msw_utility_init(msw_utility *utility, const msw_utility_config *config, void *memory,
                     msw_err *err)
{
    uint64_t lines = (uint64_t)config->sets * config->ways;
    if (lines == 0 || lines >= (uint64_t)1 << 30)
        return msw_fail(err,
                        "misses by ways of %u sets x %u ways: both must be at least 1, the "
                        "product below 2^30",
                        config->sets, config->ways);
    layout(utility, config, memory);
    return 0;
}

void msw_utility_add(msw_utility *utility, uint32_t set, uint64_t key)
{
    uint32_t watched = set / utility->every, at = 0;
    if (watched * utility->every != set)
        return;
    uint64_t *keys = utility->keys + (size_t)watched * utility->ways;
    uint32_t *held = &utility->held[watched];
    while (at < *held && keys[at] != key)
        at++;
    utility->accesses++;
    if (at < *held)
        utility->hits[at]++;
    else if (*held < utility->ways)
        ++*held;
    else
        at--; /* the oldest goes */
    memmove(keys + 1, keys, at * sizeof *keys);
    keys[0] = key;
}

uint64_t msw_utility_misses(const msw_utility *utility, uint32_t ways)
{
    uint64_t misses = utility->accesses;
    for (uint32_t at = 0; at < ways && at < utility->ways; at++)
        misses -= utility->hits[at];
    return misses;
}
