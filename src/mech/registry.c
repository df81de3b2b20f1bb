/* SPDX-License-Identifier: MIT */
/* The list of mechanisms, and what every record must have to be one. */
#include "memsweep/mech/engine.h"
#include "memsweep/mech/laws.h"
#include "memsweep/mech/stated.h"

#include <string.h>

#define MECH(name) extern const msw_mech msw_mech_##name;
#include "mech/list.h"
#undef MECH

const msw_mech *const msw_mechs[] = {
#define MECH(name) &msw_mech_##name,
#include "mech/list.h"
#undef MECH
    NULL,
};

const msw_mech *msw_mech_find(const char *name)
{
    for (size_t m = 0; msw_mechs[m]; m++)
        if (strcmp(msw_mechs[m]->name, name) == 0)
            return msw_mechs[m];
    return NULL;
}

static int fail(const msw_mech *mech, const char *what, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: %s", mech->name, what);
}

static int check_functions(const msw_mech *mech, msw_err *err)
{
    bool moves = mech->order == MSW_UNITS_INDEPENDENT ? mech->warm : mech->advance;
    if (!mech->analytic || !mech->strata || !mech->measure)
        return fail(mech, "needs analytic, strata and measure", err);
    if (mech->state_bytes && !mech->begin)
        return fail(mech, "a state (state_bytes) needs begin", err);
    if (mech->state_bytes && !moves)
        return fail(mech, "a state needs warm (independent units) or advance (forward units)", err);
    if (moves && !mech->state_bytes)
        return fail(mech, "warm and advance move a state: state_bytes is missing", err);
    if (!mech->accepts || !mech->default_workload)
        return fail(mech, "accepts no workload or names no default one", err);
    if ((mech->predict_sum || mech->predictable || mech->predict_begin) && !mech->predict)
        return fail(mech, "predict_sum, predictable and predict_begin need predict", err);
    if (!mech->title || !mech->sources || !mech->strata_max)
        return fail(mech, "needs title, sources and strata_max", err);
    return 0;
}

/* A table whose rows are indexed can have a hole, which would end it too early. */
static int check_rows(const msw_mech *mech, msw_err *err)
{
    if (!mech->metrics || mech->metric_count == 0)
        return fail(mech, "needs metrics, and their number in metric_count", err);
    for (size_t m = 0; m < mech->metric_count; m++)
        if (!mech->metrics[m].name)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: the table of metrics has no row %zu of %zu",
                                 mech->name, m, mech->metric_count);
    if (mech->metrics[mech->metric_count].name)
        return msw_fail_kind(err, MSW_ERR_INTERNAL,
                             "mechanism %s: metric %s comes after the last of metric_count",
                             mech->name, mech->metrics[mech->metric_count].name);
    return 0;
}

/* A parameter of a mechanism, or of a front end whose product it takes. */
static const msw_param *find_param(const msw_mech *mech, const char *name)
{
    const msw_param *param = msw_params_find(mech->params, name);
    for (size_t i = 0; !param && msw_frontends[i]; i++)
        if (msw_frontends[i]->product & mech->accepts)
            param = msw_params_find(msw_frontends[i]->params, name);
    return param;
}

static int check_presets(const msw_mech *mech, msw_err *err)
{
    for (const msw_preset *preset = mech->presets; preset && preset->name; preset++) {
        for (const msw_preset_value *v = preset->values; v->param; v++) {
            const msw_param *param = find_param(mech, v->param);
            double value;
            if (!param)
                return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                     "mechanism %s: preset %s sets unknown %s", mech->name,
                                     preset->name, v->param);
            if (msw_param_parse(param, v->value, &value, err))
                return msw_fail_prefix(err, "mechanism %s: preset %s: ", mech->name, preset->name);
        }
    }
    return 0;
}

/* What is predicted and what is marked as such belong together. */
static int check_predicted(const msw_mech *mech, const msw_metric_map *map, msw_err *err)
{
    if (mech->predict && !map->mark_count)
        return fail(mech, "predict needs a metric that is marked as predicted", err);
    if (!mech->predict && map->mark_count)
        return fail(mech, "a metric is marked as predicted, but there is no predict", err);
    return 0;
}

/* Metrics and parameters share the columns of one table. */
static int check_columns(const msw_mech *mech, msw_err *err)
{
    for (const msw_metric *m = mech->metrics; m->name; m++)
        if (msw_params_find(mech->params, m->name))
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: %s is both parameter and metric", mech->name,
                                 m->name);
    return 0;
}

static bool is_part(const msw_part *part)
{
    for (size_t i = 0; msw_parts[i]; i++)
        if (msw_parts[i] == part)
            return true;
    return false;
}

/* Keys are made of these: a part that appears twice or does not exist would change them for
 * nothing. */
/* Files of older versions have a column of this name, which SQL takes for one. */
static bool is_kept(const char *column)
{
    return strcmp(column, "window") == 0;
}

/* Detail tables and their columns are written into SQL as they are, by us and by users. */
static int check_details(const msw_mech *mech, msw_err *err)
{
    for (const msw_detail *d = mech->details; d && d->name; d++) {
        if (msw_name_check(d->name, err))
            return msw_fail_prefix(err, "%s: detail table: ", mech->name);
        for (const char *const *column = d->columns; *column; column++)
            if (!is_kept(*column) && msw_name_check(*column, err))
                return msw_fail_prefix(err, "%s: detail %s: ", mech->name, d->name);
    }
    return 0;
}

static int check_versions(const msw_mech *mech, msw_fidelity fidelity, msw_err *err)
{
    const msw_part *const *parts = msw_mech_parts(mech, fidelity);
    if (msw_mech_version(mech, fidelity) < 1)
        return fail(mech, "version_closed and version_machine start at 1", err);
    for (size_t i = 0; parts[i]; i++) {
        if (!is_part(parts[i]))
            return fail(mech, "lists a part that is not in msw_parts", err);
        for (size_t j = 0; j < i; j++)
            if (parts[j] == parts[i])
                return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: lists part %s twice",
                                     mech->name, parts[i]->name);
    }
    return 0;
}

int msw_mech_check(const msw_mech *mech, msw_err *err)
{
    msw_metric_map map;
    if (check_functions(mech, err) || check_versions(mech, MSW_ANALYTIC, err) ||
        check_versions(mech, MSW_FULL, err) || check_rows(mech, err) ||
        msw_params_check(mech->params, mech->name, mech->config_size, err) ||
        msw_metrics_check(mech->metrics, mech->name, err) || check_columns(mech, err) ||
        check_details(mech, err) || check_presets(mech, err) || msw_stated_check(mech, err) ||
        msw_laws_check(mech, err))
        return -1;
    if (msw_metric_map_init(&map, mech, err))
        return -1;
    return check_predicted(mech, &map, err);
}

int msw_mechs_check(msw_err *err)
{
    for (size_t m = 0; msw_mechs[m]; m++)
        if (msw_mech_check(msw_mechs[m], err))
            return -1;
    return 0;
}
