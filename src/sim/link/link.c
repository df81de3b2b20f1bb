/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/link.h"

#include "sim/block.h"
#include "sim/link/parts.h"
#include "sim/series.h"

size_t msw_link_bytes(const msw_link_config *config)
{
    return config->queue * sizeof(msw_link_slot);
}

static int check(const msw_link_config *config, msw_err *err)
{
    if (!config->curves[0] != !config->curves[1])
        return msw_fail(err, "link with a curve for one direction: both need one");
    if (!config->curves[0] &&
        (config->bytes == 0 || config->cycles == 0 || config->bytes >> 20 || config->cycles >> 20))
        return msw_fail(err, "link bandwidth of %llu bytes per %llu cycles: both from 1 to 1048575",
                        (unsigned long long)config->bytes, (unsigned long long)config->cycles);
    if (config->priorities == 0 || config->priorities > MSW_LINK_PRIORITIES)
        return msw_fail(err, "%u link priorities: must be from 1 to %d", config->priorities,
                        MSW_LINK_PRIORITIES);
    if (config->masters > MSW_LINK_MASTERS)
        return msw_fail(err, "%u link masters: at most %d", config->masters, MSW_LINK_MASTERS);
    for (uint32_t m = 0; config->masters > 1 && m < config->masters; m++)
        if (config->weights[m] == 0 || config->weights[m] > UINT16_MAX)
            return msw_fail(err, "link weight %u of master %u: must be from 1 to 65535",
                            config->weights[m], m);
    if (config->packet_bytes == 0 && config->overhead_bytes)
        return msw_fail(err, "link overhead of %u bytes per packet needs a packet size",
                        config->overhead_bytes);
    return 0;
}

int msw_link_init(msw_link *link, const msw_link_config *config, void *memory, msw_err *err)
{
    if (check(config, err))
        return -1;
    *link = (msw_link){.config = *config, .slots = memory, .ticks_per_cycle = config->bytes};
    link->config.masters = config->masters ? config->masters : 1;
    link->in_order = link->config.masters == 1 && config->priorities == 1;
    if (config->curves[0])
        link->ticks_per_cycle = 1 << MSW_CURVE_TICK_BITS;
    for (uint32_t i = 0; i < config->queue; i++)
        link->slots[i].next = i + 1 < config->queue ? i + 1 : LINK_NONE;
    link->free_slot = config->queue ? 0 : LINK_NONE;
    for (int c = 0; c < MSW_LINK_DIRECTIONS; c++) {
        msw_link_channel *channel = &link->channels[c];
        for (int p = 0; p < MSW_LINK_PRIORITIES; p++) {
            memset(channel->classes[p].first, 0xff, sizeof channel->classes[p].first);
            memset(channel->classes[p].last, 0xff, sizeof channel->classes[p].last);
        }
        channel->flying_first = channel->flying_last = LINK_NONE;
    }
    return 0;
}

uint64_t msw_link_wire(const msw_link_config *config, uint64_t bytes)
{
    uint32_t packet = config->packet_bytes;
    if (packet == 0)
        return bytes;
    return bytes + (bytes / packet + (bytes % packet != 0)) * config->overhead_bytes;
}

uint64_t msw_link_duration(const msw_link *link, uint32_t direction, uint64_t bytes)
{
    if (link->config.curves[0])
        return msw_link_curve_ticks(link->config.curves[direction], bytes);
    return link->config.setup_cycles * link->ticks_per_cycle +
           msw_link_wire(&link->config, bytes) * link->config.cycles;
}

double msw_link_effective(const msw_link_config *config, uint64_t bytes)
{
    if (config->curves[0])
        return msw_link_curve_rate(config->curves[0], bytes);
    double wire = (double)msw_link_wire(config, bytes);
    return (double)bytes /
           (config->setup_cycles + wire * (double)config->cycles / (double)config->bytes);
}

uint64_t msw_link_delivery(const msw_link *link, uint64_t end_ticks)
{
    return msw_div_up(end_ticks, link->ticks_per_cycle) + link->config.latency_cycles;
}

void msw_link_account(msw_link *link, uint32_t direction, uint64_t bytes, uint64_t count,
                      uint64_t duration)
{
    msw_link_stats *stats = &link->stats[direction];
    stats->transfers += count;
    stats->bytes += count * bytes;
    stats->wire_bytes += count * msw_link_wire(&link->config, bytes);
    stats->busy_ticks += count * duration;
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
    msw_link_channel *channel = &link->channels[link->config.half_duplex ? 0 : series->direction];
    uint64_t asked = series->time * link->ticks_per_cycle,
             gap = series->gap * link->ticks_per_cycle;
    uint64_t duration = msw_link_duration(link, series->direction, series->bytes);
    uint64_t first = channel->free > asked ? channel->free : asked;
    /* The last ends after all were served back to back, or one duration after it was asked for. */
    uint64_t packed = first + series->count * duration;
    uint64_t spaced = asked + (series->count - 1) * gap + duration;
    channel->free = packed > spaced ? packed : spaced;
    msw_link_account(link, series->direction, series->bytes, series->count, duration);
    link->stats[series->direction].delivered_bytes += series->count * series->bytes;
    link->stats[series->direction].wait_ticks +=
        series_waits(first - asked, duration, gap, series->count);
    return msw_link_delivery(link, channel->free);
}
