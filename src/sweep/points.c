/* SPDX-License-Identifier: MIT */
/* Stores the rows of a list as columns of codes, read from a table of any length line by line. */
#include "sweep/points.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the number of a value, or adds it. Returns 0, or -1. */
static int find_value(msw_codes *c, double value, uint32_t *number)
{
    uint64_t bits;
    size_t at;
    memcpy(&bits, &value, sizeof bits);
    uint32_t hash = msw_map_hash(bits);
    for (*number = msw_index_first(&c->index, hash, &at); *number != MSW_NOWHERE;
         *number = msw_index_next(&c->index, hash, &at))
        if (c->values[*number] == value)
            return 0;
    *number = (uint32_t)c->count;
    MSW_TRY(msw_vec_reserve(&c->values, &c->room, c->count + 1, sizeof *c->values, NULL));
    MSW_TRY(msw_index_add(&c->index, hash, *number, NULL));
    c->values[c->count++] = value;
    return 0;
}

static uint32_t code_at(const msw_codes *c, size_t row)
{
    switch (c->width) {
    case 1:
        return ((const uint8_t *)c->codes)[row];
    case 2:
        return ((const uint16_t *)c->codes)[row];
    default:
        return ((const uint32_t *)c->codes)[row];
    }
}

static void set_code(void *codes, unsigned width, size_t row, uint32_t code)
{
    switch (width) {
    case 1:
        ((uint8_t *)codes)[row] = (uint8_t)code;
        return;
    case 2:
        ((uint16_t *)codes)[row] = (uint16_t)code;
        return;
    default:
        ((uint32_t *)codes)[row] = code;
    }
}

/* Makes room for one more row, of codes of this width. */
static int widen_codes(msw_codes *c, unsigned width)
{
    MSW_TRY(msw_vec_reserve(&c->codes, &c->code_bytes, (c->rows + 1) * width, 1, NULL));
    for (size_t row = c->rows; width != c->width && row-- > 0;)
        set_code(c->codes, width, row, code_at(c, row));
    c->width = width;
    return 0;
}

int msw_codes_add(msw_codes *c, double value)
{
    value += 0.0; /* one zero, not two */
    uint32_t code;
    MSW_TRY(find_value(c, value, &code));
    unsigned width = code >> 16 ? 4 : code >> 8 ? 2 : 1;
    width = width > c->width ? width : c->width;
    MSW_TRY(widen_codes(c, width));
    set_code(c->codes, c->width, c->rows++, code);
    return 0;
}

double msw_codes_at(const msw_codes *c, size_t row)
{
    return c->values[code_at(c, row)];
}

int msw_codes_finish(msw_codes *c)
{
    double *sorted = malloc(c->count * sizeof *sorted + 1);
    uint32_t *now = malloc(c->count * sizeof *now + 1);
    int rc = sorted && now ? 0 : -1;
    msw_index_free(&c->index);
    if (rc == 0) {
        if (c->count)
            memcpy(sorted, c->values, c->count * sizeof *sorted);
        msw_sort_f64(sorted, c->count);
        for (uint32_t i = 0; i < c->count; i++)
            now[i] = (uint32_t)msw_lower_bound_f64(sorted, c->count, c->values[i]);
        for (size_t row = 0; row < c->rows; row++)
            set_code(c->codes, c->width, row, now[code_at(c, row)]);
        free(c->values);
        c->values = sorted;
        sorted = NULL;
    }
    msw_vec_trim(&c->codes, &c->code_bytes, c->rows * c->width, 1);
    free(sorted);
    free(now);
    return rc;
}

void msw_codes_free(msw_codes *c)
{
    free(c->values);
    msw_index_free(&c->index);
    free(c->codes);
    *c = (msw_codes){0};
}

static int by_name(const void *a, const void *b)
{
    const msw_point_column *x = a, *y = b;
    return strcmp(x->key->text, y->key->text);
}

bool msw_points_claim(msw_points *p, msw_node *const *keys, size_t count)
{
    bool good = true;
    p->columns = msw_arena_zero(&p->l->arena, count + 1, sizeof *p->columns);
    p->row = msw_arena_zero(&p->l->arena, count + 1, sizeof *p->row);
    p->digest = msw_hash_stream_new();
    if (!p->columns || !p->row || !p->digest)
        return msw_loader_memory(p->l), false;
    for (size_t i = 0; i < count; i++) {
        p->columns[i].key = keys[i];
        p->columns[i].index = msw_loader_claim(p->l, keys[i], "listed");
        good = p->columns[i].index >= 0 && good;
    }
    p->width = count;
    if (good)
        msw_sort(p->columns, count, sizeof *p->columns, by_name);
    return good;
}

bool msw_points_take(msw_points *p)
{
    for (size_t c = 0; c < p->width; c++)
        if (msw_codes_add(&p->columns[c].codes, p->row[c]))
            return false;
    msw_hash_stream_add(p->digest, p->row, p->width * sizeof *p->row);
    p->rows++;
    return true;
}

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
