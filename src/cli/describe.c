/* SPDX-License-Identifier: MIT */
/* Describes mechanisms, parameters, metrics, front ends and designs from their tables. */
#include "cli/reading.h"

#include "memsweep/design/design.h"
#include "memsweep/design/discrepancy.h"
#include "memsweep/mech/engine.h"
#include "memsweep/workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIELD_AT = 14 };

static void add_field(msw_text *out, const char *name, const char *value)
{
    if (!*value)
        return;
    msw_text_add(out, "  %-11s ", name);
    cli_add_wrapped(value, FIELD_AT, FIELD_AT, out);
}

/* ---- one line per entry of a table ---- */

static bool acts_nowhere(const msw_param *p)
{
    return strcmp(p->acts, "0") == 0;
}

static void add_param_line(const msw_param *p, msw_text *out)
{
    char def[MSW_PARAM_TEXT];
    msw_text allowed = MSW_TEXT_EMPTY;
    msw_param_allowed(p, &allowed);
    msw_text_add(out, "  %-20s %s\n  %-20s default %s; %s\n", p->name, p->doc, "",
                 msw_param_print(p, p->def, def), msw_text_str(&allowed));
    if (p->acts)
        msw_text_add(out, "  %-20s acts %s%s\n", "", acts_nowhere(p) ? "" : "where ",
                     acts_nowhere(p) ? "on no metric" : p->acts);
    out->failed = out->failed || allowed.failed;
    msw_text_free(&allowed);
}

static void add_params(const msw_param *table, msw_text *out)
{
    if (table && table->name)
        msw_text_add(out, "\nParameters\n");
    for (const msw_param *p = table; p && p->name; p++)
        add_param_line(p, out);
}

/* Parameters of another mechanism: their names, six a line. */
static void add_guests(const msw_mech *mech, msw_text *out)
{
    size_t count = 0;
    msw_text_add(out, "\nParameters of %s\n  memsweep describe %s --all says what these are:",
                 mech->guests_of, mech->guests_of);
    for (const msw_param *p = msw_params_find(mech->params, mech->guests_from); p && p->name; p++)
        msw_text_add(out, "%s%s", count++ % 6 ? ", " : "\n  ", p->name);
    msw_text_add(out, "\n");
}

/* A mechanism's own parameters, then those of its guest. */
static void add_mech_params(const msw_mech *mech, msw_text *out)
{
    if (!mech->guests_from) {
        add_params(mech->params, out);
        return;
    }
    const msw_param *end = msw_params_find(mech->params, mech->guests_from);
    msw_text_add(out, "\nParameters\n");
    for (const msw_param *p = mech->params; p != end; p++)
        add_param_line(p, out);
    add_guests(mech, out);
}

static void add_metrics(const msw_metric *table, msw_text *out)
{
    static const char *const GOALS[] = {"", ", lower is better", ", higher is better"};
    msw_text_add(out, "\nMetrics\n");
    for (const msw_metric *m = table; m && m->name; m++)
        msw_text_add(out, "  %-20s %s (%s%s%s%s)\n", m->name, m->doc, msw_metric_kind_name(m->kind),
                     *m->unit ? ", " : "", m->unit, GOALS[m->goal]);
}

static void add_preset(const msw_mech *mech, const msw_preset *p, msw_text *out)
{
    msw_text_add(out, "  %-20s %s:", p->name, p->doc);
    for (const msw_preset_value *v = p->values; v->param; v++)
        msw_text_add(out, " %s=%s", v->param, v->value);
    cli_add_switched_off(mech, p, out);
    msw_text_add(out, "\n");
}

/* ---- one thing ---- */

static void add_sources(const char *const *sources, msw_text *out)
{
    for (; sources && *sources; sources++)
        add_field(out, "source", *sources);
}

static void add_accepts(const msw_mech *mech, msw_text *out)
{
    msw_text frontends = MSW_TEXT_EMPTY;
    for (size_t i = 0; msw_frontends[i]; i++)
        if (msw_frontends[i]->product & mech->accepts)
            msw_text_add(&frontends, "%s%s/...", frontends.size ? ", " : "",
                         msw_frontends[i]->name);
    msw_text_add(&frontends, " (default: %s)", mech->default_workload);
    add_field(out, "workloads", msw_text_str(&frontends));
    out->failed = out->failed || frontends.failed;
    msw_text_free(&frontends);
}

static void add_agreement(const msw_agreement *a, msw_text *out)
{
    msw_text_add(out, "  %-20s analytic%s within %.3g %%", a->metric, a->excess ? " - 1 is" : "",
                 100 * a->tolerance);
    if (a->points > 0)
        msw_text_add(out, " or %.3g points", 100 * a->points);
    msw_text_add(out, " of full%s for %.3g %% of the configs", a->excess ? " - 1" : "",
                 100 * a->quantile);
    if (a->region)
        msw_text_add(out, " where %s (%.3g %% of the space%s%s%s)", a->region, 100 * a->share,
                     a->neutral ? " of the other parameters" : "", a->argued ? ": " : "",
                     a->argued ? a->argued : "");
    if (a->workloads)
        msw_text_add(out, ", on %s", a->workloads);
    msw_text_add(out, "\n");
}

