/* SPDX-License-Identifier: MIT */
/* Reads rows as columns of a table: numbers as they are, text as labels; and the same of many rows
 * by one prepared SELECT. */
#include "memsweep/base/quote.h"
#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/mech/stated.h"
#include "memsweep/sweep/errors.h"
#include "store/catalogue/catalogue.h"
#include "store/read/view.h"
#include "store/sql/sql.h"
#include "store/state.h"
#include "store/write/keyset.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Asks the same of ever other rows: the SELECT is prepared once. */

struct msw_row_reader {
    msw_store *store;
    msw_view view;
    sqlite3_stmt *stmt;
};

static int prepare(msw_row_reader *r, const msw_query *query, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    int result = msw_chosen_source(r->store, &r->view, err);
    if (result == 0)
        result = msw_query_select(query, &r->view, &sql, err);
    if (result == 0)
        result = msw_users_prepare(r->store, msw_text_str(&sql), &r->stmt, err);
    msw_text_free(&sql);
    return result;
}

int msw_row_reader_new(msw_store *store, const char *sweep, const char *columns,
                       msw_row_reader **reader, msw_err *err)
{
    const msw_query query = {.sweep = sweep, .columns = columns, .limit = -1};
    msw_row_reader *r = *reader = calloc(1, sizeof *r);
    if (!r)
        return msw_fail_memory(err);
    r->store = store;
    if (msw_view_load(store, sweep, false, &r->view, err) == 0 && prepare(r, &query, err) == 0)
        return 0;
    msw_row_reader_free(r);
    *reader = NULL;
    return -1;
}

int msw_row_reader_read(msw_row_reader *r, const msw_row_id *rows, size_t count, msw_table *table,
                        msw_err *err)
{
    MSW_TRY(msw_chosen_insert(r->store, r->view.sweep, rows, count, err));
    int result = msw_read_statement(r->store, r->stmt, &r->view, table, err);
    sqlite3_reset(r->stmt);
    return result;
}

void msw_row_reader_free(msw_row_reader *r)
{
    if (!r)
        return;
    sqlite3_finalize(r->stmt);
    msw_view_free(&r->view);
    free(r);
}

/* Whole numbers from here on are kept in addition to the double. */
static const double LARGE = 1e15;

/* One column while it is being read. */
typedef struct reading {
    bool number;       /* a stored column of numbers: never anything else */
    bool text;         /* has held a text: all values are labels */
    msw_keyset labels; /* digest of a label -> index + 1 */
    double last_label; /* of the row before: neighbours are often equal */
} reading;

static const char *value_text(sqlite3_stmt *row, int at, msw_text *hex)
{
    if (sqlite3_column_type(row, at) != SQLITE_BLOB)
        return (const char *)sqlite3_column_text(row, at);
    static const char DIGITS[] = "0123456789abcdef";
    const uint8_t *bytes = sqlite3_column_blob(row, at);
    int size = sqlite3_column_bytes(row, at);
    msw_text_clear(hex);
    for (int i = 0; i < size; i++)
        msw_text_add_bytes(hex, (char[]){DIGITS[bytes[i] >> 4], DIGITS[bytes[i] & 15]}, 2);
    return hex->failed ? NULL : msw_text_str(hex);
}

static int append_label(msw_column *column, const char *text, msw_err *err)
{
    MSW_TRY(msw_vec_extend(&column->labels, column->label_count, sizeof *column->labels, err));
    char *copy = msw_strdup(text);
    if (!copy)
        return msw_fail_memory(err);
    column->labels[column->label_count++] = copy;
    return 0;
}

static int find_label(reading *r, msw_column *column, const char *text, double *label, msw_err *err)
{
    uint32_t *index;
    if (msw_keyset_add(&r->labels, msw_hash_string(text), &index, err))
        return -1;
    if (!*index) {
        *index = (uint32_t)column->label_count + 1;
        if (append_label(column, text, err))
            return -1;
    }
    *label = *index - 1;
    return 0;
}

static int read_label(reading *r, msw_column *column, const char *text, double *label, msw_err *err)
{
    if (column->label_count && strcmp(text, column->labels[(size_t)r->last_label]) == 0) {
        *label = r->last_label;
        return 0;
    }
    if (find_label(r, column, text, label, err))
        return -1;
    r->last_label = *label;
    return 0;
}

