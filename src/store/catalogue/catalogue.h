/* SPDX-License-Identifier: MIT */
/* The catalogue of a file: what its tables are declared as, columns, sweeps and their views; and
 * whether the file can be trusted. */
#ifndef MSW_STORE_CATALOGUE_CATALOGUE_H
#define MSW_STORE_CATALOGUE_CATALOGUE_H

#include "memsweep/base/text.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/keep.h"

#include <sqlite3.h>

/* The columns of a mechanism's table, from the tables of a plan. */

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
    MSW_ENGINE_DOUBT,
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
    MSW_ENGINE_STRATUM,
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

/* Whether a table from an older version may have no such column: then its rows have none. Returns
 * the type, or NULL where every table has it. */
const char *msw_later_column(const char *name);

/* Columns that only the views have: point, design_index, row. Ends with name NULL. */
extern const msw_store_column msw_view_columns[];

/* Columns that the views of sweeps at fidelity auto have in addition. Ends with name NULL. */
extern const msw_store_column msw_choice_columns[];

/* Number of metrics, parameters of the plan. */
size_t msw_plan_metrics(const msw_plan *plan);

/* What the tables of a file are declared as.
 *
 * A declaration is text of the file, and SQLite runs parts of it: defaults, checks, generated
 * columns. Tables of memsweep use little of what SQL has: this reader knows that little and refuses
 * all else. */

typedef struct msw_declared_column {
    char *name;
    const char *type; /* INTEGER, REAL, TEXT or BLOB */
    char *value;      /* the default, a number, a text or NULL as SQL writes it; or NULL */
    bool not_null, unique, primary;
} msw_declared_column;

typedef struct msw_declared {
    char *table;
    size_t count;
    msw_declared_column *columns;
    char *key; /* columns of PRIMARY KEY(...): "a, b"; NULL: none */
    bool without_rowid;
} msw_declared;

/* Reads a CREATE TABLE. Returns 0, or -1 with the first thing that memsweep does not write. */
int msw_declared_read(const char *sql, msw_declared *declared, msw_err *err);
void msw_declared_free(msw_declared *declared);

/* Finds a column. Returns it, or NULL. */
const msw_declared_column *msw_declared_find(const msw_declared *declared, const char *name);

/* Writes the CREATE TABLE of such a table afresh. */
void msw_declared_print(const msw_declared *declared, msw_text *sql);

/* Returns whether a word is a plain name: letters, digits and underscores. */
bool msw_name_is_plain(const char *name);

/* Reads the name an entry of the schema gives to what it makes: `head` is what comes before it
 * ("CREATE TABLE "). Returns it on the heap, or NULL when the text is another. */
char *msw_declared_name(const char *sql, const char *head);

extern const char *const msw_schema_tables[];
extern const char msw_schema_job_table[]; /* ended by NULL */

/* The table of kept artifacts is made with the first of them. The query says whether it is there.
 */
extern const char msw_schema_artifact_table[];
extern const char msw_schema_summary_table[];
#define MSW_SUMMARIES_THERE(schema)                                                                \
    "SELECT count(*) FROM " schema ".sqlite_master WHERE type = 'table' AND name = 'msw_summary'"
#define MSW_KEPT_THERE(schema)                                                                     \
    "SELECT count(*) FROM " schema ".sqlite_master WHERE type = 'table' AND name = 'msw_artifact'"

/* The tables of inputs are made with the first of them, both at once. The function makes them where
 * they are not there; it returns 0, or -1. */
int msw_inputs_make(msw_store *store, msw_err *err);
extern const char msw_schema_input_table[], msw_schema_source_table[];
#define MSW_INPUTS_THERE(schema)                                                                   \
    "SELECT count(*) = 2 FROM " schema                                                             \
    ".sqlite_master WHERE type = 'table' AND name IN ('msw_input', 'msw_source')"

/* The table of attempts is made with the first sweep of a program. The function makes it where it
 * is not there; it returns 0, or -1. */
extern const char msw_schema_attempt_table[];
int msw_attempts_make(msw_store *store, msw_err *err);
#define MSW_ATTEMPTS_THERE(schema)                                                                 \
    "SELECT count(*) FROM " schema ".sqlite_master WHERE type = 'table' AND name = 'msw_attempt'"

/* The table of leases is made with the first of them; none of them is merged. */
extern const char msw_schema_lease_table[];

