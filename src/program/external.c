/* SPDX-License-Identifier: MIT */
/* A record of a mechanism made at run time, and the workloads of a program. */
#include "memsweep/program/external.h"
#include "memsweep/base/quote.h"
#include "memsweep/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The workloads of a program: names with texts for placeholders. They have no product, for the
 * program reads whatever it works on by itself. */

static const msw_param NO_PARAMS[] = {{0}};
static const char *const NO_NAMES[] = {NULL};

static int never(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    (void)name, (void)config, (void)file, (void)file_size, (void)err;
    return 0;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    (void)content, (void)config, (void)seed, (void)arena, (void)err;
    *product = (msw_product){.data = NO_NAMES};
    return 0;
}

const msw_frontend msw_frontend_case = {
    .name = "case",
    .title = "a case of a program's definition",
    .version = 1,
    .params = NO_PARAMS,
    .config_size = 0,
    .names = NO_NAMES,
    .docs = NO_NAMES,
    .resolve = never,
    .build = build,
};

msw_digest msw_program_case_digest(const msw_program_set *one)
{
    msw_digest all = msw_hash_pair(msw_hash_string("case"), msw_hash_string(one->name));
    for (size_t i = 0; i < one->count; i++) {
        all = msw_hash_pair(all, msw_hash_string(one->pairs[i].name));
        all = msw_hash_pair(all, msw_hash_string(one->pairs[i].text));
    }
    return all;
}

/* ---- making one ---- */

msw_external *msw_external_new(size_t params, size_t metrics)
{
    msw_external *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->param_count = params;
    e->metric_count = metrics;
    e->params = msw_arena_zero(&e->arena, params + 1, sizeof *e->params);
    e->metrics = msw_arena_zero(&e->arena, metrics + 1, sizeof *e->metrics);
    if (e->params && e->metrics)
        return e;
    msw_external_free(e);
    return NULL;
}

void msw_external_free(msw_external *e)
{
    if (e)
        msw_arena_free(&e->arena);
    free(e);
}

const char *msw_external_text(msw_external *e, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = msw_arena_take(&e->arena, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

msw_choice *msw_external_choices(msw_external *e, msw_param *param, size_t count)
{
    msw_choice *list = msw_arena_zero(&e->arena, count + 1, sizeof *list);
    param->choices = list;
    param->choice_count = count + 1;
    return list;
}

/* ---- completing it ---- */

/* What makes the columns of its table: names, types, units, goals. */
static msw_digest declaration(const msw_external *e)
{
    msw_digest all = {0};
    for (size_t i = 0; i < e->param_count; i++) {
        const msw_param *p = &e->params[i];
        all = msw_hash_pair(all, msw_hash_string(p->name));
        all = msw_hash_pair(all, msw_hash_string(msw_kind_name(p->kind)));
        all = msw_hash_pair(all, msw_hash_string(p->unit));
    }
    all = msw_hash_pair(all, msw_hash_string("outputs"));
    for (size_t i = 0; i < e->metric_count; i++) {
        uint64_t goal = (uint64_t)e->metrics[i].goal;
        all = msw_hash_pair(all, msw_hash_string(e->metrics[i].name));
        all = msw_hash_pair(all, msw_hash_string(e->metrics[i].unit));
        all = msw_hash_pair(all, msw_hash_bytes(&goal, sizeof goal));
    }
    return all;
}

static int check_names(const msw_external *e, msw_err *err)
{
    size_t count = e->param_count + e->metric_count;
    for (size_t i = 0; i < count; i++) {
        const char *name =
            i < e->param_count ? e->params[i].name : e->metrics[i - e->param_count].name;
        if (msw_name_check(name, err))
            return -1;
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, j < e->param_count ? e->params[j].name
                                                : e->metrics[j - e->param_count].name) == 0)
                return msw_fail(err, "two columns are called '%s'", name);
    }
    return e->param_count && e->metric_count ? 0 : msw_fail(err, "no inputs or no outputs");
}

static void complete_columns(msw_external *e)
{
    for (size_t i = 0; i < e->param_count; i++) {
        msw_param *p = &e->params[i];
        if (!e->name)
            p->def = p->kind == MSW_CHOICE ? 0 : p->min;
        p->neutral = MSW_NO_NEUTRAL;
        p->source = e->name ? MSW_PUBLIC : MSW_UNKNOWN;
        p->reference = e->name ? "the program's definition" : "imported";
        p->offset = i * sizeof(double);
    }
    for (size_t i = 0; i < e->metric_count; i++) {
        e->metrics[i].kind = MSW_DERIVED;
        e->metrics[i].min = NAN;
        e->metrics[i].max = NAN;
    }
}

