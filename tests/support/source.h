/* SPDX-License-Identifier: MIT */
/* Where the source is, whose workloads and data tests and benches read. */
#ifndef MEMSWEEP_TESTS_SOURCE_H
#define MEMSWEEP_TESTS_SOURCE_H

/* The folder that the variable MEMSWEEP_SOURCE names, else the one it was built from. Returns its
 * path. */
const char *source_folder(void);

#endif
