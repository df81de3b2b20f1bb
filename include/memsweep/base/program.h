/* SPDX-License-Identifier: MIT */
/* program: other programs, started without a shell: a word stays a word. */
#ifndef MEMSWEEP_BASE_PROGRAM_H
#define MEMSWEEP_BASE_PROGRAM_H

#include "memsweep/base/text.h"

enum { MSW_NO_PROGRAM = 127 };

/* Runs a program (argv[0], looked for in PATH; ended by NULL) and appends what it prints; `quiet`:
 * what it says on standard error is dropped. Returns its exit code, MSW_NO_PROGRAM when there is
 * none, or -1. */
int msw_program_read(const char *const *argv, bool quiet, msw_text *out);

#endif
