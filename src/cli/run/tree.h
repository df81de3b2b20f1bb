/* SPDX-License-Identifier: MIT */
/* Private to cli: processes of programs that ran, as /proc has them. */
#ifndef MSW_CLI_RUN_TREE_H
#define MSW_CLI_RUN_TREE_H

#include "memsweep/base/text.h"

/* Sends a signal to all below this process (0: only counts them). Returns how many there were. */
int cli_signal_tree(int number);

/* Appends the numbers of processes whose folder is below this one, which no supervisor watches:
 * left by a run whose supervisor and guard were killed. Returns how many there are. */
int cli_list_left(const char *folder, msw_text *pids);

#endif
