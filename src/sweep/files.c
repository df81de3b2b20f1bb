/* SPDX-License-Identifier: MIT */
/* Where the files a sweep names are. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdio.h>
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

char *msw_path_beside(msw_arena *arena, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    return join(arena, file, folder, "", name);
}

bool msw_is_file(const msw_plan_options *options, const char *path)
{
    struct stat info;
    if (options && options->files)
        return options->files->exists(options->files->context, path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

int msw_plan_file(const msw_plan_options *options, const char *path, size_t most, char **data,
                  size_t *size, msw_err *err)
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

char *msw_loader_find(msw_loader *l, const msw_node *at, const char *name)
{
    char *path = msw_path_beside(&l->arena, at->file, name);
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
    msw_loader_say(l, at, "no file '%s' beside the sweep file, here or in the data folders", name);
    return NULL;
}
