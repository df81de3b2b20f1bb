/* SPDX-License-Identifier: MIT */
/* The program's own main, by another name: see tests/CMakeLists.txt. */
#ifndef MEMSWEEP_FAULTS_ENTRY_H
#define MEMSWEEP_FAULTS_ENTRY_H

#define main memsweep_main
int memsweep_main(int argc, char **argv);

#endif
