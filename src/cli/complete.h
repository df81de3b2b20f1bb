/* SPDX-License-Identifier: MIT */
/* Private to cli: completion of command lines. The shells' scripts ask the program, which knows its
 * tables and can look into databases. */
#ifndef MSW_CLI_COMPLETE_H
#define MSW_CLI_COMPLETE_H

#include "cli/cli.h"

/* What the shells read. */
void cli_completion_bash(msw_text *out);
void cli_completion_zsh(msw_text *out);

/* Prints what the last of `words` ("memsweep", command, ...) can become. */
void cli_complete(const cli *c, char *const *words, size_t count, msw_text *out);

#endif
