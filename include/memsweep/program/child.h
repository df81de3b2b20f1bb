/* SPDX-License-Identifier: MIT */
/* child: one run of a program at a time, in a process of its own that outlives nobody.
 *
 * A supervisor is memsweep started once more, by each worker: it has no threads, no MPI and no open
 * files. It starts a program, ends its whole tree of processes (a subreaper: also those that left
 * their session) at a timeout, when asked, and when the worker is gone, however that ended. */
#ifndef MEMSWEEP_PROGRAM_CHILD_H
#define MEMSWEEP_PROGRAM_CHILD_H

#include "memsweep/base/text.h"

enum { MSW_CHILD_FD = 3 };            /* of the supervisor: the worker's end of a socket */
enum { MSW_CHILD_STOP = 'K' };        /* a byte that asks to end a run */
#define MSW_CHILD_COMMAND "supervise" /* the hidden command */

/* The message over the socket: this, then `bytes` of zero-ended words: the program's path, its
 * folder, `words` of the command, `variables` of the environment. */
typedef struct msw_child_head {
    size_t bytes, words, variables;
    double timeout_s, grace_s; /* 0: no timeout; between TERM and KILL */
    double memory, output;     /* bytes; 0: no limit */
    int64_t processes;         /* at once; 0: no limit */
    int64_t keep;              /* 1: the folder stays when the worker is killed */
} msw_child_head;

typedef enum msw_child_how {
    MSW_CHILD_EXITED,
    MSW_CHILD_SIGNALLED,
    MSW_CHILD_TIMED_OUT,
    MSW_CHILD_CROWDED,    /* had too many processes */
    MSW_CHILD_STOPPED,    /* asked to: says nothing of the program */
    MSW_CHILD_NOT_STARTED /* `code` is an errno */
} msw_child_how;

/* How a run ended. */
typedef struct msw_child_end {
    msw_child_how how;
    int code; /* exit code, signal, or errno */
    int left; /* processes that were left behind, and ended */
    double wall_s, cpu_s, memory_bytes;
} msw_child_end;

typedef struct msw_supervisor msw_supervisor;

/* Starts one. `self` is the program to start, NULL: this one. Returns 0, or -1. */
int msw_supervisor_start(const char *self, msw_supervisor **supervisor, msw_err *err);

/* Ends it, with all it started; NULL is fine. */
void msw_supervisor_end(msw_supervisor *supervisor);

/* Runs a program and waits for its end. `stopping` is asked now and then whether to end early.
 * Returns 0, or -1 when the supervisor is gone. */
int msw_supervisor_run(msw_supervisor *supervisor, const msw_child_head *head, const char *bytes,
                       bool (*stopping)(void *context), void *context, msw_child_end *end,
                       msw_err *err);

#endif
