/* SPDX-License-Identifier: MIT */
#include "memsweep/sweep/content.h"

#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_NAME_MAX = 1024 };

typedef struct content {
    const msw_plan_options *options;
    msw_workload_file files[MSW_WORKLOAD_FILES_MAX];
    char *bytes[MSW_WORKLOAD_FILES_MAX];
    size_t count;
    msw_arena arena; /* paths */
} content;

static int read_one(content *c, const char *path, msw_err *err)
{
    msw_workload_file *file = &c->files[c->count];
    if (msw_plan_file(c->options, path, MSW_READ_MAX, &c->bytes[c->count], &file->size, err))
        return -1;
    file->path = path;
    file->bytes = c->bytes[c->count++];
    return 0;
}

/* Looks next to the first file, or else in a data folder. Returns the path, or NULL. */
static const char *further_path(content *c, const char *first, const char *name)
{
    msw_err ignored;
    char *beside = msw_path_beside(&c->arena, first, name);
    if (!beside || msw_is_file(c->options, beside))
        return beside;
    char *found = msw_content_find(c->options, name, &ignored);
    char *kept = found ? msw_arena_take(&c->arena, strlen(found) + 1) : beside;
    if (found && kept)
        memcpy(kept, found, strlen(found) + 1);
    free(found);
    return kept;
}

static int read_further(content *c, const char *first, const msw_workload *w, msw_err *err)
{
    char name[FILE_NAME_MAX];
    int more = 0;
    while (w->frontend->further &&
           (more = w->frontend->further(w->name, c->files, c->count, name, sizeof name, err)) > 0) {
        const char *path = further_path(c, first, name);
        if (!path)
            return msw_fail_memory(err);
        if (c->count == MSW_WORKLOAD_FILES_MAX)
            return msw_fail(err, "%s: names more than %d files", first, MSW_WORKLOAD_FILES_MAX - 1);
        if (read_one(c, path, err))
            return msw_fail_prefix(err, "%s: ", first);
    }
    return more;
}

int msw_content_load(const msw_plan_options *options, const char *path, msw_workload *workload,
                     msw_err *err)
{
    content c = {.options = options};
    int rc = *path ? read_one(&c, path, err) || read_further(&c, path, workload, err) : 0;
    if (rc == 0)
        rc = msw_workload_load_files(workload, c.files, c.count, err);
    for (size_t i = 0; i < c.count; i++)
        free(c.bytes[i]);
    msw_arena_free(&c.arena);
    return rc ? -1 : 0;
}

char *msw_content_find(const msw_plan_options *options, const char *name, msw_err *err)
{
    const char *const *dirs = options ? options->data_dirs : NULL;
    if (msw_is_file(options, name))
        return msw_strdup(name);
    for (; name[0] != '/' && dirs && *dirs; dirs++) {
        char *path = msw_strfmt("%s/%s", *dirs, name);
        if (path && msw_is_file(options, path))
            return path;
        free(path);
    }
    msw_fail(err, "no file '%s' here or in the data folders", name);
    return NULL;
}
