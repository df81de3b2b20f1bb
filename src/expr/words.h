/* SPDX-License-Identifier: MIT */
/* words: the keywords, types and constants an expression may hold. */
#ifndef MSW_EXPR_WORDS_H
#define MSW_EXPR_WORDS_H

#include <stdbool.h>

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

#endif
