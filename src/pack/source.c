/* SPDX-License-Identifier: MIT */
/* The files of an archive as a plan asks for them: by paths below the archive's own, which are
 * straightened before they are looked for. */
#include "pack/packed_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static int by_name(const void *key, const void *entry)
{
    return strcmp(key, ((const msw_packed_entry *)entry)->name);
}

msw_packed_entry *msw_packed_find(const msw_packed *p, const char *name)
{
    return bsearch(name, p->entries, p->count, sizeof *p->entries, by_name);
}

/* What does not lie below the archive is not in it; what no digest covers is nothing to read. */
static const msw_packed_entry *find_path(const msw_packed *p, const char *path)
{
    char straight[PATH_BYTES];
    size_t root = strlen(p->root);
    if (strncmp(path, p->root, root) != 0 || path[root] != '/' ||
        strlen(path + root) + 2 > sizeof straight)
        return NULL;
    size_t size = msw_pack_straight(straight, 0, path + root);
    const msw_packed_entry *found = size ? msw_packed_find(p, straight + 1) : NULL;
    return found && found->listed ? found : NULL;
}

static bool is_there(void *context, const char *path)
{
    return find_path(context, path) != NULL;
}

int msw_packed_unpack(const msw_packed *p, const msw_packed_entry *e, size_t most, char **data,
                      size_t *size, msw_err *err)
{
    msw_arena arena = {0};
    const char *bytes = msw_zip_unpack(&p->zip, &e->entry, most, &arena, err);
    *data = bytes ? malloc(e->entry.unpacked + 1) : NULL;
    *size = e->entry.unpacked;
    if (*data)
        memcpy(*data, bytes, *size + 1);
    msw_arena_free(&arena);
    return *data ? 0 : bytes ? msw_fail_memory(err) : -1;
}

static int read_file(void *context, const char *path, size_t most, char **data, size_t *size,
                     msw_err *err)
{
    const msw_packed *p = context;
    const msw_packed_entry *e = find_path(p, path);
    if (!e)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: is not in the archive", path);
    return msw_packed_unpack(p, e, most < MSW_ZIP_MEMBER_MAX ? most : MSW_ZIP_MEMBER_MAX, data,
                             size, err);
}

msw_file_source msw_packed_source(msw_packed *p)
{
    return (msw_file_source){p, true, is_there, read_file};
}

int msw_packed_member(const msw_packed *p, const char *name, char **data, size_t *size,
                      msw_err *err)
{
    const msw_packed_entry *e = msw_packed_find(p, name);
    if (!e)
        return msw_fail(err, "%s: holds no %s", p->root, name);
    return msw_packed_unpack(p, e, MSW_ZIP_MEMBER_MAX, data, size, err);
}
