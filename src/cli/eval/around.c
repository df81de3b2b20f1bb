/* SPDX-License-Identifier: MIT */
/* A sweep around one point: every parameter of the mechanism a step up and a step down, alone, at
 * the closed form; those that change the primary metric become factors. */
#include "cli/eval/eval.h"

#include "memsweep/format/outfile.h"

#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KEPT = 8, GRID_FACTORS = 6, LEVELS = 4, DRAWN = 2048 };
static const double MATTERS = 1e-3; /* relative change of the primary metric, in any workload */

typedef struct candidate {
    const msw_param *param;
    double values[LEVELS]; /* the point's own and its neighbours, ascending */
    int count;
    double effect;
} candidate;

typedef struct search {
    const cli *c;
    const cli_question *question;
    const msw_plan *plan; /* the point itself, at the closed form */
    size_t primary;
    msw_batch *base;
    candidate *list;
    size_t count;
    msw_err *err;
} search;

/* Plus and minus one step on the parameter's own scale. */
static double step(const msw_param *p, double value, int direction)
{
    double change = fmax(1, floor(fabs(value) / 4));
    if (p->scale == MSW_POW2 || p->scale == MSW_LOG)
        return direction > 0 ? (value == 0 ? 1 : 2 * value) : value / 2;
    if (p->kind == MSW_REAL)
        change = value == 0 ? (p->max - p->min) / 4 : fabs(value) / 4;
    return value + direction * change;
}

