/* SPDX-License-Identifier: MIT */
/* Private to the store: tables of errors that a file keeps, and the intervals that views make of
 * them. They are records of msw_analysis: of kind MSW_ERRORS_KIND as they came with a mechanism, of
 * kind MSW_ERRORS_OWN as `agree` found them on rows of the file. */
#ifndef MSW_STORE_CATALOGUE_ERRORS_H
#define MSW_STORE_CATALOGUE_ERRORS_H

#include "store/catalogue/catalogue.h"

#define MSW_ERRORS_KIND "errors"
#define MSW_ERRORS_OWN  "own errors"

/* Keeps the table of a plan, once in a file. Returns 0, or -1. */
int msw_errors_keep(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);

/* Appends, to the list of columns of a view of the closed form, NAME_low and NAME_high of each
 * metric that some table knows, and where they are from. Returns 0, or -1. */
int msw_errors_add_columns(msw_store *store, const msw_view_shape *shape, msw_text *sql,
                           msw_err *err);

#endif
