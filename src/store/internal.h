/* What the files of the store share. One open file, its connection and, when writing, what is on
 * its way into it. */
#ifndef MEMSWEEP_STORE_INTERNAL_H
#define MEMSWEEP_STORE_INTERNAL_H

#include "memsweep/store.h"
#include "store/keyset.h"

#include <sqlite3.h>

enum {
    MSW_APPLICATION_ID = 0x4d535750, /* "MSWP" in bytes 68..71 of the file */
    MSW_SCHEMA_VERSION = 2,
    MSW_BUSY_MS = 10000 /* how long rare writes and readers wait */
};

/* In msw_session.unanswered: the point has got its answer since. */
#define MSW_ANSWERED UINT32_MAX

/* ---- lock.c: one writer per file, by a sibling file <path>.lock ---- */

/* Whether somebody on this host holds the lock now. */
bool msw_file_lock_held(const char *path);

/* ---- columns.c: the columns of a mechanism's table, from the tables of a plan ---- */

typedef enum msw_role {
    MSW_ROLE_ENGINE,
    MSW_ROLE_PARAM,
    MSW_ROLE_METRIC,
    MSW_ROLE_HALF_WIDTH,
    MSW_ROLE_DERIVED,
    MSW_ROLE_DETAIL
} msw_role;

/* The engine's own columns, in the order of the table behind columns.c. */
typedef enum msw_engine {
    MSW_ENGINE_STATUS,
    MSW_ENGINE_BOUND_BY,
    MSW_ENGINE_WORKLOAD,
    MSW_ENGINE_FIDELITY,
    MSW_ENGINE_SEED,
    MSW_ENGINE_REPLICATE,
    MSW_ENGINE_VERSION,
    MSW_ENGINE_RUN,
    MSW_ENGINE_MEASURED,
    MSW_ENGINE_UNITS,
    MSW_ENGINE_EVENTS,
    MSW_ENGINE_COST,
    MSW_ENGINE_REASON,
    MSW_ENGINE_KEY,
    MSW_ENGINE_COUNT
} msw_engine;

typedef struct msw_store_column {
    msw_role role;
    char *name;
    const char *type, *unit, *doc;
    const msw_param *param;   /* MSW_ROLE_PARAM */
    const msw_metric *metric; /* metrics and half-widths */
    size_t part;              /* parameter: table of the plan's schema it comes from */
    size_t value;             /* index into a row's values, or msw_engine */
} msw_store_column;

typedef struct msw_store_layout {
    char *table; /* points_<mechanism> */
    size_t count;
    msw_store_column *columns; /* all but `id`, in the order of the table */
} msw_store_layout;

int msw_store_layout_init(msw_store_layout *layout, const msw_plan *plan, msw_err *err);
void msw_store_layout_free(msw_store_layout *layout);

/* Columns that only the views have: point, design_index, row. Ends with name NULL. */
extern const msw_store_column msw_view_columns[];

/* Number of metrics, parameters of the plan. */
size_t msw_plan_metrics(const msw_plan *plan);

/* ---- write.c, span.c: rows on their way in ---- */

/* A run of points whose rows follow each other. */
typedef struct msw_span {
    uint64_t point, row, count;
} msw_span;

/* One point and its row. */
typedef struct msw_link {
    uint32_t point, row;
} msw_link;

typedef struct msw_links {
    msw_link *list;
    size_t count, capacity;
} msw_links;

int msw_links_add(msw_links *links, uint64_t point, uint64_t row, msw_err *err);

/* Sorts by point, then row. */
void msw_links_sort(msw_links *links);

/* First entry with this row or a later one, in a list sorted by row. Returns its index. */
size_t msw_links_first(const msw_links *links, uint64_t row);

/* What the writer knows of the sweep it writes. */
typedef struct msw_session {
    int64_t sweep; /* 0: none */
    uint64_t points;
    uint64_t *done;        /* bit per point: has a row */
    msw_keyset unanswered; /* point (as msw_keyset_number) -> row to be replaced */
    msw_links aliases;     /* sorted by `row`, which here is the first equal point */
} msw_session;

