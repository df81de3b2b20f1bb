/* SPDX-License-Identifier: MIT */
/* functions: the functions an expression may call. */
#ifndef MSW_EXPR_FUNCTIONS_H
#define MSW_EXPR_FUNCTIONS_H

#include "memsweep/base/text.h"

#include <stddef.h>

typedef struct msw_function {
    const char *name;
    int min, max; /* how many arguments */
} msw_function;

/* Finds a function whose name is `size` characters at `name`, in upper or lower case. Returns it,
 * or NULL. */
const msw_function *msw_function_find(const char *name, size_t size);

/* Fails with the nearest function and all that are allowed. Returns -1. */
int msw_function_refuse(const char *word, msw_err *err);

#endif
