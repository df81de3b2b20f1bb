/* SPDX-License-Identifier: MIT */
/* Parses YAML, as the only file that knows libfyaml: its events become nodes, quoted scalars are
 * unquoted, and text has to be UTF-8. */
#include "memsweep/base/yaml.h"

#include "memsweep/base/err.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

/* Line ends that YAML 1.2 has no longer: a carriage return alone, U+0085, U+2028, U+2029. */
static bool odd_line_end(const unsigned char *s, size_t left)
{
    static const char *const ODD[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    if (s[0] == '\r')
        return left < 2 || s[1] != '\n';
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++)
        if (left >= strlen(ODD[i]) && memcmp(s, ODD[i], strlen(ODD[i])) == 0)
            return true;
    return false;
}

static const char *trouble(const unsigned char *s, size_t left, size_t step)
{
    if (step == 0)
        return "is not UTF-8 text";
    if (control(*s))
        return "is a control character";
    return odd_line_end(s, left) ? "starts a line end that is neither LF nor CR LF" : NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies a run of blanks; with a line break in it, it reads as one blank. Returns where it ends. */
static const char *fold(const char *c, char **out)
{
    const char *end = c;
    bool breaks = false;
    for (; is_blank(*end); end++)
        breaks = breaks || *end == '\n';
    if (breaks)
        *(*out)++ = ' ';
    for (; !breaks && c < end; c++)
        *(*out)++ = *c;
    return end;
}

/* Decodes in place what was between single quotes: '' is a quote, a line break is a blank.
 * Returns the new length. */
static size_t msw_unquote(char *text)
{
    const char *c = text;
    char *out = text;
    while (*c) {
        if (is_blank(*c)) {
            c = fold(c, &out);
        } else {
            *out++ = *c;
            c += c[0] == '\'' && c[1] == '\'' ? 2 : 1;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

enum { DEPTH_MAX = 32, NODES_MAX = 200000, MAP_MAX = 4096, ANCHORS_MAX = 256 };

typedef struct anchor {
    const char *name;
    msw_node *node;
} anchor;

/* An open list or map, and the key that waits for its value. */
typedef struct frame {
    msw_node *node, *key;
} frame;

typedef struct builder {
    const char *file, *text;
    msw_arena *arena;
    const msw_yaml_listener *listener;
    bool all; /* documents, as a list */
    msw_node *root;
    frame stack[DEPTH_MAX];
    size_t depth, nodes;
    anchor anchors[ANCHORS_MAX];
    size_t anchor_count;
} builder;

static void say(const builder *b, const msw_node *at, bool trouble, const char *fmt, ...)
    MSW_PRINTF(4, 5);

static void say(const builder *b, const msw_node *at, bool trouble, const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    b->listener->say(b->listener->context, at, trouble, text);
}

static int fail_at(builder *b, const msw_node *at, const char *text)
{
    say(b, at, false, "%s", text);
    return -1;
}

static int fail_memory(builder *b, const msw_node *at)
{
    say(b, at, true, "out of memory");
    return -1;
}

/* Checks that the text is UTF-8 without control characters. Returns 0, or -1. */
static int check_text(const builder *b, size_t size)
{
    msw_node at = {.file = b->file, .line = 1, .column = 1};
    for (size_t i = 0; i < size;) {
        size_t step = msw_utf8_length(b->text + i, size - i);
        const unsigned char *s = (const unsigned char *)b->text + i;
        const char *wrong = trouble(s, size - i, step);
        if (wrong) {
            say(b, &at, false, "byte 0x%02x %s", *s, wrong);
            return -1;
        }
        at.column = *s == '\n' ? 1 : at.column + 1;
        at.line += *s == '\n';
        i += step;
    }
    return 0;
}

static char *copy(builder *b, const char *text, size_t size)
{
    char *string = msw_arena_take(b->arena, size + 1);
    if (!string)
        return NULL;
    if (size)
        memcpy(string, text, size);
    string[size] = '\0';
    return string;
}

static msw_node event_node(const builder *b, struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    return (msw_node){
        .file = b->file, .line = mark ? mark->line + 1 : 1, .column = mark ? mark->column + 1 : 1};
}

static bool is_null(const char *text)
{
    return !*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

/* libfyaml 0.7 loses memory on some single-quoted texts: they are decoded here, from between its
 * marks, which leave the quotes out. */
static char *single_quoted(builder *b, struct fy_event *event, size_t *size)
{
    size_t first = fy_event_start_mark(event)->input_pos,
           last = fy_event_end_mark(event)->input_pos;
    char *string = copy(b, b->text + first, last - first);
    *size = string ? msw_unquote(string) : 0;
    return string;
}

static char *scalar_text(builder *b, struct fy_event *event, size_t *size)
{
    struct fy_token *token = event->scalar.value;
    if (token && fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED)
        return single_quoted(b, event, size);
    const char *text = token ? fy_token_get_text(token, size) : NULL;
    if (!text)
        *size = 0;
    return copy(b, text ? text : "", *size);
}

static msw_node *scalar(builder *b, struct fy_event *event, const msw_node *at)
{
    size_t size = 0;
    struct fy_token *token = event->scalar.value;
    msw_node *node = msw_node_new(b->arena, MSW_NODE_SCALAR, at);
    char *string = node ? scalar_text(b, event, &size) : NULL;
    if (!string) {
        fail_memory(b, at);
        return NULL;
    }
    if (strlen(string) != size) {
        fail_at(b, at, "text with a zero byte in it");
        return NULL;
    }
    node->text = string;
    node->quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
    if (!node->quoted && is_null(string))
        node->kind = MSW_NODE_NULL;
    return node;
}

static int check_key(builder *b, const msw_node *map, const msw_node *key)
{
    if (key->kind != MSW_NODE_SCALAR)
        return fail_at(b, key, "a key must be a single word");
    if (map->count >= MAP_MAX)
        return fail_at(b, key, "a mapping of more than 4096 keys");
    return 0;
}

/* A duplicate is reported and left out, so that the rest can be checked. */
static bool is_duplicate(builder *b, const msw_node *map, const msw_node *key)
{
    size_t first = key ? msw_node_find(map, key->text) : map->count;
    if (first == map->count)
        return false;
    say(b, key, false, "duplicate key '%s', already given at line %d", key->text,
        map->keys[first]->line);
    return true;
}

/* Puts a finished node where it belongs. */
static int attach(builder *b, msw_node *node)
{
    if (b->depth == 0 && b->all)
        return msw_node_add(b->arena, b->root, NULL, node) ? fail_memory(b, node) : 0;
    if (b->depth == 0) {
        b->root = node;
        return 0;
    }
    frame *top = &b->stack[b->depth - 1];
    if (top->node->kind == MSW_NODE_MAP && !top->key) {
        top->key = node;
        return check_key(b, top->node, node);
    }
    top->node->weight += node->weight;
    if (top->node->weight > NODES_MAX)
        return fail_at(b, node, "too large once its aliases are written out");
    msw_node *key = top->key;
    top->key = NULL;
    if (key && node->kind == MSW_NODE_NULL && !*node->text) {
        node->line = key->line; /* nothing is nowhere: its key stands for it */
        node->column = key->column;
    }
    if (is_duplicate(b, top->node, key))
        return 0;
    return msw_node_add(b->arena, top->node, key, node) ? fail_memory(b, node) : 0;
}

static int remember(builder *b, struct fy_event *event, msw_node *node)
{
    struct fy_token *token = fy_event_get_anchor_token(event);
    if (!token)
        return 0;
    size_t size = 0;
    const char *name = fy_token_get_text(token, &size);
    char *string = name && b->anchor_count < ANCHORS_MAX ? copy(b, name, size) : NULL;
    if (!string)
        return fail_at(b, node, "more than 256 anchors");
    b->anchors[b->anchor_count++] = (anchor){string, node};
    return 0;
}

static bool is_open(const builder *b, const msw_node *node)
{
    for (size_t i = 0; i < b->depth; i++)
        if (b->stack[i].node == node)
            return true;
    return false;
}

static int on_alias(builder *b, struct fy_event *event, const msw_node *at)
{
    size_t size = 0;
    const char *name = fy_token_get_text(event->alias.anchor, &size);
    for (size_t i = b->anchor_count; name && i-- > 0;) {
        const anchor *a = &b->anchors[i];
        if (strlen(a->name) != size || memcmp(a->name, name, size) != 0)
            continue;
        if (is_open(b, a->node))
            return fail_at(b, at, "an alias inside its own anchor");
        return attach(b, a->node);
    }
    return fail_at(b, at, "an alias of an anchor that is not there");
}

static int on_scalar(builder *b, struct fy_event *event, const msw_node *at)
{
    msw_node *node = scalar(b, event, at);
    return !node || remember(b, event, node) ? -1 : attach(b, node);
}

static int on_start(builder *b, struct fy_event *event, const msw_node *at, msw_node_kind kind)
{
    if (b->depth == DEPTH_MAX)
        return fail_at(b, at, "nested more than 32 levels deep");
    msw_node *node = msw_node_new(b->arena, kind, at);
    if (!node)
        return fail_memory(b, at);
    b->stack[b->depth++] = (frame){node, NULL};
    return remember(b, event, node);
}

static int on_end(builder *b)
{
    if (b->depth == 0)
        return 0;
    return attach(b, b->stack[--b->depth].node);
}

static int on_document(builder *b, const msw_node *at)
{
    b->anchor_count = b->all ? 0 : b->anchor_count;
    return b->root && !b->all ? fail_at(b, at, "a second document, where one is allowed") : 0;
}

static int check_event(builder *b, struct fy_event *event, const msw_node *at)
{
    if (++b->nodes > NODES_MAX)
        return fail_at(b, at, "a file of more than 200000 items");
    if (fy_event_get_tag_token(event))
        return fail_at(b, at, "tags ('!name') have no meaning here");
    return 0;
}

static int on_event(builder *b, struct fy_event *event)
{
    msw_node at = event_node(b, event);
    if (check_event(b, event, &at))
        return -1;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return on_document(b, &at);
    case FYET_MAPPING_START:
        return on_start(b, event, &at, MSW_NODE_MAP);
    case FYET_SEQUENCE_START:
        return on_start(b, event, &at, MSW_NODE_LIST);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return on_end(b);
    case FYET_SCALAR:
        return on_scalar(b, event, &at);
    case FYET_ALIAS:
        return on_alias(b, event, &at);
    default:
        return 0;
    }
}

static int syntax_error(builder *b, struct fy_diag *diag)
{
    void *iter = NULL;
    struct fy_diag_error *error = fy_diag_errors_iterate(diag, &iter);
    bool placed = error && error->msg;
    const msw_node at = {.file = b->file,
                         .line = placed && error->line > 0 ? error->line : 1,
                         .column = placed && error->column > 0 ? error->column : 1};
    say(b, &at, false, placed ? "not YAML: %s" : "not YAML%s", placed ? error->msg : "");
    return -1;
}

static int build(builder *b, struct fy_parser *parser, struct fy_diag *diag)
{
    int rc = 0;
    struct fy_event *event;
    while (rc == 0 && (event = fy_parser_parse(parser)) != NULL) {
        rc = on_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (rc == 0 && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)))
        return syntax_error(b, diag);
    return rc;
}

static struct fy_diag *silent_diag(void)
{
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    return diag;
}

static int parse(builder *b, size_t size)
{
    const msw_node whole = {.file = b->file};
    struct fy_diag *diag = silent_diag();
    struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_QUIET, .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&config) : NULL;
    int rc = -1;
    if (parser && fy_parser_set_string(parser, b->text, size) == 0)
        rc = build(b, parser, diag);
    else
        fail_memory(b, &whole);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return rc;
}

static int read_text(const builder *start, size_t size, msw_node **root)
{
    const msw_node first = {.file = start->file, .line = 1, .column = 1};
    builder *b = msw_arena_take(start->arena, sizeof *b);
    *root = NULL;
    if (!b)
        return fail_memory((builder *)start, &first);
    *b = *start;
    MSW_TRY(check_text(b, size));
    if (b->all && !(b->root = msw_node_new(b->arena, MSW_NODE_LIST, &first)))
        return fail_memory(b, &first);
    MSW_TRY(parse(b, size));
    *root = b->root;
    return 0;
}

int msw_yaml_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                   const msw_yaml_listener *listener, msw_node **root)
{
    const builder b = {.file = file, .text = text, .arena = arena, .listener = listener};
    return read_text(&b, size, root);
}

int msw_yaml_parse_all(const char *file, const char *text, size_t size, msw_arena *arena,
                       const msw_yaml_listener *listener, msw_node **root)
{
    const builder b = {
        .file = file, .text = text, .arena = arena, .listener = listener, .all = true};
    return read_text(&b, size, root);
}

/* ---- nodes ---- */

msw_node *msw_node_new(msw_arena *arena, msw_node_kind kind, const msw_node *at)
{
    msw_node *node = msw_arena_zero(arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = (msw_node){.kind = kind,
                       .file = at->file,
                       .line = at->line,
                       .column = at->column,
                       .text = "",
                       .weight = 1};
    return node;
}

int msw_node_add(msw_arena *arena, msw_node *parent, msw_node *key, msw_node *item)
{
    size_t room = parent->capacity, wanted = parent->count + 1;
    MSW_TRY(msw_vec_reserve_in(arena, &parent->items, &room, wanted, sizeof *parent->items, NULL));
    MSW_TRY(msw_vec_reserve_in(arena, &parent->keys, &parent->capacity, wanted,
                               sizeof *parent->keys, NULL));
    parent->keys[parent->count] = key;
    parent->items[parent->count++] = item;
    return 0;
}

bool msw_key_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a == '.' ? '_' : *a) != (*b == '.' ? '_' : *b))
            return false;
    return *a == *b;
}

size_t msw_node_find(const msw_node *map, const char *key)
{
    if (!map || map->kind != MSW_NODE_MAP)
        return map ? map->count : 0;
    size_t i = 0;
    while (i < map->count && !msw_key_same(map->keys[i]->text, key))
        i++;
    return i;
}

const msw_node *msw_node_get(const msw_node *map, const char *key)
{
    size_t i = msw_node_find(map, key);
    if (!map || i == map->count || map->items[i]->kind == MSW_NODE_NULL)
        return NULL;
    return map->items[i];
}

const char *msw_node_what(const msw_node *node)
{
    static const char *const WHAT[] = {"nothing", "a single value", "a list", "a mapping"};
    return WHAT[node->kind];
}
