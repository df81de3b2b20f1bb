/* Where the files a sweep names are. */
#include "loader.h"

#include "memsweep/text.h"

#include <string.h>
#include <sys/stat.h>

static char *join(msw_arena *arena, const char *folder, size_t folder_size, const char *name)
{
    size_t name_size = strlen(name);
    char *path = msw_arena_take(arena, folder_size + name_size + 2);
    if (!path)
        return NULL;
    if (folder_size)
        memcpy(path, folder, folder_size);
    memcpy(path + folder_size, name, name_size + 1);
    return path;
}

char *msw_path_beside(msw_arena *arena, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - file) + 1 : 0;
    return join(arena, file, folder, name);
}

static char *in_data(msw_loader *l, const char *folder, const char *name)
{
    size_t size = strlen(folder);
    char *path = msw_arena_take(&l->arena, size + 2);
    if (!path)
        return NULL;
    memcpy(path, folder, size);
    path[size] = '/';
    return join(&l->arena, path, size + 1, name);
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

char *msw_loader_find(msw_loader *l, const msw_node *at, const char *name)
{
    char *path = msw_path_beside(&l->arena, at->file, name);
    if (path && is_file(path))
        return path;
    const char *const *dirs = l->options ? l->options->data_dirs : NULL;
    for (; name[0] != '/' && dirs && *dirs; dirs++) {
        path = in_data(l, *dirs, name);
        if (path && is_file(path))
            return path;
    }
    msw_loader_say(l, at, "no file '%s' beside the sweep file or in the data folders", name);
    return NULL;
}
