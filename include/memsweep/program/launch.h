/* SPDX-License-Identifier: MIT */
/* launch: points of a program, each in a folder of its own.
 *
 * Only who holds launches can start anything: a plan alone, a worker without them and whatever
 * reads databases cannot. */
#ifndef MEMSWEEP_PROGRAM_LAUNCH_H
#define MEMSWEEP_PROGRAM_LAUNCH_H

#include "memsweep/program/child.h"
#include "memsweep/program/program.h"

typedef struct msw_launch_options {
    const char *work; /* where the folders of runs are made; it is made if missing */
    const char *self; /* the program that has the supervisor; NULL: this one */
    bool keep;        /* keeps all folders, whatever the definition says */
    bool once;        /* does not run the first point twice: somebody else does */
    bool (*stopping)(void *context);
    void *stopping_context;
} msw_launch_options;

/* Shared by the workers of a process. */
typedef struct msw_launches msw_launches;

/* Checks that all files are those of the definition, and makes the folder. The options are copied.
 * Returns 0, or -1. */
int msw_launches_open(const msw_program *program, const msw_launch_options *options,
                      msw_launches **launches, msw_err *err);

/* Removes the folder where nothing is kept in it; NULL is fine. */
void msw_launches_close(msw_launches *launches);

/* The program whose points these are, and where their folders are. */
const char *msw_launches_work(const msw_launches *launches);

/* Text of the version command; "" where the definition has none. Returns 0, or -1. */
int msw_launches_version(msw_launches *launches, msw_text *text, msw_err *err);

/* One worker's: a supervisor and the folder of the present run. */
typedef struct msw_launcher msw_launcher;
int msw_launcher_new(msw_launches *launches, msw_launcher **launcher, msw_err *err);
void msw_launcher_free(msw_launcher *launcher);

/* The launcher as the engine knows it, for the tasks of its worker. */
const struct msw_launch *msw_launcher_launch(const msw_launcher *launcher);

/* How the program ran for the last evaluation: a line per attempt, as batches take them. */
const char *msw_launcher_attempts(const msw_launcher *launcher);

/* How the last evaluation went: 1 when the run was ended because all are asked to stop, so there is
 * no answer; -1 with `err` when no run can go on (a full disk, another program); else 0. */
int msw_launcher_outcome(const msw_launcher *launcher, msw_err *err);

#endif
