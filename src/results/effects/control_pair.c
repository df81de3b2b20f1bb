/* SPDX-License-Identifier: MIT */
/* Whether two sweeps are rows of one design at two fidelities. */
#include "results/effects/control.h"

#include <math.h>
#include <string.h>

int effects_control_fail(const msw_cases *s, const msw_cases *c, const char *why)
{
    return msw_fail(s->err, "--control: '%s' and '%s' are not rows of one design: %s",
                    s->sweep.name, c->sweep.name, why);
}

int effects_control_plans(const msw_cases *s, const msw_cases *c)
{
    const msw_outline *a = &s->outline, *b = &c->outline;
    if (a->factor_count != b->factor_count || a->group_count != b->group_count)
        return effects_control_fail(s, c, "they do not vary the same");
    if (a->scrambles != b->scrambles || a->second_order != b->second_order)
        return effects_control_fail(s, c, "'scrambles' or 'second_order' differ");
    if (strcmp(a->design->name, b->design->name) != 0)
        return effects_control_fail(s, c, "they have different designs");
    if (s->group_count != 1 || c->group_count != 1)
        return msw_fail(s->err, "--control looks at one group: leave --group-by out and choose "
                                "by --filter");
    for (size_t f = 0; f < s->factor_count; f++)
        if (strcmp(s->factors[f].name, c->factors[f].name) != 0)
            return effects_control_fail(s, c, "their factors differ");
    return 0;
}

bool effects_control_same(const msw_cases *s, const msw_cases *c, const msw_case_factor *f,
                          size_t i, size_t j)
{
    for (size_t k = 0; k < f->column_count; k++) {
        const msw_column *a = &s->table.columns[f->columns[k]];
        const msw_column *b = &c->table.columns[f->columns[k]];
        double x = a->values[s->row[i]], y = b->values[c->row[j]];
        if (isnan(x) || isnan(y) || !a->labels != !b->labels) {
            if (!(isnan(x) && isnan(y)))
                return false;
        } else if (a->labels ? strcmp(a->labels[(size_t)x], b->labels[(size_t)y]) != 0 : x != y) {
            return false;
        }
    }
    return true;
}

/* Points of one number must be one point: a range or a seed may be another. */
int effects_control_points(const msw_cases *s, const msw_cases *c)
{
    size_t j = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (j < c->n && c->design[j] < s->design[i])
            j++;
        if (j == c->n || c->design[j] != s->design[i])
            continue;
        for (size_t f = 0; f < s->factor_count; f++)
            if (!effects_control_same(s, c, &s->factors[f], i, j))
                return effects_control_fail(s, c,
                                            "their points differ (ranges, seed or constraint)");
    }
    return 0;
}
