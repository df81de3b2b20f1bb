/* Private to cli: other programs, started without a shell: a word stays a word. */
#ifndef MEMSWEEP_CLI_PROGRAM_H
#define MEMSWEEP_CLI_PROGRAM_H

#include "memsweep/text.h"

enum { CLI_NO_PROGRAM = 127 };

/* Runs a program (argv[0], looked for in PATH; ended by NULL) and appends what it prints; `quiet`:
 * what it says on standard error is dropped. Returns its exit code, CLI_NO_PROGRAM when there is
 * none, or -1. */
int cli_program_read(const char *const *argv, bool quiet, msw_text *out);

#endif
