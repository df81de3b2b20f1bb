/* SPDX-License-Identifier: MIT */
/* Writing an archive: every member is compressed in memory, so that its header can be written
 * before it. */
#include "memsweep/base/zip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { LOCAL = 0x04034b50, ENTRY = 0x02014b50, DIRECTORY_END = 0x06054b50 };
enum { VERSION = 20, UNIX = 3 << 8, STORED = 0, DEFLATED = 8, LEVEL = 6, MEMBERS_MAX = 65534 };
enum {
    UTF8 = 1 << 11,
    NEW_YEAR_1980 = 1 << 5 | 1
}; /* flag; the first day that zip can represent */

typedef struct member {
    const char *name, *data; /* data: as it is written */
    size_t size, packed;
    uint32_t crc;
    unsigned method, flags;
} member;

static void put(msw_text *out, uint64_t value, unsigned bytes)
{
    for (; bytes; bytes--, value >>= 8) {
        char byte = (char)value;
        msw_text_add_bytes(out, &byte, 1);
    }
}

static int write_out(msw_zip_writer *w, const char *bytes, size_t size, msw_err *err)
{
    if (size && fwrite(bytes, 1, size, w->out) != size)
        return msw_fail_kind(err, MSW_ERR_IO, "the archive cannot be written: %s", strerror(errno));
    w->at += size;
    return 0;
}

/* What header and directory say alike. */
static void put_common(msw_text *out, const member *m)
{
    put(out, VERSION, 2);
    put(out, m->flags, 2);
    put(out, m->method, 2);
    put(out, 0, 2); /* midnight */
    put(out, NEW_YEAR_1980, 2);
    put(out, m->crc, 4);
    put(out, m->packed, 4);
    put(out, m->size, 4);
    put(out, strlen(m->name), 2);
    put(out, 0, 2); /* no further fields */
}

static int write_header(msw_zip_writer *w, const member *m, msw_err *err)
{
    msw_text head = MSW_TEXT_EMPTY;
    put(&head, LOCAL, 4);
    put_common(&head, m);
    msw_text_add(&head, "%s", m->name);
    int rc = head.failed ? msw_fail_memory(err) : write_out(w, head.data, head.size, err);
    msw_text_free(&head);
    return rc;
}

static void list(msw_zip_writer *w, const member *m, uint64_t from)
{
    msw_text *d = &w->directory;
    put(d, ENTRY, 4);
    put(d, VERSION | UNIX, 2);
    put_common(d, m);
    put(d, 0, 2 + 2 + 2); /* no comment, first disk, no attributes of DOS */
    put(d, (uint64_t)(S_IFREG | 0644) << 16, 4);
    put(d, from, 4);
    msw_text_add(d, "%s", m->name);
    w->count++;
}

/* Deflates a member where that makes it shorter; `room` is then the caller's to free. */
static int deflate_member(member *m, char **room, msw_err *err)
{
    z_stream stream = {.zalloc = Z_NULL};
    if (!m->size)
        return 0;
    *room = malloc(m->size);
    if (!*room || deflateInit2(&stream, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return msw_fail_memory(err);
    /* zlib does not write to its input, but its field is not const. */
    memcpy(&stream.next_in, &m->data, sizeof stream.next_in);
    stream.avail_in = (unsigned)m->size;
    stream.next_out = (unsigned char *)*room;
    stream.avail_out = (unsigned)m->size;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out) {
        m->data = *room;
        m->packed = m->size - stream.avail_out;
        m->method = DEFLATED;
    }
    deflateEnd(&stream);
    return 0;
}

static bool is_ascii(const char *name)
{
    while (*name > 0)
        name++;
    return !*name;
}

static int check(const msw_zip_writer *w, const member *m, msw_err *err)
{
    if (!msw_zip_name_is(m->name, strlen(m->name)))
        return msw_fail(err, "'%s' is no name that a file of an archive can have", m->name);
    if (m->size > MSW_ZIP_MEMBER_MAX)
        return msw_fail(err, "'%s' takes %zu MiB; a file of an archive takes up to %zu", m->name,
                        m->size >> 20, MSW_ZIP_MEMBER_MAX >> 20);
    if (w->count >= MEMBERS_MAX)
        return msw_fail(err, "an archive holds up to %d files", MEMBERS_MAX);
    return 0;
}

static int write_member(msw_zip_writer *w, const member *m, msw_err *err)
{
    uint64_t from = w->at;
    if (w->at + m->packed + w->directory.size + (1 << 16) >= MSW_ZIP_FILE_MAX)
        return msw_fail(err, "the archive would take more than %" PRIu64 " MiB",
                        MSW_ZIP_FILE_MAX >> 20);
    if (write_header(w, m, err) || write_out(w, m->data, m->packed, err))
        return -1;
    list(w, m, from);
    return 0;
}

int msw_zip_add(msw_zip_writer *w, const char *name, const char *bytes, size_t size, msw_err *err)
{
    char *room = NULL;
    member m = {.name = name, .data = bytes, .size = size, .packed = size};
    if (check(w, &m, err))
        return -1;
    m.flags = is_ascii(name) ? 0 : UTF8;
    m.crc = (uint32_t)crc32(0, (const unsigned char *)bytes, (unsigned)size);
    int rc = deflate_member(&m, &room, err) ? -1 : write_member(w, &m, err);
    free(room);
    return rc;
}

int msw_zip_end(msw_zip_writer *w, const char *comment, msw_err *err)
{
    uint64_t from = w->at, size = w->directory.size;
    msw_text *d = &w->directory;
    put(d, DIRECTORY_END, 4);
    put(d, 0, 2 + 2); /* one disk */
    put(d, w->count, 2);
    put(d, w->count, 2);
    put(d, size, 4);
    put(d, from, 4);
    put(d, strlen(comment), 2);
    msw_text_add(d, "%s", comment);
    int rc = d->failed ? msw_fail_memory(err) : write_out(w, d->data, d->size, err);
    msw_zip_drop(w);
    return rc;
}

void msw_zip_drop(msw_zip_writer *w)
{
    msw_text_free(&w->directory);
}
