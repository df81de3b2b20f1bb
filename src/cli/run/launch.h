/* SPDX-License-Identifier: MIT */
/* Private to cli: whether a command may start the program of a sweep, how many at once, and the
 * processes that then run. */
#ifndef MSW_CLI_RUN_LAUNCH_H
#define MSW_CLI_RUN_LAUNCH_H

#include "cli/cli.h"
#include "memsweep/base/text.h"
#include "memsweep/program/child.h"
#include "memsweep/program/launch.h"
#include "memsweep/sweep/sweep.h"

typedef struct cli_launch_ask {
    const char *program; /* the definition that the user named on the command line; or NULL */
    const char *work;    /* where folders of runs go */
    bool keep, once;
    bool asked; /* whether somebody has checked the consent already: rank 0 */
} cli_launch_ask;

/* Whether a plan's program may be started: `named` on the command line (or NULL), or allowed.
 * Returns 0, or -1: also where answers are told. */
int cli_launch_consent(const msw_plan *plan, const char *named, msw_err *err);

/* Opens what starts a plan's program, NULL where it has none; and takes its version into the plan.
 * Returns 0, or -1: also without the user's consent. */
int cli_launch_open(msw_plan *plan, const cli_launch_ask *ask, msw_launches **launches,
                    msw_err *err);

/* Warns of processes of earlier runs below the same folder, which nobody ends: the user may look at
 * one by hand. */
void cli_launch_tell_left(const msw_launches *launches, const msw_log *log);

/* Remembers that. Returns 0, or -1. */
int cli_allow(const msw_program *program, msw_err *err);

/* How many runs fit on `threads` threads of this node at once. Returns at least 1. */
int cli_launch_workers(const msw_plan *plan, int threads);

/* Reads a definition alone. Returns 0, or -1. */
int cli_load_program(const char *path, msw_program **program, msw_err *err);

/* Whether a word names a definition rather than a mechanism. */
bool cli_is_definition(const char *word);

/* Processes of programs that ran, as /proc has them. */

/* Sends a signal to all below this process (0: only counts them). Returns how many there were. */
int cli_signal_tree(int number);

/* Appends the numbers of processes whose folder is below this one, which no supervisor watches:
 * left by a run whose supervisor and guard were killed. Returns how many there are. */
int cli_list_left(const char *folder, msw_text *pids);

/* The hidden command that starts programs for a worker. */

/* Serves the worker at the other end of the socket until it is gone. Returns an exit code. */
int cli_supervise(void);

#endif
