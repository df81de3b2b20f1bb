/* SPDX-License-Identifier: MIT */
/* Finds the files that a sweep names, and reads their content. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"
#include "memsweep/sweep/bundle.h"
#include "memsweep/sweep/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(msw_arena *arena, const char *folder, int folder_size, const char *slash,
                  const char *name)
{
    size_t size = (size_t)folder_size + strlen(name) + 2;
    char *path = msw_arena_take(arena, size);
    if (path)
        snprintf(path, size, "%.*s%s%s", folder_size, folder, slash, name);
    return path;
}

static char *msw_path_beside(msw_arena *arena, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    return join(arena, file, folder, "", name);
}

static bool msw_is_file(const msw_plan_options *options, const char *path)
{
    struct stat info;
    if (options && options->files)
        return options->files->exists(options->files->context, path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static int msw_plan_file(const msw_plan_options *options, const char *path, size_t most,
                         char **data, size_t *size, msw_err *err)
{
    if (options && options->files)
        return options->files->read(options->files->context, path, most, data, size, err);
    return msw_read_input(path, most, data, size, err);
}

int msw_loader_file(const msw_plan_options *options, const char *path, size_t most, char **data,
                    size_t *size, msw_err *err)
{
    int rc = msw_plan_file(options, path, most, data, size, err);
    /* A file that is not there was named wrongly; one that is there and cannot be read is an I/O
     * error. */
    if (rc && err && err->kind == MSW_ERR_IO && !msw_is_file(options, path))
        err->kind = MSW_ERR_USAGE;
    return rc;
}

/* The digest of a file is read like a file of its own, so that ranks and archives have it without
 * the file. */
int msw_loader_identify(const msw_plan_options *options, const char *label, const char *path,
                        char digest[MSW_DIGEST_TEXT], msw_err *err)
{
    const msw_file_source *files = options ? options->files : NULL;
    bool known = files && files->recorded;
    char *data = NULL,
         *name = known ? msw_strdup(label) : msw_strfmt("%s\n%s%s", label, MSW_IDENTITY, path);
    size_t size = 0;
    if (!name)
        return msw_fail_memory(err);
    int rc = files ? files->read(files->context, name, MSW_DIGEST_TEXT, &data, &size, err)
                   : msw_program_identify(path, digest, err);
    if (files && rc == 0)
        msw_text_fit(digest, MSW_DIGEST_TEXT, data);
    free(data);
    free(name);
    return rc;
}

/* Why what is there is not read: a workload's content is read more than once. NULL: nothing is. */
static const char *special_file(const msw_plan_options *options, const char *path)
{
    struct stat info;
    if (!path || (options && options->files) || stat(path, &info))
        return NULL;
    return S_ISFIFO(info.st_mode)                           ? "a named pipe"
           : S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode) ? "a device"
           : S_ISDIR(info.st_mode)                          ? "a folder"
           : S_ISSOCK(info.st_mode)                         ? "a socket"
                                                            : NULL;
}

char *msw_loader_find(msw_loader *l, const msw_node *at, const char *name)
{
    char *path = msw_path_beside(&l->arena, at->file, name);
    const char *what = special_file(l->options, path);
    if (path && msw_is_file(l->options, path))
        return path;
    /* From the user's working folder: the copy of a sweep that came from standard input. */
    if (name[0] != '/' && msw_is_file(l->options, name))
        return msw_loader_copy(l, name);
    const char *const *dirs = l->options ? l->options->data_dirs : NULL;
    for (; name[0] != '/' && dirs && *dirs; dirs++) {
        path = join(&l->arena, *dirs, (int)strlen(*dirs), "/", name);
        if (path && msw_is_file(l->options, path))
            return path;
    }
    if (what || (what = special_file(l->options, name)))
        msw_loader_say(l, at, "'%s' is %s: only a file can be read as a workload", name, what);
    else
        msw_loader_say(l, at, "no file '%s' beside the sweep file, here or in the data folders",
                       name);
    return NULL;
}

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
