/* SPDX-License-Identifier: MIT */
/* A canonical text is YAML, so the reader of sweep files reads it back. */
#include "memsweep/sweep/recorded.h"

#include "sweep/node.h"

#include <stdlib.h>
#include <string.h>

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
        if (map->items[i]->kind != MSW_NODE_SCALAR)
            return wrong("a derived column that is no expression", err);
        msw_derived *d = &r->derived[r->derived_count++];
        *d = (msw_derived){msw_strdup(map->keys[i]->text), msw_strdup(map->items[i]->text)};
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
        msw_yaml_parse("sweep", canonical, strlen(canonical), &arena, &diagnostics, &root) || !root
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
    }
    free(r->workloads);
    free(r->derived);
    *r = (msw_recorded){0};
}
