/* SPDX-License-Identifier: MIT */
/* The answer of the closed form: by its formulas, or where these do not suffice with steps that are
 * simulated (README.md). The time without translation and the transactions are those of the
 * formulas, which are exact there; what is lost to translation, and what the MMU does, follow from
 * the steps of sample.c. */
#include "mech/neummu/closed/flow.h"
#include "mech/neummu/closed/sample.h"
#include "mech/neummu/cost.h"

#include <math.h>
#include <string.h>

#define MORE        4.0   /* times as many steps are simulated */
#define LOSS_NEAR   0.1   /* where the standard error is above these parts of the loss */
#define CYCLES_NEAR 0.001 /* and of the cycles */
/* Standard error of the cycles, as a part of them, from which on they are in doubt. */
#define DOUBT 0.1

/* ---- by formulas ---- */

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
    neummu_closed_add(own, metrics);
    if (i + 1 == c->stream->step_count)
        neummu_closed_rest(c, own);
    neummu_closed_totals(own);
    neummu_ledger_add(ledger, 0, i, own);
    return neummu_closed_detail(c, task, ledger, i, own[NEUMMU_CYCLES], 1, err);
}

/* All steps in order, by the formulas. */
static int add_steps(neummu_closed *c, const msw_task *task, neummu_ledger *ledger, double *metrics,
                     msw_err *err)
{
    for (uint64_t i = 0; i < c->stream->step_count; i++)
        MSW_TRY(add_step_with_details(c, i, task, ledger, metrics, err));
    neummu_closed_rest(c, metrics);
    neummu_closed_totals(metrics);
    return 0;
}

/* ---- with steps that are simulated ---- */

/* The timeline by the formulas and with every translation known, side by side. */
typedef struct pair {
    neummu_closed form, known;
} pair;

static void own_of(neummu_closed *c, uint64_t i, double *own)
{
    neummu_closed_step(c, i, own);
    if (i + 1 == c->stream->step_count)
        neummu_closed_rest(c, own);
    neummu_closed_totals(own);
}

/* The next step; `own` gets it as the formulas have it, but its time as it is with every
 * translation known. Returns what it loses to translation by the formulas. */
static double pair_step(pair *p, uint64_t i, double *own)
{
    double known[NEUMMU_METRICS] = {0};
    own_of(&p->form, i, own);
    own_of(&p->known, i, known);
    double loss = own[NEUMMU_CYCLES] - known[NEUMMU_CYCLES];
    memcpy(own, known, (NEUMMU_STORE_TRANSLATION + 1) * sizeof *own);
    return loss;
}

static int open_pair(pair *p, const msw_task *task, neummu_config *oracle, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    *oracle = *(const neummu_config *)task->config;
    oracle->oracle = 1;
    MSW_TRY(neummu_closed_open(&p->form, task->config, stream, task->arena, err));
    return neummu_closed_open(&p->known, oracle, stream, task->arena, err);
}

/* Counts that the formulas have right: all that does not depend on the MMU. */
static bool is_sure(int metric)
{
    return metric <= NEUMMU_STORE_TRANSLATION || metric == NEUMMU_TILES ||
           metric == NEUMMU_TRANSLATIONS || metric == NEUMMU_PAGES || metric == NEUMMU_PAGES_MAX;
}

static void add_loss(const neummu_estimate *e, double share, double *metrics)
{
    metrics[NEUMMU_LAYER_START] += share * e->loss * e->causes[0];
    metrics[NEUMMU_TRANSLATION] += share * e->loss * e->causes[1];
    metrics[NEUMMU_STORE_TRANSLATION] += share * e->loss * e->causes[2];
    neummu_closed_totals(metrics);
}

/* Cycles of a walk, mean of those that were simulated. */
static double mean_walk(const neummu_rates *k, const neummu_estimate *e)
{
    double fixed = (double)k->config->walk_cycles;
    return fixed > 0 ? fixed
                     : e->counts[NEUMMU_WALK_ACCESSES] / e->counts[NEUMMU_WALKS] * k->access;
}

/* The detail tables: losses are spread over the steps as the formulas have them, counts as these
 * have them or, where they have none, as transactions. */
