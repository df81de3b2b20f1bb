/* SPDX-License-Identifier: MIT */
/* The YAML that Timeloop problems are written in, as the tree that JSON becomes: maps and lists by
 * indentation or in brackets, plain and quoted scalars, comments, anchors and aliases. Block texts,
 * tags, templates and keys that are no scalars are refused. */
#include "workload/npu/yaml.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 32, ANCHORS_MAX = 32, NODES_MAX = 1 << 16, MEMBERS_MAX = 1024 };

typedef struct anchor {
    const char *name;
    size_t size;
    const msw_json *value;
} anchor;

typedef struct reader {
    const char *file, *at, *end, *line_start;
    size_t line;
    int depth, nodes;
    anchor anchors[ANCHORS_MAX];
    int anchor_count;
    msw_arena *arena;
    msw_err *err;
} reader;

static int fail(const reader *r, const char *what)
{
    return msw_fail(r->err, "%s:%zu:%zu: %s", r->file, r->line, (size_t)(r->at - r->line_start) + 1,
                    what);
}

static bool is_end(const reader *r)
{
    return r->at >= r->end;
}

static char peek(const reader *r, size_t ahead)
{
    return r->at + ahead < r->end ? r->at[ahead] : '\n';
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static size_t column(const reader *r)
{
    return (size_t)(r->at - r->line_start);
}

/* Passes over spaces and a comment, up to the end of the line. */
static void skip_spaces(reader *r)
{
    bool gap = r->at == r->line_start || is_gap(r->at[-1]);
    while (!is_end(r) && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++, gap = true;
    if (!is_end(r) && *r->at == '#' && gap)
        while (!is_end(r) && *r->at != '\n')
            r->at++;
}

/* Goes on to the next thing, over ends of lines. */
static void skip_lines(reader *r)
{
    for (skip_spaces(r); !is_end(r) && *r->at == '\n'; skip_spaces(r)) {
        r->line_start = ++r->at;
        r->line++;
    }
}

/* "---" or "..." at the start of a line: the document is over. */
static bool is_marker(const reader *r)
{
    return column(r) == 0 && r->end - r->at >= 3 &&
           (memcmp(r->at, "---", 3) == 0 || memcmp(r->at, "...", 3) == 0) && is_gap(peek(r, 3));
}

static msw_json *new_node(reader *r, msw_json_kind kind)
{
    msw_json *node = msw_arena_zero(r->arena, 1, sizeof *node);
    if (!node || ++r->nodes > NODES_MAX) {
        if (node)
            fail(r, "more than 65,536 values");
        else
            msw_fail_memory(r->err);
        return NULL;
    }
    node->kind = kind;
    node->line = r->line;
    node->column = column(r) + 1;
    return node;
}

static void append(msw_json *parent, msw_json **last, msw_json *child)
{
    if (*last)
        (*last)->next = child;
    else
        parent->first = child;
    *last = child;
    parent->count++;
}

static const char *copy(reader *r, const char *from, size_t size)
{
    char *text = msw_arena_take(r->arena, size + 1);
    if (!text) {
        msw_fail_memory(r->err);
        return NULL;
    }
    memcpy(text, from, size);
    text[size] = '\0';
    return text;
}

/* ---- scalars ---- */

static bool is_number(const char *text)
{
    size_t digits = strspn(text + (*text == '-' || *text == '+'), "0123456789.");
    text += (*text == '-' || *text == '+') + digits;
    return digits && *text == '\0';
}

/* A quoted text; escapes are kept as they are. Returns it, or NULL. */
static const char *read_quoted(reader *r)
{
    char quote = *r->at++;
    const char *from = r->at;
    while (!is_end(r) && *r->at != quote && *r->at != '\n')
        r->at++;
    if (is_end(r) || *r->at != quote) {
        fail(r, "a text that is not closed on its line");
        return NULL;
    }
    r->at++;
    return copy(r, from, (size_t)(r->at - from) - 1);
}

static bool ends_plain(const reader *r, bool flow)
{
    char c = *r->at;
    if (c == '\n' || (c == ':' && is_gap(peek(r, 1))) || (c == '#' && is_gap(r->at[-1])))
        return true;
    return flow && (c == ',' || c == ']' || c == '}' || (c == ':' && peek(r, 1) == ','));
}

/* Returns a plain or quoted scalar, or NULL. */
static const char *read_scalar(reader *r, bool flow)
{
    const char *from = r->at;
    if (*from == '"' || *from == '\'')
        return read_quoted(r);
    if (strchr("|>!%@`{}[],?", *from) || *from == '\0') {
        fail(r, "found what is not read here: allowed are maps, lists, words and numbers (no block "
                "texts, tags or templates)");
        return NULL;
    }
    for (r->at++; !is_end(r) && !ends_plain(r, flow);)
        r->at++;
    const char *to = r->at;
    while (to > from && is_gap(to[-1]))
        to--;
    return copy(r, from, (size_t)(to - from));
}

static msw_json *scalar_node(reader *r, bool flow)
{
    bool quoted = *r->at == '"' || *r->at == '\'';
    msw_json *node = new_node(r, MSW_JSON_STRING);
    if (!node || !(node->text = read_scalar(r, flow)))
        return NULL;
    if (!quoted && is_number(node->text))
        node->kind = MSW_JSON_NUMBER;
    if (!quoted && strcmp(node->text, "true") == 0)
        node->kind = MSW_JSON_TRUE;
    if (!quoted && strcmp(node->text, "false") == 0)
        node->kind = MSW_JSON_FALSE;
    return node;
}

/* ---- anchors ---- */

static size_t word_size(const reader *r)
{
    size_t size = 0;
    while (!is_gap(peek(r, size)) && !strchr(",[]{}", peek(r, size)))
        size++;
    return size;
}

/* A copy of what an alias names, so that it can be in another list. */
static msw_json *read_alias(reader *r)
{
    msw_json *node;
    r->at++;
    size_t size = word_size(r);
    for (int i = r->anchor_count - 1; i >= 0; i--)
        if (r->anchors[i].size == size && memcmp(r->anchors[i].name, r->at, size) == 0) {
            if (!(node = new_node(r, MSW_JSON_NULL)))
                return NULL;
            *node = *r->anchors[i].value;
            node->key = NULL;
            node->next = NULL;
            r->at += size;
            return node;
        }
    fail(r, "an alias of what has no anchor before it");
    return NULL;
}

static int note_anchor(reader *r, const char *name, size_t size, const msw_json *value)
{
    if (r->anchor_count == ANCHORS_MAX)
        return fail(r, "more than 32 anchors");
    r->anchors[r->anchor_count++] = (anchor){name, size, value};
    return 0;
}

/* ---- lists and maps in brackets ---- */

static msw_json *read_flow(reader *r);

static int add_member(reader *r, msw_json *map, msw_json **last, const char *key, msw_json *value)
{
    if (map->count == MEMBERS_MAX)
        return fail(r, "a map of more than 1,024 members");
    for (const msw_json *m = map->first; m; m = m->next)
        if (strcmp(m->key, key) == 0)
            return fail(r, "a key that occurs twice");
    value->key = key;
    append(map, last, value);
    return 0;
}

static int read_flow_member(reader *r, msw_json *map, msw_json **last)
{
    const char *key = read_scalar(r, true);
    msw_json *value;
    if (!key)
        return -1;
    skip_lines(r);
    if (is_end(r) || *r->at != ':')
        return fail(r, "a key without ':'");
    r->at++;
    skip_lines(r);
    return (value = read_flow(r)) ? add_member(r, map, last, key, value) : -1;
}

static msw_json *read_brackets(reader *r)
{
    bool map = *r->at == '{';
    char close = map ? '}' : ']';
    msw_json *node = new_node(r, map ? MSW_JSON_OBJECT : MSW_JSON_LIST), *last = NULL, *child;
    if (!node)
        return NULL;
    r->at++;
    for (skip_lines(r); !is_end(r) && *r->at != close; skip_lines(r)) {
        if (map ? read_flow_member(r, node, &last) : !(child = read_flow(r)))
            return NULL;
        if (!map)
            append(node, &last, child);
        skip_lines(r);
        if (!is_end(r) && *r->at == ',')
            r->at++;
        else if (is_end(r) || *r->at != close)
            break;
    }
    if (is_end(r) || *r->at != close) {
        fail(r, map ? "a map without '}'" : "a list without ']'");
        return NULL;
    }
    r->at++;
    return node;
}

static msw_json *read_flow(reader *r)
{
    msw_json *node = NULL;
    if (++r->depth > DEPTH_MAX)
        fail(r, "more than 32 levels");
    else if (is_end(r))
        fail(r, "nothing where a value must be");
    else if (*r->at == '[' || *r->at == '{')
        node = read_brackets(r);
    else
        node = *r->at == '*' ? read_alias(r) : scalar_node(r, true);
    r->depth--;
    return node;
}

/* ---- by indentation ---- */

static msw_json *read_block(reader *r, size_t indent);

/* Is there a key at hand: a scalar with ':' behind it on this line? */
static bool is_key(const reader *r)
{
    reader ahead = *r;
    char quote = *r->at;
    if (quote == '"' || quote == '\'') {
        for (ahead.at++; !is_end(&ahead) && *ahead.at != quote && *ahead.at != '\n';)
            ahead.at++;
        ahead.at += !is_end(&ahead);
    } else {
        while (!is_end(&ahead) && *ahead.at != '\n' && !strchr("[]{},", *ahead.at) &&
               !(*ahead.at == ':' && is_gap(peek(&ahead, 1))))
            ahead.at++;
    }
    return !is_end(&ahead) && *ahead.at == ':' && is_gap(peek(&ahead, 1));
}

static bool is_dash(const reader *r)
{
    return !is_end(r) && *r->at == '-' && is_gap(peek(r, 1));
}

/* The value behind a key or a dash: on its line, or below, further in than `indent`. */
static msw_json *read_value(reader *r, size_t indent, bool of_key)
{
    const char *name = NULL;
    size_t size = 0, line = r->line;
    msw_json *node;
    skip_spaces(r);
    if (!is_end(r) && *r->at == '&') {
        name = ++r->at;
        size = word_size(r);
        r->at += size;
    }
    skip_lines(r);
    bool below = r->line != line;
    bool inside = column(r) > indent || (of_key && below && column(r) == indent && is_dash(r));
    if (is_end(r) || is_marker(r) || (below && !inside))
        node = new_node(r, MSW_JSON_NULL);
    else if (below || !of_key)
        node = read_block(r, column(r));
    else
        node = read_flow(r);
    return node && name && note_anchor(r, name, size, node) ? NULL : node;
}

/* "<<: *name" and Timeloop's "<<<: *name": members of another map that this one does not have. */
static int merge(reader *r, msw_json *map, msw_json **last, const msw_json *from)
{
    if (from->kind != MSW_JSON_OBJECT)
        return fail(r, "what '<<' names is no map");
    for (const msw_json *m = from->first; m; m = m->next) {
        msw_json *member = new_node(r, MSW_JSON_NULL);
        if (!member)
            return -1;
        *member = *m;
        member->next = NULL;
        if (!msw_json_find(map, m->key) && map->count < MEMBERS_MAX)
            append(map, last, member);
    }
    return 0;
}

static int read_member(reader *r, size_t indent, msw_json *map, msw_json **last)
{
    const char *key = read_scalar(r, false);
    msw_json *value;
    if (!key)
        return -1;
    skip_spaces(r);
    if (is_end(r) || *r->at != ':')
        return fail(r, "a key without ':'");
    r->at++;
    if (!(value = read_value(r, indent, true)))
        return -1;
    bool merged = strcmp(key, "<<") == 0 || strcmp(key, "<<<") == 0;
    return merged ? merge(r, map, last, value) : add_member(r, map, last, key, value);
}

/* Members of a map or items of a list that start in column `indent`. */
static msw_json *read_entries(reader *r, size_t indent, bool list)
{
    msw_json *node = new_node(r, list ? MSW_JSON_LIST : MSW_JSON_OBJECT), *last = NULL, *child;
    while (node) {
        if (list) {
            r->at++;
            if (!(child = read_value(r, indent, false)))
                return NULL;
            append(node, &last, child);
        } else if (read_member(r, indent, node, &last)) {
            return NULL;
        }
        skip_lines(r);
        if (is_end(r) || is_marker(r) || column(r) < indent ||
            (!list && is_dash(r) && column(r) == indent))
            break;
        if (column(r) != indent || list != is_dash(r) || (!list && !is_key(r))) {
            if (list && column(r) == indent)
                break;
            fail(r, "a line that is indented neither deeper than the one before nor the same");
            return NULL;
        }
    }
    return node;
}

static msw_json *read_block(reader *r, size_t indent)
{
    msw_json *node = NULL;
    if (++r->depth > DEPTH_MAX)
        fail(r, "more than 32 levels");
    else if (memchr(r->line_start, '\t', (size_t)(r->at - r->line_start)))
        fail(r, "a tab before a value; allowed: spaces");
    else if (is_dash(r) || is_key(r))
        node = read_entries(r, indent, is_dash(r));
    else
        node = read_flow(r);
    r->depth--;
    return node;
}

const msw_json *msw_npu_read_yaml(const char *file, const char *bytes, size_t size,
                                  msw_arena *arena, msw_err *err)
{
    reader r = {file, bytes, bytes + size, bytes, 1, 0, 0, {{0}}, 0, arena, err};
    msw_json *all = new_node(&r, MSW_JSON_LIST), *last = NULL;
    if (memchr(bytes, '\0', size)) {
        fail(&r, "a zero byte");
        return NULL;
    }
    for (skip_lines(&r); all && !is_end(&r); skip_lines(&r)) {
        if (is_marker(&r)) {
            r.at += 3;
            continue;
        }
        msw_json *document = read_block(&r, column(&r));
        if (!document)
            return NULL;
        append(all, &last, document);
        skip_lines(&r);
        if (!is_end(&r) && !is_marker(&r)) {
            fail(&r, "something behind the end of the value");
            return NULL;
        }
    }
    return all;
}
