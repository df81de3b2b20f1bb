/* SPDX-License-Identifier: MIT */
/* Means of a few values with weights, as aggregate functions of SQL. The sum is taken in rising
 * order of the values, so that the order in which rows lie in a file cannot change its bits. */
#include "memsweep/sweep/keep.h"
#include "store/sql/sql.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
    double value, half, weight;
} part;

typedef struct parts {
    part *list;
    size_t count, room;
    bool failed, missing;
} parts;

static bool is_number(sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* (value, half-width, weight) */
static void step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    parts *p = sqlite3_aggregate_context(context, sizeof *p);
    if (!p || argc != 3)
        return;
    if (!is_number(argv[0]) || !is_number(argv[1])) {
        p->missing = true;
        return;
    }
    if (msw_vec_reserve(&p->list, &p->room, p->count + 1, sizeof *p->list, NULL)) {
        p->failed = true;
        return;
    }
    p->list[p->count++] = (part){sqlite3_value_double(argv[0]), sqlite3_value_double(argv[1]),
                                 sqlite3_value_double(argv[2])};
}

static int compare(const void *a, const void *b)
{
    const part *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->half != y->half)
        return x->half < y->half ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static double mean_of(const parts *p, bool half)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < p->count; i++) {
        double share = p->list[i].weight * (half ? p->list[i].half : p->list[i].value);
        sum += half ? share * share : share;
        weights += p->list[i].weight;
    }
    return (half ? sqrt(sum) : sum) / weights;
}

/* The half-width of a logarithm is that of its value over the value. */
static double geomean_of(const parts *p, bool half)
{
    double sum = 0, squares = 0, weights = 0;
    for (size_t i = 0; i < p->count; i++) {
        const part *at = &p->list[i];
        if (!(at->value > 0))
            return NAN;
        sum += at->weight * msw_math_log(at->value);
        squares += at->weight * at->half / at->value * (at->weight * at->half / at->value);
        weights += at->weight;
    }
    double mean = msw_math_exp(sum / weights);
    return half ? mean * sqrt(squares) / weights : mean;
}

typedef struct kind {
    const char *name;
    double (*of)(const parts *p, bool half);
    bool half;
} kind;

static const kind KINDS[] = {
    {"msw_mean", mean_of, false},
    {"msw_mean_hw", mean_of, true},
    {"msw_geomean", geomean_of, false},
    {"msw_geomean_hw", geomean_of, true},
};

static void finish(sqlite3_context *context)
{
    const kind *k = sqlite3_user_data(context);
    parts *p = sqlite3_aggregate_context(context, 0);
    if (p && p->failed)
        sqlite3_result_error_nomem(context);
    else if (!p || p->missing || !p->count)
        sqlite3_result_null(context);
    else {
        msw_sort(p->list, p->count, sizeof *p->list, compare);
        sqlite3_result_double(context, k->of(p, k->half)); /* NaN becomes NULL */
    }
    if (p)
        free(p->list);
}

/* ---- who has it ---- */

/* The largest value so far, or the smallest, and its name. */
typedef struct extreme {
    double value;
    char *name;
    bool failed;
} extreme;

static bool replaces(const extreme *e, double value, const char *name)
{
    if (!e->name || value > e->value)
        return true;
    return value == e->value && strcmp(name, e->name) < 0;
}

static void step_extreme(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    extreme *e = sqlite3_aggregate_context(context, sizeof *e);
    const char *name = argc == 2 ? (const char *)sqlite3_value_text(argv[1]) : NULL;
    if (!e || !name || !is_number(argv[0]))
        return;
    double value = *(const double *)sqlite3_user_data(context) * sqlite3_value_double(argv[0]);
    if (!replaces(e, value, name))
        return;
    free(e->name);
    e->name = msw_strdup(name);
    e->failed = e->failed || !e->name;
    e->value = value;
}

static void finish_extreme(sqlite3_context *context)
{
    extreme *e = sqlite3_aggregate_context(context, 0);
    if (e && e->failed)
        sqlite3_result_error_nomem(context);
    else if (e && e->name)
        sqlite3_result_text(context, e->name, -1, SQLITE_TRANSIENT);
    if (e)
        free(e->name);
}

/* Of a point, a seed, how many points there are, how many the sample is to have, and how many are
 * drawn together. */
static void is_sampled(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    uint64_t n[5] = {0};
    for (int i = 0; i < argc && i < 5; i++)
        n[i] = (uint64_t)sqlite3_value_int64(argv[i]);
    msw_keep_draw draw = {n[1], n[2], n[3], n[4]};
    if (draw.together > 0 && draw.together <= draw.points)
        sqlite3_result_int(context, msw_keep_is_sampled(&draw, n[0]));
}

int msw_sql_register_weighed(sqlite3 *db, msw_err *err)
{
    static const double SIGNS[] = {1, -1};
    static const char *const NAMES[] = {"msw_which_max", "msw_which_min"};
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC, rc = SQLITE_OK;
#ifdef SQLITE_INNOCUOUS
    flags |= SQLITE_INNOCUOUS;
#endif
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof KINDS / sizeof *KINDS; i++)
        rc = sqlite3_create_function_v2(db, KINDS[i].name, 3, flags, (void *)&KINDS[i], NULL, step,
                                        finish, NULL);
    for (size_t i = 0; rc == SQLITE_OK && i < 2; i++)
        rc = sqlite3_create_function_v2(db, NAMES[i], 2, flags, (void *)&SIGNS[i], NULL,
                                        step_extreme, finish_extreme, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "msw_sampled", 5, flags, NULL, is_sampled, NULL, NULL,
                                        NULL);
    return rc == SQLITE_OK ? 0
           : rc == SQLITE_NOMEM
               ? msw_fail_memory(err)
               : msw_fail_kind(err, MSW_ERR_INTERNAL, "cannot register functions: %s",
                               sqlite3_errmsg(db));
}