static int detail_simulated(const msw_task *task, neummu_ledger *ledger, const neummu_estimate *e,
                            const double *formed, double loss, msw_err *err)
{
    pair p;
    neummu_config oracle;
    double walks = formed[NEUMMU_WALKS] > 0 ? e->counts[NEUMMU_WALKS] / formed[NEUMMU_WALKS] : 0;
    MSW_TRY(open_pair(&p, task, &oracle, err));
    for (uint64_t i = 0; i < p.form.stream->step_count; i++) {
        double own[NEUMMU_METRICS] = {0}, lost = fmax(0, pair_step(&p, i, own));
        double part = own[NEUMMU_TRANSLATIONS] / fmax(1, formed[NEUMMU_TRANSLATIONS]);
        for (int m = 0; m < NEUMMU_UNIT_METRICS; m++)
            if (!is_sure(m))
                own[m] = formed[m] > 0 ? own[m] * e->counts[m] / formed[m] : e->counts[m] * part;
        add_loss(e, loss > 0 ? lost / loss : part, own);
        neummu_ledger_add(ledger, 0, i, own);
        if (formed[NEUMMU_WALKS] <= 0 && own[NEUMMU_WALKS] > 0)
            neummu_ledger_walks(ledger, 0, mean_walk(&p.form.rates, e), own[NEUMMU_WALKS]);
        MSW_TRY(neummu_closed_detail(&p.form, task, ledger, i, own[NEUMMU_CYCLES], walks, err));
    }
    return 0;
}

/* Simulates steps, and more of them where they disagree about the loss. */
static int simulate_steps(const msw_task *task, const neummu_forms *forms, double form,
                          const double *metrics, neummu_sample *sample, neummu_estimate *e,
                          msw_err *err)
{
    double cycles = metrics[NEUMMU_CYCLES];
    for (double more = 1; more <= MORE; more *= MORE) {
        MSW_TRY(neummu_sample_draw(sample, task, forms, more, err));
        MSW_TRY(neummu_sample_simulate(sample, task, err));
        neummu_sample_estimate(sample, form, metrics[NEUMMU_TRANSLATIONS], e);
        if (e->error <= LOSS_NEAR * e->loss || e->error <= CYCLES_NEAR * cycles)
            return 0;
    }
    return 0;
}

static int add_simulated(const msw_task *task, neummu_ledger *ledger, double *metrics, msw_err *err)
{
    const neummu_config *config = task->config;
    neummu_config oracle;
    neummu_sample sample;
    neummu_estimate e;
    pair p;
    double form = 0, loss = 0;
    MSW_TRY(open_pair(&p, task, &oracle, err));
    uint64_t count = p.form.stream->step_count;
    double *cycles = msw_arena_take(task->arena, 2 * count * sizeof *cycles);
    neummu_forms forms = {cycles, cycles + count};
    if (!cycles)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < count; i++) {
        double own[NEUMMU_METRICS] = {0}, lost = pair_step(&p, i, own);
        forms.form[i] = own[NEUMMU_CYCLES] + lost;
        forms.known[i] = own[NEUMMU_CYCLES];
        neummu_closed_add(own, metrics);
        form += lost;
        loss += fmax(0, lost);
    }
    MSW_TRY(simulate_steps(task, &forms, form, metrics, &sample, &e, err));
    if (ledger->task || (config->profile_window && task->details))
        MSW_TRY(detail_simulated(task, ledger, &e, metrics, loss, err));
    for (int m = 0; m < NEUMMU_UNIT_METRICS; m++)
        metrics[m] = is_sure(m) ? metrics[m] : e.counts[m];
    add_loss(&e, 1, metrics);
    if (e.error > DOUBT * metrics[NEUMMU_CYCLES])
        msw_task_doubt(task,
                       "%zu steps were simulated, and they disagree: cycles may be off by %.0f %%",
                       (size_t)sample.count, 100 * e.error / metrics[NEUMMU_CYCLES]);
    return 0;
}

int neummu_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    const neummu_config *config = task->config;
    neummu_closed c;
    neummu_prices prices;
    neummu_ledger ledger;
    MSW_TRY(neummu_price(config, &prices, err));
    MSW_TRY(neummu_ledger_open(&ledger, task, err));
    zero_totals(task->mech->metrics, metrics);
    if (neummu_formulas_suffice(config, task->artifacts[0])) {
        MSW_TRY(neummu_closed_open(&c, config, task->artifacts[0], task->arena, err));
        MSW_TRY(add_steps(&c, task, &ledger, metrics, err));
    } else {
        MSW_TRY(add_simulated(task, &ledger, metrics, err));
    }
    metrics[NEUMMU_ENERGY] = neummu_energy(config, &prices, metrics);
    return neummu_ledger_write(&ledger, err);
}
