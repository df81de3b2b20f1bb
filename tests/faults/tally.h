/* SPDX-License-Identifier: MIT */
/* tally: how often each fault was tried, and what became of it. */
#ifndef MEMSWEEP_FAULTS_TALLY_H
#define MEMSWEEP_FAULTS_TALLY_H

#include "judge.h"

typedef struct tally tally;

extern const char *const fault_call_names[FAULT_CALLS + 1];
extern const char *const fault_kind_names[FAULT_KINDS];
extern const char *const fault_way_names[3]; /* of a power failure, which is no call */

tally *tally_new(void);
void tally_free(tally *t);

/* Counts a trial; a defect is told at once, those alike a few times. */
void tally_add(tally *t, const char *where, const fault_plan *plan, outcome found,
               const char *detail);

/* Prints a table: fault by outcome. */
void tally_print(const tally *t);

/* Writes one line per scenario and fault, separated by tabs. Returns 0, or -1. */
int tally_save(const tally *t, const char *path);

/* Returns how many trials ended in a defect. */
uint64_t tally_defects(const tally *t);

#endif
