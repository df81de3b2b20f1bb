/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/slices.h"

#include "sim/block.h"

size_t msw_slices_bytes(const msw_slices_config *config)
{
    return config->slices * sizeof(msw_link);
}

int msw_slices_init(msw_slices *slices, const msw_slices_config *config, void *memory, msw_err *err)
{
    msw_link_config link = {.bytes = config->bytes,
                            .cycles = config->cycles,
                            .latency_cycles = config->latency_cycles,
                            .priorities = 1};
    *slices = (msw_slices){.links = memory, .slices = config->slices};
    if (config->slices == 0)
        return msw_fail(err, "a cache of 0 slices: must be at least 1");
    for (uint32_t i = 0; i < config->slices; i++)
        if (msw_link_init(&slices->links[i], &link, NULL, err))
            return -1;
    return 0;
}

uint64_t msw_slices_pass(msw_slices *slices, uint32_t slice, uint64_t time, uint64_t count,
                         uint64_t bytes)
{
    msw_link_series series = {.time = time, .count = count, .bytes = bytes};
    return msw_link_reserve(&slices->links[slice], &series);
}

uint64_t msw_slices_passed(const msw_slices *slices, uint32_t slice)
{
    return slices->links[slice].stats[0].bytes;
}
