/* SPDX-License-Identifier: MIT */
/* From the name of a paper to its region, sets, weights and tests, and the command that makes them
 * again. */
#include "memsweep/base/quote.h"
#include "reproduce/calibrate/calibration.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int find(msw_paper *p, const char *word)
{
    p->folder = msw_paper_folder(p->context, word, p->err);
    if (!p->folder)
        return -1;
    p->name = msw_strdup(strrchr(p->folder, '/') + 1);
    return p->name ? 0 : msw_fail_memory(p->err);
}

/* Whether the closed form can answer any of the quantities. */
static bool can_screen(const msw_calibration *c)
{
    for (size_t q = 0; q < c->quantities; q++)
        if (msw_claim_answers_at(&c->paper->claims.list[c->claim[q]], "analytic"))
            return true;
    return false;
}

static int find_unknowns(msw_calibration *c)
{
    msw_paper *p = c->paper;
    p->spread.fidelity = "analytic";
    if (msw_paper_acting(p))
        return -1;
    c->unknowns = p->spread.unknown_count;
    c->levels = calloc(c->unknowns + 1, sizeof *c->levels);
    if (!c->levels)
        return msw_fail_memory(p->err);
    for (size_t u = 0; u < c->unknowns; u++)
        c->levels[u] = p->spread.unknowns[u].levels;
    return 0;
}

/* Sets first: settings aimed at a quantity that nothing met so far may meet it, and what stays
 * unmet is set aside in the weights. */
static int conclude(msw_calibration *c)
{
    if (c->interrupted)
        return 0;
    if (msw_calibration_sets(c) || (!c->interrupted && msw_calibration_set_aside(c)) ||
        (!c->interrupted && msw_calibration_weigh(c)))
        return -1;
    return !c->interrupted && c->ask->truths ? msw_calibration_prove(c) : 0;
}

static int make(msw_calibration *c, const char *name)
{
    msw_paper *p = c->paper;
    if (find(p, name) || msw_paper_open(p) || (c->ask->against && msw_calibration_measured(c)) ||
        find_unknowns(c) || msw_paper_answer(p))
        return -1;
    c->interrupted = p->interrupted;
    if (c->interrupted)
        return 0;
    MSW_TRY(msw_calibration_quantities(c));
    c->screens = can_screen(c);
    MSW_TRY(msw_calibration_waves(c));
    MSW_TRY(conclude(c));
    return 0;
}

int msw_calibrate(msw_paper *paper, const char *name, const msw_calibrate_options *ask,
                  msw_calibration **calibration)
{
    msw_calibration *c = calloc(1, sizeof *c);
    *calibration = c;
    if (!c)
        return msw_fail_memory(paper->err);
    c->paper = paper;
    c->ask = ask;
    return make(c, name);
}

void msw_calibration_free(msw_calibration *c)
{
    if (!c)
        return;
    for (size_t k = 0; k < c->wave_count; k++)
        msw_wave_free(&c->waves[k]);
    for (size_t i = 0; i < c->held_count; i++)
        free(c->held[i].weights);
    void *const owned[] = {
        c->quantity, c->claim,     c->correction, c->asks,    c->measured,  c->measured_error,
        c->waves,    c->levels,    c->positions,  c->drawn,   c->values[0], c->values[1],
        c->at[0],    c->at[1],     c->density,    c->sampled, c->left,      c->screened,
        c->worst,    c->distances, c->unmet,      c->weights, c->held,      c->truth_probability};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(c);
}

/* The command that makes a calibration. */

static void add_option(msw_text *out, const char *name, const char *value)
{
    if (!value)
        return;
    msw_text_add(out, " --%s ", name);
    msw_text_add_shell(out, value);
}

void msw_calibration_command(const msw_calibration *c, msw_text *out)
{
    const msw_paper_options *ask = c->paper->ask;
    msw_text_add(out, "memsweep calibrate %s", c->paper->name);
    add_option(out, "figure", ask->figures);
    add_option(out, "unknowns", ask->unknowns);
    add_option(out, "against", c->ask->against);
    add_option(out, "hold-out", c->ask->hold_out);
    msw_text_add(out,
                 " --waves %" PRId64 " --samples %" PRId64 " --inner %" PRId64 " --errors %" PRId64
                 " --full %" PRId64 " --directed %" PRId64 " --aimed %" PRId64,
                 c->ask->waves, c->ask->samples, c->ask->inner, c->ask->errors, c->ask->full,
                 c->ask->directed, c->ask->aimed);
    if (c->ask->truths)
        msw_text_add(out, " --truths %" PRId64, c->ask->truths);
    if (c->ask->trends)
        msw_text_add(out, " --trends");
    if (ask->seed != 1)
        msw_text_add(out, " --seed %" PRId64, ask->seed);
}
