/* SPDX-License-Identifier: MIT */
#include "memsweep/param/param.h"

#include <stdlib.h>
#include <string.h>

size_t msw_params_count(const msw_param *table)
{
    size_t count = 0;
    while (table && table[count].name)
        count++;
    return count;
}

int msw_params_host(const msw_param *table, msw_expr_host **host, msw_err *err)
{
    size_t count = msw_params_count(table);
    msw_expr_name *names = calloc(count + 1, sizeof *names);
    *host = NULL;
    if (!names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        names[i] = (msw_expr_name){table[i].name, msw_param_type(&table[i])};
    int rc = msw_expr_host_new(names, count, host, err);
    free(names);
    return rc;
}

const msw_param *msw_params_find(const msw_param *table, const char *name)
{
    for (const msw_param *p = table; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

const double msw_no_neutral = NAN;

double msw_param_neutral(const msw_param *param)
{
    return param->neutral ? *param->neutral : NAN;
}

size_t msw_param_choices(const msw_param *param)
{
    if (param->kind == MSW_FLAG)
        return 2;
    size_t count = 0;
    while (param->kind == MSW_CHOICE && param->choices[count].name)
        count++;
    return count;
}

double msw_param_get(const msw_param *param, const void *config)
{
    const char *field = (const char *)config + param->offset;
    if (param->kind == MSW_REAL) {
        double real;
        memcpy(&real, field, sizeof real);
        return real;
    }
    int64_t integer;
    memcpy(&integer, field, sizeof integer);
    return (double)integer;
}

void msw_param_bind(const msw_param *param, const void *config, msw_expr *expr, size_t k)
{
    double value = msw_param_get(param, config);
    if (param->kind == MSW_CHOICE)
        msw_expr_bind_text(expr, k, param->choices[(size_t)value].name);
    else if (param->kind == MSW_REAL)
        msw_expr_bind_real(expr, k, value);
    else
        msw_expr_bind_integer(expr, k, (int64_t)value);
}

void msw_param_set(const msw_param *param, void *config, double value)
{
    char *field = (char *)config + param->offset;
    if (param->kind == MSW_REAL) {
        memcpy(field, &value, sizeof value);
        return;
    }
    int64_t integer = (int64_t)value;
    memcpy(field, &integer, sizeof integer);
}

void msw_params_defaults(const msw_param *table, void *config)
{
    for (const msw_param *p = table; p && p->name; p++)
        msw_param_set(p, config, p->def);
}

msw_expr_type msw_param_type(const msw_param *param)
{
    if (param->kind == MSW_REAL)
        return MSW_EXPR_REAL;
    return param->kind == MSW_CHOICE ? MSW_EXPR_TEXT : MSW_EXPR_INTEGER;
}

const char *msw_source_name(msw_source source)
{
    static const char *const NAMES[] = {"paper", "public", "inferred", "unknown"};
    return NAMES[source];
}

const char *msw_kind_name(msw_kind kind)
{
    static const char *const NAMES[] = {"integer", "real", "choice", "size", "flag"};
    return NAMES[kind];
}
