/* SPDX-License-Identifier: MIT */
/* Evaluates what mechanisms state about their closed forms: where it holds, and whether counts
 * contradict it. */
#include "memsweep/mech/stated.h"

#include "mech/engine/evaluate.h"

#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/text_check.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of a scope. Returns them on the heap with their count, or NULL with `err`. */
static msw_expr_name *msw_question_names(const msw_mech *mech, msw_question_scope scope,
                                         size_t *count, msw_err *err)
{
    size_t params = msw_params_count(mech->params);
    size_t metrics = scope == MSW_ASK_ANSWER ? mech->metric_count : 0;
    msw_expr_name *names = calloc(params + 1 + metrics, sizeof *names);
    *count = params + 1 + metrics;
    if (!names) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < params; i++)
        names[i] = (msw_expr_name){mech->params[i].name, msw_param_type(&mech->params[i])};
    names[params] = (msw_expr_name){"workload", MSW_EXPR_TEXT};
    for (size_t m = 0; m < metrics; m++)
        names[params + 1 + m] = (msw_expr_name){mech->metrics[m].name, MSW_EXPR_REAL};
    return names;
}

int msw_question_open(msw_question *question, const msw_mech *mech, msw_question_scope scope,
                      const char *text, msw_err *err)
{
    size_t count;
    *question = (msw_question){.mech = mech, .param_count = msw_params_count(mech->params)};
    msw_expr_name *names = msw_question_names(mech, scope, &count, err);
    int result = names && msw_expr_host_new(names, count, &question->host, err) == 0 &&
                         msw_expr_new(question->host, text, &question->expr, err) == 0
                     ? 0
                     : -1;
    free(names);
    return result;
}

void msw_question_close(msw_question *question)
{
    msw_expr_free(question->expr);
    msw_expr_host_free(question->host);
    *question = (msw_question){0};
}

void msw_question_bind(msw_question *question, const void *config, const char *workload,
                       const double *metrics)
{
    const int *names;
    size_t count = msw_expr_used(question->expr, &names);
    for (size_t k = 0; k < count; k++) {
        size_t name = (size_t)names[k];
        if (name < question->param_count)
            msw_param_bind(&question->mech->params[name], config, question->expr, k);
        else if (name == question->param_count)
            msw_expr_bind_text(question->expr, k, workload);
        else if (isnan(metrics[name - question->param_count - 1]))
            msw_expr_bind_null(question->expr, k);
        else
            msw_expr_bind_real(question->expr, k, metrics[name - question->param_count - 1]);
    }
}

struct msw_stated_region {
    msw_question question; /* none: everywhere */
};

const msw_agreement *msw_stated_find(const msw_mech *mech, const char *metric)
{
    for (const msw_agreement *a = mech->agreement; a && a->metric; a++)
        if (strcmp(a->metric, metric) == 0)
            return a;
    return NULL;
}

/* ---- workloads ---- */

/* Takes the next name or glob of a list. Returns it on the heap, or NULL behind the last. */
static char *next_pattern(const char **list)
{
    *list += strspn(*list, " ,");
    size_t size = strcspn(*list, " ,");
    char *pattern = size ? msw_strfmt("%.*s", (int)size, *list) : NULL;
    *list += size;
    return pattern;
}

bool msw_stated_workload(const msw_agreement *stated, const char *workload)
{
    bool found = !stated->workloads;
    char *pattern;
    for (const char *list = stated->workloads; !found && (pattern = next_pattern(&list));) {
        found = fnmatch(pattern, workload, 0) == 0;
        free(pattern);
    }
    return found;
}

static void add_workloads(const msw_agreement *stated, msw_text *out)
{
    const char *before = "(";
    char *pattern;
    for (const char *list = stated->workloads; (pattern = next_pattern(&list));) {
        msw_text_add(out, "%sworkload GLOB ", before);
        msw_text_add_sql_string(out, pattern);
        before = " OR ";
        free(pattern);
    }
    msw_text_add(out, ")");
}

/* ---- conditions ---- */

int msw_stated_condition(const msw_mech *mech, const msw_agreement *stated, msw_text *out,
                         msw_err *err)
{
    int result = 0;
    size_t count;
    if (stated->region) {
        msw_expr_name *names = msw_question_names(mech, MSW_ASK_CONFIG, &count, err);
        msw_text_add(out, "(");
        result = names ? msw_expr_splice(names, count - 1, stated->region, out, err) : -1;
        msw_text_add(out, ")");
        free(names);
    }
    if (stated->region && stated->workloads)
        msw_text_add(out, " AND ");
    if (stated->workloads)
        add_workloads(stated, out);
    return result;
}

