/* SPDX-License-Identifier: MIT */
#include "memsweep/base/csv.h"

#include "memsweep/base/text.h"

#include <stdbool.h>
#include <string.h>

void msw_csv_start(msw_csv *csv, const char *path, char *text)
{
    *csv = (msw_csv){.path = path, .at = text, .next_line = 1};
}

static char *skip_blanks(char *s)
{
    return s + strspn(s, " \t\r");
}

/* Cuts trailing blanks off [start, end) and ends it there. */
static char *trimmed(char *start, char *end)
{
    while (end > start && strchr(" \t\r", end[-1]))
        end--;
    *end = '\0';
    return start;
}

/* Goes past lines that hold no record. Returns false at the end of the text. */
static bool find_record(msw_csv *csv)
{
    for (;;) {
        char *s = skip_blanks(csv->at);
        if (!*s)
            return false;
        if (*s != '\n' && *s != '#')
            return true;
        char *end = strchr(s, '\n');
        csv->at = end ? end + 1 : s + strlen(s);
        csv->next_line++;
    }
}

/* Reads what is between quotes, in place. Returns where it goes on, or NULL. */
static char *read_quoted(msw_csv *csv, char *s)
{
    char *to = s;
    for (; *s; s++) {
        if (*s == '"' && s[1] != '"') {
            *to = '\0';
            return skip_blanks(s + 1);
        }
        csv->next_line += *s == '\n';
        s += *s == '"';
        *to++ = *s;
    }
    return NULL;
}

/* Reads one field. Returns what ended it: ',', '\n', '\0' or -1 with `err`. */
static int read_field(msw_csv *csv, msw_err *err)
{
    char *s = skip_blanks(csv->at), *end;
    if (csv->count == MSW_CSV_FIELDS)
        return msw_fail(err, "%s:%zu: more than %d fields", csv->path, csv->line, MSW_CSV_FIELDS);
    if (*s == '"') {
        csv->fields[csv->count++] = s + 1;
        end = read_quoted(csv, s + 1);
        if (!end)
            return msw_fail(err, "%s:%zu: a quote is not closed", csv->path, csv->line);
        if (*end && *end != ',' && *end != '\n')
            return msw_fail(err, "%s:%zu: '%.20s' after a closing quote, expected ','", csv->path,
                            csv->next_line, end);
    } else {
        end = s + strcspn(s, ",\n");
    }
    char last = *end;
    if (*s != '"')
        csv->fields[csv->count++] = trimmed(s, end);
    csv->at = last ? end + 1 : end;
    return (unsigned char)last;
}

int msw_csv_next(msw_csv *csv, msw_err *err)
{
    if (!find_record(csv))
        return 0;
    csv->line = csv->next_line;
    csv->count = 0;
    int last = ',';
    while (last == ',')
        last = read_field(csv, err);
    csv->next_line++;
    return last < 0 ? -1 : 1;
}

static int find_column(const msw_csv *csv, const char *name)
{
    for (size_t f = 0; f < csv->count; f++)
        if (strcmp(csv->fields[f], name) == 0)
            return (int)f;
    return -1;
}

static int check_known(const msw_csv *csv, const char *const *names, msw_err *err)
{
    for (size_t f = 0; f < csv->count; f++) {
        const char *const *name = names;
        while (*name && strcmp(*name, csv->fields[f]) != 0)
            name++;
        if (*name)
            continue;
        const char *best = msw_nearest(csv->fields[f], names, sizeof *names);
        return msw_fail(err, "%s:%zu: unknown column '%s'%s%s%s", csv->path, csv->line,
                        csv->fields[f], best ? ", did you mean '" : "", best ? best : "",
                        best ? "'?" : "");
    }
    return 0;
}

int msw_csv_header(msw_csv *csv, const char *const *names, size_t needed, size_t *where,
                   msw_err *err)
{
    int got = msw_csv_next(csv, err);
    if (got < 0)
        return -1;
    if (got == 0)
        return msw_fail(err, "%s: empty: the first line names the columns", csv->path);
    if (check_known(csv, names, err))
        return -1;
    for (size_t i = 0; names[i]; i++) {
        int f = find_column(csv, names[i]);
        if (f < 0 && i < needed)
            return msw_fail(err, "%s:%zu: no column '%s'", csv->path, csv->line, names[i]);
        where[i] = f < 0 ? MSW_CSV_ABSENT : (size_t)f;
    }
    return 0;
}

int msw_csv_check(const msw_csv *csv, size_t columns, msw_err *err)
{
    return csv->count == columns ? 0
                                 : msw_fail(err, "%s:%zu: %zu fields, the header has %zu",
                                            csv->path, csv->line, csv->count, columns);
}
