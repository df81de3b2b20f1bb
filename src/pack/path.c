/* Names as names: no file is looked at, so a link in the middle of a path is taken as a folder. */
#include "pack/parts.h"

#include <stdlib.h>
#include <string.h>

static void cut(msw_text *out)
{
    while (out->size && out->data[out->size - 1] != '/')
        out->size--;
    out->size -= out->size > 0;
    if (out->data)
        out->data[out->size] = '\0';
}

static void add(msw_text *out, const char *path)
{
    while (*path) {
        size_t size = strcspn(path, "/");
        if (size == 2 && memcmp(path, "..", 2) == 0) {
            cut(out);
        } else if (size && !(size == 1 && *path == '.')) {
            msw_text_add_bytes(out, "/", 1);
            msw_text_add_bytes(out, path, size);
        }
        path += size + (path[size] == '/');
    }
}

char *msw_pack_path(const char *folder, const char *path)
{
    msw_text out = MSW_TEXT_EMPTY;
    if (*path != '/')
        add(&out, folder);
    add(&out, path);
    char *result = out.failed ? NULL : msw_strdup(msw_text_str(&out));
    msw_text_free(&out);
    return result;
}
