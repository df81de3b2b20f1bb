/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/link.h"

#include "sim/series.h"

#include "memsweep/base/bits.h"

static int check(const msw_link_config *config, msw_err *err)
{
    if (config->bytes == 0 || config->cycles == 0 || config->bytes >> 20 || config->cycles >> 20)
        return msw_fail(err, "link bandwidth of %llu bytes per %llu cycles: both from 1 to 1048575",
                        (unsigned long long)config->bytes, (unsigned long long)config->cycles);
    if (config->packet_bytes == 0 && config->overhead_bytes)
        return msw_fail(err, "link overhead of %u bytes per packet needs a packet size",
                        config->overhead_bytes);
    return 0;
}

int msw_link_init(msw_link *link, const msw_link_config *config, msw_err *err)
{
    MSW_TRY(check(config, err));
    *link = (msw_link){.config = *config};
    return 0;
}

/* Bytes on the wire for a payload. */
static uint64_t wire_bytes(const msw_link_config *config, uint64_t bytes)
{
    uint32_t packet = config->packet_bytes;
    if (packet == 0)
        return bytes;
    return bytes + (bytes / packet + (bytes % packet != 0)) * config->overhead_bytes;
}

static uint64_t transfer_ticks(const msw_link_config *config, uint64_t bytes)
{
    return config->setup_cycles * config->bytes + wire_bytes(config, bytes) * config->cycles;
}

/* Sum of the waits of a series whose first transfer starts `behind` ticks late, when each transfer
 * makes the next wait `gain` ticks more (or, shrinking, less). */
static uint64_t series_waits(uint64_t behind, uint64_t duration, uint64_t gap, uint64_t count)
{
    if (duration >= gap)
        return msw_series_sum(behind, duration - gap, count);
    uint64_t shrink = gap - duration, waiting = behind / shrink + 1;
    if (waiting > count)
        waiting = count;
    return msw_series_sum(behind, 0 - shrink, waiting);
}

uint64_t msw_link_reserve(msw_link *link, const msw_link_series *series)
{
    const msw_link_config *config = &link->config;
    uint64_t *free = &link->free[config->half_duplex ? 0 : series->direction];
    uint64_t asked = series->time * config->bytes, gap = series->gap * config->bytes;
    uint64_t duration = transfer_ticks(config, series->bytes);
    uint64_t first = msw_max_u64(*free, asked);
    /* The last ends after all were served back to back, or one duration after it was asked for. */
    uint64_t packed = first + series->count * duration;
    uint64_t spaced = asked + (series->count - 1) * gap + duration;
    *free = msw_max_u64(packed, spaced);
    msw_link_stats *stats = &link->stats[series->direction];
    stats->transfers += series->count;
    stats->bytes += series->count * series->bytes;
    stats->wire_bytes += series->count * wire_bytes(config, series->bytes);
    stats->busy_ticks += series->count * duration;
    stats->wait_ticks += series_waits(first - asked, duration, gap, series->count);
    return msw_div_up(*free, config->bytes) + config->latency_cycles;
}
