/* SPDX-License-Identifier: MIT */
/* Reads of a definition how a metric is read, and the lines that say how a run ended. */
#include "program/reading.h"

#include <stdlib.h>
#include <string.h>

static const char *const READER_KEYS[] = {
    "file", "json",  "csv",  "key",       "line",  "names",    "values",   "gem5", "sum", "take",
    "row",  "where", "dump", "thousands", "scale", "optional", "measured", "unit", NULL};

/* In the order of msw_reader_kind. */
static const char *const KINDS[] = {"json", "csv", "key", "line", "names", "gem5", NULL};

static int compile(msw_reading *r, const msw_node *at, const char *text, msw_reader *reader, int i)
{
    char why[128];
    int rc = regcomp(&reader->line[i], text, REG_EXTENDED);
    if (rc == 0) {
        reader->compiled[i] = true;
        return 0;
    }
    regerror(rc, &reader->line[i], why, sizeof why);
    return msw_reading_wrong(r, at, "'%s': %s", text, why);
}

/* `csv: {column: NAME, row: last}`, or the column alone. */
static int read_csv(msw_reading *r, const msw_node *node, msw_reader *reader)
{
    static const char *const KEYS[] = {"column", "row", "where", NULL};
    static const char *const ROWS[] = {"only", "first", "last", "sum", NULL};
    int row = MSW_TAKE_ONLY;
    if (node->kind != MSW_NODE_MAP)
        return msw_reading_text(r, node, &reader->at);
    MSW_TRY(msw_reading_keys(r, node, "csv", KEYS));
    MSW_TRY(msw_reading_word(r, node, "column", &reader->at));
    MSW_TRY(msw_reading_choice(r, node, "row", ROWS, &row));
    reader->take = (msw_take)row;
    const msw_node *where = msw_node_get(node, "where");
    if (where && (where->kind != MSW_NODE_MAP || where->count != 1))
        return msw_reading_wrong(r, where, "where: expected one {COLUMN: VALUE}");
    if (where) {
        MSW_TRY(msw_reading_text(r, where->keys[0], &reader->where_name));
        MSW_TRY(msw_reading_text(r, where->items[0], &reader->where_value));
    }
    return reader->at ? 0 : msw_reading_wrong(r, node, "csv: a column is missing");
}

static int read_dump(msw_reading *r, const msw_node *map, msw_reader *reader)
{
    const char *word;
    MSW_TRY(msw_reading_word(r, map, "dump", &word));
    if (!word)
        return 0;
    char *end;
    reader->dump_said = true;
    reader->dump = strtoul(word, &end, 10);
    reader->take = strcmp(word, "first") == 0  ? MSW_TAKE_FIRST
                   : strcmp(word, "last") == 0 ? MSW_TAKE_LAST
                                               : MSW_TAKE_SUM;
    if (strcmp(word, "sum") != 0 && reader->take == MSW_TAKE_SUM && (*end || !reader->dump))
        return msw_reading_wrong(r, msw_node_get(map, "dump"),
                                 "dump: found '%s', allowed: first, last, sum, or a number from 1",
                                 word);
    return 0;
}

static int read_names(msw_reading *r, const msw_node *map, msw_reader *reader)
{
    const msw_node *sum = msw_node_get(map, "sum");
    MSW_TRY(msw_reading_word(r, map, "values", &reader->values));
    if (!reader->values || !sum)
        return msw_reading_wrong(r, map, "names: 'values' and 'sum' go with it");
    MSW_TRY(msw_reading_list(r, sum, "sum", &reader->sum, &reader->sum_count));
    MSW_TRY(compile(r, msw_node_get(map, "names"), reader->at, reader, 0));
    return compile(r, msw_node_get(map, "values"), reader->values, reader, 1);
}

