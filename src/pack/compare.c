/* SPDX-License-Identifier: MIT */
/* Rows there and here, point by point: asked for only where their digests are not the same. */
#include "memsweep/base/disk.h"
#include "memsweep/format/format.h"
#include "memsweep/format/outfile.h"
#include "memsweep/results/reading.h"
#include "pack/packed_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 5 };

/* ---- the database of the archive, in a file of its own ---- */

static int write_file(const char *path, const char *bytes, size_t size, msw_err *err)
{
    int fd = msw_disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    int rc = fd < 0 || msw_disk_write(fd, bytes, size)
                 ? msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno))
                 : 0;
    if (fd >= 0)
        close(fd);
    return rc;
}

static int unpack(const msw_packed *p, const char *path, msw_err *err)
{
    char *bytes;
    size_t size;
    if (msw_packed_member(p, MSW_PACKED_DATABASE, &bytes, &size, err))
        return -1;
    int rc = write_file(path, bytes, size, err);
    free(bytes);
    return rc;
}

/* A database of the archive holds its sweep alone. */
static int read_there(const msw_packed *p, const char *path, msw_table *rows, msw_err *err)
{
    msw_store *store = NULL;
    msw_query query = {0};
    if (unpack(p, path, err) || msw_store_open(path, MSW_STORE_READ, false, NULL, &store, err))
        return -1;
    int rc = msw_store_read(store, &query, rows, err);
    msw_store_close(store, NULL);
    return rc;
}

/* ---- comparing ---- */

static void show_cell(const msw_column *c, size_t row, msw_text *out)
{
    size_t size = out->size;
    msw_format_cell(c, row, true, out);
    if (out->size == size)
        msw_text_add(out, "nothing");
}

static bool same_cell(const msw_column *a, size_t i, const msw_column *b, size_t j)
{
    if (!a->labels && !b->labels)
        return memcmp(&a->values[i], &b->values[j], sizeof *a->values) == 0 ||
               (a->values[i] != a->values[i] && b->values[j] != b->values[j]);
    msw_text x = MSW_TEXT_EMPTY, y = MSW_TEXT_EMPTY;
    show_cell(a, i, &x);
    show_cell(b, j, &y);
    bool same = strcmp(msw_text_str(&x), msw_text_str(&y)) == 0;
    msw_text_free(&x);
    msw_text_free(&y);
    return same;
}

/* Whoever reads a row in the file sees these, too, but they are about the run. */
static bool is_of_run(const char *name)
{
    static const char *const NAMES[] = {"row_id", "run", "cost_us", "key", "version", "seed"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

static void compare_row(const msw_table *there, size_t i, const msw_table *here, size_t j,
                        double point, msw_packed_rows *found)
{
    size_t differing = 0;
    for (size_t c = 0; c < there->column_count; c++) {
        const msw_column *a = &there->columns[c];
        int at = msw_table_find(here, a->name);
        if (is_of_run(a->name) || (at >= 0 && same_cell(a, i, &here->columns[at], j)))
            continue;
        if (!differing++ && found->different < SHOWN) {
            msw_text_add(&found->lines, "  point %.0f: %s is ", point, a->name);
            if (at >= 0)
                show_cell(&here->columns[at], j, &found->lines);
            else
                msw_text_add(&found->lines, "no column here");
            msw_text_add(&found->lines, ", packed was ");
            show_cell(a, i, &found->lines);
        }
    }
    if (differing && found->different < SHOWN) {
        if (differing > 1)
            msw_text_add(&found->lines, "; %zu more differ", differing - 1);
        msw_text_add(&found->lines, "\n");
    }
    found->different += differing > 0;
}

/* Both come in the order of the plan; either may lack points. */
static int compare(const msw_table *there, const msw_table *here, msw_packed_rows *found,
                   msw_err *err)
{
    int p = msw_table_find(there, "point"), q = msw_table_find(here, "point");
    if (p < 0 || q < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "rows without the number of their point");
    const double *a = there->columns[p].values, *b = here->columns[q].values;
    for (size_t i = 0, j = 0; i < there->rows; i++, found->compared++) {
        while (j < here->rows && b[j] < a[i])
            j++;
        if (j < here->rows && b[j] == a[i])
            compare_row(there, i, here, j, a[i], found);
        else
            found->missing++;
    }
    return found->lines.failed ? msw_fail_memory(err) : 0;
}

static int compare_with(const msw_packed *p, const char *path, msw_store *store, const char *sweep,
                        msw_packed_rows *found, msw_err *err)
{
    msw_table there = {0}, here = {0};
    msw_query query = {.sweep = sweep};
    int rc = read_there(p, path, &there, err)
                 ? msw_fail_prefix(err, "%s: " MSW_PACKED_DATABASE ": ", p->root)
             : msw_store_read(store, &query, &here, err) || compare(&there, &here, found, err) ? -1
                                                                                               : 0;
    msw_table_free(&there);
    msw_table_free(&here);
    return rc;
}

int msw_packed_compare(const msw_packed *p, msw_store *store, const char *sweep,
                       msw_packed_rows *found, msw_err *err)
{
    *found = (msw_packed_rows){0};
    char *folder = msw_temp_folder(err);
    char *path = folder ? msw_strfmt("%s/" MSW_PACKED_DATABASE, folder) : NULL;
    int rc = !folder ? -1
             : path  ? compare_with(p, path, store, sweep, found, err)
                     : msw_fail_memory(err);
    msw_temp_remove(folder);
    free(path);
    return rc;
}
