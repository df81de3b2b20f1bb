/* SPDX-License-Identifier: MIT */
/* sum: checksums of rows, against damage.
 *
 * The checksum of a row is the sum, modulo 2^64, of one term per column: a mixture of the column's
 * name, the type and the value. So it does not depend on the order of columns, a column can be
 * exchanged without looking at the others, and any change of a single number is certain to be seen,
 * because its term is a one-to-one function of it; other changes go unseen once in 2^64. NULL has
 * no term, nor has the neutral value of a parameter (msw_column.neutral): a column that is added
 * later changes no checksum.
 *
 * It covers neither the number of the row and of its run, which change when files are merged, nor
 * itself. A row of points_<mechanism> covers its rows of details, too. */
#ifndef MSW_STORE_SUM_SUM_H
#define MSW_STORE_SUM_SUM_H

#include "store/sql/term.h"

#define MSW_SUM_COLUMN "checksum"

/* A table whose rows are checked. */
typedef struct msw_sums {
    char *table;
    uint64_t seed; /* of its name */
    size_t count;
    msw_sum_column *columns; /* in the order of the table */
    int id, sum;             /* where they are; -1: there is none */
} msw_sums;

/* Reads the columns of `schema`.`table`. Returns 0, or -1. */
int msw_sums_load(msw_store *store, const char *schema, const char *table, msw_sums *sums,
                  msw_err *err);
void msw_sums_free(msw_sums *sums);

/* The sum over the columns of a row of SELECT *. Returns it. */
uint64_t msw_sums_row(const msw_sums *sums, sqlite3_stmt *row, int first);

/* The same as SQL, several times as fast: calls of msw_sum_part, separated by commas, whose values
 * add up to it. They learn the columns from `parameter`, a pointer of the type MSW_SUM_POINTER.
 * Returns how many there are. */
int msw_sums_sql(const msw_sums *sums, const char *parameter, msw_text *sql);

typedef enum msw_soundness {
    MSW_ROW_SOUND,
    MSW_ROW_DAMAGED,
    MSW_ROW_UNCOVERED /* written before rows had checksums */
} msw_soundness;

/* Compares a row's sum (details included) with its checksum, which is at `at` (negative: there
 * is none). Returns the verdict. */
msw_soundness msw_sums_verdict(sqlite3_stmt *row, int at, uint64_t sum);

/* The runs of an older memsweep, which gave rows no checksums. What has no checksum and is not of
 * one of these runs has lost it. */
typedef struct msw_old_runs {
    int64_t *list; /* in rising order */
    size_t count;
    bool newer; /* there are runs that gave checksums, too */
} msw_old_runs;

int msw_old_runs_load(msw_store *store, const char *schema, msw_old_runs *runs, msw_err *err);
void msw_old_runs_free(msw_old_runs *runs);

/* The tables of one mechanism: rows of points with their details. */
typedef struct msw_checker {
    msw_store *store;
    msw_sums points;
    msw_old_runs old;
    char *columns;            /* SQL: what a statement selects whose rows are checked */
    int width;                /* how many these are */
    sqlite3_stmt *one, *some; /* these and the status of a row, of rows between two ids */
    size_t detail_count;
    struct msw_checked_detail {
        msw_sums sums;
        sqlite3_stmt *rows; /* from a row id on */
        int width;          /* its columns */
        bool started, more; /* it is on a record */
        int64_t from;       /* records of smaller row ids were passed */
    } * details;
} msw_checker;

/* Makes one for `schema` (main or other). Returns 0, or -1. */
int msw_checker_open(msw_store *store, const char *schema, const char *mechanism,
                     msw_checker *checker, msw_err *err);
void msw_checker_close(msw_checker *checker);

/* Binds to a statement that selects checker->columns which columns they are. Returns 0, or -1. */
int msw_checker_bind(const msw_checker *checker, sqlite3_stmt *stmt, msw_err *err);

/* Checks the row a statement is at, whose columns from `first` on are checker->columns.
 * Returns 0, or -1. */
int msw_checker_row(msw_checker *checker, sqlite3_stmt *row, int first, msw_soundness *verdict,
                    msw_err *err);

/* Checks the row of an id. Returns 1, 0 when there is none,
 * or -1. */
int msw_checker_id(msw_checker *checker, uint64_t id, msw_soundness *verdict, msw_err *err);

/* Goes through `count` rows from `first` on. `each` gets their numbers and states, and NULL for a
 * row that is not there. Returns 0, or -1. */
typedef int (*msw_checked_fn)(void *context, uint64_t id, const char *status, msw_soundness verdict,
                              msw_err *err);
int msw_checker_span(msw_checker *checker, uint64_t first, uint64_t count, msw_checked_fn each,
                     void *context, msw_err *err);

/* Whether the file has checksums at all; older ones do not. Returns 0, or -1. */
int msw_sums_there(msw_store *store, const char *schema, bool *there, msw_err *err);

/* SQL: a condition that is true of the damaged records of a table of the catalogue. Returns 0, or
 * -1. */
int msw_sum_damaged(msw_store *store, const char *schema, const char *table, msw_text *sql,
                    msw_err *err);

/* Writes the checksum of a row of the catalogue that was made just now, by its `id`. Returns 0, or
 * -1. */
int msw_sum_seal(msw_store *store, const char *table, int64_t id, msw_err *err);

/* A column with a value other than the neutral one was given to the rows of a table: they cover it
 * from now on. Returns 0, or -1. */
int msw_sum_widened(msw_store *store, const char *table, const char *column, msw_err *err);

#endif
