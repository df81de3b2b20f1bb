/* SPDX-License-Identifier: MIT */
/* Reads single values from the tree of a sweep file, with messages that say what is allowed.
 * Messages are collected and reported in the order of the file. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages quote the user's text; whatever it holds, a message stays one line. */
static void flatten(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

static bool known(const msw_diagnostics *diagnostics, const msw_diagnostic *note)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const msw_diagnostic *other = &diagnostics->list[i];
        if (other->line == note->line && other->column == note->column &&
            strcmp(other->file, note->file) == 0 && strcmp(other->text, note->text) == 0)
            return true;
    }
    return false;
}

void msw_diagnostics_add(msw_diagnostics *diagnostics, const char *file, int line, int column,
                         const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    flatten(text);
    msw_diagnostic note = {file, line, column, text};
    if (known(diagnostics, &note))
        return;
    bool room = diagnostics->count < MSW_DIAGNOSTICS_MAX;
    note.text = room ? msw_strdup(text) : NULL;
    diagnostics->trouble |= room && !note.text;
    if (note.text)
        diagnostics->list[diagnostics->count++] = note;
    else
        diagnostics->dropped++;
}

/* Adds that memory ran out, of which the file is not to blame. */
static void add_memory(msw_diagnostics *diagnostics, const char *file, int line, int column)
{
    msw_diagnostics_add(diagnostics, file, line, column, "out of memory");
    diagnostics->trouble = true;
}

static bool before(const msw_diagnostic *a, const msw_diagnostic *b)
{
    int order = strcmp(a->file, b->file);
    if (order != 0)
        return order < 0;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion sort: few messages, and those at one place stay in the order found. */
static void sort(msw_diagnostics *diagnostics)
{
    for (size_t i = 1; i < diagnostics->count; i++) {
        msw_diagnostic note = diagnostics->list[i];
        size_t j = i;
        for (; j > 0 && before(&note, &diagnostics->list[j - 1]); j--)
            diagnostics->list[j] = diagnostics->list[j - 1];
        diagnostics->list[j] = note;
    }
}

void msw_diagnostics_print(msw_diagnostics *diagnostics, msw_messages *out)
{
    sort(diagnostics);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const msw_diagnostic *note = &diagnostics->list[i];
        if (note->line > 0)
            msw_text_add(&out->text, "%s:%d:%d: %s\n", note->file, note->line, note->column,
                         note->text);
        else
            msw_text_add(&out->text, "%s: %s\n", note->file, note->text);
    }
    if (diagnostics->dropped && diagnostics->count)
        msw_text_add(&out->text, "and %zu more\n", diagnostics->dropped);
    out->count += diagnostics->count + diagnostics->dropped;
    out->trouble |= diagnostics->trouble;
}

void msw_diagnostics_free(msw_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        free(diagnostics->list[i].text);
    memset(diagnostics, 0, sizeof *diagnostics);
}

static void note_trouble(void *context, const msw_node *at, bool trouble, const char *text)
{
    msw_diagnostics *diagnostics = context;
    msw_diagnostics_add(diagnostics, at->file, at->line, at->column, "%s", text);
    diagnostics->trouble |= trouble;
}

int msw_sweep_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                    msw_diagnostics *diagnostics, msw_node **root)
{
    const msw_yaml_listener listener = {note_trouble, diagnostics};
    MSW_TRY(msw_yaml_parse(file, text, size, arena, &listener, root));
    if (*root && (*root)->kind == MSW_NODE_MAP)
        return 0;
    const msw_node start = {.file = file, .line = 1, .column = 1};
    const msw_node *at = *root ? *root : &start;
    bool empty = !*root || (*root)->kind == MSW_NODE_NULL;
    msw_diagnostics_add(diagnostics, at->file, at->line, at->column,
                        empty ? "an empty file; a sweep starts with 'sweep: <name>'"
                              : "%s; a sweep file is a mapping of 'key: value' lines",
                        empty ? "" : msw_node_what(at));
    return -1;
}

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
    add_memory(&l->diagnostics, l->path, 0, 0);
}

static void add_names(msw_text *text, const char *const *names, size_t stride)
{
    for (const char *p = (const char *)names; *(const char *const *)p; p += stride)
        msw_text_add(text, "%s%s", text->size ? ", " : "", *(const char *const *)p);
}

static bool has_name(const char *name, const char *const *names, size_t stride)
{
    for (const char *p = (const char *)names; *(const char *const *)p; p += stride)
        if (strcmp(*(const char *const *)p, name) == 0)
            return true;
    return false;
}

void msw_loader_unknown(msw_loader *l, const msw_node *at, const char *what,
                        const char *const *names, size_t stride)
{
    const char *nearest = msw_nearest(at->text, names, stride);
    msw_text allowed = MSW_TEXT_EMPTY;
    if (strcmp(at->text, "set") == 0 && has_name("fix", names, stride))
        nearest = "fix"; /* "seed" is nearer, but not what is meant */
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
const msw_param *msw_loader_setting(const msw_param *table, const char *key)
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
        const msw_param *param = msw_loader_setting(table, key);
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
