/* SPDX-License-Identifier: MIT */
/* Resolves parameters by name: the schema, what sets each, presets and fixed values. A front
 * end's parameter is decided by vary and fix, or by its workload's own entry, before a preset
 * before the workload's name before the default.
 *
 * A plan's workloads hold what their names say, with plain fixed values written over it; the base
 * block holds what all workloads of a front end agree on. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

static bool waits_for_expression(const msw_loader *l, size_t index)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (l->pending[i].target == (int)index && strcmp(l->pending[i].what, "fix") == 0)
            return true;
    return false;
}

static void write_over(msw_loader *l, size_t part, const msw_param *param, double value)
{
    for (size_t w = 0; w < l->plan->workload_count; w++)
        if (l->plan->workload_frontend[w] + 1 == part)
            msw_param_set(param, l->plan->workloads[w].config, value);
}

static void agree(msw_loader *l, size_t part, size_t index)
{
    const msw_plan *plan = l->plan;
    const msw_param *param = plan->schema.params[index];
    bool first = true;
    for (size_t w = 0; w < plan->workload_count; w++) {
        if (plan->workload_frontend[w] + 1 != part)
            continue;
        double value = msw_param_get(param, plan->workloads[w].config);
        if (first)
            msw_schema_set(&plan->schema, index, plan->space.base, value);
        else if (value != msw_schema_get(&plan->schema, index, plan->space.base))
            l->differs[index] = true;
        first = false;
    }
    if (l->differs[index])
        msw_schema_set(&plan->schema, index, plan->space.base, param->def);
}

/* What an entry of `workloads` sets counts for its workload before what a preset sets; a key that
 * decides it for all workloads contradicts it. */
static void keep_own(msw_loader *l, size_t part, size_t index)
{
    for (size_t i = 0; i < l->own_count; i++) {
        const msw_own_setting *own = &l->own[i];
        const msw_node *other = l->setter[index];
        if (l->plan->workload_frontend[own->workload] + 1 != part ||
            own->param != l->plan->schema.params[index])
            continue;
        if (other)
            msw_loader_say(l, own->at, "'%s' is set for one workload here, but %s at %s:%d:%d",
                           own->at->text, l->setter_word[index], other->file, other->line,
                           other->column);
        else
            msw_param_set(own->param, l->plan->workloads[own->workload].config, own->value);
    }
}

void msw_step_overlay(msw_loader *l)
{
    if (!l->ready)
        return;
    const msw_schema *schema = &l->plan->schema;
    for (size_t part = 1; part < schema->part_count; part++)
        for (size_t i = schema->part_first[part]; i < schema->part_first[part + 1]; i++) {
            if (!l->setter[i] && l->plan->decided[i])
                write_over(l, part, schema->params[i],
                           msw_schema_get(schema, i, l->plan->space.base));
            else if (!l->setter[i])
                agree(l, part, i);
            else if (strcmp(l->setter_word[i], "fixed") == 0 && !waits_for_expression(l, i))
                write_over(l, part, schema->params[i],
                           msw_schema_get(schema, i, l->plan->space.base));
            keep_own(l, part, i);
        }
}

static int init_schema(msw_loader *l)
{
    msw_plan *plan = l->plan;
    size_t parts = plan->frontend_count + 1;
    const msw_param **tables = msw_arena_zero(&l->arena, parts, sizeof *tables);
    size_t *sizes = msw_arena_zero(&l->arena, parts, sizeof *sizes);
    if (!tables || !sizes)
        return msw_loader_memory(l), -1;
    tables[0] = plan->mech->params;
    sizes[0] = plan->mech->config_size;
    for (size_t f = 0; f < plan->frontend_count; f++) {
        tables[f + 1] = plan->frontends[f]->params;
        sizes[f + 1] = plan->frontends[f]->config_size;
    }
    msw_err err = {0};
    if (msw_schema_init(&plan->schema, tables, sizes, parts, &err) == 0)
        return 0;
    msw_loader_fail(l, &err, l->root, "%s", err.text);
    return -1;
}

void msw_step_schema(msw_loader *l)
{
    msw_plan *plan = l->plan;
    if (!plan->mech || !plan->frontends || init_schema(l))
        return;
    size_t count = plan->schema.count;
    l->setter = msw_arena_zero(&l->arena, count + 1, sizeof *l->setter);
    l->setter_word = msw_arena_zero(&l->arena, count + 1, sizeof *l->setter_word);
    l->differs = msw_arena_zero(&l->arena, count + 1, sizeof *l->differs);
    l->factor_at = msw_arena_zero(&l->arena, count + 1, sizeof *l->factor_at);
    plan->space.schema = &plan->schema;
    plan->space.base = malloc(plan->schema.size + 1);
    plan->decided = calloc(count + 1, sizeof *plan->decided);
    if (!l->setter || !l->setter_word || !l->differs || !l->factor_at || !plan->space.base ||
        !plan->decided) {
        msw_loader_memory(l);
        return;
    }
    if (count > MSW_PARAMS_MAX) {
        msw_loader_say(l, l->root, "more than %d parameters in one sweep", MSW_PARAMS_MAX);
        return;
    }
    msw_schema_defaults(&plan->schema, plan->space.base);
    l->ready = true;
}

