/* What the files of the store share. One open file, its connection and, when writing, what is on
 * its way into it. */
#ifndef MSW_STORE_INTERNAL_H
#define MSW_STORE_INTERNAL_H

#include "memsweep/base/file.h"
#include "memsweep/store/store.h"
#include "store/write/keyset.h"

#include <sqlite3.h>
#include <sys/types.h>

enum {
    MSW_APPLICATION_ID = 0x4d535750, /* "MSWP" in bytes 68..71 of the file */
    MSW_SCHEMA_VERSION = 2,
    MSW_BUSY_MS = 10000 /* how long rare writes and readers wait */
};

/* In msw_session.unanswered: the point has got its answer since. */
#define MSW_ANSWERED UINT32_MAX

/* ---- lock.c: one writer per file, by a sibling file <path>.lock ---- */

/* Whether it is the lock of the file with this real name. */
bool msw_file_lock_guards(const msw_file_lock *lock, const char *real);

/* Notes in the lock the file a copy is being written to: the next holder removes what a killed one
 * left of it. Returns 0, or -1. */
int msw_file_lock_note(msw_file_lock *lock, const char *copy, const msw_file_info *info,
                       msw_err *err);

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

typedef struct msw_store_columns {
    char *table; /* points_<mechanism> */
    size_t count;
    msw_store_column *columns; /* all but `id`, in the order of the table */
} msw_store_columns;

int msw_store_columns_init(msw_store_columns *layout, const msw_plan *plan, msw_err *err);
void msw_store_columns_free(msw_store_columns *layout);

/* Columns that every points_<mechanism> has. Ends with name NULL. */
extern const msw_store_column msw_engine_columns[];

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
    msw_store_columns layout;
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

/* A temporary view this connection has made, of the sweep with this digest. */
typedef struct msw_made_view {
    char *name, *digest;
} msw_made_view;

typedef struct msw_made_views {
    msw_made_view *list;
    size_t count;
} msw_made_views;

void msw_made_views_free(msw_made_views *views);

struct msw_store {
    sqlite3 *db;
    char *path;          /* as the user names it */
    char *real;          /* where it is, without links */
    msw_file_info place; /* what was opened; writing only */
    bool moved;          /* SQLite found the file moved or replaced */
    char *rescued;       /* the file that all rows went to then */
    bool unlocked;       /* see msw_store_open_unlocked */
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
    bool source;                                   /* opened to be merged: must stay as it is */
    msw_made_views views;
    int64_t *complete; /* sweeps that names.c found complete */
    size_t complete_count;
    bool asked;              /* a sweep was looked for by its name */
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
    const msw_store_columns *layout;
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

/* Appends the name of a column, in quotes where SQL would take it for a word of its own. */
void msw_sql_add_column(msw_text *sql, const char *name);
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

/* Refuses names that cannot be a view; the first one does not look at what the file has. */
int msw_view_check_word(const char *name, msw_err *err);
int msw_view_check_name(msw_store *store, const char *name, msw_err *err);

/* What the view of a sweep is made of. */
typedef struct msw_view_shape {
    int64_t sweep; /* its id; 0 when made from a plan */
    char digest[MSW_DIGEST_TEXT];
    char *table; /* points_<mechanism> */
    uint64_t points, replicates;
    size_t workload_count;
    const char *const *workloads;
    size_t count;
    char **columns; /* of the table, but for places */
    size_t derived_count;
    const msw_derived *derived; /* checked texts */
    void *owned;                /* behind it all when it was read from a file */
} msw_view_shape;

/* Reads the shape of a sweep from the catalogue of `schema` (main or other): every name in it is
 * one of the table's columns or plain, every expression has been checked. Returns 0, or -1. */
int msw_view_shape_load(msw_store *store, const char *schema, int64_t sweep, msw_view_shape *shape,
                        msw_err *err);
void msw_view_shape_free(msw_view_shape *shape);

/* Prints the SELECT of a view; `schema` ("" or "main.") stands before its tables, `spans` is the
 * table of spans. */
void msw_view_print(const msw_view_shape *shape, const char *schema, const char *spans,
                    msw_text *out);

/* Makes the temporary view of a sweep, as it is called: from checked names, whatever view is
 * stored. Returns 0, or -1. */
typedef struct msw_sweep_name msw_sweep_name;
int msw_view_make(msw_store *store, const msw_sweep_name *sweep, msw_err *err);

/* Makes those of all sweeps; one that cannot be made is left out. Returns 0, or -1. */
int msw_view_make_all(msw_store *store, msw_err *err);

/* Prints the SELECT behind a sweep's view. */
void msw_view_select(const msw_plan *plan, const msw_store_columns *layout, msw_text *out);

/* Notes that `id` was used last of the sweeps of a name, and renews their stored views, which are
 * for other programs: called as names.c says. */
int msw_view_point(msw_store *store, int64_t id, const char *name, msw_err *err);

/* The same where a name has several fidelities, for the sweep of a run: one of them may have become
 * complete. */
int msw_view_renew(msw_store *store, int64_t run, msw_err *err);

/* Explains every column of a plan; what is known already is renewed only when `fresh`. */
int msw_catalogue_columns(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                          bool fresh, msw_err *err);

/* Makes or widens points_<mechanism> and the detail tables. */
int msw_tables_ensure(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
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
    int64_t sweep;
    char *source; /* a SELECT that stands for the view, or NULL */
    size_t count;
    msw_view_column *columns;
} msw_view;

/* Finds the sweep a command means and makes its view: fills name and sweep alone. Returns 0, or -1.
 */
int msw_view_find(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err);

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

/* Prepares text a user wrote: one statement that only reads, and only what may be read. Returns 0,
 * or -1. */
int msw_users_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err);

