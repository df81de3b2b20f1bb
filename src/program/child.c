/* SPDX-License-Identifier: MIT */
/* The worker's side of a supervisor. */
#include "memsweep/program/child.h"

#include "memsweep/base/disk.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 50 }; /* between questions whether to stop */

struct msw_supervisor {
    int fd;
    pid_t pid;
};

/* Of the environment only what finds libraries: MPI's variables would make the supervisor, and
 * programs below it, take themselves for ranks. */
static int spawn(const char *self, int fd, pid_t *pid)
{
    char *const argv[] = {"memsweep", MSW_CHILD_COMMAND, NULL};
    char *libraries = getenv("LD_LIBRARY_PATH");
    char *line = libraries ? msw_strfmt("LD_LIBRARY_PATH=%s", libraries) : NULL;
    char *const environment[] = {line, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd, MSW_CHILD_FD);
    int rc = posix_spawn(pid, self, &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(line);
    return rc;
}

int msw_supervisor_start(const char *self, msw_supervisor **supervisor, msw_err *err)
{
    int ends[2];
    msw_supervisor *s = calloc(1, sizeof *s);
    if (!s)
        return msw_fail_memory(err);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        free(s);
        return msw_fail_kind(err, MSW_ERR_IO, "no socket for a supervisor: %s", strerror(errno));
    }
    int rc = spawn(self ? self : "/proc/self/exe", ends[1], &s->pid);
    close(ends[1]);
    s->fd = ends[0];
    if (rc == 0) {
        *supervisor = s;
        return 0;
    }
    close(s->fd);
    free(s);
    return msw_fail_kind(err, MSW_ERR_IO, "cannot start a supervisor: %s", strerror(rc));
}

void msw_supervisor_end(msw_supervisor *s)
{
    if (!s)
        return;
    close(s->fd);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    free(s);
}

static int lost(msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "the supervisor of a program is gone: %s",
                         errno ? strerror(errno) : "it ended");
}

static int read_end(msw_supervisor *s, msw_child_end *end, msw_err *err)
{
    size_t got = 0;
    while (got < sizeof *end) {
        errno = 0;
        ssize_t more = msw_disk_read(s->fd, (char *)end + got, sizeof *end - got);
        if (more <= 0)
            return lost(err);
        got += (size_t)more;
    }
    return 0;
}

/* A worker that writes to a supervisor that is gone gets EPIPE: SIGPIPE is ignored. */
static int send_all(msw_supervisor *s, const void *bytes, size_t size, msw_err *err)
{
    for (const char *at = bytes; size;) {
        ssize_t sent = send(s->fd, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return lost(err);
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

int msw_supervisor_run(msw_supervisor *s, const msw_child_head *head, const char *bytes,
                       bool (*stopping)(void *context), void *context, msw_child_end *end,
                       msw_err *err)
{
    const char stop = MSW_CHILD_STOP;
    bool asked = false;
    MSW_TRY(send_all(s, head, sizeof *head, err));
    MSW_TRY(send_all(s, bytes, head->bytes, err));
    struct pollfd news = {.fd = s->fd, .events = POLLIN};
    while (poll(&news, 1, LOOK_MS) <= 0) {
        if (asked || !stopping || !stopping(context))
            continue;
        asked = true;
        MSW_TRY(send_all(s, &stop, 1, err));
    }
    return read_end(s, end, err);
}
