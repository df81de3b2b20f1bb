/* SPDX-License-Identifier: MIT */
/* Reads the points of design `list`: written in the sweep file, or line by line in a table of
 * comma-separated values beside it. */
#include "sweep/points.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VALUE_BYTES = 256 };

typedef struct table {
    msw_points *p;
    msw_point_lines lines;
    msw_point_cut *cuts;
    size_t fields; /* that the first line has */
} table;

/* A table that is wrong, or that cannot be read. */
static void fail(table *t, int column, const msw_err *err)
{
    msw_node at = {
        .file = t->lines.path, .line = t->lines.line ? t->lines.line : 1, .column = column};
    msw_loader_fail(t->p->l, err, &at, "%s", err->text);
}

static void say(table *t, int column, const char *what)
{
    msw_err err = {0};
    msw_fail(&err, "%s", what);
    fail(t, column, &err);
}

/* "page_size [KiB]" to name and unit. */
static msw_node *heading(table *t, const msw_point_cut *cut, const char **unit)
{
    msw_loader *l = t->p->l;
    msw_node at = {.file = t->lines.path, .line = t->lines.line, .column = cut->column};
    msw_node *key = msw_node_new(&l->arena, MSW_NODE_SCALAR, &at);
    char *name = key ? msw_loader_copy(l, cut->text) : NULL;
    if (!name)
        return msw_loader_memory(l), NULL;
    size_t size = strlen(name);
    char *open = strchr(name, '[');
    *unit = NULL;
    if (open && size && name[size - 1] == ']') {
        name[size - 1] = '\0';
        *unit = open + 1;
        while (open > name && strchr(" \t", open[-1]))
            open--;
        *open = '\0';
    }
    key->text = name;
    return key;
}

static size_t count_fields(const char *line)
{
    size_t count = 1;
    for (; *line; line++)
        count += *line == ',';
    return count;
}

/* The units of headings, once the columns are in their own order. */
static void set_units(table *t, msw_node *const *keys, const char *const *units)
{
    for (size_t c = 0; c < t->p->width; c++) {
        msw_point_column *column = &t->p->columns[c];
        for (size_t f = 0; f < t->fields; f++)
            if (keys[f] == column->key) {
                const char *own = t->p->l->plan->schema.params[column->index]->unit;
                column->field = f;
                column->unit = units[f] && strcmp(units[f], own) != 0 ? units[f] : NULL;
            }
    }
}

static bool read_head(table *t)
{
    msw_loader *l = t->p->l;
    msw_err err = {0};
    char *line;
    int at = 1, got = msw_point_lines_next(&t->lines, &line, &err);
    if (got <= 0) {
        if (!got)
            msw_fail(&err, "an empty table; its first line names parameters");
        return fail(t, 1, &err), false;
    }
    size_t most = count_fields(line);
    t->cuts = msw_arena_zero(&l->arena, most + 1, sizeof *t->cuts);
    msw_node **keys = msw_arena_zero(&l->arena, most + 1, sizeof *keys);
    const char **units = msw_arena_zero(&l->arena, most + 1, sizeof *units);
    if (!t->cuts || !keys || !units)
        return msw_loader_memory(l), false;
    got = msw_point_lines_cut(line, t->cuts, most, &at, &err);
    if (got < 0)
        return fail(t, at, &err), false;
    t->fields = (size_t)got;
    for (size_t f = 0; f < t->fields; f++)
        if (!(keys[f] = heading(t, &t->cuts[f], &units[f])))
            return false;
    if (!msw_points_claim(t->p, keys, t->fields))
        return false;
    set_units(t, keys, units);
    return true;
}

/* Puts the unit of the heading behind a plain number. */
static const char *with_unit(const char *text, const char *unit, char buffer[VALUE_BYTES])
{
    if (!unit || strspn(text, "0123456789.+-eE") != strlen(text))
        return text;
    int size = snprintf(buffer, VALUE_BYTES, "%s%s", text, unit);
    return size < VALUE_BYTES ? buffer : text;
}

