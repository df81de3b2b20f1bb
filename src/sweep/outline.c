/* SPDX-License-Identifier: MIT */
/* Reads a canonical text back: it is YAML, so the reader of sweep files does it. */
#include "memsweep/sweep/outline.h"

#include "memsweep/program/external.h"
#include "sweep/loader.h"

#include "memsweep/sweep/recorded.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const msw_node *map, const char *key)
{
    const msw_node *node = map ? msw_node_get(map, key) : NULL;
    return node && node->text ? node->text : "";
}

static int read_head(const msw_node *root, msw_outline *o, msw_err *err)
{
    const msw_node *design = msw_node_get(root, "design");
    const char *mech = text_of(msw_node_get(root, "mechanism"), "name");
    if (msw_external_is_declared(root) && msw_external_read(root, mech, &o->external, err))
        return -1;
    o->mech = o->external ? &o->external->mech : msw_mech_find(*mech ? mech : "null");
    o->design = msw_design_find(text_of(design, "kind"));
    if (!o->mech || !o->design)
        return msw_fail(err, "this memsweep has no %s '%s'", o->mech ? "design" : "mechanism",
                        o->mech ? text_of(design, "kind") : mech);
    o->second_order = strcmp(text_of(design, "second_order"), "on") == 0;
    o->scrambles = strtoull(text_of(design, "scrambles"), NULL, 10);
    o->scrambles = o->scrambles ? o->scrambles : 1;
    o->conditional = strcmp(text_of(design, "constrained"), "conditional") == 0 &&
                     msw_node_get(root, "where") != NULL;
    o->confidence = strtod(text_of(msw_node_get(root, "sampling"), "confidence"), NULL);
    const char *fidelity = text_of(root, "fidelity");
    o->automatic = strcmp(fidelity, "auto") == 0;
    fidelity += strncmp(fidelity, "auto-", 5) == 0 ? 5 : 0;
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (strcmp(fidelity, msw_fidelity_name((msw_fidelity)f)) == 0)
            o->fidelity = (msw_fidelity)f;
    o->replicates = strtoull(text_of(root, "replicates"), NULL, 10);
    return 0;
}

static int read_fronts(const msw_node *root, msw_outline *o, msw_err *err)
{
    const msw_node *list = msw_node_get(root, "workloads");
    o->workload_count = list ? list->count : 0;
    o->frontends = calloc(o->workload_count + 1, sizeof *o->frontends);
    o->workload_names = calloc(o->workload_count + 1, sizeof *o->workload_names);
    if (!o->frontends || !o->workload_names)
        return msw_fail_memory(err);
    for (size_t w = 0; w < o->workload_count; w++) {
        o->workload_names[w] = msw_strdup(text_of(list->items[w], "name"));
        if (!o->workload_names[w])
            return msw_fail_memory(err);
        if (o->external)
            continue;
        const char *name = text_of(list->items[w], "front");
        const msw_frontend *frontend = msw_frontend_find(name);
        size_t i = 0;
        if (!frontend)
            return msw_fail(err, "this memsweep has no front end '%s'", name);
        while (i < o->frontend_count && o->frontends[i] != frontend)
            i++;
        o->frontends[i] = frontend;
        o->frontend_count += i == o->frontend_count;
    }
    return 0;
}

static const msw_param *find_param(const msw_outline *o, const char *name)
{
    const msw_param *param = msw_params_find(o->mech->params, name);
    for (size_t i = 0; !param && i < o->frontend_count; i++)
        param = msw_params_find(o->frontends[i]->params, name);
    return param;
}

static int read_targets(const msw_outline *o, const msw_node *of, msw_outline_factor *f,
                        msw_err *err)
{
    f->target_count = of ? of->count : 1;
    if (!f->target_count)
        return msw_fail_kind(err, MSW_ERR_IO, "factor '%s' sets nothing", f->name);
    f->targets = calloc(f->target_count + 1, sizeof *f->targets);
    if (!f->targets)
        return msw_fail_memory(err);
    for (size_t t = 0; t < f->target_count; t++) {
        const char *name = of ? of->items[t]->text : f->name;
        f->targets[t] = find_param(o, name);
        if (!f->targets[t])
            return msw_fail(err, "this memsweep has no parameter '%s'", name);
    }
    return 0;
}

