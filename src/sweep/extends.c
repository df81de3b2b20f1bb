/* SPDX-License-Identifier: MIT */
/* `extends`: a sweep file that refines another one. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { EXTENDS_MAX = 16 };

/* Mappings whose entries are merged one by one; whatever else is given replaces what was there. */
static const char *const MERGED[] = {"vary",     "fix",        "split", "derive",
                                     "sampling", "objectives", "auto"};

static bool is_merged(const char *key)
{
    for (size_t i = 0; i < sizeof MERGED / sizeof *MERGED; i++)
        if (strcmp(key, MERGED[i]) == 0)
            return true;
    return false;
}

static bool names_kind(const msw_node *design)
{
    return msw_node_find(design, "kind") < design->count ||
           msw_node_find(design, "name") < design->count;
}

/* Settings of one design mean nothing to another: a file that names a design starts afresh. */
static bool merges(const char *key, const msw_node *base, const msw_node *top)
{
    if (base->kind != MSW_NODE_MAP || top->kind != MSW_NODE_MAP)
        return false;
    return is_merged(key) || (strcmp(key, "design") == 0 && !names_kind(top));
}

static msw_node *merge(msw_loader *l, const msw_node *base, const msw_node *top, bool deep);

static int add_base(msw_loader *l, msw_node *out, const msw_node *base, const msw_node *top,
                    size_t i, bool deep)
{
    const char *key = base->keys[i]->text;
    size_t t = msw_node_find(top, key);
    msw_node *item = base->items[i], *name = base->keys[i];
    if (t < top->count) {
        name = top->keys[t];
        if (top->items[t]->kind == MSW_NODE_NULL)
            return 0;
        item = deep && merges(key, item, top->items[t]) ? merge(l, item, top->items[t], false)
                                                        : top->items[t];
    }
    return item ? msw_node_add(&l->arena, out, name, item) : -1;
}

static msw_node *merge(msw_loader *l, const msw_node *base, const msw_node *top, bool deep)
{
    msw_node *out = msw_node_new(&l->arena, MSW_NODE_MAP, top);
    int rc = out ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < base->count; i++)
        rc = add_base(l, out, base, top, i, deep);
    for (size_t i = 0; rc == 0 && i < top->count; i++)
        if (msw_node_find(base, top->keys[i]->text) == base->count)
            rc = msw_node_add(&l->arena, out, top->keys[i], top->items[i]);
    if (rc == 0)
        return out;
    msw_loader_memory(l);
    return NULL;
}

/* The files on the way from the sweep to the one being read. */
typedef struct chain {
    const char *path;
    const struct chain *below;
    int depth;
} chain;

static bool is_on(const chain *c, const char *path)
{
    for (; c; c = c->below) {
        char *a = realpath(c->path, NULL), *b = realpath(path, NULL);
        bool same = strcmp(c->path, path) == 0 || (a && b && strcmp(a, b) == 0);
        free(a);
        free(b);
        if (same)
            return true;
    }
    return false;
}

static msw_node *read_text(msw_loader *l, const chain *c, const char *text, size_t size);

static msw_node *read_base(msw_loader *l, const chain *below, const msw_node *at)
{
    char *path = msw_loader_find(l, at, at->text);
    if (!path)
        return NULL;
    if (is_on(below, path)) {
        msw_loader_say(l, at, "'%s' extends itself, directly or through others", at->text);
        return NULL;
    }
    if (below->depth >= EXTENDS_MAX) {
        msw_loader_say(l, at, "more than 16 files extend one another");
        return NULL;
    }
    char *text;
    size_t size;
    msw_err err = {0};
    if (msw_loader_file(l->options, path, MSW_SWEEP_FILE_MAX, &text, &size, &err)) {
        msw_loader_fail(l, &err, at, "cannot read %s", err.text);
        return NULL;
    }
    chain here = {path, below, below->depth + 1};
    msw_node *root = read_text(l, &here, text, size);
    free(text);
    return root;
}

static msw_node *read_text(msw_loader *l, const chain *c, const char *text, size_t size)
{
    msw_node *root, *base;
    if (msw_sweep_parse(c->path, text, size, &l->arena, &l->diagnostics, &root))
        return NULL;
    const msw_node *extends = msw_node_get(root, "extends");
    if (!extends)
        return root;
    if (!msw_loader_word(l, extends, "extends") || !(base = read_base(l, c, extends)))
        return NULL;
    return merge(l, base, root, true);
}

msw_node *msw_loader_read(msw_loader *l, const char *text, size_t size)
{
    chain first = {l->path, NULL, 0};
    return read_text(l, &first, text, size);
}
