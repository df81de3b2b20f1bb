/* SPDX-License-Identifier: MIT */
/* Is a file what memsweep makes? Whatever SQLite would run for our statements (defaults, checks,
 * generated columns, expressions of indexes, triggers) must be what we would have declared, and
 * names that become part of a statement must be plain. What users added to the file is not looked
 * at.
 */
#include "store/state.h"

#include "memsweep/sweep/errors.h"
#include "store/catalogue/catalogue.h"
#include "store/sum/sum.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ADVICE                                                                                     \
    "; somebody changed this file: undo that with sqlite3, or run the sweep into a new file"

/* One file while it is looked at. */
typedef struct looking {
    msw_store *store;
    const char *schema; /* main or other */
    bool write, old;    /* old: columns may be missing that a migration adds */
} looking;

static bool starts_with(const char *name, const char *prefix)
{
    return strncasecmp(name, prefix, strlen(prefix)) == 0;
}

/* Declaration of a table of the catalogue, or NULL. */
static const char *catalogue_of(const char *name)
{
    for (const char *const *table = msw_schema_tables; *table; table++) {
        char *known = msw_declared_name(*table, "CREATE TABLE ");
        bool same = known && strcasecmp(known, name) == 0;
        free(known);
        if (same)
            return *table;
    }
    static const char *const LATER[][2] = {
        {"msw_choice", msw_schema_choice_table},  {"msw_artifact", msw_schema_artifact_table},
        {"msw_input", msw_schema_input_table},    {"msw_source", msw_schema_source_table},
        {"msw_lease", msw_schema_lease_table},    {"msw_attempt", msw_schema_attempt_table},
        {"msw_summary", msw_schema_summary_table}};
    for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++)
        if (strcasecmp(name, LATER[i][0]) == 0)
            return LATER[i][1];
    return NULL;
}

static bool is_ours(const char *name)
{
    return catalogue_of(name) || starts_with(name, "points_") || starts_with(name, "detail_");
}

static int refuse(const looking *l, msw_err *err, const char *what, const char *name,
                  const char *why)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s %s %s" ADVICE, l->store->path, what, name, why);
}

static int refuse_column(const looking *l, msw_err *err, const char *table, const char *column)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: column %s of table %s is not declared as memsweep declares it" ADVICE,
                         l->store->path, column, table);
}

/* ---- tables ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_column(const msw_declared_column *a, const msw_declared_column *b)
{
    return strcmp(a->type, b->type) == 0 && a->not_null == b->not_null && a->unique == b->unique &&
           a->primary == b->primary && same_text(a->value, b->value);
}

/* Columns of `a` that `b` lacks or has otherwise. Returns the first, or NULL. */
static const char *first_other(const msw_declared *a, const msw_declared *b, bool may_lack)
{
    for (size_t i = 0; i < a->count; i++) {
        const msw_declared_column *same = msw_declared_find(b, a->columns[i].name);
        if (same ? !same_column(same, &a->columns[i]) : !may_lack)
            return a->columns[i].name;
    }
    return NULL;
}

static int check_catalogue(const looking *l, const msw_declared *d, const char *sql, msw_err *err)
{
    msw_declared ours;
    if (msw_declared_read(sql, &ours, err))
        return -1;
    const char *other = first_other(d, &ours, false);
    if (!other)
        other = first_other(&ours, d, l->old);
    int result = 0;
    if (other)
        result = refuse_column(l, err, d->table, other);
    else if (!same_text(d->key, ours.key) || d->without_rowid != ours.without_rowid)
        result = refuse(l, err, "the key of table", d->table, "is not the one memsweep declares");
    msw_declared_free(&ours);
    return result;
}

static bool is_plain(const msw_declared_column *c)
{
    return !c->not_null && !c->unique && !c->primary;
}

/* Columns that statements name whatever the mechanism is. A table from before there were some has
 * none of them: the next run into it adds them. */
static int check_engine(const looking *l, const msw_declared *d, msw_err *err)
{
    for (const msw_store_column *known = msw_engine_columns; known->name; known++) {
        const msw_declared_column *column = msw_declared_find(d, known->name);
        bool later = !column && msw_later_column(known->name);
        if (!later && (!column || strcmp(column->type, known->type) != 0))
            return refuse_column(l, err, d->table, known->name);
    }
    const msw_declared_column *sum = msw_declared_find(d, MSW_SUM_COLUMN);
    return sum && strcmp(sum->type, "INTEGER") != 0 ? refuse_column(l, err, d->table, sum->name)
                                                    : 0;
}

