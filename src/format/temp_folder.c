/* SPDX-License-Identifier: MIT */
#include "memsweep/format/outfile.h"

#include "memsweep/base/disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *msw_temp_folder(msw_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = msw_strfmt("%s/memsweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!folder) {
        msw_fail_memory(err);
        return NULL;
    }
    if (msw_disk_make_own_folder(folder) == 0)
        return folder;
    msw_fail_kind(err, MSW_ERR_IO, "a folder for temporary files: %s: %s%s", folder,
                  strerror(errno), tmp && *tmp ? " (TMPDIR says where)" : "");
    free(folder);
    return NULL;
}

void msw_temp_remove(char *folder)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
        msw_disk_remove_in(dirfd(dir), entry->d_name);
    if (dir)
        closedir(dir);
    if (folder)
        msw_disk_remove_folder(folder);
    free(folder);
}