static bool says_the_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether a statement before this one is made under the same condition. */
static bool is_repeated(const msw_mech *mech, const msw_agreement *stated)
{
    for (const msw_agreement *a = mech->agreement; a < stated; a++)
        if (says_the_same(a->region, stated->region) &&
            says_the_same(a->workloads, stated->workloads))
            return true;
    return false;
}

int msw_stated_all(const msw_mech *mech, msw_text *out, msw_err *err)
{
    const char *before = "";
    for (const msw_agreement *a = mech->agreement; a && a->metric; a++) {
        if ((!a->region && !a->workloads) || is_repeated(mech, a))
            continue;
        msw_text_add(out, "%s", before);
        if (msw_stated_condition(mech, a, out, err))
            return -1;
        before = " AND ";
    }
    return 0;
}

/* ---- counts ---- */

/* Chance of exactly k of n, each with chance p. */
static double chance_of(size_t k, size_t n, double p)
{
    double log = (double)k * msw_math_log(p) + (double)(n - k) * msw_math_log1p(-p);
    for (size_t i = 1; i <= k; i++)
        log += msw_math_log((double)(n - k + i) / (double)i);
    return msw_math_exp(log);
}

/* Chance of at most k of n: terms fall from k down, where k lies below the mean. */
static double chance_up_to(size_t k, size_t n, double p)
{
    double term = chance_of(k, n, p), sum = term;
    for (size_t j = k; j > 0 && term > 1e-12 * sum; j--) {
        term *= (double)j / (double)(n - j + 1) * (1 - p) / p;
        sum += term;
    }
    return sum;
}

bool msw_stated_broken(const msw_agreement *stated, size_t within, size_t n)
{
    if (stated->quantile >= 1)
        return within < n;
    return (double)within < stated->quantile * (double)n &&
           chance_up_to(within, n, stated->quantile) < 0.01;
}

/* A true statement is refused in at most 1.5 of 100 tests at a quantile of 0.9 (2.8 at others), one
 * that holds for 20 points less in 92 (86): tests/conformance/test_agreement.c adds the chances up.
 */
#define GAP   0.2
#define ALPHA 0.01
#define BETA  0.08
enum { DRAWS_LEAST = 10 };

msw_stated_verdict msw_stated_test(const msw_agreement *stated, size_t within, size_t n)
{
    double p = stated->quantile, low = p > 2 * GAP ? p - GAP : p / 2;
    double upper = msw_math_log((1 - BETA) / ALPHA), lower = msw_math_log(BETA / (1 - ALPHA));
    if (p >= 1 && within < n)
        return MSW_STATED_FALSE;
    double sum = (double)within * msw_math_log(low / p);
    if (within < n)
        sum += (double)(n - within) * msw_math_log((1 - low) / (1 - p));
    if (sum >= upper)
        return MSW_STATED_FALSE;
    if (sum <= lower && n >= DRAWS_LEAST)
        return MSW_STATED_TRUE;
    if (n < MSW_STATED_DRAWS)
        return MSW_STATED_OPEN;
    return sum > (upper + lower) / 2 ? MSW_STATED_FALSE : MSW_STATED_TRUE;
}

double msw_stated_error(const msw_agreement *stated, double analytic, double full)
{
    if (stated->points > 0 && fabs(analytic - full) <= stated->points)
        return 0;
    return fabs(msw_math_ratio_error(analytic - stated->excess, full - stated->excess));
}

static double share_within(const msw_agreement *stated, double constant, const double *full,
                           size_t n)
{
    size_t within = 0;
    for (size_t i = 0; i < n; i++)
        within += msw_stated_error(stated, constant, full[i]) <= stated->tolerance;
    return (double)within / (double)n;
}

/* The best constant is at the far end of what some answer allows, but for rounding. */
double msw_stated_constant(const msw_agreement *stated, const double *full, size_t n)
{
    double best = 0, wide = 1 + stated->tolerance * (1 - 1e-9);
    for (size_t i = 0; i < n; i++) {
        double excess = full[i] - stated->excess;
        const double tries[] = {full[i], excess * wide + stated->excess,
                                full[i] + stated->points * (1 - 1e-9)};
        for (size_t k = 0; k < 3; k++)
            best = fmax(best, share_within(stated, tries[k], full, n));
    }
    return best;
}