static int check_points(const looking *l, const msw_declared *d, msw_err *err)
{
    const msw_declared_column *id = d->columns;
    if (!d->count || strcmp(id->name, "id") != 0 || strcmp(id->type, "INTEGER") != 0 ||
        !id->primary || id->not_null || id->unique || d->key || d->without_rowid)
        return refuse_column(l, err, d->table, "id");
    for (size_t i = 1; i < d->count; i++)
        if (!is_plain(&d->columns[i]))
            return refuse_column(l, err, d->table, d->columns[i].name);
    return check_engine(l, d, err);
}

static int check_detail(const looking *l, const msw_declared *d, msw_err *err)
{
    static const char *const KEY[] = {"row_id", "item"};
    for (size_t i = 0; i < d->count; i++) {
        const msw_declared_column *c = &d->columns[i];
        bool key = i < 2 && strcmp(c->name, KEY[i]) == 0 && strcmp(c->type, "INTEGER") == 0;
        const char *type = strcmp(c->name, MSW_SUM_COLUMN) == 0 ? "INTEGER" : "REAL";
        if (i < 2 ? !key || !c->not_null || c->unique || c->primary
                  : !is_plain(c) || strcmp(c->type, type) != 0)
            return refuse_column(l, err, d->table, c->name);
    }
    if (d->count < 3 || !same_text(d->key, "row_id, item") || !d->without_rowid)
        return refuse(l, err, "the key of table", d->table, "is not the one memsweep declares");
    return 0;
}

static int check_our_table(const looking *l, const char *name, const char *sql, msw_err *err)
{
    msw_declared d;
    msw_err inner = {0};
    if (msw_declared_read(sql, &d, &inner))
        return msw_fail_kind(err, inner.kind, "%s: %s" ADVICE, l->store->path, inner.text);
    const char *known = catalogue_of(name);
    int result = known                          ? check_catalogue(l, &d, known, err)
                 : starts_with(name, "points_") ? check_points(l, &d, err)
                                                : check_detail(l, &d, err);
    msw_declared_free(&d);
    return result;
}

/* ---- the schema ---- */

/* Whether an entry makes what it is called: SQLite goes by the text alone. */
static bool is_named(const char *sql, const char *head, const char *name)
{
    char *made = msw_declared_name(sql, head);
    bool same = made && strcasecmp(made, name) == 0;
    free(made);
    return same;
}

static int check_table(const looking *l, const char *name, const char *sql, msw_err *err)
{
    if (is_named(sql, "CREATE VIRTUAL TABLE ", name))
        return is_ours(name) ? refuse(l, err, "table", name, "is a virtual one") : 0;
    if (!is_named(sql, "CREATE TABLE ", name))
        return refuse(l, err, "the schema's entry", name, "makes something else");
    return is_ours(name) ? check_our_table(l, name, sql, err) : 0;
}

static int check_entry(const looking *l, sqlite3_stmt *row, msw_err *err)
{
    const char *type = msw_sql_text(row, 0), *name = msw_sql_text(row, 1);
    const char *table = msw_sql_text(row, 2), *sql = msw_sql_text(row, 3);
    if (strcmp(type, "table") == 0)
        return check_table(l, name, sql, err);
    if (strcmp(type, "view") == 0 && is_named(sql, "CREATE VIEW ", name))
        return is_ours(name) ? refuse(l, err, "table", name, "is a view") : 0;
    if (strcmp(type, "index") == 0 &&
        (!*sql || starts_with(sql, "CREATE INDEX ") || starts_with(sql, "CREATE UNIQUE INDEX ")))
        return 0;
    if (strcmp(type, "trigger") == 0 && starts_with(sql, "CREATE TRIGGER "))
        return l->write && is_ours(table) ? refuse(l, err, "trigger", name, "would run as we write")
                                          : 0;
    return refuse(l, err, "the schema's entry", name, "makes something else");
}

