/* SPDX-License-Identifier: MIT */
/* Checksums of rows from the pages of the file. */
#include "store/sum/direct.h"

#include "store/sql/pages.h"
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

enum {
    PASSED = 16,    /* records that are passed faster than one is searched */
    REMEMBERED = 24 /* bytes of a text: names come again from row to row */
};

typedef struct text_term {
    uint8_t bytes[REMEMBERED];
    size_t size;
    uint64_t term;
} text_term;

/* One table on the way through it. */
typedef struct tree {
    const msw_sums *sums;
    text_term *texts; /* per column */
    msw_page_cursor cursor;
    int state;         /* of the cursor: 1: it is on `record`, 0: at the end, -1: nowhere */
    msw_record record; /* the first whose id is `from` or more */
    int64_t from;
} tree;

struct msw_direct {
    msw_pages pages;
    sqlite3_stmt *hold; /* it is on a row: nobody writes */
    bool lost;          /* a page was not understood */
    int status;         /* where it is in points.sums */
    tree points;
    size_t detail_count;
    tree *details;
};

/* ---- opening ---- */

static sqlite3_stmt *prepare(const msw_checker *checker, const char *format, const char *schema)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt(format, schema);
    if (sql)
        sqlite3_prepare_v2(checker->store->db, sql, -1, &stmt, NULL);
    free(sql);
    return stmt;
}

static uint32_t find_root(const msw_checker *checker, const char *schema, const char *table)
{
    uint32_t root = 0;
    sqlite3_stmt *stmt =
        prepare(checker, "SELECT rootpage FROM %s.sqlite_master WHERE type = 'table' AND name = ?1",
                schema);
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
        root = (uint32_t)sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return root;
}

static bool open_tree(msw_direct *direct, const msw_checker *checker, const char *schema,
                      const msw_sums *sums, bool keyed, tree *t)
{
    uint32_t root = find_root(checker, schema, sums->table);
    for (size_t i = 0; i < sums->count; i++)
        if (!sums->columns[i].known)
            return false;
    *t =
        (tree){.sums = sums, .from = INT64_MAX, .texts = calloc(sums->count + 1, sizeof *t->texts)};
    for (size_t i = 0; t->texts && i < sums->count; i++)
        t->texts[i].size = SIZE_MAX;
    return t->texts && root && sums->sum >= 0 &&
           msw_page_cursor_open(&direct->pages, root, keyed, &t->cursor) == 0;
}