/* Writes spans of one sweep. */
typedef struct msw_span_writer {
    int64_t sweep;
    sqlite3_stmt *insert, *grow;
    msw_span tail; /* the last span written, which the next rows may continue */
} msw_span_writer;

/* Prepared statements and fill of the file rows go to. */
typedef struct msw_writer {
    msw_store_layout layout;
    sqlite3_stmt *insert, *replace, *run_count;
    sqlite3_stmt **details; /* one per detail table */
    size_t detail_count;
    msw_span_writer spans;
    uint64_t next_row;
} msw_writer;

/* The rows of a mechanism as the last merge left them, for the next one. */
typedef struct msw_merged {
    char *mechanism; /* NULL: nothing is known */
    msw_keyset keys; /* row * 2 + whether it is an answer */
    uint64_t next_row;
} msw_merged;

void msw_merged_free(msw_merged *merged);

struct msw_store {
    sqlite3 *db;
    char *path;
    msw_store_mode mode;
    msw_log log;
    msw_file_lock *lock;
    int rc; /* of the last SQLite call that failed */
    msw_session session;
    msw_writer writer;
    /* rows not yet committed */
    msw_batch *pending;
    const msw_plan *plan;
    int64_t run;
    double pending_since, busy_since, retry_at; /* monotonic seconds; 0: not so */
    double pause;                               /* before the next try while busy */
    uint64_t committed;
    msw_merged merged;
    uint64_t first_row, shard_number, shard_count; /* see msw_store_number_shard; 0: no shard */
    struct msw_store *shard; /* where rows go while a reader keeps this file */
};

