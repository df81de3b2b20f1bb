/* SPDX-License-Identifier: MIT */
/* Energy of the whole: docs/models/costs.md, 'The whole chip'. Rows are read at random, so each
 * request opens a row of HBM2; what comes from other devices crosses a link between chips; the
 * dense layers multiply 32-bit numbers. The MMU is neummu's, with its prices. */
#include "mech/neummu_sparse/model.h"

#include "mech/neummu/cost.h"
#include "mech/neummu/model.h"
#include "mech/neummu_sparse/config.h"
#include "mech/shared/rows.h"

#include "memsweep/sim/energy.h"

#include <math.h>

enum { MLP_BYTES = 4, HBM_CHANNELS = 16 };

/* What neummu's table charges, by the counts that both have. */
static double translation_nj(const neummu_config *mmu, const double *metrics)
{
    static const int SAME[][2] = {{NEUMMU_TRANSLATIONS, NEUMMU_SPARSE_REQUESTS},
                                  {NEUMMU_TLB_MISSES, NEUMMU_SPARSE_MISSES},
                                  {NEUMMU_MERGED, NEUMMU_SPARSE_MERGED},
                                  {NEUMMU_WALKS, NEUMMU_SPARSE_WALKS},
                                  {NEUMMU_WALK_ACCESSES, NEUMMU_SPARSE_WALK_ACCESSES}};
    double totals[NEUMMU_METRICS] = {0};
    neummu_prices prices;
    msw_err err;
    if (neummu_price(mmu, &prices, &err))
        return NAN;
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++)
        totals[SAME[i][0]] = metrics[SAME[i][1]];
    return neummu_energy(mmu, &prices, totals);
}

void neummu_sparse_derive(const msw_task *task, double *metrics)
{
    const neummu_sparse_config *c = task->config;
    const msw_dram_config *memory = msw_memory_of(MSW_MEMORY_HBM2);
    neummu_config mmu = neummu_sparse_mmu(c);
    msw_cost cost;
    msw_cost_init(&cost);
    double seconds = metrics[NEUMMU_SPARSE_CYCLES] / (c->mmu.frequency * 1e9);
    double macs = metrics[NEUMMU_SPARSE_REQUESTS] * c->mlp_macs;
    double side = sqrt((double)c->array_cells);
    msw_dram_use dram = {metrics[NEUMMU_SPARSE_REQUESTS], 8 * metrics[NEUMMU_SPARSE_BYTES], seconds,
                         (double)HBM_CHANNELS * memory->ranks};
    msw_array_use use = {
        .macs = macs, .rows = side, .cols = side, .element_bytes = MLP_BYTES, .weight_bytes = 0};
    msw_array_energy array =
        msw_array_energy_of(&cost, &use, MSW_PAD_BANK_BYTES, metrics[NEUMMU_SPARSE_BYTES]);
    bool none = c->mode == NEUMMU_SPARSE_COPY || c->mmu.oracle; /* the CPU translates, or nobody */
    metrics[NEUMMU_SPARSE_ENERGY_ARRAY] = array.array_nj + array.pads_nj;
    metrics[NEUMMU_SPARSE_ENERGY_MEMORY] =
        msw_dram_energy_nj(&msw_dram_prices[MSW_MEMORY_HBM2], memory, &dram);
    metrics[NEUMMU_SPARSE_ENERGY_LINKS] =
        msw_cost_move_pj(cost.chip_link_pj_per_bit, metrics[NEUMMU_SPARSE_MOVED_BYTES]) / 1e3;
    metrics[NEUMMU_SPARSE_ENERGY_TRANSLATION] = none ? 0 : translation_nj(&mmu, metrics);
    metrics[NEUMMU_SPARSE_ENERGY_ALL] = 0;
    for (int m = NEUMMU_SPARSE_ENERGY_ARRAY; m < NEUMMU_SPARSE_ENERGY_ALL; m++)
        metrics[NEUMMU_SPARSE_ENERGY_ALL] += metrics[m];
    metrics[NEUMMU_SPARSE_EDP] = metrics[NEUMMU_SPARSE_ENERGY_ALL] * 1e-9 * seconds;
}
