#include "outfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *cli_temp_folder(msw_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = msw_strfmt("%s/memsweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!folder) {
        msw_fail_memory(err);
        return NULL;
    }
    if (mkdtemp(folder))
        return folder;
    msw_fail_kind(err, MSW_ERR_IO, "a folder for temporary files: %s: %s%s", folder,
                  strerror(errno), tmp && *tmp ? " (TMPDIR says where)" : "");
    free(folder);
    return NULL;
}

void cli_temp_remove(char *folder)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    if (folder)
        rmdir(folder);
    free(folder);
}
