/* SPDX-License-Identifier: MIT */
/* The supervisor of programs: a small process without threads, MPI or files, so that it may fork.
 *
 * As a subreaper it is the parent of whatever a program leaves behind, also of daemons that have a
 * session of their own. A run is over when no such process is left. A second process above it, the
 * guard, does nothing until the supervisor is killed: then it is the parent of what is left, and
 * ends it.
 *
 * A program that makes processes without end is ended once there are more than its limit. Nobody
 * tells of a fork, and a look at all processes is expensive, so one is taken when the kernel has
 * given enough new numbers since the last for the limit to be reached. Where /proc/loadavg does not
 * say so (a sandbox hides it) or stands still (some containers make it up), looks take a share of
 * the time instead. */
#include "cli/run/launch.h"

#include "memsweep/base/clock.h"

#include "memsweep/base/disk.h"
#include "memsweep/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A program's helpers may end a moment after it; a tree that forks faster than it is killed is
 * given up. */
#define LINGER_SECONDS  0.2
#define GIVE_UP_SECONDS 10.0
enum { AGAIN_MS = 5, COUNT_MS = 20, WORDS_MOST = 16 << 20 };

typedef struct run {
    msw_child_head head;
    char *bytes;
    char **words; /* path, folder, then the command and NULL, then the environment and NULL */
    pid_t child;
    msw_child_end end;
    double start, ended, asked, killed; /* times; 0: not yet */
    int64_t numbers;                    /* of processes, that the kernel may give before a look */
    long last;                          /* of these, when it was asked; -1: it does not say */
    double look;                        /* time of the next look, whatever the numbers say */
    bool alone;                         /* no process is left */
    bool gone;                          /* the worker is */
} run;

/* A group gets a signal at once, before any of it can fork again. */
static int signal_run(const run *r, int number)
{
    kill(-r->child, number);
    return cli_signal_tree(number);
}

/* The number that the kernel gave last. Returns it, or -1. */
static long last_number(void)
{
    char text[128];
    int fd = msw_disk_open("/proc/loadavg", O_RDONLY, 0);
    ssize_t got = fd >= 0 ? msw_disk_read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    char *space = strrchr(text, ' ');
    return space ? strtol(space + 1, NULL, 10) : -1;
}

/* When to look again after a look that took some time, of which looks may take a 20th or, where
 * numbers speak, a 200th. */
static double next_look(const run *r, double took)
{
    double most = r->last < 0 ? 20 * took : 200 * took, least = r->last < 0 ? COUNT_MS * 1e-3 : 1;
    return msw_now() + (most > least ? most : least);
}

/* Whether there are too many; after a look there cannot be for as many new numbers as are left. A
 * number below the last one was given after all the highest. */
static bool is_crowded(run *r, double now)
{
    long last = last_number();
    r->numbers -= last < r->last ? r->numbers : last - r->last;
    r->last = last;
    if (r->numbers > 0 && now < r->look)
        return false;
    int count = cli_signal_tree(0);
    r->numbers = r->head.processes - count;
    r->look = next_look(r, msw_now() - now);
    return r->numbers < 0;
}

/* ---- the child ---- */

static void limit(int what, double most)
{
    struct rlimit l = {(rlim_t)most, (rlim_t)most};
    setrlimit(what, &l);
}

static bool put(const char *name, int flags, int to)
{
    int fd = msw_disk_open(name, flags, 0600);
    return fd >= 0 && dup2(fd, to) == to && (fd == to || close(fd) == 0);
}

static void become(const run *r, int report)
{
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    umask(077);
    enum { NEW = O_WRONLY | O_CREAT | O_EXCL };
    char **command = r->words + 2, **environment = command + r->head.words + 1;
    if (chdir(r->words[1]) == 0 && put("/dev/null", O_RDONLY, 0) && put("stdout", NEW, 1) &&
        put("stderr", NEW, 2)) {
        limit(RLIMIT_CORE, 0);
        if (r->head.output > 0)
            limit(RLIMIT_FSIZE, r->head.output);
        if (r->head.memory > 0)
            limit(RLIMIT_DATA, r->head.memory);
        execve(r->words[0], command, environment);
    }
    int number = errno;
    msw_disk_write(report, &number, sizeof number);
    _exit(127);
}

