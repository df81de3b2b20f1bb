/* SPDX-License-Identifier: MIT */
#include "laws.h"

#include "mech/engine/evaluate.h"

#include "memsweep/mech/stated.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-9 /* relative: sums that are made in another order */

struct msw_law_trial {
    const msw_law *law;
    int metric;
    msw_question region, than;
};

/* ---- changes ---- */

static const msw_param *find(const msw_law_side *side, const char *name, void **config)
{
    const msw_param *own = msw_params_find(side->mech->params, name);
    *config = own ? side->config : side->workload_config;
    return own ? own : msw_params_find(side->workload->frontend->params, name);
}

/* Returns the changed value of an entry; what cannot be is out of its range. */
static double changed(const msw_param *param, const msw_law_change *change, double value)
{
    msw_err err = {0};
    double to = param->max + 1;
    if (!change->to)
        to = value * change->times;
    else if (msw_param_parse(param, change->to, &to, &err))
        return param->max + 1;
    return param->kind != MSW_REAL && to != floor(to) ? param->max + 1 : to;
}

int msw_law_set(const msw_law_change *changes, const msw_law_side *side)
{
    int differs = 0;
    for (const msw_law_change *c = changes; c && c->param; c++) {
        msw_err err = {0};
        void *config;
        const msw_param *param = find(side, c->param, &config);
        if (!param)
            return -1;
        double old = msw_param_get(param, config), value = changed(param, c, old);
        if (msw_param_check(param, value, &err))
            return -1;
        msw_param_set(param, config, value);
        differs |= value != old;
    }
    return differs;
}

/* ---- one law ---- */

int msw_law_open(const msw_mech *mech, const msw_law *law, msw_law_trial **trial, msw_err *err)
{
    msw_law_trial *t = *trial = calloc(1, sizeof *t);
    if (!t)
        return msw_fail_memory(err);
    t->law = law;
    t->metric = msw_metrics_find(mech->metrics, law->metric);
    if ((law->region && msw_question_open(&t->region, mech, MSW_ASK_CONFIG, law->region, err)) ||
        (law->than && msw_question_open(&t->than, mech, MSW_ASK_ANSWER, law->than, err))) {
        msw_law_close(t);
        *trial = NULL;
        return msw_fail_prefix(err, "mechanism %s: law %s: ", mech->name, law->name);
    }
    return 0;
}

void msw_law_close(msw_law_trial *trial)
{
    if (!trial)
        return;
    msw_question_close(&trial->region);
    msw_question_close(&trial->than);
    free(trial);
}

int msw_law_applies(msw_law_trial *trial, const msw_law_side *side, msw_err *err)
{
    if (!trial->region.expr)
        return 1;
    msw_question_bind(&trial->region, side->config, side->workload->name, NULL);
    return msw_expr_true(trial->region.expr, err);
}

int msw_law_than(msw_law_trial *trial, const msw_law_side *side, const double *metrics,
                 double *than, msw_err *err)
{
    msw_expr_value value = {.real = metrics[trial->metric]};
    if (trial->than.expr) {
        msw_question_bind(&trial->than, side->config, side->workload->name, metrics);
        if (msw_expr_eval(trial->than.expr, &value, err))
            return -1;
        if (value.type != MSW_EXPR_INTEGER && value.type != MSW_EXPR_REAL)
            value.real = NAN;
    }
    *than = value.real;
    return 0;
}

bool msw_law_holds(const msw_law *law, double value, double than)
{
    double room = (law->tolerance + ROUNDING) * fabs(than);
    if (law->relation != MSW_LAW_NOT_BELOW && value > than + room)
        return false;
    return law->relation == MSW_LAW_NOT_ABOVE || value >= than - room;
}

bool msw_law_broken(const msw_law *law, size_t violated, size_t tried)
{
    msw_agreement rest = {.quantile = 1 - law->share};
    return msw_stated_broken(&rest, tried - violated, tried);
}