int msw_external_finish(msw_external *e, msw_err *err)
{
    static const char *const SOURCES[] = {NULL};
    char digits[MSW_DIGEST_TEXT], name[MSW_EXTERNAL_NAME + 16];
    MSW_TRY(check_names(e, err));
    complete_columns(e);
    msw_digest_text(declaration(e), digits);
    snprintf(name, sizeof name, "%s_%.8s", e->name ? e->name : MSW_EXTERNAL_WORD, digits);
    e->mech = (msw_mech){.name = msw_external_text(e, name),
                         .title = e->title ? e->title : "a table of another program",
                         .version_closed = 1,
                         .version_machine = 1,
                         .sources = SOURCES,
                         .params = e->params,
                         .config_size = e->param_count * sizeof(double),
                         .metrics = e->metrics,
                         .metric_count = e->metric_count,
                         .primary = e->metrics[0].name};
    return e->mech.name ? 0 : msw_fail_memory(err);
}

/* ---- its text ---- */

static void print_number(const char *key, double value, msw_text *out)
{
    msw_text_add(out, ", %s: ", key);
    msw_text_add_double(out, value);
}

static const char *const SCALES[] = {"linear", "pow2", "log"};

static void print_input(const msw_external *e, const msw_param *p, msw_text *out)
{
    msw_text_add(out, "  %s: {kind: %s, unit: ", p->name, msw_kind_name(p->kind));
    msw_text_add_json(out, p->unit);
    msw_text_add(out, ", column: ");
    msw_text_add_json(out, p->doc);
    for (size_t i = 0; p->kind == MSW_CHOICE && p->choices[i].name; i++) {
        msw_text_add(out, i ? ", " : ", choices: [");
        msw_text_add_json(out, p->choices[i].name);
    }
    if (p->kind == MSW_CHOICE)
        msw_text_add(out, "]");
    if (e->name)
        print_number("default", p->def, out);
    if (p->acts) {
        msw_text_add(out, ", acts: ");
        msw_text_add_json(out, p->acts);
    }
    if (p->kind != MSW_CHOICE) {
        print_number("from", p->min, out);
        print_number("to", p->max, out);
        msw_text_add(out, ", scale: %s", SCALES[p->scale]);
    }
    msw_text_add(out, "}\n");
}

void msw_external_print(const msw_external *e, msw_text *out)
{
    static const char *const GOALS[] = {"none", "lower", "higher"};
    msw_text_add(out, "inputs:\n");
    for (size_t i = 0; i < e->param_count; i++)
        print_input(e, &e->params[i], out);
    msw_text_add(out, "outputs:\n");
    for (size_t i = 0; i < e->metric_count; i++) {
        const msw_metric *m = &e->metrics[i];
        msw_text_add(out, "  %s: {goal: %s, unit: ", m->name, GOALS[m->goal]);
        msw_text_add_json(out, m->unit);
        msw_text_add(out, ", column: ");
        msw_text_add_json(out, m->doc);
        msw_text_add(out, "}\n");
    }
}

/* ---- reading it back: a file may come from anywhere ---- */

bool msw_external_is_declared(const msw_node *root)
{
    return msw_node_get(root, "inputs") && msw_node_get(root, "outputs");
}

static int wrong(const char *what, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "the declaration of an imported table cannot be read: %s",
                         what);
}

static const char *word(const msw_node *map, const char *key)
{
    const msw_node *node = msw_node_get(map, key);
    return node && node->text ? node->text : "";
}

static int read_choices(msw_external *e, msw_param *p, const msw_node *list, msw_err *err)
{
    if (!list || list->kind != MSW_NODE_LIST || !list->count)
        return wrong("a choice without choices", err);
    msw_choice *choices = msw_external_choices(e, p, list->count);
    if (!choices)
        return msw_fail_memory(err);
    for (size_t i = 0; i < list->count; i++) {
        if (!list->items[i]->text)
            return wrong("a choice that is no text", err);
        choices[i].name = msw_external_text(e, list->items[i]->text);
        choices[i].doc = "";
        if (!choices[i].name)
            return msw_fail_memory(err);
    }
    return 0;
}

