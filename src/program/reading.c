/* SPDX-License-Identifier: MIT */
/* Reads a definition's single values, and how its metrics are read. */
#include "program/reading.h"
#include "memsweep/base/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int msw_reading_wrong(msw_reading *r, const msw_node *at, const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return msw_fail(r->err, "%s:%d:%d: %s", r->p->path, at->line, at->column, text);
}

void *msw_reading_room(msw_reading *r, size_t count, size_t size)
{
    void *room = msw_arena_zero(&r->p->arena, count + 1, size);
    if (!room)
        msw_fail_memory(r->err);
    return room;
}

int msw_reading_keys(msw_reading *r, const msw_node *map, const char *what, const char *const *keys)
{
    if (map->kind != MSW_NODE_MAP)
        return msw_reading_wrong(r, map, "%s: found %s, expected a mapping of 'key: value'", what,
                                 msw_node_what(map));
    for (size_t i = 0; i < map->count; i++) {
        const char *key = map->keys[i]->text;
        size_t k = 0;
        while (keys[k] && strcmp(keys[k], key) != 0)
            k++;
        if (keys[k])
            continue;
        const char *near = msw_nearest(key, keys, sizeof *keys);
        return msw_reading_wrong(r, map->keys[i], "%s: unknown key '%s'%s%s%s", what, key,
                                 near ? ", did you mean '" : "", near ? near : "",
                                 near ? "'?" : "");
    }
    return 0;
}

int msw_reading_text(msw_reading *r, const msw_node *at, const char **word)
{
    if (at->kind != MSW_NODE_SCALAR)
        return msw_reading_wrong(r, at, "found %s, expected one word", msw_node_what(at));
    size_t size = strlen(at->text) + 1;
    char *copy = msw_arena_take(&r->p->arena, size);
    *word = copy ? memcpy(copy, at->text, size) : NULL;
    return copy ? 0 : msw_fail_memory(r->err);
}

int msw_reading_word(msw_reading *r, const msw_node *map, const char *key, const char **word)
{
    const msw_node *node = msw_node_get(map, key);
    *word = NULL;
    return node ? msw_reading_text(r, node, word) : 0;
}

int msw_reading_number(msw_reading *r, const msw_node *map, const char *key, const char *unit,
                       double *value)
{
    msw_err why = {0};
    const char *word;
    MSW_TRY(msw_reading_word(r, map, key, &word));
    if (word && msw_units_parse(word, unit, value, &why))
        return msw_reading_wrong(r, msw_node_get(map, key), "%s: %s", key, why.text);
    return 0;
}

int msw_reading_choice(msw_reading *r, const msw_node *map, const char *key,
                       const char *const *names, int *value)
{
    const char *word;
    MSW_TRY(msw_reading_word(r, map, key, &word));
    for (int i = 0; word && names[i]; i++)
        if (strcmp(names[i], word) == 0) {
            *value = i;
            return 0;
        }
    if (!word)
        return 0;
    msw_text all = MSW_TEXT_EMPTY;
    for (int i = 0; names[i]; i++)
        msw_text_add(&all, "%s%s", i ? ", " : "", names[i]);
    msw_reading_wrong(r, msw_node_get(map, key), "%s: found '%s', allowed: %s", key, word,
                      msw_text_str(&all));
    msw_text_free(&all);
    return -1;
}

int msw_reading_flag(msw_reading *r, const msw_node *map, const char *key, bool *value)
{
    static const char *const WORDS[] = {"no", "yes", "off", "on", "false", "true", NULL};
    int k = *value;
    MSW_TRY(msw_reading_choice(r, map, key, WORDS, &k));
    *value = k % 2;
    return 0;
}

int msw_reading_list(msw_reading *r, const msw_node *list, const char *what,
                     const char *const **words, size_t *count)
{
    if (list->kind != MSW_NODE_LIST || !list->count || list->count > MSW_PROGRAM_WORDS)
        return msw_reading_wrong(r, list, "%s: found %s, expected a list of 1 to %d words", what,
                                 list->count ? "a list of too many" : msw_node_what(list),
                                 MSW_PROGRAM_WORDS);
    const char **all = msw_reading_room(r, list->count, sizeof *all);
    if (!all)
        return -1;
    for (size_t i = 0; i < list->count; i++)
        MSW_TRY(msw_reading_text(r, list->items[i], &all[i]));
    *words = all;
    if (count)
        *count = list->count;
    return 0;
}

int msw_reading_inside(msw_reading *r, const msw_node *at, const char *name)
{
    bool up = strcmp(name, "..") == 0 || strncmp(name, "../", 3) == 0 || strstr(name, "/../") ||
              (strlen(name) > 2 && strcmp(name + strlen(name) - 3, "/..") == 0);
    if (*name && name[0] != '/' && !up && strlen(name) < 200)
        return 0;
    return msw_reading_wrong(r, at, "'%s': expected a name inside the run's folder", name);
}

/* Reads of a definition how a metric is read, and the lines that say how a run ended. */

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
