/* SPDX-License-Identifier: MIT */
/* space: which parameters vary and how, and the turning of coordinates into a config.
 *
 * A schema joins the parameter tables of a point (mechanism, workload front ends) into one list and
 * one block of memory. A space is factors over a schema; it is immutable and shared. A cursor holds
 * what one thread needs to walk it (compiled expressions). */
#ifndef MEMSWEEP_PARAM_SPACE_H
#define MEMSWEEP_PARAM_SPACE_H

#include "memsweep/base/hash.h"
#include "memsweep/expr/expr.h"
#include "memsweep/param/param.h"

#include <stdbool.h>

/* What the numbers of a point mean. */
typedef enum msw_coords {
    MSW_COORDS_LEVEL, /* level index of each factor, exact integers */
    MSW_COORDS_UNIT,  /* position along each factor: a factor with L levels takes floor(u * L) and
                         u < 1; a continuous one takes u of its range, and u = 1 can occur */
    MSW_COORDS_VALUE  /* values of the factors themselves (list) */
} msw_coords;

typedef struct msw_schema {
    size_t count;
    const msw_param **params; /* all tables, one after the other */
    size_t *offsets;          /* of each field in the joint block */
    bool *real;               /* whether the field is a double (else int64_t) */
    double *neutral;          /* neutral value of each */
    uint64_t *ids;            /* 64-bit digest of each name, for keys */
    size_t size;              /* bytes of the joint block */
    size_t part_count;
    size_t *part_offsets; /* where the config of table t starts in the block */
    size_t *part_first;   /* index of the first parameter of table t; part_count + 1 entries */
} msw_schema;

/* Joins tables. Config sizes are rounded up to 8 bytes. Returns 0, or -1 with a duplicate named. */
int msw_schema_init(msw_schema *schema, const msw_param *const *tables, const size_t *sizes,
                    size_t count, msw_err *err);

/* Frees the lists. */
void msw_schema_free(msw_schema *schema);

/* Finds a parameter ("npu.batch" is read as "npu_batch"). Returns its index, or -1. */
int msw_schema_find(const msw_schema *schema, const char *name);

/* Nearest parameter name to a misspelt one. Returns it, or NULL. */
const char *msw_schema_nearest(const msw_schema *schema, const char *wrong);

/* Reads and writes field `index` of a joint block. Inline: every point of a sweep goes through them
 * tens of times. */
static inline double msw_schema_get(const msw_schema *schema, size_t index, const void *block)
{
    const char *field = (const char *)block + schema->offsets[index];
    return schema->real[index] ? *(const double *)field : (double)*(const int64_t *)field;
}

static inline void msw_schema_set(const msw_schema *schema, size_t index, void *block, double value)
{
    char *field = (char *)block + schema->offsets[index];
    if (schema->real[index])
        *(double *)field = value;
    else
        *(int64_t *)field = (int64_t)value;
}

/* Sets all fields to their defaults. */
void msw_schema_defaults(const msw_schema *schema, void *block);

/* Canonical binary form of the parameters [first, last): (name id, value) of each that is not at
 * its neutral value, in table order. `words` has room for 2 x (last - first). Returns the number of
 * words. */
size_t msw_schema_canonical(const msw_schema *schema, size_t first, size_t last, const void *block,
                            uint64_t *words);

/* One thing that varies. */
typedef struct msw_factor {
    char *name;
    size_t target_count; /* parameters it sets: 1, or several for a split */
    size_t *targets;     /* indices into the schema */
    uint64_t levels;     /* 0: continuous between from and to */
    double *values;      /* levels x target_count */
    double from, to;
    msw_scale scale;
    char *when; /* condition text, or NULL: always active */
} msw_factor;

/* A parameter set by an expression of others. */
typedef struct msw_fixed_expr {
    size_t target;
    char *text;
} msw_fixed_expr;

/* Owns all it points to except the schema. */
typedef struct msw_space {
    const msw_schema *schema;
    void *base; /* joint block: defaults, preset, fixed values */
    size_t factor_count;
    msw_factor *factors;
    size_t fixed_count;
    msw_fixed_expr *fixed; /* in an order in which each can be computed */
    char *where;           /* or NULL */
} msw_space;

/* Frees what the space owns. */
void msw_space_free(msw_space *space);

/* Whether the space sets a parameter: by a factor, or to a fixed value. */
bool msw_space_sets(const msw_space *space, size_t param);

typedef struct msw_cursor msw_cursor;

/* Compiles a space's expressions for one thread. Returns 0, or -1 with which one is wrong. */
int msw_cursor_new(const msw_space *space, msw_cursor **cursor, msw_err *err);

/* Frees a cursor; NULL is fine. */
void msw_cursor_free(msw_cursor *cursor);

/* Fills `block` (schema->size bytes) from coordinates. Inactive factors take the default of their
 * parameters. A value an expression pushes out of range is an error. Returns 0, or -1. */
int msw_cursor_config(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                      msw_err *err);

/* Decides whether a point belongs to the space: `where` holds, and for level coordinates every
 * inactive factor is at its first level (so that it does not multiply points). Returns 1, 0, or
 * -1 with `err`. Also fills `block`. */
int msw_cursor_accepts(msw_cursor *cursor, msw_coords kind, const double *coords, void *block,
                       msw_err *err);

#endif