static int read_input(msw_external *e, const char *name, const msw_node *map, msw_param *p,
                      msw_err *err)
{
    int k = MSW_INTEGER;
    while (k <= MSW_FLAG && strcmp(word(map, "kind"), msw_kind_name((msw_kind)k)) != 0)
        k++;
    if (k > MSW_FLAG)
        return wrong("an input of no known kind", err);
    p->name = msw_external_text(e, name);
    p->unit = msw_external_text(e, word(map, "unit"));
    p->doc = msw_external_text(e, word(map, "column"));
    p->kind = (msw_kind)k;
    p->def = strtod(word(map, "default"), NULL);
    p->acts = *word(map, "acts") ? msw_external_text(e, word(map, "acts")) : NULL;
    p->min = strtod(word(map, "from"), NULL);
    p->max = strtod(word(map, "to"), NULL);
    for (int i = MSW_LINEAR; i <= MSW_LOG; i++)
        if (strcmp(word(map, "scale"), SCALES[i]) == 0)
            p->scale = (msw_scale)i;
    if (!p->name || !p->unit || !p->doc)
        return msw_fail_memory(err);
    return p->kind == MSW_CHOICE ? read_choices(e, p, msw_node_get(map, "choices"), err) : 0;
}

static int read_output(msw_external *e, const char *name, const msw_node *map, msw_metric *m,
                       msw_err *err)
{
    const char *goal = word(map, "goal");
    m->name = msw_external_text(e, name);
    m->unit = msw_external_text(e, word(map, "unit"));
    m->doc = msw_external_text(e, word(map, "column"));
    m->goal = strcmp(goal, "lower") == 0    ? MSW_GOAL_LOWER
              : strcmp(goal, "higher") == 0 ? MSW_GOAL_HIGHER
                                            : MSW_GOAL_NONE;
    return m->name && m->unit && m->doc ? 0 : msw_fail_memory(err);
}

static int read_columns(msw_external *e, const msw_node *inputs, const msw_node *outputs,
                        msw_err *err)
{
    for (size_t i = 0; i < e->param_count; i++)
        if (read_input(e, inputs->keys[i]->text, inputs->items[i], &e->params[i], err))
            return -1;
    for (size_t i = 0; i < e->metric_count; i++)
        if (read_output(e, outputs->keys[i]->text, outputs->items[i], &e->metrics[i], err))
            return -1;
    if (msw_external_finish(e, err) == 0)
        return 0;
    msw_fail_prefix(err, "the declaration of an imported table cannot be read: ");
    if (err)
        err->kind = MSW_ERR_IO;
    return -1;
}

/* "cachegrind_12345678" is a program's, "external_12345678" a table's. */
static int name_program(msw_external *e, const char *mechanism, msw_err *err)
{
    const char *end = strrchr(mechanism, '_');
    size_t size = end ? (size_t)(end - mechanism) : 0;
    if (!size || size > MSW_EXTERNAL_NAME)
        return wrong("it is not the one its mechanism is named by", err);
    if (size == strlen(MSW_EXTERNAL_WORD) && strncmp(mechanism, MSW_EXTERNAL_WORD, size) == 0)
        return 0;
    char name[MSW_EXTERNAL_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)size, mechanism);
    e->name = e->title = msw_external_text(e, name);
    return e->name ? 0 : msw_fail_memory(err);
}

int msw_external_read(const msw_node *root, const char *mechanism, msw_external **external,
                      msw_err *err)
{
    const msw_node *inputs = msw_node_get(root, "inputs"), *outputs = msw_node_get(root, "outputs");
    *external = NULL;
    if (!inputs || !outputs || inputs->kind != MSW_NODE_MAP || outputs->kind != MSW_NODE_MAP)
        return wrong("it has no mapping of inputs and outputs", err);
    msw_external *e = msw_external_new(inputs->count, outputs->count);
    if (!e)
        return msw_fail_memory(err);
    int rc = name_program(e, mechanism, err);
    if (rc == 0)
        rc = read_columns(e, inputs, outputs, err);
    if (rc == 0 && strcmp(e->mech.name, mechanism) != 0)
        rc = wrong("it is not the one its mechanism is named by", err);
    if (rc)
        msw_external_free(e);
    else
        *external = e;
    return rc;
}
