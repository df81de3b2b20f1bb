/* SPDX-License-Identifier: MIT */
/* Reads `vary` (one factor per parameter, as a list, as `all`, or as a range) and groups of a
 * design: factors that vary as one. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ALONE = UINT_MAX };

static size_t find_factor(const msw_space *space, const char *name)
{
    size_t f = 0;
    while (f < space->factor_count && !msw_key_same(space->factors[f].name, name))
        f++;
    return f;
}

static void add_member(msw_loader *l, const msw_node *node, unsigned group, unsigned *group_of)
{
    const char *name = msw_loader_word(l, node, "member of a group");
    if (!name)
        return;
    size_t f = find_factor(&l->plan->space, name);
    if (f == l->plan->space.factor_count)
        msw_loader_say(l, node, "groups: '%s' is no factor that varies", name);
    else if (group_of[f] != ALONE)
        msw_loader_say(l, node, "groups: '%s' is listed twice", name);
    else
        group_of[f] = group;
}

/* Not a column, so SQL keywords will do; the canonical text holds it without quotes. */
static bool is_spelt_well(const char *name)
{
    return islower((unsigned char)*name) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static void check_name(msw_loader *l, const msw_node *key, unsigned group, const unsigned *group_of)
{
    size_t f = find_factor(&l->plan->space, key->text);
    if (!is_spelt_well(key->text))
        msw_loader_say(l, key,
                       "groups: '%s' is no name: a name is a lower-case letter, then lower-case "
                       "letters, digits and underscores",
                       key->text);
    else if (f < l->plan->space.factor_count && group_of[f] != group)
        msw_loader_say(l, key, "groups: '%s' is the name of a factor outside of the group",
                       key->text);
}

static void read_group(msw_loader *l, const msw_node *node, unsigned group, unsigned *group_of)
{
    if (node->kind == MSW_NODE_SCALAR)
        add_member(l, node, group, group_of);
    else if (!msw_loader_is(l, node, MSW_NODE_LIST, "group"))
        return;
    else if (node->count == 0)
        msw_loader_say(l, node, "groups: a group without factors");
    for (size_t i = 0; node->kind == MSW_NODE_LIST && i < node->count; i++)
        add_member(l, node->items[i], group, group_of);
}

/* Numbers the groups by their first factors and names them; who is in none is one of its own. */
static bool number_groups(msw_plan *plan, const msw_node *map, unsigned *group_of, unsigned *number)
{
    size_t *count = &plan->design.input.group_count;
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        unsigned written = group_of[f];
        if (written != ALONE && number[written] != ALONE) {
            group_of[f] = number[written];
            continue;
        }
        const char *name =
            written == ALONE ? plan->space.factors[f].name : map->keys[written]->text;
        if (written != ALONE)
            number[written] = (unsigned)*count;
        group_of[f] = (unsigned)*count;
        plan->design.group_names[*count] = msw_strdup(name);
        if (!plan->design.group_names[(*count)++])
            return false;
    }
    return true;
}

static unsigned *none_yet(unsigned *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++)
        list[i] = ALONE;
    return list;
}

void msw_loader_groups(msw_loader *l)
{
    const msw_node *design = msw_loader_top(l, "design");
    const msw_node *map = design ? msw_node_get(design, "groups") : NULL;
    msw_plan *plan = l->plan;
    size_t factors = plan->space.factor_count;
    if (!map || !msw_loader_is(l, map, MSW_NODE_MAP, "groups") || map->count == 0)
        return;
    unsigned *group_of = none_yet(malloc((factors + 1) * sizeof *group_of), factors);
    unsigned *number = none_yet(msw_arena_take(&l->arena, map->count * sizeof *number), map->count);
    plan->design.input.group_of = group_of;
    plan->design.group_names = calloc(factors + 1, sizeof *plan->design.group_names);
    if (!group_of || !number || !plan->design.group_names) {
        msw_loader_memory(l);
        return;
    }
    for (unsigned g = 0; g < map->count; g++) {
        read_group(l, map->items[g], g, group_of);
        check_name(l, map->keys[g], g, group_of);
    }
    if (l->diagnostics.count == 0 && !number_groups(plan, map, group_of, number))
        msw_loader_memory(l);
}

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
