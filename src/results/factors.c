/* SPDX-License-Identifier: MIT */
/* Finds the columns that vary, and the level of each case in them. */
#include "memsweep/results/cases.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/math.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with more values than this are taken for a range when no sweep file says. */
enum { FEW_LEVELS = 16 };

static const size_t FIRST_COLUMN =
    5; /* of factors in the table: the study reads five before them */

/* ---- names ---- */

static int add_factor(msw_cases *s, const char *name, size_t size, size_t columns, size_t *next)
{
    /* One more, without a name: the end for those who look for the nearest one. */
    size_t room = s->factor_count ? s->factor_count + 1 : 0;
    MSW_TRY(msw_vec_extend(&s->factors, room, sizeof *s->factors, s->err));
    if (!room)
        MSW_TRY(msw_vec_extend(&s->factors, 1, sizeof *s->factors, s->err));
    msw_case_factor factor = {.name = msw_strfmt("%.*s", (int)size, name), .column_count = columns};
    if (columns > sizeof factor.columns / sizeof *factor.columns)
        return msw_fail(s->err, "%s deals to more than 16 parameters", name);
    for (size_t c = 0; c < columns; c++)
        factor.columns[c] = FIRST_COLUMN + (*next)++;
    s->factors[s->factor_count++] = factor;
    s->factors[s->factor_count] = (msw_case_factor){0};
    return factor.name ? 0 : msw_fail_memory(s->err);
}

static int name_listed(msw_cases *s, size_t *next)
{
    for (const char *at = s->ask.factors; *at;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        if (size && add_factor(s, at, size, 1, next))
            return -1;
        at += size;
    }
    return 0;
}

int msw_cases_name_factors(msw_cases *s)
{
    size_t next = 0;
    if (s->ask.factors)
        return name_listed(s, &next);
    for (size_t f = 0; f < s->outline.factor_count; f++) {
        const msw_outline_factor *factor = &s->outline.factors[f];
        if (add_factor(s, factor->name, strlen(factor->name), factor->target_count, &next))
            return -1;
    }
    return s->factor_count ? 0 : msw_fail(s->err, "nothing varies in sweep '%s'", s->sweep.name);
}

/* ---- levels ---- */

static int add_level(const msw_cases *s, msw_case_factor *f, double value, size_t *room)
{
    size_t at = msw_lower_bound_f64(f->values, f->levels, value);
    if (at < f->levels && f->values[at] == value)
        return 0;
    MSW_TRY(msw_vec_reserve(&f->values, room, f->levels + 1, sizeof *f->values, s->err));
    memmove(f->values + at + 1, f->values + at, (f->levels++ - at) * sizeof *f->values);
    f->values[at] = value;
    return 0;
}

/* Distinct values, rising; values that are not there are left out. Of a range the ends will do. */
static int find_values(const msw_cases *s, const msw_column *column, bool range, msw_case_factor *f)
{
    size_t room = 0;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        double value = column->values[s->row[i]];
        low = fmin(low, value);
        high = fmax(high, value);
        if (!range && !isnan(value) && add_level(s, f, value, &room))
            return -1;
    }
    if (range && low < high && (add_level(s, f, low, &room) || add_level(s, f, high, &room)))
        return -1;
    f->low = low;
    f->high = high;
    return 0;
}

int msw_case_factor_level(const msw_case_factor *f, double value)
{
    size_t at = msw_lower_bound_f64(f->values, f->levels, value);
    return at < f->levels && f->values[at] == value ? (int)at : -1;
}

static int locate_levels(const msw_cases *s, const msw_column *column, msw_case_factor *f)
{
    for (size_t i = 0; i < s->n; i++) {
        int level = msw_case_factor_level(f, column->values[s->row[i]]);
        if (level < 0)
            return msw_fail(s->err, "'%s' has no value in some rows: leave them out by --filter",
                            f->name);
        f->level[i] = (uint32_t)level;
        f->x[i] = f->unordered ? level : f->positions[level];
    }
    return 0;
}

static int locate_positions(const msw_cases *s, msw_case_factor *f)
{
    f->positions = malloc((f->levels + 1) * sizeof *f->positions);
    if (!f->positions)
        return msw_fail_memory(s->err);
    for (size_t l = 0; l < f->levels; l++)
        f->positions[l] = msw_axis_position(&f->axis, f->values[l]);
    return 0;
}

/* ---- ranges ---- */

double msw_case_factor_position(const msw_case_factor *f, double value)
{
    return f->unordered ? msw_case_factor_level(f, value) : msw_axis_position(&f->axis, value);
}

/* ---- several parameters at once ---- */

static uint64_t tuple_key(const msw_cases *s, const msw_case_factor *f, size_t i)
{
    double values[sizeof f->columns / sizeof *f->columns];
    for (size_t c = 0; c < f->column_count; c++)
        values[c] = s->table.columns[f->columns[c]].values[s->row[i]];
    return msw_hash_bytes(values, f->column_count * sizeof *values).lo;
}