static inline bool msw_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void msw_bit_set(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void msw_bit_clear(uint64_t *bits, uint64_t i)
{
    bits[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* Monotonic seconds. */
double msw_store_now(void);

int msw_session_load(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);
void msw_session_free(msw_session *session);

/* Records that a bit for each of so many points did not fit into memory. Returns -1. */
int msw_session_fail_memory(uint64_t points, msw_err *err);

int msw_writer_open(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);
void msw_writer_close(msw_writer *writer);

/* What a row is bound from. */
typedef struct msw_bind {
    const msw_plan *plan;
    const msw_store_layout *layout;
    const msw_batch *batch;
    int64_t run;
} msw_bind;

/* Binds what all rows of a run share; it stays bound from row to row. */
void msw_bind_constants(const msw_bind *bind, sqlite3_stmt *stmt);

/* Binds row `i` of the batch under a row id. `before` is the row of the same batch that was bound
 * to the statement last (SIZE_MAX: none): most parameters do not change from row to row, and what
 * is bound stays bound. */
void msw_bind_row(const msw_bind *bind, sqlite3_stmt *stmt, uint64_t id, size_t i, size_t before);

int msw_span_open(msw_store *store, int64_t sweep, msw_span_writer *writer, msw_err *err);
void msw_span_close(msw_span_writer *writer);

/* Finds the span that rows from `next_row` on may continue. */
int msw_span_resume(msw_store *store, msw_span_writer *writer, uint64_t next_row, msw_err *err);

/* Puts points and their rows into spans (sorts `links` by point). */
int msw_span_write(msw_store *store, msw_span_writer *writer, msw_links *links, msw_err *err);

/* Inserts all of `batch` and commits. `session` is the one of the main file even when `store` is
 * its shard. Returns 0, or -1 with store->rc set and nothing changed. */
int msw_write_batch(msw_store *store, msw_session *session, const msw_plan *plan, int64_t run,
                    const msw_batch *batch, msw_err *err);

/* ---- sql.c: SQLite with this project's errors ---- */

int msw_sql_exec(msw_store *store, const char *sql, msw_err *err);
int msw_sql_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err);

/* Steps once. Returns 1 with a row, 0 at the end, or -1. */
int msw_sql_step(msw_store *store, sqlite3_stmt *stmt, msw_err *err);

/* Steps to the end, resets. Returns 0, or -1. */
int msw_sql_run(msw_store *store, sqlite3_stmt *stmt, msw_err *err);

/* Text of a result column. Returns it, "" for NULL. */
const char *msw_sql_text(sqlite3_stmt *row, int at);

/* Runs a query that gives one integer; NULL or no row leaves `*value`. Bound: `text` as ?1. */
int msw_sql_integer(msw_store *store, const char *sql, const char *text, int64_t *value,
                    msw_err *err);

/* Opens a writing transaction, waiting for readers. Returns 0, or -1. */
int msw_sql_begin(msw_store *store, msw_err *err);

/* Commits when `result` is 0, else (or when that fails) rolls back. Returns 0, or -1. */
int msw_sql_end(msw_store *store, int result, msw_err *err);

/* Records the connection's error in words. Returns -1. */
int msw_sql_fail(msw_store *store, msw_err *err);

/* The same where an expression of a user was being evaluated: what is no trouble of the file is a
 * usage error. Returns -1. */
int msw_sql_fail_query(msw_store *store, msw_err *err);

/* Executes the finished text, frees it. */
int msw_sql_exec_text(msw_store *store, msw_text *sql, msw_err *err);

/* ---- schema.c, migrate.c, catalogue.c, view.c ---- */

extern const char *const msw_schema_tables[];
extern const char msw_schema_job_table[]; /* ended by NULL */

int msw_schema_create(msw_store *store, msw_err *err);

/* Brings a file of an older schema up to date. */
int msw_migrate(msw_store *store, int64_t from, msw_err *err);

/* Refuses names that cannot be a view. */
int msw_view_check_name(msw_store *store, const char *name, msw_err *err);

/* Prints the SELECT behind a sweep's view. */
void msw_view_select(const msw_plan *plan, const msw_store_layout *layout, msw_text *out);

/* Makes `name` show the sweep `id`; an older sweep of that name keeps "name@digest". */
int msw_view_point(msw_store *store, int64_t id, const char *name, msw_err *err);

/* Explains every column of a plan; what is known already is renewed only when `fresh`. */
int msw_catalogue_columns(msw_store *store, const msw_plan *plan, const msw_store_layout *layout,
                          bool fresh, msw_err *err);

/* Makes or widens points_<mechanism> and the detail tables. */
int msw_tables_ensure(msw_store *store, const msw_plan *plan, const msw_store_layout *layout,
                      msw_err *err);

/* ---- todo.c ---- */

/* Gives the key of a point of the plan. */
typedef int (*msw_key_fn)(void *context, uint64_t point, msw_digest *key, msw_err *err);

int msw_todo_find(msw_store *store, const msw_plan *plan, int64_t sweep, bool retry, msw_key_fn key,
                  void *context, msw_todo *todo, msw_err *err);

/* ---- read.c, select.c, chosen.c ---- */

/* A column of a sweep's view. */
typedef struct msw_view_column {
    char *name, *unit, *role;
    msw_goal goal;
    msw_expr_type type;
} msw_view_column;

typedef struct msw_view {
    char *name;
    char *source; /* a SELECT that stands for the view, or NULL */
    size_t count;
    msw_view_column *columns;
} msw_view;

/* Finds the view of a sweep (name NULL: the only one; `latest` takes the last used instead of
 * failing when there are several) and lists its columns. */
int msw_view_load(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err);
void msw_view_free(msw_view *view);

/* Makes the view's source the rows a query names. */
int msw_chosen_source(msw_store *store, const msw_query *query, msw_view *view, msw_err *err);

/* Says why a user's statement cannot be prepared: in the user's words, with the nearest name.
 * Returns -1. */
int msw_query_fail(msw_store *store, const char *sql, msw_err *err);

/* Prints the SELECT a query means. */
int msw_query_select(const msw_query *query, const msw_view *view, msw_text *sql, msw_err *err);

/* ---- shard.c, merge.c ---- */

/* Writes the pending rows into <path>.shard, made when needed. */
int msw_shard_write(msw_store *store, msw_err *err);

/* Merges <path>.shard when there is one and removes it. Being refused by a reader is no error. */
int msw_shard_merge(msw_store *store, msw_err *err);

/* Opens without lock or shard. */
int msw_store_open_plain(const char *path, msw_store_mode mode, const msw_log *log,
                         msw_store **store, msw_err *err);

#endif
