/* SPDX-License-Identifier: MIT */
/* Compiles an expression, binds values to its names and evaluates it. */
#include "memsweep/expr/expr.h"

#include "expr/language.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of an expression as a user writes it, and as it is written for SQL, where constants are
 * longer. */
enum { TEXT_MAX = 8192, WRITTEN_MAX = 65536 };

#define HEAD "SELECT ("
#define TAIL ") FROM \"" MSW_EXPR_TABLE "\""

/* Returns whether SQLite stumbles over the parenthesis behind the expression, which the user did
 * not write: without it, over the end. */
static bool stops_early(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    int size = (int)(strlen(sql) - strlen(TAIL));
    sqlite3_prepare_v2(db, sql, size, &stmt, NULL);
    bool early = strstr(sqlite3_errmsg(db), "incomplete input") != NULL;
    sqlite3_finalize(stmt);
    return early;
}

/* The constant a number in SQLite's message was written as, or the number. */
static const char *as_written(const char *token, size_t size, const char *text)
{
    static const char *const CONSTANTS[] = {"KiB", "MiB", "GiB"};
    for (size_t i = 0; i < sizeof CONSTANTS / sizeof *CONSTANTS; i++) {
        const char *number = msw_constant_find(CONSTANTS[i]);
        if (number && strlen(number) == size && memcmp(number, token, size) == 0 &&
            !strstr(text, number) && strstr(text, CONSTANTS[i]))
            return CONSTANTS[i];
    }
    return NULL;
}

static int fail_syntax(sqlite3 *db, const char *sql, const char *text, msw_err *err)
{
    if (sqlite3_errcode(db) == SQLITE_NOMEM)
        return msw_fail_memory(err);
    char *message = msw_strdup(sqlite3_errmsg(db));
    if (!message)
        return msw_fail_memory(err);
    static const char NEAR[] = "near \"", END[] = "\": syntax error";
    const char *token = message + strlen(NEAR);
    char *end = strncmp(message, NEAR, strlen(NEAR)) == 0 ? strstr(token, END) : NULL;
    const char *constant = end ? as_written(token, (size_t)(end - token), text) : NULL;
    if (end && strncmp(token, ")", 1) == 0 && stops_early(db, sql))
        msw_fail(err,
                 "this is no expression: syntax error, something is missing at the end of '%.200s'",
                 text);
    else if (end)
        msw_fail(err, "this is no expression: near \"%.*s\": syntax error in '%.200s'",
                 constant ? (int)strlen(constant) : (int)(end - token), constant ? constant : token,
                 text);
    else
        msw_fail(err, "this is no expression: %s", message);
    free(message);
    return -1;
}

static int prepare_statement(msw_expr *expr, const char *sql, const char *text, msw_err *err)
{
    msw_expr_host *host = expr->host;
    host->selects = 0;
    if (sqlite3_prepare_v2(host->db, sql, -1, &expr->stmt, NULL) != SQLITE_OK)
        return fail_syntax(host->db, sql, text, err);
    return 0;
}

static int compile(msw_expr *expr, const char *text, size_t most, bool *used, msw_err *err)
{
    if (strlen(text) > most)
        return msw_fail(err, "the expression is longer than %zu characters", most);
    msw_text sql = MSW_TEXT_EMPTY;
    int rc = -1;
    msw_text_add(&sql, HEAD);
    if (msw_expr_rewrite(expr->host->names, text, used, &sql, err))
        goto done;
    msw_text_add(&sql, TAIL);
    if (msw_text_check(&sql, err) || prepare_statement(expr, msw_text_str(&sql), text, err))
        goto done;
    rc = 0;
done:
    msw_text_free(&sql);
    return rc;
}

static void list_used(msw_expr *expr, const bool *used)
{
    for (size_t i = 0; i < expr->host->count; i++)
        if (used[i])
            expr->used[expr->used_count++] = (int)i;
}

/* Allocates room for all names: the table finds a value by the number of its column. */
static int build(msw_expr *expr, const char *text, size_t most, msw_err *err)
{
    size_t room = expr->host->count + 1;
    bool *used = calloc(room, sizeof *used);
    expr->slots = calloc(room, sizeof *expr->slots);
    expr->used = calloc(room, sizeof *expr->used);
    int rc = -1;
    if (!used || !expr->slots || !expr->used) {
        msw_fail_memory(err);
        goto done;
    }
    if (compile(expr, text, most, used, err))
        goto done;
    list_used(expr, used);
    rc = 0;
done:
    free(used);
    return rc;
}

static int new_expr(msw_expr_host *host, const char *text, size_t most, msw_expr **expr,
                    msw_err *err)
{
    msw_expr *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return msw_fail_memory(err);
    fresh->host = host;
    if (build(fresh, text, most, err) != 0) {
        msw_expr_free(fresh);
        return -1;
    }
    *expr = fresh;
    return 0;
}

int msw_expr_new(msw_expr_host *host, const char *text, msw_expr **expr, msw_err *err)
{
    return new_expr(host, text, TEXT_MAX, expr, err);
}

void msw_expr_free(msw_expr *expr)
{
    if (!expr)
        return;
    sqlite3_finalize(expr->stmt);
    free(expr->slots);
    free(expr->used);
    free(expr);
}

size_t msw_expr_used(const msw_expr *expr, const int **indices)
{
    *indices = expr->used;
    return expr->used_count;
}

