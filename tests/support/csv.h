/* SPDX-License-Identifier: MIT */
/* A reader for the known answers under tests/validation/data: lines, and fields split at commas
 * (quotes are honoured, not removed). */
#ifndef MEMSWEEP_TESTS_CSV_H
#define MEMSWEEP_TESTS_CSV_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_FIELDS = 256 };

typedef struct csv {
    FILE *file;
    char line[8192];
    char *field[CSV_FIELDS];
    int fields;
} csv;

/* Reads and splits the next line. Returns whether there was one. */
bool csv_next(csv *reader);

/* Opens a file of the data folder and skips its heading. */
void csv_open(csv *reader, const char *name);

/* Reads a field as a number. Returns it. */
double csv_number(const csv *reader, int field);

#endif
