/* SPDX-License-Identifier: MIT */
/* Opening an archive of others: everything is looked at before anything is used. */
#include "pack/packed_parts.h"

#include <stdlib.h>
#include <string.h>

/* Members, and what they unpack to. */
static const msw_zip_limits LIMITS = {65535, (uint64_t)8 << 30};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const msw_packed_entry *)a)->name, ((const msw_packed_entry *)b)->name);
}

static int list(msw_packed *p, msw_err *err)
{
    msw_zip walk = p->zip;
    p->entries = calloc(p->zip.count + 1, sizeof *p->entries);
    if (!p->entries)
        return msw_fail_memory(err);
    while (p->count < p->zip.count && msw_zip_next(&walk, &p->entries[p->count].entry, err) > 0) {
        msw_packed_entry *e = &p->entries[p->count++];
        char *name = msw_arena_zero(&p->arena, 1, e->entry.name_size + 1);
        if (!name)
            return msw_fail_memory(err);
        memcpy(name, e->entry.name, e->entry.name_size);
        e->name = name;
    }
    qsort(p->entries, p->count, sizeof *p->entries, by_name);
    return 0;
}

static int look(msw_packed *p, const char *bytes, size_t size, msw_err *err)
{
    if (msw_zip_open(&p->zip, p->root, bytes, size, err) || msw_zip_check(&p->zip, &LIMITS, err) ||
        list(p, err))
        return -1;
    if (!msw_packed_find(p, MSW_PACKED_VERSIONS))
        return msw_fail(err,
                        "%s: holds no " MSW_PACKED_VERSIONS "; allowed: what 'memsweep pack' "
                        "writes",
                        p->root);
    p->files = msw_packed_source(p);
    return msw_packed_facts_read(p, err);
}

int msw_packed_read(msw_packed *p, const char *path, const char *bytes, size_t size, msw_err *err)
{
    *p = (msw_packed){.root = msw_strdup(path)};
    int rc = p->root ? look(p, bytes, size, err) : msw_fail_memory(err);
    if (rc)
        msw_packed_close(p);
    return rc;
}

int msw_packed_open(msw_packed *p, const char *path, msw_err *err)
{
    char *bytes;
    size_t size;
    *p = (msw_packed){0};
    if (msw_read_file(path, &bytes, &size, err))
        return -1;
    if (msw_packed_read(p, path, bytes, size, err)) {
        free(bytes);
        return -1;
    }
    p->bytes = bytes;
    return 0;
}

void msw_packed_close(msw_packed *p)
{
    free(p->entries);
    free(p->root);
    free(p->sweep);
    free(p->bytes);
    msw_arena_free(&p->arena);
    *p = (msw_packed){0};
}

int msw_packed_options(const msw_packed *p, msw_plan_options *options, msw_err *err)
{
    char *end = NULL;
    const char *seed = p->facts.seed;
    *options = (msw_plan_options){.data_dirs = p->folders,
                                  .fidelity = p->facts.fidelity,
                                  .seed = seed ? strtoll(seed, &end, 10) : -1,
                                  .files = &p->files};
    if (seed && (!*seed || *end || options->seed < 0))
        return msw_fail(err,
                        "%s: " MSW_PACKED_VERSIONS ": found seed '%.40s', allowed: a whole "
                        "number",
                        p->root, seed);
    return 0;
}
