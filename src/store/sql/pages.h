/* SPDX-License-Identifier: MIT */
/* pages: the records of a table as they lie in the pages of the file, in their order.
 *
 * Whoever goes on from a file looks at every value of every row. Through SQL a value costs some
 * thirty nanoseconds, read from its page a few. What is read here is the published format of the
 * file (sqlite.org/fileformat2.html), by the handle that SQLite has on it, within a reading
 * transaction that the caller holds. What is not understood is left to SQL, errors included: here
 * is only said that it is so. */
#ifndef MSW_STORE_SQL_PAGES_H
#define MSW_STORE_SQL_PAGES_H

#include "store/sql/record.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file whose pages can be read. */
typedef struct msw_pages {
    sqlite3_file *file;
    uint32_t size, usable; /* bytes of a page */
    uint32_t count;
} msw_pages;

/* Finds the pages of `schema`, which nothing must be waiting to be written to. Returns whether they
 * are of a kind that is understood: a journal beside the file, text in UTF-8. */
bool msw_pages_open(sqlite3 *db, const char *schema, msw_pages *pages);

enum { MSW_PAGE_DEPTH = 16 };

/* A way through a tree of pages. */
typedef struct msw_page_cursor {
    const msw_pages *pages;
    uint32_t root;
    bool keyed; /* records are their own keys: WITHOUT ROWID */
    size_t depth;
    struct msw_page_level {
        const uint8_t *bytes;
        unsigned cell, cells;
        bool leaf, due; /* due: the record behind the child that was read last */
    } levels[MSW_PAGE_DEPTH];
    uint8_t *inner;                /* a page for each level that is no leaf */
    uint32_t kept[MSW_PAGE_DEPTH]; /* which pages these are; 0: none */
    size_t leaf_depth;             /* at which leaves were found; 0: not yet */
    uint8_t *leaves;               /* pages that lie together */
    uint32_t first_leaf;           /* the first of these; 0: none */
    uint32_t visited;              /* pages: more than there are is a circle */
} msw_page_cursor;

/* Makes one for the tree that starts at a page. Returns 0, or -1 when memory ran out. */
int msw_page_cursor_open(const msw_pages *pages, uint32_t root, bool keyed,
                         msw_page_cursor *cursor);
void msw_page_cursor_close(msw_page_cursor *cursor);

/* Goes to before the first record whose id is `id` or more. Returns whether the way was understood.
 */
bool msw_page_cursor_seek(msw_page_cursor *cursor, int64_t id);

/* Reads the next record, which stays until the next call. Returns 1, 0 at the end, or -1 when the
 * page is not understood: a new seek is needed then. */
int msw_page_cursor_next(msw_page_cursor *cursor, msw_record *record);

#endif