static bool read_value(table *t, const msw_point_column *column, double *value)
{
    const msw_param *param = t->p->l->plan->schema.params[column->index];
    const msw_point_cut *cut = &t->cuts[column->field];
    char buffer[VALUE_BYTES];
    msw_err err = {0};
    if (msw_param_parse(param, with_unit(cut->text, column->unit, buffer), value, &err) == 0)
        return true;
    fail(t, cut->column, &err);
    return false;
}

static bool read_table_row(table *t, char *line)
{
    msw_err err = {0};
    bool good = true;
    int at = 1, got = msw_point_lines_cut(line, t->cuts, t->fields, &at, &err);
    if (got < 0)
        return fail(t, at, &err), false;
    if ((size_t)got != t->fields) {
        msw_fail(&err, "found %d value%s, but the first line names %zu parameter%s", got,
                 got == 1 ? "" : "s", t->fields, t->fields == 1 ? "" : "s");
        return fail(t, 1, &err), false;
    }
    for (size_t c = 0; c < t->p->width; c++)
        good = read_value(t, &t->p->columns[c], &t->p->row[c]) && good;
    return good;
}

/* After this many faults nothing new is learnt. */
static bool goes_on(const table *t)
{
    return t->p->l->diagnostics.count < MSW_DIAGNOSTICS_MAX;
}

static bool read_rows(table *t)
{
    msw_err err = {0};
    char *line;
    bool good = true;
    int got;
    while (goes_on(t) && (got = msw_point_lines_next(&t->lines, &line, &err)) > 0) {
        bool row = read_table_row(t, line);
        good = good && row;
        if (good && !msw_points_take(t->p))
            return msw_loader_memory(t->p->l), false;
    }
    if (goes_on(t) && got < 0)
        return fail(t, 1, &err), false;
    if (good && !t->p->rows)
        return say(t, 1, "a table without points below the line that names parameters"), false;
    return good;
}

/* What is behind a path now: a table that changes while it is read is neither the old nor the new.
 */
