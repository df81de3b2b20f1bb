/* SPDX-License-Identifier: MIT */
#include "workload/text/lines.h"

#include "memsweep/base/text.h"

#include <string.h>
#include <zlib.h>

enum { WINDOW = 1 << 17, GZIP_BITS = 15 + 16 };

/* A small file can be packed text without end. */
#define UNPACKED_MAX ((uint64_t)1 << 35)
#define LINES_MAX    ((uint64_t)1 << 30)

static void *take(void *arena, unsigned count, unsigned size)
{
    return msw_arena_zero(arena, count, size);
}

static void keep(void *arena, void *memory)
{
    (void)arena;
    (void)memory;
}

static int start_unpacking(msw_lines *lines, msw_arena *arena, msw_err *err)
{
    z_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    lines->window = msw_arena_take(arena, WINDOW);
    lines->stream = stream;
    if (!stream || !lines->window)
        return msw_fail_memory(err);
    stream->zalloc = take;
    stream->zfree = keep;
    stream->opaque = arena;
    return inflateInit2(stream, GZIP_BITS) == Z_OK ? 0 : msw_fail_memory(err);
}

int msw_lines_open(msw_lines *lines, const char *file, const char *bytes, size_t size,
                   msw_arena *arena, msw_err *err)
{
    *lines = (msw_lines){.file = file, .bytes = bytes, .size = size};
    if (size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0 && start_unpacking(lines, arena, err))
        return -1;
    return msw_lines_rewind(lines, err);
}

int msw_lines_rewind(msw_lines *lines, msw_err *err)
{
    z_stream *stream = lines->stream;
    lines->line = 0;
    lines->unpacked = 0;
    lines->over = !stream;
    lines->next = stream ? lines->window : lines->bytes;
    lines->end = stream ? lines->window : lines->bytes + lines->size;
    if (!stream) {
        if (lines->size >= 3 && memcmp(lines->bytes, "\xef\xbb\xbf", 3) == 0)
            lines->next += 3;
        return 0;
    }
    /* zlib does not write to its input, but its field is not const. */
    memcpy(&stream->next_in, &lines->bytes, sizeof stream->next_in);
    stream->avail_in = 0;
    return inflateReset(stream) == Z_OK ? 0 : msw_fail_memory(err);
}

/* zlib counts its input in 32 bits. */
static void feed(const msw_lines *lines, z_stream *stream)
{
    size_t done = (size_t)((const char *)stream->next_in - lines->bytes);
    size_t left = lines->size - done;
    stream->avail_in = left < 1u << 30 ? (unsigned)left : 1u << 30;
}

/* Moves what is left to the front of the window and unpacks behind it. */
static int refill(msw_lines *lines, msw_err *err)
{
    z_stream *stream = lines->stream;
    size_t kept = (size_t)(lines->end - lines->next);
    memmove(lines->window, lines->next, kept);
    lines->next = lines->window;
    stream->next_out = (unsigned char *)lines->window + kept;
    stream->avail_out = (unsigned)(WINDOW - kept);
    feed(lines, stream);
    int rc = inflate(stream, Z_NO_FLUSH);
    lines->end = (const char *)stream->next_out;
    lines->unpacked += (uint64_t)(lines->end - lines->window) - kept;
    if (lines->unpacked > UNPACKED_MAX)
        return msw_fail(err, "%s:%llu: unpacks to more than %llu GiB", lines->file,
                        (unsigned long long)lines->line + 1,
                        (unsigned long long)(UNPACKED_MAX >> 30));
    feed(lines, stream);
    if (rc == Z_STREAM_END && stream->avail_in)
        rc = inflateReset(stream); /* another member follows */
    else if (rc == Z_STREAM_END)
        lines->over = true;
    else if (rc == Z_BUF_ERROR || (rc == Z_OK && !stream->avail_in && stream->avail_out))
        return msw_fail(err, "%s:%llu: the compressed file ends too early", lines->file,
                        (unsigned long long)lines->line + 1);
    if (rc == Z_OK || rc == Z_STREAM_END)
        return 0;
    return msw_fail(err, "%s:%llu: the compressed file is damaged (%s)", lines->file,
                    (unsigned long long)lines->line + 1, stream->msg ? stream->msg : "no reason");
}

