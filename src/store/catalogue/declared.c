/* SPDX-License-Identifier: MIT */
#include "store/catalogue/catalogue.h"

#include "store/sql/sql.h"

#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_SIZE = 128 };

#define DIGITS "0123456789"
#define LETTERS                                                                                    \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                                   \
    "abcdefghijklmnopqrstuvwxyz_"

bool msw_name_is_plain(const char *name)
{
    size_t size = strlen(name);
    return size && size < NAME_MAX_SIZE && !strchr(DIGITS, *name) &&
           strspn(name, LETTERS DIGITS) == size;
}

/* Length of what is in quotes, both included; doubled quotes are part of it. */
static size_t quoted_size(const char *s)
{
    char close = *s == '[' ? ']' : *s;
    size_t i = 1;
    for (; s[i]; i++)
        if (s[i] == close && (close == ']' || s[i + 1] != close))
            return i + 1;
        else if (s[i] == close)
            i++;
    return i;
}

/* What is in quotes, without them. */
static char *unquoted(const char *s, size_t size)
{
    char close = *s == '[' ? ']' : *s, *copy = malloc(size + 1);
    size_t n = 0;
    for (size_t i = 1; copy && i + 1 < size; i++) {
        copy[n++] = s[i];
        if (s[i] == close)
            i++;
    }
    if (copy)
        copy[n] = '\0';
    return copy;
}

char *msw_declared_name(const char *sql, const char *head)
{
    size_t size = strlen(head);
    if (strncmp(sql, head, size) != 0)
        return NULL;
    sql += size;
    if (*sql && strchr("\"'`[", *sql))
        return unquoted(sql, quoted_size(sql));
    /* SQLite takes bytes beyond ASCII and dollars as letters. */
    for (size = 0; sql[size] && ((unsigned char)sql[size] >= 128 || sql[size] == '$' ||
                                 strchr(LETTERS DIGITS, sql[size]));)
        size++;
    return msw_strfmt("%.*s", (int)size, sql);
}

/* ---- reading ---- */

typedef struct reader {
    const char *at;    /* behind the token */
    const char *token; /* a word, a number, a text or one character */
    size_t size;       /* 0: the end */
    msw_declared *into;
    msw_err *err;
} reader;

static void next(reader *r)
{
    r->token = r->at += strspn(r->at, " \t\r\n");
    if (!*r->at)
        r->size = 0;
    else if (strchr(LETTERS, *r->at))
        r->size = strspn(r->at, LETTERS DIGITS);
    else if (strchr(DIGITS ".", *r->at))
        r->size = strspn(r->at, DIGITS "."), r->size += strspn(r->at + r->size, "e");
    else
        r->size = *r->at == '\'' || *r->at == '"' ? quoted_size(r->at) : 1;
    bool exponent = r->size > 1 && strchr(DIGITS ".", *r->at) && r->at[r->size - 1] == 'e';
    if (exponent) {
        r->size += strspn(r->at + r->size, "+-");
        r->size += strspn(r->at + r->size, DIGITS);
    }
    r->at += r->size;
}

static bool is(const reader *r, const char *word)
{
    return r->size == strlen(word) && strncasecmp(r->token, word, r->size) == 0;
}

static bool take(reader *r, const char *word)
{
    bool found = is(r, word);
    if (found)
        next(r);
    return found;
}

static int refuse(const reader *r)
{
    msw_declared *d = r->into;
    const char *last = d->count ? d->columns[d->count - 1].name : NULL;
    msw_fail_kind(r->err, MSW_ERR_IO, "table %s: '%.*s' %s%s is nothing that memsweep declares",
                  d->table ? d->table : "?", r->size ? (int)r->size : 3, r->size ? r->token : "end",
                  last ? "in or after column " : "in its declaration", last ? last : "");
    return -1;
}

static int want(reader *r, const char *word)
{
    return take(r, word) ? 0 : refuse(r);
}

static int read_name(reader *r, char **name)
{
    bool quoted = r->size > 2 && *r->token == '"';
    *name = quoted ? unquoted(r->token, r->size) : msw_strfmt("%.*s", (int)r->size, r->token);
    if (!*name)
        return msw_fail_memory(r->err);
    if (!msw_name_is_plain(*name))
        return refuse(r);
    next(r);
    return 0;
}

/* [+-] number, text or NULL: nothing that would have to be computed. */
static int read_literal(reader *r, char **value)
{
    const char *start = r->token;
    bool sign = take(r, "-") || take(r, "+");
    bool number = r->size && strchr(DIGITS ".", *r->token) && strpbrk(r->token, DIGITS);
    bool text = r->size > 1 && *r->token == '\'' && r->token[r->size - 1] == '\'';
    if (!number && (sign || (!text && !is(r, "NULL"))))
        return refuse(r);
    *value = msw_strfmt("%.*s", (int)(r->token + r->size - start), start);
    next(r);
    return *value ? 0 : msw_fail_memory(r->err);
}

