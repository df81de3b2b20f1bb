/* SPDX-License-Identifier: MIT */
/* Reads and writes the fields of a config by their parameters, as numbers and as text. */
#include "memsweep/param/param.h"

#include "memsweep/base/math.h"
#include "memsweep/base/units.h"

#include <stdio.h>
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

/* 0 where the range starts there, then the powers of two. */
static double draw_pow2(double min, double max, double u)
{
    int low = (int)ceil(msw_math_log2(fmax(min, 1))),
        high = (int)floor(msw_math_log2(fmax(max, 1)));
    int steps = high - low + 1, zero = min == 0, at = (int)(u * (steps + zero));
    return zero && at == 0 ? 0 : ldexp(1, low + at - zero);
}

/* A neutral value outside the range is that of something off: half of the draws. */
double msw_param_draw(const msw_param *p, double u)
{
    size_t choices = msw_param_choices(p);
    bool given = p->plausible_min != 0 || p->plausible_max != 0;
    double min = given ? p->plausible_min : p->min, max = given ? p->plausible_max : p->max;
    double neutral = msw_param_neutral(p);
    if (!choices && (neutral < min || neutral > max)) {
        if (u < 0.5)
            return neutral;
        u = 2 * u - 1;
    }
    if (choices)
        return floor(u * (double)choices);
    if (p->scale == MSW_POW2)
        return draw_pow2(min, max, u);
    if (p->scale == MSW_LOG)
        return min * msw_math_pow(max / min, u);
    return p->kind == MSW_REAL ? min + u * (max - min) : min + floor(u * (max - min + 1));
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

/* ---- values as text ---- */

static const char *print_size(double value, char *buffer)
{
    static const struct {
        const char *suffix;
        double bytes;
    } STEPS[] = {
        {"TiB", 1099511627776.0}, {"GiB", 1073741824.0}, {"MiB", 1048576.0}, {"KiB", 1024.0}};
    for (size_t i = 0; value != 0 && i < sizeof STEPS / sizeof *STEPS; i++)
        if (fmod(value, STEPS[i].bytes) == 0) {
            snprintf(buffer, MSW_PARAM_TEXT, "%.0f%s", value / STEPS[i].bytes, STEPS[i].suffix);
            return buffer;
        }
    char number[32];
    snprintf(buffer, MSW_PARAM_TEXT, "%sB", msw_double_text(value, number));
    return buffer;
}

static const char *print_number(const msw_param *param, double value, char *buffer)
{
    if (param->kind == MSW_SIZE)
        return print_size(value, buffer);
    return msw_double_text(value, buffer);
}

const char *msw_param_print(const msw_param *param, double value, char buffer[MSW_PARAM_TEXT])
{
    const char *word = NULL;
    if (param->kind == MSW_FLAG && (value == 0 || value == 1))
        word = value == 1 ? "on" : "off";
    else if (param->kind == MSW_CHOICE && value >= 0 && value < (double)msw_param_choices(param))
        word = param->choices[(size_t)value].name;
    else if (param->max_word && value == param->max)
        word = param->max_word;
    if (!word)
        return print_number(param, value, buffer);
    snprintf(buffer, MSW_PARAM_TEXT, "%s", word);
    return buffer;
}

static void add_range(const msw_param *param, msw_text *out)
{
    char low[MSW_PARAM_TEXT], high[MSW_PARAM_TEXT];
    msw_text_add(out, "%s .. %s", print_number(param, param->min, low),
                 print_number(param, param->max, high));
    if (param->max_word)
        msw_text_add(out, " (%s)", param->max_word);
    if (param->kind != MSW_SIZE && *param->unit)
        msw_text_add(out, " %s", param->unit);
}

void msw_param_allowed(const msw_param *param, msw_text *out)
{
    if (param->kind == MSW_FLAG)
        msw_text_add(out, "off, on");
    else if (param->kind == MSW_CHOICE)
        for (const msw_choice *c = param->choices; c->name; c++)
            msw_text_add(out, "%s%s", c == param->choices ? "" : ", ", c->name);
    else
        add_range(param, out);
}

/* Fails with "<name> = <found> <problem>: <allowed>". */
static int fail_value(const msw_param *param, const char *found, const char *problem, msw_err *err)
{
    msw_text allowed = MSW_TEXT_EMPTY;
    msw_param_allowed(param, &allowed);
    msw_fail(err, "%s = %s %s: %s", param->name, found, problem, msw_text_str(&allowed));
    msw_text_free(&allowed);
    return -1;
}

static bool in_range(const msw_param *param, double value)
{
    size_t choices = msw_param_choices(param);
    double min = choices ? 0 : param->min, max = choices ? (double)choices - 1 : param->max;
    return value >= min && value <= max;
}

int msw_param_check(const msw_param *param, double value, msw_err *err)
{
    char found[MSW_PARAM_TEXT];
    if (!in_range(param, value))
        return fail_value(param, print_number(param, value, found), "is out of range", err);
    if (param->kind != MSW_REAL && value != floor(value))
        return fail_value(param, print_number(param, value, found), "is not a whole number", err);
    return 0;
}

static int parse_flag(const msw_param *param, const char *text, double *value, msw_err *err)
{
    static const char *const WORDS[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(text, WORDS[i]) == 0) {
            *value = (double)(i % 2);
            return 0;
        }
    return fail_value(param, text, "is not a switch", err);
}

static int parse_choice(const msw_param *param, const char *text, double *value, msw_err *err)
{
    for (const msw_choice *c = param->choices; c->name; c++)
        if (strcmp(text, c->name) == 0) {
            *value = (double)(c - param->choices);
            return 0;
        }
    const char *nearest = msw_nearest(text, &param->choices->name, sizeof *param->choices);
    if (!nearest)
        return fail_value(param, text, "is not a choice", err);
    char problem[MSW_PARAM_TEXT + 40];
    snprintf(problem, sizeof problem, "is not a choice, did you mean '%s'? allowed", nearest);
    return fail_value(param, text, problem, err);
}

static int parse_number(const msw_param *param, const char *text, double *value, msw_err *err)
{
    if (param->max_word && strcmp(text, param->max_word) == 0) {
        *value = param->max;
        return 0;
    }
    double number;
    if (msw_units_parse(text, param->unit, &number, err) != 0)
        return msw_fail_prefix(err, "%s: ", param->name);
    if (msw_param_check(param, number, err) != 0)
        return -1;
    *value = number == 0 ? 0.0 : number; /* -0 and 0 are one setting */
    return 0;
}

int msw_param_parse(const msw_param *param, const char *text, double *value, msw_err *err)
{
    if (param->kind == MSW_FLAG)
        return parse_flag(param, text, value, err);
    if (param->kind == MSW_CHOICE)
        return parse_choice(param, text, value, err);
    return parse_number(param, text, value, err);
}
