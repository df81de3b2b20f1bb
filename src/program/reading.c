/* SPDX-License-Identifier: MIT */
/* Reads single values of a definition, with messages that say where and what is allowed. */
#include "program/reading.h"

#include "memsweep/base/units.h"

#include <stdarg.h>
#include <stdio.h>
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
