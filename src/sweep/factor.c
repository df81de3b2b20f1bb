/* SPDX-License-Identifier: MIT */
/* Builds factors, whatever they are written as. {from, to, step | count, scale} is a range: it
 * becomes levels, or stays continuous. */
#include "sweep/loader.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/base/units.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool msw_factor_make(msw_loader *l, const char *name, size_t targets, msw_factor *factor)
{
    *factor = (msw_factor){.name = msw_strdup(name),
                           .target_count = targets,
                           .targets = calloc(targets + 1, sizeof *factor->targets)};
    if (factor->name && factor->targets)
        return true;
    msw_loader_memory(l);
    return false;
}

bool msw_factor_values(msw_loader *l, uint64_t levels, msw_factor *factor)
{
    factor->levels = levels;
    factor->values = calloc(levels * factor->target_count + 1, sizeof *factor->values);
    if (!factor->values)
        msw_loader_memory(l);
    return factor->values != NULL;
}

void msw_factor_free(msw_factor *factor)
{
    free(factor->name);
    free(factor->targets);
    free(factor->values);
    free(factor->when);
    *factor = (msw_factor){0};
}

void msw_loader_add_factor(msw_loader *l, const msw_node *key, msw_factor *factor)
{
    msw_space *space = &l->plan->space;
    if (msw_vec_extend(&space->factors, space->factor_count, sizeof *space->factors, NULL)) {
        msw_loader_memory(l);
        msw_factor_free(factor);
        return;
    }
    l->factor_at[space->factor_count] = key;
    space->factors[space->factor_count++] = *factor;
}

