/* SPDX-License-Identifier: MIT */
/* Runs the statements of a workload file, top down; loops go back. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

static int read_let(msw_simt_reader *r)
{
    const msw_simt_token *name;
    msw_simt_number number;
    if (msw_simt_read_name(r, &name) || msw_simt_expect(r, "=") ||
        msw_simt_number_read(&r->c, &number))
        return -1;
    return msw_simt_give_name(r, name, number);
}

static int read_require(msw_simt_reader *r)
{
    const msw_simt_token *at = r->c.next;
    msw_simt_number number;
    if (msw_simt_number_read(&r->c, &number))
        return -1;
    if (number.real ? number.value != 0 : number.whole != 0)
        return 0;
    int size = (int)(r->c.next->text - at->text);
    return msw_fail(r->c.err, "the sizes do not fit together: %s:%u requires %.*s",
                    r->c.tokens->file, at->line, size, at->text);
}

static int read_title(msw_simt_reader *r)
{
    const msw_simt_token *text = r->c.next++;
    char *title = msw_arena_zero(r->c.arena, text->size + 1, 1);
    if (!title)
        return msw_fail_memory(r->c.err);
    memcpy(title, text->text, text->size);
    r->title = title;
    return 0;
}

static int read_ptx(msw_simt_reader *r)
{
    r->c.next++; /* chosen and read before */
    return 0;
}

static int read_sync(msw_simt_reader *r)
{
    return msw_simt_add_stage(r, r->c.next - 1, (msw_simt_stage){.kind = MSW_SIMT_STAGE_SYNC});
}

/* ignore printf, assert */
static int read_ignore(msw_simt_reader *r)
{
    do {
        if (msw_simt_take(r, "printf"))
            r->ignored |= MSW_SIMT_PRINTF;
        else if (msw_simt_take(r, "assert"))
            r->ignored |= MSW_SIMT_ASSERT;
        else
            return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "printf, assert");
    } while (msw_simt_take(r, ","));
    return 0;
}

typedef struct statement {
    const char *word;
    int (*read)(msw_simt_reader *r);
} statement;

static const statement STATEMENTS[] = {
    {"title", read_title},
    {"ptx", read_ptx},
    {"size", msw_simt_read_size},
    {"let", read_let},
    {"require", read_require},
    {"array", msw_simt_read_array},
    {"launch", msw_simt_read_launch},
    {"ignore", read_ignore},
    {"sync", read_sync},
    {"host", msw_simt_read_host},
    {"for", msw_simt_read_for},
    {"end", msw_simt_read_end},
    {"repeat", msw_simt_read_repeat},
    {"until", msw_simt_read_until},
    {NULL, NULL},
};

static int fail_statement(msw_simt_reader *r)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)r->c.next->size, r->c.next->text);
    const char *best = msw_nearest(word, &STATEMENTS[0].word, sizeof *STATEMENTS);
    return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err,
                               "title, ptx, size, let, require, ignore, array, launch, sync, "
                               "host, for, end, repeat, until%s%s%s",
                               best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
}

static int read_statement(msw_simt_reader *r)
{
    const statement *s = STATEMENTS;
    while (s->word && !msw_simt_token_is(r->c.next, s->word))
        s++;
    if (!s->word)
        return fail_statement(r);
    if (r->statements++ == MSW_SIMT_STATEMENTS_MAX)
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "loops of up to 2^20 lines");
    r->c.next++;
    if (s->read(r))
        return -1;
    if (r->c.next->kind != MSW_SIMT_TOKEN_LINE)
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "the end of the line");
    r->c.next++;
    return 0;
}

static int fail_size(const msw_simt_reader *r, const msw_simt_setting *setting)
{
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < r->names.count; i++)
        if (r->names.list[i].settable)
            msw_text_add(&known, "%.*s, ", (int)r->names.list[i].size, r->names.list[i].name);
    msw_fail(r->c.err, "found size '%.*s', allowed: %sptx (%s)", (int)setting->name_size,
             setting->name, msw_text_str(&known), r->c.tokens->file);
    msw_text_free(&known);
    return -1;
}

/* Does the file have the sizes that the workload's name sets? */
static int check_settings(msw_simt_reader *r)
{
    const msw_simt_settings *s = r->settings;
    for (size_t i = 0; i < s->count; i++) {
        msw_simt_token word = {
            .kind = MSW_SIMT_TOKEN_WORD, .text = s->list[i].name, .size = s->list[i].name_size};
        const msw_simt_variable_name *name = msw_simt_names_find(&r->names, &word);
        if (!msw_simt_token_is(&word, "ptx") && !(name && name->settable))
            return fail_size(r, &s->list[i]);
    }
    return 0;
}

int msw_simt_reader_run(msw_simt_reader *r)
{
    while (r->c.next->kind != MSW_SIMT_TOKEN_END)
        if (read_statement(r))
            return -1;
    if (r->loop_count)
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "'%s' of the loop in line %u",
                                   r->loops[r->loop_count - 1].until ? "until" : "end",
                                   r->loops[r->loop_count - 1].body->line);
    if (check_settings(r))
        return -1;
    const msw_simt_stage *stages = r->stages.items;
    for (size_t i = 0; i < r->stages.count; i++)
        if (stages[i].kind == MSW_SIMT_STAGE_LAUNCH)
            return 0;
    return msw_fail(r->c.err,
                    "%s: found no launch, allowed: 'launch KERNEL grid(N) block(N) "
                    "args(...)'",
                    r->c.tokens->file);
}
