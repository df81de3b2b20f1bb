/* SPDX-License-Identifier: MIT */
#include "cli/run/stop.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* A signal handler can reach nothing but what has a fixed place; other threads read it. */
static atomic_int stop_asked;

/* Points in hand may take minutes: whoever presses Ctrl-C sees at once what happens. Only write
 * is allowed in a signal handler. */
static void tell(void)
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
static void on_signal(int signal_number)
{
    /* One step: the next signal may reach another thread before this one has said anything. */
    bool again = atomic_exchange(&stop_asked, 1);
    if (again && signal_number == SIGINT)
        _exit(130);
    if (!again && signal_number == SIGINT)
        tell();
}

const atomic_int *cli_catch_stop(void)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
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