static int read_range(const msw_node *map, msw_outline_factor *f, msw_err *err)
{
    static const char *const SCALES[] = {"linear", "pow2", "log"};
    f->from = f->to = NAN;
    if (!msw_node_get(map, "from"))
        return 0;
    for (int s = 0; s < 3; s++)
        if (strcmp(text_of(map, "scale"), SCALES[s]) == 0)
            f->scale = (msw_scale)s;
    MSW_TRY(msw_param_parse(f->targets[0], text_of(map, "from"), &f->from, err));
    return msw_param_parse(f->targets[0], text_of(map, "to"), &f->to, err);
}

static int read_factor(const msw_outline *o, const char *name, const msw_node *map,
                       msw_outline_factor *f, msw_err *err)
{
    const msw_node *values = msw_node_get(map, "values");
    f->name = msw_strdup(name);
    if (!f->name)
        return msw_fail_memory(err);
    if (read_targets(o, msw_node_get(map, "of"), f, err))
        return -1;
    f->levels =
        values ? values->count / f->target_count : strtoull(text_of(map, "levels"), NULL, 10);
    f->conditional = msw_node_get(map, "when") != NULL;
    return read_range(map, f, err);
}

static int read_factors(const msw_node *root, msw_outline *o, msw_err *err)
{
    const msw_node *vary = msw_node_get(root, "vary");
    size_t count = vary ? vary->count : 0;
    o->factors = calloc(count + 1, sizeof *o->factors);
    if (!o->factors)
        return msw_fail_memory(err);
    for (; o->factor_count < count; o->factor_count++)
        if (read_factor(o, vary->keys[o->factor_count]->text, vary->items[o->factor_count],
                        &o->factors[o->factor_count], err)) {
            o->factor_count++;
            return -1;
        }
    return 0;
}

/* Group of a factor by the design's mapping. Returns its number, or the number of groups. */
static size_t find_group(const msw_node *groups, const char *factor)
{
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->items[g]->count; i++)
            if (strcmp(groups->items[g]->items[i]->text, factor) == 0)
                return g;
    return groups->count;
}

/* Without groups every factor is its own. */
static int read_groups(const msw_node *root, msw_outline *o, msw_err *err)
{
    const msw_node *design = msw_node_get(root, "design");
    const msw_node *groups = design ? msw_node_get(design, "groups") : NULL;
    size_t count = groups ? groups->count : o->factor_count;
    o->group_of = calloc(o->factor_count + 1, sizeof *o->group_of);
    o->group_names = calloc(count + 1, sizeof *o->group_names);
    if (!o->group_of || !o->group_names)
        return msw_fail_memory(err);
    for (size_t f = 0; f < o->factor_count; f++) {
        size_t group = groups ? find_group(groups, o->factors[f].name) : f;
        o->group_of[f] = (unsigned)group;
        if (group == count)
            return msw_fail_kind(err, MSW_ERR_IO, "factor '%s' is in no group", o->factors[f].name);
    }
    for (; o->group_count < count; o->group_count++) {
        size_t g = o->group_count;
        o->group_names[g] = msw_strdup(groups ? groups->keys[g]->text : o->factors[g].name);
        if (!o->group_names[g])
            return msw_fail_memory(err);
    }
    return 0;
}

int msw_outline_read(const char *canonical, msw_outline *o, msw_err *err)
{
    msw_arena arena = {0};
    msw_diagnostics diagnostics = {0};
    msw_node *root = NULL;
    *o = (msw_outline){0};
    int rc =
        msw_sweep_parse("sweep", canonical, strlen(canonical), &arena, &diagnostics, &root) || !root
            ? msw_fail_kind(err, MSW_ERR_IO, "the text of the sweep cannot be read")
            : 0;
    if (rc == 0)
        rc = read_head(root, o, err) || read_fronts(root, o, err) || read_factors(root, o, err) ||
             read_groups(root, o, err);
    msw_diagnostics_free(&diagnostics);
    msw_arena_free(&arena);
    if (rc)
        msw_outline_free(o);
    return rc ? -1 : 0;
}

