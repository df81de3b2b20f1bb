/* SPDX-License-Identifier: MIT */
#include "expr/functions.h"

#include <string.h>
#include <strings.h>

enum { MANY = 64 };

/* min and max take two arguments at least: with one they would be aggregates over rows. */
static const msw_function FUNCTIONS[] = {
    {"abs", 1, 1},     {"acos", 1, 1},    {"asin", 1, 1},        {"atan", 1, 1},  {"atan2", 2, 2},
    {"ceil", 1, 1},    {"ceiling", 1, 1}, {"coalesce", 2, MANY}, {"cos", 1, 1},   {"cosh", 1, 1},
    {"degrees", 1, 1}, {"exp", 1, 1},     {"floor", 1, 1},       {"glob", 2, 2},  {"ifnull", 2, 2},
    {"iif", 3, 3},     {"instr", 2, 2},   {"length", 1, 1},      {"like", 2, 3},  {"ln", 1, 1},
    {"log", 1, 2},     {"log10", 1, 1},   {"log2", 1, 1},        {"lower", 1, 1}, {"max", 2, MANY},
    {"min", 2, MANY},  {"mod", 2, 2},     {"nullif", 2, 2},      {"pi", 0, 0},    {"pow", 2, 2},
    {"power", 2, 2},   {"radians", 1, 1}, {"round", 1, 2},       {"sign", 1, 1},  {"sin", 1, 1},
    {"sinh", 1, 1},    {"sqrt", 1, 1},    {"substr", 2, 3},      {"tan", 1, 1},   {"tanh", 1, 1},
    {"trunc", 1, 1},   {"typeof", 1, 1},  {"upper", 1, 1},       {NULL, 0, 0},
};

const msw_function *msw_function_find(const char *name, size_t size)
{
    for (const msw_function *f = FUNCTIONS; f->name; f++)
        if (strlen(f->name) == size && strncasecmp(f->name, name, size) == 0)
            return f;
    return NULL;
}

int msw_function_refuse(const char *word, msw_err *err)
{
    msw_text allowed = MSW_TEXT_EMPTY;
    const char *nearest = msw_nearest(word, &FUNCTIONS->name, sizeof *FUNCTIONS);
    if (nearest)
        msw_text_add(&allowed, ", did you mean '%s'? allowed:", nearest);
    else
        msw_text_add(&allowed, ", allowed:");
    for (const msw_function *f = FUNCTIONS; f->name; f++)
        msw_text_add(&allowed, "%s %s", f == FUNCTIONS ? "" : ",", f->name);
    msw_fail(err, "the function '%s' is not allowed%s", word, msw_text_str(&allowed));
    msw_text_free(&allowed);
    return -1;
}
