/* SPDX-License-Identifier: MIT */
/* Checks the laws that mechanisms declare between configs. */
#include "memsweep/mech/laws.h"

#include <string.h>

static int fail(const msw_mech *mech, const msw_law *law, const char *what, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: law %s: %s", mech->name, law->name,
                         what);
}

static const msw_param *declared(const msw_mech *mech, const char *name)
{
    const msw_param *param = msw_params_find(mech->params, name);
    for (size_t f = 0; !param && msw_frontends[f]; f++)
        if (msw_frontends[f]->product & mech->accepts)
            param = msw_params_find(msw_frontends[f]->params, name);
    return param;
}

static int check_changes(const msw_mech *mech, const msw_law *law, const msw_law_change *changes,
                         msw_err *err)
{
    for (const msw_law_change *c = changes; c && c->param; c++) {
        const msw_param *param = declared(mech, c->param);
        double value;
        if (!param)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: law %s: there is no parameter '%s'", mech->name,
                                 law->name, c->param);
        if (c->to ? c->times != 0 : !(c->times > 0))
            return fail(mech, law, "a change says `to` or `times`, which is above 0", err);
        if (c->to && msw_param_parse(param, c->to, &value, err))
            return msw_fail_prefix(err, "mechanism %s: law %s: ", mech->name, law->name);
    }
    return 0;
}

static int check_one(const msw_mech *mech, const msw_law *law, msw_err *err)
{
    for (const msw_law *other = mech->laws; other < law; other++)
        if (strcmp(other->name, law->name) == 0)
            return fail(mech, law, "its name occurs twice", err);
    if (!law->doc || !law->metric || msw_metrics_find(mech->metrics, law->metric) < 0)
        return fail(mech, law, "it needs a doc and a metric of the table", err);
    if (!law->change && !law->than)
        return fail(mech, law, "nothing is changed and nothing compared with: say `than`", err);
    if (law->fidelity != MSW_ANALYTIC && law->fidelity != MSW_FULL)
        return fail(mech, law, "it is about analytic or full: samples have intervals", err);
    if (law->tolerance < 0 || law->share < 0 || law->share >= 1)
        return fail(mech, law, "tolerance is not below 0, share neither, and below 1", err);
    if (!law->exception != (law->share == 0))
        return fail(mech, law, "a share that may violate it and `exception` go together", err);
    MSW_TRY(check_changes(mech, law, law->fixed, err));
    return check_changes(mech, law, law->change, err);
}

int msw_laws_check(const msw_mech *mech, msw_err *err)
{
    for (const msw_law *law = mech->laws; law && law->name; law++)
        if (check_one(mech, law, err))
            return -1;
    return 0;
}
