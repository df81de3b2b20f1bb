/* SPDX-License-Identifier: MIT */
/* What is kept of a calibration beside the paper's rows: its results, its table of settings, and
 * the figures of it. */
#include "memsweep/figure/figure.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/rng.h"
#include "memsweep/reproduce/given.h"
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the results that `reproduce` shows of a calibration in the paper's database (given.h). */

static void add_name(msw_text *out, const char *name)
{
    msw_text_add(out, ", ");
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
}

static void add_number(msw_text *out, const char *name, double value)
{
    add_name(out, name);
    if (isfinite(value))
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "null");
}

static void add_flag(msw_text *out, const char *name, bool value)
{
    add_name(out, name);
    msw_text_add(out, "%s", value ? "true" : "false");
}

static void add_verdict(msw_text *out, const char *name, msw_judgement verdict)
{
    add_name(out, name);
    msw_text_add_json(out, msw_judgement_name(verdict));
}

static void add_quantity(const msw_calibration *c, size_t claim, msw_text *out)
{
    const msw_claim *it = &c->paper->claims.list[claim];
    msw_held_claim h = msw_predict_held(c, claim);
    msw_predicted none = {NAN, NAN, NAN};
    msw_predicted all = c->effective > 0 ? msw_predict_claim(c, claim, c->weights) : none;
    msw_text_add(out, "{\"id\": ");
    msw_text_add_json(out, it->id);
    add_number(out, "low", all.low);
    add_number(out, "median", all.median);
    add_number(out, "high", all.high);
    add_verdict(out, "verdict", msw_predicted_verdict(it, &all));
    add_verdict(out, "held", msw_predicted_verdict(it, &h.held));
    add_flag(out, "narrow", h.narrow);
    add_flag(out, "enough", h.there && !h.few);
    msw_text_add(out, "}");
}

static void add_settings(const msw_calibration *c, msw_digest made_against, msw_text *out)
{
    char text[MSW_DIGEST_TEXT];
    msw_text command = MSW_TEXT_EMPTY;
    msw_calibration_command(c, &command);
    msw_text_add(out, "{\"against\": ");
    msw_text_add_json(out, msw_digest_text(made_against, text));
    add_name(out, "command");
    msw_text_add_json(out, msw_text_str(&command));
    add_flag(out, "closed form", c->stage == MSW_CLOSED);
    add_number(out, "effective", c->effective);
    msw_text_add(out, "}");
    out->failed = out->failed || command.failed;
    msw_text_free(&command);
}

static int save(const msw_calibration *c, const msw_text *settings, const msw_text *result)
{
    const msw_paper *p = c->paper;
    msw_store *store = NULL;
    int64_t sweep;
    size_t i = 0;
    while (i < p->sweep_count && !p->sweeps[i].plan)
        i++;
    char *file = msw_paper_database(p, "");
    int rc = file && !settings->failed && !result->failed ? 0 : msw_fail_memory(p->err);
    if (rc == 0)
        rc = msw_store_open(file, MSW_STORE_WRITE, false, &p->context->log, &store, p->err) ||
                     msw_store_add_sweep(store, p->sweeps[i].plan, &sweep, p->err) ||
                     msw_store_save_analysis(store, sweep, MSW_GIVEN_KIND, msw_text_str(settings),
                                             msw_text_str(result), p->err)
                 ? -1
                 : 0;
    if (store && msw_store_close(store, rc ? NULL : p->err))
        rc = -1;
    free(file);
    return rc;
}

/* Of measurements, or of some figures, it is nothing that the paper's page could show. */
int msw_calibration_keep(const msw_calibration *c)
{
    msw_digest made_against;
    if (c->ask->against || c->paper->ask->figures)
        return 0;
    if (msw_given_digest(c->paper, &made_against))
        return -1;
    msw_text settings = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    add_settings(c, made_against, &settings);
    for (size_t q = 0; q < c->quantities; q++) {
        msw_text_add(&result, q ? ",\n" : "[");
        add_quantity(c, c->claim[q], &result);
    }
    msw_text_add(&result, "]");
    int rc = save(c, &settings, &result);
    msw_text_free(&settings);
    msw_text_free(&result);
    return rc;
}

enum { PAIRS_SHOWN = 6, SETTINGS_KEPT = 3000 };

/* ---- kept ---- */

static void add_setting(const msw_calibration *c, size_t k, msw_text *out)
{
    double worst = c->worst[k].distance[0];
    msw_text_add(out, "{\"setting\": %zu, \"full\": %d, \"left\": %d, \"worst\": ", k,
                 c->at[MSW_WHOLE][k], c->left[k] && c->at[MSW_WHOLE][k]);
    msw_text_add_double(out, isfinite(worst) ? worst : 1e6);
    for (size_t u = 0; u < c->unknowns; u++) {
        msw_text_add(out, u ? ", " : ", \"at\": {");
        msw_text_add_json(out, c->paper->spread.unknowns[u].param->name);
        msw_text_add(out, ": %.4g", c->positions[k * c->unknowns + u]);
    }
    msw_text_add(out, "}}");
}

