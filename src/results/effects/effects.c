/* SPDX-License-Identifier: MIT */
/* Chooses the sensitivity method for a sweep, and adds the notes that a reader of its numbers
 * needs. */
#include "memsweep/results/effects.h"

#include "memsweep/format/format.h"

#include <string.h>

const char *const msw_effects_methods[] = {"auto",    "oat",        "morris", "sobol",
                                           "anova",   "regression", "pce",    "correlation",
                                           "classes", "shapley",    NULL};

/* The method for a design and the rows there are, when the user leaves it to us. */
static msw_effects_method choose(const msw_cases *s, const msw_slice *slice, const char *asked)
{
    static const msw_effects_method NAMED[] = {
        MSW_METHOD_GIVEN,   MSW_METHOD_OAT,        MSW_METHOD_MORRIS, MSW_METHOD_SOBOL,
        MSW_METHOD_ANOVA,   MSW_METHOD_REGRESSION, MSW_METHOD_PCE,    MSW_METHOD_CORRELATION,
        MSW_METHOD_CLASSES, MSW_METHOD_SHAPLEY};
    size_t at = 0;
    while (msw_effects_methods[at] && strcmp(msw_effects_methods[at], asked) != 0)
        at++;
    if (at && msw_effects_methods[at])
        return NAMED[at];
    if (s->outline.design->searches)
        return MSW_METHOD_CORRELATION;
    if (!s->ask.factors && strcmp(s->outline.design->name, "saltelli") == 0)
        return MSW_METHOD_SOBOL;
    if (!s->ask.factors && strcmp(s->outline.design->name, "morris") == 0)
        return MSW_METHOD_MORRIS;
    if (msw_effects_anova_fits(s, slice))
        return MSW_METHOD_ANOVA;
    return msw_effects_oat_fits(s, slice) ? MSW_METHOD_OAT : MSW_METHOD_GIVEN;
}

static int apply(msw_effects *job, const msw_slice *slice, msw_effects_method method)
{
    if (job->control)
        return msw_effects_control(job, slice);
    if (job->cases->outline.design->searches && method != MSW_METHOD_CORRELATION &&
        method != MSW_METHOD_CLASSES)
        return msw_fail(job->cases->err,
                        "the rows of '%s' were chosen by a search: shares of variance from them "
                        "would be those of where it looked; take --method correlation or classes, "
                        "or a sweep of the same space with design sobol or random",
                        job->cases->sweep.name);
    bool any_set = method == MSW_METHOD_ANOVA || method == MSW_METHOD_PCE;
    if (job->ask.groups && !any_set && method != MSW_METHOD_GIVEN)
        return msw_fail(job->cases->err,
                        "--groups needs a method that knows the share of any set of factors: "
                        "anova of a complete grid, or --method pce (the designs morris and "
                        "saltelli take `groups` in the sweep file)");
    switch (method) {
    case MSW_METHOD_SOBOL:
        return msw_effects_sobol(job, slice);
    case MSW_METHOD_MORRIS:
        return msw_effects_morris(job, slice);
    case MSW_METHOD_ANOVA:
        return msw_effects_anova(job, slice);
    case MSW_METHOD_OAT:
        return msw_effects_oat(job, slice);
    case MSW_METHOD_CORRELATION:
        return msw_effects_correlation(job, slice);
    case MSW_METHOD_CLASSES:
        return msw_effects_classes(job, slice);
    case MSW_METHOD_SHAPLEY:
        return msw_effects_shapley(job, slice);
    default:
        return msw_effects_given(job, slice, method != MSW_METHOD_PCE,
                                 method != MSW_METHOD_REGRESSION);
    }
}

/* Where no index has a meaning, the rows say why. */
static void show_reason(msw_effects *job, const msw_slice *slice, msw_effects_method method,
                        const char *reason)
{
    const msw_outline *o = &job->cases->outline;
    bool design = method == MSW_METHOD_SOBOL || method == MSW_METHOD_MORRIS;
    size_t count = design ? o->group_count : slice->factor_count;
    for (size_t f = 0; f < count; f++) {
        msw_effects_row(job, slice, design ? o->group_names[f] : slice->factors[f]->name);
        msw_builder_text(job->builder, "reason", reason);
    }
    job->last = (msw_used){0};
    if (!job->unit)
        msw_text_add(job->note, "no indices where the output does not vary, is infinite or hardly "
                                "known: see the column 'reason'");
    job->unit = "points";
}

/* Points with a value below which a method says nothing; 0: it can also say that nothing varies.
 */
static size_t points_needed(msw_effects_method method)
{
    switch (method) {
    case MSW_METHOD_OAT:
    case MSW_METHOD_MORRIS:
        return 0;
    case MSW_METHOD_SOBOL:
    case MSW_METHOD_ANOVA:
        return 2;
    default:
        return 3;
    }
}

static int group_effects(void *context, const msw_slice *slice)
{
    msw_effects *job = context;
    char reason[128];
    if (!slice->factor_count)
        return msw_fail(job->cases->err, "no factor varies in the rows of the sweep '%s' looked at",
                        job->cases->sweep.name);
    msw_effects_method method = choose(job->cases, slice, job->ask.method);
    if (msw_slice_reason(job->cases, slice, points_needed(method), reason)) {
        show_reason(job, slice, method, reason);
        return 0;
    }
    int rc = apply(job, slice, method);
    job->total.used += job->last.used;
    job->total.dropped += job->last.dropped;
    return rc;
}

int msw_effects_find(msw_effects *job)
{
    MSW_TRY(msw_slice_each(job->cases, group_effects, job));
    MSW_TRY(job->builder->failed);
    return 0;
}

/* ---- notes ---- */

void msw_effects_note(const msw_effects *job, msw_text *note)
{
    msw_text all = MSW_TEXT_EMPTY;
    char used[32], dropped[32];
    msw_text_add(&all, "%s\n", msw_text_str(job->note));
    if (job->cases->outline.design->searches)
        msw_text_add(&all, "the rows were chosen by a search: they say what acts where it looked, "
                           "not in the whole space\n");
    if (job->summarised) {
        msw_kept_rows_note(&job->cases->kept, &all);
        msw_text_add(&all, "; the summary is looked at");
    } else {
        msw_cases_note(job->cases, &all);
    }
    msw_text_add(&all, "\n%s %s used, %s dropped", msw_count_text(job->total.used, used), job->unit,
                 msw_count_text(job->total.dropped, dropped));
    if (job->absent + job->cut)
        msw_text_add(&all, ", %s not among the rows looked at",
                     msw_count_text(job->absent + job->cut, used));
    if (job->cut)
        msw_text_add(&all, " (%s of them in part)", msw_count_text(job->cut, used));
    msw_text_free(note);
    *note = all;
}

void msw_effects_warn(const msw_effects *job, const msw_log *log)
{
    size_t all = job->total.used + job->total.dropped;
    double share = all ? (double)job->total.dropped / (double)all : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(log, MSW_LOG_WARN,
                     "%.3g %% of the %s are dropped for want of a value: failures seldom fall at "
                     "random, so these indices may be biased",
                     100 * share, job->unit);
    size_t looked_at = all + job->cut;
    share = looked_at ? (double)job->cut / (double)looked_at : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(log, MSW_LOG_WARN,
                     "%.3g %% of the %s are there in part only, because of the filter or because "
                     "points are not evaluated yet: the others need not be a fair sample",
                     100 * share, job->unit);
}
