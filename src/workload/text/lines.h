/* SPDX-License-Identifier: MIT */
/* The lines and fields of a text file in memory, as it is or compressed by gzip, and names of
 * workloads that end in their batch.
 *
 * Compressed text is unpacked through a window, never whole, so a line is at most half a window
 * long. Reading twice (to count, then to store) costs less than arrays that grow. */
#ifndef MSW_WORKLOAD_TEXT_LINES_H
#define MSW_WORKLOAD_TEXT_LINES_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/param/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_lines {
    const char *file;  /* for messages */
    const char *bytes; /* of the file */
    size_t size;
    const char *next, *end; /* text not yet read */
    uint64_t line;          /* number of the line read last */
    uint64_t unpacked;      /* bytes of text so far, of a compressed file */
    char *window;           /* unpacked text; NULL: the file is plain text */
    void *stream;           /* state of the unpacking */
    bool over;              /* all has been unpacked */
} msw_lines;

typedef struct msw_line {
    const char *text; /* not zero-terminated, without its end of line */
    size_t size;
} msw_line;

/* Starts at the first line. Returns 0, or -1. */
int msw_lines_open(msw_lines *lines, const char *file, const char *bytes, size_t size,
                   msw_arena *arena, msw_err *err);

/* Reads the next line. Returns 1, 0 at the end, -1 when the file is damaged or a line too long. */
int msw_lines_next(msw_lines *lines, msw_line *line, msw_err *err);

/* Goes back to the first line. Returns 0, or -1. */
int msw_lines_rewind(msw_lines *lines, msw_err *err);

/* Counts all lines and goes back to the first. Returns 0, or -1. */
int msw_lines_count(msw_lines *lines, uint64_t *count, msw_err *err);

enum { MSW_FIELDS_MAX = 9 };

/* A word of a line. */
typedef struct msw_field {
    const char *text;
    size_t size;
} msw_field;

/* Splits a line at blanks and commas, up to a comment (# or // or %). Returns the number of fields,
 * MSW_FIELDS_MAX + 1 when there are more. */
int msw_line_split(msw_line line, msw_field fields[MSW_FIELDS_MAX]);

/* Reads a field as a whole number, decimal or after 0x hexadecimal. Returns whether it is one. */
bool msw_field_number(msw_field field, uint64_t *value);

/* Reads a field as a hexadecimal number, with or without 0x. Returns whether it is one. */
bool msw_field_hex(msw_field field, uint64_t *value);

/* Does a file's name end like this, with or without ".gz" behind it? */
bool msw_lines_named(const char *file, const char *end);

enum { MSW_NAME_MAX = 1024 };

/* Splits "alexnet/b4" into its head and batch. Returns the batch, 0 without one, -1 when it is out
 * of the range of the parameter `batch`. */
int64_t msw_name_split(const char *name, const msw_param *batch, char head[MSW_NAME_MAX]);

/* Says that the batch of a name is out of range. Returns -1. */
int msw_name_fail(const char *name, const msw_param *batch, msw_err *err);

#endif
