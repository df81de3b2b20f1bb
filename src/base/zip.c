/* SPDX-License-Identifier: MIT */
#include "memsweep/base/zip.h"

#include <string.h>
#include <zlib.h>

enum {
    LOCAL = 0x04034b50,
    ENTRY = 0x02014b50,
    DIRECTORY_END = 0x06054b50,
    WIDE_END = 0x06064b50,
    WIDE_LOCATOR = 0x07064b50
};
enum { LOCAL_BYTES = 30, ENTRY_BYTES = 46, END_BYTES = 22, LOCATOR_BYTES = 20, WIDE_BYTES = 56 };
enum { COMMENT_MAX = 65535, STORED = 0, DEFLATED = 8, ENCRYPTED = 1, WIDE_EXTRA = 1 };
enum { MADE_ON_UNIX = 3 };

static uint64_t little(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static int fail(const msw_zip *z, const uint8_t *at, const char *what, msw_err *err)
{
    return msw_fail(err, "%s: byte %zu: %s", z->file, (size_t)(at - z->bytes), what);
}

/* Whether this many bytes from offset `from` lie in the file. */
static bool holds(const msw_zip *z, uint64_t from, uint64_t bytes)
{
    return from <= z->size && bytes <= z->size - from;
}

/* The record at the end of an archive, in front of a comment. Returns it, or NULL. */
static const uint8_t *find_end(const msw_zip *z)
{
    for (size_t back = END_BYTES; back <= z->size && back <= END_BYTES + COMMENT_MAX; back++) {
        const uint8_t *at = z->bytes + z->size - back;
        if (little(at, 4) == DIRECTORY_END && little(at + 20, 2) == back - END_BYTES)
            return at;
    }
    return NULL;
}

/* Of archives with 64-bit sizes. Returns the record, or NULL when there is none. */
static const uint8_t *find_wide_end(const msw_zip *z, const uint8_t *end)
{
    if (end - z->bytes < LOCATOR_BYTES || little(end - LOCATOR_BYTES, 4) != WIDE_LOCATOR)
        return NULL;
    uint64_t at = little(end - LOCATOR_BYTES + 8, 8);
    return holds(z, at, WIDE_BYTES) && little(z->bytes + at, 4) == WIDE_END ? z->bytes + at : NULL;
}

int msw_zip_open(msw_zip *z, const char *file, const char *bytes, size_t size, msw_err *err)
{
    *z = (msw_zip){.file = file, .bytes = (const uint8_t *)bytes, .size = size};
    const uint8_t *end = find_end(z);
    if (!end)
        return msw_fail(err, "%s: found no directory at its end; allowed: a zip archive", file);
    const uint8_t *wide = find_wide_end(z, end);
    uint64_t length = wide ? little(wide + 40, 8) : little(end + 12, 4);
    uint64_t from = wide ? little(wide + 48, 8) : little(end + 16, 4);
    if (!holds(z, from, length))
        return fail(z, end, "the directory lies outside the file", err);
    z->next = z->bytes + from;
    z->end = z->next + length;
    z->count = wide ? little(wide + 32, 8) : little(end + 10, 2);
    return 0;
}

/* A size or place that did not fit its 32 bits is in a further field, in this order. */
static int take_wide(const msw_zip *z, const uint8_t *at, uint64_t *values[3], msw_err *err)
{
    const uint8_t *extra = at + ENTRY_BYTES + little(at + 28, 2);
    const uint8_t *end = extra + little(at + 30, 2);
    for (; end - extra >= 4; extra += 4 + little(extra + 2, 2)) {
        const uint8_t *value = extra + 4;
        uint64_t size = little(extra + 2, 2);
        if (size > (uint64_t)(end - value))
            break;
        for (int i = 0; i < 3 && little(extra, 2) == WIDE_EXTRA; i++) {
            if (*values[i] != UINT32_MAX)
                continue;
            if (size < 8)
                return fail(z, extra, "a 64-bit size that is cut off", err);
            *values[i] = little(value, 8);
            value += 8;
            size -= 8;
        }
    }
    return 0;
}

static int find_data(const msw_zip *z, const uint8_t *at, uint64_t local, msw_zip_entry *entry,
                     msw_err *err)
{
    if (!holds(z, local, LOCAL_BYTES) || little(z->bytes + local, 4) != LOCAL)
        return fail(z, at, "an entry whose header is not where the directory says", err);
    const uint8_t *header = z->bytes + local;
    uint64_t from = local + LOCAL_BYTES + little(header + 26, 2) + little(header + 28, 2);
    if (!holds(z, from, entry->packed))
        return fail(z, at, "an entry that goes beyond the file", err);
    entry->from = (size_t)local;
    entry->data = z->bytes + from;
    return 0;
}

int msw_zip_next(msw_zip *z, msw_zip_entry *entry, msw_err *err)
{
    const uint8_t *at = z->next;
    if (at == z->end)
        return 0;
    if (z->end - at < ENTRY_BYTES || little(at, 4) != ENTRY)
        return fail(z, at, "a directory that is cut off or none", err);
    uint64_t bytes = ENTRY_BYTES + little(at + 28, 2) + little(at + 30, 2) + little(at + 32, 2);
    uint64_t unpacked = little(at + 24, 4), packed = little(at + 20, 4), local = little(at + 42, 4);
    uint64_t method = little(at + 10, 2);
    if (bytes > (uint64_t)(z->end - at))
        return fail(z, at, "an entry of the directory that is cut off", err);
    *entry = (msw_zip_entry){.name = (const char *)at + ENTRY_BYTES,
                             .name_size = little(at + 28, 2),
                             .crc = (uint32_t)little(at + 16, 4),
                             .mode = at[5] == MADE_ON_UNIX ? (unsigned)little(at + 40, 2) : 0,
                             .deflated = method == DEFLATED};
    if (take_wide(z, at, (uint64_t *[]){&unpacked, &packed, &local}, err))
        return -1;
    if (little(at + 8, 2) & ENCRYPTED)
        return fail(z, at, "an entry that is encrypted", err);
    if (method != STORED && method != DEFLATED)
        return fail(z, at, "an entry that is neither stored nor deflated", err);
    if (method == STORED && packed != unpacked)
        return fail(z, at, "a stored entry of two sizes", err);
    entry->packed = packed;
    entry->unpacked = unpacked;
    z->next = at + bytes;
    return find_data(z, at, local, entry, err) ? -1 : 1;
}

/* ---- unpacking ---- */

static void *take(void *arena, unsigned count, unsigned size)
{
    return msw_arena_zero(arena, count, size);
}

static void keep(void *arena, void *memory)
{
    (void)arena;
    (void)memory;
}

/* Returns 1 when all of `entry` became exactly its size, 0 when it did not, or -1 where memory runs
 * out. */
static int inflate_all(const msw_zip_entry *entry, char *out, msw_arena *arena)
{
    z_stream stream = {.zalloc = take, .zfree = keep, .opaque = arena};
    if (inflateInit2(&stream, -15) != Z_OK)
        return -1;
    /* zlib does not write to its input, but its field is not const. */
    memcpy(&stream.next_in, &entry->data, sizeof stream.next_in);
    stream.avail_in = (unsigned)entry->packed;
    stream.next_out = (unsigned char *)out;
    stream.avail_out = (unsigned)entry->unpacked;
    int rc = inflate(&stream, Z_FINISH);
    bool whole = rc == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return rc == Z_MEM_ERROR ? -1 : whole;
}

/* The same of any entry, zero-terminated and compared with its sum. */
static int fill(const msw_zip_entry *entry, char *out, msw_arena *arena)
{
    int whole = 1;
    if (entry->deflated)
        whole = inflate_all(entry, out, arena);
    else
        memcpy(out, entry->data, entry->unpacked);
    out[entry->unpacked] = '\0';
    if (whole > 0 && crc32(0, (const unsigned char *)out, (unsigned)entry->unpacked) != entry->crc)
        whole = 0;
    return whole;
}

const char *msw_zip_unpack(const msw_zip *z, const msw_zip_entry *entry, size_t most,
                           msw_arena *arena, msw_err *err)
{
    if (entry->unpacked > most || entry->packed > most) {
        msw_fail(err, "%s: '%.*s' takes %zu bytes, allowed: up to %zu", z->file,
                 (int)(entry->name_size < 80 ? entry->name_size : 80), entry->name, entry->unpacked,
                 most);
        return NULL;
    }
    /* Deflated data grow a thousandfold at most: a larger size must be wrong. */
    bool lie = entry->deflated && entry->unpacked / 1040 > entry->packed;
    char *out = lie ? NULL : msw_arena_take(arena, entry->unpacked + 1);
    int whole = lie ? 0 : out ? fill(entry, out, arena) : -1;
    if (whole > 0)
        return out;
    if (whole < 0)
        msw_fail_memory(err);
    else
        msw_fail(err, "%s: '%.*s' is damaged: it does not unpack to what the directory says",
                 z->file, (int)(entry->name_size < 80 ? entry->name_size : 80), entry->name);
    return NULL;
}
