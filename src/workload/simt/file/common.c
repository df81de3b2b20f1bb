/* SPDX-License-Identifier: MIT */
/* What all statements need. */
#include "workload/simt/file/reader.h"

#include <string.h>

void *msw_simt_list_add(msw_simt_list *list, size_t size, msw_arena *arena)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        void *items = msw_arena_zero(arena, room, size);
        if (!items)
            return NULL;
        if (list->count)
            memcpy(items, list->items, list->count * size);
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + list->count++ * size;
}

bool msw_simt_take(msw_simt_reader *r, const char *text)
{
    if (!msw_simt_token_is(r->c.next, text))
        return false;
    r->c.next++;
    return true;
}

int msw_simt_expect(msw_simt_reader *r, const char *text)
{
    if (msw_simt_take(r, text))
        return 0;
    return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "'%s'", text);
}

int msw_simt_read_name(msw_simt_reader *r, const msw_simt_token **name)
{
    *name = r->c.next;
    if (r->c.next->kind != MSW_SIMT_TOKEN_WORD || msw_simt_token_is(r->c.next, "i"))
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "a name, but not i");
    r->c.next++;
    return 0;
}

int msw_simt_give_name(msw_simt_reader *r, const msw_simt_token *name, msw_simt_number number)
{
    msw_simt_variable_name *known = msw_simt_names_find(&r->names, name);
    if (known && known->line != name->line)
        return msw_fail(r->c.err, "%s:%u:%u: '%.*s' has been given in line %u", r->c.tokens->file,
                        name->line, name->column, (int)name->size, name->text, known->line);
    if (!known && r->names.count == MSW_SIMT_NAMES_MAX)
        return msw_simt_token_fail(r->c.tokens, name, r->c.err, "up to %d names",
                                   MSW_SIMT_NAMES_MAX);
    known = known ? known : &r->names.list[r->names.count++];
    *known = (msw_simt_variable_name){
        .name = name->text, .size = name->size, .line = name->line, .number = number};
    return 0;
}

int msw_simt_add_stage(msw_simt_reader *r, const msw_simt_token *at, msw_simt_stage stage)
{
    if (r->stages.count == MSW_SIMT_STAGES_MAX)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "up to 2^20 launches, "
                                   "synchronisations and host accesses");
    msw_simt_stage *to = msw_simt_list_add(&r->stages, sizeof stage, r->c.arena);
    if (!to)
        return msw_fail_memory(r->c.err);
    *to = stage;
    to->line = at->line;
    return 0;
}
