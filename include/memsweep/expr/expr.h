/* SPDX-License-Identifier: MIT */
/* expr: user expressions in SQLite's own expression language, locked down.
 *
 * An expression sees the names it is given (parameters, metrics) and the constants KiB, MiB, GiB;
 * it may use literals, operators and a whitelist of scalar functions, and nothing else. A misspelt
 * name is an error, in double quotes too. A host and its expressions belong to one thread. */
#ifndef MEMSWEEP_EXPR_EXPR_H
#define MEMSWEEP_EXPR_EXPR_H

#include "memsweep/base/err.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite3;

typedef enum msw_expr_type {
    MSW_EXPR_NULL,
    MSW_EXPR_INTEGER,
    MSW_EXPR_REAL,
    MSW_EXPR_TEXT
} msw_expr_type;

/* A name an expression may use, with the type of its column. */
typedef struct msw_expr_name {
    const char *name;
    msw_expr_type type;
} msw_expr_name;

typedef struct msw_expr_value {
    msw_expr_type type;
    int64_t integer;  /* INTEGER */
    double real;      /* REAL; also filled for INTEGER */
    const char *text; /* TEXT: valid until the next evaluation of the same expression */
} msw_expr_value;

typedef struct msw_expr_host msw_expr_host; /* the names in scope and the engine behind them */
typedef struct msw_expr msw_expr;           /* one compiled expression */

/* Opens an engine that knows `count` names (copied). Returns 0, or -1 with `err`. */
int msw_expr_host_new(const msw_expr_name *names, size_t count, msw_expr_host **host, msw_err *err);

/* Closes the engine; its expressions must be freed before. NULL is fine. */
void msw_expr_host_free(msw_expr_host *host);

/* Compiles one expression. Returns 0, or -1 with what is wrong and the nearest known name. */
int msw_expr_new(msw_expr_host *host, const char *text, msw_expr **expr, msw_err *err);

/* Frees an expression; NULL is fine. */
void msw_expr_free(msw_expr *expr);

/* Lists the names the expression uses, as indices into the host's names, ascending. Returns how
 * many. */
size_t msw_expr_used(const msw_expr *expr, const int **indices);

/* Binds the k-th used name (k counts in msw_expr_used order). The value is converted to the type of
 * the name as a column would convert it; MSW_EXPR_NULL binds NULL. Text is not copied: it must
 * stay until the evaluation is over. */
void msw_expr_bind_integer(msw_expr *expr, size_t k, int64_t value);
void msw_expr_bind_real(msw_expr *expr, size_t k, double value);
void msw_expr_bind_text(msw_expr *expr, size_t k, const char *value);
void msw_expr_bind_null(msw_expr *expr, size_t k);

/* Evaluates with the bound values. Returns 0 and the result, or -1 with `err` (overflow, ...). */
int msw_expr_eval(msw_expr *expr, msw_expr_value *result, msw_err *err);

/* Evaluates as a condition: NULL and zero are false. Returns 1, 0, or -1 with `err`. */
int msw_expr_true(msw_expr *expr, msw_err *err);

/* Checks an expression against names without keeping it: for text that will be spliced, in
 * parentheses, into a larger query over columns of these names (KiB, MiB and GiB are replaced by
 * their numbers). Appends the text to splice to `out`. Returns 0, or -1 with `err`. */
int msw_expr_splice(const msw_expr_name *names, size_t count, const char *text, msw_text *out,
                    msw_err *err);

/* Checks text again that says it came from msw_expr_splice, with an engine that is open already.
 * Appends what to splice to `out`: the same text where it did. Returns 0, or -1 with `err`. */
int msw_expr_check_spliced(msw_expr_host *host, const char *text, msw_text *out, msw_err *err);

/* The next part of an expression: a word, a number, text in quotes, or any other letter. */
typedef struct msw_expr_word {
    size_t size;      /* of all of it; 0: the end */
    const char *name; /* without quotes */
    size_t name_size; /* 0: it is no name */
} msw_expr_word;
msw_expr_word msw_expr_next(const char *text);

/* Returns whether a name stands in an expression. */
bool msw_expr_mentions(const char *text, const char *name);

/* Returns whether
 * SQL gives a word a meaning of its own, so that no column should be called so. */
bool msw_expr_is_keyword(const char *name);

/* Gives a database connection the functions that expressions have and its library may lack, so that
 * spliced text means there what it means here. Returns 0, or -1 with `err`. */
int msw_expr_register(struct sqlite3 *db, msw_err *err);

#endif
