/* SPDX-License-Identifier: MIT */
#include "memsweep/expr/expr.h"

#include <sqlite3.h>
#include <string.h>

bool msw_expr_is_keyword(const char *name)
{
    return sqlite3_keyword_check(name, (int)strlen(name)) != 0;
}