static int find_column(const msw_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->count; i++)
        if (strcmp(sums->columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool open_all(msw_direct *direct, const msw_checker *checker, const char *schema)
{
    direct->hold = prepare(checker, "SELECT 1 FROM %s.sqlite_master", schema);
    direct->status = find_column(&checker->points, "status");
    direct->details = calloc(checker->detail_count + 1, sizeof *direct->details);
    if (!direct->hold || sqlite3_step(direct->hold) != SQLITE_ROW || !direct->details ||
        !msw_pages_open(checker->store->db, schema, &direct->pages) ||
        !open_tree(direct, checker, schema, &checker->points, false, &direct->points))
        return false;
    for (; direct->detail_count < checker->detail_count; direct->detail_count++)
        if (!open_tree(direct, checker, schema, &checker->details[direct->detail_count].sums, true,
                       &direct->details[direct->detail_count]))
            return false;
    return direct->status >= 0;
}

msw_direct *msw_direct_open(const msw_checker *checker, const char *schema)
{
    /* Rows that are not yet written to the file are not in its pages. */
    bool settled = sqlite3_get_autocommit(checker->store->db) ||
                   sqlite3_db_readonly(checker->store->db, schema) == 1;
    msw_direct *direct = settled && checker->points.sum >= 0 ? calloc(1, sizeof *direct) : NULL;
    if (!direct || open_all(direct, checker, schema))
        return direct;
    msw_direct_close(direct);
    return NULL;
}

static void close_tree(tree *t)
{
    msw_page_cursor_close(&t->cursor);
    free(t->texts);
}

void msw_direct_close(msw_direct *direct)
{
    if (!direct)
        return;
    sqlite3_finalize(direct->hold);
    close_tree(&direct->points);
    /* One more than counted: the one whose opening failed. */
    for (size_t i = 0; direct->details && i <= direct->detail_count; i++)
        close_tree(&direct->details[i]);
    free(direct->details);
    free(direct);
}

/* ---- ways ---- */

/* Records are in rising order, those of a table without repetition. */
static void next(tree *t)
{
    int64_t before = t->record.id;
    t->state = msw_page_cursor_next(&t->cursor, &t->record);
    if (t->state > 0 && (t->cursor.keyed ? t->record.id < before : t->record.id <= before))
        t->state = -1;
}

static void seek(tree *t, int64_t id)
{
    t->state =
        msw_page_cursor_seek(&t->cursor, id) ? msw_page_cursor_next(&t->cursor, &t->record) : -1;
    if (t->state > 0 && t->record.id < id)
        t->state = -1;
}

/* Goes to the first record whose id is `id` or more. Returns the state. */
static int find(tree *t, int64_t id)
{
    int passed = 0;
    bool ahead = t->state >= 0 && t->from <= id;
    while (ahead && t->state > 0 && t->record.id < id && passed++ < PASSED)
        next(t);
    if (!ahead || t->state < 0 || (t->state > 0 && t->record.id < id))
        seek(t, id);
    t->from = id;
    return t->state;
}

/* ---- sums ---- */

/* Texts such as status and bottleneck are the same from row to row: the last one's term of each
 * column is remembered. */
static uint64_t sum_text(text_term *known, const msw_sum_column *column, const msw_value *value)
{
    if (value->size == known->size && memcmp(value->bytes, known->bytes, value->size) == 0)
        return known->term;
    uint64_t term = msw_sum_text_term(column, value->bytes, value->size);
    if (value->size <= REMEMBERED) {
        memcpy(known->bytes, value->bytes, value->size);
        known->size = value->size;
        known->term = term;
    }
    return term;
}

static uint64_t sum_value(tree *t, size_t i, const msw_value *value)
{
    const msw_sum_column *column = &t->sums->columns[i];
    switch (value->type) {
    case SQLITE_INTEGER:
        return column->real ? msw_sum_real_term(column, (double)value->integer)
                            : msw_sum_integer_term(column, value->integer);
    case SQLITE_FLOAT:
        return msw_sum_real_term(column, value->real);
    case SQLITE_TEXT:
        return sum_text(&t->texts[i], column, value);
    case SQLITE_BLOB:
        return msw_sum_bytes(column->seed, false, value->bytes, value->size);
    default:
        return 0;
    }
}

/* Sums up the record the tree is at; `kept`: the value of column `keep`. Returns whether it has
 * its checksum. */
static bool sum_record(tree *t, uint64_t *sum, uint64_t *stored, int keep, msw_value *kept)
{
    msw_values values;
    msw_value value;
    int got;
    *sum = 0;
    if (!t->record.payload || !msw_values_begin(&t->record, &values))
        return false;
    for (int i = 0; i < (int)t->sums->count; i++) {
        const msw_sum_column *column = &t->sums->columns[i];
        if ((got = msw_values_next(&values, &value)) < 0 || (got == 0 && column->filled))
            return false;
        if (got == 0)
            value.type = SQLITE_NULL;
        if (!column->skip)
            *sum += sum_value(t, (size_t)i, &value);
        if (i == t->sums->sum && value.type != SQLITE_INTEGER)
            return false;
        if (i == t->sums->sum)
            *stored = (uint64_t)value.integer;
        if (i == keep)
            *kept = value;
    }
    return msw_values_next(&values, &value) == 0;
}

/* What the details of a row add to its checksum. Returns whether all are sound. */
static bool add_details(tree *t, int64_t id, uint64_t *sum)
{
    uint64_t own, stored;
    for (int state = find(t, id); state; state = t->state) {
        if (state < 0)
            return false;
        if (t->record.id != id)
            return true;
        if (!sum_record(t, &own, &stored, -1, NULL) || own != stored)
            return false;
        *sum += msw_sum_integer(t->sums->seed, (int64_t)own);
        next(t);
        t->from = id < INT64_MAX ? id + 1 : id;
    }
    return true;
}

static const char *name_status(const msw_value *value)
{
    for (int s = 0; s < MSW_STATUS_COUNT && value->type == SQLITE_TEXT; s++) {
        const char *name = msw_status_name((msw_status)s);
        if (strlen(name) == value->size && memcmp(name, value->bytes, value->size) == 0)
            return name;
    }
    return NULL;
}

/* A page that is not understood ends it: searching again for each row would take longest where most
 * is broken. */
static bool is_lost(msw_direct *direct)
{
    direct->lost = direct->lost || direct->points.state < 0;
    for (size_t i = 0; i < direct->detail_count; i++)
        direct->lost = direct->lost || direct->details[i].state < 0;
    return direct->lost;
}

const char *msw_direct_find(msw_direct *direct, int64_t id)
{
    uint64_t sum, stored;
    msw_value status = {.type = SQLITE_NULL};
    if (!direct || direct->lost)
        return NULL;
    bool sound = find(&direct->points, id) > 0 && direct->points.record.id == id &&
                 sum_record(&direct->points, &sum, &stored, direct->status, &status);
    for (size_t i = 0; i < direct->detail_count && sound; i++)
        sound = add_details(&direct->details[i], id, &sum);
    return !is_lost(direct) && sound && sum == stored ? name_status(&status) : NULL;
}
