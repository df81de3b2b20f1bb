/* SPDX-License-Identifier: MIT */
/* Names as names: no file is looked at, so a link in the middle of a path is taken as a folder. */
#include "pack/parts.h"

#include <stdlib.h>
#include <string.h>

size_t msw_pack_straight(char *out, size_t at, const char *path)
{
    while (*path) {
        size_t size = strcspn(path, "/");
        if (size == 2 && memcmp(path, "..", 2) == 0) {
            while (at && out[--at] != '/')
                ;
        } else if (size && !(size == 1 && *path == '.')) {
            out[at++] = '/';
            memcpy(out + at, path, size);
            at += size;
        }
        path += size + (path[size] == '/');
    }
    out[at] = '\0';
    return at;
}

char *msw_pack_path(const char *folder, const char *path)
{
    char *out = malloc(strlen(folder) + strlen(path) + 3);
    if (!out)
        return NULL;
    size_t at = *path == '/' ? 0 : msw_pack_straight(out, 0, folder);
    msw_pack_straight(out, at, path);
    return out;
}
