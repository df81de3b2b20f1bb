/* SPDX-License-Identifier: MIT */
#include "memsweep/reproduce/conditions.h"

#include <stdlib.h>
#include <string.h>

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

static int compile(msw_conditions *c, msw_err *err)
{
    c->list = calloc(msw_params_count(c->mech->params) + 1, sizeof *c->list);
    if (!c->list)
        return msw_fail_memory(err);
    for (const msw_param *p = c->mech->params; p && p->name; p++) {
        if (!p->acts)
            continue;
        c->list[c->count].param = p->name;
        if (msw_expr_new(c->host, p->acts, &c->list[c->count].expr, err))
            return msw_fail_prefix(err, "%s, %s: ", c->mech->name, p->name);
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
    if (msw_params_host(mech->params, &c->host, err) == 0 && compile(c, err) == 0)
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
