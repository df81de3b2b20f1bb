/* SPDX-License-Identifier: MIT */
/* Parses YAML, as the only file that knows libfyaml: its events become nodes, quoted scalars are
 * unquoted, and text has to be UTF-8. */
#include "sweep/node.h"

#include "memsweep/base/quote.h"

#include <libfyaml.h>
#include <stdlib.h>
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

/* Checks that bytes are UTF-8 without control characters. Returns 0, or -1 with the first bad place
 * in `diagnostics`. */
static int msw_utf8_check(const char *file, const char *text, size_t size,
                          msw_diagnostics *diagnostics)
{
    const unsigned char *s = (const unsigned char *)text;
    int line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        size_t step = msw_utf8_length(text + i, size - i);
        const char *wrong = trouble(s + i, size - i, step);
        if (wrong) {
            msw_diagnostics_add(diagnostics, file, line, column, "byte 0x%02x %s", s[i], wrong);
            return -1;
        }
        column = s[i] == '\n' ? 1 : column + 1;
        line += s[i] == '\n';
        i += step;
    }
    return 0;
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
    msw_diagnostics *diagnostics;
    msw_node *root;
    frame stack[DEPTH_MAX];
    size_t depth, nodes;
    anchor anchors[ANCHORS_MAX];
    size_t anchor_count;
} builder;

static int fail_at(builder *b, const msw_node *at, const char *text)
{
    msw_diagnostics_add(b->diagnostics, at->file, at->line, at->column, "%s", text);
    return -1;
}

static int fail_memory(builder *b, const msw_node *at)
{
    msw_diagnostics_memory(b->diagnostics, at->file, at->line, at->column);
    return -1;
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

static msw_node place_of(const builder *b, struct fy_event *event)
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
    msw_diagnostics_add(b->diagnostics, key->file, key->line, key->column,
                        "duplicate key '%s', already given at line %d", key->text,
                        map->keys[first]->line);
    return true;
}

/* Puts a finished node where it belongs. */
static int attach(builder *b, msw_node *node)
{
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
    return b->root ? fail_at(b, at, "a second document: a sweep file holds one") : 0;
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
    msw_node at = place_of(b, event);
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
    if (error && error->msg)
        msw_diagnostics_add(b->diagnostics, b->file, error->line > 0 ? error->line : 1,
                            error->column > 0 ? error->column : 1, "not YAML: %s", error->msg);
    else
        msw_diagnostics_add(b->diagnostics, b->file, 1, 1, "not YAML");
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

/* A document that is only a comment has no root. */
static int check_root(const builder *b)
{
    if (b->root && b->root->kind == MSW_NODE_MAP)
        return 0;
    const msw_node start = {.file = b->file, .line = 1, .column = 1};
    const msw_node *at = b->root ? b->root : &start;
    bool empty = !b->root || b->root->kind == MSW_NODE_NULL;
    msw_diagnostics_add(b->diagnostics, at->file, at->line, at->column,
                        empty ? "an empty file; a sweep starts with 'sweep: <name>'"
                              : "%s; a sweep file is a mapping of 'key: value' lines",
                        empty ? "" : msw_node_what(at));
    return -1;
}

int msw_yaml_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                   msw_diagnostics *diagnostics, msw_node **root)
{
    if (msw_utf8_check(file, text, size, diagnostics))
        return -1;
    builder *b = msw_arena_zero(arena, 1, sizeof *b);
    struct fy_diag *diag = silent_diag();
    struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_QUIET, .diag = diag};
    struct fy_parser *parser = b && diag ? fy_parser_create(&config) : NULL;
    int rc = -1;
    if (parser && fy_parser_set_string(parser, text, size) == 0) {
        *b = (builder){.file = file, .text = text, .arena = arena, .diagnostics = diagnostics};
        rc = build(b, parser, diag);
        if (rc == 0)
            rc = check_root(b);
        *root = b->root;
    } else {
        msw_diagnostics_memory(diagnostics, file, 0, 0);
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return rc;
}
