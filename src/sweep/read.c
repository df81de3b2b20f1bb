/* SPDX-License-Identifier: MIT */
/* Reading single values of the tree, with messages that say what is allowed. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(msw_loader *l, const msw_node *at, const char *fmt, va_list args)
{
    char text[MSW_ERR_TEXT_BYTES];
    vsnprintf(text, sizeof text, fmt, args);
    msw_diagnostics_add(&l->diagnostics, at->file, at->line, at->column, "%s", text);
}

void msw_loader_say(msw_loader *l, const msw_node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(l, at, fmt, args);
    va_end(args);
}

void msw_loader_fail(msw_loader *l, const msw_err *err, const msw_node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(l, at, fmt, args);
    va_end(args);
    l->diagnostics.trouble |= err->kind == MSW_ERR_IO;
}

void msw_loader_warn(msw_loader *l, const msw_node *at, const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    msw_text_add(&l->plan->warnings, "%s:%d:%d: %s\n", at->file, at->line, at->column, text);
}

void msw_loader_memory(msw_loader *l)
{
    msw_diagnostics_memory(&l->diagnostics, l->path, 0, 0);
}

static void add_names(msw_text *text, const char *const *names, size_t stride)
{
    for (const char *p = (const char *)names; *(const char *const *)p; p += stride)
        msw_text_add(text, "%s%s", text->size ? ", " : "", *(const char *const *)p);
}

void msw_loader_unknown(msw_loader *l, const msw_node *at, const char *what,
                        const char *const *names, size_t stride)
{
    const char *nearest = msw_nearest(at->text, names, stride);
    msw_text allowed = MSW_TEXT_EMPTY;
    if (nearest)
        msw_text_add(&allowed, "did you mean '%s'?", nearest);
    else {
        add_names(&allowed, names, stride);
        msw_loader_say(l, at, "unknown %s '%s', allowed: %s", what, at->text,
                       *msw_text_str(&allowed) ? msw_text_str(&allowed) : "none");
        msw_text_free(&allowed);
        return;
    }
    msw_loader_say(l, at, "unknown %s '%s', %s", what, at->text, msw_text_str(&allowed));
    msw_text_free(&allowed);
}

static bool is_listed(const char *key, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(key, *names) == 0)
            return true;
    return false;
}

void msw_loader_check_keys(msw_loader *l, const msw_node *map, const char *const *names)
{
    for (size_t i = 0; i < map->count; i++)
        if (!is_listed(map->keys[i]->text, names))
            msw_loader_unknown(l, map->keys[i], "key", names, sizeof *names);
}

bool msw_loader_is(msw_loader *l, const msw_node *node, msw_node_kind kind, const char *what)
{
    if (node->kind == kind)
        return true;
    const msw_node wanted = {.kind = kind};
    msw_loader_say(l, node, "%s: found %s, expected %s", what, msw_node_what(node),
                   msw_node_what(&wanted));
    return false;
}

const char *msw_loader_word(msw_loader *l, const msw_node *node, const char *what)
{
    return msw_loader_is(l, node, MSW_NODE_SCALAR, what) ? node->text : NULL;
}

bool msw_loader_value(msw_loader *l, const msw_param *param, const msw_node *node, double *value)
{
    msw_err err = {0};
    if (!msw_loader_word(l, node, param->name))
        return false;
    if (msw_param_parse(param, node->text, value, &err) == 0)
        return true;
    msw_loader_fail(l, &err, node, "%s", err.text);
    return false;
}

static void unknown_setting(msw_loader *l, const msw_node *key, const msw_param *table,
                            const char *what, const char *const *others)
{
    char kind[64];
    snprintf(kind, sizeof kind, "setting of %s", what);
    const char *nearest = msw_nearest(key->text, others, sizeof *others);
    if (nearest)
        msw_loader_say(l, key, "unknown %s '%s', did you mean '%s'?", kind, key->text, nearest);
    else if (table)
        msw_loader_unknown(l, key, kind, &table->name, sizeof *table);
    else
        msw_loader_say(l, key, "unknown %s '%s': it has none", kind, key->text);
}

/* A front end's parameters may be written with a dot, as under `vary`. */
static const msw_param *find_setting(const msw_param *table, const char *key)
{
    char plain[64];
    const char *dot = strchr(key, '.');
    const msw_param *param = table ? msw_params_find(table, key) : NULL;
    if (param || !table || !dot || strlen(key) >= sizeof plain)
        return param;
    memcpy(plain, key, strlen(key) + 1);
    plain[dot - key] = '_';
    return msw_params_find(table, plain);
}

void msw_loader_table(msw_loader *l, const msw_node *map, const msw_param *table, void *config,
                      const char *what, const char *const *others)
{
    for (size_t i = 0; i < map->count; i++) {
        const char *key = map->keys[i]->text;
        if (is_listed(key, others))
            continue;
        const msw_param *param = find_setting(table, key);
        double value;
        if (!param)
            unknown_setting(l, map->keys[i], table, what, others);
        else if (msw_loader_value(l, param, map->items[i], &value))
            msw_param_set(param, config, value);
    }
}

const msw_node *msw_loader_top(const msw_loader *l, const char *key)
{
    return msw_node_get(l->root, key);
}

const msw_node *msw_loader_key(const msw_loader *l, const char *key)
{
    size_t i = msw_node_find(l->root, key);
    return i < l->root->count ? l->root->keys[i] : l->root;
}

char *msw_loader_copy(msw_loader *l, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = msw_arena_take(&l->arena, size);
    if (!copy)
        msw_loader_memory(l);
    return copy ? memcpy(copy, text, size) : NULL;
}