/* An index may order plain columns of ours, no more. */
#define INDEXES                                                                                    \
    "SELECT i.name FROM %s.sqlite_master AS t, pragma_index_list(t.name, '%s') AS i WHERE "        \
    "t.type = 'table' AND i.origin = 'c' AND (i.\"unique\" OR i.partial OR EXISTS(SELECT 1 FROM "  \
    "pragma_index_info(i.name, '%s') WHERE cid = -2)) AND (t.name LIKE 'msw\\_%%' ESCAPE '\\' OR " \
    "t.name LIKE 'points\\_%%' ESCAPE '\\' OR t.name LIKE 'detail\\_%%' ESCAPE '\\')"

static int check_index(const looking *l, sqlite3_stmt *row, msw_err *err)
{
    return refuse(l, err, "index", msw_sql_text(row, 0),
                  "is unique, partial or over an expression: only plain ones may be on "
                  "memsweep's tables");
}

/* ---- the catalogue ---- */

static bool is_digest(const char *text)
{
    return strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32;
}

static int check_sweep(const looking *l, sqlite3_stmt *row, msw_err *err)
{
    const char *name = msw_sql_text(row, 0), *digest = msw_sql_text(row, 1);
    const char *mechanism = msw_sql_text(row, 2);
    int64_t points = sqlite3_column_int64(row, 3);
    if (msw_view_check_word(name, err)) {
        if (err)
            err->kind = MSW_ERR_IO;
        return msw_fail_prefix(err, "%s: ", l->store->path);
    }
    if (!is_digest(digest))
        return refuse(l, err, "the digest of sweep", name, "is none");
    if (!msw_name_is_plain(mechanism) || !sqlite3_column_int(row, 4))
        return refuse(l, err, "the mechanism of sweep", name, "has no table");
    if (points < 0 || points > UINT32_MAX)
        return refuse(l, err, "the number of points of sweep", name, "is none");
    return 0;
}

#define SWEEPS                                                                                     \
    "SELECT name, digest, mechanism, points, EXISTS(SELECT 1 FROM %s.sqlite_master WHERE type = "  \
    "'table' AND name = 'points_' || s.mechanism) FROM %s.msw_sweep AS s"

/* Columns that the catalogue says a table has, and it has not: its declaration was changed. */
#define LATER                                                                                      \
    "SELECT c.table_name, c.name FROM %s.msw_column AS c WHERE c.name IN ('" MSW_DOUBT_NAME        \
    "', '" MSW_STRATUM_COLUMN                                                                      \
    "') AND c.role = 'engine' AND NOT EXISTS(SELECT 1 FROM pragma_table_info(c.table_name, '%s') " \
    "WHERE name = c.name)"

static int check_later(const looking *l, sqlite3_stmt *row, msw_err *err)
{
    return refuse_column(l, err, msw_sql_text(row, 0), msw_sql_text(row, 1));
}

static int each(const looking *l, const char *format,
                int (*check)(const looking *, sqlite3_stmt *, msw_err *), msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = sqlite3_mprintf(format, l->schema, l->schema, l->schema);
    int got = sql ? msw_sql_prepare(l->store, sql, &stmt, err) : msw_fail_memory(err);
    sqlite3_free(sql);
    while (got >= 0 && (got = msw_sql_step(l->store, stmt, err)) > 0)
        if (check(l, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    return got;
}

/* Every table of the catalogue has to be there. */
static int check_complete(const looking *l, msw_err *err)
{
    for (const char *const *table = msw_schema_tables; *table; table++) {
        if (l->old && *table == msw_schema_job_table)
            continue;
        int64_t there = 0;
        char *name = msw_declared_name(*table, "CREATE TABLE ");
        char *sql = msw_strfmt("SELECT count(*) FROM %s.sqlite_master WHERE type = 'table' AND "
                               "name = ?1",
                               l->schema);
        int result =
            name && sql ? msw_sql_integer(l->store, sql, name, &there, err) : msw_fail_memory(err);
        if (result == 0 && !there)
            result = refuse(l, err, "table", name, "is missing");
        free(name);
        free(sql);
        if (result)
            return -1;
    }
    return 0;
}

int msw_trust_check(msw_store *store, const char *schema, bool write, bool old, msw_err *err)
{
    looking l = {store, schema, write, old};
    if (each(&l, "SELECT type, name, tbl_name, sql FROM %s.sqlite_master", check_entry, err) ||
        check_complete(&l, err) || each(&l, LATER, check_later, err) ||
        (write && each(&l, INDEXES, check_index, err)))
        return -1;
    return each(&l, SWEEPS, check_sweep, err);
}
