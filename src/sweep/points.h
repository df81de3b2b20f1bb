/* SPDX-License-Identifier: MIT */
/* The rows of a list as columns of codes, read from a table of any length.
 *
 * A table is read in blocks and never held whole. A value takes as many bytes as are needed to tell
 * the distinct values of its column apart: 1, 2 or 4. */
#ifndef MSW_SWEEP_POINTS_H
#define MSW_SWEEP_POINTS_H

#include "memsweep/base/hash.h"
#include "memsweep/base/map.h"
#include "memsweep/design/design.h"
#include "sweep/loader.h"

/* ---- one column ---- */

typedef struct msw_codes {
    double *values;  /* distinct, in the order in which they came; ascending once finished */
    msw_index index; /* of `values`, by their bits */
    size_t count, room;
    void *codes;
    unsigned width;
    size_t rows, code_bytes;
} msw_codes;

/* Appends a value. Returns 0, or -1 when memory runs out. */
int msw_codes_add(msw_codes *codes, double value);

/* The value of a row. */
double msw_codes_at(const msw_codes *codes, size_t row);

/* Sorts the values and frees what only adding needs. Returns 0, or -1 when memory runs out. */
int msw_codes_finish(msw_codes *codes);
void msw_codes_free(msw_codes *codes);

/* ---- the lines of a table ---- */

typedef struct msw_point_lines {
    const char *path;
    char *buffer; /* a block of the file, or all of what the loader's source gave */
    size_t at, size, room;
    int fd; /* -1: all is in the buffer */
    bool ended;
    int line; /* the number of the line last read */
} msw_point_lines;

/* Opens a table. Returns 0, or -1 with `err`. */
int msw_point_lines_open(msw_point_lines *lines, const msw_plan_options *options, const char *path,
                         msw_err *err);

/* Cuts off the next line that is neither empty nor a comment, without its end. Returns 1, 0 at the
 * end, or -1 with `err`, which names no place. */
int msw_point_lines_next(msw_point_lines *lines, char **line, msw_err *err);
void msw_point_lines_close(msw_point_lines *lines);

/* One field of a line: cut off, unquoted, without the blanks around it. */
typedef struct msw_point_cut {
    char *text;
    int column; /* where it starts, from 1 */
} msw_point_cut;

/* Cuts a line into at most `most` fields. Returns how many it has, or -1 with `err` and `at` the
 * column of what is wrong. */
int msw_point_lines_cut(char *line, msw_point_cut *cuts, size_t most, int *at, msw_err *err);

/* ---- all columns ---- */

typedef struct msw_point_column {
    const msw_node *key;
    int index;        /* of the parameter */
    const char *unit; /* of plain numbers in it, or NULL */
    size_t field;
    msw_codes codes;
} msw_point_column;

typedef struct msw_points {
    msw_loader *l;
    msw_point_column *columns; /* in the loader's arena */
    size_t width, rows;
    double *row; /* in the loader's arena */
    msw_hash_stream *digest;
} msw_points;

/* Makes the columns of the parameters that keys name. Returns whether that went well. */
bool msw_points_claim(msw_points *points, msw_node *const *keys, size_t count);

/* Takes the row in `row`. Returns whether memory sufficed. */
bool msw_points_take(msw_points *points);

#endif