/* A text after numbers: the numbers become labels too. */
static int turn_to_text(reading *r, msw_column *column, size_t rows, msw_err *err)
{
    r->text = true;
    for (size_t i = 0; i < rows; i++) {
        char text[32];
        int64_t whole;
        if (msw_column_whole(column, i, &whole))
            snprintf(text, sizeof text, "%" PRId64, whole);
        else
            msw_double_text(column->values[i], text);
        if (!isnan(column->values[i]) && read_label(r, column, text, &column->values[i], err))
            return -1;
    }
    free(column->wholes);
    column->wholes = NULL;
    return 0;
}

static int read_text(reading *r, msw_column *column, sqlite3_stmt *row, int at, size_t i,
                     msw_err *err)
{
    msw_text hex = MSW_TEXT_EMPTY;
    const char *text = value_text(row, at, &hex);
    int result = text ? 0 : msw_fail_memory(err);
    if (result == 0 && !r->text)
        result = turn_to_text(r, column, i, err);
    if (result == 0)
        result = read_label(r, column, text, &column->values[i], err);
    msw_text_free(&hex);
    return result;
}

/* Half of the calls for most of the values: only a 0 can also be a NULL, and only a large number a
 * whole one that a double rounds. */
static bool read_plain(msw_column *column, sqlite3_stmt *row, int at, size_t i)
{
    double value = column->values[i] = sqlite3_column_double(row, at);
    return value != 0 && fabs(value) < LARGE && !column->wholes;
}

static int read_value(reading *r, msw_column *column, sqlite3_stmt *row, int at, size_t i,
                      size_t capacity, msw_err *err)
{
    if (r->number && read_plain(column, row, at, i))
        return 0;
    int type = sqlite3_column_type(row, at);
    if (type == SQLITE_NULL)
        column->values[i] = NAN;
    else if (!r->text && type == SQLITE_INTEGER)
        return msw_column_set_whole(column, i, capacity, sqlite3_column_int64(row, at), err);
    else if (!r->text && type == SQLITE_FLOAT)
        column->values[i] = sqlite3_column_double(row, at);
    else
        return read_text(r, column, row, at, i, err);
    return 0;
}

/* Who takes the rows block by block, or drops some of them; both NULL: they stay in the table. */
typedef struct blocks {
    size_t most;
    msw_block_fn take;
    void *context;
    msw_sieve_fn sieve;
} blocks;

/* Labels of a column like `key`, of which each row has its own, would take more memory than rows.
 */
enum { LABELS_MOST = 1 << 16 };

static void forget_labels(reading *r, msw_column *column)
{
    if (column->label_count <= LABELS_MOST)
        return;
    for (size_t i = 0; i < column->label_count; i++)
        free(column->labels[i]);
    column->label_count = 0;
    r->last_label = 0;
    msw_keyset_free(&r->labels);
}

/* Forgets the rows of a block, but not its labels: their numbers continue. */
static int hand_on(const blocks *b, reading *readings, msw_table *table, msw_err *err)
{
    int rc = b->take(b->context, table, err);
    table->rows = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        free(table->columns[c].wholes);
        table->columns[c].wholes = NULL;
        forget_labels(&readings[c], &table->columns[c]);
    }
    return rc;
}

/* Once `full` rows are held. What stays may be many: the next time is when they have doubled. */
static int settle(const blocks *b, reading *readings, msw_table *table, size_t *full, msw_err *err)
{
    if (b->take)
        return hand_on(b, readings, table, err);
    MSW_TRY(b->sieve(b->context, table, err));
    *full = table->rows * 2 > b->most ? table->rows * 2 : b->most;
    return 0;
}

