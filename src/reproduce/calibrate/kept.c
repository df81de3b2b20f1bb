/* SPDX-License-Identifier: MIT */
/* Keeps the results that `reproduce` shows of a calibration in the paper's database (given.h). */
#include "memsweep/base/quote.h"
#include "memsweep/reproduce/given.h"
#include "reproduce/calibrate/predict.h"

#include <math.h>
#include <stdlib.h>

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
