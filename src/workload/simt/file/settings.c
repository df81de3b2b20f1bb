/* SPDX-License-Identifier: MIT */
/* Names of workloads: "axpy/n=16Mi,ctas=64", "mine.simt/ptx=fast". */
#include "workload/simt/file/reader.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

static int add(msw_simt_settings *s, const char *text, size_t size, msw_err *err)
{
    const char *equal = memchr(text, '=', size);
    if (s->count == MSW_SIMT_SETTINGS_MAX || !equal || equal == text || equal + 1 == text + size)
        return msw_fail(err,
                        "workload '%s': found '%.*s', allowed: sizes such as n=16Mi or ptx=NAME, "
                        "with commas between them",
                        s->workload, (int)size, text);
    if (msw_simt_settings_find(s, text, (size_t)(equal - text)))
        return msw_fail(err, "workload '%s': '%.*s' is set twice", s->workload, (int)(equal - text),
                        text);
    s->list[s->count++] = (msw_simt_setting){.name = text,
                                             .name_size = (uint32_t)(equal - text),
                                             .value = equal + 1,
                                             .value_size = (uint32_t)(text + size - equal - 1)};
    return 0;
}

/* A shipped workload's name ends with its preset, whose .ptx has the same name: "axpy/natural". */
static void add_preset(msw_simt_settings *s, const char *name, size_t head_size)
{
    static const char END[] = ".simt";
    size_t end = strlen(END);
    const char *slash = memchr(name, '/', head_size);
    if (!slash || (head_size > end && memcmp(name + head_size - end, END, end) == 0))
        return;
    s->list[s->count++] =
        (msw_simt_setting){.name = "ptx",
                           .name_size = 3,
                           .value = slash + 1,
                           .value_size = (uint32_t)(name + head_size - slash - 1)};
}

int msw_simt_settings_read(const char *name, msw_simt_settings *settings, size_t *head_size,
                           msw_err *err)
{
    const char *slash = strrchr(name, '/');
    *settings = (msw_simt_settings){.workload = name};
    bool more = slash && strchr(slash, '=');
    *head_size = more ? (size_t)(slash - name) : strlen(name);
    add_preset(settings, name, *head_size);
    if (!more)
        return 0;
    for (const char *from = slash + 1; from;) {
        const char *comma = strchr(from, ',');
        if (add(settings, from, comma ? (size_t)(comma - from) : strlen(from), err))
            return -1;
        from = comma ? comma + 1 : NULL;
    }
    return 0;
}

const msw_simt_setting *msw_simt_settings_find(const msw_simt_settings *settings, const char *name,
                                               size_t size)
{
    for (size_t i = 0; i < settings->count; i++)
        if (settings->list[i].name_size == size && memcmp(settings->list[i].name, name, size) == 0)
            return &settings->list[i];
    return NULL;
}

/* Is "paper" the stem of "folder/paper.ptx"? */
static bool is_stem(const msw_simt_token *file, const char *stem, size_t size)
{
    const char *from = file->text, *end = file->text + file->size;
    for (const char *c = from; c < end; c++)
        from = *c == '/' ? c + 1 : from;
    if (end - from > 4 && memcmp(end - 4, ".ptx", 4) == 0)
        end -= 4;
    return (size_t)(end - from) == size && memcmp(from, stem, size) == 0;
}

static int fail_choice(const msw_simt_tokens *tokens, const msw_simt_setting *wanted, msw_err *err)
{
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; i + 1 < tokens->count; i++)
        if (msw_simt_token_is(&tokens->list[i], "ptx") &&
            tokens->list[i + 1].kind == MSW_SIMT_TOKEN_TEXT)
            msw_text_add(&known, "%s%.*s", known.size ? ", " : "", (int)tokens->list[i + 1].size,
                         tokens->list[i + 1].text);
    msw_fail(err, "found ptx=%.*s, allowed: one of %s, without its folder and end (%s)",
             (int)wanted->value_size, wanted->value, msw_text_str(&known), tokens->file);
    msw_text_free(&known);
    return -1;
}

int msw_simt_choose_ptx(const msw_simt_tokens *tokens, const msw_simt_settings *settings,
                        char *name, size_t name_size, msw_err *err)
{
    const msw_simt_setting *wanted = msw_simt_settings_find(settings, "ptx", 3);
    const msw_simt_token *first = NULL, *found = NULL;
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const msw_simt_token *file = &tokens->list[i + 1];
        if (file->kind != MSW_SIMT_TOKEN_TEXT || !msw_simt_token_is(&tokens->list[i], "ptx"))
            continue;
        if (file->size == 0 || file->size >= name_size)
            return msw_simt_token_fail(tokens, file, err, "the name of a .ptx file beside this");
        first = first ? first : file;
        if (wanted && !found && is_stem(file, wanted->value, wanted->value_size))
            found = file;
    }
    if (!first)
        return msw_fail(err,
                        "%s: found no PTX, allowed: a line 'ptx FILE.ptx' (what 'nvcc -ptx' made)",
                        tokens->file);
    if (wanted && !found)
        return fail_choice(tokens, wanted, err);
    found = found ? found : first;
    snprintf(name, name_size, "%.*s", (int)found->size, found->text);
    return 0;
}
