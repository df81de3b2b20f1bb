/* SPDX-License-Identifier: MIT */
/* scenarios: commands on a small sweep, what comes before them, and what is asked after them. */
#ifndef MEMSWEEP_FAULTS_SCENARIOS_H
#define MEMSWEEP_FAULTS_SCENARIOS_H

#include "trial.h"

enum { SCENARIO_BEFORE = 6 };

typedef struct scenario {
    const char *name;
    trial_command
        before[SCENARIO_BEFORE]; /* make the files it begins with; words[0] NULL ends it */
    trial_command command;       /* what is tried */
    trial_command digest;        /* of what it made; words[0] NULL: it makes no rows */
    const char *database;        /* that is to be sound, NULL: none */
    const char *copy;            /* where rows may be until the next run, NULL: nowhere */
    const char *output;          /* a file that is to be as ever, NULL: none */
    bool prints;                 /* an answer, which is to be as ever */
    bool only_full;
} scenario;

extern const scenario scenarios[];
extern const char *const scenario_sweep;   /* the text of small.yaml */
extern const char *const scenario_learned; /* and of learned.yaml */

#endif
