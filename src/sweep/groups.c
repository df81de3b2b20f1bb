/* SPDX-License-Identifier: MIT */
/* Groups of a design: factors that vary as one. */
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
    size_t *count = &plan->design_input.group_count;
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
        plan->group_names[*count] = msw_strdup(name);
        if (!plan->group_names[(*count)++])
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
    plan->design_input.group_of = group_of;
    plan->group_names = calloc(factors + 1, sizeof *plan->group_names);
    if (!group_of || !number || !plan->group_names) {
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
