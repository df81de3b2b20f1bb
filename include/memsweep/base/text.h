/* SPDX-License-Identifier: MIT */
/* text: growable strings, nearest names, small string helpers. */
#ifndef MEMSWEEP_BASE_TEXT_H
#define MEMSWEEP_BASE_TEXT_H

#include "memsweep/base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growable, always zero-terminated string. Start from MSW_TEXT_EMPTY. When memory runs out the
 * text is marked `failed` and further appends do nothing, so a caller checks once at the end. */
typedef struct msw_text {
    char *data; /* NULL until the first append; use msw_text_str() to read */
    size_t size;
    size_t capacity;
    bool failed;
} msw_text;

#define MSW_TEXT_EMPTY                                                                             \
    (msw_text)                                                                                     \
    {                                                                                              \
        0                                                                                          \
    }

/* Appends formatted text. */
void msw_text_add(msw_text *text, const char *fmt, ...) MSW_PRINTF(2, 3);

/* The same with the arguments of another function. */
void msw_text_add_args(msw_text *text, const char *fmt, va_list args) MSW_PRINTF(2, 0);

/* Appends `size` bytes as they are. */
void msw_text_add_bytes(msw_text *text, const char *bytes, size_t size);

/* Appends the shortest decimal form that reads back as the same double ("nan" for NaN). */
void msw_text_add_double(msw_text *text, double value);

/* Appends a whole number. */
void msw_text_add_whole(msw_text *text, int64_t value);

/* Reads the text. Returns the string, "" when empty, never NULL. */
const char *msw_text_str(const msw_text *text);

/* Says whether all of the text is there. Returns 0, or -1 when memory ran out on the way. */
int msw_text_check(const msw_text *text, msw_err *err);

/* Empties the text and keeps its memory. */
void msw_text_clear(msw_text *text);

/* Frees the memory; the text is empty afterwards. */
void msw_text_free(msw_text *text);

/* Copies as much of a string as fits into `buffer` of `size` bytes, always zero-terminated. */
void msw_text_fit(char *buffer, size_t size, const char *string);

/* Copies a string to the heap. Returns the copy, or NULL when memory runs out. */
char *msw_strdup(const char *string);

/* Formats into a fresh heap string. Returns it, or NULL when memory runs out. */
char *msw_strfmt(const char *fmt, ...) MSW_PRINTF(1, 2);

/* Finds the candidate closest in spelling. `names` ends with NULL; `stride` is the distance in
 * bytes from one name pointer to the next, so a table's name column can be searched in place.
 * Returns the nearest name when it is close enough to be a typing slip, else NULL. */
const char *msw_nearest(const char *wrong, const char *const *names, size_t stride);

/* Formats the shortest decimal form that reads back as the same double into `buffer` (32 bytes).
 * Returns `buffer`. */
const char *msw_double_text(double value, char buffer[32]);

/* 1234567 -> "1,234,567". Returns `buffer`. */
const char *msw_count_text(uint64_t count, char buffer[32]);

/* Prints a number per second: whole with commas from 100 on. Returns `buffer`. */
const char *msw_rate_text(double per_second, char buffer[32]);

/* "12 s", "3 min 20 s", "2 h 5 min". Returns `buffer`. */
const char *msw_duration_text(double seconds, char buffer[32]);

#define MSW_READ_MAX ((size_t)4 << 30)   /* of any file */
#define MSW_PIPE_MAX ((size_t)256 << 20) /* of a pipe, and of what gives no size */

/* Reads a whole file or pipe of at most `most` bytes; anything else is refused. The caller frees
 * `*data` (zero-terminated). Returns 0, or -1 with `err`. */
int msw_read_file_most(const char *path, size_t most, char **data, size_t *size, msw_err *err);

/* The same; "-" is standard input. Returns 0, or -1 with `err`. */
int msw_read_input(const char *path, size_t most, char **data, size_t *size, msw_err *err);

/* Reads a file of up to MSW_READ_MAX bytes. Returns 0, or -1 with `err`. */
int msw_read_file(const char *path, char **data, size_t *size, msw_err *err);

/* Matches a name against a glob pattern (*, ?, [...]; '*' does not cross '/'). Returns the
 * verdict. */
bool msw_glob_match(const char *pattern, const char *name);

#endif
