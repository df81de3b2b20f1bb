/* SPDX-License-Identifier: MIT */
/* Arrays from files: `array x u32[n] from x.bin` takes the bytes of a file as they are,
 * little-endian, `array w f32[n] from w.csv column price` the numbers of a column. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/csv.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file's name of `from NAME [column COLUMN]`, and the column; NULL without one. */
static const char *cut_text(const msw_simt_token *text, size_t *size, size_t *column_size)
{
    static const char WORD[] = " column ";
    const char *end = text->text + text->size;
    *size = text->size;
    for (const char *at = text->text; end - at > (ptrdiff_t)strlen(WORD); at++) {
        if (memcmp(at, WORD, strlen(WORD)) != 0)
            continue;
        *size = (size_t)(at - text->text);
        at += strlen(WORD);
        while (at < end && *at == ' ')
            at++;
        *column_size = (size_t)(end - at);
        return at;
    }
    return NULL;
}

static bool is_data(const msw_simt_tokens *tokens, size_t i)
{
    return i && tokens->list[i].kind == MSW_SIMT_TOKEN_TEXT &&
           msw_simt_token_is(&tokens->list[i - 1], "from");
}

static bool same_file(const msw_simt_token *a, const msw_simt_token *b)
{
    size_t sizes[2], unused;
    cut_text(a, &sizes[0], &unused);
    cut_text(b, &sizes[1], &unused);
    return sizes[0] == sizes[1] && memcmp(a->text, b->text, sizes[0]) == 0;
}

/* The number of the file that a token names, in the order of their first naming. */
static size_t number_of(const msw_simt_tokens *tokens, const msw_simt_token *text)
{
    size_t number = 0;
    for (size_t i = 0; &tokens->list[i] < text; i++) {
        bool first = is_data(tokens, i);
        for (size_t k = 0; k < i && first; k++)
            first = !is_data(tokens, k) || !same_file(&tokens->list[k], &tokens->list[i]);
        if (first && same_file(&tokens->list[i], text))
            return number;
        number += first;
    }
    return number;
}

int msw_simt_data_file(const msw_simt_tokens *tokens, size_t number, char *name, size_t name_size,
                       msw_err *err)
{
    for (size_t i = 0; i < tokens->count; i++) {
        size_t size, unused;
        if (!is_data(tokens, i) || number_of(tokens, &tokens->list[i]) != number)
            continue;
        cut_text(&tokens->list[i], &size, &unused);
        if (size == 0 || size >= name_size)
            return msw_simt_token_fail(tokens, &tokens->list[i], err, "the name of a file");
        memcpy(name, tokens->list[i].text, size);
        name[size] = '\0';
        return 1;
    }
    return 0;
}

typedef struct data {
    const char *bytes;
    uint32_t element_bytes;
} data;

static void data_values(const void *context, uint64_t first, uint64_t count, void *out)
{
    const data *d = context;
    memcpy(out, d->bytes + first * d->element_bytes, count * d->element_bytes);
}

/* ---- a column of a CSV file ---- */

/* The bounds of a whole type; false: a real one. */
static bool bounds_of(msw_simt_type type, int64_t *least, uint64_t *most)
{
    unsigned bits = 8 * msw_simt_type_bytes(type);
    bool is_signed = type >= MSW_SIMT_S8 && type <= MSW_SIMT_S64;
    *most = UINT64_MAX >> (64 - bits + is_signed);
    *least = is_signed ? -(int64_t)*most - 1 : 0;
    return type != MSW_SIMT_F16 && type != MSW_SIMT_F32 && type != MSW_SIMT_F64;
}