static int read_rows(msw_store *store, sqlite3_stmt *stmt, reading *readings, const blocks *b,
                     msw_table *table, msw_err *err)
{
    int rc;
    size_t full = b->take || b->sieve ? b->most : SIZE_MAX;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        if (table->rows == full && settle(b, readings, table, &full, err))
            return -1;
        size_t i = table->rows;
        /* Rows are made room for in strides: resizing for each would cost more than reading. */
        if (i == table->capacity && (msw_table_resize(table, i + i / 2 + 1024, err)))
            return -1;
        for (size_t c = 0; c < table->column_count; c++)
            if (read_value(&readings[c], &table->columns[c], stmt, (int)c, i, table->capacity, err))
                return -1;
        table->rows = i + 1;
    }
    if (rc != SQLITE_DONE)
        return msw_sql_fail_query(store, err);
    return b->take && table->rows ? hand_on(b, readings, table, err) : 0;
}

static const msw_view_column *find_column(const msw_view *view, const char *name)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->columns[i].name, name) == 0)
            return &view->columns[i];
    return NULL;
}

/* Whether a query calls something by a name: "... AS cycles". */
static bool is_alias(const char *sql, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = sql; *at; at++) {
        if (strncasecmp(at, "as", 2) != 0 || at == sql || !strchr(" \t\n)", at[-1]))
            continue;
        const char *called = at + 2 + strspn(at + 2, " \t\n");
        called += *called == '"';
        if (called > at + 2 && strncasecmp(called, name, size) == 0 &&
            !isalnum((unsigned char)called[size]) && called[size] != '_')
            return true;
    }
    return false;
}

/* A raw query may call anything by the name of a column. It is that column, with its unit, where
 * SQLite knows the type that a table declares for it, and nothing is called so. */
static const msw_view_column *find_known(sqlite3_stmt *stmt, int c, const msw_view *view, bool raw)
{
    const char *name = sqlite3_column_name(stmt, c);
    if (raw && (!sqlite3_column_decltype(stmt, c) || is_alias(sqlite3_sql(stmt), name)))
        return NULL;
    return find_column(view, name);
}

static int add_columns(sqlite3_stmt *stmt, const msw_view *view, bool raw, reading *readings,
                       msw_table *table, msw_err *err)
{
    for (int c = 0; c < sqlite3_column_count(stmt); c++) {
        const char *name = sqlite3_column_name(stmt, c);
        const msw_view_column *known = find_known(stmt, c, view, raw);
        int at = msw_table_add_column(table, name, known ? known->unit : "",
                                      known ? known->goal : MSW_GOAL_NONE, err);
        if (at < 0)
            return -1;
        table->columns[at].integer = known && known->type == MSW_EXPR_INTEGER;
        readings[c].number =
            !raw && known && known->type != MSW_EXPR_TEXT && strcmp(known->role, "derived") != 0;
    }
    return 0;
}

static int read_statement(msw_store *store, sqlite3_stmt *stmt, const msw_view *view, bool raw,
                          const blocks *b, msw_table *table, msw_err *err)
{
    *table = (msw_table){0};
    reading *readings = calloc((size_t)sqlite3_column_count(stmt) + 1, sizeof *readings);
    int result =
        readings ? add_columns(stmt, view, raw, readings, table, err) : msw_fail_memory(err);
    if (result == 0)
        result = read_rows(store, stmt, readings, b, table, err);
    for (size_t c = 0; readings && c < table->column_count; c++)
        msw_keyset_free(&readings[c].labels);
    free(readings);
    if (result)
        msw_table_free(table);
    return result;
}

/* Views over workloads are made where a raw query names them in double quotes. */
static int make_overs(msw_store *store, const char *sql, msw_err *err)
{
    int result = 0;
    for (const char *at = strchr(sql, '"'), *end; at && result == 0; at = strchr(end + 1, '"')) {
        end = strchr(at + 1, '"');
        if (!end)
            return 0;
        char *name = msw_strfmt("%.*s", (int)(end - at - 1), at + 1);
        msw_view view = {0};
        if (!name)
            result = msw_fail_memory(err);
        else if (msw_over_find(name) && strncmp(name, "@", 1) != 0)
            result = msw_view_find(store, name, false, &view, err);
        msw_view_free(&view);
        free(name);
    }
    return result;
}