/* Returns 0 once the program runs, or the number of what kept it from that. */
static int start(run *r)
{
    int ends[2], number = 0;
    if (pipe(ends))
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    r->start = msw_now();
    r->last = last_number();
    r->numbers = r->head.processes;
    r->look = next_look(r, 0);
    r->child = fork();
    if (r->child == 0)
        become(r, ends[1]);
    number = r->child < 0 ? errno : 0;
    close(ends[1]);
    if (r->child > 0 && msw_disk_read(ends[0], &number, sizeof number) <= 0)
        number = 0;
    close(ends[0]);
    return number;
}

static void reap(run *r)
{
    struct rusage usage;
    int status;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        r->end.cpu_s += (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
                        (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
        double memory = 1024.0 * (double)usage.ru_maxrss;
        r->end.memory_bytes = memory > r->end.memory_bytes ? memory : r->end.memory_bytes;
        if (pid != r->child)
            continue;
        r->ended = msw_now();
        if (!r->asked)
            r->end.how = WIFSIGNALED(status) ? MSW_CHILD_SIGNALLED : MSW_CHILD_EXITED;
        r->end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    r->alone = pid < 0 && errno == ECHILD;
}

/* ---- watching ---- */

static void ask_to_end(run *r, msw_child_how how, double at)
{
    if (r->asked > 0 || r->ended > 0)
        return;
    r->end.how = how;
    r->asked = at;
    signal_run(r, SIGTERM);
    signal_run(r, SIGCONT); /* a stopped one would never get the other */
}

/* Looks at the clock. Returns how long to sleep at most, in milliseconds; -1: until news. */
static int act(run *r)
{
    double t = msw_now(), next = 1e18;
    if (r->head.timeout_s > 0 && !r->ended && !r->asked) {
        next = r->start + r->head.timeout_s;
        if (t >= next) {
            ask_to_end(r, MSW_CHILD_TIMED_OUT, t);
            next = 1e18; /* a time that is past would be no time at all for poll */
        }
    }
    bool crowded = r->head.processes > 0 && !r->killed && is_crowded(r, t);
    if (crowded && !r->ended) {
        r->end.how = MSW_CHILD_CROWDED;
        r->asked = t;
    }
    if (r->head.processes > 0)
        next = t + COUNT_MS * 1e-3 < next ? t + COUNT_MS * 1e-3 : next;
    double kill_at = r->gone || crowded ? t
                     : r->ended > 0     ? r->ended + LINGER_SECONDS
                     : r->asked > 0     ? r->asked + r->head.grace_s
                                        : 1e18;
    if (t >= kill_at) {
        int count = signal_run(r, SIGKILL);
        if (!r->killed) {
            r->killed = t;
            r->end.left = r->ended > 0 ? count : 0;
        }
        return AGAIN_MS;
    }
    next = kill_at < next ? kill_at : next;
    return next > 1e17 ? -1 : (int)((next - t) * 1e3) + 1;
}

static void listen_to_worker(run *r, short events)
{
    char byte;
    if (!events)
        return;
    if (msw_disk_read(MSW_CHILD_FD, &byte, 1) == 1)
        ask_to_end(r, MSW_CHILD_STOPPED, msw_now());
    else
        r->gone = true;
}

static void watch(run *r, int signals)
{
    struct signalfd_siginfo info;
    struct pollfd news[] = {{.fd = signals, .events = POLLIN},
                            {.fd = MSW_CHILD_FD, .events = POLLIN}};
    for (reap(r); !r->alone; reap(r)) {
        if (r->killed > 0 && msw_now() > r->killed + GIVE_UP_SECONDS)
            break;
        int most = act(r);
        if (poll(news, r->gone ? 1 : 2, most) <= 0)
            continue;
        if (news[0].revents)
            msw_disk_read(signals, &info, sizeof info);
        if (!r->gone)
            listen_to_worker(r, news[1].revents);
    }
    r->end.wall_s = (r->ended > 0 ? r->ended : msw_now()) - r->start;
}

/* ---- requests ---- */

static bool get(void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t more = msw_disk_read(MSW_CHILD_FD, (char *)bytes + got, size - got);
        if (more <= 0)
            return false;
        got += (size_t)more;
    }
    return true;
}

static bool cut_words(run *r)
{
    const msw_child_head *h = &r->head;
    size_t count = h->words + h->variables + 2, at = 0;
    char *word = r->bytes, *end = r->bytes + h->bytes;
    r->words = calloc(count + 3, sizeof *r->words);
    if (!r->words || (h->bytes && end[-1]))
        return false;
    for (size_t i = 0; i < count && word < end; i++, word += strlen(word) + 1) {
        at += i == 2 + h->words; /* the command ends with NULL */
        r->words[at++] = word;
    }
    return word == end;
}

static bool receive(run *r)
{
    *r = (run){0};
    if (!get(&r->head, sizeof r->head) || r->head.bytes > WORDS_MOST ||
        r->head.words > WORDS_MOST || r->head.variables > WORDS_MOST)
        return false;
    r->bytes = malloc(r->head.bytes + 1);
    return r->bytes && get(r->bytes, r->head.bytes) && cut_words(r);
}

/* Nobody else does, where the worker was killed: with what is empty around it. */
static void remove_folder(run *r)
{
    char *folder = r->words[1], *slash = NULL;
    msw_program_remove(folder);
    for (int i = 0; i < 2 && (slash = strrchr(folder, '/')); i++) /* the two levels */
        *slash = '\0';
    if (slash)
        msw_program_remove_work(folder);
}

static bool serve(run *r, int signals)
{
    int number = start(r);
    if (r->child > 0)
        watch(r, signals);
    if (r->gone && !r->head.keep)
        remove_folder(r);
    if (number)
        r->end = (msw_child_end){.how = MSW_CHILD_NOT_STARTED, .code = number};
    return !r->gone && msw_disk_write(MSW_CHILD_FD, &r->end, sizeof r->end) == 0;
}

/* ---- the guard ---- */

/* Returns in the supervisor, its child. */
static void guard(void)
{
    const struct timespec moment = {0, AGAIN_MS * 1000000};
    double until = 0;
    int status = 0;
    pid_t supervisor = fork();
    if (supervisor <= 0)
        return;
    close(MSW_CHILD_FD); /* the worker hears of the supervisor's end alone */
    while (waitpid(supervisor, &status, 0) < 0 && errno == EINTR)
        continue;
    for (until = msw_now() + GIVE_UP_SECONDS; WIFSIGNALED(status) && msw_now() < until;) {
        pid_t pid;
        cli_signal_tree(SIGKILL);
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (pid < 0)
            break;
        nanosleep(&moment, NULL);
    }
    _exit(0);
}

int cli_supervise(void)
{
    run r;
    sigset_t children;
    bool more = true;
    setsid(); /* Ctrl-C on the terminal is for the workers */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN);
    put("/dev/null", O_RDWR, 0);
    dup2(0, 1);
    dup2(0, 2);
    for (int fd = MSW_CHILD_FD + 1; fd < 1024; fd++)
        close(fd);
    guard();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a child has it not */
    fcntl(MSW_CHILD_FD, F_SETFD, FD_CLOEXEC);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    while (more) {
        more = receive(&r) && serve(&r, signals);
        free(r.bytes);
        free(r.words);
    }
    return 0;
}
