/* SPDX-License-Identifier: MIT */
/* declared: what the tables of a file are declared as.
 *
 * A declaration is text of the file, and SQLite runs parts of it: defaults, checks, generated
 * columns. Tables of memsweep use little of what SQL has: this reader knows that little and refuses
 * all else. */
#ifndef MSW_STORE_CATALOGUE_DECLARED_H
#define MSW_STORE_CATALOGUE_DECLARED_H

#include "memsweep/base/text.h"

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

#endif