/* Units and goals of all columns there are, for raw queries. */
static int load_known(msw_store *store, const msw_query *query, msw_view *view, msw_err *err)
{
    if (!query->sql)
        return msw_view_load(store, query->sweep, false, view, err);
    if (msw_view_make_named(store, query->sql, err) || make_overs(store, query->sql, err))
        return -1;
    if (msw_view_load(store, query->sweep, true, view, query->sweep ? err : NULL) == 0)
        return 0;
    return query->sweep ? -1 : 0;
}

/* A statement that fails is looked at again with the views of all sweeps, for the names to choose
 * from. */
static int prepare_raw(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err)
{
    if (msw_users_prepare(store, sql, stmt, err) == 0)
        return 0;
    MSW_TRY(msw_view_make_named(store, NULL, err));
    MSW_TRY(msw_users_prepare(store, sql, stmt, err));
    return 0;
}

static int read_query(msw_store *store, const msw_query *query, const blocks *b, msw_table *table,
                      msw_err *err)
{
    msw_view view;
    if (load_known(store, query, &view, err))
        return -1;
    sqlite3_stmt *stmt = NULL;
    msw_text sql = MSW_TEXT_EMPTY;
    int result =
        query->row_ids && !query->sql
            ? msw_chosen_source(store, &view, err) ||
                  msw_chosen_insert(store, view.sweep, query->row_ids, query->row_id_count, err)
            : 0;
    if (result == 0 && !query->sql)
        result = msw_query_select(query, &view, &sql, err);
    if (result == 0)
        result = query->sql ? prepare_raw(store, query->sql, &stmt, err)
                            : msw_users_prepare(store, msw_text_str(&sql), &stmt, err);
    if (result == 0)
        result = read_statement(store, stmt, &view, query->sql != NULL, b, table, err);
    sqlite3_finalize(stmt);
    msw_text_free(&sql);
    msw_view_free(&view);
    return result;
}

int msw_store_read(msw_store *store, const msw_query *query, msw_table *table, msw_err *err)
{
    return read_query(store, query, &(blocks){0}, table, err);
}

int msw_store_read_blocks(msw_store *store, const msw_query *query, size_t most, msw_block_fn take,
                          void *context, msw_err *err)
{
    msw_table table = {0};
    int result = read_query(store, query, &(blocks){most, take, context, NULL}, &table, err);
    msw_table_free(&table);
    return result;
}

int msw_store_read_sieved(msw_store *store, const msw_query *query, size_t most, msw_sieve_fn sieve,
                          void *context, msw_table *table, msw_err *err)
{
    return read_query(store, query, &(blocks){most, NULL, context, sieve}, table, err);
}

int msw_read_statement(msw_store *store, sqlite3_stmt *stmt, const msw_view *view, msw_table *table,
                       msw_err *err)
{
    return read_statement(store, stmt, view, false, &(blocks){0}, table, err);
}

static int read_part(msw_store *store, sqlite3_stmt *stmt, const msw_view *view, uint64_t part,
                     msw_part_fn take, void *context, msw_err *err)
{
    msw_table table = {0};
    bool divided = sqlite3_bind_parameter_count(stmt) > 0;
    if (sqlite3_reset(stmt) != SQLITE_OK ||
        (divided && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)part) != SQLITE_OK))
        return msw_sql_fail_query(store, err);
    if (read_statement(store, stmt, view, true, &(blocks){0}, &table, err))
        return -1;
    int result = take(context, part, &table, err);
    msw_table_free(&table);
    return result;
}

int msw_store_read_parts(msw_store *store, const char *sql, uint64_t parts, msw_part_fn take,
                         void *context, msw_err *err)
{
    msw_query query = {.sql = sql};
    msw_view view;
    if (load_known(store, &query, &view, err))
        return -1;
    sqlite3_stmt *stmt = NULL;
    int result = prepare_raw(store, sql, &stmt, err);
    for (uint64_t part = 0; result == 0 && part < parts; part++)
        result = read_part(store, stmt, &view, part, take, context, err);
    sqlite3_finalize(stmt);
    msw_view_free(&view);
    return result;
}

int msw_store_select(msw_store *store, const msw_query *query, msw_text *sql, msw_err *err)
{
    msw_view view;
    if (msw_view_load(store, query->sweep, false, &view, err))
        return -1;
    int result = msw_query_select(query, &view, sql, err);
    msw_view_free(&view);
    return result;
}