static int read_options(reader *r, msw_declared_column *column)
{
    while (!is(r, ",") && !is(r, ")"))
        if (take(r, "NOT")) {
            if (want(r, "NULL"))
                return -1;
            column->not_null = true;
        } else if (take(r, "PRIMARY")) {
            if (want(r, "KEY"))
                return -1;
            column->primary = true;
        } else if (take(r, "UNIQUE")) {
            column->unique = true;
        } else if (column->value || !take(r, "DEFAULT")) {
            return refuse(r);
        } else if (read_literal(r, &column->value)) {
            return -1;
        }
    return 0;
}

static int read_type(reader *r, msw_declared_column *column)
{
    static const char *const TYPES[] = {"INTEGER", "REAL", "TEXT", "BLOB"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (take(r, TYPES[i])) {
            column->type = TYPES[i];
            return 0;
        }
    return refuse(r);
}

static int read_column(reader *r)
{
    msw_declared *d = r->into;
    MSW_TRY(msw_vec_extend(&d->columns, d->count, sizeof *d->columns, r->err));
    msw_declared_column *column = &d->columns[d->count];
    *column = (msw_declared_column){0};
    if (read_name(r, &column->name)) {
        free(column->name);
        return -1;
    }
    if (msw_declared_find(d, column->name)) {
        free(column->name);
        return refuse(r);
    }
    d->count++;
    MSW_TRY(read_type(r, column));
    MSW_TRY(read_options(r, column));
    return 0;
}

static int read_key(reader *r)
{
    msw_text key = MSW_TEXT_EMPTY;
    int rc = r->into->key ? refuse(r) : want(r, "PRIMARY") || want(r, "KEY") || want(r, "(");
    for (bool more = true; rc == 0 && more; more = rc == 0 && take(r, ",")) {
        char *name = NULL;
        rc = read_name(r, &name);
        msw_text_add(&key, "%s%s", key.size ? ", " : "", name ? name : "");
        free(name);
    }
    if (rc == 0)
        rc = want(r, ")");
    if (rc == 0 && (key.failed || !(r->into->key = msw_strdup(msw_text_str(&key)))))
        rc = msw_fail_memory(r->err);
    msw_text_free(&key);
    return rc;
}

static int read_table(reader *r)
{
    next(r);
    if (want(r, "CREATE") || want(r, "TABLE") || read_name(r, &r->into->table) || want(r, "("))
        return -1;
    do
        if (is(r, "PRIMARY") ? read_key(r) : read_column(r))
            return -1;
    while (take(r, ","));
    if (want(r, ")"))
        return -1;
    if (take(r, "WITHOUT")) {
        if (want(r, "ROWID"))
            return -1;
        r->into->without_rowid = true;
    }
    return r->size ? refuse(r) : 0;
}

int msw_declared_read(const char *sql, msw_declared *declared, msw_err *err)
{
    *declared = (msw_declared){0};
    reader r = {.at = sql, .into = declared, .err = err};
    if (read_table(&r) == 0)
        return 0;
    msw_declared_free(declared);
    return -1;
}

void msw_declared_free(msw_declared *declared)
{
    for (size_t i = 0; i < declared->count; i++) {
        free(declared->columns[i].name);
        free(declared->columns[i].value);
    }
    free(declared->columns);
    free(declared->table);
    free(declared->key);
    *declared = (msw_declared){0};
}

/* ---- using ---- */

const msw_declared_column *msw_declared_find(const msw_declared *declared, const char *name)
{
    for (size_t i = 0; i < declared->count; i++)
        if (strcasecmp(declared->columns[i].name, name) == 0)
            return &declared->columns[i];
    return NULL;
}

void msw_declared_print(const msw_declared *declared, msw_text *sql)
{
    msw_text_add(sql, "CREATE TABLE main.%s(", declared->table);
    for (size_t i = 0; i < declared->count; i++) {
        const msw_declared_column *c = &declared->columns[i];
        msw_text_add(sql, "%s", i ? ", " : "");
        msw_sql_add_column(sql, c->name);
        msw_text_add(sql, " %s%s%s", c->type, c->primary ? " PRIMARY KEY" : "",
                     c->not_null ? " NOT NULL" : "");
        if (c->value)
            msw_text_add(sql, " DEFAULT %s", c->value);
    }
    if (declared->key)
        msw_text_add(sql, ", PRIMARY KEY(%s)", declared->key);
    msw_text_add(sql, ")%s", declared->without_rowid ? " WITHOUT ROWID" : "");
}
