/* SPDX-License-Identifier: MIT */
#include "neummu_configs.h"

#include "memsweep/base/rng.h"

/* A parameter and the values it takes, ended by -1; one that appears twice is twice as likely. */
typedef struct neummu_factor {
    const char *name;
    double values[12];
} neummu_factor;

static const neummu_factor NEUMMU_FACTORS[] = {
    {"page_size", {4096, 4096, 4096, 65536, 2097152, 1073741824, -1}},
    {"tlb_entries", {64, 512, 2048, 8192, 131072, -1}},
    {"tlb_ways", {0, 0, 4, 16, -1}},
    {"tlb_cycles", {1, 5, 20, -1}},
    {"tlb2_entries", {0, 0, 0, 16384, -1}},
    {"ptw_count", {1, 4, 8, 16, 32, 64, 128, 256, 512, 1024, -1}},
    {"walk_level_cycles", {25, 50, 100, 200, -1}},
    {"scoreboard", {0, 1, 1, 1, -1}},
    {"prmb_slots", {0, 1, 2, 4, 8, 16, 32, 4294967295.0, -1}},
    {"slots_full", {0, 1, -1}},
    {"reprobe", {0, 1, -1}},
    {"walk_queue", {0, 0, 0, 64, -1}},
    {"path_cache", {0, 1, 2, 3, -1}},
    {"path_entries", {16, 64, -1}},
    {"dma_bytes", {64, 128, 256, 512, 1024, -1}},
    {"issue_width", {1, 1, 2, 4, -1}},
    {"outstanding", {0, 0, 0, 256, -1}},
    {"bandwidth", {100, 300, 600, 1200, -1}},
};

enum { NEUMMU_FACTOR_COUNT = sizeof NEUMMU_FACTORS / sizeof *NEUMMU_FACTORS };

void neummu_random(direct *d, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 4711);
    for (int f = 0; f < NEUMMU_FACTOR_COUNT; f++) {
        size_t count = 0;
        while (NEUMMU_FACTORS[f].values[count] >= 0)
            count++;
        size_t pick = (size_t)(msw_rng_uniform(&rng) * (double)count);
        direct_set(d, NEUMMU_FACTORS[f].name, NEUMMU_FACTORS[f].values[pick]);
    }
}
