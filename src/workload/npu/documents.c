/* SPDX-License-Identifier: MIT */
/* Reads the documents of a YAML text as the tree that JSON becomes: plain numbers, true and false
 * have their kinds; maps that "<<" and Timeloop's "<<<" name are merged. */
#include "workload/npu/parts.h"

#include "memsweep/base/json.h"
#include "memsweep/base/yaml.h"

#include <string.h>

enum { NODES_MAX = 1 << 16 };

typedef struct converter {
    msw_arena *arena;
    size_t nodes;
    msw_err *err;
} converter;

static void note_first(void *context, const msw_node *at, bool trouble, const char *text)
{
    msw_err *err = context;
    if (err && !err->kind)
        msw_fail_kind(err, trouble ? MSW_ERR_IO : MSW_ERR_USAGE, "%s:%d:%d: %s", at->file, at->line,
                      at->column, text);
}

static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t digits = strspn(text, "0123456789.");
    return digits && text[digits] == '\0';
}

static msw_json_kind kind_of(const msw_node *node)
{
    static const msw_json_kind KINDS[] = {MSW_JSON_NULL, MSW_JSON_STRING, MSW_JSON_LIST,
                                          MSW_JSON_OBJECT};
    if (node->kind != MSW_NODE_SCALAR || node->quoted)
        return KINDS[node->kind];
    if (strcmp(node->text, "true") == 0)
        return MSW_JSON_TRUE;
    if (strcmp(node->text, "false") == 0)
        return MSW_JSON_FALSE;
    return is_number(node->text) ? MSW_JSON_NUMBER : MSW_JSON_STRING;
}

static bool is_merge(const char *key)
{
    return strcmp(key, "<<") == 0 || strcmp(key, "<<<") == 0;
}

static msw_json *convert(converter *c, const msw_node *node);

static int append_items(converter *c, const msw_node *node, msw_json *out, const msw_json ***last)
{
    for (size_t i = 0; i < node->count; i++) {
        const char *key = node->keys[i] ? node->keys[i]->text : NULL;
        const msw_node *item = node->items[i];
        if (key && (is_merge(key) || msw_json_find(out, key)))
            continue;
        msw_json *value = convert(c, item);
        if (!value)
            return -1;
        value->key = key;
        **last = value;
        *last = &value->next;
        out->count++;
    }
    return 0;
}

static int append_merged(converter *c, const msw_node *node, msw_json *out, const msw_json ***last)
{
    for (size_t i = 0; node->kind == MSW_NODE_MAP && i < node->count; i++) {
        const msw_node *from = node->items[i];
        if (!is_merge(node->keys[i]->text))
            continue;
        if (from->kind != MSW_NODE_MAP)
            return msw_fail(c->err, "%s:%d:%d: what '<<' names is no map", from->file, from->line,
                            from->column);
        MSW_TRY(append_items(c, from, out, last));
        MSW_TRY(append_merged(c, from, out, last));
    }
    return 0;
}

/* Returns the value, with the maps that "<<" and Timeloop's "<<<" name merged into it, or NULL. */
static msw_json *convert(converter *c, const msw_node *node)
{
    msw_json *out = msw_arena_zero(c->arena, 1, sizeof *out);
    if (!out) {
        msw_fail_memory(c->err);
        return NULL;
    }
    if (++c->nodes > NODES_MAX) {
        msw_fail(c->err, "%s:%d:%d: more than 65,536 values", node->file, node->line, node->column);
        return NULL;
    }
    *out = (msw_json){.kind = kind_of(node), .line = (size_t)node->line};
    out->column = (size_t)node->column;
    out->text = node->kind == MSW_NODE_SCALAR ? node->text : NULL;
    const msw_json **last = &out->first;
    return append_items(c, node, out, &last) || append_merged(c, node, out, &last) ? NULL : out;
}

const msw_json *msw_npu_read_documents(const char *file, const char *bytes, size_t size,
                                       msw_arena *arena, msw_err *err)
{
    msw_err first = {0};
    converter c = {.arena = arena, .err = err};
    const msw_yaml_listener listener = {note_first, &first};
    msw_node *root;
    int rc = msw_yaml_parse_all(file, bytes, size, arena, &listener, &root);
    if (rc || first.kind) {
        msw_fail_kind(err, first.kind, "%s", first.text);
        return NULL;
    }
    return convert(&c, root);
}