uint64_t msw_outline_group(const msw_outline *o)
{
    uint64_t movers = o->group_count;
    if (strcmp(o->design->name, "saltelli") == 0)
        return (o->second_order ? 2 : 1) * movers + 2;
    return strcmp(o->design->name, "morris") == 0 ? movers + 1 : 1;
}

void msw_outline_free(msw_outline *o)
{
    for (size_t f = 0; f < o->factor_count; f++) {
        free(o->factors[f].name);
        free(o->factors[f].targets);
    }
    for (size_t g = 0; g < o->group_count; g++)
        free(o->group_names[g]);
    free(o->group_names);
    free(o->group_of);
    free(o->factors);
    for (size_t w = 0; o->workload_names && w < o->workload_count; w++)
        free(o->workload_names[w]);
    free(o->workload_names);
    free(o->frontends);
    msw_external_free(o->external);
    *o = (msw_outline){0};
}

static int wrong(const char *what, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "the text of the sweep cannot be read: %s", what);
}

static int read_workloads(const msw_node *root, msw_recorded *r, msw_err *err)
{
    const msw_node *list = msw_node_get(root, "workloads");
    if (!list || list->kind != MSW_NODE_LIST || !list->count)
        return wrong("no list of workloads", err);
    r->workloads = calloc(list->count + 1, sizeof *r->workloads);
    if (!r->workloads)
        return msw_fail_memory(err);
    for (size_t i = 0; i < list->count; i++) {
        const msw_node *name = msw_node_get(list->items[i], "name");
        if (!name || name->kind != MSW_NODE_SCALAR)
            return wrong("a workload without a name", err);
        char *copy = msw_strdup(name->text);
        if (!copy)
            return msw_fail_memory(err);
        r->workloads[r->workload_count++] = copy;
    }
    return 0;
}

static int read_derived(const msw_node *root, msw_recorded *r, msw_err *err)
{
    const msw_node *map = msw_node_get(root, "derive");
    if (!map)
        return 0;
    if (map->kind != MSW_NODE_MAP)
        return wrong("'derive' is no mapping", err);
    r->derived = calloc(map->count + 1, sizeof *r->derived);
    if (!r->derived)
        return msw_fail_memory(err);
    for (size_t i = 0; i < map->count; i++) {
        const msw_node *node = map->items[i];
        node = node->kind == MSW_NODE_MAP ? msw_node_get(node, "expr") : node;
        if (!node || node->kind != MSW_NODE_SCALAR)
            return wrong("a derived column that is no expression", err);
        msw_derived *d = &r->derived[r->derived_count++];
        *d = (msw_derived){.name = msw_strdup(map->keys[i]->text), .text = msw_strdup(node->text)};
        if (!d->name || !d->text)
            return msw_fail_memory(err);
    }
    return 0;
}

int msw_recorded_read(const char *canonical, msw_recorded *r, msw_err *err)
{
    msw_arena arena = {0};
    msw_diagnostics diagnostics = {0};
    msw_node *root = NULL;
    *r = (msw_recorded){0};
    int rc =
        msw_sweep_parse("sweep", canonical, strlen(canonical), &arena, &diagnostics, &root) || !root
            ? wrong("it is no YAML", err)
            : 0;
    if (rc == 0 && root->kind != MSW_NODE_MAP)
        rc = wrong("it is no mapping", err);
    if (rc == 0)
        rc = read_workloads(root, r, err) || read_derived(root, r, err);
    msw_diagnostics_free(&diagnostics);
    msw_arena_free(&arena);
    if (rc)
        msw_recorded_free(r);
    return rc ? -1 : 0;
}

void msw_recorded_free(msw_recorded *r)
{
    for (size_t i = 0; i < r->workload_count; i++)
        free(r->workloads[i]);
    for (size_t i = 0; i < r->derived_count; i++) {
        free(r->derived[i].name);
        free(r->derived[i].text);
        free(r->derived[i].unit);
    }
    free(r->workloads);
    free(r->derived);
    *r = (msw_recorded){0};
}
