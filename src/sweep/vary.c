/* SPDX-License-Identifier: MIT */
/* `vary`: one factor per parameter, as a list, as `all`, or as a range. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <string.h>

static bool all_choices(msw_loader *l, const msw_param *param, const msw_node *at,
                        msw_factor *factor)
{
    size_t count = msw_param_choices(param);
    if (count == 0) {
        msw_loader_say(l, at, "%s: 'all' is for choices and switches, write a list or from .. to",
                       param->name);
        return false;
    }
    if (!msw_factor_values(l, count, factor))
        return false;
    for (size_t i = 0; i < count; i++)
        factor->values[i] = (double)i;
    return true;
}

static bool listed_values(msw_loader *l, const msw_param *param, const msw_node *list,
                          msw_factor *factor)
{
    bool good = true;
    if (list->count == 0) {
        msw_loader_say(l, list, "%s: the list is empty", param->name);
        return false;
    }
    if (!msw_factor_values(l, list->count, factor))
        return false;
    for (size_t i = 0; i < list->count; i++)
        good &= msw_loader_value(l, param, list->items[i], &factor->values[i]);
    size_t repeated = good ? msw_repeated(factor->values, list->count) : list->count;
    if (repeated < list->count) {
        char text[MSW_PARAM_TEXT];
        msw_loader_say(l, list->items[repeated], "%s: value %s is listed twice", param->name,
                       msw_param_print(param, factor->values[repeated], text));
    }
    return good && repeated == list->count;
}

static bool some_values(msw_loader *l, const msw_param *param, const msw_node *node,
                        msw_factor *factor)
{
    if (node->kind == MSW_NODE_LIST)
        return listed_values(l, param, node, factor);
    if (node->kind == MSW_NODE_SCALAR && strcmp(node->text, "all") == 0)
        return all_choices(l, param, node, factor);
    if (node->kind == MSW_NODE_SCALAR)
        msw_loader_say(l, node,
                       "%s: one value does not vary; put it under 'fix', or write a list or "
                       "{from: .., to: ..}",
                       param->name);
    else
        msw_loader_say(l, node, "%s: found %s, expected a list of values or {from: .., to: ..}",
                       param->name, msw_node_what(node));
    return false;
}

static bool read_when(msw_loader *l, const msw_node *map, int index, msw_factor *factor)
{
    const msw_node *when = msw_node_get(map, "when");
    if (!when)
        return true;
    const char *text = msw_loader_word(l, when, "when");
    msw_pending *pending = text ? msw_loader_expr(l, when, "when", text, index) : NULL;
    if (!pending)
        return false;
    factor->when = msw_strdup(pending->text);
    if (!factor->when)
        msw_loader_memory(l);
    return factor->when != NULL;
}

static bool from_map(msw_loader *l, int index, const msw_node *map, msw_factor *factor)
{
    static const char *const LIST_KEYS[] = {"values", "when", NULL};
    const msw_param *param = l->plan->schema.params[index];
    const msw_node *values = msw_node_get(map, "values");
    bool good;
    if (values) {
        msw_loader_check_keys(l, map, LIST_KEYS);
        good = some_values(l, param, values, factor);
    } else {
        good = msw_loader_range(l, param, map, factor);
    }
    return read_when(l, map, index, factor) && good;
}

static void vary_one(msw_loader *l, const msw_node *key, const msw_node *node)
{
    int index = msw_loader_claim(l, key, "varied");
    if (index < 0)
        return;
    const msw_param *param = l->plan->schema.params[index];
    msw_factor factor;
    bool good = msw_factor_make(l, param->name, 1, &factor);
    if (good) {
        factor.targets[0] = (size_t)index;
        factor.scale = param->scale;
        good = node->kind == MSW_NODE_MAP ? from_map(l, index, node, &factor)
                                          : some_values(l, param, node, &factor);
    }
    if (good)
        msw_loader_add_factor(l, key, &factor);
    else
        msw_factor_free(&factor);
}

void msw_step_vary(msw_loader *l)
{
    const msw_node *vary = msw_loader_top(l, "vary");
    if (!l->ready || !vary || !msw_loader_is(l, vary, MSW_NODE_MAP, "vary"))
        return;
    for (size_t i = 0; i < vary->count; i++)
        vary_one(l, vary->keys[i], vary->items[i]);
}
