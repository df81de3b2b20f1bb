/* SPDX-License-Identifier: MIT */
/* The canonical text of a plan: everything that decides its rows and columns, resolved, in one
 * order and one spelling. Two spellings of one sweep have one text but for the first line, the
 * name, which the digest leaves out. */
#include "sweep/loader.h"

#include "memsweep/sweep/keep.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/sampler.h"
#include "memsweep/sweep/versions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(const char *before, const char *name, int version, msw_text *out)
{
    msw_text_add(out, "%s", before);
    msw_text_add_json(out, name);
    msw_text_add(out, ": %d", version);
}

void msw_plan_versions(const msw_plan *plan, msw_text *out)
{
    char part[64];
    add("{", plan->mech->name, msw_mech_version(plan->mech, plan->fidelity), out);
    for (const msw_part *const *p = msw_mech_parts(plan->mech, plan->fidelity); *p; p++) {
        snprintf(part, sizeof part, "sim.%s", (*p)->name);
        add(", ", part, (*p)->version, out);
    }
    if (plan->fidelity == MSW_SAMPLED)
        add(", ", "sampler", MSW_SAMPLER_VERSION, out);
    for (size_t i = 0; i < plan->frontend_count; i++)
        add(", ", plan->frontends[i]->name, plan->frontends[i]->version, out);
    add(", ", plan->design.kind->name, plan->design.kind->version, out);
    msw_text_add(out, "}");
}

enum { LEVELS_SHOWN = 256 };

static void add_value(msw_text *out, const msw_param *param, double value)
{
    char text[MSW_PARAM_TEXT];
    msw_text_add(out, "%s", msw_param_print(param, value, text));
}

static void add_digest(msw_text *out, msw_digest digest)
{
    char text[MSW_DIGEST_TEXT];
    msw_text_add(out, "%s", msw_digest_text(digest, text));
}

/* A setting of a design is left out where it changes nothing, so that sweeps from before
 * the setting existed keep their text. */
static void add_table(msw_text *out, const msw_param *table, const void *config)
{
    for (const msw_param *p = table; p && p->name; p++) {
        if (msw_param_get(p, config) == msw_param_neutral(p))
            continue;
        msw_text_add(out, ", %s: ", p->name);
        add_value(out, p, msw_param_get(p, config));
    }
}

static void add_groups(msw_text *out, const msw_plan *plan)
{
    const msw_design_input *input = &plan->design.input;
    for (size_t g = 0; g < input->group_count; g++) {
        const char *before = "[";
        msw_text_add(out, "%s%s: ", g ? ", " : ", groups: {", plan->design.group_names[g]);
        for (size_t f = 0; f < input->factor_count; f++)
            if (input->group_of[f] == g) {
                msw_text_add(out, "%s%s", before, plan->space.factors[f].name);
                before = ", ";
            }
        msw_text_add(out, g + 1 < input->group_count ? "]" : "]}");
    }
}

static void add_mechanism(msw_text *out, const msw_plan *plan)
{
    const char *before = ", parts: {";
    msw_text_add(out, "mechanism: {name: %s, version: %d", plan->mech->name,
                 msw_mech_version(plan->mech, plan->fidelity));
    for (const msw_part *const *p = msw_mech_parts(plan->mech, plan->fidelity); *p; p++) {
        msw_text_add(out, "%s%s: %d", before, (*p)->name, (*p)->version);
        before = ", ";
    }
    if (*msw_mech_parts(plan->mech, plan->fidelity))
        msw_text_add(out, "}");
    if (plan->fidelity == MSW_SAMPLED)
        msw_text_add(out, ", sampler: %d", MSW_SAMPLER_VERSION);
    msw_text_add(out, "}\n");
}

/* What decides which units are measured, where it is not as by default. */
static void add_choice(msw_text *out, const msw_plan *plan)
{
    const char *before = ", metrics: [", *after = "";
    if (plan->sampling.seed)
        msw_text_add(out, ", seed: %" PRIu64, plan->sampling.seed);
    for (size_t m = 0; plan->mech->metrics[m].name; m++)
        if (plan->sampling.metrics[m / 64] >> m % 64 & 1) {
            msw_text_add(out, "%s%s", before, plan->mech->metrics[m].name);
            before = ", ";
            after = "]";
        }
    msw_text_add(out, "%s", after);
}

static void add_number(msw_text *out, const char *name, double value)
{
    msw_text_add(out, ", %s: ", name);
    msw_text_add_double(out, value);
}

