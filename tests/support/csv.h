/* A reader for the known answers under tests/validation/data: lines, and fields split at commas
 * (quotes are honoured, not removed). Everything is static so that a test stays one program. */
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
static inline bool csv_next(csv *reader)
{
    if (!fgets(reader->line, sizeof reader->line, reader->file)) {
        fclose(reader->file);
        return false;
    }
    reader->line[strcspn(reader->line, "\r\n")] = 0;
    bool quoted = false;
    reader->fields = 0;
    reader->field[reader->fields++] = reader->line;
    for (char *c = reader->line; *c; c++) {
        quoted ^= *c == '"';
        if (*c == ',' && !quoted) {
            *c = 0;
            reader->field[reader->fields++] = c + 1;
        }
    }
    return true;
}

/* Opens a file of the data folder and skips its heading. */
static inline void csv_open(csv *reader, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/validation/data/%s", MEMSWEEP_SOURCE, name);
    reader->file = fopen(path, "r");
    if (!reader->file || !csv_next(reader)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
}

/* Reads a field as a number. Returns it. */
static inline double csv_number(const csv *reader, int field)
{
    return strtod(reader->field[field], NULL);
}

#endif