static int locate_split(const msw_cases *s, msw_case_factor *f)
{
    uint64_t *keys = malloc((s->n + 1) * sizeof *keys);
    if (!keys)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < s->n; i++)
        keys[i] = tuple_key(s, f, i);
    msw_sort_u64(keys, s->n);
    for (size_t i = 0; i < s->n; i++)
        if (!f->levels || keys[i] != keys[f->levels - 1])
            keys[f->levels++] = keys[i];
    for (size_t i = 0; i < s->n; i++) {
        f->level[i] = (uint32_t)msw_lower_bound_u64(keys, f->levels, tuple_key(s, f, i));
        f->x[i] = f->level[i];
    }
    f->unordered = true;
    free(keys);
    return 0;
}

/* ---- all factors ---- */

/* The sweep's own factor of that name, or NULL. */
static const msw_outline_factor *planned(const msw_cases *s, const msw_case_factor *f)
{
    for (size_t i = 0; i < s->outline.factor_count; i++)
        if (strcmp(s->outline.factors[i].name, f->name) == 0)
            return &s->outline.factors[i];
    return NULL;
}

static bool is_planned_range(const msw_outline_factor *plan)
{
    return plan && plan->levels == 0 && !isnan(plan->from);
}

/* A range as the sweep file gives it, or, when nobody says, of more numbers than a list has. */
static bool is_range(const msw_outline_factor *plan, msw_case_factor *f)
{
    if (f->unordered || f->constant)
        return false;
    if (!is_planned_range(plan))
        return (!plan || plan->levels == 0) && f->levels > FEW_LEVELS;
    f->low = plan->from;
    f->high = plan->to;
    return true;
}

const msw_param *msw_cases_param(const msw_cases *s, const char *name)
{
    const msw_param *param = msw_params_find(s->outline.mech->params, name);
    for (size_t i = 0; !param && i < s->outline.frontend_count; i++)
        param = msw_params_find(s->outline.frontends[i]->params, name);
    return param;
}

/* The scale is that of the range in the sweep file, or the parameter's own. A range from 0 that
 * doubles has 1 next to it. */
static void lay_axis(const msw_cases *s, const msw_outline_factor *plan, msw_case_factor *f)
{
    const msw_param *param =
        plan && plan->target_count ? plan->targets[0] : msw_cases_param(s, f->name);
    const double ends[] = {f->low, f->high, f->low <= 0 && f->high > 1 ? 1 : f->high};
    bool ranged = plan && !isnan(plan->from);
    bool log = ranged ? plan->scale != MSW_LINEAR : param && param->scale != MSW_LINEAR;
    f->axis = f->values ? msw_axis_make(f->values, f->levels, log) : msw_axis_make(ends, 3, log);
}

static int locate_range(const msw_cases *s, const msw_outline_factor *plan,
                        const msw_column *column, msw_case_factor *f)
{
    free(f->values);
    free(f->level);
    f->values = NULL;
    f->level = NULL;
    f->levels = 0;
    lay_axis(s, plan, f);
    for (size_t i = 0; i < s->n; i++) {
        f->x[i] = msw_axis_position(&f->axis, column->values[s->row[i]]);
        if (isnan(f->x[i]))
            return msw_fail(s->err, "'%s' has no value in some rows: leave them out by --filter",
                            f->name);
    }
    return 0;
}

/* Numbers nobody planned may be many, all different: they are counted on a part first. */
static bool has_many(const msw_cases *s, const msw_column *column)
{
    double seen[4 * FEW_LEVELS];
    size_t count = 0;
    for (size_t i = 0; i < s->n && count < 4 * FEW_LEVELS; i++) {
        size_t k = 0;
        while (k < count && seen[k] != column->values[s->row[i]])
            k++;
        if (k == count && !isnan(column->values[s->row[i]]))
            seen[count++] = column->values[s->row[i]];
    }
    return count == 4 * FEW_LEVELS;
}

static int locate_column(const msw_cases *s, msw_case_factor *f)
{
    const msw_column *column = &s->table.columns[f->columns[0]];
    const msw_outline_factor *plan = planned(s, f);
    f->unordered = column->labels != NULL;
    f->labels = (const char *const *)column->labels;
    bool listed = f->unordered || (plan && plan->levels);
    bool many = !listed && (is_planned_range(plan) || has_many(s, column));
    if (find_values(s, column, many, f))
        return -1;
    f->constant = f->levels < 2;
    if (!f->constant && (is_range(plan, f) || many))
        return locate_range(s, plan, column, f);
    lay_axis(s, plan, f);
    MSW_TRY(!f->unordered && locate_positions(s, f));
    return locate_levels(s, column, f);
}

static int locate_factor(const msw_cases *s, msw_case_factor *f)
{
    f->x = malloc((s->n + 1) * sizeof *f->x);
    f->level = malloc((s->n + 1) * sizeof *f->level);
    if (!f->x || !f->level)
        return msw_fail_memory(s->err);
    if (f->column_count == 1)
        return locate_column(s, f);
    if (locate_split(s, f))
        return -1;
    f->constant = f->levels < 2;
    return 0;
}

int msw_cases_locate_factors(msw_cases *s)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (locate_factor(s, &s->factors[f]))
            return -1;
    return 0;
}

void msw_cases_free_factors(msw_cases *s)
{
    for (size_t f = 0; f < s->factor_count; f++) {
        free(s->factors[f].name);
        free(s->factors[f].values);
        free(s->factors[f].positions);
        free(s->factors[f].x);
        free(s->factors[f].level);
    }
    free(s->factors);
}
