/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include "source.h"

bool csv_next(csv *reader)
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

void csv_open(csv *reader, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/validation/data/%s", source_folder(), name);
    reader->file = fopen(path, "r");
    if (!reader->file || !csv_next(reader)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
}

double csv_number(const csv *reader, int field)
{
    return strtod(reader->field[field], NULL);
}
