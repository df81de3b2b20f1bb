/* SPDX-License-Identifier: MIT */
#include "memsweep/base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int start_program(const char *const *argv, bool quiet, int out, pid_t *pid)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (quiet)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int rc = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static void read_all(int fd, msw_text *out)
{
    char block[4096];
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
        msw_text_add_bytes(out, block, got > 0 ? (size_t)got : 0);
}

int msw_program_read(const char *const *argv, bool quiet, msw_text *out)
{
    int ends[2], status = 0;
    pid_t pid;
    if (pipe(ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int rc = start_program(argv, quiet, ends[1], &pid);
    close(ends[1]);
    if (rc == 0)
        read_all(ends[0], out);
    close(ends[0]);
    if (rc)
        return MSW_NO_PROGRAM;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