/* How the points in full are chosen. */
static void add_auto(msw_text *out, const msw_plan *plan)
{
    const msw_auto *a = &plan->automatic;
    msw_text_add(out, "auto: {version: %d", MSW_AUTO_VERSION);
    add_number(out, a->counted ? "points" : "budget", a->budget);
    add_number(out, "audit", a->audit);
    add_number(out, "confidence", a->confidence);
    add_number(out, "tolerance", a->tolerance);
    add_number(out, "at_most", a->at_most);
    msw_text_add(out, ", batch: %" PRIu64 ", per: %s", a->batch, a->over ? "design" : "workload");
    if (a->over) {
        msw_text_add(out, ", over: ");
        msw_text_add_json(out, a->over);
    }
    if (plan->part == MSW_PART_AUTO)
        msw_text_add(out, ", full: %d", msw_mech_version(plan->mech, MSW_FULL));
    msw_text_add(out, "}\n");
}

/* A sweep at `auto` is one of both commands. */
static void add_program(msw_text *out, const msw_plan *plan)
{
    msw_program_print(plan->program, plan->fidelity, out);
    if (plan->part == MSW_PART_AUTO) {
        msw_text_add(out, "full_");
        msw_program_print(plan->program, MSW_FULL, out);
    }
    msw_external_print(plan->program->external, out);
}

static void add_head(msw_text *out, const msw_plan *plan)
{
    add_mechanism(out, plan);
    if (plan->program)
        add_program(out, plan);
    else if (plan->by_hand)
        msw_text_add(out, "by: hand\n");
    msw_text_add(out, "fidelity: %s\n", msw_plan_fidelity(plan));
    if (plan->part != MSW_PART_NONE)
        add_auto(out, plan);
    msw_text_add(out, "sampling: {confidence: ");
    msw_text_add_double(out, plan->sampling.confidence);
    msw_text_add(out, ", target: ");
    msw_text_add_double(out, plan->sampling.target);
    msw_text_add(out, ", pilot: %" PRId64 ", event_budget: %" PRIu64, plan->sampling.pilot,
                 plan->event_budget);
    add_choice(out, plan);
    msw_text_add(out, "}\n");
    msw_text_add(out, "seed: %" PRIu64 "\nreplicates: %" PRIu64 "\n", plan->seed, plan->replicates);
    msw_text_add(out, "design: {kind: %s, version: %d", plan->design.kind->name,
                 plan->design.kind->version);
    add_table(out, plan->design.kind->params, plan->design.config);
    add_groups(out, plan);
    if (plan->design.kind->searches && plan->automatic.over) {
        msw_text_add(out, ", over: ");
        msw_text_add_json(out, plan->automatic.over);
    }
    if (plan->design.input.list_columns) {
        msw_text_add(out, ", rows: %zu, digest: ", plan->design.input.list_rows);
        add_digest(out, plan->design.list_digest);
    }
    msw_text_add(out, "}\n");
}

