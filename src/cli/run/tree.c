/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

#include "memsweep/base/disk.h"
#include "memsweep/program/child.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { TREE_MOST = 1 << 16 };

typedef struct process {
    pid_t pid, parent;
    bool ours;
} process;

enum { TEXT_BYTES = 512 };

static size_t read_of(pid_t pid, const char *what, char text[TEXT_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, what);
    int fd = msw_disk_open(path, O_RDONLY, 0);
    ssize_t got = fd >= 0 ? msw_disk_read(fd, text, TEXT_BYTES - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

static pid_t parent_of(pid_t pid)
{
    char text[TEXT_BYTES];
    read_of(pid, "stat", text);
    char *name = strrchr(text, ')'); /* a name may hold anything */
    return name && strlen(name) > 4 ? (pid_t)strtol(name + 4, NULL, 10) : 0;
}

static size_t list_processes(process *list)
{
    DIR *folder = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; folder && count < TREE_MOST && (entry = readdir(folder));)
        if (isdigit((unsigned char)entry->d_name[0])) {
            pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
            list[count++] = (process){pid, parent_of(pid), false};
        }
    if (folder)
        closedir(folder);
    return count;
}

/* Children mostly have higher numbers than their parents and come behind them. */
static int mark_tree(process *list, size_t count, pid_t root)
{
    int ours = 0;
    pid_t most = root;
    for (size_t i = 0; i < count; i++)
        most = list[i].pid > most ? list[i].pid : most;
    bool *known = calloc((size_t)most + 1, sizeof *known);
    for (bool more = known != NULL; more;) {
        more = false;
        known[root] = true;
        for (size_t i = 0; i < count; i++)
            if (!list[i].ours && list[i].parent >= 0 && list[i].parent <= most &&
                known[list[i].parent]) {
                list[i].ours = known[list[i].pid] = more = true;
                ours++;
            }
    }
    free(known);
    return ours;
}

int cli_signal_tree(int number)
{
    process *list = malloc(TREE_MOST * sizeof *list);
    if (!list)
        return 0;
    size_t count = list_processes(list);
    int ours = mark_tree(list, count, getpid());
    for (size_t i = 0; i < count; i++)
        if (list[i].ours && number)
            kill(list[i].pid, number);
    free(list);
    return ours;
}

/* ---- what nobody watches ---- */

static bool is_below(pid_t pid, const char *folder)
{
    char path[64], at[TEXT_BYTES];
    size_t size = strlen(folder);
    snprintf(path, sizeof path, "/proc/%ld/cwd", (long)pid);
    ssize_t got = readlink(path, at, sizeof at);
    return got > (ssize_t)size && memcmp(at, folder, size) == 0 && at[size] == '/';
}

static bool is_supervised(pid_t pid)
{
    static const char WORDS[] = "memsweep\0" MSW_CHILD_COMMAND;
    char text[TEXT_BYTES];
    for (; pid > 1; pid = parent_of(pid))
        if (read_of(pid, "cmdline", text) >= sizeof WORDS && !memcmp(text, WORDS, sizeof WORDS))
            return true;
    return false;
}

int cli_list_left(const char *folder, msw_text *pids)
{
    process *list = malloc(TREE_MOST * sizeof *list);
    size_t count = list ? list_processes(list) : 0;
    int left = 0;
    for (size_t i = 0; i < count; i++)
        if (is_below(list[i].pid, folder) && !is_supervised(list[i].pid)) {
            msw_text_add(pids, " %ld", (long)list[i].pid);
            left++;
        }
    free(list);
    return left;
}
