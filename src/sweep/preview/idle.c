/* SPDX-License-Identifier: MIT */
/* Finds what a sweep sets or varies without effect: values that act nowhere, levels that cannot be,
 * points that are equal. No point is evaluated: tables and rules say it. */
#include "memsweep/sweep/idle.h"

#include "memsweep/base/map.h"
#include "memsweep/sweep/acting.h"
#include "memsweep/sweep/preview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED = 4096, LEVELS = 256 };

/* How many of the points tried have a level, and how many of these the rules allow. */
typedef struct level {
    uint32_t tried, allowed;
    char why[MSW_ERR_TEXT_BYTES];
} level;

typedef struct looked {
    const msw_plan *plan;
    msw_acting *acting;
    msw_alike *alike; /* NULL: no factor may be idle */
    uint64_t tried;
    uint64_t *asked, *acts; /* per parameter: points that were asked, at which it acts */
    level **levels;         /* per factor; NULL: it has none to look at */
    level any;              /* of all points */
    msw_map seen;           /* points by the keys that equal ones share */
    msw_map apart;          /* by keys of their own, which only the same settings share */
} looked;

/* ---- looking ---- */

static int open_levels(looked *l, msw_err *err)
{
    const msw_space *space = &l->plan->space;
    l->levels = calloc(space->factor_count + 1, sizeof(level *));
    if (!l->levels)
        return msw_fail_memory(err);
    for (size_t f = 0; f < space->factor_count; f++) {
        uint64_t count = space->factors[f].levels;
        if (space->factors[f].target_count != 1 || !count || count > LEVELS)
            continue;
        l->levels[f] = calloc(count, sizeof(level));
        if (!l->levels[f])
            return msw_fail_memory(err);
    }
    return 0;
}

static int open_look(looked *l, msw_err *err)
{
    size_t count = l->plan->schema.count + 1;
    l->asked = calloc(count, sizeof *l->asked);
    l->acts = calloc(count, sizeof *l->acts);
    if (!l->asked || !l->acts)
        return msw_fail_memory(err);
    MSW_TRY(open_levels(l, err));
    MSW_TRY(msw_acting_new(l->plan, &l->acting, err));
    return msw_alike_new(l->plan, &l->alike, err);
}

static void close_look(looked *l)
{
    for (size_t f = 0; l->levels && f < l->plan->space.factor_count; f++)
        free(l->levels[f]);
    free(l->levels);
    free(l->asked);
    free(l->acts);
    msw_acting_free(l->acting);
    msw_alike_free(l->alike);
    msw_map_free(&l->seen);
    msw_map_free(&l->apart);
}

static bool is_factor(const msw_plan *plan, size_t param)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            if (plan->space.factors[f].targets[t] == param)
                return true;
    return false;
}

/* What no metric shows is fixed for what else it does, such as a detail table. */
static bool is_asked(const looked *l, size_t param)
{
    const char *acts = l->plan->schema.params[param]->acts;
    return acts && l->plan->decided[param] == MSW_DECIDED_BY_FILE &&
           (strcmp(acts, "0") != 0 || is_factor(l->plan, param));
}

static int look_at_acting(looked *l, const msw_point *point, msw_err *err)
{
    const msw_schema *schema = &l->plan->schema;
    for (size_t i = 0; i < schema->count; i++) {
        if (!is_asked(l, i) || !msw_acting_concerns(l->acting, i, point->workload))
            continue;
        int acts = msw_acting_at(l->acting, i, point->block, NULL, err);
        if (acts < 0)
            return -1;
        l->asked[i]++;
        l->acts[i] += acts > 0;
    }
    return 0;
}

static level *level_of(const looked *l, size_t f, const void *block)
{
    const msw_factor *factor = &l->plan->space.factors[f];
    double value = msw_schema_get(&l->plan->schema, factor->targets[0], block);
    for (uint64_t v = 0; l->levels[f] && v < factor->levels; v++)
        if (factor->values[v] == value)
            return &l->levels[f][v];
    return NULL;
}

static void count_level(level *at, bool allowed, const char *why)
{
    if (!allowed && !at->tried++)
        snprintf(at->why, sizeof at->why, "%s", why);
    else if (allowed)
        at->tried++;
    at->allowed += allowed;
}

static void look_at_levels(looked *l, const msw_point *point)
{
    msw_task task;
    msw_err why = {0};
    msw_point_task(l->plan, point, &task);
    bool allowed = !l->plan->mech->check || l->plan->mech->check(task.config, &why) == 0;
    count_level(&l->any, allowed, why.text);
    for (size_t f = 0; f < l->plan->space.factor_count; f++) {
        level *at = level_of(l, f, point->block);
        if (at)
            count_level(at, allowed, why.text);
    }
}

static int look_at_equals(looked *l, const msw_point *point, msw_err *err)
{
    msw_digest key;
    uint64_t *count;
    if (!l->alike)
        return 0;
    MSW_TRY(msw_alike_key(l->alike, point, &key, err));
    MSW_TRY(msw_map_add(&l->seen, key.lo, &count, err));
    return msw_map_add(&l->apart, point->key.lo, &count, err);
}