/* Real numbers to four digits: what a person would write down as the next one. */
static double tidy(const msw_param *p, double value)
{
    char text[32];
    if (p->kind != MSW_REAL)
        return value;
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

static void add_value(candidate *k, double value)
{
    if (msw_param_check(k->param, value, NULL) || k->count == LEVELS)
        return;
    for (int i = 0; i < k->count; i++)
        if (k->values[i] == value)
            return;
    int at = k->count++;
    for (; at > 0 && k->values[at - 1] > value; at--)
        k->values[at] = k->values[at - 1];
    k->values[at] = value;
}

static candidate neighbours(const msw_param *param, double own)
{
    candidate k = {.param = param};
    add_value(&k, own);
    for (size_t i = 0; i < msw_param_choices(param); i++)
        add_value(&k, (double)i);
    if (own == 0 && strstr(param->doc, "0: ") && !msw_param_choices(param)) {
        /* 0 often has a special meaning (off, unlimited), so the next number is not a small step
         * away */
        add_value(&k, param->plausible_max > 0 ? param->plausible_min : own);
        add_value(&k, param->plausible_max > 0 ? param->plausible_max : own);
    } else if (!msw_param_choices(param)) {
        add_value(&k, tidy(param, step(param, own, -1)));
        add_value(&k, tidy(param, step(param, own, +1)));
    }
    return k;
}

/* The same question with one more setting, at the closed form; messages are kept back: a neighbour
 * that is not allowed is no factor. Returns the rows, or NULL. */
static msw_batch *evaluate_setting(const search *s, const char *setting)
{
    msw_err ignored = {0};
    msw_text text = MSW_TEXT_EMPTY;
    msw_plan *plan = NULL;
    msw_messages messages = {0};
    msw_batch *batch = NULL;
    cli_words words = {calloc(s->question->settings->count + 1, sizeof(char *)), 0};
    cli_question question = *s->question;
    size_t name = strcspn(setting, "=");
    msw_plan_options options = {.data_dirs = s->c->context.data_dirs, .seed = question.seed};
    for (size_t i = 0; words.list && i < s->question->settings->count; i++)
        if (strncmp(s->question->settings->list[i], setting, name + 1) != 0)
            words.list[words.count++] = s->question->settings->list[i];
    if (words.list)
        words.list[words.count++] = (char *)setting;
    question.settings = &words;
    question.fidelity = "analytic";
    if (words.list && cli_question_text(&question, &text, &ignored) == 0 &&
        msw_plan_parse("eval", msw_text_str(&text), text.size, &options, &plan, &messages) == 0)
        batch = cli_answer(plan, NULL, &ignored);
    msw_plan_free(plan);
    msw_text_free(&messages.text);
    msw_text_free(&text);
    free(words.list);
    return batch;
}

static double effect_of(const search *s, const msw_batch *batch)
{
    double largest = 0;
    for (size_t row = 0; row < batch->count && row < s->base->count; row++) {
        double a = cli_answer_metric(s->base, row, s->primary);
        double b = cli_answer_metric(batch, row, s->primary);
        if (batch->rows[row].status == MSW_OK && fabs(b / a - 1) > largest)
            largest = fabs(b / a - 1);
    }
    return largest;
}

/* Tries the neighbours of one parameter, and leaves out those that are not allowed. */
static void try_one(search *s, const msw_param *param, double own)
{
    candidate all = neighbours(param, own), kept = {.param = param};
    for (int i = 0; i < all.count; i++) {
        char value[MSW_PARAM_TEXT], setting[2 * MSW_PARAM_TEXT + 80];
        snprintf(setting, sizeof setting, "%s=%s", param->name,
                 msw_param_print(param, all.values[i], value));
        msw_batch *batch = all.values[i] == own ? NULL : evaluate_setting(s, setting);
        bool stands = batch && batch->count && batch->rows[0].status == MSW_OK;
        if (stands)
            kept.effect = fmax(kept.effect, effect_of(s, batch));
        if (stands || all.values[i] == own)
            add_value(&kept, all.values[i]);
        msw_batch_free(batch);
    }
    if (kept.effect > MATTERS)
        s->list[s->count++] = kept;
}

/* A parameter that makes a reference of the point (an oracle, an ideal memory) is no choice. What a
 * reference sets back to its default only does not act there. */
static bool makes_reference(const msw_mech *mech, const msw_param *param, const void *config)
{
    bool makes = false;
    char *changed = malloc(mech->config_size);
    for (const msw_reference *r = mech->references; changed && r && r->name; r++) {
        memcpy(changed, config, mech->config_size);
        r->change(changed);
        double there = msw_param_get(param, changed);
        makes = makes || (there != msw_param_get(param, config) && there != param->def);
    }
    free(changed);
    return makes;
}

static int by_effect(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->effect != y->effect ? (x->effect < y->effect) - (x->effect > y->effect)
                                  : strcmp(x->param->name, y->param->name);
}

static bool varies(const search *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->list[i].param->name, name) == 0)
            return true;
    return false;
}

static void write_fixed(const search *s, msw_text *out)
{
    const msw_schema *schema = &s->plan->schema;
    bool any = false;
    for (size_t i = 0; i < schema->part_first[1]; i++) {
        char value[MSW_PARAM_TEXT];
        if (!s->plan->decided[i] || varies(s, schema->params[i]->name))
            continue;
        msw_text_add(out, "%s  %s: %s\n", any ? "" : "fix:\n", schema->params[i]->name,
                     msw_param_print(schema->params[i], msw_batch_values(s->base, 0)[i], value));
        any = true;
    }
}

static void write_factor(const candidate *k, msw_text *out)
{
    msw_text_add(out, "  %s: [", k->param->name);
    for (int i = 0; i < k->count; i++) {
        char value[MSW_PARAM_TEXT];
        msw_text_add(out, "%s%s", i ? ", " : "", msw_param_print(k->param, k->values[i], value));
    }
    if (k->effect < 10)
        msw_text_add(out, "]%*s# changes it by up to %.2g %%\n", 3, "", 100 * k->effect);
    else
        msw_text_add(out, "]%*s# changes it by up to a factor of %.3g\n", 3, "", 1 + k->effect);
}

