/* SPDX-License-Identifier: MIT */
/* param: tables that declare, once, everything a user can set, and the typed configs they describe.
 *
 * Parsing, range checks, help, database columns, plot labels and the reference pages all come from
 * these tables. A config is a plain struct of int64_t and double fields (double for MSW_REAL, else
 * int64_t); models read its fields, everyone else goes through the table. */
#ifndef MEMSWEEP_PARAM_PARAM_H
#define MEMSWEEP_PARAM_PARAM_H

#include "memsweep/base/err.h"
#include "memsweep/base/text.h"
#include "memsweep/expr/expr.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A row of a table, its fields by name. As braces, but laid out in fewer lines. */
#define MSW_ROW(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* What a row says of its neutral value. A pointer, so that a row that says nothing is distinguished
 * from one that says 0. */
#define MSW_NEUTRAL(value) (&(const double){value})
#define MSW_NO_NEUTRAL     (&msw_no_neutral)
extern const double msw_no_neutral; /* NAN */

/* The choices of a row: an array, so that a hole in it is distinguished from its end. */
#define MSW_CHOICES(array) .choices = (array), .choice_count = sizeof(array) / sizeof *(array)

typedef enum msw_kind {
    MSW_INTEGER, /* int64_t */
    MSW_REAL,    /* double */
    MSW_CHOICE,  /* int64_t: index into choices */
    MSW_SIZE,    /* int64_t, bytes */
    MSW_FLAG     /* int64_t: 0 or 1, written off/on */
} msw_kind;

/* A pow2 range that starts at 0 is 0, then the powers of two; a log range starts above 0. */
typedef enum msw_scale { MSW_LINEAR, MSW_POW2, MSW_LOG } msw_scale;

/* How sure a default is. */
typedef enum msw_source { MSW_PAPER, MSW_PUBLIC, MSW_INFERRED, MSW_UNKNOWN } msw_source;

typedef struct msw_choice {
    const char *name, *doc; /* a list ends with name NULL */
} msw_choice;

typedef struct msw_param {
    const char *name; /* lower_case, no SQL keyword; a table ends with name NULL */
    msw_kind kind;
    const char *unit; /* see units.h; "" for a pure number */
    double min, max;  /* inclusive; ignored for choices and flags */
    double def;
    const double *neutral;     /* MSW_NEUTRAL(the value at which the model behaves as before this
                                  parameter existed): left out of the key. MSW_NO_NEUTRAL: always in
                                  the key. One of both must be said: 0, too, is a value */
    msw_scale scale;           /* how a range is walked and plotted */
    const msw_choice *choices; /* MSW_CHOICE only: MSW_CHOICES(array) */
    const char *max_word;      /* a word that stands for `max` ("unlimited"), or NULL */
    const char *doc;           /* one line, no final point */
    msw_source source;
    const char *reference;               /* where the default comes from; never NULL */
    double plausible_min, plausible_max; /* where unknown or inferred; both 0: not given */
    size_t offset;                       /* offsetof the field in the config struct */
    size_t choice_count; /* of the array, its end included: MSW_CHOICES(array) sets both */
    const char *acts;    /* condition over other parameters of the table: where it does not hold,
                            the value changes no metric of the closed form or of full, not through
                            a reference either; of a front end, nothing of its product. NULL: it
                            always acts; "0": no metric shows it */
} msw_param;

enum { MSW_PARAM_TEXT = 80 }; /* room for one printed value */

/* Counts the entries of a table. Returns the count; NULL counts 0. */
size_t msw_params_count(const msw_param *table);

/* Opens an engine for expressions over a table: its names are the entries, in order. Returns 0, or
 * -1. */
int msw_params_host(const msw_param *table, msw_expr_host **host, msw_err *err);

/* Finds an entry by name. Returns it, or NULL. */
const msw_param *msw_params_find(const msw_param *table, const char *name);

/* Checks that a table is sound: names (unique, lower case, no SQL keyword), ranges, defaults, docs,
 * references, offsets inside `config_size`, conditions (of other entries). `owner` names it in
 * messages. Returns 0, or -1. */
int msw_params_check(const msw_param *table, const char *owner, size_t config_size, msw_err *err);

/* Checks that a name can be a column: lower case, not reserved. Returns 0, or -1 with `err`. */
int msw_name_check(const char *name, msw_err *err);

/* Number of choices of a MSW_CHOICE entry (2 for a flag). Returns 0 for other kinds. */
size_t msw_param_choices(const msw_param *param);

/* The value at u of [0, 1) for random configs: choices all alike; numbers over the plausible, else
 * the whole range, on their scale; half of them neutral where that lies outside of it (off). */
double msw_param_draw(const msw_param *param, double u);

/* The neutral value of an entry. Returns it; NAN where there is none. */
double msw_param_neutral(const msw_param *param);

/* Reads a field. Returns it as double (exact: fields stay below 2^53). */
double msw_param_get(const msw_param *param, const void *config);

/* Binds a field to name `k` of an expression, with the type that its column has. */
void msw_param_bind(const msw_param *param, const void *config, msw_expr *expr, size_t k);

/* Writes a field without checking it. */
void msw_param_set(const msw_param *param, void *config, double value);

/* Sets every field of a config to its default. */
void msw_params_defaults(const msw_param *table, void *config);

/* Checks one value against kind and range. Returns 0, or -1 with what is allowed. */
int msw_param_check(const msw_param *param, double value, msw_err *err);

/* Reads a value as a user writes it (number with unit, choice, on/off, max_word) and checks it.
 * Returns 0, or -1 with what was found, what is allowed, nearest choice. */
int msw_param_parse(const msw_param *param, const char *text, double *value, msw_err *err);

/* Prints a value as a sweep file would hold it (canonical: parses back to the same value). Returns
 * `buffer`. */
const char *msw_param_print(const msw_param *param, double value, char buffer[MSW_PARAM_TEXT]);

/* Prints the allowed values of an entry ("1 .. 4096", "off, on", "lru, fifo"). */
void msw_param_allowed(const msw_param *param, msw_text *out);

/* The type a parameter's column has in expressions and in the database. */
msw_expr_type msw_param_type(const msw_param *param);

/* Names of the source classes: "paper", "public", "inferred", "unknown". */
const char *msw_source_name(msw_source source);

/* Names of the kinds: "integer", "real", "choice", "size", "flag". */
const char *msw_kind_name(msw_kind kind);

#endif