/* All settings, or a keyed choice of those at the closed form alone. */
static void add_table(const msw_calibration *c, msw_text *out)
{
    const char *before = "[";
    for (size_t k = 0; k < c->count; k++) {
        if (!c->at[MSW_WHOLE][k] && msw_permute(k, c->count, 0) >= SETTINGS_KEPT)
            continue;
        msw_text_add(out, "%s", before);
        add_setting(c, k, out);
        before = ",\n";
    }
    msw_text_add(out, "]");
}

typedef struct pair {
    double bits;
    size_t a, b;
} pair;

static void keep_pair(pair *best, pair one)
{
    for (size_t i = 0; i < PAIRS_SHOWN; i++)
        if (one.bits > best[i].bits) {
            pair out = best[i];
            best[i] = one;
            one = out;
        }
}

static void add_pairs(const msw_calibration *c, msw_text *out)
{
    pair best[PAIRS_SHOWN] = {{0, 0, 0}};
    const char *before = "";
    for (size_t u = 0; c->effective > 0 && u < c->unknowns; u++)
        for (size_t v = u + 1; v < c->unknowns; v++)
            keep_pair(best, (pair){msw_learned_together(c, u, v), u, v});
    msw_text_add(out, "{\"pairs\": [");
    for (size_t i = 0; i < PAIRS_SHOWN && best[i].bits > 0; i++) {
        msw_text_add(out, "%s[", before);
        msw_text_add_json(out, c->paper->spread.unknowns[best[i].a].param->name);
        msw_text_add(out, ", ");
        msw_text_add_json(out, c->paper->spread.unknowns[best[i].b].param->name);
        msw_text_add(out, "]");
        before = ", ";
    }
    msw_text_add(out, "]}");
}

static int save_table(const msw_calibration *c, const char *file, const msw_plan *plan)
{
    const msw_paper *p = c->paper;
    msw_store *store = NULL;
    msw_text settings = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    int64_t sweep;
    add_pairs(c, &settings);
    add_table(c, &result);
    int rc = settings.failed || result.failed ? msw_fail_memory(p->err) : 0;
    if (rc == 0)
        rc = msw_store_open(file, MSW_STORE_WRITE, false, &p->context->log, &store, p->err) ||
                     msw_store_add_sweep(store, plan, &sweep, p->err) ||
                     msw_store_save_analysis(store, sweep, "calibrate", msw_text_str(&settings),
                                             msw_text_str(&result), p->err)
                 ? -1
                 : 0;
    if (store && msw_store_close(store, rc ? NULL : p->err))
        rc = -1;
    msw_text_free(&settings);
    msw_text_free(&result);
    return rc;
}

/* ---- drawn ---- */

static void add_image(const msw_calibration *c, const char *stem, const char *sweep,
                      const char *recipe, const char *title)
{
    msw_text *out = &c->paper->images;
    const char *folder = strrchr(stem, '/');
    msw_text_add(out, "![%s](%s/", title, folder ? folder + 1 : stem);
    msw_plot_name(sweep, recipe, "svg", out);
    msw_text_add(out, ")\n\n");
}

static int draw(const msw_calibration *c, const char *file, const msw_paper_sweep *sweep,
                const char *stem, const char *recipe, const char *title)
{
    msw_paper *p = c->paper;
    msw_plot_outcome outcome = {0};
    msw_plot plot = {
        .context = p->context,
        .options = {.sweep = sweep->called, .recipes = p->folder, .format = "svg", .folder = stem},
        .err = p->err};
    int rc = -1;
    if (msw_plot_open(&plot, file) || msw_plot_make(&plot, recipe, true, &outcome))
        goto done;
    rc = 0;
done:
    if (rc == 0 && !outcome.without_gnuplot)
        add_image(c, stem, plot.sweep.name, recipe, title);
    for (size_t i = 0; i < outcome.written_count; i++)
        msw_text_add(&p->drawn, "%s\n", outcome.written[i].path);
    if (outcome.without_gnuplot)
        msw_log_line(&p->context->log, MSW_LOG_WARN,
                     "no gnuplot here, so the tables were written and no figures");
    msw_plot_outcome_free(&outcome);
    msw_plot_free(&plot);
    return rc;
}

static bool has_pairs(const msw_calibration *c)
{
    for (size_t u = 0; c->effective > 0 && u < c->unknowns; u++)
        for (size_t v = u + 1; v < c->unknowns; v++)
            if (msw_learned_together(c, u, v) > 0)
                return true;
    return false;
}

int msw_calibration_figures(msw_calibration *c, const char *stem)
{
    const msw_paper *p = c->paper;
    size_t i = 0;
    while (i < p->sweep_count && !p->sweeps[i].plan)
        i++;
    char *file = msw_paper_database(p, "");
    int rc = file ? save_table(c, file, p->sweeps[i].plan) : msw_fail_memory(p->err);
    if (rc == 0 && !p->ask->no_figures)
        rc = draw(c, file, &p->sweeps[i], stem, "region",
                  "The largest distance over each unknown") ||
                     (has_pairs(c) && draw(c, file, &p->sweeps[i], stem, "region_pairs",
                                           "Pairs of unknowns that are bound together"))
                 ? -1
                 : 0;
    free(file);
    return rc;
}