/* ---- harden.c, trust.c, journal.c ---- */

/* Reads `size` bytes of a file that SQLite does not have open (closing it would drop SQLite's
 * locks) at `offset` as lseek counts it. Returns whether there were so many. */
bool msw_read_at(const char *path, off_t offset, int whence, void *bytes, size_t size);

/* The name of a file without symbolic links, beside which SQLite has its journal. Returns it on the
 * heap, the name itself when there is no such file; or NULL when memory runs out. */
char *msw_real_path(const char *path);

/* Refuses a file whose journal would do more than bring it back. Returns 0, or -1. */
int msw_journal_check(const char *path, msw_err *err);

/* Opens a connection to the file of this name, whatever the name looks like; ATTACH takes URIs
 * there. `locks` names a way of locking, NULL the usual one. Returns SQLite's code. */
int msw_open_path(const char *path, int flags, const char *locks, sqlite3 **db);

/* Switches off what our own statements do not need. */
void msw_harden(sqlite3 *db);

/* Refuses a file (attached as `schema`) whose tables or names are not what memsweep makes; `write`:
 * also what would run as we write; `old`: migration comes later. Returns 0, or -1. */
int msw_trust_check(msw_store *store, const char *schema, bool write, bool old, msw_err *err);

/* ---- shard.c, merge.c ---- */

/* Merges a file of our own that is removed afterwards: a journal beside it is played back in place.
 */
int msw_merge_own(msw_store *store, const char *path, uint64_t *rows, msw_err *err);

/* Writes the pending rows into <path>.shard, made when needed. */
int msw_shard_write(msw_store *store, msw_err *err);

/* Merges <path>.shard when there is one and removes it; one whose making was cut short is removed,
 * a file of somebody else refused. Being refused by a reader is no error. */
int msw_shard_merge(msw_store *store, msw_err *err);

/* Opens a file to be merged for reading, and leaves a journal beside it alone. */
int msw_store_open_source(const char *path, msw_store **store, msw_err *err);

/* Opens without lock or shard. */
int msw_store_open_plain(const char *path, msw_store_mode mode, const msw_log *log,
                         msw_store **store, msw_err *err);

/* Opens for writing under a lock that was taken before, which becomes the store's whatever happens.
 * Returns 0, or -1. */
int msw_store_open_locked(const char *path, msw_file_lock *lock, const msw_log *log,
                          msw_store **store, msw_err *err);

/* Opens for reading without any lock, by who holds the writer's lock: for file systems that know no
 * others. Returns 0, or -1. */
int msw_store_open_unlocked(const char *path, msw_store **store, msw_err *err);

/* Whether a file may be written to: a file, ours to write, under one name. Returns 0, or -1. */
int msw_store_check_path(const char *path, msw_err *err);

/* Connects to `file`. Returns 0, or -1. */
int msw_store_connect(msw_store *store, const char *file, int flags, msw_err *err);

/* ---- leftover.c: what a killed run left under a name that is ours ---- */

typedef enum msw_leftover {
    MSW_LEFT_NOTHING,
    MSW_LEFT_EMPTY,    /* it was being made: nothing is in it */
    MSW_LEFT_DATABASE, /* of memsweep; it may have rows */
    MSW_LEFT_FOREIGN   /* not ours: not to be touched */
} msw_leftover;

/* Finds out, after a journal was played back. Returns 0, or -1. */
int msw_leftover_find(const char *path, msw_leftover *what, msw_file_info *info, msw_err *err);

/* ---- copy.c, rescue.c ---- */

/* Copies all that is committed to an empty file that nobody else opens, down to the disk. Returns
 * 0, or -1. */
int msw_store_copy(msw_store *store, const char *path, msw_err *err);

/* Returns whether the file is no longer where it was opened. */
bool msw_store_has_moved(const msw_store *store);

/* Copies a file that was moved or replaced to one beside its old place, and goes on there. Returns
 * 0, or -1. */
int msw_store_rescue(msw_store *store, msw_err *err);

/* Says where the rows are. Returns -1. */
int msw_store_fail_moved(const msw_store *store, msw_err *err);

#endif
