/* SPDX-License-Identifier: MIT */
/* Trees of pages. Every number in a page may be wrong: none is used before it was compared with
 * what is there. */
#include "store/sql/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 100,  /* bytes at the start of the file */
    TOGETHER = 16, /* leaves that are read at once: a table that was filled in order has them so */
    SLACK = 16,    /* bytes behind a page that a number may reach into */
    PAGE_LEAST = 512, /* bytes */
    USABLE_LEAST = 480
};

/* Kinds of pages. */
enum { KEYED_INNER = 2, ROWS_INNER = 5, KEYED_LEAF = 10, ROWS_LEAF = 13 };

/* ---- the file ---- */

static bool read_bytes(const msw_pages *pages, void *into, size_t size, uint64_t from)
{
    return pages->file->pMethods->xRead(pages->file, into, (int)size, (sqlite3_int64)from) ==
           SQLITE_OK;
}

/* The 100 bytes at the start of a database: page size at 16 (1 means 65536), write and read version
 * at 18 and 19 (1: a rollback journal), unused bytes of each page at 20, encoding at 56. */
static bool read_header(msw_pages *pages)
{
    uint8_t header[HEADER];
    sqlite3_int64 size = 0;
    if (!read_bytes(pages, header, sizeof header, 0) ||
        pages->file->pMethods->xFileSize(pages->file, &size) != SQLITE_OK)
        return false;
    bool journal = header[18] == 1 && header[19] == 1,
         utf8 = msw_read_32(header + 56) == SQLITE_UTF8;
    pages->size = msw_read_16(header + 16) == 1 ? 65536 : msw_read_16(header + 16);
    if (!journal || !utf8 || pages->size < PAGE_LEAST || pages->size & (pages->size - 1))
        return false;
    pages->usable = pages->size - header[20];
    pages->count = (uint32_t)((uint64_t)size / pages->size);
    return pages->usable >= USABLE_LEAST;
}

bool msw_pages_open(sqlite3 *db, const char *schema, msw_pages *pages)
{
    *pages = (msw_pages){0};
    return sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &pages->file) == SQLITE_OK &&
           pages->file && pages->file->pMethods && read_header(pages);
}

/* ---- trees ---- */

int msw_page_cursor_open(const msw_pages *pages, uint32_t root, bool keyed, msw_page_cursor *cursor)
{
    *cursor = (msw_page_cursor){.pages = pages, .root = root, .keyed = keyed};
    cursor->inner = calloc(MSW_PAGE_DEPTH, pages->size + SLACK);
    cursor->leaves = calloc(1, (size_t)TOGETHER * pages->size + SLACK);
    if (cursor->inner && cursor->leaves)
        return 0;
    msw_page_cursor_close(cursor);
    return -1;
}

void msw_page_cursor_close(msw_page_cursor *cursor)
{
    free(cursor->inner);
    free(cursor->leaves);
    *cursor = (msw_page_cursor){0};
}

/* Reads the pages around one that belong together. Returns the page, or NULL. */
static const uint8_t *read_leaves(msw_page_cursor *c, uint32_t page)
{
    const msw_pages *pages = c->pages;
    uint32_t first = (page - 1) / TOGETHER * TOGETHER + 1;
    uint32_t count = pages->count - first + 1 < TOGETHER ? pages->count - first + 1 : TOGETHER;
    if (c->first_leaf != first && !read_bytes(pages, c->leaves, (size_t)count * pages->size,
                                              (uint64_t)(first - 1) * pages->size)) {
        c->first_leaf = 0;
        return NULL;
    }
    c->first_leaf = first;
    return c->leaves + (size_t)(page - first) * pages->size;
}

static uint8_t *inner_place(const msw_page_cursor *c)
{
    return c->inner + c->depth * (c->pages->size + SLACK);
}

/* An inner page stays: the next search begins with the same ones. */
static const uint8_t *read_inner(msw_page_cursor *c, uint32_t page)
{
    uint8_t *place = inner_place(c);
    if (c->kept[c->depth] == page)
        return place;
    c->kept[c->depth] = 0;
    if (!read_bytes(c->pages, place, c->pages->size, (uint64_t)(page - 1) * c->pages->size))
        return NULL;
    c->kept[c->depth] = page;
    return place;
}

/* The first page of a depth may be of either kind: one that turns out to be inner is copied, since
 * its children take the place where leaves are. */
static const uint8_t *keep_inner(msw_page_cursor *c, const uint8_t *bytes, uint32_t page)
{
    uint8_t *place = inner_place(c);
    if (bytes != place)
        memcpy(place, bytes, c->pages->size);
    c->kept[c->depth] = page;
    return place;
}

