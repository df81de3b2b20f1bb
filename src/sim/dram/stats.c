/* SPDX-License-Identifier: MIT */
/* dram_stats: command trace, histogram of latencies, sums over channels, rates. */
#include "sim/dram/state.h"

#include <math.h>

void dram_record(msw_dram *dram, const dram_channel *channel, msw_dram_command command)
{
    command.channel = channel->index;
    if (dram->traced < dram->trace_capacity)
        dram->trace[dram->traced] = command;
    dram->traced++;
}

uint64_t msw_dram_bin_floor(unsigned bin)
{
    if (bin < DRAM_BIN_EXACT)
        return bin;
    unsigned octave = (bin - DRAM_BIN_EXACT) / DRAM_BINS_PER_OCTAVE,
             part = (bin - DRAM_BIN_EXACT) % DRAM_BINS_PER_OCTAVE;
    return (uint64_t)(DRAM_BINS_PER_OCTAVE + part) << (octave + 1);
}

uint64_t msw_dram_latency_quantile(const msw_dram_stats *stats, double q)
{
    uint64_t total = 0, seen = 0;
    for (unsigned i = 0; i < MSW_DRAM_LATENCY_BINS; i++)
        total += stats->latency_bin[i];
    for (unsigned i = 0; i < MSW_DRAM_LATENCY_BINS; i++) {
        seen += stats->latency_bin[i];
        if (seen && (double)seen >= q * (double)total)
            return msw_dram_bin_floor(i);
    }
    return 0;
}

/* Everything up to the extremes is a sum. */
void msw_dram_stats_sum(msw_dram_stats *to, const msw_dram_stats *from)
{
    if (!from->reads && !from->writes && !from->commands_ref)
        return;
    bool first = !to->reads && !to->writes;
    uint64_t arrival = !(from->reads + from->writes)                      ? to->first_arrival
                       : first || from->first_arrival < to->first_arrival ? from->first_arrival
                                                                          : to->first_arrival;
    uint64_t data = msw_max_u64(to->last_data, from->last_data);
    uint64_t most = msw_max_u64(to->read_latency_max, from->read_latency_max);
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *add = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += add[i];
    to->first_arrival = arrival;
    to->last_data = data;
    to->read_latency_max = most;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

msw_dram_rates msw_dram_rates_of(const msw_dram_stats *s, const msw_dram_config *c,
                                 uint32_t channels)
{
    double cycles = (double)s->last_data - (double)s->first_arrival;
    double per_ns = 1000.0 / c->clock_ps;
    double peak =
        c->kind == MSW_DRAM_FIXED ? c->fixed_bytes_per_cycle : (double)c->burst_bytes / c->t.bl;
    double columns = (double)(s->hits + s->closed + s->conflicts);
    double reads = (double)s->reads;
    return (msw_dram_rates){
        .hit_rate = ratio((double)s->hits, columns),
        .bandwidth_gbs = ratio((double)(s->bytes_read + s->bytes_written), cycles) * per_ns,
        .peak_gbs = peak * per_ns * channels,
        .utilisation = ratio((double)s->data_cycles, cycles * channels),
        .read_latency = ratio((double)(s->read_queueing + s->read_service), reads),
        .read_queueing = ratio((double)s->read_queueing, reads),
        .read_service = ratio((double)s->read_service, reads),
        .refresh_share = ratio((double)s->refresh_cycles, cycles * channels * c->ranks),
    };
}
