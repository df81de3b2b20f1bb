/* SPDX-License-Identifier: MIT */
#include "memsweep/results/fit_trials.h"

#include <math.h>

typedef struct trials {
    const msw_cases *cases;
    const msw_fit_options *ask;
    msw_table_builder *builder;
    size_t largest; /* group, in cases */
    double best;    /* q2 of the last polynomial */
    bool process;   /* whether any was fitted */
} trials;

static int add_trial(trials *t, const msw_slice *slice, const msw_fit_options *ask)
{
    msw_pce_quality quality;
    msw_pce *pce = msw_fit(t->cases, slice, ask, &quality);
    if (!pce)
        return -1;
    t->best = quality.q2;
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_text(t->builder, "model", "polynomial");
    msw_builder_count(t->builder, "degree", quality.degree);
    msw_builder_text(t->builder, "choice", ask->best ? "best" : "given");
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_count(t->builder, "candidates", quality.candidates);
    msw_builder_count(t->builder, "terms", quality.terms);
    msw_builder_number(t->builder, "r2", quality.r2);
    msw_builder_number(t->builder, "q2", quality.q2);
    msw_builder_number(t->builder, "mean", msw_pce_mean(pce));
    msw_builder_number(t->builder, "deviation", sqrt(msw_pce_variance(pce)));
    msw_builder_count(t->builder, "used", quality.used);
    msw_builder_count(t->builder, "dropped", quality.dropped);
    msw_pce_free(pce);
    return 0;
}

/* Of equals the polynomial is taken: it has indices. */
static int add_process(trials *t, const msw_slice *slice)
{
    msw_process_quality quality;
    msw_process *process = msw_fit_process(t->cases, slice, t->ask->seed, &quality);
    if (!process)
        return -1;
    t->process = true;
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_text(t->builder, "model", "process");
    msw_builder_text(t->builder, "choice", quality.q2 > t->best ? "better" : "no better");
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_number(t->builder, "q2", quality.q2);
    msw_builder_number(t->builder, "left_out_q2", quality.left_out_q2);
    msw_builder_number(t->builder, "covered", quality.covered);
    msw_builder_number(t->builder, "smoothness", quality.smoothness);
    msw_builder_number(t->builder, "nugget", quality.nugget);
    if (t->cases->noise)
        msw_builder_number(t->builder, "common", quality.common);
    msw_builder_count(t->builder, "used", quality.used);
    msw_builder_count(t->builder, "dropped", quality.dropped);
    msw_process_free(process);
    return 0;
}

static void add_reason(const trials *t, const msw_slice *slice, const char *reason)
{
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_text(t->builder, "reason", reason);
}

/* One row per degree, then the one whose degree was chosen too: that one predicts. */
static int try_degrees(void *context, const msw_slice *slice)
{
    trials *t = context;
    char reason[128];
    unsigned highest = t->ask->degree ? t->ask->degree : msw_fit_highest(slice);
    msw_fit_options ask = {.degree = 1, .seed = t->ask->seed};
    if (msw_slice_reason(t->cases, slice, 3, reason)) {
        add_reason(t, slice, reason);
        return 0;
    }
    t->largest = slice->n > t->largest ? slice->n : t->largest;
    for (; ask.degree <= highest; ask.degree++)
        if (add_trial(t, slice, &ask))
            return -1;
    ask.degree = highest;
    ask.best = true;
    if (add_trial(t, slice, &ask))
        return -1;
    return msw_fit_takes_process(t->ask->model, slice) ? add_process(t, slice) : 0;
}

int msw_fit_trials(const msw_cases *cases, const msw_fit_options *ask, msw_table_builder *builder,
                   msw_text *note)
{
    trials t = {cases, ask, builder, 0, 0, false};
    if (msw_slice_each(cases, try_degrees, &t))
        return -1;
    bool drawn = msw_fit_note(t.largest, ask->seed, note);
    msw_text_add(note,
                 "%sq2: share of the variance predicted for points that took no part in "
                 "choosing and fitting; 'best' has chosen its degree too and is what --at "
                 "and --points use\n",
                 drawn ? "\n" : "");
    if (t.process)
        msw_text_add(note,
                     "process: where its q2 is better, that is what predicts; left_out_q2 and "
                     "covered: each point from all others, and the share of points within "
                     "the 95 %% interval it states\n");
    return 0;
}
