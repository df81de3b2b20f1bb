/* SPDX-License-Identifier: MIT */
/* The order of things: factors by name, conditions and computed values after what they need. */
#include "sweep/loader.h"

#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

static const msw_pending *find(const msw_loader *l, const char *what, size_t target)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (l->pending[i].target == (int)target && strcmp(l->pending[i].what, what) == 0)
            return &l->pending[i];
    return NULL;
}

/* Whether all an expression uses is there: what no other pending expression of the kind sets, or
 * what has been placed. */
static bool is_served(const msw_loader *l, const msw_pending *p, const bool *placed)
{
    for (size_t i = 0; i < p->used_count; i++)
        if (find(l, p->what, (size_t)p->used[i]) && !placed[p->used[i]])
            return false;
    return true;
}

typedef struct entry {
    msw_factor factor;
    const msw_node *at;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return strcmp(x->factor.name, y->factor.name);
}

static bool can_go(const msw_loader *l, const entry *e, const bool *placed)
{
    const msw_pending *when = e->factor.when ? find(l, "when", e->factor.targets[0]) : NULL;
    return !when || is_served(l, when, placed);
}

/* Moves the first entry that can go to position `at`, the others keep their order. */
static bool bring(const msw_loader *l, entry *list, size_t at, size_t count, const bool *placed)
{
    size_t i = at;
    while (i < count && !can_go(l, &list[i], placed))
        i++;
    if (i == count)
        return false;
    entry chosen = list[i];
    memmove(&list[at + 1], &list[at], (i - at) * sizeof *list);
    list[at] = chosen;
    return true;
}

static void order_factors(msw_loader *l, bool *placed)
{
    msw_space *space = &l->plan->space;
    size_t count = space->factor_count;
    entry *list = msw_arena_zero(&l->arena, count + 1, sizeof *list);
    if (!list) {
        msw_loader_memory(l);
        return;
    }
    for (size_t f = 0; f < count; f++)
        list[f] = (entry){space->factors[f], l->factor_at[f]};
    msw_sort(list, count, sizeof *list, by_name);
    for (size_t f = 0; f < count; f++) {
        if (!bring(l, list, f, count, placed)) {
            msw_loader_say(l, list[f].at, "the conditions of '%s' go round in a circle",
                           list[f].factor.name);
            break;
        }
        for (size_t t = 0; t < list[f].factor.target_count; t++)
            placed[list[f].factor.targets[t]] = true;
    }
    for (size_t f = 0; f < count; f++) {
        space->factors[f] = list[f].factor;
        l->factor_at[f] = list[f].at;
    }
}

static const char *target_name(const msw_loader *l, const msw_pending *p)
{
    return l->plan->schema.params[p->target]->name;
}

/* The next computed value: of those whose ground is laid, the first by name. */
static const msw_pending *next_fixed(const msw_loader *l, const bool *placed)
{
    const msw_pending *best = NULL;
    for (size_t i = 0; i < l->pending_count; i++) {
        const msw_pending *p = &l->pending[i];
        if (strcmp(p->what, "fix") != 0 || placed[p->target] || !is_served(l, p, placed))
            continue;
        if (!best || strcmp(target_name(l, p), target_name(l, best)) < 0)
            best = p;
    }
    return best;
}

static void tell_circle(msw_loader *l, const bool *placed)
{
    msw_text names = MSW_TEXT_EMPTY;
    const msw_pending *first = NULL;
    for (size_t i = 0; i < l->pending_count; i++) {
        const msw_pending *p = &l->pending[i];
        if (strcmp(p->what, "fix") != 0 || placed[p->target])
            continue;
        first = first ? first : p;
        msw_text_add(&names, "%s%s", names.size ? ", " : "", target_name(l, p));
    }
    if (first)
        msw_loader_say(l, first->at, "fix: these depend on one another in a circle: %s",
                       msw_text_str(&names));
    msw_text_free(&names);
}

static void order_fixed(msw_loader *l, bool *placed)
{
    msw_space *space = &l->plan->space;
    size_t count = 0;
    for (size_t i = 0; i < l->pending_count; i++)
        count += strcmp(l->pending[i].what, "fix") == 0;
    space->fixed = calloc(count + 1, sizeof *space->fixed);
    const msw_pending *p;
    while (space->fixed && (p = next_fixed(l, placed)) != NULL) {
        placed[p->target] = true;
        space->fixed[space->fixed_count++] =
            (msw_fixed_expr){(size_t)p->target, msw_strdup(p->text)};
        if (!space->fixed[space->fixed_count - 1].text)
            break;
    }
    if (!space->fixed)
        msw_loader_memory(l);
    else if (space->fixed_count < count)
        tell_circle(l, placed);
}

static bool all_good(const msw_loader *l)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (!l->pending[i].good)
            return false;
    return true;
}

void msw_step_order(msw_loader *l)
{
    if (!l->ready || !all_good(l))
        return;
    size_t count = l->plan->schema.count + 1;
    bool *factors = msw_arena_zero(&l->arena, count, sizeof *factors);
    bool *fixed = msw_arena_zero(&l->arena, count, sizeof *fixed);
    if (!factors || !fixed) {
        msw_loader_memory(l);
        return;
    }
    order_factors(l, factors);
    order_fixed(l, fixed);
}
