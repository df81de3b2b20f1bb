/* SPDX-License-Identifier: MIT */
#include "memsweep/reproduce/conditions.h"

#include <stdlib.h>
#include <string.h>

const msw_condition msw_conditions_known[] = {
    {"htmmu", "rate", "requester = 'open'"},
    {"htmmu", "burst", "requester = 'open'"},
    {"htmmu", "peak_rate", "requester = 'open'"},
    {"htmmu", "router_bit", "streams > 1 AND router <> 'none' AND router_by = 'address'"},
    {"htmmu", "free_choice", "streams > 1 AND router = 'adaptive'"},
    {"htmmu", "divert", "streams > 1 AND router = 'adaptive'"},
    {"htmmu", "coalesce_fill", "l1_coalesce > 1 OR l2_coalesce > 1"},
    {"htmmu", "large_share", "large_page > 0"},
    {"htmmu", "memory_path", "memory_model = 'banks'"},
    {"htmmu", "table_line_ways", "table_lines > 0"},
    {"htmmu", "table_line_cycles", "table_lines > 0"},
    {"neummu", "tlb2_ways", "tlb2_entries > 0"},
    {"neummu", "tlb2_cycles", "tlb2_entries > 0"},
    {"neummu", "path_entries", "path_cache = 'shared' OR path_cache = 'unified'"},
    {"neummu", "path_ways", "path_cache = 'unified'"},
    {"neummu", "table_line_ways", "table_lines > 0"},
    {"neummu", "table_line_cycles", "table_lines > 0"},
    {"neummu", "queue_reprobe", "walk_queue > 0"},
    {"neummu", "slot_bytes", "prmb_slots > 0"},
    {0},
};

typedef struct compiled {
    const char *param;
    msw_expr *expr;
} compiled;

struct msw_conditions {
    const msw_mech *mech;
    msw_expr_host *host;
    compiled *list;
    size_t count;
};

static int open_host(msw_conditions *c, msw_err *err)
{
    size_t count = msw_params_count(c->mech->params);
    msw_expr_name *names = calloc(count + 1, sizeof *names);
    if (!names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        names[i] = (msw_expr_name){c->mech->params[i].name, msw_param_type(&c->mech->params[i])};
    int rc = msw_expr_host_new(names, count, &c->host, err);
    free(names);
    return rc;
}

static int compile(msw_conditions *c, msw_err *err)
{
    size_t known = sizeof msw_conditions_known / sizeof *msw_conditions_known;
    c->list = calloc(known, sizeof *c->list);
    if (!c->list)
        return msw_fail_memory(err);
    for (const msw_condition *k = msw_conditions_known; k->mech; k++) {
        if (strcmp(k->mech, c->mech->name) != 0)
            continue;
        c->list[c->count].param = k->param;
        if (msw_expr_new(c->host, k->holds, &c->list[c->count].expr, err))
            return msw_fail_prefix(err, "%s, %s: ", k->mech, k->param);
        c->count++;
    }
    return 0;
}

int msw_conditions_new(const msw_mech *mech, msw_conditions **conditions, msw_err *err)
{
    msw_conditions *c = calloc(1, sizeof *c);
    *conditions = c;
    if (!c)
        return msw_fail_memory(err);
    c->mech = mech;
    if (open_host(c, err) == 0 && compile(c, err) == 0)
        return 0;
    msw_conditions_free(c);
    *conditions = NULL;
    return -1;
}

void msw_conditions_free(msw_conditions *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        msw_expr_free(c->list[i].expr);
    msw_expr_host_free(c->host);
    free(c->list);
    free(c);
}

static const compiled *find(const msw_conditions *c, const char *param)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].param, param) == 0)
            return &c->list[i];
    return NULL;
}

int msw_conditions_hold(const msw_conditions *c, const char *param, const void *config,
                        msw_err *err)
{
    const compiled *it = find(c, param);
    if (!it)
        return 1;
    const int *used;
    size_t count = msw_expr_used(it->expr, &used);
    for (size_t k = 0; k < count; k++)
        msw_param_bind(&c->mech->params[used[k]], config, it->expr, k);
    return msw_expr_true(it->expr, err);
}

bool msw_conditions_ask(const msw_conditions *c, const char *param, const char *other)
{
    const compiled *it = find(c, param);
    const int *used;
    size_t count = it ? msw_expr_used(it->expr, &used) : 0;
    for (size_t k = 0; k < count; k++)
        if (strcmp(c->mech->params[used[k]].name, other) == 0)
            return true;
    return false;
}
