/* SPDX-License-Identifier: MIT */
#include "htmmu_configs.h"

/* A parameter and the values it takes, ended by -1; one that appears twice is twice as likely. */
typedef struct htmmu_factor {
    const char *name;
    double values[10];
} htmmu_factor;

static const htmmu_factor HTMMU_FACTORS[] = {
    {"streams", {1, 2, 4, 8, 16, -1}},
    {"router", {HTMMU_ROUTER_BITS, HTMMU_ROUTER_ADAPTIVE, HTMMU_ROUTER_ADAPTIVE, -1}},
    {"router_bit", {21, 30, -1}},
    {"free_choice", {HTMMU_FREE_NEXT, HTMMU_FREE_LOWEST, HTMMU_FREE_LEAST, -1}},
    {"divert", {HTMMU_DIVERT_BUSY, HTMMU_DIVERT_BUSY, HTMMU_DIVERT_STALLED, -1}},
    {"l1_entries", {16, 32, 64, 128, 256, -1}},
    {"l1_mshrs", {1, 2, 4, 8, 16, -1}},
    {"l2_entries", {128, 256, 512, 544, 1024, 2048, -1}},
    {"l2_coalesce", {1, 1, 8, -1}},
    {"l2_ports", {1, 2, 4, -1}},
    {"policy", {MSW_POLICY_LRU, MSW_POLICY_TREE, -1}},
    {"ptu_queue", {0, 4, 16, 64, -1}},
    {"merge_entries", {2, 4, 8, 16, 32, -1}},
    {"merge_items", {0, 2, 4, 8, 12, -1}},
    {"tpc_entries", {4, 8, 16, 28, 32, 64, -1}},
    {"page_size", {4096, 2097152, 2097152, -1}},
    {"level_cycles", {100, 300, 1000, -1}},
    {"outstanding", {16, 64, 128, 512, 2048, -1}},
    {"register_holds", {HTMMU_HOLDS_MISS, HTMMU_HOLDS_PAGE, -1}},
};

enum { HTMMU_FACTOR_COUNT = sizeof HTMMU_FACTORS / sizeof *HTMMU_FACTORS };
void htmmu_random(direct *d, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 4712);
    for (int f = 0; f < HTMMU_FACTOR_COUNT; f++) {
        size_t count = 0;
        while (HTMMU_FACTORS[f].values[count] >= 0)
            count++;
        size_t pick = (size_t)(msw_rng_uniform(&rng) * (double)count);
        direct_set(d, HTMMU_FACTORS[f].name, HTMMU_FACTORS[f].values[pick]);
    }
}

void htmmu_show(const direct *d)
{
    for (int f = 0; f < HTMMU_FACTOR_COUNT; f++)
        printf("%s=%g ", HTMMU_FACTORS[f].name,
               msw_param_get(msw_params_find(d->mech->params, HTMMU_FACTORS[f].name), d->config));
}
