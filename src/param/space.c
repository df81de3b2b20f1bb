/* SPDX-License-Identifier: MIT */
/* Factors over a schema, and the cursor that turns coordinates into configs. */
#include "memsweep/param/space.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An expression with the schema index behind each of its names. */
typedef struct bound_expr {
    msw_expr *expr;
    size_t used;
    const int *indices;
} bound_expr;

struct msw_cursor {
    const msw_space *space;
    msw_expr_host *host;
    bound_expr *when;  /* per factor; expr NULL where always active */
    bound_expr *fixed; /* per fixed expression */
    bound_expr where;
};

bool msw_space_sets(const msw_space *space, size_t param)
{
    for (size_t f = 0; f < space->factor_count; f++)
        for (size_t t = 0; t < space->factors[f].target_count; t++)
            if (space->factors[f].targets[t] == param)
                return true;
    for (size_t f = 0; f < space->fixed_count; f++)
        if (space->fixed[f].target == param)
            return true;
    return false;
}

void msw_space_free(msw_space *space)
{
    if (!space)
        return;
    for (size_t f = 0; f < space->factor_count; f++) {
        free(space->factors[f].name);
        free(space->factors[f].targets);
        free(space->factors[f].values);
        free(space->factors[f].when);
    }
    for (size_t f = 0; f < space->fixed_count; f++)
        free(space->fixed[f].text);
    free(space->factors);
    free(space->fixed);
    free(space->where);
    free(space->base);
    *space = (msw_space){0};
}

static int open_host(const msw_schema *schema, msw_expr_host **host, msw_err *err)
{
    msw_expr_name *names = calloc(schema->count + 1, sizeof *names);
    if (!names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < schema->count; i++)
        names[i] = (msw_expr_name){schema->params[i]->name, msw_param_type(schema->params[i])};
    int rc = msw_expr_host_new(names, schema->count, host, err);
    free(names);
    return rc;
}

static int compile(msw_cursor *cursor, const char *text, bound_expr *bound, msw_err *err)
{
    if (!text)
        return 0;
    if (msw_expr_new(cursor->host, text, &bound->expr, err))
        return -1;
    bound->used = msw_expr_used(bound->expr, &bound->indices);
    return 0;
}

static int compile_all(msw_cursor *cursor, msw_err *err)
{
    const msw_space *space = cursor->space;
    for (size_t f = 0; f < space->factor_count; f++)
        if (compile(cursor, space->factors[f].when, &cursor->when[f], err))
            return msw_fail_prefix(err, "when of %s: ", space->factors[f].name);
    for (size_t f = 0; f < space->fixed_count; f++)
        if (compile(cursor, space->fixed[f].text, &cursor->fixed[f], err))
            return msw_fail_prefix(
                err, "fix of %s: ", space->schema->params[space->fixed[f].target]->name);
    if (compile(cursor, space->where, &cursor->where, err))
        return msw_fail_prefix(err, "where: ");
    return 0;
}

int msw_cursor_new(const msw_space *space, msw_cursor **cursor, msw_err *err)
{
    msw_cursor *c = calloc(1, sizeof *c);
    if (!c)
        return msw_fail_memory(err);
    c->space = space;
    c->when = calloc(space->factor_count + 1, sizeof *c->when);
    c->fixed = calloc(space->fixed_count + 1, sizeof *c->fixed);
    if (!c->when || !c->fixed)
        msw_fail_memory(err);
    else if (open_host(space->schema, &c->host, err) == 0 && compile_all(c, err) == 0) {
        *cursor = c;
        return 0;
    }
    msw_cursor_free(c);
    return -1;
}

void msw_cursor_free(msw_cursor *cursor)
{
    if (!cursor)
        return;
    for (size_t f = 0; cursor->when && f < cursor->space->factor_count; f++)
        msw_expr_free(cursor->when[f].expr);
    for (size_t f = 0; cursor->fixed && f < cursor->space->fixed_count; f++)
        msw_expr_free(cursor->fixed[f].expr);
    msw_expr_free(cursor->where.expr);
    msw_expr_host_free(cursor->host);
    free(cursor->when);
    free(cursor->fixed);
    free(cursor);
}

static void bind_param(const msw_schema *schema, size_t index, const void *block, msw_expr *expr,
                       size_t k)
{
    const msw_param *p = schema->params[index];
    double value = msw_schema_get(schema, index, block);
    if (p->kind == MSW_CHOICE)
        msw_expr_bind_text(expr, k, p->choices[(size_t)value].name);
    else if (p->kind == MSW_REAL)
        msw_expr_bind_real(expr, k, value);
    else
        msw_expr_bind_integer(expr, k, (int64_t)value);
}

static void bind_all(const msw_schema *schema, const bound_expr *bound, const void *block)
{
    for (size_t k = 0; k < bound->used; k++)
        bind_param(schema, (size_t)bound->indices[k], block, bound->expr, k);
}

/* The level that a coordinate means (levels > 0). */
static uint64_t level_of(const msw_factor *factor, msw_coords kind, double coord)
{
    double level = kind == MSW_COORDS_UNIT ? floor(coord * (double)factor->levels) : coord;
    uint64_t index = level > 0 ? (uint64_t)level : 0;
    return index < factor->levels ? index : factor->levels - 1;
}

