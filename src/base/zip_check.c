/* SPDX-License-Identifier: MIT */
/* Archives of others: nothing is unpacked here, only what the directory says is judged. */
#include "memsweep/base/quote.h"
#include "memsweep/base/zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_MAX_BYTES = 1024, LOCAL_NAME = 30, DEFLATE_MOST = 1040, SHOWN = 80 };

/* ---- names ---- */

static bool is_part(const char *part, size_t size)
{
    return size && !(size == 1 && part[0] == '.') && !(size == 2 && memcmp(part, "..", 2) == 0);
}

/* Whether all of it is text that a terminal shows as it is. */
static bool is_text(const char *name, size_t size)
{
    for (size_t at = 0, length; at < size; at += length) {
        length = msw_utf8_length(name + at, size - at);
        if (!length || (unsigned char)name[at] < ' ' || name[at] == 0x7f || name[at] == '\\')
            return false;
    }
    return true;
}

bool msw_zip_name_is(const char *name, size_t size)
{
    if (!size || size > NAME_MAX_BYTES || !is_text(name, size) || (size > 1 && name[1] == ':'))
        return false;
    for (size_t at = 0; at <= size;) {
        const char *slash = at < size ? memchr(name + at, '/', size - at) : NULL;
        size_t end = slash ? (size_t)(slash - name) : size;
        if (!is_part(name + at, end - at))
            return false;
        at = end + 1;
    }
    return true;
}

/* Says what is wrong with an entry, whose name may be anything. */
static int fail_entry(const msw_zip *z, const msw_zip_entry *e, const char *what, msw_err *err)
{
    char raw[SHOWN + 1];
    size_t size = e->name_size < SHOWN ? e->name_size : SHOWN;
    msw_text name = MSW_TEXT_EMPTY;
    memcpy(raw, e->name, size);
    raw[size] = '\0';
    msw_text_add_visible(&name, raw);
    msw_fail(err, "%s: '%s': %s", z->file, msw_text_str(&name), what);
    msw_text_free(&name);
    return -1;
}

/* ---- one entry ---- */

static bool is_folder(const msw_zip_entry *e)
{
    return e->name_size > 1 && e->name[e->name_size - 1] == '/' && e->unpacked == 0;
}

/* The name in front of the data is what other programs unpack to. */
static bool has_two_names(const msw_zip *z, const msw_zip_entry *e)
{
    const uint8_t *local = z->bytes + e->from;
    size_t size = (size_t)local[26] | (size_t)local[27] << 8;
    return size != e->name_size || memcmp(local + LOCAL_NAME, e->name, size) != 0;
}

static int check_entry(const msw_zip *z, const msw_zip_entry *e, msw_err *err)
{
    size_t name = e->name_size - is_folder(e);
    unsigned kind = e->mode & S_IFMT;
    if (!msw_zip_name_is(e->name, name))
        return fail_entry(z, e, "is no name of a file below a folder", err);
    if (kind && kind != S_IFREG && !(kind == S_IFDIR && is_folder(e)))
        return fail_entry(z, e, "is a link or a device; allowed: a file", err);
    if (has_two_names(z, e))
        return fail_entry(z, e, "is called otherwise in front of its data", err);
    if (e->deflated && e->unpacked / DEFLATE_MOST > e->packed)
        return fail_entry(z, e, "is said to unpack to more than it can", err);
    return 0;
}

/* ---- all of them ---- */

static int by_offset(const void *a, const void *b)
{
    const msw_zip_entry *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_name(const void *a, const void *b)
{
    const msw_zip_entry *x = a, *y = b;
    size_t size = x->name_size < y->name_size ? x->name_size : y->name_size;
    int order = memcmp(x->name, y->name, size);
    return order ? order : x->name_size < y->name_size ? -1 : x->name_size > y->name_size;
}

static size_t end_of(const msw_zip *z, const msw_zip_entry *e)
{
    return (size_t)(e->data - z->bytes) + e->packed;
}

static int check_pairs(const msw_zip *z, msw_zip_entry *all, size_t count, msw_err *err)
{
    qsort(all, count, sizeof *all, by_offset);
    for (size_t i = 1; i < count; i++)
        if (end_of(z, &all[i - 1]) > all[i].from)
            return fail_entry(z, &all[i], "lies in another member", err);
    qsort(all, count, sizeof *all, by_name);
    for (size_t i = 1; i < count; i++)
        if (by_name(&all[i - 1], &all[i]) == 0)
            return fail_entry(z, &all[i], "is there twice", err);
    return 0;
}

static int read_all(const msw_zip *z, const msw_zip_limits *limits, msw_zip_entry *all,
                    size_t *count, msw_err *err)
{
    msw_zip walk = *z;
    uint64_t bytes = 0;
    int rc;
    while ((rc = msw_zip_next(&walk, &all[*count], err)) > 0) {
        const msw_zip_entry *e = &all[*count];
        if (check_entry(z, e, err))
            return -1;
        if (e->unpacked > limits->bytes - bytes)
            return msw_fail(err, "%s: unpacks to more than %" PRIu64 " MiB, which is the most",
                            z->file, limits->bytes >> 20);
        bytes += e->unpacked;
        if (++*count > z->count)
            return msw_fail(err, "%s: more members than the %" PRIu64 " that its end record states",
                            z->file, z->count);
    }
    if (rc == 0 && *count != z->count)
        return msw_fail(err, "%s: %zu members, but its end record states %" PRIu64, z->file, *count,
                        z->count);
    return rc;
}

int msw_zip_check(const msw_zip *z, const msw_zip_limits *limits, msw_err *err)
{
    size_t count = 0;
    if (z->count > limits->members)
        return msw_fail(err, "%s: %" PRIu64 " members, allowed: up to %" PRIu64, z->file, z->count,
                        limits->members);
    msw_zip_entry *all = calloc(z->count + 1, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    int rc = read_all(z, limits, all, &count, err) || check_pairs(z, all, count, err);
    free(all);
    return rc ? -1 : 0;
}
