/* SPDX-License-Identifier: MIT */
#include "expr/words.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const msw_keyword KEYWORDS[] = {
    {.name = "AND"},
    {.name = "AS"},
    {.name = "BETWEEN"},
    {.name = "CASE"},
    {.name = "CAST"},
    {.name = "ELSE"},
    {.name = "END", .ends = true},
    {.name = "ESCAPE"},
    {.name = "FALSE", .ends = true},
    {.name = "GLOB", .list = true},
    {.name = "IN", .list = true},
    {.name = "IS"},
    {.name = "ISNULL", .ends = true},
    {.name = "LIKE", .list = true},
    {.name = "NOT"},
    {.name = "NOTNULL", .ends = true},
    {.name = "NULL", .ends = true},
    {.name = "OR"},
    {.name = "THEN"},
    {.name = "TRUE", .ends = true},
    {.name = "WHEN"},
    {.name = NULL},
};

static const struct {
    const char *name, *number;
} CONSTANTS[] = {{"KiB", "1024"}, {"MiB", "1048576"}, {"GiB", "1073741824"}, {NULL, NULL}};

const msw_keyword *msw_keyword_find(const char *word)
{
    for (const msw_keyword *k = KEYWORDS; k->name; k++)
        if (strcasecmp(k->name, word) == 0)
            return k;
    return NULL;
}

bool msw_cast_type_is(const char *word)
{
    static const char *const TYPES[] = {"INTEGER", "REAL", "TEXT", "NUMERIC"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcasecmp(TYPES[i], word) == 0)
            return true;
    return false;
}

const char *msw_constant_find(const char *word)
{
    for (size_t i = 0; CONSTANTS[i].name; i++)
        if (strcmp(CONSTANTS[i].name, word) == 0)
            return CONSTANTS[i].number;
    return NULL;
}

const char *msw_constant_nearest(const char *wrong)
{
    for (size_t i = 0; CONSTANTS[i].name; i++)
        if (strcasecmp(CONSTANTS[i].name, wrong) == 0)
            return CONSTANTS[i].name;
    return NULL;
}
