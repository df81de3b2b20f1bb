/* Fixed latency and bandwidth, exact to 2^-20 ticks. */
#include "neummu_parts.h"

enum { FRACTION = 20 };

void neummu_memory_init(neummu_memory *memory, const neummu_config *config)
{
    double bytes_per_cycle = config->bandwidth / config->frequency;
    double ticks = (double)config->issue_width / bytes_per_cycle;
    *memory = (neummu_memory){
        .per_byte = (uint64_t)(ticks * (double)(1 << FRACTION) + 0.5),
        .latency = (uint64_t)(config->memory_cycles * config->issue_width),
    };
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t neummu_memory_serve(neummu_memory *memory, const neummu_batch *batch)
{
    uint64_t work = batch->bytes * memory->per_byte, each = work / batch->count;
    uint64_t asked = batch->first + (batch->count - 1) * batch->gap;
    uint64_t backed_up = later(memory->free, batch->first << FRACTION) + work;
    memory->free = later(backed_up, (asked << FRACTION) + each);
    return ((memory->free + ((1 << FRACTION) - 1)) >> FRACTION) + memory->latency;
}

void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes)
{
    memory->free = later(memory->free, time << FRACTION) + bytes * memory->per_byte;
}
