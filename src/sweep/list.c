/* The points of design `list`: written in the sweep file, or in a table beside it. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1000000 };

typedef struct csv {
    msw_loader *l;
    const char *file;
    char *at; /* reading position */
    int line;
    size_t cells;
    msw_node *names;
} csv;

static msw_node *cell(csv *c, char *text, int column)
{
    msw_node at = {.file = c->file, .line = c->line, .column = column};
    msw_node *node = msw_node_new(&c->l->arena, MSW_NODE_SCALAR, &at);
    size_t lead = strspn(text, " \t"), size = strlen(text);
    while (size > lead && strchr(" \t\r", text[size - 1]))
        text[--size] = '\0';
    if (node) {
        node->text = msw_loader_copy(c->l, text + lead);
        node->column += (int)lead;
    }
    return node && node->text ? node : NULL;
}

/* One line of comma-separated words as a list. Returns NULL when memory runs out. */
static msw_node *row(csv *c, char *line)
{
    msw_node at = {.file = c->file, .line = c->line, .column = 1};
    msw_node *list = msw_node_new(&c->l->arena, MSW_NODE_LIST, &at);
    char *start = line;
    while (list && start) {
        char *comma = strchr(start, ',');
        if (comma)
            *comma = '\0';
        msw_node *item = cell(c, start, (int)(start - line) + 1);
        if (!item || msw_node_add(&c->l->arena, list, NULL, item))
            return NULL;
        start = comma ? comma + 1 : NULL;
    }
    c->cells += list ? list->count : 0;
    return list;
}

/* Cuts off the next line that is neither empty nor a comment. Returns NULL at the end. */
static char *next_line(csv *c)
{
    while (c->at && *c->at) {
        char *line = c->at, *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        c->at = end ? end + 1 : NULL;
        c->line++;
        if (line[strspn(line, " \t\r")] != '\0' && line[0] != '#')
            return line;
    }
    return NULL;
}

static msw_node *as_map(csv *c, const msw_node *values)
{
    msw_node *map = msw_node_new(&c->l->arena, MSW_NODE_MAP, values);
    for (size_t i = 0; map && i < values->count; i++)
        if (msw_node_add(&c->l->arena, map, c->names->items[i], values->items[i]))
            return NULL;
    return map;
}

static bool add_row(csv *c, msw_node *points, char *line)
{
    msw_node *values = row(c, line);
    if (values && values->count != c->names->count) {
        msw_loader_say(c->l, values, "found %zu values, but the first line names %zu parameters",
                       values->count, c->names->count);
        return false;
    }
    if (c->cells > CELLS_MAX) {
        msw_loader_say(c->l, values, "more than %d values in a table of points", CELLS_MAX);
        return false;
    }
    msw_node *map = values ? as_map(c, values) : NULL;
    if (map && msw_node_add(&c->l->arena, points, NULL, map) == 0)
        return true;
    msw_loader_memory(c->l);
    return false;
}

static msw_node *parse_table(msw_loader *l, const char *path, char *text)
{
    csv c = {.l = l, .file = path, .at = text};
    msw_node at = {.file = path, .line = 1, .column = 1};
    msw_node *points = msw_node_new(&l->arena, MSW_NODE_LIST, &at);
    char *line = next_line(&c);
    c.names = line ? row(&c, line) : NULL;
    if (!line)
        msw_loader_say(l, &at, "an empty table; its first line names parameters");
    if (!points || !c.names)
        return NULL;
    while ((line = next_line(&c)) != NULL)
        if (!add_row(&c, points, line))
            return NULL;
    return points;
}

static msw_node *read_table(msw_loader *l, const msw_node *at)
{
    char *path = msw_loader_find(l, at, at->text), *text;
    size_t size;
    msw_err err = {0};
    if (!path)
        return NULL;
    if (msw_loader_file(l->options, path, MSW_POINTS_FILE_MAX, &text, &size, &err)) {
        msw_loader_fail(l, &err, at, "cannot read %s", err.text);
        return NULL;
    }
    msw_node *points =
        msw_utf8_check(path, text, size, &l->diagnostics) == 0 ? parse_table(l, path, text) : NULL;
    free(text);
    return points;
}