static bool look(const msw_loader *l, const char *path, struct stat *info)
{
    return (l->options && l->options->files) || stat(path, info) == 0;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool msw_points_read(msw_points *points, const char *path)
{
    table t = {.p = points};
    struct stat before = {0}, after = {0};
    msw_err err = {0};
    bool good = look(points->l, path, &before);
    if (msw_point_lines_open(&t.lines, points->l->options, path, &err)) {
        msw_point_lines_close(&t.lines);
        t.lines.path = path;
        return fail(&t, 1, &err), false;
    }
    good = read_head(&t) && read_rows(&t) && good;
    if (good && (!look(points->l, path, &after) || !same(&before, &after)))
        good = (say(&t, 1, "the table changed while it was read"), false);
    msw_point_lines_close(&t.lines);
    return good;
}

/* The levels of a listed factor are the values that occur. */
static bool add_column(msw_loader *l, msw_point_column *c, msw_list_column *to)
{
    const msw_param *param = l->plan->schema.params[c->index];
    msw_factor factor;
    if (msw_codes_finish(&c->codes))
        return msw_loader_memory(l), false;
    if (!msw_factor_make(l, param->name, 1, &factor)) {
        msw_factor_free(&factor);
        return false;
    }
    factor.targets[0] = (size_t)c->index;
    factor.scale = param->scale;
    factor.levels = c->codes.count;
    factor.values = c->codes.values;
    *to = (msw_list_column){factor.values, c->codes.codes, c->codes.width};
    c->codes = (msw_codes){0}; /* the plan owns it all now */
    msw_loader_add_factor(l, c->key, &factor);
    return true;
}

static void give(msw_points *p)
{
    msw_plan *plan = p->l->plan;
    msw_list_column *columns = calloc(p->width + 1, sizeof *columns);
    plan->design.input.list_columns = columns;
    plan->design.input.list_rows = p->rows;
    plan->design.list_digest = msw_hash_stream_digest(p->digest);
    if (!columns)
        msw_loader_memory(p->l);
    for (size_t c = 0; columns && c < p->width; c++)
        if (!add_column(p->l, &p->columns[c], &columns[c]))
            return;
}

/* ---- points in the sweep file ---- */

static bool read_row(msw_points *p, const msw_node *map)
{
    msw_loader *l = p->l;
    bool good = msw_loader_is(l, map, MSW_NODE_MAP, "point");
    for (size_t i = 0; good && i < map->count; i++)
        if (msw_loader_param(l, map->keys[i]) < 0)
            return false;
    if (good && map->count != p->width) {
        msw_loader_say(l, map, "point: found %zu parameters, but the first point has %zu",
                       map->count, p->width);
        return false;
    }
    for (size_t c = 0; good && c < p->width; c++) {
        const msw_node *item = msw_node_get(map, p->columns[c].key->text);
        if (!item)
            msw_loader_say(l, map, "point: no '%s', which the first point has",
                           p->columns[c].key->text);
        good = item &&
               msw_loader_value(l, l->plan->schema.params[p->columns[c].index], item, &p->row[c]);
    }
    return good;
}

static bool read_points(msw_points *p, const msw_node *points)
{
    msw_loader *l = p->l;
    const msw_node *first = points->count ? points->items[0] : NULL;
    if (!first)
        return msw_loader_say(l, points, "design list: no points"), false;
    if (!msw_loader_is(l, first, MSW_NODE_MAP, "point") ||
        !msw_points_claim(p, first->keys, first->count))
        return false;
    bool good = true;
    for (size_t r = 0; r < points->count; r++) {
        bool row = read_row(p, points->items[r]);
        good = good && row;
        if (good && !msw_points_take(p))
            return msw_loader_memory(l), false;
    }
    return good;
}

/* ---- which of both ---- */

/* A table is read again by whoever goes on, by every shard and every job: it has to be a file. */
static bool read_file(msw_points *p, const msw_node *file)
{
    msw_loader *l = p->l;
    if (!msw_loader_word(l, file, "file"))
        return false;
    if (strcmp(file->text, "-") == 0) {
        msw_loader_say(l, file,
                       "file '-': the points are read again when the sweep goes on, and by each of "
                       "its shards: write standard input to a file");
        return false;
    }
    char *path = msw_loader_find(l, file, file->text);
    return path && msw_points_read(p, path);
}

static bool read_either(msw_points *p, const msw_node *design)
{
    const msw_node *points = msw_node_get(design, "points"), *file = msw_node_get(design, "file");
    if ((points != NULL) == (file != NULL)) {
        msw_loader_say(p->l, design,
                       "design list: write either 'points: [{parameter: value, ..}, ..]' or "
                       "'file: <table>'");
        return false;
    }
    if (!p->l->ready)
        return false;
    if (file)
        return read_file(p, file);
    return msw_loader_is(p->l, points, MSW_NODE_LIST, "points") && read_points(p, points);
}

void msw_loader_list(msw_loader *l, const msw_node *design)
{
    static const char *const KEYS[] = {"kind", "name", "points", "file", NULL};
    msw_points points = {.l = l};
    if (design->kind == MSW_NODE_MAP)
        msw_loader_check_keys(l, design, KEYS);
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "split" : "vary";
        if (msw_loader_top(l, key))
            msw_loader_say(l, msw_loader_key(l, key),
                           "'%s' and design list: a list's points say themselves what varies", key);
    }
    if (read_either(&points, design))
        give(&points);
    for (size_t c = 0; points.columns && c < points.width; c++)
        msw_codes_free(&points.columns[c].codes);
    msw_hash_stream_free(points.digest);
}
