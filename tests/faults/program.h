/* SPDX-License-Identifier: MIT */
/* program: memsweep as it is, with calls that fail at random, in this process: what mpirun starts
 * as a rank. */
#ifndef MEMSWEEP_FAULTS_PROGRAM_H
#define MEMSWEEP_FAULTS_PROGRAM_H

/* CALL RATE SEED RANK WORD...: runs memsweep with the words. Calls of the kind (`none`: of no kind)
 * fail at that rate, in the rank of that number alone (-1: in all). Says on standard error how many
 * failed. Returns the exit code, 2 on wrong words. */
int program_run(int argc, char **argv);

#endif