typedef struct named {
    const char *name;
    size_t index;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* The parameters first .. last - 1 in alphabetical order, in the loader's arena. */
static named *sorted(msw_loader *l, size_t first, size_t last)
{
    named *list = msw_arena_zero(&l->arena, last - first + 1, sizeof *list);
    if (!list) {
        msw_loader_memory(l);
        return NULL;
    }
    for (size_t i = first; i < last; i++)
        list[i - first] = (named){l->plan->schema.params[i]->name, i};
    msw_sort(list, last - first, sizeof *list, by_name);
    return list;
}

static bool is_plain(const msw_loader *l, size_t index)
{
    if (l->setter[index] && strcmp(l->setter_word[index], "fixed") != 0)
        return false;
    for (size_t i = 0; i < l->plan->space.fixed_count; i++)
        if (l->plan->space.fixed[i].target == index)
            return false;
    return true;
}

/* Workloads with all their settings that nothing varies or computes. */
static void add_workloads(msw_text *out, msw_loader *l)
{
    const msw_plan *plan = l->plan;
    msw_text_add(out, "workloads:\n");
    for (size_t w = 0; w < plan->workload_count; w++) {
        const msw_workload *load = &plan->workloads[w];
        size_t part = plan->workload_frontend[w] + 1;
        size_t first = plan->schema.part_first[part], last = plan->schema.part_first[part + 1];
        named *list = sorted(l, first, last);
        msw_text_add(out, "  - {name: ");
        msw_text_add_json(out, load->name);
        msw_text_add(out, ", front: %s, version: %d, digest: ", load->frontend->name,
                     load->frontend->version);
        add_digest(out, load->digest);
        for (size_t i = 0; list && i < last - first; i++) {
            if (!is_plain(l, list[i].index))
                continue;
            const msw_param *param = plan->schema.params[list[i].index];
            msw_text_add(out, ", %s: ", param->name);
            add_value(out, param, msw_param_get(param, load->config));
        }
        msw_text_add(out, "}\n");
    }
}

static void add_corpus(msw_text *out, const msw_plan *plan)
{
    if (plan->corpus.count)
        msw_text_add(out, "corpus:\n");
    for (size_t w = 0; w < plan->corpus.count; w++) {
        const msw_workload *load = &plan->corpus.workloads[w];
        msw_text_add(out, "  - {name: ");
        msw_text_add_json(out, load->name);
        msw_text_add(out, ", front: %s, version: %d, digest: ", load->frontend->name,
                     load->frontend->version);
        add_digest(out, load->digest);
        add_table(out, load->frontend->params, load->config);
        msw_text_add(out, "}\n");
    }
}

/* The values a mechanism's parameters have when nothing varies or computes them. */
static void add_fixed(msw_text *out, msw_loader *l)
{
    const msw_plan *plan = l->plan;
    size_t count = plan->schema.part_first[1];
    named *list = sorted(l, 0, count);
    msw_text_add(out, "fix:\n");
    for (size_t i = 0; list && i < count; i++) {
        if (!is_plain(l, list[i].index))
            continue;
        const msw_param *param = plan->schema.params[list[i].index];
        msw_text_add(out, "  %s: ", param->name);
        add_value(out, param, msw_schema_get(&plan->schema, list[i].index, plan->space.base));
        msw_text_add(out, "\n");
    }
    list = sorted(l, 0, plan->schema.count);
    for (size_t i = 0; list && i < plan->schema.count; i++)
        for (size_t f = 0; f < plan->space.fixed_count; f++)
            if (plan->space.fixed[f].target == list[i].index) {
                msw_text_add(out, "  %s: ", list[i].name);
                msw_text_add_json(out, plan->space.fixed[f].text);
                msw_text_add(out, "\n");
            }
}

static void add_targets(msw_text *out, const msw_plan *plan, const msw_factor *factor)
{
    msw_text_add(out, "of: [");
    for (size_t t = 0; t < factor->target_count; t++)
        msw_text_add(out, "%s%s", t ? ", " : "", plan->schema.params[factor->targets[t]]->name);
    msw_text_add(out, "], ");
}

static void add_levels(msw_text *out, const msw_plan *plan, const msw_factor *factor)
{
    size_t count = factor->levels * factor->target_count;
    if (count > LEVELS_SHOWN) {
        msw_text_add(out, "levels: %" PRIu64 ", digest: ", factor->levels);
        add_digest(out, msw_hash_bytes(factor->values, count * sizeof *factor->values));
        return;
    }
    msw_text_add(out, "values: [");
    for (size_t i = 0; i < count; i++) {
        size_t target = factor->targets[i % factor->target_count];
        msw_text_add(out, "%s", i ? ", " : "");
        add_value(out, plan->schema.params[target], factor->values[i]);
    }
    msw_text_add(out, "]");
}

static void add_range(msw_text *out, const msw_param *param, const msw_factor *factor)
{
    static const char *const SCALES[] = {"linear", "pow2", "log"};
    msw_text_add(out, "from: ");
    add_value(out, param, factor->from);
    msw_text_add(out, ", to: ");
    add_value(out, param, factor->to);
    msw_text_add(out, ", scale: %s", SCALES[factor->scale]);
}

static void add_factors(msw_text *out, const msw_plan *plan)
{
    msw_text_add(out, "vary:\n");
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        const msw_factor *factor = &plan->space.factors[f];
        msw_text_add(out, "  %s: {", factor->name);
        if (factor->target_count > 1)
            add_targets(out, plan, factor);
        if (factor->levels)
            add_levels(out, plan, factor);
        else
            add_range(out, plan->schema.params[factor->targets[0]], factor);
        if (factor->when) {
            msw_text_add(out, ", when: ");
            msw_text_add_json(out, factor->when);
        }
        msw_text_add(out, "}\n");
    }
    if (plan->space.where) {
        msw_text_add(out, "where: ");
        msw_text_add_json(out, plan->space.where);
        msw_text_add(out, "\n");
    }
}

