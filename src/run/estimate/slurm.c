/* SPDX-License-Identifier: MIT */
#include "memsweep/run/slurm.h"

#include <string.h>

/* A slot is @, capital letters, @. Returns the length of its key, 0 when there is none. */
static size_t key_length(const char *at)
{
    size_t size = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return size && at[1 + size] == '@' ? size : 0;
}

static const msw_slot *find(const msw_slot *slots, const char *key, size_t size)
{
    for (; slots->key; slots++)
        if (strlen(slots->key) == size && strncmp(slots->key, key, size) == 0)
            return slots;
    return NULL;
}

int msw_template_fill(const char *text, const msw_slot *slots, msw_text *out, msw_err *err)
{
    for (const char *at = text; *at;) {
        size_t size = *at == '@' ? key_length(at) : 0;
        if (!size) {
            msw_text_add_bytes(out, at++, 1);
            continue;
        }
        const msw_slot *slot = find(slots, at + 1, size);
        if (!slot)
            return msw_fail(err, "a template has the slot %.*s, which nothing fills", (int)size + 2,
                            at);
        msw_text_add(out, "%s", slot->value);
        bool starts_line = at == text || at[-1] == '\n';
        at += size + 2;
        if (starts_line && !*slot->value && *at == '\n')
            at++;
    }
    return out->failed ? msw_fail_memory(err) : 0;
}
