/* SPDX-License-Identifier: MIT */
#include "memsweep/base/context.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"
#include "memsweep/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096 };

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool msw_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char *msw_context_sweep(const msw_context *context, const char *word)
{
    static const char *const FORMS[] = {"%s/sweeps/%s.yaml", "%s/sweeps/%s", "%s/%s"};
    if (exists(word) || word[0] == '/')
        return msw_strdup(word);
    for (const char *const *dir = context->data_dirs; *dir; dir++)
        for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, FORMS[f], *dir, word);
            if (exists(path) && !msw_is_folder(path))
                return msw_strdup(path);
        }
    return msw_strdup(word);
}

char *msw_context_database(const msw_context *context, const char *word)
{
    if (exists(word) || strchr(word, '/'))
        return msw_strdup(word);
    char *path = msw_strfmt("%s/%s.db", context->results_dir, word);
    if (path && exists(path))
        return path;
    free(path);
    return msw_strdup(word);
}

bool msw_path_cut(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return false;
    *slash = '\0';
    return true;
}

static int make_folders(char *path, msw_err *err)
{
    for (char *at = path + 1;; at++) {
        if (*at && *at != '/')
            continue;
        char kept = *at;
        *at = '\0';
        int made = msw_disk_make_folder(path, 0777);
        if (made && errno != EEXIST && !msw_is_folder(path))
            return msw_fail_kind(err, MSW_ERR_IO, "cannot make the folder %s: %s", path,
                                 strerror(errno));
        if (made == 0 && msw_file_sync_name(path, err))
            return -1;
        *at = kept;
        if (!kept)
            return 0;
    }
}

int msw_make_folder(const char *path, msw_err *err)
{
    char *folder = msw_strdup(path);
    if (!folder)
        return msw_fail_memory(err);
    int rc = msw_path_cut(folder) && !msw_is_folder(folder) ? make_folders(folder, err) : 0;
    free(folder);
    return rc;
}
