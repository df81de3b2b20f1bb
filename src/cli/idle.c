/* SPDX-License-Identifier: MIT */
/* Says which settings change nothing: those of the mechanism whose row of the table says (`acts`)
 * that they act at none of the points tried. */
#include "cli/idle.h"

#include "memsweep/reproduce/conditions.h"

#include <inttypes.h>
#include <string.h>

enum { TRIED = 200 };

static bool is_factor(const msw_plan *plan, size_t param)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            if (plan->space.factors[f].targets[t] == param)
                return true;
    return false;
}

static bool is_word(const cli_words *words, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; words && i < words->count; i++)
        if (strncmp(words->list[i], name, size) == 0 && words->list[i][size] == '=')
            return true;
    return false;
}

/* At how many of the points that are tried it acts. Returns 0, or -1. */
static int count_acting(const msw_plan *plan, const msw_conditions *conditions, const char *name,
                        uint64_t tried, uint64_t *acting, msw_err *err)
{
    msw_pointer *pointer = NULL;
    msw_point point;
    msw_task task;
    int rc = msw_pointer_new(plan, &pointer, err);
    *acting = 0;
    for (uint64_t i = 0; rc == 0 && i < tried; i++) {
        rc = msw_pointer_at(pointer, plan->points / tried * i, false, &point, err);
        if (rc)
            break;
        msw_point_task(plan, &point, &task);
        int holds = msw_conditions_hold(conditions, name, task.config, err);
        *acting += holds > 0;
        rc = holds < 0 ? -1 : 0;
    }
    msw_pointer_free(pointer);
    return rc;
}

/* "0": no metric shows it. */
static void tell(const msw_param *param, uint64_t tried, msw_text *out)
{
    bool never = strcmp(param->acts, "0") == 0;
    msw_text_add(out, "note: %s changes nothing at any of %" PRIu64 " point%s tried: %s%s\n",
                 param->name, tried, tried == 1 ? "" : "s",
                 never ? "no metric shows it" : "it acts where ", never ? "" : param->acts);
}

int cli_idle_settings(const msw_plan *plan, const cli_words *words, msw_text *out, msw_err *err)
{
    const msw_param *params = plan->mech->params;
    msw_conditions *conditions = NULL;
    uint64_t tried = plan->points < TRIED ? plan->points : TRIED, acting = 0;
    int rc = msw_conditions_new(params, plan->mech->name, &conditions, err);
    for (size_t i = 0; rc == 0 && tried && params[i].name; i++) {
        if (!params[i].acts || !(words ? is_word(words, params[i].name) : is_factor(plan, i)))
            continue;
        rc = count_acting(plan, conditions, params[i].name, tried, &acting, err);
        if (rc == 0 && !acting)
            tell(&params[i], tried, out);
    }
    msw_conditions_free(conditions);
    return rc;
}