/* Finds the end of the next line. Returns it, or NULL when it is not in memory. */
static const char *find_end(const msw_lines *lines)
{
    return lines->next == lines->end
               ? NULL
               : memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
}

int msw_lines_next(msw_lines *lines, msw_line *line, msw_err *err)
{
    const char *end = find_end(lines);
    while (!end && !lines->over) {
        if (lines->end - lines->next > WINDOW / 2)
            return msw_fail(err, "%s:%llu: found a line longer than %d characters", lines->file,
                            (unsigned long long)lines->line + 1, WINDOW / 2);
        if (refill(lines, err))
            return -1;
        end = find_end(lines);
    }
    if (lines->next == lines->end)
        return 0;
    *line = (msw_line){lines->next, (size_t)((end ? end : lines->end) - lines->next)};
    lines->next = end ? end + 1 : lines->end;
    lines->line++;
    return 1;
}

int msw_lines_count(msw_lines *lines, uint64_t *count, msw_err *err)
{
    msw_line line;
    int rc;
    while ((rc = msw_lines_next(lines, &line, err)) > 0)
        if (lines->line > LINES_MAX)
            return msw_fail(err, "%s: more than %llu lines", lines->file,
                            (unsigned long long)LINES_MAX);
    *count = lines->line;
    return rc < 0 ? -1 : msw_lines_rewind(lines, err);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static bool starts_comment(const char *c, const char *end)
{
    return *c == '#' || *c == '%' || (*c == '/' && c + 1 < end && c[1] == '/');
}

int msw_line_split(msw_line line, msw_field fields[MSW_FIELDS_MAX])
{
    const char *c = line.text, *end = line.text + line.size;
    for (int count = 0;; count++) {
        while (c < end && is_blank(*c))
            c++;
        if (c == end || starts_comment(c, end))
            return count;
        if (count == MSW_FIELDS_MAX)
            return MSW_FIELDS_MAX + 1;
        fields[count].text = c;
        while (c < end && !is_blank(*c))
            c++;
        fields[count].size = (size_t)(c - fields[count].text);
    }
}

static bool read_decimal(msw_field field, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < field.size; i++) {
        unsigned digit = (unsigned)(unsigned char)field.text[i] - '0';
        if (digit > 9 || *value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return field.size > 0;
}

bool msw_field_hex(msw_field field, uint64_t *value)
{
    const char *c = field.text, *end = c + field.size;
    if (field.size > 2 && c[0] == '0' && (c[1] | 0x20) == 'x')
        c += 2;
    *value = 0;
    if (c == end || end - c > 16)
        return false;
    for (; c < end; c++) {
        unsigned digit = (unsigned)(unsigned char)*c - '0';
        unsigned letter = ((unsigned)(unsigned char)*c | 0x20) - 'a';
        if (digit > 9 && letter > 5)
            return false;
        *value = *value << 4 | (digit <= 9 ? digit : letter + 10);
    }
    return true;
}

bool msw_field_number(msw_field field, uint64_t *value)
{
    if (field.size > 2 && field.text[0] == '0' && (field.text[1] | 0x20) == 'x')
        return msw_field_hex(field, value);
    return read_decimal(field, value);
}

bool msw_lines_named(const char *file, const char *end)
{
    size_t size = strlen(file), tail = strlen(end);
    if (size > 3 && strcmp(file + size - 3, ".gz") == 0)
        size -= 3;
    return size > tail && memcmp(file + size - tail, end, tail) == 0;
}

int64_t msw_name_split(const char *name, const msw_param *batch, char head[MSW_NAME_MAX])
{
    msw_text_fit(head, MSW_NAME_MAX, name);
    char *slash = strrchr(head, '/');
    size_t digits = slash && slash[1] == 'b' ? strspn(slash + 2, "0123456789") : 0;
    if (digits == 0 || slash[2 + digits])
        return 0;
    int64_t value = 0;
    for (const char *c = slash + 2; *c && value <= INT32_MAX; c++)
        value = value * 10 + (*c - '0');
    *slash = '\0';
    return value >= (int64_t)batch->min && value <= (int64_t)batch->max ? value : -1;
}

int msw_name_fail(const char *name, const msw_param *batch, msw_err *err)
{
    return msw_fail(err, "workload '%s': found batch %s, allowed: b%.0f .. b%.0f", name,
                    strrchr(name, '/') + 1, batch->min, batch->max);
}
