/* SPDX-License-Identifier: MIT */
/* The list of what goes into the archive. */
#include "pack/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *msw_pack_text(msw_pack_job *job, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = size < 0 ? NULL : msw_arena_take(&job->arena, (size_t)size + 1);
    if (!text) {
        msw_fail_memory(job->err);
        return NULL;
    }
    va_start(args, fmt);
    vsnprintf(text, (size_t)size + 1, fmt, args);
    va_end(args);
    return text;
}

static const msw_pack_member *find(const msw_pack_job *job, const char *name)
{
    for (size_t i = 0; i < job->count; i++)
        if (strcmp(job->members[i].name, name) == 0)
            return &job->members[i];
    return NULL;
}

/* Returns 0, 1 when it is there already, or -1. */
static int check(msw_pack_job *job, const msw_pack_member *m)
{
    const msw_pack_member *known = find(job, m->name);
    if (!known)
        return 0;
    if (known->size == m->size && memcmp(known->bytes, m->bytes, m->size) == 0)
        return 1;
    return msw_fail(job->err, "two different files would be called '%s' in the archive", m->name);
}

static int grow(msw_pack_job *job)
{
    if (job->count < job->capacity)
        return 0;
    size_t capacity = job->capacity ? job->capacity * 2 : 16;
    msw_pack_member *grown = realloc(job->members, capacity * sizeof *grown);
    if (!grown)
        return msw_fail_memory(job->err);
    job->members = grown;
    job->capacity = capacity;
    return 0;
}

int msw_pack_add(msw_pack_job *job, const msw_pack_member *m)
{
    int known = m->name ? check(job, m) : -1;
    if (known || grow(job)) {
        free(m->owned);
        return known > 0 ? 0 : -1;
    }
    job->members[job->count++] = *m;
    return 0;
}

int msw_pack_add_text(msw_pack_job *job, const char *name, const char *type, const char *role,
                      msw_text *text)
{
    if (text->failed) {
        msw_text_free(text);
        return msw_fail_memory(job->err);
    }
    return msw_pack_add(job, &(msw_pack_member){.name = name,
                                                .type = type,
                                                .role = role,
                                                .bytes = msw_text_str(text),
                                                .owned = text->data,
                                                .size = text->size});
}

int msw_pack_add_file(msw_pack_job *job, const char *path, const msw_pack_member *member)
{
    msw_pack_member m = *member;
    if (msw_read_file_most(path, MSW_ZIP_MEMBER_MAX, &m.owned, &m.size, job->err))
        return -1;
    m.bytes = m.owned;
    return msw_pack_add(job, &m);
}

void msw_pack_free_members(msw_pack_job *job)
{
    for (size_t i = 0; i < job->count; i++)
        free(job->members[i].owned);
    free(job->members);
}
