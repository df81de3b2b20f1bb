/* SPDX-License-Identifier: MIT */
/* csv: comma-separated values with quoted fields, read record by record.
 *
 * A quoted field may hold commas, line ends and doubled quotes. Empty lines and lines that start
 * with '#' between records are skipped. */
#ifndef MEMSWEEP_BASE_CSV_H
#define MEMSWEEP_BASE_CSV_H

#include "memsweep/base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { MSW_CSV_FIELDS = 1024 };
#define MSW_CSV_ABSENT SIZE_MAX /* the field of a column that is not there */

typedef struct msw_csv {
    const char *path; /* for messages */
    char *at;         /* what is left to read; the text is changed on the way */
    size_t next_line;
    size_t line; /* of the record last read, from 1 */
    size_t count;
    char *fields[MSW_CSV_FIELDS]; /* of that record, blanks around them gone */
} msw_csv;

/* Starts to read a zero-terminated text, which the fields will point into. */
void msw_csv_start(msw_csv *csv, const char *path, char *text);

/* Reads the next record. Returns 1, 0 at the end, or -1. */
int msw_csv_next(msw_csv *csv, msw_err *err);

/* Reads the record that names the columns and fills `where`: the field of each of `names` (ended by
 * NULL). The first `needed` of them must be there, the others may (else MSW_CSV_ABSENT), and no
 * others. Returns 0, or -1. */
int msw_csv_header(msw_csv *csv, const char *const *names, size_t needed, size_t *where,
                   msw_err *err);

/* Refuses a record with more or fewer fields than the header. Returns 0, or -1. */
int msw_csv_check(const msw_csv *csv, size_t columns, msw_err *err);

#endif
