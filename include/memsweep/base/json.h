/* SPDX-License-Identifier: MIT */
/* json: a JSON text (RFC 8259) as a tree in an arena, each value with its line and column.
 *
 * Strict: no comments, no commas at an end, one value in all, strings are UTF-8 without zero bytes;
 * a key that comes twice in an object is refused. At most 64 levels and 4,000,000 values,
 * which take 500 MB. */
#ifndef MEMSWEEP_BASE_JSON_H
#define MEMSWEEP_BASE_JSON_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum msw_json_kind {
    MSW_JSON_NULL,
    MSW_JSON_FALSE,
    MSW_JSON_TRUE,
    MSW_JSON_NUMBER,
    MSW_JSON_STRING,
    MSW_JSON_LIST,
    MSW_JSON_OBJECT
} msw_json_kind;

typedef struct msw_json {
    msw_json_kind kind;
    size_t line, column;         /* from 1; bytes */
    const char *key;             /* of a member of an object */
    const char *text;            /* a string decoded, a number as it is written */
    const struct msw_json *next; /* of the same list or object */
    const struct msw_json *first;
    size_t count; /* of a list or object */
} msw_json;

/* Reads a text. `file` is for messages. Returns the value, or NULL with `err`. */
const msw_json *msw_json_read(const char *file, const char *bytes, size_t size, msw_arena *arena,
                              msw_err *err);

/* Finds a member of an object. Returns it, or NULL: there is none, or `object` is no object. */
const msw_json *msw_json_find(const msw_json *object, const char *key);

/* Reads a whole number, written with or without an exponent or zeros behind the point. Returns
 * whether it is one of 0 to 2^53. */
bool msw_json_whole(const msw_json *value, uint64_t *number);

#endif
