/* SPDX-License-Identifier: MIT */
/* The surroundings of a process: its threads and processors, where the data that come with memsweep
 * are, where results go. */
#define _GNU_SOURCE /* sched_getaffinity */

#include "cli/cli.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 4096 };

/* "8" or "8,2": the first number is for the outer level, which is ours. */
int cli_threads_asked(void)
{
    const char *set = getenv("OMP_NUM_THREADS");
    long count = set ? strtol(set, NULL, 10) : 0;
    return count > 0 && count <= THREADS_MAX ? (int)count : 0;
}

int cli_allowed_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int cli_default_threads(void)
{
    int count = cli_threads_asked();
    return count ? count : cli_allowed_cpus();
}

bool cli_may_use_all(void)
{
    return cli_allowed_cpus() >= sysconf(_SC_NPROCESSORS_ONLN);
}

enum { PATH_BYTES = 4096, LEVELS_UP = 4 };

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
    return msw_path_cut(folder);
}

static char *installed_data(const char *folder)
{
    char *path = msw_strfmt("%s/../share/memsweep", folder);
    if (path && msw_is_folder(path))
        return path;
    free(path);
    return NULL;
}

static bool has_folder(const char *folder, const char *name)
{
    char *path = msw_strfmt("%s/%s", folder, name);
    bool found = path && msw_is_folder(path);
    free(path);
    return found;
}

/* A program in a build folder works on the sources above it. */
static char *source_data(char *folder)
{
    for (int level = 0; level < LEVELS_UP; level++) {
        if (has_folder(folder, "workloads") || has_folder(folder, "sweeps"))
            return msw_strdup(folder);
        if (!msw_path_cut(folder))
            break;
    }
    return NULL;
}

static void add_folder(cli *c, size_t *count, char *folder)
{
    if (!folder)
        return;
    c->dirs[(*count)++] = folder;
}

const char *cli_results_dir(void)
{
    const char *set = getenv("MEMSWEEP_RESULTS");
    return set && *set ? set : "results";
}

int cli_find_data(cli *c, msw_err *err)
{
    char folder[PATH_BYTES];
    size_t count = 0;
    const char *set = getenv("MEMSWEEP_DATA");
    if (set && *set)
        add_folder(c, &count, msw_strdup(set));
    if (program_folder(c, folder)) {
        add_folder(c, &count, installed_data(folder));
        add_folder(c, &count, source_data(folder));
    }
    add_folder(c, &count, msw_strdup("."));
    c->context.data_dirs = (const char *const *)c->dirs;
    c->context.results_dir = cli_results_dir();
    return count ? 0 : msw_fail_memory(err);
}

void cli_free_data(cli *c)
{
    for (size_t i = 0; i < sizeof c->dirs / sizeof *c->dirs; i++)
        free(c->dirs[i]);
}