static bool read_field(const char *text, msw_simt_type type, msw_simt_number *number)
{
    char *end;
    int64_t least;
    uint64_t most;
    errno = 0;
    *number = (msw_simt_number){.real = !bounds_of(type, &least, &most)};
    if (number->real) {
        number->value = strtod(text, &end);
        return end != text && !*end && isfinite(number->value);
    }
    if (*text == '-') {
        number->whole = strtoll(text, &end, 10);
        return end != text && !*end && !errno && number->whole >= least;
    }
    uint64_t whole = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : (end = "x", 0);
    number->whole = (int64_t)whole;
    return !*end && !errno && whole <= most;
}

static size_t find_column(const msw_csv *csv, const char *name, size_t size)
{
    size_t at = 0;
    while (at < csv->count &&
           (strlen(csv->fields[at]) != size || memcmp(csv->fields[at], name, size) != 0))
        at++;
    return at;
}

static int fail_count(const msw_simt_reader *r, const msw_simt_token *at,
                      const msw_simt_array *array, const char *path, uint64_t found,
                      const char *what)
{
    return msw_fail(r->c.err, "%s:%u:%u: array '%s': found %" PRIu64 " %s in %s, allowed: %" PRIu64,
                    r->c.tokens->file, at->line, at->column, array->name, found, what, path,
                    array->bytes / (what[0] == 'b' ? 1 : array->element_bytes));
}

static int read_records(msw_simt_reader *r, const msw_simt_token *at, const msw_simt_array *array,
                        msw_csv *csv, size_t column, char *out)
{
    uint64_t count = 0;
    for (int more; (more = msw_csv_next(csv, r->c.err)); count++) {
        msw_simt_number number;
        if (more < 0)
            return -1;
        if (column >= csv->count || !read_field(csv->fields[column], array->type, &number))
            return msw_fail(r->c.err, "%s:%zu: found '%.40s', allowed: a number of type %s",
                            csv->path, csv->line,
                            column < csv->count ? csv->fields[column] : "no such field",
                            msw_simt_type_name(array->type));
        if (count < array->count)
            msw_simt_number_put(number, array->type, out + count * array->element_bytes);
    }
    return count == array->count ? 0 : fail_count(r, at, array, csv->path, count, "values");
}

static int read_csv(msw_simt_reader *r, const msw_simt_token *at, const msw_simt_array *array,
                    const msw_workload_file *file, data *d)
{
    size_t size, column_size = 0;
    const char *column = cut_text(at, &size, &column_size);
    msw_csv *csv = msw_arena_zero(r->c.arena, 1, sizeof *csv);
    char *text = msw_arena_zero(r->c.arena, file->size + 1, 1);
    char *out = msw_arena_zero(r->c.arena, array->count, array->element_bytes);
    if (!csv || !text || !out)
        return msw_fail_memory(r->c.err);
    memcpy(text, file->bytes, file->size);
    msw_csv_start(csv, file->path, text);
    int more = msw_csv_next(csv, r->c.err);
    if (more < 0)
        return -1;
    size_t where = more ? find_column(csv, column, column_size) : 0;
    if (!more || where == csv->count)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "a column that the first line of %s names", file->path);
    d->bytes = out;
    return read_records(r, at, array, csv, where, out);
}

int msw_simt_read_data(msw_simt_reader *r, msw_simt_array *array)
{
    const msw_simt_token *at = r->c.next++;
    size_t size, column_size;
    data *d = msw_arena_zero(r->c.arena, 1, sizeof *d);
    if (!d)
        return msw_fail_memory(r->c.err);
    size_t number = number_of(r->c.tokens, at);
    if (number >= r->file_count)
        return msw_fail_kind(r->c.err, MSW_ERR_INTERNAL, "%s:%u: its file was not read",
                             r->c.tokens->file, at->line);
    const msw_workload_file *file = &r->files[number];
    d->element_bytes = array->element_bytes;
    d->bytes = file->bytes;
    array->initial = data_values;
    array->context = d;
    if (cut_text(at, &size, &column_size))
        return read_csv(r, at, array, file, d);
    return file->size == array->bytes ? 0
                                      : fail_count(r, at, array, file->path, file->size, "bytes");
}