static double continuous_value(const msw_factor *factor, const msw_param *param, double u)
{
    /* Whole numbers get equal shares of the range, the last one included. */
    double to = param->kind == MSW_REAL ? factor->to : factor->to + 1, value;
    if (factor->scale == MSW_LINEAR)
        value = factor->from + u * (to - factor->from);
    else
        value = msw_math_exp(msw_math_log(factor->from) +
                             u * (msw_math_log(to) - msw_math_log(factor->from)));
    if (param->kind != MSW_REAL)
        value = floor(value);
    /* exp(log(x)) may miss the ends by a rounding error. */
    return fmin(fmax(value, factor->from), factor->to);
}

static void set_factor(const msw_schema *schema, const msw_factor *factor, msw_coords kind,
                       double coord, void *block)
{
    if (kind == MSW_COORDS_VALUE) {
        msw_schema_set(schema, factor->targets[0], block, coord);
    } else if (factor->levels == 0) {
        const msw_param *param = schema->params[factor->targets[0]];
        msw_schema_set(schema, factor->targets[0], block, continuous_value(factor, param, coord));
    } else {
        uint64_t level = kind == MSW_COORDS_LEVEL ? (uint64_t)coord : level_of(factor, kind, coord);
        const double *values = factor->values + level * factor->target_count;
        for (size_t t = 0; t < factor->target_count; t++)
            msw_schema_set(schema, factor->targets[t], block, values[t]);
    }
}

static void set_defaults(const msw_schema *schema, const msw_factor *factor, void *block)
{
    for (size_t t = 0; t < factor->target_count; t++)
        msw_schema_set(schema, factor->targets[t], block, schema->params[factor->targets[t]]->def);
}

/* Puts inactive factors to their defaults. Returns 1 when every inactive factor has its first
 * level, 0 when not, -1 on failure. */
static int settle_inactive(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                           msw_err *err)
{
    const msw_space *space = cursor->space;
    int first = 1;
    for (size_t f = 0; f < space->factor_count; f++) {
        const bound_expr *when = &cursor->when[f];
        if (!when->expr)
            continue;
        bind_all(space->schema, when, block);
        int active = msw_expr_true(when->expr, err);
        if (active < 0)
            return -1;
        if (active)
            continue;
        if (kind == MSW_COORDS_LEVEL && coords[f] != 0)
            first = 0;
        set_defaults(space->schema, &space->factors[f], block);
    }
    return first;
}

static int fixed_value(const msw_param *param, const msw_expr_value *result, double *value,
                       msw_err *err)
{
    if (result->type == MSW_EXPR_NULL)
        return msw_fail(err, "fix of %s: the expression gives no value (NULL)", param->name);
    if (result->type == MSW_EXPR_TEXT)
        return msw_param_parse(param, result->text, value, err);
    *value = result->real;
    return msw_param_check(param, *value, err);
}

/* A value that is not allowed is set all the same where the field can hold it, so that `where` can
 * reject the point before anybody complains. Returns 0, or -1 when `err` holds the first complaint.
 */
static int apply_fixed(msw_cursor *cursor, void *block, msw_err *err)
{
    const msw_space *space = cursor->space;
    int rc = 0;
    for (size_t f = 0; f < space->fixed_count; f++) {
        size_t target = space->fixed[f].target;
        const msw_param *param = space->schema->params[target];
        msw_expr_value result;
        double value = NAN;
        bind_all(space->schema, &cursor->fixed[f], block);
        if (msw_expr_eval(cursor->fixed[f].expr, &result, rc ? NULL : err))
            return -1;
        bool wrong = fixed_value(param, &result, &value, rc ? NULL : err) != 0;
        if (!wrong || (!msw_param_choices(param) && fabs(value) < 0x1p53))
            msw_schema_set(space->schema, target, block, value);
        rc = wrong ? -1 : rc;
    }
    return rc;
}

/* Everything but fixed expressions. Returns 1, 0 when an inactive factor is off its first level,
 * -1.
 */
static int fill_block(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                      msw_err *err)
{
    const msw_space *space = cursor->space;
    memcpy(block, space->base, space->schema->size);
    for (size_t f = 0; f < space->factor_count; f++)
        set_factor(space->schema, &space->factors[f], kind, coords[f], block);
    return settle_inactive(cursor, kind, coords, block, err);
}

int msw_cursor_config(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                      msw_err *err)
{
    MSW_TRY(fill_block(cursor, kind, coords, block, err) < 0);
    return apply_fixed(cursor, block, err);
}

int msw_cursor_accepts(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                       msw_err *err)
{
    int first = fill_block(cursor, kind, coords, block, err);
    if (first <= 0)
        return first;
    int fixed = apply_fixed(cursor, block, err), inside = 1;
    if (cursor->where.expr) {
        bind_all(cursor->space->schema, &cursor->where, block);
        inside = msw_expr_true(cursor->where.expr, fixed ? NULL : err);
    }
    return inside > 0 ? (fixed ? -1 : 1) : inside;
}