/* The table of choices is made with the first sweep at fidelity auto, whose view shows them. The
 * function makes it where it is not there; it returns 0, or -1. */
extern const char msw_schema_choice_table[];
int msw_choices_make(msw_store *store, msw_err *err);
#define MSW_CHOICES_THERE(schema)                                                                  \
    "SELECT count(*) FROM " schema ".sqlite_master WHERE type = 'table' AND name = 'msw_choice'"

/* Before the columns of a table are described: removes descriptions that are damaged, and notes
 * neutral values where no row has a checksum yet. Returns 0, or -1. */
int msw_catalogue_mend(msw_store *store, const msw_store_columns *layout, msw_err *err);

/* Removes the record of a sweep that is damaged, so that it is made again with its number. Returns
 * 0, or -1. */
int msw_catalogue_drop_damaged(msw_store *store, int64_t sweep, bool *damaged, msw_err *err);

/* A condition: `m` of sqlite_master is a table of details of mechanism ?1. The name of another
 * mechanism may begin like it: neummu, neummu_sparse. */
#define MSW_DETAIL_OF(schema)                                                                      \
    "m.type = 'table' AND substr(m.name, 1, length(?1) + 8) = 'detail_' || ?1 || '_' AND NOT "     \
    "EXISTS(SELECT 1 FROM " schema                                                                 \
    ".sqlite_master AS t WHERE t.type = 'table' AND length(t.name) "                               \
    "> length(?1) + 7 AND substr(t.name, 1, 7) = 'points_' AND substr(m.name, 1, length(t.name) "  \
    "+ 1) = 'detail_' || substr(t.name, 8) || '_')"

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
    char *table;        /* points_<mechanism> */
    bool analytic;      /* its fidelity, where it was read from a file */
    bool chosen;        /* at fidelity auto, and the file has choices */
    msw_keep_draw draw; /* of a sweep that keeps some of its rows; sample 0: no sample */
    bool keeps_some;
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

/* Prints the SELECT of a view; `schema` ("" or "main.") comes before its tables, `spans` is the
 * table of spans. */
void msw_view_print(const msw_view_shape *shape, const char *schema, const char *spans,
                    msw_text *out);

/* Appends the columns that are worked out of a row: the resource that bounds it, whether it lies in
 * the region that its mechanism states. Returns 0, or -1. */
int msw_view_add_said(msw_store *store, const msw_view_shape *shape, msw_text *sql, msw_err *err);

/* Makes the temporary view of a sweep, as it is called: from checked names, whatever view is
 * stored. Returns 0, or -1. */
typedef struct msw_sweep_name msw_sweep_name;
int msw_view_make(msw_store *store, const msw_sweep_name *sweep, msw_err *err);

/* Makes those of the sweeps that a statement may name (NULL: of all); one that cannot be made is
 * left out, unless what forbids it passes. Returns 0, or -1. */
int msw_view_make_named(msw_store *store, const char *sql, msw_err *err);

/* Prints the SELECT behind a sweep's view. */
void msw_view_select(const msw_plan *plan, const msw_store_columns *layout, msw_text *out);

/* Notes that `id` was used last of the sweeps of its name, and renews their stored views, which are
 * for other programs: called as names.c says. */
int msw_view_point(msw_store *store, int64_t id, msw_err *err);

/* The same where a name has several fidelities, for the sweep of a run: one of them may have become
 * complete. */
int msw_view_renew(msw_store *store, int64_t run, msw_err *err);

/* Compares the stored views of the sweeps of a name (NULL: all) with what would be made of them,
 * and tells those that differ. Returns 0, or -1. */
int msw_views_check(msw_store *store, const char *name,
                    void (*tell)(void *context, const char *view), void *context, msw_err *err);

/* Makes or widens points_<mechanism> and the detail tables. */
int msw_tables_ensure(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                      msw_err *err);

/* A temporary view this connection has made, of the sweep with this digest. */
typedef struct msw_made_view {
    char *name, *digest;
} msw_made_view;

typedef struct msw_made_views {
    msw_made_view *list;
    size_t count;
} msw_made_views;

void msw_made_views_free(msw_made_views *views);

/* Refuses a file (attached as `schema`) whose tables or names are not what memsweep makes; `write`:
 * also what would run as we write; `old`: migration comes later. Returns 0, or -1. */
int msw_trust_check(msw_store *store, const char *schema, bool write, bool old, msw_err *err);

#endif
