/* SPDX-License-Identifier: MIT */
/* language: what an expression may hold (tokens, keywords, constants, functions), its rewriting,
 * and the locked-down connection behind it. */
#ifndef MSW_EXPR_LANGUAGE_H
#define MSW_EXPR_LANGUAGE_H

#include "memsweep/base/err.h"
#include "memsweep/base/text.h"
#include "memsweep/expr/expr.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* What an expression may hold (tokens, keywords, constants, functions), and its rewriting
 * as SQL over the names in scope.
 *
 * A word that is not on a list here never reaches SQLite; its authorizer is the second wall. */

/* ---- lexer.c ---- */

typedef enum msw_token_kind {
    MSW_TOKEN_END,
    MSW_TOKEN_NUMBER,
    MSW_TOKEN_STRING, /* 'text', quotes included */
    MSW_TOKEN_WORD,   /* name, function or keyword; dots inside belong to it */
    MSW_TOKEN_QUOTED, /* "name", quotes included */
    MSW_TOKEN_OPERATOR,
    MSW_TOKEN_OPEN,
    MSW_TOKEN_CLOSE,
    MSW_TOKEN_COMMA
} msw_token_kind;

typedef struct msw_token {
    msw_token_kind kind;
    const char *start;
    size_t size;
} msw_token;

/* Reads the token at `text`, behind white space. Returns 0, or -1 with what was found. */
int msw_token_read(const char *text, msw_token *token, msw_err *err);

typedef struct msw_keyword {
    const char *name;
    bool ends; /* may end an expression */
    bool list; /* a parenthesis behind it may hold a list */
} msw_keyword;

/* Finds a keyword, in upper or lower case. Returns it, or NULL. */
const msw_keyword *msw_keyword_find(const char *word);

/* Returns whether CAST(... AS word) is allowed. */
bool msw_cast_type_is(const char *word);

/* Finds the number of a constant (KiB, MiB, GiB). Returns it as text, or NULL. */
const char *msw_constant_find(const char *word);

/* Finds the constant that is spelt so but for upper and lower case. Returns its name, or NULL. */
const char *msw_constant_nearest(const char *wrong);

typedef struct msw_function {
    const char *name;
    int min, max; /* how many arguments */
} msw_function;

/* Finds a function whose name is `size` characters at `name`, in upper or lower case. Returns it,
 * or NULL. */
const msw_function *msw_function_find(const char *name, size_t size);

/* Fails with the nearest function and all that are allowed. Returns -1. */
int msw_function_refuse(const char *word, msw_err *err);

/* ---- rewrite.c ---- */

/* Rewrites `text` into `out`: names written so that SQL reads them as columns, KiB, MiB and GiB as
 * numbers. `names` ends with a NULL name; used[i] is set where name i occurs (may be NULL).
 * Returns 0, or -1 with what is wrong. */
int msw_expr_rewrite(const msw_expr_name *names, const char *text, bool *used, msw_text *out,
                     msw_err *err);

/* Returns whether a word has a meaning in expressions and so cannot be the name of a value. */
bool msw_expr_is_word(const char *word);

/* The locked-down SQLite connection behind expressions, and the one table they can see. */

/* No declared name can be this: it has a space. */
#define MSW_EXPR_TABLE "msw names"

/* The value a name has now, already converted to the type of its column. */
typedef struct msw_expr_slot {
    msw_expr_type type;
    int64_t integer;
    double real;
    const char *text;
    char buffer[32]; /* a number bound to a TEXT name is printed here */
} msw_expr_slot;

struct msw_expr_host {
    sqlite3 *db;
    msw_expr_name *names; /* ends with a NULL name */
    size_t count;
    int selects;                  /* seen by the authorizer in the statement being compiled */
    const msw_expr_slot *current; /* values of the expression being evaluated */
};

struct msw_expr {
    msw_expr_host *host;
    sqlite3_stmt *stmt;
    msw_expr_slot *slots; /* one per name of the host */
    int *used;
    size_t used_count;
};

/* Records the error of SQLite: memory ran out, or a bug. Returns -1. */
int msw_expr_fail(sqlite3 *db, const char *what, msw_err *err);

#endif
