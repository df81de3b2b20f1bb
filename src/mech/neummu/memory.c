/* SPDX-License-Identifier: MIT */
/* Latency and bandwidth, exact to 2^-20 ticks. With `banks` both come from the closed form of the
 * bank model (docs/models/sim-dram.md): a run of bytes visits rows of the preset's channels, and
 * the more bursts it takes of a row, the faster they come. */
#include "mech/neummu/memory.h"
#include "mech/shared/rows.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/dram_analytic.h"

enum { FRACTION = 20 };

static void set_rates(neummu_memory *memory, const neummu_config *config, double bytes_per_cycle,
                      double latency)
{
    double width = (double)config->issue_width;
    memory->per_byte = (uint64_t)(width / bytes_per_cycle * (double)(1 << FRACTION) + 0.5);
    memory->latency = (uint64_t)(latency * width + 0.5);
}

/* Rows visited one after the other, `run` bursts of each. */
static msw_dram_estimate estimate(const msw_dram_form *channel, double run, double window)
{
    msw_dram_load load = {.visit = run, .read_share = 1, .window = window};
    return msw_dram_estimate_load(channel, &load);
}

/* A bit of the address that changes neither channel nor bank nor row doubles the bursts of a row
 * among the first 1, 2, 4 ... of a run; any other leaves them. */
static bool stays_in_row(const msw_dram_map *map, uint64_t bit)
{
    msw_dram_location first = msw_dram_locate(map, 0), at = msw_dram_locate(map, bit);
    return at.channel == first.channel && at.bank == first.bank && at.row == first.row;
}

static void set_banks(neummu_memory *memory, const neummu_config *config,
                      const msw_dram_config *channel, const msw_dram_map *map)
{
    double run[NEUMMU_ROW_BURSTS], best = 0, bursts = 1;
    msw_dram_form form = msw_dram_form_of(channel);
    double clock_ns = channel->clock_ps / 1000.0;
    for (int i = 0; i < NEUMMU_ROW_BURSTS; i++) {
        run[i] = estimate(&form, bursts, channel->read_depth).bandwidth_gbs;
        best = run[i] > best ? run[i] : best;
        bursts *= stays_in_row(map, (uint64_t)channel->burst_bytes << i) ? 2 : 1;
    }
    for (int i = 0; i < NEUMMU_ROW_BURSTS; i++)
        memory->stretch[i] = best / run[i];
    memory->banks = true;
    memory->burst_bytes = channel->burst_bytes;
    set_rates(memory, config, best * (double)neummu_channels(config) / config->frequency,
              estimate(&form, 1, 1).read_latency * clock_ns * config->frequency);
}

msw_memory_size neummu_memory_size(const neummu_config *c)
{
    return (msw_memory_size){c->memory_stacks, c->memory_channels, c->memory_least};
}

uint32_t neummu_channels(const neummu_config *c)
{
    msw_memory_size size = neummu_memory_size(c);
    return msw_memory_channels(msw_memory_of(c->memory_preset), &size);
}

int neummu_memory_init(neummu_memory *memory, const neummu_config *config, msw_err *err)
{
    *memory = (neummu_memory){0};
    if (config->memory_model == NEUMMU_MEMORY_FLAT) {
        set_rates(memory, config, config->bandwidth / config->frequency,
                  (double)config->memory_cycles);
        return 0;
    }
    const msw_dram_config *channel = msw_memory_of(config->memory_preset);
    msw_dram_map map;
    if (msw_dram_map_init(&map, channel, err))
        return -1;
    set_banks(memory, config, channel, &map);
    return 0;
}

double neummu_memory_weight(const neummu_memory *memory, double bytes)
{
    int i = 0;
    if (!memory->banks)
        return bytes;
    while (i + 1 < NEUMMU_ROW_BURSTS && (double)((uint64_t)memory->burst_bytes << i) < bytes)
        i++;
    return bytes * memory->stretch[i];
}

uint64_t neummu_memory_serve(neummu_memory *memory, const neummu_batch *batch)
{
    uint64_t work = batch->bytes * memory->per_byte, each = work / batch->count;
    uint64_t asked = batch->first + (batch->count - 1) * batch->gap;
    uint64_t backed_up = msw_max_u64(memory->free, batch->first << FRACTION) + work;
    memory->free = msw_max_u64(backed_up, (asked << FRACTION) + each);
    return ((memory->free + ((1 << FRACTION) - 1)) >> FRACTION) + memory->latency;
}

uint64_t neummu_memory_read(neummu_memory *memory, uint64_t time, uint32_t bytes)
{
    neummu_batch line = {time, 0, 1, (uint64_t)neummu_memory_weight(memory, bytes)};
    return neummu_memory_serve(memory, &line);
}

void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes)
{
    memory->free = msw_max_u64(memory->free, time << FRACTION) + bytes * memory->per_byte;
}