static void add_versions(const msw_mech *mech, msw_text *out)
{
    static const struct {
        const char *name;
        msw_fidelity fidelity;
    } MODELS[] = {{"closed form", MSW_ANALYTIC}, {"cycle model", MSW_FULL}};
    for (size_t i = 0; i < 2; i++) {
        msw_text text = MSW_TEXT_EMPTY;
        const char *before = ", with ";
        msw_text_add(&text, "version %d", msw_mech_version(mech, MODELS[i].fidelity));
        for (const msw_part *const *p = msw_mech_parts(mech, MODELS[i].fidelity); *p; p++) {
            msw_text_add(&text, "%s%s %d", before, (*p)->name, (*p)->version);
            before = ", ";
        }
        add_field(out, MODELS[i].name, msw_text_str(&text));
        out->failed = out->failed || text.failed;
        msw_text_free(&text);
    }
}

/* ---- a mechanism on one screen ---- */

enum { DOC_AT = 24, SCREEN = 80 };

/* One line: a name, and what fits of a text behind it. */
static void add_short(const char *name, const char *text, const char *last, msw_text *out)
{
    size_t room = SCREEN - DOC_AT - (*last ? strlen(last) + 2 : 0), size = strlen(text);
    while (size > room - 3 && strlen(text) > room)
        for (size--; size && text[size] != ' '; size--)
            ;
    msw_text_add(out, "  %-21s %.*s%s", name, (int)size, text, text[size] ? "..." : "");
    msw_text_add(out, *last ? ", %s\n" : "\n", last);
}

static size_t count_params(const msw_param *table)
{
    size_t count = 0;
    while (table && table[count].name)
        count++;
    return count;
}

static void add_foremost(const msw_mech *mech, msw_text *out)
{
    char def[MSW_PARAM_TEXT], last[MSW_PARAM_TEXT + 16];
    if (!mech->foremost)
        return;
    msw_text_add(out, "\nParameters that move %s most (--all shows all %zu)\n", mech->primary,
                 count_params(mech->params));
    for (const char *const *name = mech->foremost; *name; name++) {
        const msw_param *p = msw_params_find(mech->params, *name);
        snprintf(last, sizeof last, "default %s", msw_param_print(p, p->def, def));
        add_short(p->name, p->doc, last, out);
    }
}

static void describe_short(const msw_mech *mech, msw_text *out)
{
    add_accepts(mech, out);
    add_sources(mech->sources, out);
    if (mech->omits) {
        msw_text_add(out, "  %-11s ", "omits");
        cli_add_wrapped(mech->omits, 14, 14, out);
    }
    add_foremost(mech, out);
    if (mech->presets && mech->presets->name)
        msw_text_add(out, "\nPresets\n");
    for (const msw_preset *p = mech->presets; p && p->name; p++)
        add_short(p->name, p->doc, "", out);
    msw_text_add(out,
                 "\n'memsweep describe %s --all' shows all parameters and metrics, what presets "
                 "set, and\nwhat is stated about the closed form.\n",
                 mech->name);
}

static void describe_mech(const msw_mech *mech, msw_text *out)
{
    add_versions(mech, out);
    add_field(out, "settles on", mech->primary);
    add_accepts(mech, out);
    add_sources(mech->sources, out);
    add_field(out, "omits", mech->omits ? mech->omits : "");
    add_mech_params(mech, out);
    add_metrics(mech->metrics, out);
    if (mech->presets && mech->presets->name)
        msw_text_add(out, "\nPresets\n");
    for (const msw_preset *p = mech->presets; p && p->name; p++)
        add_preset(mech, p, out);
    if (mech->references && mech->references->name)
        msw_text_add(out, "\nReferences\n");
    for (const msw_reference *r = mech->references; r && r->name; r++)
        msw_text_add(out, "  %-20s %s\n", r->name, r->doc);
    if (mech->details && mech->details->name)
        msw_text_add(out, "\nDetail tables\n");
    for (const msw_detail *d = mech->details; d && d->name; d++)
        msw_text_add(out, "  %-20s %s\n", d->name, d->doc);
    if (mech->agreement && mech->agreement->metric)
        msw_text_add(out, "\nStated agreement\n");
    for (const msw_agreement *a = mech->agreement; a && a->metric; a++)
        add_agreement(a, out);
}

