/* Where things are: data that comes with memsweep, sweep files, databases. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LEVELS_UP = 4 };

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Cuts the last part off a path. Returns false when there is none. */
static bool cut(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return false;
    *slash = '\0';
    return true;
}

/* Folder of the running program, as far as it can be known. */
static bool program_folder(const cli *c, char folder[PATH_BYTES])
{
    ssize_t size = readlink("/proc/self/exe", folder, PATH_BYTES - 1);
    if (size > 0)
        folder[size] = '\0';
    else if (strchr(c->argv[0], '/'))
        snprintf(folder, PATH_BYTES, "%s", c->argv[0]);
    else
        return false;
    return cut(folder);
}

static char *installed_data(const char *folder)
{
    char *path = msw_strfmt("%s/../share/memsweep", folder);
    if (path && is_folder(path))
        return path;
    free(path);
    return NULL;
}

static bool has_folder(const char *folder, const char *name)
{
    char *path = msw_strfmt("%s/%s", folder, name);
    bool found = path && is_folder(path);
    free(path);
    return found;
}

/* A program in a build folder works on the sources above it. */
static char *source_data(char *folder)
{
    for (int level = 0; level < LEVELS_UP; level++) {
        if (has_folder(folder, "workloads") || has_folder(folder, "sweeps"))
            return msw_strdup(folder);
        if (!cut(folder))
            break;
    }
    return NULL;
}

static void add(cli *c, size_t *count, char *folder)
{
    if (!folder)
        return;
    c->dirs[*count] = folder;
    c->data_dirs[(*count)++] = folder;
}

int cli_find_data(cli *c, msw_err *err)
{
    char folder[PATH_BYTES];
    size_t count = 0;
    const char *set = getenv("MEMSWEEP_DATA");
    if (set && *set)
        add(c, &count, msw_strdup(set));
    if (program_folder(c, folder)) {
        add(c, &count, installed_data(folder));
        add(c, &count, source_data(folder));
    }
    add(c, &count, msw_strdup("."));
    return count ? 0 : msw_fail_memory(err);
}

void cli_free_data(cli *c)
{
    for (size_t i = 0; i < sizeof c->dirs / sizeof *c->dirs; i++)
        free(c->dirs[i]);
}

const char *cli_results_dir(void)
{
    const char *set = getenv("MEMSWEEP_RESULTS");
    return set && *set ? set : "results";
}

char *cli_sweep_path(const cli *c, const char *word)
{
    static const char *const FORMS[] = {"%s/sweeps/%s.yaml", "%s/sweeps/%s", "%s/%s"};
    if (exists(word) || word[0] == '/')
        return msw_strdup(word);
    for (const char *const *dir = c->data_dirs; *dir; dir++)
        for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, FORMS[f], *dir, word);
            if (exists(path) && !is_folder(path))
                return msw_strdup(path);
        }
    return msw_strdup(word);
}

char *cli_database_path(const char *word)
{
    if (exists(word) || strchr(word, '/'))
        return msw_strdup(word);
    char *path = msw_strfmt("%s/%s.db", cli_results_dir(), word);
    if (path && exists(path))
        return path;
    free(path);
    return msw_strdup(word);
}

static int make_folders(char *path, msw_err *err)
{
    for (char *at = path + 1;; at++) {
        if (*at && *at != '/')
            continue;
        char kept = *at;
        *at = '\0';
        if (mkdir(path, 0777) && errno != EEXIST && !is_folder(path))
            return msw_fail_kind(err, MSW_ERR_IO, "cannot make the folder %s: %s", path,
                                 strerror(errno));
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
    int rc = cut(folder) && !is_folder(folder) ? make_folders(folder, err) : 0;
    free(folder);
    return rc;
}