static void add_view(msw_text *out, const msw_plan *plan)
{
    msw_text_add(out, "derive:\n");
    for (size_t i = 0; i < plan->view.derived_count; i++) {
        const msw_derived *d = &plan->view.derived[i];
        msw_text_add(out, d->unit ? "  %s: {expr: " : "  %s: ", d->name);
        msw_text_add_json(out, d->text);
        if (d->unit) {
            msw_text_add(out, ", unit: ");
            msw_text_add_json(out, d->unit);
        }
        msw_text_add(out, d->unit ? "}\n" : "\n");
    }
    msw_text_add(out, "objectives:\n");
    for (size_t i = 0; i < plan->view.objective_count; i++)
        msw_text_add(out, "  - {%s: %s}\n",
                     plan->view.objectives[i].goal == MSW_GOAL_LOWER ? "minimize" : "maximize",
                     plan->view.objectives[i].name);
    if (!msw_keep_chooses(&plan->keep) && !plan->keep.metric_count)
        return;
    msw_text_add(out, "keep: ");
    msw_keep_print(plan, out);
    msw_text_add(out, "\n");
}

static msw_digest digest_program(const msw_plan *plan)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_program_print(plan->program, plan->fidelity, &text);
    msw_digest digest = msw_hash_bytes(msw_text_str(&text), text.size);
    msw_text_free(&text);
    return digest;
}

/* A row that holds some of the metrics is no answer to who asks for all: it has a key of its own.
 */
static msw_digest digest_metrics(const msw_plan *plan)
{
    msw_digest model = plan->model;
    for (size_t i = 0; i < plan->keep.metric_count; i++)
        model =
            msw_hash_pair(model, msw_hash_string(plan->mech->metrics[plan->keep.metrics[i]].name));
    return model;
}

/* The text of one plan, and its digest. */
static void write_plan(msw_loader *l, msw_plan *plan)
{
    msw_text body = MSW_TEXT_EMPTY;
    msw_plan *whole = l->plan;
    l->plan = plan;
    plan->model = msw_mech_model(plan->mech, plan->fidelity);
    if (plan->program)
        plan->model = msw_hash_pair(plan->model, digest_program(plan));
    else if (msw_plan_is_told(plan))
        plan->model = msw_hash_pair(plan->model, msw_hash_string("by: hand"));
    plan->model = digest_metrics(plan);
    add_head(&body, plan);
    add_workloads(&body, l);
    add_corpus(&body, plan);
    add_fixed(&body, l);
    add_factors(&body, plan);
    add_view(&body, plan);
    l->plan = whole;
    plan->digest = msw_hash_bytes(msw_text_str(&body), body.size);
    plan->canonical = body.failed ? NULL : msw_strfmt("sweep: %s\n%s", plan->name, body.data);
    if (!plan->canonical)
        msw_loader_memory(l);
    msw_text_free(&body);
}

/* The parts of a sweep at `auto` differ in fidelity alone and share what they point to. */
static void write_parts(msw_loader *l)
{
    msw_plan *plan = l->plan, *parts = plan->parts = calloc(2, sizeof *parts);
    if (!parts) {
        msw_loader_memory(l);
        return;
    }
    for (int i = 0; i < 2; i++) {
        parts[i] = *plan;
        parts[i].parts = NULL;
        parts[i].canonical = NULL;
        parts[i].part = i ? MSW_PART_FULL : MSW_PART_ANALYTIC;
        parts[i].fidelity = i ? MSW_FULL : MSW_ANALYTIC;
        write_plan(l, &parts[i]);
    }
}

void msw_step_canonical(msw_loader *l)
{
    if (l->diagnostics.count)
        return;
    write_plan(l, l->plan);
    if (l->plan->part == MSW_PART_AUTO)
        write_parts(l);
}

static int set_version(msw_plan *plan, const char *version, msw_err *err)
{
    msw_text line = MSW_TEXT_EMPTY;
    msw_text_add(&line, "version: ");
    msw_text_add_json(&line, version);
    char *text = msw_strfmt("%s%s\n", plan->canonical, msw_text_str(&line));
    bool failed = line.failed;
    msw_text_free(&line);
    if (!text || failed) {
        free(text);
        return msw_fail_memory(err);
    }
    free(plan->canonical);
    plan->canonical = text;
    plan->model = msw_hash_pair(plan->model, msw_hash_string(version));
    plan->digest = msw_hash_pair(plan->digest, msw_hash_string(version));
    return 0;
}

int msw_plan_set_version(msw_plan *plan, const char *version, msw_err *err)
{
    if (!*version)
        return 0;
    MSW_TRY(set_version(plan, version, err));
    for (int i = 0; plan->parts && i < 2; i++)
        MSW_TRY(set_version(&plan->parts[i], version, err));
    return 0;
}
