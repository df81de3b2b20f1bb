/* SPDX-License-Identifier: MIT */
/* The process of a run: who it is (for the record in the database), and signals that ask it to
 * stop. */
#include "cli/run/sweep_run.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add_command_line(const cli *c, msw_text *out)
{
    for (int i = 0; i < c->argc; i++)
        msw_text_add(out, "%s%s", i ? " " : "", i ? c->argv[i] : "memsweep");
}

void cli_who_am_i(const cli *c, int ranks, int threads, cli_who *who)
{
    *who = (cli_who){0};
    gethostname(who->host, sizeof who->host - 1);
    add_command_line(c, &who->line);
    who->info = (msw_run_info){.version = MEMSWEEP_VERSION,
                               .build = __VERSION__,
                               .revision = *cli_revision ? cli_revision : NULL,
                               .host = who->host,
                               .command_line = msw_text_str(&who->line),
                               .ranks = ranks,
                               .threads = threads};
}

int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err)
{
    cli_who who;
    cli_who_am_i(c, ranks, threads, &who);
    int rc = msw_store_begin_run(store, sweep, &who.info, run, err);
    msw_text_free(&who.line);
    return rc;
}

/* A signal handler can reach nothing but what has a fixed place; other threads read it. */
static atomic_int stop_asked;

/* Points in hand may take minutes: whoever presses Ctrl-C sees at once what happens. Only write
 * is allowed in a signal handler. */
static void print_interrupt(void)
{
    static const char TEXT[] = "\nmemsweep: stopping: the points in hand are finished and stored; "
                               "Ctrl-C again ends at once\n";
    int before = errno;
    if (write(STDERR_FILENO, TEXT, sizeof TEXT - 1) < 0)
        errno = 0; /* nobody reads it */
    errno = before;
}

/* The first request lets the points in hand finish; who presses Ctrl-C again means it (launchers
 * and Slurm may send the other signals twice). The file stays sound: an open transaction is rolled
 * back by the next who opens it. */
bool cli_next_line(char *line, size_t most, size_t *size)
{
    int c = 0;
    *size = 0;
    while ((c = getc_unlocked(stdin)) != EOF && c != '\n')
        if (*size <= most)
            line[(*size)++] = (char)c;
    line[*size] = '\0';
    return c != EOF || *size > 0;
}

static void on_signal(int signal_number)
{
    /* One step: the next signal may reach another thread before this one has said anything. */
    bool again = atomic_exchange(&stop_asked, 1);
    if (again && signal_number == SIGINT)
        _exit(130);
    if (!again && signal_number == SIGINT)
        print_interrupt();
}

const atomic_int *cli_catch_stop(void)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGHUP};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
        /* Under nohup the end of the terminal means nothing. */
        if (SIGNALS[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) ||
            before.sa_handler != SIG_IGN)
            sigaction(SIGNALS[i], &action, NULL);
    return &stop_asked;
}
