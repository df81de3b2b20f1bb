/* SPDX-License-Identifier: MIT */
#include "sweep/points.h"

#include "memsweep/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };
#define WHOLE_MAX ((size_t)4 << 30) /* of a table that is sent to other ranks */

int msw_point_lines_open(msw_point_lines *s, const msw_plan_options *options, const char *path,
                         msw_err *err)
{
    *s = (msw_point_lines){.path = path, .fd = -1};
    if (options && options->files) {
        s->ended = true;
        return options->files->read(options->files->context, path, WHOLE_MAX, &s->buffer, &s->size,
                                    err);
    }
    s->room = BLOCK;
    s->buffer = malloc(s->room + 1);
    if (!s->buffer)
        return msw_fail_memory(err);
    s->fd = msw_disk_open(path, O_RDONLY | O_NOCTTY, 0);
    return s->fd < 0 ? msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno)) : 0;
}

void msw_point_lines_close(msw_point_lines *s)
{
    if (s->fd >= 0)
        close(s->fd);
    free(s->buffer);
    *s = (msw_point_lines){.fd = -1};
}

/* Moves what is left to the front and reads on. */
static int refill(msw_point_lines *s, msw_err *err)
{
    memmove(s->buffer, s->buffer + s->at, s->size - s->at);
    s->size -= s->at;
    s->at = 0;
    if (s->size == s->room)
        return msw_fail(err, "a line of more than %d characters", BLOCK);
    ssize_t got = msw_disk_read(s->fd, s->buffer + s->size, s->room - s->size);
    if (got < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "reading: %s", strerror(errno));
    s->ended = got == 0;
    s->size += (size_t)got;
    return 0;
}

/* Cuts off the next line, whatever it holds. Returns 1, 0 at the end, or -1. */
static int cut_line(msw_point_lines *s, char **line, size_t *size, msw_err *err)
{
    char *end;
    while (!(end = memchr(s->buffer + s->at, '\n', s->size - s->at)) && !s->ended)
        if (refill(s, err))
            return s->line++, -1;
    if (s->at == s->size)
        return 0;
    *line = s->buffer + s->at;
    *size = end ? (size_t)(end - *line) : s->size - s->at;
    (*line)[*size] = '\0'; /* there is room for one more */
    s->at = end ? (size_t)(end + 1 - s->buffer) : s->size;
    s->line++;
    return 1;
}

static int check_bytes(const char *line, size_t size, msw_err *err)
{
    if (memchr(line, '\0', size))
        return msw_fail(err, "byte 0x00: this is no text; a table is saved as UTF-8");
    return memchr(line, '\r', size) ? msw_fail(err, "a carriage return inside a line: lines end "
                                                    "with LF or CR LF")
                                    : 0;
}

int msw_point_lines_next(msw_point_lines *s, char **line, msw_err *err)
{
    size_t size;
    int got;
    while ((got = cut_line(s, line, &size, err)) > 0) {
        if (s->line == 1 && size >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
            *line += 3; /* the mark of a UTF-8 file */
            size -= 3;
        }
        if (size && (*line)[size - 1] == '\r')
            (*line)[--size] = '\0';
        if (check_bytes(*line, size, err))
            return -1;
        if ((*line)[strspn(*line, " \t")] != '\0' && **line != '#')
            return 1;
    }
    return got;
}

/* Takes the quotes off. Returns where the text behind them goes on, or NULL when there is no end.
 */
static char *unquote(char *s, char **text)
{
    char *to = *text = ++s;
    for (; *s; s++) {
        if (*s == '"' && s[1] != '"') {
            *to = '\0';
            return s + 1;
        }
        s += *s == '"';
        *to++ = *s;
    }
    return NULL;
}

/* Reads the field at `s`. Returns the comma or the end behind it, or NULL with `err`. */
static char *cut_field(char *s, msw_point_cut *cut, const char *line, int *at, msw_err *err)
{
    s += strspn(s, " \t");
    *at = cut->column = (int)(s - line) + 1;
    if (*s != '"') {
        char *end = s + strcspn(s, ","), *last = end;
        while (last > s && strchr(" \t", last[-1]))
            last--;
        cut->text = s;
        if (last != end)
            *last = '\0';
        return end;
    }
    char *end = unquote(s, &cut->text);
    if (!end)
        return msw_fail(err, "a quote that is not closed on its line"), NULL;
    end += strspn(end, " \t");
    *at = (int)(end - line) + 1;
    if (*end && *end != ',')
        return msw_fail(err, "'%.20s' behind a closing quote, expected a comma", end), NULL;
    return end;
}

int msw_point_lines_cut(char *line, msw_point_cut *cuts, size_t most, int *at, msw_err *err)
{
    size_t count = 0;
    for (char *s = line;;) {
        msw_point_cut spare;
        char *end = cut_field(s, count < most ? &cuts[count] : &spare, line, at, err);
        if (!end)
            return -1;
        count++;
        char last = *end;
        *end = '\0';
        if (!last)
            return (int)count;
        s = end + 1;
    }
}
