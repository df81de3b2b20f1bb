/* SPDX-License-Identifier: MIT */
/* `objectives`: what is better. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *find_column(const msw_loader *l, const char *name)
{
    const msw_plan *plan = l->plan;
    int metric = msw_metrics_find(plan->mech->metrics, name);
    if (metric >= 0)
        return plan->mech->metrics[metric].name;
    for (size_t i = 0; i < plan->derived_count; i++)
        if (strcmp(plan->derived[i].name, name) == 0)
            return name;
    int param = msw_schema_find(&plan->schema, name);
    return param >= 0 ? plan->schema.params[param]->name : NULL;
}

static void unknown_column(msw_loader *l, const msw_node *node)
{
    /* A derived column that is wrong itself has been reported already. */
    const msw_node *derive = msw_loader_top(l, "derive");
    if (derive && msw_node_find(derive, node->text) < derive->count)
        return;
    const msw_metric *metrics = l->plan->mech->metrics;
    const char *nearest = msw_schema_nearest(&l->plan->schema, node->text);
    if (nearest && !msw_nearest(node->text, &metrics->name, sizeof *metrics))
        msw_loader_say(l, node, "unknown objective '%s', did you mean '%s'?", node->text, nearest);
    else
        msw_loader_unknown(l, node, "objective", &metrics->name, sizeof *metrics);
}

static void add_objective(msw_loader *l, const msw_node *node, msw_goal goal)
{
    msw_plan *plan = l->plan;
    const char *word = msw_loader_word(l, node, "objective");
    const char *name = word ? find_column(l, word) : NULL;
    if (word && !name)
        unknown_column(l, node);
    for (size_t i = 0; name && i < plan->objective_count; i++)
        if (strcmp(plan->objectives[i].name, name) == 0) {
            msw_loader_say(l, node, "objective '%s' is listed twice", name);
            return;
        }
    if (!name)
        return;
    msw_objective *list = realloc(plan->objectives, (plan->objective_count + 1) * sizeof *list);
    if (list)
        plan->objectives = list;
    char *copy = list ? msw_strdup(name) : NULL;
    if (copy)
        list[plan->objective_count++] = (msw_objective){copy, goal};
    else
        msw_loader_memory(l);
}

static void add_objectives(msw_loader *l, const msw_node *map, const char *key, msw_goal goal)
{
    const msw_node *node = msw_node_get(map, key);
    if (node && node->kind == MSW_NODE_LIST)
        for (size_t i = 0; i < node->count; i++)
            add_objective(l, node->items[i], goal);
    else if (node)
        add_objective(l, node, goal);
}

void msw_step_objectives(msw_loader *l)
{
    static const char *const KEYS[] = {"minimize", "maximize", NULL};
    const msw_node *map = msw_loader_top(l, "objectives");
    if (!l->ready || !map || !msw_loader_is(l, map, MSW_NODE_MAP, "objectives"))
        return;
    msw_loader_check_keys(l, map, KEYS);
    add_objectives(l, map, "minimize", MSW_GOAL_LOWER);
    add_objectives(l, map, "maximize", MSW_GOAL_HIGHER);
}
