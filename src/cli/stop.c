#include "stop.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A signal handler can reach nothing but what has a fixed place; other threads read it. */
static atomic_int stop_asked;

/* The first request lets the points in hand finish; who presses Ctrl-C again means it (launchers
 * and Slurm may send the other signals twice). The file stays sound: an open transaction is rolled
 * back by the next who opens it. */
static void on_signal(int signal_number)
{
    if (stop_asked && signal_number == SIGINT)
        _exit(130);
    stop_asked = 1;
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
