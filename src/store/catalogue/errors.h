/* SPDX-License-Identifier: MIT */
/* Private to the store: tables of errors that a file keeps, and the intervals that views make of
 * them. */
#ifndef MSW_STORE_CATALOGUE_ERRORS_H
#define MSW_STORE_CATALOGUE_ERRORS_H

#include "store/catalogue/catalogue.h"

/* Keeps the table of a plan, once in a file. Returns 0, or -1. */
int msw_errors_keep(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);

/* Appends, to the list of columns of a view of the closed form, NAME_low and NAME_high of each
 * metric that some table knows, and where they are from. Returns 0, or -1. */
int msw_errors_add_columns(msw_store *store, const msw_view_shape *shape, msw_text *sql,
                           msw_err *err);

#endif
