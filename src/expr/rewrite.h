/* SPDX-License-Identifier: MIT */
/* rewrite: checks an expression token by token and writes it as SQL over the names in scope.
 *
 * What is not on a list here never reaches SQLite; its authorizer is the second wall. */
#ifndef MSW_EXPR_REWRITE_H
#define MSW_EXPR_REWRITE_H

#include "memsweep/expr/expr.h"

/* Rewrites `text` into `out`: names written so that SQL reads them as columns, KiB, MiB and GiB as
 * numbers. `names` ends with a NULL name; used[i] is set where name i occurs (may be NULL).
 * Returns 0, or -1 with what is wrong. */
int msw_expr_rewrite(const msw_expr_name *names, const char *text, bool *used, msw_text *out,
                     msw_err *err);

/* Returns whether a word has a meaning in expressions and so cannot be the name of a value. */
bool msw_expr_is_word(const char *word);

#endif
