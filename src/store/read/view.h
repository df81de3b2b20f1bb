/* SPDX-License-Identifier: MIT */
/* Rows on their way out: the view a query reads, and the SELECT it becomes. */
#ifndef MSW_STORE_READ_VIEW_H
#define MSW_STORE_READ_VIEW_H

#include "memsweep/store/store.h"
#include "store/catalogue/names.h"

#include <sqlite3.h>

/* A column of a sweep's view. */
typedef struct msw_view_column {
    char *name, *unit, *role;
    msw_goal goal;
    msw_expr_type type;
} msw_view_column;

typedef struct msw_view {
    char *name;
    int64_t sweep;
    bool over;    /* one row per design, over its workloads */
    char *source; /* a SELECT that replaces the view, or NULL */
    size_t count;
    msw_view_column *columns;
} msw_view;

/* Whether a column says why rows are not to be trusted: the engine's, not one that a sweep derives
 * under the same name. */
bool msw_view_is_doubt(const msw_view_column *column);

/* Finds the sweep a command means and makes its view: fills name and sweep alone. Returns 0, or -1.
 */
int msw_view_find(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err);

/* Finds the view of a sweep (name NULL: the only one; `latest` takes the last used instead of
 * failing when there are several) and lists its columns. */
int msw_view_load(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err);
void msw_view_free(msw_view *view);

/* Reads what the catalogue knows about a sweep by its id: all but the name. Returns 0, or -1. */
int msw_sweep_info_read(msw_store *store, int64_t sweep, msw_sweep_info *info, msw_err *err);

/* By what a query leaves out rows of a view beside its filter. */
typedef struct msw_shown {
    bool limits, doubts;
    bool stated; /* whether rows say where the closed form is stated to agree */
} msw_shown;
msw_shown msw_query_shown(const msw_query *query, const msw_view *view);

/* Prints the SELECT a query means. */
int msw_query_select(const msw_query *query, const msw_view *view, msw_text *sql, msw_err *err);

/* Makes a view's source the rows in temp.msw_chosen, which it makes where there is none. Returns 0,
 * or -1. */
int msw_chosen_source(msw_store *store, msw_view *view, msw_err *err);

/* Fills that table. Returns 0, or -1. */
int msw_chosen_insert(msw_store *store, int64_t sweep, const msw_row_id *rows, size_t count,
                      msw_err *err);

/* Reads what a prepared SELECT over a view gives. Returns 0, or -1. */
int msw_read_statement(msw_store *store, sqlite3_stmt *stmt, const msw_view *view, msw_table *table,
                       msw_err *err);

/* Prepares text a user wrote: one statement that only reads, and only what may be read. Returns 0,
 * or -1. */
int msw_users_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err);

/* A sweep over its workloads, one row per design. */

typedef enum msw_over_by { MSW_BY_WORST, MSW_BY_MEAN, MSW_BY_GEOMEAN, MSW_BY_WEIGHTED } msw_over_by;

/* What comes after the last '@' of a word: "worst", "mean(a, b)", "weighted(a=2, b=1)". */
typedef struct msw_over {
    const char *word; /* in the word that was read; NULL: none */
    msw_over_by by;
    size_t count; /* workloads named; 0: all */
    char **names;
    double *weights;
} msw_over;

/* Where the way to take workloads together begins in a word. Returns its '@', or NULL. */
const char *msw_over_find(const char *word);

/* Whether a word leaves it to the sweep (MSW_OVER_OWN). */
bool msw_over_is_own(const char *word);

/* Reads it; `workloads` are those of the sweep. Returns 0, or -1. */
int msw_over_read(const char *at, const char *const *workloads, size_t count, msw_over *over,
                  msw_err *err);
void msw_over_free(msw_over *over);

/* Makes the view NAME@worst of the view `base`, whose columns are listed, and the same of the
 * designs in temp.msw_chosen. Returns 0 and what the first is called, or -1. */
int msw_over_make(msw_store *store, const char *at, msw_view *base, char **name, msw_err *err);

/* What the view of the chosen designs is called. Returns it, or NULL without memory. */
char *msw_over_chosen_name(const char *name);

#endif
