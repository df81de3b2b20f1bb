/* SPDX-License-Identifier: MIT */
/* Values of a config.json, and what the class of a model has where published files leave it out. */
#include "workload/npu/decoder/published.h"

#include <string.h>

int msw_published_fail(const source *s, const msw_json *at, const char *found, const char *allowed)
{
    return msw_fail(s->err, "%s:%zu:%zu: %s: found %s, allowed: %s", s->file, at->line, at->column,
                    at->key ? at->key : "the configuration", found, allowed);
}

const char *msw_published_shown(const msw_json *value)
{
    static const char *const KINDS[] = {
        [MSW_JSON_NULL] = "null",       [MSW_JSON_FALSE] = "false", [MSW_JSON_TRUE] = "true",
        [MSW_JSON_NUMBER] = "",         [MSW_JSON_STRING] = "",     [MSW_JSON_LIST] = "a list",
        [MSW_JSON_OBJECT] = "an object"};
    return value->text ? value->text : KINDS[value->kind];
}

const msw_json *msw_published_any(const source *s, const char *const *names)
{
    for (; *names; names++) {
        const msw_json *found = msw_json_find(s->top, *names);
        if (found && found->kind != MSW_JSON_NULL)
            return found;
    }
    return NULL;
}

/* What the class of a model has where published files leave it out. */
static int take_default(const source *s, const char *name, uint64_t *size)
{
    static const struct {
        const char *type, *name;
        uint64_t size;
    } DEFAULTS[] = {
        {"gpt2", "n_positions", 1024},
        {"gpt_bigcode", "n_positions", 1024},
        {"opt", "n_positions", 2048},
        {"gemma3_text", "vocab_size", 262208},
        {"gemma3_text", "num_attention_heads", 8},
        {"gemma3_text", "num_key_value_heads", 4},
        {"gemma3_text", "head_dim", 256},
    };
    const msw_json *type = msw_json_find(s->top, "model_type");
    for (size_t i = 0; i < sizeof DEFAULTS / sizeof *DEFAULTS; i++)
        if (type && type->text && strcmp(DEFAULTS[i].type, type->text) == 0 &&
            strcmp(DEFAULTS[i].name, name) == 0) {
            *size = DEFAULTS[i].size;
            return 1;
        }
    return 0;
}

int msw_published_size(const source *s, const char *const *names, uint64_t most, uint64_t *size)
{
    const msw_json *found = msw_published_any(s, names);
    if (!found)
        return take_default(s, names[0], size);
    if (msw_json_whole(found, size) && *size <= most)
        return 1;
    return msw_fail(s->err, "%s:%zu:%zu: %s: found %s, allowed: whole numbers up to %llu", s->file,
                    found->line, found->column, found->key, msw_published_shown(found),
                    (unsigned long long)most);
}

int msw_published_need(const source *s, const char *const *names, uint64_t most, uint64_t *size)
{
    int rc = msw_published_size(s, names, most, size);
    if (rc > 0 && *size > 0)
        return 0;
    if (rc > 0)
        return msw_published_fail(s, msw_published_any(s, names), "0", "at least 1");
    return rc ? -1
              : msw_fail(s->err, "%s:%zu:%zu: there is no %s", s->file, s->top->line,
                         s->top->column, names[0]);
}

bool msw_published_true(const source *s, const char *name)
{
    const msw_json *found = msw_json_find(s->top, name);
    return found && found->kind == MSW_JSON_TRUE;
}

bool msw_published_false(const source *s, const char *name)
{
    const msw_json *found = msw_json_find(s->top, name);
    return found && found->kind == MSW_JSON_FALSE;
}