static void describe_param(const msw_param *p, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    msw_text allowed = MSW_TEXT_EMPTY;
    msw_param_allowed(p, &allowed);
    add_field(out, "kind", msw_kind_name(p->kind));
    add_field(out, "unit", p->unit);
    add_field(out, "allowed", msw_text_str(&allowed));
    add_field(out, "default", msw_param_print(p, p->def, text));
    if (!isnan(msw_param_neutral(p)))
        add_field(out, "neutral", msw_param_print(p, msw_param_neutral(p), text));
    msw_text_clear(&allowed);
    msw_text_add(&allowed, "%s: %s", msw_source_name(p->source), p->reference);
    add_field(out, "source", msw_text_str(&allowed));
    msw_text_clear(&allowed);
    if (p->plausible_min < p->plausible_max)
        msw_text_add(&allowed, "%.10g .. %.10g", p->plausible_min, p->plausible_max);
    add_field(out, "plausible", msw_text_str(&allowed));
    if (p->acts)
        add_field(out, "acts where", acts_nowhere(p) ? "nowhere: no metric shows it" : p->acts);
    out->failed = out->failed || allowed.failed;
    msw_text_free(&allowed);
    for (const msw_choice *c = p->choices; c && c->name; c++)
        msw_text_add(out, "    %-18s %s\n", c->name, c->doc);
}

static void describe_metric(const msw_metric *m, msw_text *out)
{
    static const char *const GOALS[] = {"none", "lower", "higher"};
    char range[64], level[32];
    snprintf(range, sizeof range, "%.6g .. %.6g", m->min, m->max);
    add_field(out, "kind", msw_metric_kind_name(m->kind));
    add_field(out, "unit", m->unit);
    add_field(out, "goal", GOALS[m->goal]);
    add_field(out, "plausible", range);
    add_field(out, "numerator", m->num && m->kind != MSW_QUANTILE ? m->num : "");
    add_field(out, "denominator", m->den ? m->den : "");
    add_field(out, "reference", m->reference ? m->reference : "");
    snprintf(level, sizeof level, "%g", m->level);
    add_field(out, "level", m->kind == MSW_QUANTILE ? level : "");
    add_field(out, "stack",
              m->stack    ? "a cause of the cycle stack"
              : m->energy ? "a part of the energy"
                          : "");
}

static void describe_frontend(const msw_frontend *frontend, msw_text *out)
{
    add_params(frontend->params, out);
    if (frontend->own)
        msw_text_add(out, "\nYour own\n");
    for (const char *const *line = frontend->own; line && *line; line++)
        msw_text_add(out, "  %s\n", *line);
    msw_text_add(out, "\nWorkloads\n");
    for (size_t i = 0; frontend->names[i]; i++)
        msw_text_add(out, "  %-20s %s\n", frontend->names[i], frontend->docs[i]);
}

/* What a reader compares designs by: some points of each with the default settings. */
static void add_evenness(const msw_design *design, msw_text *out)
{
    enum { POINTS = 128, FACTORS = 4 };
    static const uint64_t CONTINUOUS[FACTORS] = {0};
    double x[POINTS * FACTORS], config[32] = {0};
    const msw_param *points = msw_params_find(design->params, "points");
    msw_design_input input = {
        .factor_count = FACTORS, .levels = CONTINUOUS, .seed = 1, .config = config};
    msw_design_state state;
    char text[128];
    if (design->coords != MSW_COORDS_UNIT || !points || design->config_size > sizeof config)
        return;
    msw_params_defaults(design->params, config);
    msw_param_set(points, config, POINTS);
    if (msw_design_prepare(design, &input, &state, NULL))
        return;
    for (uint64_t i = 0; i < POINTS; i++)
        msw_design_point(design, &input, &state, i, x + i * FACTORS);
    msw_design_release(design, &state);
    snprintf(text, sizeof text,
             "centred discrepancy of 128 points in 4 dimensions %.3g; of random points %.3g",
             sqrt(msw_discrepancy(x, POINTS, FACTORS)),
             sqrt(msw_discrepancy_random(POINTS, FACTORS)));
    add_field(out, "evenness", text);
}

static void describe_design(const msw_design *design, msw_text *out)
{
    static const char *const HOW[] = {"points that do not pass are left out",
                                      "drawn until enough points pass",
                                      "refused, unless points are kept in whole groups"};
    add_field(out, "where", HOW[design->constrained]);
    add_field(out, "factors", design->needs_levels ? "every factor needs levels" : "any");
    if (design->group_size)
        add_field(out, "groups", "factors may vary as one: groups: {name: [factor, factor]}");
    add_evenness(design, out);
    add_params(design->params, out);
}

void cli_describe_head(const cli_named *n, msw_text *out)
{
    msw_text_add(out, "%s %s%s%s%s%s\n", cli_what_names[n->what], n->name, *n->owner ? " of " : "",
                 n->owner, *n->doc ? ": " : "", n->doc);
}

void cli_describe_one(const cli_named *n, bool all, msw_text *out)
{
    cli_describe_head(n, out);
    switch (n->what) {
    case CLI_MECHANISM:
        (all ? describe_mech : describe_short)(n->thing, out);
        break;
    case CLI_WORKLOAD:
        break; /* printed by cli_describe_workload, which reads files */
    case CLI_FRONTEND:
        describe_frontend(n->thing, out);
        break;
    case CLI_DESIGN:
        describe_design(n->thing, out);
        break;
    case CLI_PRESET:
        add_preset(msw_mech_find(n->owner), n->thing, out);
        break;
    case CLI_PARAMETER:
        describe_param(n->thing, out);
        break;
    default:
        describe_metric(n->thing, out);
    }
}