static void write_sweep(const search *s, const char *name, msw_text *out)
{
    const msw_metric *primary = &s->plan->mech->metrics[s->primary];
    msw_text_add(out,
                 "# Around one point: parameters a step up and down; those are kept that change "
                 "%s\n# by more than %g %% at the closed form, the strongest first.\n",
                 primary->name, 100 * MATTERS);
    msw_text_add(out, "sweep: ");
    msw_text_add_yaml(out, name);
    msw_text_add(out, "\nmechanism: %s\nworkloads: [", s->plan->mech->name);
    for (size_t w = 0; w < s->plan->workload_count; w++) {
        msw_text_add(out, w ? ", " : "");
        msw_text_add_yaml(out, s->plan->workloads[w].name);
    }
    msw_text_add(out, "]\nfidelity: analytic\n");
    if (s->count > GRID_FACTORS)
        msw_text_add(out, "design: {kind: sobol, points: %d, scramble: owen}\n", DRAWN);
    write_fixed(s, out);
    msw_text_add(out, "vary:\n");
    for (size_t i = 0; i < s->count; i++)
        write_factor(&s->list[i], out);
    if (primary->goal != MSW_GOAL_NONE)
        msw_text_add(out, "objectives: {%s: [%s]}\n",
                     primary->goal == MSW_GOAL_LOWER ? "minimize" : "maximize", primary->name);
}

static int write_file(const search *s, const char *path, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    write_sweep(s, stem, &text);
    int rc = text.failed ? msw_fail_memory(err)
                         : msw_outfile_write(path, MSW_OUTPUT_SWEEP, NULL, &text, err);
    msw_text_free(&text);
    return rc;
}

static void try_all(search *s, size_t count)
{
    const msw_mech *mech = s->plan->mech;
    const double *values = msw_batch_values(s->base, 0);
    char *config = calloc(1, mech->config_size);
    for (size_t i = 0; config && i < count; i++)
        msw_param_set(&mech->params[i], config, values[i]);
    for (size_t i = 0; config && i < count; i++)
        if (!makes_reference(mech, &mech->params[i], config))
            try_one(s, &mech->params[i], values[i]);
    free(config);
}

static int find_factors(search *s)
{
    const msw_schema *schema = &s->plan->schema;
    size_t own = schema->part_first[1];
    s->list = calloc(own + 1, sizeof *s->list);
    s->base = cli_answer(s->plan, NULL, s->err);
    if (!s->list || !s->base)
        return s->base ? msw_fail_memory(s->err) : -1;
    if (s->base->rows[0].status != MSW_OK)
        return msw_fail(s->err, "--sweep: the point itself is %s at the closed form: %s",
                        msw_status_name((msw_status)s->base->rows[0].status),
                        msw_batch_reason_text(s->base, 0));
    try_all(s, own);
    msw_sort(s->list, s->count, sizeof *s->list, by_effect);
    if (s->count > MOST_KEPT)
        s->count = MOST_KEPT;
    return s->count ? 0
                    : msw_fail(s->err, "--sweep: no parameter changes %s by more than %g %%",
                               s->plan->mech->metrics[s->primary].name, 100 * MATTERS);
}

int cli_sweep_around(const cli *c, const cli_question *question, const msw_plan *plan,
                     const char *path)
{
    msw_err err = {0};
    int primary = msw_metrics_find(plan->mech->metrics, plan->mech->primary);
    search s = {
        .c = c, .question = question, .plan = plan, .primary = (size_t)primary, .err = &err};
    int rc =
        access(path, F_OK) == 0 ? msw_fail_kind(&err, MSW_ERR_IO, "%s: is there already", path) : 0;
    if (rc == 0)
        rc = find_factors(&s);
    if (rc == 0)
        rc = write_file(&s, path, &err);
    if (rc == 0)
        fprintf(stderr, "%s: %zu factors; 'memsweep run %s' runs it\n", path, s.count, path);
    msw_batch_free(s.base);
    free(s.list);
    return rc ? cli_fail(&err) : EXIT_OK;
}