/* ---- one record ---- */

static int fail(const msw_mech *mech, const msw_agreement *stated, const char *what, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: agreement of %s: %s", mech->name,
                         stated->metric, what);
}

static int check_neutral(const msw_mech *mech, const msw_agreement *a, msw_err *err)
{
    for (const char *const *name = a->neutral; name && *name; name++) {
        const msw_param *p = msw_params_find(mech->params, *name);
        if (!p || isnan(msw_param_neutral(p)))
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 p ? "mechanism %s: agreement of %s: %s has no neutral value"
                                   : "mechanism %s: agreement of %s: no parameter '%s'",
                                 mech->name, a->metric, *name);
    }
    return 0;
}

static int check_one(const msw_mech *mech, const msw_agreement *a, msw_err *err)
{
    msw_text condition = MSW_TEXT_EMPTY;
    if (msw_metrics_find(mech->metrics, a->metric) < 0)
        return fail(mech, a, "there is no such metric", err);
    if (msw_stated_find(mech, a->metric) != a)
        return fail(mech, a, "it is stated twice", err);
    if (!(a->quantile > 0 && a->quantile <= 1))
        return fail(mech, a, "quantile is above 0, and 1 at most", err);
    if (a->points < 0 || (a->points > 0 && !a->excess))
        return fail(mech, a, "points are of an excess, and not below 0", err);
    if (!(a->tolerance > 0))
        return fail(mech, a, "tolerance is above 0", err);
    if (!(a->share > 0 && a->share <= 1) || (!a->region && a->share != 1))
        return fail(mech, a, "share is above 0, and 1 at most: 1 without a region", err);
    if (a->share < 0.5 && !a->argued)
        return fail(mech, a, "the region holds less than half of the space: say in argued why",
                    err);
    if (check_neutral(mech, a, err))
        return -1;
    if (msw_stated_condition(mech, a, &condition, err)) {
        msw_text_free(&condition);
        return msw_fail_prefix(err, "mechanism %s: agreement of %s: ", mech->name, a->metric);
    }
    msw_text_free(&condition);
    return 0;
}

int msw_stated_check(const msw_mech *mech, msw_err *err)
{
    for (const msw_agreement *a = mech->agreement; a && a->metric; a++)
        if (check_one(mech, a, err))
            return -1;
    return 0;
}

/* ---- config by config ---- */

static int compile(const msw_mech *mech, const msw_agreement *stated, msw_stated_region *r,
                   msw_err *err)
{
    msw_text condition = MSW_TEXT_EMPTY;
    int result = stated ? msw_stated_condition(mech, stated, &condition, err)
                        : msw_stated_all(mech, &condition, err);
    if (result == 0)
        result = msw_text_check(&condition, err);
    if (result == 0 && condition.size)
        result =
            msw_question_open(&r->question, mech, MSW_ASK_CONFIG, msw_text_str(&condition), err);
    msw_text_free(&condition);
    return result;
}

int msw_stated_open(const msw_mech *mech, const msw_agreement *stated, msw_stated_region **region,
                    msw_err *err)
{
    msw_stated_region *r = *region = calloc(1, sizeof *r);
    if (!r)
        return msw_fail_memory(err);
    if (compile(mech, stated, r, err) == 0)
        return 0;
    msw_stated_close(r);
    *region = NULL;
    return -1;
}

void msw_stated_close(msw_stated_region *region)
{
    if (!region)
        return;
    msw_question_close(&region->question);
    free(region);
}

int msw_stated_holds(msw_stated_region *region, const void *config, const char *workload,
                     msw_err *err)
{
    if (!region->question.expr)
        return 1;
    msw_question_bind(&region->question, config, workload, NULL);
    return msw_expr_true(region->question.expr, err);
}

int msw_stated_list(const msw_mech *mech, const void *config, const char *workload,
                    msw_text *inside, msw_text *outside, msw_err *err)
{
    for (const msw_agreement *a = mech->agreement; a && a->metric; a++) {
        msw_stated_region *region = NULL;
        MSW_TRY(msw_stated_open(mech, a, &region, err));
        int holds = msw_stated_holds(region, config, workload, err);
        msw_stated_close(region);
        if (holds < 0)
            return -1;
        msw_text *list = holds ? inside : outside;
        msw_text_add(list, "%s%s", list->size ? ", " : "", a->metric);
    }
    return 0;
}
