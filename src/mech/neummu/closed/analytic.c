/* SPDX-License-Identifier: MIT */
/* The closed form: all steps in order (line.c), added up.
 *
 *   slowdown = cycles / cycles of the same steps with every translation known
 *
 * Known value: with every translation known it equals `full`
 * (references_are_the_same_to_the_tick in tests/validation/test_neummu.c). */
#include "mech/neummu/closed/line.h"
#include "mech/neummu/cost.h"
#include "mech/neummu/ledger.h"
#include "mech/neummu/metrics.h"
#include "mech/neummu/model.h"

#include <math.h>

/* ---- details ---- */

/* Cycles of a flow's mean walk. */
static double walk_of(const neummu_config *config, const neummu_flow_model *p)
{
    return config->walk_cycles ? (double)config->walk_cycles
                               : p->accesses / p->walks * (double)config->walk_level_cycles;
}

/* Counts the walks of a step by the means of its flows. Returns the cycles that walkers are busy.
 */
static double count_walks(const neummu_closed *c, neummu_ledger *ledger, const neummu_step *step)
{
    const neummu_config *config = c->at.rates->config;
    double busy = 0;
    for (int flow = 0; flow < NEUMMU_FLOWS; flow++)
        for (uint32_t part = 0; part < step->flows[flow].count; part++) {
            const neummu_flow_model *p = &c->models[step->flows[flow].traffic[part]];
            if (!(p->walks > 0))
                continue;
            double walk = walk_of(config, p);
            busy += p->walks * walk;
            neummu_ledger_walks(ledger, 0, walk, p->walks * (double)step->executions);
        }
    return busy;
}

/* What a step, whose cycles are `cycles`, adds to the detail tables. */
static int detail_step(const neummu_closed *c, const msw_task *task, neummu_ledger *ledger,
                       uint64_t i, double cycles, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_step *step = &c->stream->steps[i];
    double busy = count_walks(c, ledger, step) * (double)step->executions;
    double row[] = {(double)i, step->layer, 0, cycles > 0 ? busy / cycles : 0};
    row[3] = fmin(row[3], (double)config->ptw_count);
    if (!config->profile_window || !task->details || !(row[3] > 0))
        return 0;
    return msw_detail_add(task, NEUMMU_TABLE_WALKERS, row, err);
}

static void zero_totals(const msw_metric *table, double *metrics)
{
    for (int i = 0; table[i].name; i++)
        if (table[i].kind == MSW_TOTAL || table[i].kind == MSW_MAXIMUM)
            metrics[i] = 0;
}

/* A step's own metrics are worked out from what it adds, but only where somebody wants them. */
static int add_step_with_details(neummu_closed *c, uint64_t i, const msw_task *task,
                                 neummu_ledger *ledger, double *metrics, msw_err *err)
{
    const neummu_config *config = task->config;
    double own[NEUMMU_METRICS] = {0};
    if (!ledger->task && !(config->profile_window && task->details)) {
        neummu_closed_step(c, i, metrics);
        return 0;
    }
    neummu_closed_step(c, i, own);
    for (int m = 0; m < NEUMMU_SRAM; m++)
        metrics[m] = m == NEUMMU_PAGES_MAX ? fmax(metrics[m], own[m]) : metrics[m] + own[m];
    if (i + 1 == c->stream->step_count)
        neummu_closed_rest(c, own);
    neummu_closed_totals(own);
    neummu_ledger_add(ledger, 0, i, own);
    return detail_step(c, task, ledger, i, own[NEUMMU_CYCLES], err);
}

int neummu_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    neummu_closed c;
    neummu_prices prices;
    neummu_ledger ledger;
    if (neummu_closed_open(&c, config, stream, task->arena, err) ||
        neummu_price(config, &prices, err))
        return -1;
    zero_totals(task->mech->metrics, metrics);
    if (neummu_ledger_open(&ledger, task, err))
        return -1;
    for (uint64_t i = 0; i < stream->step_count; i++)
        if (add_step_with_details(&c, i, task, &ledger, metrics, err))
            return -1;
    neummu_closed_rest(&c, metrics);
    neummu_closed_totals(metrics);
    metrics[NEUMMU_ENERGY] = neummu_energy(config, &prices, metrics);
    return neummu_ledger_write(&ledger, err);
}
