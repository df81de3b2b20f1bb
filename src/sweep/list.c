/* SPDX-License-Identifier: MIT */
/* The points of design `list`: written in the sweep file, or in a table beside it. */
#include "sweep/points.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

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
    plan->design_input.list_columns = columns;
    plan->design_input.list_rows = p->rows;
    plan->list_digest = msw_hash_stream_digest(p->digest);
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
