/* SPDX-License-Identifier: MIT */
/* csv: tables of layers, one row at a time, every message with file, line and column.
 *
 * Rows may end in LF or CRLF, cells may be padded with spaces or quoted, empty cells at a row's end
 * are dropped; blank lines and lines that start with '#' are skipped. */
#ifndef MSW_WORKLOAD_NPU_CSV_H
#define MSW_WORKLOAD_NPU_CSV_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_NPU_CELLS = 64 };

typedef struct msw_npu_cell {
    const char *text; /* not zero-terminated */
    size_t size, column;
} msw_npu_cell;

typedef struct msw_npu_csv {
    const char *file, *next, *end;
    size_t line, lines; /* of the present row; read so far */
    int count;          /* cells of the present row */
    msw_npu_cell cells[MSW_NPU_CELLS];
    int header_count;
    msw_npu_cell header[MSW_NPU_CELLS];
    msw_err *err;
} msw_npu_csv;

/* A column a format has. */
typedef struct msw_npu_column {
    const char *name;
    uint64_t min, max; /* of a number */
    bool needed;
} msw_npu_column;

/* Starts a table and reads its header. Returns 0, or -1. */
int msw_npu_csv_open(msw_npu_csv *csv, const char *file, const char *bytes, size_t size,
                     msw_err *err);

/* Reads the next row. Returns 1, 0 at the end, -1 on error. */
int msw_npu_csv_next(msw_npu_csv *csv);

/* Finds a column of the header, whatever its case. Returns its index, or -1. */
int msw_npu_csv_find(const msw_npu_csv *csv, const char *name);

/* Finds all columns of a format (ended by name NULL) into `index` (-1: absent). Returns 0, or -1
 * with the needed one that is missing. */
int msw_npu_csv_columns(const msw_npu_csv *csv, const msw_npu_column *columns, int *index);

/* A cell of the present row; beyond the row's end it is empty. */
msw_npu_cell msw_npu_csv_cell(const msw_npu_csv *csv, int index);

/* Compares a cell with a word, whatever its case. */
bool msw_npu_cell_is(msw_npu_cell cell, const char *word);

/* Reads a cell as a whole number (decimal, or hexadecimal after 0x). Returns 0, or -1. */
int msw_npu_csv_number(const msw_npu_csv *csv, int index, const msw_npu_column *column,
                       uint64_t *value);

/* Copies a cell into the arena. Returns the zero-terminated string, or NULL. */
const char *msw_npu_cell_copy(msw_npu_cell cell, msw_arena *arena);

/* Records "file:line:column: message" for a cell of the present row. Returns -1 always. */
int msw_npu_csv_fail(const msw_npu_csv *csv, msw_npu_cell cell, const char *fmt, ...)
    MSW_PRINTF(3, 4);

#endif