static int look(looked *l, msw_err *err)
{
    msw_pointer *pointer = NULL;
    msw_point point;
    int rc = msw_pointer_new(l->plan, &pointer, err);
    for (uint64_t i = 0; rc == 0 && i < l->tried; i++) {
        if (msw_pointer_at(pointer, msw_plan_spread(l->plan, i, l->tried), true, &point, NULL))
            continue; /* an expression fails here: so will the point */
        rc = look_at_acting(l, &point, err);
        look_at_levels(l, &point);
        if (rc == 0)
            rc = look_at_equals(l, &point, err);
    }
    msw_pointer_free(pointer);
    return rc;
}

/* ---- telling ---- */

/* The values that switch a parameter off, of those that do not vary. */
static void add_cause(const looked *l, size_t param, msw_text *out)
{
    const msw_plan *plan = l->plan;
    const char *before = " (here ";
    for (size_t i = 0; i < plan->schema.count; i++) {
        char text[MSW_PARAM_TEXT];
        if (is_factor(plan, i) || !msw_acting_asks(l->acting, param, i))
            continue;
        msw_param_print(plan->schema.params[i], msw_schema_get(&plan->schema, i, plan->space.base),
                        text);
        msw_text_add(out, "%s%s = %s%s", before, plan->schema.params[i]->name, text,
                     plan->decided[i] == MSW_DECIDED_BY_PRESET ? ", by the preset" : "");
        before = ", ";
    }
    msw_text_add(out, "%s", *before == ',' ? ")" : "");
}

/* "0": no metric shows it. */
static void tell_idle(const looked *l, size_t param, msw_text *out)
{
    const msw_param *p = l->plan->schema.params[param];
    bool never = strcmp(p->acts, "0") == 0;
    msw_text_add(out, "note: %s changes nothing at any of %" PRIu64 " point%s tried: %s%s", p->name,
                 l->asked[param], l->asked[param] == 1 ? "" : "s",
                 never ? "no metric shows it" : "it acts where ", never ? "" : p->acts);
    if (!never)
        add_cause(l, param, out);
    msw_text_add(out, "\n");
}

static void tell_levels(const looked *l, msw_text *out)
{
    const msw_plan *plan = l->plan;
    if (!l->any.allowed)
        msw_text_add(out, "note: all of %" PRIu64 " points tried are infeasible, the first: %s\n",
                     l->tried, l->any.why);
    for (size_t f = 0; l->any.allowed && f < plan->space.factor_count; f++)
        for (uint64_t v = 0; l->levels[f] && v < plan->space.factors[f].levels; v++) {
            const level *at = &l->levels[f][v];
            char text[MSW_PARAM_TEXT];
            if (at->allowed || !at->tried)
                continue;
            const msw_factor *factor = &plan->space.factors[f];
            msw_param_print(plan->schema.params[factor->targets[0]], factor->values[v], text);
            msw_text_add(out, "note: %s = %s is infeasible at all of %u point%s tried: %s\n",
                         factor->name, text, at->tried, at->tried == 1 ? "" : "s", at->why);
        }
}

/* Of a plan that was looked at as a whole. A run counts the same settings; the others are rows. */
static void tell_equals(const looked *l, msw_text *out)
{
    uint64_t equal = l->tried - l->seen.count, same = l->tried - l->apart.count;
    const char *before = ": ";
    char numbers[2][32];
    if (!l->alike || !equal || l->tried < l->plan->points)
        return;
    msw_text_add(out, "note: %s of %s points equal one before them, and are not computed again",
                 msw_count_text(equal, numbers[0]), msw_count_text(l->tried, numbers[1]));
    if (same)
        msw_text_add(out, ": %s with the same settings, %s with others that do not act",
                     msw_count_text(same, numbers[0]), msw_count_text(equal - same, numbers[1]));
    for (size_t i = 0; equal > same && i < l->plan->schema.count; i++)
        if (is_factor(l->plan, i) && l->acts[i] < l->asked[i]) {
            msw_text_add(out, "%s%s acts at %s of %s", before, l->plan->schema.params[i]->name,
                         msw_count_text(l->acts[i], numbers[0]),
                         msw_count_text(l->asked[i], numbers[1]));
            before = ", ";
        }
    msw_text_add(out, "\n");
}

int msw_plan_idle(const msw_plan *plan, msw_text *out, msw_err *err)
{
    uint64_t known = msw_plan_known(plan);
    looked l = {.plan = plan, .tried = known < TRIED ? known : TRIED};
    int rc = open_look(&l, err);
    if (rc == 0)
        rc = look(&l, err);
    for (size_t i = 0; rc == 0 && i < plan->schema.count; i++)
        if (l.asked[i] && !l.acts[i])
            tell_idle(&l, i, out);
    if (rc == 0 && l.tried) {
        tell_levels(&l, out);
        tell_equals(&l, out);
    }
    close_look(&l);
    return rc;
}
