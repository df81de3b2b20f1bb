/* SPDX-License-Identifier: MIT */
/* judge: what became of a trial. */
#ifndef MEMSWEEP_FAULTS_JUDGE_H
#define MEMSWEEP_FAULTS_JUDGE_H

#include "folder.h"
#include "scenarios.h"

typedef enum outcome {
    OUT_NONE,     /* no call failed: the trials of this kind are over */
    OUT_ABSORBED, /* exit code 0, and all is as without the fault */
    OUT_SAFE,     /* after a power failure: all that was told to be safe is there */
    OUT_TOLD,     /* exit code 3 with one message; the next run makes everything good */
    /* defects */
    OUT_CRASH,   /* ended by a signal, or by a time limit */
    OUT_CODE,    /* another exit code */
    OUT_MESSAGE, /* no message, several, or one that says nothing */
    OUT_WRONG,   /* exit code 0, and something is not as without the fault */
    OUT_UNSOUND, /* SQLite finds the file damaged */
    OUT_LOST,    /* the next run fails, or its answer differs */
    OUT_LEFT,    /* files lie about after the next run */
    OUT_LEAK,    /* memory or a descriptor not given back */
    OUT_COUNT
} outcome;

extern const char *const outcome_names[OUT_COUNT];

/* A scenario without faults. */
typedef struct expected {
    const scenario *s;
    const char *path; /* the folder of trials */
    folder template, after;
    char digest[TRIAL_TEXT], out[TRIAL_TEXT];
    uint64_t calls[FAULT_CALLS], live;
    long sqlite_live;
    int descriptors;
    /* states of the folder that were found good: after exit code 0, after another, with so many
     * rows */
    uint64_t *good[3];
    size_t good_count[3];
    bool parts_may_stay; /* who is killed leaves an output under the name of its part */
} expected;

/* Runs a scenario without faults. Returns 0, or -1 after saying why. */
int expected_make(expected *e, const scenario *s, const char *path);
void expected_free(expected *e);

/* Judges the trial that has just been run; `detail` says what is wrong. */
outcome judge(expected *e, const trial_result *result, char *detail, size_t size);

/* Whether the files as they lie there were found to hold so many rows before. Returns it, and
 * remembers them when `good`. */
bool judge_known(expected *e, uint64_t rows, bool good);

/* Judges the files as they lie there, as after `code`. */
outcome judge_files(expected *e, int code, char *detail, size_t size);

#endif
