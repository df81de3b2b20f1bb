/* SPDX-License-Identifier: MIT */
/* Do answers contradict themselves, and do they keep the laws that mechanisms declare between
 * configs? */
#include "mech/engine/evaluate.h"
#include "memsweep/mech/laws.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Relative: sums that are made in another order; estimates that were made apart from each other. */
#define EXACT_SLACK  1e-6
#define CLOSED_SLACK 0.05
#define TINY         1e-9 /* a rate that is 0 but for rounding */
#define CLOSED_COUNT 1    /* and counts are rounded */

/* Intervals that are stated with a confidence may miss; twice as wide they hardly ever do. */
#define SAMPLED_WIDTHS 2

/* ---- the names are resolved once ---- */

static int add_terms(msw_metric_map *map, const msw_mech *mech, const char *text, msw_err *err)
{
    for (const char *at = text; *at; at += strspn(at, " +")) {
        char name[64] = "";
        size_t size = strcspn(at, " +");
        if (size < sizeof name)
            memcpy(name, at, size);
        int metric = msw_metrics_find(mech->metrics, name);
        if (metric < 0 || map->term_count == MSW_CHECK_TERMS)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: the check of '%s' has an unknown metric or too "
                                 "many of them",
                                 mech->name, text);
        map->terms[map->term_count++] = (int16_t)metric;
        at += size;
    }
    return 0;
}

int msw_self_checks_resolve(msw_metric_map *map, const msw_mech *mech, msw_err *err)
{
    for (const msw_self_check *c = mech->checks; c && c->left; c++) {
        if (map->check_count == MSW_CHECKS_MAX)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: more than %d checks",
                                 mech->name, MSW_CHECKS_MAX);
        map->checks[map->check_count][0] = (int16_t)map->term_count;
        MSW_TRY(add_terms(map, mech, c->left, err));
        map->checks[map->check_count++][1] = (int16_t)map->term_count;
        MSW_TRY(add_terms(map, mech, c->right, err));
    }
    map->checks[map->check_count][0] = (int16_t)map->term_count;
    return 0;
}

/* ---- one answer ---- */

void msw_task_doubt(const msw_task *task, const char *fmt, ...)
{
    if (!task->doubt || *task->doubt)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(task->doubt, MSW_DOUBT_BYTES, fmt, args);
    va_end(args);
}

typedef struct sum {
    double value, half_width;
} sum;

/* NaN where a term, or at `sampled` its interval, is not known: no comparison then holds. */
static sum add_up(const msw_task *task, const msw_answer *answer, int first, int end)
{
    sum s = {0, 0};
    for (int t = first; t < end; t++) {
        s.value += answer->metrics[task->map->terms[t]];
        if (task->fidelity == MSW_SAMPLED)
            s.half_width += answer->half_widths[task->map->terms[t]];
    }
    return s;
}

static double relative_of(const msw_task *task)
{
    return task->fidelity == MSW_ANALYTIC ? CLOSED_SLACK : EXACT_SLACK;
}

static double slack_of(const msw_task *task, const sum *left, const sum *right)
{
    return (task->fidelity == MSW_ANALYTIC ? CLOSED_COUNT : 0) +
           relative_of(task) * fmax(fabs(left->value), fabs(right->value)) +
           SAMPLED_WIDTHS * (left->half_width + right->half_width);
}

/* What measures its units is wrong then; a closed form is not to be trusted. Returns 0, or -1. */
static int contradict(const msw_task *task, const char *why, msw_err *err)
{
    if (task->fidelity != MSW_ANALYTIC)
        return msw_fail(err, "the model contradicts itself: %s", why);
    msw_task_doubt(task, "%s", why);
    return 0;
}

static int check_sums(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    for (int i = 0; i < task->map->check_count; i++) {
        const msw_self_check *c = &task->mech->checks[i];
        const int16_t *ends = task->map->checks[i];
        sum left = add_up(task, answer, ends[0], ends[1]);
        sum right = add_up(task, answer, ends[1], task->map->checks[i + 1][0]);
        double over = left.value - right.value;
        if (!((c->equal ? fabs(over) : over) > slack_of(task, &left, &right)))
            continue;
        char why[MSW_DOUBT_BYTES];
        snprintf(why, sizeof why, "%s = %.6g, %s %s = %.6g", c->left, left.value,
                 c->equal ? "not" : "more than", c->right, right.value);
        MSW_TRY(contradict(task, why, err));
    }
    return 0;
}

static int check_bounds(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    const msw_metric_map *map = task->map;
    int share = map->share, resource = -1;
    if (share < 0)
        return 0;
    double room = task->fidelity == MSW_ANALYTIC  ? CLOSED_SLACK
                  : task->fidelity == MSW_SAMPLED ? SAMPLED_WIDTHS * answer->half_widths[share]
                                                  : 0;
    if (answer->metrics[share] > 1 + EXACT_SLACK + room)
        resource = msw_mech_bound_resource(map, answer->metrics);
    if (resource < 0)
        return 0;
    char why[MSW_DOUBT_BYTES];
    snprintf(why, sizeof why, "%.6g %s, fewer than %s = %.6g",
             answer->metrics[map->entries[share].num], task->mech->metrics[share].num,
             task->mech->metrics[resource].name, answer->metrics[resource]);
    return contradict(task, why, err);
}

/* A floor is proven, so below it nothing is right; a range is only plausible. Bounds were compared
 * with the cycles; what is the same at every fidelity follows from the config alone. */
static int check_ranges(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    char why[MSW_DOUBT_BYTES];
    for (int m = 0; m < (int)task->map->metric_count; m++) {
        const msw_metric *metric = &task->mech->metrics[m];
        double value = answer->metrics[m], half = 0;
        double slack = relative_of(task) * fabs(value) + TINY;
        if (task->fidelity == MSW_SAMPLED && answer->half_widths[m] > 0)
            half = SAMPLED_WIDTHS * answer->half_widths[m];
        if (metric->least || metric->exact || m == task->map->share)
            continue;
        if (metric->floor > 0 && value + half + slack < metric->floor) {
            snprintf(why, sizeof why, "%s = %.6g, never less than %g", metric->name, value,
                     metric->floor);
            MSW_TRY(contradict(task, why, err));
        } else if (value + half + slack < metric->min || value - half - slack > metric->max) {
            msw_task_doubt(task, "%s = %.6g, plausible from %g to %g", metric->name, value,
                           metric->min, metric->max);
        }
    }
    return 0;
}

int msw_self_check_answer(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    MSW_TRY(check_bounds(task, answer, err));
    MSW_TRY(check_sums(task, answer, err));
    return check_ranges(task, answer, err);
}

/* Checks the laws that mechanisms declare between configs. */

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