static const msw_node *find_points(msw_loader *l, const msw_node *design)
{
    const msw_node *points = msw_node_get(design, "points"), *file = msw_node_get(design, "file");
    if ((points != NULL) == (file != NULL)) {
        msw_loader_say(l, design,
                       "design list: write either 'points: [{parameter: value, ..}, ..]' or "
                       "'file: <table>'");
        return NULL;
    }
    if (file)
        return msw_loader_word(l, file, "file") ? read_table(l, file) : NULL;
    return msw_loader_is(l, points, MSW_NODE_LIST, "points") ? points : NULL;
}

/* One column: the values of one parameter over all points. */
typedef struct column {
    const msw_node *key;
    int index;
} column;

static int by_name(const void *a, const void *b)
{
    const column *x = a, *y = b;
    return strcmp(x->key->text, y->key->text);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The levels of a listed factor are the values that occur. */
static bool add_column(msw_loader *l, const column *c, const double *values, size_t rows,
                       size_t width)
{
    const msw_param *param = l->plan->schema.params[c->index];
    msw_factor factor;
    bool good = msw_factor_make(l, param->name, 1, &factor) && msw_factor_values(l, rows, &factor);
    if (!good) {
        msw_factor_free(&factor);
        return false;
    }
    factor.targets[0] = (size_t)c->index;
    factor.scale = param->scale;
    for (size_t r = 0; r < rows; r++)
        factor.values[r] = values[r * width];
    qsort(factor.values, rows, sizeof *factor.values, by_value);
    factor.levels = 1;
    for (size_t r = 1; r < rows; r++)
        if (factor.values[r] != factor.values[factor.levels - 1])
            factor.values[factor.levels++] = factor.values[r];
    msw_loader_add_factor(l, c->key, &factor);
    return true;
}

static bool read_row(msw_loader *l, const msw_node *map, const column *columns, size_t width,
                     double *values)
{
    bool good = msw_loader_is(l, map, MSW_NODE_MAP, "point");
    for (size_t i = 0; good && i < map->count; i++)
        if (msw_loader_param(l, map->keys[i]) < 0)
            return false;
    if (good && map->count != width) {
        msw_loader_say(l, map, "point: found %zu parameters, but the first point has %zu",
                       map->count, width);
        return false;
    }
    for (size_t c = 0; good && c < width; c++) {
        const msw_node *item = msw_node_get(map, columns[c].key->text);
        if (!item)
            msw_loader_say(l, map, "point: no '%s', which the first point has",
                           columns[c].key->text);
        good =
            item && msw_loader_value(l, l->plan->schema.params[columns[c].index], item, &values[c]);
    }
    return good;
}

static column *claim_columns(msw_loader *l, const msw_node *first)
{
    column *columns = msw_arena_zero(&l->arena, first->count + 1, sizeof *columns);
    bool good = columns != NULL;
    for (size_t i = 0; columns && i < first->count; i++) {
        columns[i] = (column){first->keys[i], msw_loader_claim(l, first->keys[i], "listed")};
        good = columns[i].index >= 0 && good;
    }
    if (good)
        qsort(columns, first->count, sizeof *columns, by_name);
    return good ? columns : NULL;
}

static void read_points(msw_loader *l, const msw_node *points)
{
    const msw_node *first = points->count ? points->items[0] : NULL;
    if (!first) {
        msw_loader_say(l, points, "design list: no points");
        return;
    }
    if (!msw_loader_is(l, first, MSW_NODE_MAP, "point"))
        return;
    column *columns = claim_columns(l, first);
    size_t width = first->count, rows = points->count;
    double *values = columns ? calloc(rows * width + 1, sizeof *values) : NULL;
    bool good = values != NULL;
    for (size_t r = 0; values && r < rows; r++)
        good = read_row(l, points->items[r], columns, width, values + r * width) && good;
    for (size_t c = 0; good && c < width; c++)
        good = add_column(l, &columns[c], values + c, rows, width);
    l->plan->design_input.list_values = values;
    l->plan->design_input.list_rows = rows;
}

void msw_loader_list(msw_loader *l, const msw_node *design)
{
    static const char *const KEYS[] = {"kind", "name", "points", "file", NULL};
    if (design->kind == MSW_NODE_MAP)
        msw_loader_check_keys(l, design, KEYS);
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "split" : "vary";
        if (msw_loader_top(l, key))
            msw_loader_say(l, msw_loader_key(l, key),
                           "'%s' and design list: a list's points say themselves what varies", key);
    }
    const msw_node *points = find_points(l, design);
    if (points && l->ready)
        read_points(l, points);
}