typedef struct ranked {
    double value;
    size_t position;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* The same answer without memory. */
static size_t repeated_slowly(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (values[k] == values[i])
                return i;
    return count;
}

/* Position of the first value that repeats an earlier one, or `count`. */
size_t msw_repeated(const double *values, size_t count)
{
    ranked *list = malloc((count + 1) * sizeof *list);
    size_t first = count;
    if (!list)
        return repeated_slowly(values, count);
    for (size_t i = 0; i < count; i++)
        list[i] = (ranked){values[i], i};
    msw_sort(list, count, sizeof *list, compare);
    for (size_t i = 1; i < count; i++)
        if (list[i].value == list[i - 1].value && list[i].position < first)
            first = list[i].position;
    free(list);
    return first;
}

typedef struct range {
    const msw_param *param;
    const msw_node *map;
    double from, to, step;
    uint64_t count; /* asked for; 0: not given */
    msw_scale scale;
    bool scale_given;
} range;

static bool read_end(msw_loader *l, const range *r, const char *key, double *value)
{
    const msw_node *node = msw_node_get(r->map, key);
    if (node)
        return msw_loader_value(l, r->param, node, value);
    msw_loader_say(l, r->map, "%s: no '%s'; write {from: .., to: ..} or {values: [..]}",
                   r->param->name, key);
    return false;
}

static bool read_step(msw_loader *l, range *r)
{
    const msw_node *node = msw_node_get(r->map, "step");
    msw_err err = {0};
    if (!node)
        return true;
    const char *text = msw_loader_word(l, node, "step");
    if (!text)
        return false;
    if (msw_units_parse(text, r->param->unit, &r->step, &err)) {
        msw_loader_fail(l, &err, node, "step: %s", err.text);
        return false;
    }
    bool whole = r->param->kind == MSW_REAL || r->step == floor(r->step);
    if (r->step > 0 && whole)
        return true;
    msw_loader_say(l, node, "step: found %s, expected a %s above 0", text,
                   whole ? "number" : "whole number");
    return false;
}

static bool read_count(msw_loader *l, range *r)
{
    static const msw_param COUNT = {
        .name = "count", .kind = MSW_INTEGER, .unit = "", .min = 2, .max = MSW_LEVELS_MAX};
    const msw_node *node = msw_node_get(r->map, "count");
    double count = 0;
    if (node && !msw_loader_value(l, &COUNT, node, &count))
        return false;
    r->count = (uint64_t)count;
    if (!node || r->step == 0)
        return true;
    msw_loader_say(l, node, "%s: both 'step' and 'count' are given, expected one", r->param->name);
    return false;
}

static bool read_scale(msw_loader *l, range *r)
{
    static const char *const NAMES[] = {"linear", "pow2", "log", NULL};
    const msw_node *node = msw_node_get(r->map, "scale");
    r->scale = r->step > 0 ? MSW_LINEAR : r->param->scale;
    if (!node)
        return true;
    const char *word = msw_loader_word(l, node, "scale");
    for (int i = 0; word && NAMES[i]; i++)
        if (strcmp(word, NAMES[i]) == 0) {
            r->scale = (msw_scale)i;
            r->scale_given = true;
            return true;
        }
    if (word)
        msw_loader_unknown(l, node, "scale", NAMES, sizeof *NAMES);
    return false;
}

static bool is_pow2(double value)
{
    int exponent;
    return frexp(value, &exponent) == 0.5;
}

static bool whole_kind(const range *r)
{
    return r->param->kind != MSW_REAL;
}

/* 0.1 + 2 x 0.1 is not 0.3, but a user who writes step: 0.1 means 0.3. */
static double as_written(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.13g", value);
    return strtod(text, NULL);
}

/* A range that starts at 0 has no logarithm; powers of two then follow 0, from 1 on. */
static bool check_scale(msw_loader *l, const range *r)
{
    const char *name = r->param->name;
    if (r->step > 0 && r->scale != MSW_LINEAR)
        msw_loader_say(l, r->map, "%s: 'step' goes with scale linear", name);
    else if (r->scale == MSW_LOG && !(r->from > 0))
        msw_loader_say(l, r->map, "%s: a log range must start above 0 (or write scale: linear)",
                       name);
    else if (r->scale == MSW_POW2 && r->count > 0)
        msw_loader_say(l, r->map, "%s: 'count' goes with scale linear or log", name);
    else if (r->scale == MSW_POW2 && ((r->from != 0 && !is_pow2(r->from)) || !is_pow2(r->to)))
        msw_loader_say(l, r->map,
                       "%s: both ends of a pow2 range must be powers of two (or write scale: "
                       "linear)",
                       name);
    else
        return true;
    return false;
}

/* What the parameter's own scale means when the file names none. */
static void choose_scale(range *r)
{
    if (r->scale_given)
        return;
    if (r->scale == MSW_POW2 && (r->count > 0 || !whole_kind(r)))
        r->scale = MSW_LOG;
    if (r->scale == MSW_LOG && !(r->from > 0))
        r->scale = MSW_LINEAR;
}

static bool read_range(msw_loader *l, range *r)
{
    static const char *const KEYS[] = {"from",  "to",     "step", "count",
                                       "scale", "values", "when", NULL};
    msw_loader_check_keys(l, r->map, KEYS);
    if (msw_param_choices(r->param)) {
        msw_loader_say(l, r->map, "%s: a range needs numbers; list the choices, or write 'all'",
                       r->param->name);
        return false;
    }
    bool from = read_end(l, r, "from", &r->from), to = read_end(l, r, "to", &r->to);
    bool step = read_step(l, r);
    if (!read_count(l, r) || !step || !read_scale(l, r) || !from || !to)
        return false;
    char low[MSW_PARAM_TEXT], high[MSW_PARAM_TEXT];
    if (!(r->from < r->to)) {
        msw_loader_say(l, r->map, "%s: an empty range, from %s to %s", r->param->name,
                       msw_param_print(r->param, r->from, low),
                       msw_param_print(r->param, r->to, high));
        return false;
    }
    choose_scale(r);
    return check_scale(l, r);
}

/* Position i of n equal shares of the range, on its scale; the ends are exact. */
static double share(const range *r, uint64_t i, uint64_t n)
{
    if (i == n)
        return r->to;
    double u = (double)i / (double)n;
    double value = r->scale == MSW_LOG ? r->from * msw_math_pow(r->to / r->from, u)
                                       : as_written(r->from + u * (r->to - r->from));
    return whole_kind(r) ? fmin(fmax(round(value), r->from), r->to) : value;
}

static bool is_grid(const msw_loader *l)
{
    const msw_node *node = msw_loader_top(l, "design");
    if (node && node->kind == MSW_NODE_MAP) {
        const msw_node *kind = msw_node_get(node, "kind");
        node = kind ? kind : msw_node_get(node, "name");
    }
    return !node || (node->kind == MSW_NODE_SCALAR && strcmp(node->text, "grid") == 0);
}

/* Before levels are written out: a grid of this many combinations will be refused whatever becomes
 * of them. Values that meet after rounding are counted, so this lies far above the grid's own
 * limit.
 */
static bool check_product(msw_loader *l, const range *r, uint64_t levels)
{
    static const uint64_t MOST = (uint64_t)1 << 60;
    if (!r->map || !is_grid(l))
        return true;
    uint64_t before = l->combinations ? l->combinations : 1;
    bool told = before > MOST, fits = before <= MOST / levels;
    l->combinations = fits ? before * levels : UINT64_MAX;
    if (fits || told)
        return fits;
    msw_loader_say(l, r->map,
                   "%s: with its %llu values the grid has more than 10^18 combinations, at most "
                   "2^50 are possible; take fewer levels, or draw points with random, lhs or sobol",
                   r->param->name, (unsigned long long)levels);
    return false;
}

/* Whole numbers may meet after rounding: each is kept once. */
static bool by_count(msw_loader *l, const range *r, msw_factor *factor)
{
    double most = whole_kind(r) ? r->to - r->from + 1 : (double)r->count;
    if (!check_product(l, r, most < (double)r->count ? (uint64_t)most : r->count) ||
        !msw_factor_values(l, r->count, factor))
        return false;
    size_t kept = 0;
    for (uint64_t i = 0; i < r->count; i++) {
        double value = share(r, i, r->count - 1);
        if (kept == 0 || value != factor->values[kept - 1])
            factor->values[kept++] = value;
    }
    factor->levels = kept;
    return true;
}

static bool by_step(msw_loader *l, const range *r, double step, msw_factor *factor)
{
    /* The last value counts when only rounding separates it from `to`. */
    double steps = floor((r->to - r->from) / step + 1e-9);
    if (steps >= MSW_LEVELS_MAX) {
        msw_loader_say(l, r->map, "%s: a range of %.0f values, at most %d are possible",
                       r->param->name, steps + 1, MSW_LEVELS_MAX);
        return false;
    }
    if (!check_product(l, r, (uint64_t)steps + 1) ||
        !msw_factor_values(l, (uint64_t)steps + 1, factor))
        return false;
    for (uint64_t i = 0; i < factor->levels; i++)
        factor->values[i] = fmin(as_written(r->from + (double)i * step), r->to);
    return true;
}

static bool by_pow2(msw_loader *l, const range *r, msw_factor *factor)
{
    double first = r->from > 0 ? r->from : whole_kind(r) ? 1 : 0;
    if (first == 0) {
        msw_loader_say(l, r->map, "%s: a pow2 range of a real must start above 0", r->param->name);
        return false;
    }
    uint64_t zero = r->from == 0, count = 1 + (uint64_t)llround(msw_math_log2(r->to / first));
    if (!msw_factor_values(l, zero + count, factor))
        return false;
    for (uint64_t i = 0; i < count; i++)
        factor->values[zero + i] = ldexp(first, (int)i);
    return true;
}

static bool continuous(const range *r, msw_factor *factor)
{
    factor->levels = 0;
    factor->from = r->from;
    factor->to = r->to;
    factor->scale = r->scale;
    return true;
}

bool msw_factor_settle(msw_loader *l, uint64_t positions, msw_factor *factor)
{
    range r = {.param = l->plan->schema.params[factor->targets[0]],
               .from = factor->from,
               .to = factor->to,
               .count = positions,
               .scale = factor->scale};
    if (factor->levels || !whole_kind(&r))
        return true;
    if (!by_count(l, &r, factor))
        return false;
    if (factor->levels == positions) {
        free(factor->values);
        factor->values = NULL;
        factor->levels = 0;
    }
    return true;
}

bool msw_loader_range(msw_loader *l, const msw_param *param, const msw_node *map,
                      msw_factor *factor)
{
    range r = {.param = param, .map = map};
    if (!read_range(l, &r))
        return false;
    factor->scale = r.scale;
    if (r.count > 0)
        return by_count(l, &r, factor);
    if (r.scale == MSW_POW2)
        return by_pow2(l, &r, factor);
    if (r.step > 0)
        return by_step(l, &r, r.step, factor);
    if (whole_kind(&r) && r.scale == MSW_LINEAR && r.to - r.from < MSW_WHOLE_MAX)
        return by_step(l, &r, 1, factor);
    return continuous(&r, factor);
}