static int read_kind(msw_reading *r, const msw_node *map, msw_reader *reader)
{
    int found = -1;
    for (int k = 0; KINDS[k]; k++)
        if (msw_node_get(map, KINDS[k])) {
            if (found >= 0)
                return msw_reading_wrong(r, map, "read: '%s' and '%s' are two ways to read it",
                                         KINDS[found], KINDS[k]);
            found = k;
        }
    if (found < 0)
        return msw_reading_wrong(r, map,
                                 "read: one of json, csv, key, line, names, gem5 is "
                                 "missing");
    reader->kind = (msw_reader_kind)found;
    const msw_node *node = msw_node_get(map, KINDS[found]);
    if (reader->kind == MSW_READ_CSV)
        return read_csv(r, node, reader);
    MSW_TRY(msw_reading_text(r, node, &reader->at));
    if (reader->kind == MSW_READ_NAMES)
        return read_names(r, map, reader);
    if (reader->kind != MSW_READ_LINE)
        return 0;
    MSW_TRY(compile(r, node, reader->at, reader, 0));
    return reader->line[0].re_nsub ? 0
                                   : msw_reading_wrong(r, node,
                                                       "line: nothing in parentheses: "
                                                       "group 1 is the number");
}

int msw_reading_reader(msw_reading *r, const msw_node *map, msw_reader *reader)
{
    static const char *const TAKES[] = {"only", "first", "last", "sum", NULL};
    static const char *const UNITS[] = {"none", "text", NULL};
    const char *separator;
    int take = MSW_TAKE_ONLY, unit = 0;
    *reader = (msw_reader){.scale = 1};
    MSW_TRY(msw_reading_keys(r, map, "read", READER_KEYS));
    MSW_TRY(msw_reading_word(r, map, "file", &reader->file));
    if (!reader->file)
        reader->file = "stdout";
    MSW_TRY(msw_reading_inside(r, map, reader->file));
    MSW_TRY(msw_reading_choice(r, map, "take", TAKES, &take));
    MSW_TRY(msw_reading_choice(r, map, "unit", UNITS, &unit));
    MSW_TRY(msw_reading_word(r, map, "thousands", &separator));
    reader->take = (msw_take)take;
    reader->with_unit = unit == 1;
    reader->thousands = separator ? separator[0] : '\0';
    if (separator && (strlen(separator) != 1 || strchr("0123456789+-.eE", separator[0])))
        return msw_reading_wrong(r, map, "thousands: found '%s', expected one character, like ','",
                                 separator);
    MSW_TRY(msw_reading_number(r, map, "scale", "", &reader->scale));
    MSW_TRY(msw_reading_flag(r, map, "optional", &reader->optional));
    MSW_TRY(msw_reading_flag(r, map, "measured", &reader->measured));
    MSW_TRY(read_kind(r, map, reader));
    return read_dump(r, map, reader);
}

/* `{file: F, line: REGEX}`, `{exit: 1, stderr: REGEX}`: stdout and stderr stand for their files. */
static int read_pattern(msw_reading *r, const msw_node *map, msw_pattern *pattern)
{
    static const char *const KEYS[] = {"file", "line", "exit", "stdout", "stderr", NULL};
    static const char *const STREAMS[] = {"stdout", "stderr"};
    double code = -1;
    MSW_TRY(msw_reading_keys(r, map, "pattern", KEYS));
    MSW_TRY(msw_reading_word(r, map, "file", &pattern->file));
    MSW_TRY(msw_reading_word(r, map, "line", &pattern->line));
    MSW_TRY(msw_reading_number(r, map, "exit", "", &code));
    pattern->exit = (int)code;
    for (int s = 0; s < 2; s++)
        if (msw_node_get(map, STREAMS[s])) {
            pattern->file = STREAMS[s];
            MSW_TRY(msw_reading_word(r, map, STREAMS[s], &pattern->line));
        }
    if (pattern->line && !pattern->file)
        pattern->file = "stdout";
    if (pattern->file)
        MSW_TRY(msw_reading_inside(r, map, pattern->file));
    return pattern->line || pattern->exit >= 0
               ? 0
               : msw_reading_wrong(r, map, "a pattern needs a line, or an exit code");
}

int msw_reading_patterns(msw_reading *r, const char *key, size_t *count, msw_pattern **patterns)
{
    const msw_node *node = msw_node_get(r->root, key);
    if (!node)
        return 0;
    bool list = node->kind == MSW_NODE_LIST;
    *count = list ? node->count : 1;
    if (!(*patterns = msw_reading_room(r, *count, sizeof **patterns)))
        return -1;
    for (size_t i = 0; i < *count; i++)
        MSW_TRY(read_pattern(r, list ? node->items[i] : node, &(*patterns)[i]));
    return 0;
}