/* The front end, not in use here, whose parameter is asked for. */
static const msw_frontend *front_of(const char *name)
{
    for (size_t f = 0; msw_frontends[f]; f++)
        for (const msw_param *p = msw_frontends[f]->params; p && p->name; p++)
            if (msw_key_same(p->name, name))
                return msw_frontends[f];
    return NULL;
}

int msw_loader_param(msw_loader *l, const msw_node *key)
{
    const msw_schema *schema = &l->plan->schema;
    int index = msw_schema_find(schema, key->text);
    if (index >= 0)
        return index;
    const msw_frontend *frontend = front_of(key->text);
    const char *nearest = msw_schema_nearest(schema, key->text);
    if (frontend && !l->workloads_wrong)
        msw_loader_say(l, key, "parameter '%s' belongs to workloads of '%s', and none is listed",
                       key->text, frontend->name);
    else if (!frontend)
        msw_loader_say(l, key,
                       "unknown parameter '%s'%s%s%s ('memsweep describe %s --all' shows all)",
                       key->text, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?" : "", l->plan->mech->name);
    return -1;
}

int msw_loader_claim(msw_loader *l, const msw_node *key, const char *word)
{
    int index = msw_loader_param(l, key);
    if (index < 0)
        return -1;
    const msw_node *other = l->setter[index];
    if (other) {
        msw_loader_say(l, key, "'%s' is %s here, but %s at %s:%d:%d", key->text, word,
                       l->setter_word[index], other->file, other->line, other->column);
        return -1;
    }
    l->setter[index] = key;
    l->plan->decided[index] = MSW_DECIDED_BY_FILE;
    l->setter_word[index] = word;
    return index;
}

static void decide(msw_loader *l, size_t index, double value)
{
    msw_schema_set(&l->plan->schema, index, l->plan->space.base, value);
    l->plan->decided[index] = MSW_DECIDED_BY_PRESET;
}

static void apply_preset(msw_loader *l, const msw_node *node, const msw_preset *preset)
{
    const msw_schema *schema = &l->plan->schema;
    for (const msw_preset_value *v = preset->values; v->param; v++) {
        int index = msw_schema_find(schema, v->param);
        double value;
        msw_err err = {0};
        if (index < 0)
            msw_loader_say(l, node,
                           "preset '%s' sets '%s', which is no parameter of the mechanism or of "
                           "the front ends in use",
                           preset->name, v->param);
        else if (msw_param_parse(schema->params[index], v->value, &value, &err))
            msw_loader_fail(l, &err, node, "preset '%s': %s", preset->name, err.text);
        else
            decide(l, (size_t)index, value);
    }
}

void msw_step_preset(msw_loader *l)
{
    static const char *const NONE[] = {NULL};
    const msw_node *node = msw_loader_top(l, "preset");
    if (!l->ready || !node || !msw_loader_word(l, node, "preset"))
        return;
    const msw_preset *presets = l->plan->mech->presets;
    for (const msw_preset *p = presets; p && p->name; p++)
        if (strcmp(p->name, node->text) == 0) {
            apply_preset(l, node, p);
            return;
        }
    if (presets)
        msw_loader_unknown(l, node, "preset", &presets->name, sizeof *presets);
    else
        msw_loader_unknown(l, node, "preset", NONE, sizeof *NONE);
}

/* One bare word is a value, however it is quoted, unless it names a parameter. */
static bool is_expression(const msw_loader *l, const msw_node *node)
{
    static const char WORD[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-%";
    if (!node->quoted)
        return false;
    return node->text[strspn(node->text, WORD)] != '\0' ||
           msw_schema_find(&l->plan->schema, node->text) >= 0;
}

static void fix_one(msw_loader *l, const msw_node *key, const msw_node *node)
{
    int index = msw_loader_claim(l, key, "fixed");
    if (index < 0 || !msw_loader_word(l, node, key->text))
        return;
    const msw_param *param = l->plan->schema.params[index];
    double value;
    msw_err err = {0};
    if (msw_param_parse(param, node->text, &value, &err) == 0)
        msw_schema_set(&l->plan->schema, (size_t)index, l->plan->space.base, value);
    else if (is_expression(l, node))
        msw_loader_expr(l, node, "fix", node->text, index);
    else if (!node->quoted && strpbrk(node->text, "+*/()<>"))
        msw_loader_fail(l, &err, node, "%s (an expression is written in quotes)", err.text);
    else
        msw_loader_fail(l, &err, node, "%s", err.text);
}

void msw_step_fix(msw_loader *l)
{
    const msw_node *fix = msw_loader_top(l, "fix");
    if (!l->ready || !fix || !msw_loader_is(l, fix, MSW_NODE_MAP, "fix"))
        return;
    for (size_t i = 0; i < fix->count; i++)
        fix_one(l, fix->keys[i], fix->items[i]);
}
