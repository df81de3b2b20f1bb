/* SPDX-License-Identifier: MIT */
/* The entries of a page table that a walk reads, and where they lie. */
#include "memsweep/sim/pagetable.h"

msw_pagetable_config msw_pagetable_x86(void)
{
    return (msw_pagetable_config){.address_bits = 48, .level_bits = 9, .base_shift = 12};
}

static int check(const msw_pagetable_config *config, msw_err *err)
{
    if (config->level_bits < 4 || config->level_bits > 13)
        return msw_fail(err, "page table of %u bits per level: must be from 4 to 13",
                        config->level_bits);
    if (config->base_shift < 10 || config->base_shift > 30)
        return msw_fail(err, "smallest page shift %u: must be from 10 to 30", config->base_shift);
    if (config->address_bits <= config->base_shift || config->address_bits > 63 ||
        config->address_bits - config->base_shift > config->level_bits * MSW_PAGETABLE_LEVELS)
        return msw_fail(err, "%u address bits need more than %d levels, or none",
                        config->address_bits, MSW_PAGETABLE_LEVELS);
    return 0;
}

static unsigned leaf_of(const msw_pagetable *table, unsigned page_shift)
{
    unsigned leaf = 1;
    while (leaf < table->levels && table->shift[leaf + 1] <= page_shift)
        leaf++;
    return leaf;
}

int msw_pagetable_init(msw_pagetable *table, const msw_pagetable_config *config, msw_err *err)
{
    if (check(config, err))
        return -1;
    *table = (msw_pagetable){.config = *config};
    table->address_mask = ((uint64_t)1 << config->address_bits) - 1;
    table->levels =
        (config->address_bits - config->base_shift + config->level_bits - 1) / config->level_bits;
    for (unsigned level = 1; level <= table->levels + 1; level++)
        table->shift[level] = config->base_shift + (level - 1) * config->level_bits;
    for (unsigned shift = 0; shift < 64; shift++)
        table->leaf[shift] = (uint8_t)leaf_of(table, shift);
    uint64_t tables = 0;
    for (unsigned level = table->levels; level > 0; level--) {
        unsigned above = table->shift[level + 1];
        table->first[level] = tables;
        tables += above < config->address_bits ? (uint64_t)1 << (config->address_bits - above) : 1;
    }
    while (tables >> table->frame_bits)
        table->frame_bits++;
    return 0;
}

/* A shuffle of the numbers below 2^bits: each step can be undone. */
static uint64_t shuffle(uint64_t number, unsigned bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int round = 0; round < 2; round++) {
        number = (number * 0x9E3779B97F4A7C15u) & mask;
        number ^= number >> (bits / 2 + 1);
    }
    return number;
}

uint64_t msw_pagetable_entry(const msw_pagetable *table, uint64_t address, unsigned level)
{
    const msw_pagetable_config *config = &table->config;
    address &= table->address_mask;
    uint64_t index = address >> table->shift[level];
    uint64_t frame = table->first[level] + (index >> config->level_bits);
    if (config->scattered)
        frame = shuffle(frame, table->frame_bits);
    index &= ((uint64_t)1 << config->level_bits) - 1;
    return config->base + ((frame << config->level_bits) + index) * MSW_PAGETABLE_ENTRY_BYTES;
}

uint64_t msw_pagetable_path(const msw_pagetable *table, uint64_t address, unsigned leaf)
{
    unsigned bits = table->config.level_bits;
    uint64_t path = 0;
    address &= table->address_mask;
    for (unsigned level = table->levels; level > 1; level--) {
        uint64_t index = (address >> table->shift[level]) & (((uint64_t)1 << bits) - 1);
        /* The leading 1 keeps index 0 apart from "this page size has no such level". */
        path = path << (bits + 1) | (level > leaf ? (uint64_t)1 << bits | index : 0);
    }
    return path;
}

unsigned msw_pagetable_shared(const msw_pagetable *table, uint64_t path, uint64_t other)
{
    unsigned field = table->config.level_bits + 1, count = table->levels - 1;
    unsigned shared = 0;
    while (shared < count && ((path ^ other) >> (field * (count - shared - 1))) == 0)
        shared++;
    return shared;
}
