/* SPDX-License-Identifier: MIT */
/* trial: a command in a process of its own, forked from this one, with a call that fails. */
#ifndef MEMSWEEP_FAULTS_TRIAL_H
#define MEMSWEEP_FAULTS_TRIAL_H

#include "inject.h"
#include "power.h"

enum { TRIAL_TEXT = 1 << 16, TRIAL_STEPS = 4, TRIAL_WORDS = 16 };

typedef struct trial_command {
    const char *words[TRIAL_WORDS]; /* without the program's name, ended by NULL */
} trial_command;

/* What a process said and how it ended. */
typedef struct trial_result {
    int code;   /* exit code */
    int signal; /* that ended it, 0: none */
    char out[TRIAL_STEPS][TRIAL_TEXT], err[TRIAL_TEXT];
} trial_result;

typedef struct trial_options {
    fault_plan plan;
    bool threads; /* run as they like, instead of by turns */
    bool stacks;
    uint64_t trace;
    bool power; /* recorded */
} trial_options;

/* Prepares this process, once; commands run in `folder`. */
void trial_open(const char *folder);

/* Of the last command. */
const fault_record *trial_record(void);
const power_log *trial_power(void);

/* Runs a command with a fault. */
void trial_run(const trial_command *command, const trial_options *options, trial_result *result);

/* Runs commands without one, one after the other in one process, as long as they return 0; then,
 * where `database` is one, asks SQLite whether it is sound (code 99 when not) and the number of its
 * rows, which stands in the last `out`. */
void trial_check(const trial_command *const *commands, const char *database, trial_result *result);

#endif
