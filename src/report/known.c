/* SPDX-License-Identifier: MIT */
/* What is known of a column by its name. */
#include "memsweep/report/report.h"

#include <math.h>
#include <string.h>

bool msw_report_is_factor(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    for (size_t f = 0; f < o->factor_count; f++)
        for (size_t t = 0; t < o->factors[f].target_count; t++)
            if (strcmp(o->factors[f].targets[t]->name, name) == 0)
                return true;
    return false;
}

const msw_param *msw_report_param(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    const msw_param *param = msw_params_find(o->mech->params, name);
    for (size_t f = 0; !param && f < o->frontend_count; f++)
        param = msw_params_find(o->frontends[f]->params, name);
    return param;
}

/* One value in all rows says nothing, unless there is one row; what varies by plan is kept. */
bool msw_report_is_shown(const msw_report *r, const msw_column *column)
{
    const double *v = column->values;
    if (strcmp(column->name, "point") == 0)
        return false;
    if (r->rows.rows < 2)
        return r->rows.rows && !isnan(v[0]);
    if (msw_report_is_factor(r, column->name))
        return true;
    for (size_t i = 1; i < r->rows.rows; i++)
        if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
            return true;
    return false;
}