static int step_row(msw_expr *expr, msw_err *err)
{
    expr->host->current = expr->slots;
    if (sqlite3_step(expr->stmt) == SQLITE_ROW)
        return 0;
    if (sqlite3_errcode(expr->host->db) == SQLITE_NOMEM)
        msw_fail_memory(err);
    else
        msw_fail(err, "the expression has no value: %s", sqlite3_errmsg(expr->host->db));
    sqlite3_reset(expr->stmt);
    return -1;
}

int msw_expr_eval(msw_expr *expr, msw_expr_value *result, msw_err *err)
{
    if (step_row(expr, err) != 0)
        return -1;
    *result = (msw_expr_value){.type = MSW_EXPR_NULL};
    switch (sqlite3_column_type(expr->stmt, 0)) {
    case SQLITE_INTEGER:
        result->type = MSW_EXPR_INTEGER;
        result->integer = sqlite3_column_int64(expr->stmt, 0);
        result->real = (double)result->integer;
        break;
    case SQLITE_FLOAT:
        result->type = MSW_EXPR_REAL;
        result->real = sqlite3_column_double(expr->stmt, 0);
        break;
    case SQLITE_TEXT:
        result->type = MSW_EXPR_TEXT;
        result->text = (const char *)sqlite3_column_text(expr->stmt, 0);
        return result->text ? 0 : msw_fail_memory(err);
    }
    return 0;
}

/* NULL and text that is no number read as 0. */
int msw_expr_true(msw_expr *expr, msw_err *err)
{
    if (step_row(expr, err) != 0)
        return -1;
    return sqlite3_column_double(expr->stmt, 0) != 0;
}

static int write_expr(msw_expr_host *host, const char *text, size_t most, msw_text *out,
                      msw_err *err)
{
    msw_expr *expr = NULL;
    int rc = -1;
    if (new_expr(host, text, most, &expr, err) ||
        msw_expr_rewrite(host->names, text, NULL, out, err))
        goto done;
    rc = 0;
done:
    msw_expr_free(expr);
    return rc;
}

int msw_expr_check_spliced(msw_expr_host *host, const char *text, msw_text *out, msw_err *err)
{
    return write_expr(host, text, WRITTEN_MAX, out, err);
}

int msw_expr_splice(const msw_expr_name *names, size_t count, const char *text, msw_text *out,
                    msw_err *err)
{
    msw_expr_host *host = NULL;
    int rc = -1;
    if (msw_expr_host_new(names, count, &host, err) || write_expr(host, text, TEXT_MAX, out, err))
        goto done;
    rc = 0;
done:
    msw_expr_host_free(host);
    return rc;
}

/* ---- binding: a value is converted as a column of its type would on being stored ---- */

static msw_expr_slot *slot_of(msw_expr *expr, size_t k)
{
    return &expr->slots[expr->used[k]];
}

static msw_expr_type type_of(const msw_expr *expr, size_t k)
{
    return expr->host->names[expr->used[k]].type;
}

static void set_integer(msw_expr_slot *slot, int64_t value)
{
    slot->type = MSW_EXPR_INTEGER;
    slot->integer = value;
}

static void set_real(msw_expr_slot *slot, double value)
{
    slot->type = MSW_EXPR_REAL;
    slot->real = value;
}

static void set_buffer(msw_expr_slot *slot)
{
    slot->type = MSW_EXPR_TEXT;
    slot->text = slot->buffer;
}

void msw_expr_bind_null(msw_expr *expr, size_t k)
{
    slot_of(expr, k)->type = MSW_EXPR_NULL;
}

void msw_expr_bind_integer(msw_expr *expr, size_t k, int64_t value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    switch (type_of(expr, k)) {
    case MSW_EXPR_REAL:
        set_real(slot, (double)value);
        break;
    case MSW_EXPR_TEXT:
        sqlite3_snprintf(sizeof slot->buffer, slot->buffer, "%lld", (long long)value);
        set_buffer(slot);
        break;
    default:
        set_integer(slot, value);
    }
}

static bool is_integer(double value)
{
    return value == floor(value) && fabs(value) < 9223372036854775808.0;
}

void msw_expr_bind_real(msw_expr *expr, size_t k, double value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    msw_expr_type type = type_of(expr, k);
    if (isnan(value)) {
        slot->type = MSW_EXPR_NULL;
    } else if (type == MSW_EXPR_INTEGER && is_integer(value)) {
        set_integer(slot, (int64_t)value);
    } else if (type == MSW_EXPR_TEXT) {
        sqlite3_snprintf(sizeof slot->buffer, slot->buffer, "%!.15g", value);
        set_buffer(slot);
    } else {
        set_real(slot, value);
    }
}

/* A text that is a number in all its length becomes one in a numeric column. */
static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || strpbrk(text, "xXnN")) /* strtod also reads 0x10, inf and nan */
        return false;
    return end[strspn(end, " \t\n\r\f\v")] == '\0';
}

void msw_expr_bind_text(msw_expr *expr, size_t k, const char *value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    msw_expr_type type = type_of(expr, k);
    double number;
    if ((type == MSW_EXPR_INTEGER || type == MSW_EXPR_REAL) && read_number(value, &number)) {
        msw_expr_bind_real(expr, k, number);
    } else {
        slot->type = MSW_EXPR_TEXT;
        slot->text = value;
    }
}