/* A damaged file may contain a cycle: a search that visits more pages than the file has ends. */
static bool descend(msw_page_cursor *c, uint32_t page)
{
    if (page < 2 || page > c->pages->count || c->depth == MSW_PAGE_DEPTH ||
        ++c->visited > c->pages->count)
        return false;
    const uint8_t *bytes = c->depth < c->leaf_depth ? read_inner(c, page) : read_leaves(c, page);
    bool leaf = bytes && bytes[0] == (c->keyed ? KEYED_LEAF : ROWS_LEAF);
    if (!leaf && (!bytes || bytes[0] != (c->keyed ? KEYED_INNER : ROWS_INNER)))
        return false;
    struct msw_page_level *level = &c->levels[c->depth];
    *level = (struct msw_page_level){.cells = msw_read_16(bytes + 3), .leaf = leaf};
    level->bytes = leaf ? bytes : keep_inner(c, bytes, page);
    c->leaf_depth = leaf ? c->depth : c->leaf_depth;
    c->depth++;
    return (leaf ? 8u : 12u) + 2 * level->cells <= c->pages->usable;
}

/* Where a cell begins; NULL: not in the page. */
static const uint8_t *find_cell(const msw_page_cursor *c, const struct msw_page_level *level,
                                unsigned cell)
{
    uint32_t at = msw_read_16(level->bytes + (level->leaf ? 8 : 12) + 2 * cell);
    return at + 4 < c->pages->usable ? level->bytes + at : NULL;
}

/* The page before a record, or the last one. */
static uint32_t find_child(const msw_page_cursor *c, const struct msw_page_level *level,
                           unsigned child)
{
    const uint8_t *at = child < level->cells ? find_cell(c, level, child) : level->bytes + 8;
    return at ? msw_read_32(at) : 0;
}

static bool read_first_value(msw_record *record)
{
    msw_values values;
    msw_value value;
    if (!record->payload || !msw_values_begin(record, &values) ||
        msw_values_next(&values, &value) <= 0 || value.type != SQLITE_INTEGER)
        return false;
    record->id = value.integer;
    return true;
}

/* The most bytes of a record that are in its page. */
static uint64_t local_most(const msw_page_cursor *c)
{
    uint64_t usable = c->pages->usable;
    return c->keyed ? (usable - 12) * 64 / 255 - 23 : usable - 35;
}

/* A cell begins with the number of its child page (inner pages), then the size of the record and,
 * in trees of rows, the id, both as varints. Records that are too long for their page go on in
 * overflow pages: their payload stays NULL and SQL reads them. */
static bool read_cell(const msw_page_cursor *c, const struct msw_page_level *level, unsigned cell,
                      msw_record *record)
{
    const uint8_t *at = find_cell(c, level, cell), *end = level->bytes + c->pages->usable;
    uint64_t size = 0, id = 0;
    if (!at)
        return false;
    at += level->leaf ? 0 : 4;
    if (level->leaf || c->keyed)
        at = msw_read_varint(at, &size);
    if (!c->keyed)
        at = msw_read_varint(at, &id);
    *record = (msw_record){.id = (int64_t)id};
    if (!level->leaf && !c->keyed)
        return at <= end;
    if (size <= local_most(c)) {
        record->payload = at;
        record->size = (size_t)size;
        if (at > end || size > (uint64_t)(end - at))
            return false;
    }
    return !c->keyed || read_first_value(record);
}

/* The first cell of a page whose id is `id` or more. Returns -1 when one is not understood. */
static int find_at_least(const msw_page_cursor *c, const struct msw_page_level *level, int64_t id)
{
    msw_record record;
    for (unsigned cell = 0; cell < level->cells; cell++) {
        if (!read_cell(c, level, cell, &record))
            return -1;
        if (record.id >= id)
            return (int)cell;
    }
    return (int)level->cells;
}

/* `due` marks a record of an inner page that comes after the child just entered: in trees with keys
 * the inner pages hold records too, in order between their children. */
bool msw_page_cursor_seek(msw_page_cursor *c, int64_t id)
{
    c->depth = 0;
    c->visited = 0;
    if (!descend(c, c->root))
        return false;
    for (;;) {
        struct msw_page_level *level = &c->levels[c->depth - 1];
        int cell = find_at_least(c, level, id);
        if (cell < 0)
            return false;
        level->cell = (unsigned)cell;
        if (level->leaf)
            return true;
        level->due = true;
        if (!descend(c, find_child(c, level, level->cell++)))
            return false;
    }
}

/* An inner page: the record that is due, or down into the next child. Returns 1 with a record, 0,
 * or -1. */
static int go_on(msw_page_cursor *c, struct msw_page_level *level, msw_record *record)
{
    bool due = level->due && c->keyed && level->cell <= level->cells;
    level->due = false;
    if (due)
        return read_cell(c, level, level->cell - 1, record) ? 1 : -1;
    if (level->cell > level->cells) {
        c->depth--;
        return 0;
    }
    level->due = true;
    return descend(c, find_child(c, level, level->cell++)) ? 0 : -1;
}

/* In order through the tree: a leaf gives its cells and is left, then the level above goes on. */
int msw_page_cursor_next(msw_page_cursor *c, msw_record *record)
{
    while (c->depth) {
        struct msw_page_level *level = &c->levels[c->depth - 1];
        if (level->leaf && level->cell < level->cells)
            return read_cell(c, level, level->cell++, record) ? 1 : -1;
        if (level->leaf) {
            c->depth--;
            continue;
        }
        int got = go_on(c, level, record);
        if (got)
            return got;
    }
    return 0;
}
